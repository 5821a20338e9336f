"""The gRPC service to run a server, and the admin token that it requires."""

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from time import monotonic, time
from typing import Final, final

import structlog

from vinci.v1 import admin_pb2 as pb
from vinci_rules.state import Seat

from ...errors import ServiceError
from ...lobby import OFFER_SECONDS, Lobby
from ...match import parsing
from ...match.match import Match
from ...match.seats import consensus, seating, tokens
from ...match.seats.names import check_name, one_line
from ...match.seats.setup import STATUS_CODES, STATUSES
from ...storage.database import storing
from ...storage.store import MatchEntry, Store, StoreError
from ..bots.desk import BotDesk
from ..bots.keys import BotKeys
from ..handlers import Context
from ..persons import Persons

ENTRIES: Final = 20
PERSONS: Final = 500
MOST_ENTRIES: Final = 1000

_log = structlog.get_logger()


def token_hash(folder: Path) -> str:
    """Return the hash of the admin token in a folder, made if there is none. Raises StoreError if that fails."""
    path = folder / tokens.ADMIN_FILE
    try:
        try:
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            token = path.read_text(encoding="ascii").strip()
        else:
            token = tokens.new_token("admin")
            with os.fdopen(file, "w", encoding="ascii") as writing:
                writing.write(f"{token}\n")
    except (OSError, ValueError) as error:
        raise StoreError(f"the admin token cannot be stored: {error}") from None
    if not token:
        raise StoreError(f"{path} is empty; delete it, and a new admin token is made")
    return tokens.digest(token)


@final
@dataclass
class AdminService:
    """The calls that need the admin token, whose hash is `_hashed`; `_drain` starts or ends draining."""

    _hashed: str
    _store: Store
    _lobby: Lobby
    _desk: BotDesk
    _keys: BotKeys
    _persons: Persons
    _drain: Callable[[bool], Awaitable[None]]
    _started: float = field(default_factory=time)

    async def get_server_status(
        self, request: pb.GetServerStatusRequest, context: Context
    ) -> pb.GetServerStatusResponse:
        """Return the state of the server."""
        self._authorise(context)
        known = self._lobby.known()
        running = [match for match in known if match.status == "running"]
        since = monotonic() - request.quiet_seconds
        return pb.GetServerStatusResponse(
            version=version("vinci-server"),
            start_time=int(self._started),
            draining=self._lobby.draining,
            matches=dict.fromkeys(STATUS_CODES, 0) | await self._store.counts(),
            awake=sum(match.is_awake for match in known),
            moving=sum(match.moved > since or _acts_by_itself(match) for match in running),
            connected_seats=sum(match.audience.connected_seats for match in known),
            watchers=sum(len(match.audience.watchers) for match in known),
            bots=len(self._desk.connected),
            database=str(self._store.path.absolute()),
            database_bytes=self._store.size(),
        )

    async def list_activity(self, request: pb.ListActivityRequest, context: Context) -> pb.ListActivityResponse:
        """Return a page of matches."""
        self._authorise(context)
        entries, token = await self._lobby.entries(request.page_size, request.page_token, STATUSES.get(request.status))
        last = await self._store.last_times([entry.match_id for entry in entries])
        page = [
            _activity(entry, last.get(entry.match_id, entry.created), self._lobby.find(entry.match_id))
            for entry in entries
        ]
        return pb.ListActivityResponse(matches=page, next_page_token=token)

    async def inspect_match(self, request: pb.InspectMatchRequest, context: Context) -> pb.InspectMatchResponse:
        """Return one match in detail."""
        match = await self._match(request.match_id, context)
        rows = (await self._store.load(match.match_id)).rows[-min(request.entries or ENTRIES, MOST_ENTRIES) :]
        ledger, state = match.ledger, match.ledger.state
        entry = MatchEntry(match.match_id, ledger.created, ledger.status)
        return pb.InspectMatchResponse(
            activity=_activity(entry, rows[-1].time if rows else ledger.created, match),
            seat_to_act=0 if (seat := ledger.to_act()) is None else seat + 1,
            position=ledger.game.position,
            entries=[
                pb.LogEntry(
                    number=row.sequence,
                    time=row.time,
                    kind=row.kind,
                    seat=row.seat,
                    by=row.actor,
                    notation=row.text if row.kind == "act" else "",
                )
                for row in rows
            ],
            clocks=match.timekeeper.message() if state is not None and ledger.setup.timing.has_clock else None,
        )

    async def pause_match(self, request: pb.PauseMatchRequest, context: Context) -> pb.PauseMatchResponse:
        """Pause a game."""
        match = await self._match(request.match_id, context)
        await consensus.pause(match, "admin")
        return pb.PauseMatchResponse(match=match.message())

    async def resume_match(self, request: pb.ResumeMatchRequest, context: Context) -> pb.ResumeMatchResponse:
        """Resume a game."""
        match = await self._match(request.match_id, context)
        await consensus.resume(match, "admin")
        return pb.ResumeMatchResponse(match=match.message())

    async def end_match(self, request: pb.EndMatchRequest, context: Context) -> pb.EndMatchResponse:
        """End a match."""
        match = await self._match(request.match_id, context)
        reason = one_line(request.reason, consensus.LONGEST_REASON)
        if not reason:
            raise ServiceError("BAD_REASON", most=consensus.LONGEST_REASON)
        await consensus.end(match, reason)
        return pb.EndMatchResponse(match=match.message())

    async def kick_seat(self, request: pb.KickSeatRequest, context: Context) -> pb.KickSeatResponse:
        """Take a seat from its player or bot."""
        match = await self._match(request.match_id, context)
        await seating.kick(match, Seat(request.seat - 1))
        return pb.KickSeatResponse(match=match.message())

    async def hand_over_seat(self, request: pb.HandOverSeatRequest, context: Context) -> pb.HandOverSeatResponse:
        """Create a code with which another terminal takes over a seat."""
        match = await self._match(request.match_id, context)
        seat = Seat(request.seat - 1)
        if seat not in match.ledger.seats() or not match.ledger.sitters[seat].token_hash:
            raise ServiceError("BAD_SEAT", "NOBODY", seat=request.seat)
        return pb.HandOverSeatResponse(code=self._lobby.offer(match, seat), seconds=OFFER_SECONDS)

    async def rotate_seat_token(
        self, request: pb.RotateSeatTokenRequest, context: Context
    ) -> pb.RotateSeatTokenResponse:
        """Give a seat another token."""
        match = await self._match(request.match_id, context)
        token = await seating.new_token(match, Seat(request.seat - 1), check_name(request.player))
        return pb.RotateSeatTokenResponse(seat_token=token)

    async def make_bot_key(self, request: pb.MakeBotKeyRequest, context: Context) -> pb.MakeBotKeyResponse:
        """Protect the name of a bot by a new key."""
        self._authorise(context)
        await self._persons.check_free(check_name(request.name))
        key = await self._keys.make(request.name)
        if self._keys.required:
            self._desk.dismiss(request.name, ServiceError("BAD_KEY", name=request.name))
        _log.info("bot key created", bot=request.name)
        return pb.MakeBotKeyResponse(key=key)

    async def remove_bot_key(self, request: pb.RemoveBotKeyRequest, context: Context) -> pb.RemoveBotKeyResponse:
        """Let anybody use the name of a bot again."""
        self._authorise(context)
        await self._keys.remove(request.name)
        _log.info("bot key removed", bot=request.name)
        return pb.RemoveBotKeyResponse()

    async def list_bot_keys(self, _request: pb.ListBotKeysRequest, context: Context) -> pb.ListBotKeysResponse:
        """Return the names of bots that are protected by a key."""
        self._authorise(context)
        keys = await self._keys.hashes()
        return pb.ListBotKeysResponse(
            keys=[pb.BotKey(name=name, create_time=int(made)) for name, (_hash, made) in keys.items()]
        )

    async def list_persons(self, request: pb.ListPersonsRequest, context: Context) -> pb.ListPersonsResponse:
        """Return a page of persons."""
        self._authorise(context)
        listed = await self._persons.listed(request.page_token, PERSONS + 1, request.name)
        return pb.ListPersonsResponse(
            persons=[
                pb.KnownPerson(
                    name=person.name,
                    hidden=bool(person.is_hidden),
                    create_time=int(person.created),
                    seen_time=int(person.seen),
                    devices=person.keys,
                    matches=matches,
                )
                for person, matches in listed[:PERSONS]
            ],
            next_page_token=listed[PERSONS - 1][0].name if len(listed) > PERSONS else "",
        )

    async def rename_person(self, request: pb.RenamePersonRequest, context: Context) -> pb.RenamePersonResponse:
        """Give a person another name."""
        self._authorise(context)
        await self._persons.rename(await self._persons.named(request.name), check_name(request.new_name))
        return pb.RenamePersonResponse()

    async def merge_persons(self, request: pb.MergePersonsRequest, context: Context) -> pb.MergePersonsResponse:
        """Let everything of a person be another's."""
        self._authorise(context)
        person, into = await self._persons.named(request.name), await self._persons.named(request.into)
        if person.person_id != into.person_id:
            await self._persons.reassign(self._lobby, person.person_id, into.person_id)
        return pb.MergePersonsResponse()

    async def remove_person(self, request: pb.RemovePersonRequest, context: Context) -> pb.RemovePersonResponse:
        """Remove a person, its keys and its name."""
        self._authorise(context)
        await self._persons.reassign(self._lobby, (await self._persons.named(request.name)).person_id)
        return pb.RemovePersonResponse()

    async def drain_server(self, request: pb.DrainServerRequest, context: Context) -> pb.DrainServerResponse:
        """Take no new matches, players and bots, or take them again."""
        self._authorise(context)
        await self._drain(request.draining)
        return pb.DrainServerResponse()

    async def backup_database(self, request: pb.BackupDatabaseRequest, context: Context) -> pb.BackupDatabaseResponse:
        """Copy the database."""
        self._authorise(context)
        path = Path(request.path)
        if not path.is_absolute() or "\0" in request.path or not path.parent.is_dir() or path.exists():
            raise ServiceError("BAD_PATH", path=request.path)
        _log.info("backup started", path=str(path))
        with storing("BACKUP"):
            await self._store.backup(path)
        size = path.stat().st_size
        _log.info("backup finished", path=str(path), bytes=size)
        return pb.BackupDatabaseResponse(bytes=size)

    async def _match(self, match_id: str, context: Context) -> Match:
        self._authorise(context)
        return await self._lobby.get(match_id)

    def _authorise(self, context: Context) -> None:
        if not tokens.fits(parsing.required_bearer(context), self._hashed):
            raise ServiceError("NOT_THE_ADMIN", file=tokens.ADMIN_FILE)


def _activity(entry: MatchEntry, last: float, match: Match | None) -> pb.MatchActivity:
    activity = pb.MatchActivity(
        match_id=entry.match_id,
        status=STATUS_CODES[entry.status],
        create_time=int(entry.created),
        last_activity=int(last),
    )
    if match is not None:
        activity.watchers = len(match.audience.watchers)
        activity.connected_seats = match.audience.connected_seats
        if match.is_awake:
            activity.match.CopyFrom(match.message())
    return activity


def _acts_by_itself(match: Match) -> bool:
    """Whether the server or a connected bot is to act in a running match."""
    if not match.is_awake:
        return False  # it has been quiet for a while
    ledger = match.ledger
    seat = ledger.to_act()
    return seat is not None and (
        ledger.kind(seat) == "dummy" or ledger.substituted[seat] or seat in match.audience.bots
    )

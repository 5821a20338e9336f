"""What the commands of `vinci admin` do: ask the server, and tell the answer as a table or as JSON."""

import asyncio
import json
import textwrap
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from vinci.v1 import admin_pb2 as pb
from vinci.v1 import lobby_pb2
from vinci_client.access import Access, BadAccess
from vinci_client.address import with_port
from vinci_client.errors import ServerGone, ServerRefused
from vinci_client.session import Session
from vinci_server.tokens import ADMIN_FILE

from . import saved
from .failed import Failed, Misused, failure
from .words import amount

WIDTH: Final = 80
POLL_SECONDS: Final = 1.0
STATUSES: Final = {
    name.removeprefix("MATCH_STATUS_").lower(): code for name, code in lobby_pb2.MatchStatus.items() if code
}
STATUS_NAMES: Final = {code: name for name, code in STATUSES.items()}
KIND_NAMES: Final = {code: name.removeprefix("SEAT_KIND_").lower() for name, code in lobby_pb2.SeatKind.items()}


@dataclass(frozen=True, slots=True)
class At:
    """Which server, what tells the admin token: itself, or the database that it lies beside; and what opens it."""

    server: str
    token: str
    database: Path | None
    access: Access

    def found_token(self) -> str:
        """The admin token. Raises Failed or Misused."""
        if self.token:
            return self.token
        host = with_port(self.server).rpartition(":")[0]
        if self.database is None and host not in ("localhost", "127.0.0.1", "[::1]"):
            raise Misused(
                f"{self.server} is another machine; give its admin token with --token or in VINCI_ADMIN_TOKEN,"
                " or, if it is this one, its database with --db"
            )
        path = (self.database.parent if self.database is not None else saved.home()) / ADMIN_FILE
        try:
            return path.read_text(encoding="ascii").strip()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise Failed(
                f"no admin token in {path} ({reason}); name the database of the server with --db, or give the token"
                " with --token"
            ) from None


Ask = Callable[..., Awaitable[Any]]


@asynccontextmanager
async def _asking(at: At) -> AsyncIterator[Ask]:
    """A function that makes the call which a request belongs to, with the admin token. Raises Failed or Misused."""
    token = at.found_token()
    try:
        async with Session(at.server, at.access) as session:

            async def ask(request: Message, **how: Any) -> Any:
                method = getattr(session.admin, type(request).__name__.removesuffix("Request"))
                return await session.call(method, request, token, **how)

            yield ask
    except (ServerRefused, ServerGone) as error:
        raise failure(error) from None
    except BadAccess as error:
        raise Misused(str(error)) from None


async def _asked(at: At, request: Message, **how: Any) -> Any:
    """The answer to one call; `how` is as in `Session.call`: what must not be done twice is tried once."""
    async with _asking(at) as ask:
        return await ask(request, **how)


def status(at: At, *, as_json: bool) -> None:
    """Tell how the server does."""
    found: pb.GetServerStatusResponse = asyncio.run(_asked(at, pb.GetServerStatusRequest()))
    if as_json:
        _tell_json(found)
        return
    counts = ", ".join(f"{found.matches[name]} {name}" for name in STATUSES if found.matches[name])
    _tell(f"version   {found.version}, started {_date(found.start_time)} ({_ago(found.start_time)} ago)")
    _tell(f"matches   {counts or 'none'}; {found.awake} awake")
    there = (found.connected_seats, "seat"), (found.watchers, "watcher"), (found.bots, "bot")
    _tell(f"there     {', '.join(amount(number, noun) for number, noun in there)}")
    _tell(f"database  {found.database} ({_size(found.database_bytes)})")
    if found.draining:
        _tell("It drains: it takes nobody new.")


def list_matches(at: At, statuses: Sequence[str], *, as_json: bool) -> None:
    """Tell the matches of these statuses."""

    found = asyncio.run(_activity(at, statuses))
    if as_json:
        for activity in found:
            _tell_json(activity)
        return
    if not found:
        _tell(f"No match is {' or '.join(statuses)}.")
        return
    _tell("match     status   round  there  watchers  idle    players")
    for activity in found:
        match = activity.match
        there = f"{activity.connected_seats}/{len(match.seats)}" if match.seats else "-"
        players = ", ".join(seat.player or KIND_NAMES[seat.kind] for seat in match.seats) or "(asleep)"
        line = (
            f"{activity.match_id:<8}  {STATUS_NAMES.get(activity.status, '?'):<7}  {match.round or '-':>5}  {there:>5}"
            f"  {activity.watchers:>8}  {_ago(activity.last_activity):<6}  {players}"
        )
        _tell(line if len(line) <= WIDTH else f"{line[: WIDTH - 4]} ...")


async def _activity(at: At, statuses: Sequence[str]) -> list[pb.MatchActivity]:
    found: list[pb.MatchActivity] = []
    async with _asking(at) as ask:
        for name in statuses:
            request = pb.ListActivityRequest(status=STATUSES[name])
            while True:
                page = await ask(request)
                found += page.matches
                if not page.next_page_token:
                    break
                request.page_token = page.next_page_token
    return found


def inspect(at: At, match_id: str, entries: int, *, as_json: bool) -> None:
    """Tell one match."""

    found: pb.InspectMatchResponse = asyncio.run(_asked(at, pb.InspectMatchRequest(match_id=match_id, entries=entries)))
    if as_json:
        _tell_json(found)
        return
    activity, match = found.activity, found.activity.match
    rules = " ".join([match.options.edition, *(f"{name}={value}" for name, value in match.options.settings.items())])
    course = f", round {match.round}, revision {match.revision}" if match.vp else ""
    course += ", paused" if match.paused else f": {match.ended}" if match.ended else ""
    _tell(f"match     {match.match_id}, {STATUS_NAMES.get(match.status, '?')}{course}")
    _tell(f"rules     {rules}, board {match.board}")
    _tell(f"made      {_date(activity.create_time)}; last activity {_ago(activity.last_activity)} ago")
    _tell(f"watchers  {activity.watchers}")
    for place, seat in enumerate(match.seats):
        vp = f"  {match.vp[place]:>3} VP" if match.vp else ""
        there = "connected" if seat.connected else "away" if seat.taken else "free"
        acts = "  to act" if seat.seat == found.seat_to_act else ""
        acts += "  substituted" if seat.substituted else ""
        vp += f"  {found.clocks.left[place] / 1000:.0f} s left" if found.HasField("clocks") else ""
        _tell(f"seat {seat.seat}    {KIND_NAMES[seat.kind]:<5}  {there:<9}{vp}  {seat.player}{acts}")
    if found.position:
        _tell(textwrap.fill(f"position  {found.position}", WIDTH, subsequent_indent=" " * 10, break_on_hyphens=False))
    for entry in found.entries:
        who = f"seat {entry.seat}" if entry.seat else ""
        _tell(
            f"{entry.number:>8}  {_date(entry.time)}  {who:<6}  {entry.by:<7}  {entry.notation or entry.kind}".rstrip()
        )


def pause(at: At, match_id: str) -> None:
    """Stop a game."""
    asyncio.run(_asked(at, pb.PauseMatchRequest(match_id=match_id)))
    _tell(f"Match {match_id} is paused.")


def resume(at: At, match_id: str) -> None:
    """Let a game go on."""
    asyncio.run(_asked(at, pb.ResumeMatchRequest(match_id=match_id)))
    _tell(f"Match {match_id} goes on.")


def end(at: At, match_id: str, reason: str) -> None:
    """End a match."""
    asyncio.run(_asked(at, pb.EndMatchRequest(match_id=match_id, reason=reason), tries=1))
    _tell(f"Match {match_id} is ended.")


def kick(at: At, match_id: str, seat: int) -> None:
    """Take a seat away."""
    asyncio.run(_asked(at, pb.KickSeatRequest(match_id=match_id, seat=seat), tries=1))
    _tell(f"Seat {seat} of match {match_id} is free.")


def hand_over(at: At, match_id: str, seat: int) -> None:
    """Tell a code for a seat."""
    found = asyncio.run(_asked(at, pb.HandOverSeatRequest(match_id=match_id, seat=seat)))
    _tell(f"Within {found.seconds // 60} minutes, seat {seat} of match {match_id} is taken over with this code,")
    _tell("as in: vinci join ADDRESS --take CODE")
    _tell(found.code)


def rotate(at: At, match_id: str, seat: int, name: str) -> None:
    """Tell a new token for a seat."""
    request = pb.RotateSeatTokenRequest(match_id=match_id, seat=seat, player=name)
    found = asyncio.run(_asked(at, request, tries=1))
    _tell(f"The new token of seat {seat} of match {match_id}:")
    _tell(found.seat_token)


def drain(at: At, *, off: bool, wait: bool, quiet: int) -> None:
    """Begin or end draining; perhaps wait until no match moves."""

    try:
        asyncio.run(_drain(at, off=off, wait=wait, quiet=quiet))
    except KeyboardInterrupt:
        raise Failed("no longer waiting; the server still takes nobody new, until it restarts or drain --off") from None


async def _drain(at: At, *, off: bool, wait: bool, quiet: int) -> None:
    async with _asking(at) as ask:
        await ask(pb.DrainServerRequest(draining=not off))
        _tell("The server takes matches, players and bots again." if off else "The server takes nobody new.")
        before = -1
        while wait and before:
            found = await ask(pb.GetServerStatusRequest(quiet_seconds=quiet))
            if found.moving != before:
                before = found.moving
                _tell(f"Matches that move: {before}.")
            if before:
                await asyncio.sleep(POLL_SECONDS)


def backup(at: At, file: Path) -> None:
    """Have the database copied."""

    request = pb.BackupDatabaseRequest(path=str(file.absolute()))
    done = asyncio.run(_asked(at, request, tries=1, seconds=None))
    _tell(f"{file.absolute()} ({_size(done.bytes)})")


def _ago(seconds: float) -> str:
    """How long ago something was, in the largest unit of which it was one or more."""
    past = max(0, int(time.time() - seconds))
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if past >= size:
            return f"{past // size} {unit}"
    return f"{past} s"


def _date(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))


def _size(number: int) -> str:
    return f"{number / 1e6:.1f} MB"


def _tell_json(message: Message) -> None:
    fields = MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
    _tell(json.dumps(fields))


def _tell(text: str) -> None:
    click.echo(text)

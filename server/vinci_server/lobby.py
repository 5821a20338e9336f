"""All matches of a server: creates, finds and lists them, and reads them from the store on demand."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Collection, Iterable, Sequence
from importlib.metadata import version
from typing import Final, NamedTuple, final

import structlog

from vinci.v1 import lobby_pb2 as pb
from vinci_refusals.catalogue import NOT_STARTED_IN_TIME
from vinci_rules.editions import Options
from vinci_rules.state import Seat

from .errors import ServiceError
from .limits import USUAL, Limits
from .match.log.entries import Create, encode
from .match.log.loading import load, reading
from .match.match import Match, MatchObserver
from .match.seats import consensus, seating, starting, tokens
from .match.seats.setup import Setup, from_request
from .storage.database import storing
from .storage.store import MatchEntry, Store, StoreError, Summary

VERSION: Final = version("vinci-server")
PAGE_SIZE: Final = 50
QUIET_SECONDS: Final = 60.0
"""Seconds after the last event after which a match may sleep."""
QUIET_AWAKE: Final = 200
"""Quiet matches that stay awake: those asked for last, so that a list does not read them all each time."""
REST_SECONDS: Final = 1.0
WAKE_SECONDS: Final = 0.5
"""Seconds for which a server wakes matches before it listens."""
DAY_SECONDS: Final = 86_400.0
SUMMARIZED_AT_ONCE: Final = 20
SUMMARIES_LOGGED: Final = 1_000
"""Number of summaries after which progress is logged."""
SUMMARIZE_SECONDS: Final = 60.0
"""Seconds after the start after which finished matches without a summary get one."""
SUMMARY_PAUSES: Final = 4
"""Length of the pauses meanwhile, in times of the work between them: a fifth of a core, for some minutes once."""
EXPIRE_SECONDS: Final = 600.0
JOINED_TIMES: Final = 30
"""Factor by which a match that somebody has joined waits longer for its start than one that nobody has."""
OFFER_SECONDS: Final = 600
"""Seconds that a code works with which another terminal takes over a seat."""

_log = structlog.get_logger()


class Offer(NamedTuple):
    """A seat offered to another terminal, until a time of `time.monotonic`, while `held` is the hash of its token.

    It is `of_absent` if the maker of the match offers the seat of somebody who is absent.
    """

    match_id: str
    seat: Seat
    held: str
    until: float
    is_used: bool = False
    of_absent: bool = False


@final
class Lobby:
    """The matches. Open and running ones are known, awake or asleep; others are read on demand."""

    def __init__(self, store: Store, limits: Limits = USUAL) -> None:
        self._store: Final = store
        self.limits: Final = limits
        self._matches: Final[dict[str, Match]] = {}
        self._unread: Final[dict[str, None]] = {}
        """Matches that are open or running and have not been read since the start of the server."""
        self._unreadable: Final[dict[str, ServiceError]] = {}
        """Why a match could not be read, which waiting does not change."""
        self._kept: Final[set[str]] = set()
        self._made_by: Final[dict[str, set[str]]] = {}
        """Matches by the host that has made them, as far as they may be open."""
        self._making: Final[dict[str, asyncio.Task[Match]]] = {}
        self._chores: Final[list[asyncio.Task[None]]] = []
        self._rematching: Final = asyncio.Lock()
        self._reading: Final = asyncio.Lock()
        self._offers: Final[dict[str, Offer]] = {}
        self.listener = MatchObserver()
        """Receives the events of matches that are read from now on."""
        self._is_closed = False
        self.draining = False
        self.is_damaged = False
        """Whether the database is damaged, so that nothing new begins."""

    async def wake(self, archive_days: float, open_days: float) -> None:
        """Continue all open and running matches after a start of the server. Raises StoreError.

        Returns after WAKE_SECONDS at the latest; others follow in the background. Matches are archived `archive_days`
        after their end, and ended if they do not start, as `expire` says; 0 for never.
        """
        for status in ("running", "open"):
            self._unread.update(dict.fromkeys(entry.match_id for entry in await self._store.entries(status=status)))
        waking = asyncio.create_task(self._wake(list(self._unread)))
        self._chores.extend([waking, asyncio.create_task(self._rest()), asyncio.create_task(self._keep_summaries())])
        if archive_days:
            self._chores.append(asyncio.create_task(self._archive(archive_days * DAY_SECONDS)))
        if open_days:
            self._chores.append(asyncio.create_task(self._expire(open_days)))
        await asyncio.wait([waking], timeout=WAKE_SECONDS)

    async def _wake(self, match_ids: Sequence[str]) -> None:
        for match_id in match_ids:
            with contextlib.suppress(ServiceError):  # it is logged
                match = await self.get(match_id)
                await starting.begin(match)
                if match.is_idle():
                    match.sleep()
        _log.info("matches loaded", count=len(match_ids))

    async def _rest(self) -> None:
        while True:
            await asyncio.sleep(REST_SECONDS)
            self.rest()

    async def _archive(self, seconds: float) -> None:
        while True:
            try:
                if count := await self._store.archive(time.time() - seconds):
                    _log.info("matches archived", count=count)
            except StoreError as error:
                _log.error("archiving failed", error=str(error))
            await asyncio.sleep(DAY_SECONDS)

    async def _expire(self, days: float) -> None:
        while True:
            await asyncio.sleep(EXPIRE_SECONDS)
            try:
                await self.expire(days)
            except StoreError as error:
                _log.error("ending open matches failed", error=str(error))
            for host in list(self._made_by):
                self.open_by(host)

    async def expire(self, days: float) -> None:
        """End matches that did not start `days` after the last event, or JOINED_TIMES as many. Raises StoreError."""
        now = time.time()
        abandoned = await self._store.abandoned(now - days * DAY_SECONDS, now - JOINED_TIMES * days * DAY_SECONDS)
        count = 0
        for match_id in abandoned:
            known = self._matches.get(match_id)
            if match_id in self._kept or (known is not None and known.audience.watchers):
                continue
            with contextlib.suppress(ServiceError):  # it has started meanwhile, or cannot be read, which is logged
                await consensus.end(await self.get(match_id), NOT_STARTED_IN_TIME, only_open=True)
                count += 1
        if count:
            _log.info("open matches ended", count=count)

    def keep(self, match_id: str) -> None:
        """Exclude a match from `expire`."""
        self._kept.add(match_id)

    def open_by(self, host: str) -> int:
        """Count the open matches that a host has made since the start of the server."""
        made = {match_id for match_id in self._made_by.get(host, ()) if self._is_open(match_id)}
        if made:
            self._made_by[host] = made
        else:
            self._made_by.pop(host, None)
        return len(made)

    def _is_open(self, match_id: str) -> bool:
        match = self._matches.get(match_id)
        return match_id in self._making if match is None else match.status == "open"

    def rest(self, seconds: float = QUIET_SECONDS, awake: int = QUIET_AWAKE) -> None:
        """Put matches to sleep that have been quiet for `seconds`, except the `awake` that were used last."""
        latest = time.monotonic() - seconds
        quiet = [match for match in self._matches.values() if match.is_awake and match.is_idle()]
        quiet = [match for match in quiet if match.changed <= latest]
        for match in quiet[: max(len(quiet) - awake, 0)]:
            match.sleep()
            if match.is_finished and not match.audience.watchers:
                del self._matches[match.match_id]

    @property
    def live(self) -> int:
        """Number of matches that are open, running or being created."""
        return sum(not match.is_finished for match in self.known()) + len(self._making) + len(self._unread)

    async def create(self, request: pb.CreateMatchRequest, host: str = "", maker: int = 0) -> tuple[Match, str]:
        """Return a new match of a person and its host token, or those of an earlier request with its id.

        Raises ServiceError.
        """
        self.check_not_draining()
        request_id = request.request_id or tokens.request_id()
        match_id = tokens.match_id_for(request_id)
        token = tokens.token_for("host", match_id, request_id)
        setup = from_request(request, tokens.digest(token), maker)
        self._check_length(setup.options())
        making = self._make(match_id, setup)
        if host:
            self._made_by.setdefault(host, set()).add(match_id)
        return _of_host(await making, token), token

    def _check_length(self, options: Options) -> None:
        """Raises ServiceError for a game that could be longer than this server allows."""
        for name, value, most in (
            ("max_rounds", options.max_rounds, self.limits.max_rounds),
            ("target", options.target, self.limits.target),
        ):
            if value > most:
                raise ServiceError("BAD_OPTION", "LIMIT", option=f"{name}={value}", limit=name, number=most)

    async def made(self, request_id: str) -> tuple[Match, str] | None:
        """Return the open or running match that a request with this id has created, and its host token, or None."""
        match_id = tokens.match_id_for(request_id)
        if match_id in self._making:
            await asyncio.wait([self._making[match_id]])
        if match_id not in self._matches and match_id not in self._unread:  # it is over, or there is none
            return None
        token = tokens.token_for("host", match_id, request_id)
        return _of_host(await self.get(match_id), token), token

    def _make(self, match_id: str, setup: Setup) -> Awaitable[Match]:
        """Create a match, even if the caller is cancelled, and only once if it is requested twice."""
        making = self._making.get(match_id)
        if making is None:
            making = self._making[match_id] = asyncio.create_task(self._create(match_id, setup))
            making.add_done_callback(lambda _: self._making.pop(match_id))
        return asyncio.shield(making)

    async def _create(self, match_id: str, setup: Setup) -> Match:
        with storing("MATCH"):
            is_new = await self._store.create(match_id, encode(Create(setup), 1, time.time()), setup.maker)
        match = await self.get(match_id)
        if not is_new:
            return match
        _log.info("match created", match=match_id, board=setup.board, edition=setup.edition)
        await starting.begin(match)
        return match

    async def rematch(
        self,
        match: Match,
        seat: Seat,
        nonce: seating.Nonce,
        request_id: str,
        name: str,
        identity: seating.Identity = seating.GUEST,
    ) -> tuple[Match, Seat, str]:
        """Join the rematch, each player one seat further on; returns the match, the seat and its token."""
        self.check_not_draining()
        ledger = match.ledger
        if ledger.status != "over":
            raise ServiceError("NO_REMATCH")
        if ledger.setup.position:
            raise ServiceError("NO_REMATCH", "POSITION")
        if not ledger.rematch:
            await starting.name_rematch(match, tokens.new_match_id())
        next_seat = Seat((seat + 1) % len(ledger.sitters))
        async with self._rematching:
            try:
                following = await self.get(ledger.rematch)
            except ServiceError:
                setup = ledger.setup.rotated([sitter.token_hash for sitter in ledger.sitters])
                following = await self._make(ledger.rematch, setup)
        held = ledger.sitters[seat].token_hash  # of the first device; any other of the player may ask, too
        return following, *(await seating.join(following, next_seat, name, nonce, held, request_id, identity))

    def offer(self, match: Match, seat: Seat, *, of_absent: bool = False) -> str:
        """Return a code with which another terminal takes over a seat, that of somebody who is and stays absent."""
        now = time.monotonic()
        for code in [code for code, offer in self._offers.items() if offer.until < now]:
            del self._offers[code]
        code = tokens.new_match_id()
        held = match.ledger.sitters[seat].token_hash
        self._offers[code] = Offer(match.match_id, seat, held, now + OFFER_SECONDS, of_absent=of_absent)
        return code

    async def take_over(
        self,
        code: str,
        player: str,
        nonce: seating.Nonce,
        request_id: str,
        identity: seating.Identity = seating.GUEST,
    ) -> tuple[Match, Seat, str]:
        """Return the seat of a code and its new token. The code works once, or for one request id."""
        code = code.strip().lower()
        offer = self._offers.get(code)
        if offer is not None and offer.until >= time.monotonic():
            match = await self.get(offer.match_id)
            if (taken := seating.joined(match, request_id)) is not None:
                return match, *taken
            if not offer.is_used:
                token = await seating.new_token(
                    match, offer.seat, player, offer.held, nonce, request_id, identity, of_absent=offer.of_absent
                )
                self._offers[code] = offer._replace(is_used=True)
                return match, offer.seat, token
        raise ServiceError("BAD_CODE")

    async def get(self, match_id: str) -> Match:
        """Return the match with this id, awake. Raises ServiceError, also when the server stops."""
        if match_id not in self._matches:
            async with self._reading:  # once for all callers
                if match_id not in self._matches:
                    try:
                        match = await self._read(match_id)
                    finally:
                        self._unread.pop(match_id, None)
                    self._matches[match_id] = match
        match = self._matches[match_id] = self._matches.pop(match_id)  # the latest used goes last
        await match.wake()
        if self._is_closed:  # a stream that began now would not be ended by `close`, and the server would wait for it
            raise ServiceError("SHUTTING_DOWN")
        return match

    async def _read(self, match_id: str) -> Match:
        """Read a match from the store. One that is unreadable is logged once."""
        if match_id in self._unreadable:
            raise self._unreadable[match_id].with_traceback(None)
        try:
            match = Match(await load(match_id, self._store), self._store, self.listener)
            with reading(match_id):
                match.message()
                if match.status == "running":
                    match.timekeeper.await_bots()
        except ServiceError as error:
            if error.reason in ("MATCH_UNREADABLE", "DATABASE_DAMAGED"):
                self._unreadable[match_id] = error
            raise
        return match

    async def page(self, size: int, page_token: str, status: str | None) -> tuple[list[pb.Match], str]:
        """Return a page of all matches, newest first, and the token of the next page."""
        entries, token = await self.entries(size, page_token, status)
        listed = [entry.match_id for entry in entries]
        with storing():
            unread = [match_id for match_id in listed if match_id not in self._matches]
            stored = await self._store.summaries(unread, VERSION)
        found, new = [], []
        for match_id in listed:
            if match_id in stored:
                found.append(pb.Match.FromString(stored[match_id]))
                continue
            with contextlib.suppress(ServiceError):
                match = await self.get(match_id)
                found.append(match.message())
                if match.is_finished and match_id in unread:
                    new.append(match)
        await self._summarize(new)
        return found, token

    async def _summarize(self, matches: Iterable[Match]) -> None:
        """Store what lists tell of finished matches that nobody is at; others are left out."""
        quiet = [match for match in matches if not (match.audience.watchers or match.audience.bots)]
        summaries = [
            Summary(match.match_id, match.ledger.length, match.message().SerializeToString()) for match in quiet
        ]
        if summaries:
            with contextlib.suppress(StoreError):  # lists go on without
                await self._store.summarize(VERSION, summaries)

    async def _keep_summaries(self) -> None:
        await asyncio.sleep(SUMMARIZE_SECONDS)
        while True:
            with contextlib.suppress(StoreError):  # it is tried again
                await self.summarize_all()
            await asyncio.sleep(DAY_SECONDS)

    async def summarize_all(self) -> None:
        """Store what lists tell of all finished matches, the newest first, in a part of the time. Raises StoreError."""
        count, after = 0, None
        while entries := await self._store.unsummarized(VERSION, SUMMARIZED_AT_ONCE, after):
            begin = time.monotonic()
            for entry in entries:
                with contextlib.suppress(ServiceError):  # it is logged
                    await self._summarize([self._matches.get(entry.match_id) or await self._read(entry.match_id)])
            count += len(entries)
            after = entries[-1].created, entries[-1].match_id
            if count % SUMMARIES_LOGGED == 0:
                _log.info("finished matches summarized", count=count)
            await asyncio.sleep(SUMMARY_PAUSES * (time.monotonic() - begin))
        if count:
            _log.info("finished matches summarized", count=count)

    async def entries(self, size: int, page_token: str, status: str | None) -> tuple[list[MatchEntry], str]:
        """Return a page of entries of matches, without reading the matches."""
        most = min(size, PAGE_SIZE) if size else PAGE_SIZE
        with storing():
            entries = await self._store.entries(most + 1, after(page_token), status)
        more = len(entries) > most
        return entries[:most], next_token(entries[most - 1]) if more else ""

    def seat_of(self, match: Match, token: str) -> Seat:
        """Return the seat of a token. Raises ServiceError."""
        seat = match.ledger.seat_of(token)
        self.check_lasts(match)
        return seat

    def check_lasts(self, match: Match) -> None:
        """Raises ServiceError if tokens of a match have expired, some days after its end."""
        days = self.limits.seat_token_days
        if match.is_finished and match.ledger.played_time < time.time() - days * DAY_SECONDS:
            raise ServiceError("BAD_TOKEN", "EXPIRED", days=days)

    def find(self, match_id: str) -> Match | None:
        """Return a match if it is known, awake or asleep."""
        return self._matches.get(match_id)

    def has(self, match_id: str) -> bool:
        """Return whether there is a match, unless it was over when the server started."""
        return match_id in self._matches or match_id in self._unread

    async def end_except(self, match_ids: Collection[str], reason: str) -> None:
        """End all open and running matches but these."""
        live = [*self._unread, *(match.match_id for match in self.known() if not match.is_finished)]
        for match_id in live:
            if match_id not in match_ids:
                with contextlib.suppress(ServiceError):  # it is over meanwhile, or cannot be read, which is logged
                    await consensus.end(await self.get(match_id), reason)

    def check_not_draining(self) -> None:
        """Raises ServiceError if the server drains, or its database is damaged."""
        if self.is_damaged:
            raise ServiceError("DATABASE_DAMAGED")
        if self.draining:
            raise ServiceError("DRAINING")

    def known(self) -> list[Match]:
        """Return open and running matches, awake or asleep, and finished ones that were used lately."""
        return list(self._matches.values())

    async def close(self) -> None:
        """Complete commands that have begun and end all streams; none begins any more."""
        self._is_closed = True
        for chore in self._chores:
            chore.cancel()
        matches = self.known()
        for match in matches:
            match.close()
        for match in matches:
            await match.queue.settle()


def _of_host(match: Match, token: str) -> Match:
    """Return the match. Raises ServiceError if another host's request led to the same id: 1 in 10^12."""
    if not tokens.fits(token, match.ledger.setup.host_hash):
        raise ServiceError("BAD_REQUEST_ID", "OTHER_MATCH")
    return match


def check_host(match: Match, token: str) -> None:
    """Raises ServiceError unless the token is that of the match's host."""
    if not tokens.fits(token, match.ledger.setup.host_hash):
        raise ServiceError("NOT_THE_HOST")


def next_token(last: MatchEntry) -> str:
    """Return the token of the page after the one that ends with a match."""
    return f"{last.created!r}~{last.match_id}"


def after(page_token: str) -> tuple[float, str] | None:
    """Return the age and id that a page follows; None for the first. Raises ServiceError."""
    if not page_token:
        return None
    created, _, match_id = page_token.partition("~")
    try:
        return float(created), match_id
    except ValueError:
        raise ServiceError("BAD_PAGE_TOKEN") from None

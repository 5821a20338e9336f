"""All matches of a server: made, found, listed; taken from the store when they are asked for."""

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Final, final

import structlog

from vinci.v1 import lobby_pb2 as pb

from . import tokens
from .errors import ServiceError
from .ledger import first_row
from .match import Match
from .setup import from_request
from .store import Store, StoreError

PAGE_SIZE: Final = 50
QUIET_SECONDS: Final = 60.0
"""A match in which nothing has happened for so long may sleep."""
QUIET_AWAKE: Final = 200
"""Quiet matches that stay awake: those asked for last, so that a list does not read them all each time."""
REST_SECONDS: Final = 1.0
DAY_SECONDS: Final = 86_400.0

_log = structlog.get_logger()


@final
class Lobby:
    """The matches. Those that are open or running are known, awake or asleep; others are loaded for whoever asks."""

    def __init__(self, store: Store) -> None:
        self._store: Final = store
        self._matches: Final[dict[str, Match]] = {}
        self._making: Final[set[asyncio.Task[tuple[Match, str]]]] = set()
        self._chores: Final[list[asyncio.Task[None]]] = []
        self.on_turn: Callable[[Match], None] = lambda _match: None

    async def wake(self, archive_days: float) -> None:
        """Let every match that runs or is open go on, one after the other: after a start of the server.

        Matches that have been over for so many days are archived, now and once a day; 0 for never.
        """
        for status in ("running", "open"):
            for entry in await self._store.entries(status=status):
                with contextlib.suppress(ServiceError):  # it is in the log, and no reason to stop the others
                    match = await self.get(entry.match_id)
                    await match.resume()
                    if match.is_idle():
                        match.sleep()
        _log.info("matches loaded", count=len(self._matches))
        self._chores.append(asyncio.create_task(self._rest()))
        if archive_days:
            self._chores.append(asyncio.create_task(self._archive(archive_days * DAY_SECONDS)))

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

    def rest(self, seconds: float = QUIET_SECONDS, awake: int = QUIET_AWAKE) -> None:
        """Put matches to sleep that have been quiet for so long, but for so many that were asked for last."""
        latest = time.monotonic() - seconds
        quiet = [match for match in self._matches.values() if match.is_awake and match.is_idle()]
        quiet = [match for match in quiet if match.changed <= latest]
        for match in quiet[: max(len(quiet) - awake, 0)]:
            match.sleep()
            if match.status == "over" and not match.is_watched:
                del self._matches[match.match_id]

    async def create(self, request: pb.CreateMatchRequest) -> tuple[Match, str]:
        """A new match and its host token. Raises ServiceError for a setup that cannot be."""
        making = asyncio.create_task(self._create(request))
        self._making.add(making)
        making.add_done_callback(self._making.discard)
        return await asyncio.shield(making)

    async def _create(self, request: pb.CreateMatchRequest) -> tuple[Match, str]:
        match_id = tokens.new_match_id()
        token = tokens.new_token(match_id)
        setup = from_request(request, tokens.digest(token))
        try:
            await self._store.create(match_id, first_row(setup))
        except StoreError as error:
            raise ServiceError("STORE_FAILED", f"the match was not made: {error}") from None
        _log.info("match created", match=match_id, board=setup.board, edition=setup.edition)
        match = await self.get(match_id)
        await match.resume()
        return match, token

    async def get(self, match_id: str) -> Match:
        """The match with this id. Raises ServiceError if there is none."""
        match = self._matches.pop(match_id, None)
        if match is None:
            match = Match(match_id, self._store, self._turn)
            await match.wake()
            match = self._matches.pop(match_id, match)  # perhaps somebody else was faster
        self._matches[match_id] = match  # the one asked for last goes last
        await match.wake()
        return match

    async def page(self, size: int, page_token: str, status: str | None) -> tuple[list[Match], str]:
        """A page of all matches, the newest first, and the token of the next page."""
        most = min(size, PAGE_SIZE) if size else PAGE_SIZE
        try:
            entries = await self._store.entries(most + 1, _after(page_token), status)
        except StoreError as error:
            raise ServiceError("STORE_FAILED", f"the list cannot be read: {error}") from None
        matches = []
        for entry in entries[:most]:
            with contextlib.suppress(ServiceError):
                matches.append(await self.get(entry.match_id))
        more = len(entries) > most
        return matches, f"{entries[most - 1].created!r}~{entries[most - 1].match_id}" if more else ""

    def known(self) -> list[Match]:
        """The matches that are open or running, awake or asleep, and those that are over and were asked for last."""
        return list(self._matches.values())

    async def close(self) -> None:
        """End what is begun and all streams."""
        for chore in self._chores:
            chore.cancel()
        for match in self.known():
            match.close()
        for match in self.known():
            await match.settle()

    def _turn(self, match: Match) -> None:
        self.on_turn(match)


def check_host(match: Match, token: str) -> None:
    """Raises ServiceError unless the token is that of the match's host."""
    if not tokens.fits(token, match.ledger.setup.host_hash):
        raise ServiceError("NOT_THE_HOST", "only the host of the match may do that; its token came with CreateMatch")


def _after(page_token: str) -> tuple[float, str] | None:
    if not page_token:
        return None
    created, _, match_id = page_token.partition("~")
    try:
        return float(created), match_id
    except ValueError:
        raise ServiceError("BAD_PAGE_TOKEN", "page_token must be the next_page_token of the page before") from None

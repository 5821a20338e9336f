"""All matches of a server: made, found, listed; taken from the store when they are asked for."""

import asyncio
import contextlib
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
FINISHED_IN_MEMORY: Final = 200
"""Matches that are over and were asked for last, so that a list does not replay them each time."""

_log = structlog.get_logger()


@final
class Lobby:
    """The matches. Those that are open or running stay in memory; others are loaded for whoever asks."""

    def __init__(self, store: Store) -> None:
        self._store: Final = store
        self._matches: Final[dict[str, Match]] = {}
        self._finished: Final[dict[str, Match]] = {}
        self._making: Final[set[asyncio.Task[tuple[Match, str]]]] = set()
        self._loading: Final = asyncio.Lock()
        self.on_turn: Callable[[Match], None] = lambda _match: None

    async def wake(self) -> None:
        """Load every match that runs or is open, and let them go on: after a start of the server."""
        for status in ("running", "open"):
            for entry in await self._store.entries(status=status):
                with contextlib.suppress(ServiceError):  # it is in the log, and no reason to stop the others
                    match = await self.get(entry.match_id)
                    match.go_on()
                    await match.start_if_full()
        _log.info("matches loaded", count=len(self._matches))

    @property
    def live(self) -> int:
        """How many matches are open, running or being made."""
        return len(self._matches) + len(self._making)

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
        row = first_row(setup)
        try:
            await self._store.create(match_id, row)
        except StoreError as error:
            raise ServiceError("STORE_FAILED", f"the match was not made: {error}") from None
        match = self._matches[match_id] = Match(match_id, [row], self._store, self._turn)
        _log.info("match created", match=match_id, board=setup.board, edition=setup.edition)
        match.go_on()
        await match.start_if_full()
        return match, token

    async def get(self, match_id: str) -> Match:
        """The match with this id. Raises ServiceError if there is none."""
        if match_id in self._matches:
            return self._matches[match_id]
        async with self._loading:
            if match_id in self._matches:
                return self._matches[match_id]
            if match_id in self._finished:
                self._finished[match_id] = self._finished.pop(match_id)  # the one asked for last goes last
                return self._finished[match_id]
            rows = await self._store.rows(match_id)
            if not rows:
                raise ServiceError("UNKNOWN_MATCH", f"there is no match {match_id!r}")
            try:
                match = Match(match_id, rows, self._store, self._turn)
            except Exception as error:
                _log.error("match cannot be read", match=match_id, exc_info=error)
                raise ServiceError("INTERNAL", f"match {match_id} cannot be read; the server's log has more") from None
            if match.ledger.status != "over":
                self._matches[match_id] = match
            else:
                self._keep_finished(match)
            return match

    async def page(self, size: int, page_token: str, status: str | None) -> tuple[list[Match], str]:
        """A page of all matches, the newest first, and the token of the next page."""
        most = min(size, PAGE_SIZE) if size else PAGE_SIZE
        entries = await self._store.entries(most + 1, _after(page_token), status)
        matches = []
        for entry in entries[:most]:
            with contextlib.suppress(ServiceError):
                matches.append(await self.get(entry.match_id))
        more = len(entries) > most
        return matches, f"{entries[most - 1].created!r}~{entries[most - 1].match_id}" if more else ""

    def active(self) -> list[Match]:
        """The matches that are open or running, as far as they are in memory."""
        return list(self._matches.values())

    async def close(self) -> None:
        """End what is begun and all streams."""
        for match in self.active():
            match.close()
        for match in self.active():
            await match.settle()

    def _turn(self, match: Match) -> None:
        self.on_turn(match)
        if match.ledger.status == "over" and match.match_id in self._matches:
            del self._matches[match.match_id]
            self._keep_finished(match)

    def _keep_finished(self, match: Match) -> None:
        self._finished[match.match_id] = match
        if len(self._finished) > FINISHED_IN_MEMORY:
            del self._finished[next(iter(self._finished))]


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

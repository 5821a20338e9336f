"""The list of players of a server, computed by a process beside it and kept until another game has finished."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import product
from sqlite3 import Connection
from typing import Any, Final, NamedTuple, TypeVar, final

import structlog

from vinci.v1 import lobby_pb2 as pb

from ..errors import ServiceError
from ..storage import results
from ..storage.database import storing
from ..storage.results import BOT, DUMMY, PERSON, StoredGame
from ..storage.store import Store
from .persons import Persons

RATER: Final = (sys.executable, "-P", "-m", "vinci_ratings")
ROWS_AT_ONCE: Final = 1000
"""Results that are read in one transaction: half a millisecond in which nothing else is stored."""
TELLS_NOTHING: Final = 800
"""Width from which the interval of a provisional rating tells nothing: odds of 10 to 1 to each side."""
PAGE_SIZE: Final = 50
MEETING_GAMES: Final = 1000
SHOWN_GAMES: Final = 50

T = TypeVar("T")
_log = structlog.get_logger()


class _State(NamedTuple):
    """The basis of a list: the last result, and the number of persons merged since the start."""

    last: int
    merged: int


@final
class Players:
    """Lists of players. If they are switched off, every call is refused."""

    def __init__(self, store: Store, persons: Persons, *, enabled: bool = True) -> None:
        self.enabled: Final = enabled
        self.store: Final = store
        self.persons: Final = persons
        self._known = _State(0, 0)
        self._rows: dict[str, list[Any]] = {}
        """Games, wins and rating, or none, of each player by its key, the best first."""
        self._computing: asyncio.Task[None] | None = None

    async def page(self, request: pb.ListPlayersRequest) -> pb.ListPlayersResponse:
        """Return a page of the list. Raises ServiceError."""
        is_old = await self._refresh()
        size = min(request.page_size or PAGE_SIZE, PAGE_SIZE)
        if not request.page_token.isascii() or not (request.page_token or "0").isdigit():
            raise ServiceError("BAD_PAGE_TOKEN")
        first = int(request.page_token[:9] or 0)
        rows = self._rows
        names = await self._names(rows)
        return pb.ListPlayersResponse(
            players=[
                _message(player, name, rows[player]) for player, name in list(names.items())[first : first + size]
            ],
            next_page_token=str(first + size) if first + size < len(names) else "",
            updating=is_old,
        )

    async def one(self, request: pb.GetPlayerRequest) -> pb.GetPlayerResponse:
        """Return all about a player. Raises ServiceError."""
        await self._refresh()
        rows = self._rows  # another list may replace it during each read
        listed = await self._names(rows)
        kinds = {pb.SEAT_KIND_HUMAN: [PERSON], pb.SEAT_KIND_BOT: [BOT]}.get(request.kind, [PERSON, BOT])
        own = next(
            (one for kind in kinds for one, name in listed.items() if name == request.name and one[0] == kind), None
        )
        if own is None:
            raise ServiceError("BAD_NAME", "NO_PLAYER", name=request.name)
        games = await self._read(lambda connection: results.games_of(connection, own, MEETING_GAMES))
        names = await self._names({seat.player: None for game in games for seat in game.seats})
        return pb.GetPlayerResponse(
            player=_message(own, listed[own], rows[own]),
            meetings=_meetings(own, games, names),
            games=[_game(own, game, names) for game in games[:SHOWN_GAMES]],
        )

    async def stop(self) -> None:
        """Stop computing."""
        if self._computing is not None:
            self._computing.cancel()
            await asyncio.wait([self._computing])

    async def _refresh(self) -> bool:
        """Compute the list if it is old, the first one before returning; returns whether it is old."""
        if not self.enabled:
            raise ServiceError("NO_RATINGS")
        state = _State(await self._read(results.latest), self.persons.merged)
        if state == self._known:
            return False
        if self._computing is None or self._computing.done():
            self._computing = asyncio.create_task(self._compute(state))
        if self._known == _State(0, 0):
            await asyncio.wait([self._computing])
        return state != self._known

    async def _compute(self, state: _State) -> None:
        try:
            self._rows = {player: row for player, *row in await self._rated(state.last)}
            self._known = state
        except (OSError, ValueError, ServiceError) as error:
            _log.error("players not rated", error=str(error))

    async def _rated(self, last: int) -> list[list[Any]]:
        """Return the list that a process computes of the results up to a row. Raises OSError or ValueError."""
        process = await asyncio.create_subprocess_exec(*RATER, stdin=PIPE, stdout=PIPE)
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            read = 0
            while read < last:
                rows = await self._read(partial(results.after, last=read, most=ROWS_AT_ONCE))
                read = rows[-1][0]
                process.stdin.write(json.dumps([row[1:] for row in rows if row[0] <= last]).encode() + b"\n")
                await process.stdin.drain()
            process.stdin.close()
            answer = await process.stdout.read()
            if await process.wait():
                raise ValueError(f"the process ended with status {process.returncode}")
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        listed: list[list[Any]] = await asyncio.to_thread(json.loads, answer)
        return listed

    async def _names(self, players: dict[str, Any]) -> dict[str, str]:
        """Return the names of those of some players, by their keys, who are listed, in the same order."""
        persons = [int(player[1:]) for player in players if player.startswith(PERSON)]
        known = await self._read(lambda connection: results.names(connection, json.dumps(persons)))
        names = {f"{PERSON}{person}": name for person, name in known.items()}
        names |= {player: player[1:] for player in players if player.startswith(BOT)}
        return {player: names[player] for player in players if player in names}

    async def _read(self, job: Callable[[Connection], T]) -> T:
        with storing():
            return await self.store.run(job)


def _message(player: str, name: str, row: list[Any]) -> pb.Player:
    games, wins, rating = row
    message = pb.Player(name=name, kind=_kind(player), games=games, wins=wins)
    if rating is not None:
        value, low, high, provisional = rating
        unknown = provisional and high - low > TELLS_NOTHING
        message.rating.CopyFrom(
            pb.PlayerRating(value=value, low=low, high=high, provisional=provisional, unknown=unknown)
        )
    return message


def _kind(player: str) -> "pb.SeatKind.ValueType":
    return {BOT: pb.SEAT_KIND_BOT, DUMMY: pb.SEAT_KIND_DUMMY}.get(player[0], pb.SEAT_KIND_HUMAN)


def _meetings(own: str, games: list[StoredGame], names: dict[str, str]) -> list[pb.PlayerMeeting]:
    """Return the results against each other player who is listed, and against dummies."""
    met: Counter[str] = Counter()
    ahead: Counter[str] = Counter()
    level: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    pairs_ahead: Counter[str] = Counter()
    pairs_level: Counter[str] = Counter()
    for game in games:
        best = {player: min(seat.rank for seat in game.seats if seat.player == player) for player, *_ in game.seats}
        for other in best.keys() - {own}:
            met[other] += 1
            ahead[other] += best[own] < best[other]
            level[other] += best[own] == best[other]
        for mine, seat in product(game.seats, game.seats):
            if mine.player == own != seat.player:
                pairs[seat.player] += 1
                pairs_ahead[seat.player] += mine.rank < seat.rank
                pairs_level[seat.player] += mine.rank == seat.rank
    return [
        pb.PlayerMeeting(
            name=names.get(other, ""),
            kind=_kind(other),
            games=number,
            ahead=ahead[other],
            level=level[other],
            pairs=pairs[other],
            pairs_ahead=pairs_ahead[other],
            pairs_level=pairs_level[other],
        )
        for other, number in sorted(met.items(), key=lambda item: (-item[1], item[0]))
        if other in names or other == DUMMY
    ]


def _game(own: str, game: StoredGame, names: dict[str, str]) -> pb.PlayedGame:
    seats = [
        pb.PlayedGameSeat(name=names.get(player, ""), kind=_kind(player), rank=rank, vp=vp, own=player == own)
        for player, rank, vp in game.seats
    ]
    return pb.PlayedGame(match_id=game.match_id, end_time=int(game.time), seats=seats)

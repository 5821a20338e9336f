"""The line client at a real server in this process, with prepared input and recorded output."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, final

from structlog.testing import capture_logs

from tests.support.server.in_process import within
from vinci.v1 import lobby_pb2, match_pb2, person_pb2
from vinci_cli.game.interface import SeatedMatch
from vinci_cli.game.loading import catalogue_of
from vinci_cli.line.client import LineClient
from vinci_cli.line.screen import Candidates, Screen
from vinci_cli.text.tables import Line, plain
from vinci_client.session import Session, new_person_key
from vinci_server.app import Server
from vinci_server.match.seats import consensus

HUMAN: Final = lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_HUMAN)


@final
class PreparedUi:
    """A screen whose person types what was prepared, then goes away if it `leaves`, else waits. It remembers all that it was told and shown.

    Attributes:
        lines: what was shown, styles included.
        asked: the prompt, the toolbar and the candidates, each time the person was asked.
        given_back: the lines that were given back to be changed.
    """

    def __init__(self, typed: Sequence[str] = (), *, leaves: bool = True) -> None:
        self._leaves: Final = leaves
        self._typed: Final = list(typed)
        self._woken: Final = asyncio.Event()
        self.lines: Final[list[Line]] = []
        self.asked: Final[list[tuple[str, str, Candidates]]] = []
        self.given_back: Final[list[str]] = []
        self.before_answer: Final[list[int]] = []

    @property
    def always_asks(self) -> bool:
        """From the first move on, so that what was prepared is typed whoever is to move."""
        return self._leaves and bool(self.asked)

    def show(self, lines: Iterable[Line | str]) -> None:
        """Record lines."""
        self.lines.extend([("", line)] if isinstance(line, str) else line for line in lines)

    async def ask(self, prompt: Callable[[], str], toolbar: Callable[[], str], candidates: Candidates) -> str | None:
        """Return the next prepared line."""
        self.asked.append((prompt(), toolbar(), candidates))
        self.before_answer.append(len(self.lines))
        if self._typed or self._leaves:
            return self._typed.pop(0) if self._typed else None
        self._woken.clear()
        await self._woken.wait()
        return ""

    def interrupt(self) -> None:
        """Wake a waiting prompt."""
        self._woken.set()

    def give_back(self, typed: str) -> None:
        """Remember what can be changed and typed again."""
        self.given_back.append(typed)

    def text(self) -> str:
        """Return all that was shown, without styles."""
        return "\n".join(plain(line) for line in self.lines)

    def answers(self) -> list[str]:
        """Return the output before the first typed line and after each of them."""
        places = [0, *self.before_answer]
        return ["\n".join(plain(line) for line in self.lines[a:b]) for a, b in itertools.pairwise(places)]


@final
class Table:
    """A match that started from a position, with a person at each seat without a dummy."""

    def __init__(self, server: Server, session: Session, match_id: str, seats: dict[int, str]) -> None:
        self._server: Final = server
        self.session: Final = session
        self.match_id: Final = match_id
        self.tokens: Final = seats

    async def client(self, screen: Screen, *, is_terse: bool = False, **options: Any) -> LineClient:
        """Return a line client of this match."""
        match = await self.session.get(self.match_id)
        table = SeatedMatch(self.session, match, await catalogue_of(self.session, match), {}, **options)
        return LineClient(table, screen, is_terse=is_terse)

    async def end(self, reason: str) -> None:
        """End the match before the game is over."""
        await consensus.end(await self._server.lobby.get(self.match_id), reason)

    async def sits(self, seat: int, *typed: str) -> PreparedUi:
        """Play a seat with typed lines, then leave; return the screen."""
        screen = PreparedUi(typed)
        client = await self.client(screen)
        await within(client.play({seat: self.tokens[seat]}))
        return screen

    async def position(self) -> str:
        """Return the current position."""
        async for response in self.session.watch(self.match_id, detail=match_pb2.WatchRequest(position=True)):
            if response.WhichOneof("kind") == "update":
                return response.update.position
        raise AssertionError("the match sent nothing")


@asynccontextmanager
async def table(
    folder: Path, position: str, names: Sequence[str] = (), advice_workers: int = 0, maker: str = "", **fields: Any
) -> AsyncIterator[Table]:
    """Start a table in this position on a server in this process, without log output on the screen.

    With `maker`, the person of this name makes it, and its session is that of the table; guests have the seats.
    """
    with capture_logs():
        async with _table(folder, position, names, advice_workers, maker, **fields) as result:
            yield result


@asynccontextmanager
async def _table(
    folder: Path, position: str, names: Sequence[str], advice_workers: int, maker: str, **fields: Any
) -> AsyncIterator[Table]:
    server = await Server.start("127.0.0.1", 0, folder / "table.db", advice_workers=advice_workers)
    try:
        address, key = f"127.0.0.1:{server.port}", new_person_key() if maker else ""
        async with Session(address) as session, Session(address, person_key=key) as host:
            if maker:
                await host.call(host.person.UpdatePerson, person_pb2.UpdatePersonRequest(name=maker), as_person=True)
            request = lobby_pb2.CreateMatchRequest(position=position, seed="screen", start_when_full=True, **fields)
            match = (await host.create(request)).match
            seats = {}
            for seat in match.seats:
                if seat.kind == lobby_pb2.SEAT_KIND_HUMAN:
                    name = names[seat.seat - 1] if names else ""
                    seats[seat.seat] = (await session.join(match.match_id, name, seat.seat)).seat_token
            yield Table(server, host, match.match_id, seats)
    finally:
        await server.stop()

"""The seat of an agent: the line client, whose screen is the answers of tools."""

import asyncio
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Final, final

from vinci.v1 import game_pb2

from ..game.client_match import ClientMatch, Ending
from ..game.interface import SeatedMatch
from ..line.client import LineClient
from ..line.screen import Candidates
from ..text.tables import Line, plain

KEPT: Final = 200
"""Lines of what was told that are kept."""
LONGEST: Final = 20_000
"""Characters of an answer; what is older is left out."""


@final
class AgentScreen:
    """Takes lines from tools, and keeps what is shown until a tool asks for it."""

    always_asks = True

    def __init__(self) -> None:
        self._lines: Final[list[str]] = []
        self.log: Final = deque[str](maxlen=KEPT)
        """Lines told so far, the latest last."""
        self._typed: asyncio.Queue[str] = asyncio.Queue()
        self.asks: Final = asyncio.Event()
        """Set while the client waits for a line, so that everything typed before is done."""
        self.news: Final = asyncio.Event()
        """Set when something was shown."""

    def show(self, lines: Iterable[Line | str]) -> None:
        """Keep lines."""
        self._lines.extend((line if isinstance(line, str) else plain(line)).rstrip() for line in lines)
        self.news.set()

    async def ask(self, prompt: Callable[[], str], toolbar: Callable[[], str], candidates: Candidates) -> str | None:
        """Return the next line that a tool types."""
        self.asks.set()
        text = await self._typed.get()
        self.asks.clear()
        return text

    def interrupt(self) -> None:
        """Return an empty line, so that the client looks at what is new."""
        self.type("")

    def give_back(self, typed: str) -> None:
        """Do nothing: the agent has it still."""

    def type(self, text: str) -> None:
        """Give the client a line."""
        self.asks.clear()
        self._typed.put_nowait(text)

    def taken(self) -> str:
        """Return what was shown since the last call."""
        text = "\n".join(self._lines)
        self.log.extend(self._lines)
        self._lines.clear()
        self.news.clear()
        return text if len(text) <= LONGEST else f"(earlier lines are left out)\n{text[-LONGEST:]}"


@final
class AgentSeat:
    """A seat at a table, played by tools, or a look at it."""

    def __init__(self, table: SeatedMatch) -> None:
        self._screen: Final = AgentScreen()
        self._client: Final = LineClient(table, self._screen)
        self.table: Final = table
        self._playing: Final[asyncio.Task[Ending]] = asyncio.create_task(self._client.play(table.seats))

    @property
    def is_over(self) -> bool:
        """Whether the game, or the agent's part in it, is over."""
        return self._playing.done()

    @property
    def is_asked(self) -> bool:
        """Whether the agent has something to decide."""
        return not self.is_over and self._client.is_asked

    @property
    def is_refused(self) -> bool:
        """Whether what was typed last was refused."""
        return self._client.refused

    @property
    def revision(self) -> int:
        """The revision that was told last; an action that is played makes another one."""
        return self._client.revision

    @property
    def log(self) -> str:
        """Text told so far, as far as it is kept."""
        return "\n".join(self._screen.log)

    def legal(self, refused: str = "") -> str:
        """Return the legal actions as they are written, one a line, each with what it costs.

        Beside a refused action, only those of its kind, if there are any.
        """
        lines = [*_legal(self._client.game)] if self.is_asked else []
        kind, *_ = refused.casefold().split() or [""]
        return "\n".join([line for line in lines if re.split(r"\W", line)[0] == kind] or lines)

    async def type(self, text: str) -> str:
        """Type a line as at a terminal; return what is shown until the next one can be typed."""
        if not self.is_over:
            await self._until(self._screen.asks)
            self._screen.type(text)
            await self._until(self._screen.asks)
            if self._client.game.is_over():  # then the client ends by itself
                await asyncio.wait([self._playing])
        return self._told()

    async def wait(self, seconds: float) -> str:
        """Wait until the agent has something to decide, the game is over, or some seconds; return what happened."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not (self.is_asked or self.is_over):
                    self._screen.news.clear()
                    await self._until(self._screen.news)
        return self._told()

    async def leave(self) -> None:
        """Leave the table; the seat is kept."""
        self._playing.cancel()
        await asyncio.wait([self._playing])

    async def _until(self, event: asyncio.Event) -> None:
        """Wait for an event, or the end of the game."""
        waiting = asyncio.create_task(event.wait())
        await asyncio.wait([waiting, self._playing], return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()

    def _told(self) -> str:
        said = self._screen.taken()
        if not self.is_over:
            return said or "Nothing new."
        how = "The table was left." if self._playing.cancelled() else _ended(self._playing)
        return f"{said}\n{how}".strip()


def _legal(game: ClientMatch) -> Iterator[str]:
    """Yield the legal actions with their costs; of placements the suggested one, with what else is possible."""
    legal, names, market = game.legal, game.names, game.state.market if game.state else ()
    for number in legal.take:
        slot = market[number - 1]
        lies = f", {2 * slot.markers} VP lie on it" if slot.markers else ""
        yield f"take {number}: {names.civilization(slot.traits)}, {slot.pawns} pawns, {slot.price} VP{lies}"
    for code, cost, worth in zip(legal.conquer, legal.cost, legal.worth, strict=True):
        yield f"x {code}: {names.province(code)}, {cost} pawns, {worth:+d} VP"
    yield from (f"x {code} spy: {names.province(code)}, 2 pawns" for code in legal.conquer_by_spies)
    yield from (f"abandon {code}: {names.province(code)}" for code in legal.abandon)
    yield from (f"peace {seat}: {names.seat(seat)}" for seat in legal.peace)
    yield from (word for word in ("decline", "stay") if getattr(legal, word))
    if legal.HasField("hold"):
        others = "; or ".join(
            f"{part.least} to {part.most} pawns in {', '.join(part.provinces)}" for part in legal.hold.parts
        )
        forts = f", and fort PROVINCE for {legal.hold.forts} of these" if legal.hold.forts else ""
        yield f"hold {_placed(legal.hold.suggestion)}: as suggested; possible are {others or 'no provinces'}{forts}"
    if legal.HasField("redeploy"):
        way = legal.redeploy
        yield f"redeploy {_placed(way.suggestion)}: as suggested; {way.pawns} pawns in {', '.join(way.provinces)}"


def _placed(way: game_pb2.Hold | game_pb2.Redeploy) -> str:
    return " ".join(f"{code}={pawns}" for code, pawns in zip(way.provinces, way.pawns, strict=True))


def _ended(playing: "asyncio.Task[Ending]") -> str:
    if error := playing.exception():
        return f"The connection has ended: {error}"
    return {
        "over": "The game is over.",
        "ended": "The match was ended before the game was over.",
        "left": "You have left the table; the seat is kept.",
        "lost": "The seat is played elsewhere now.",
    }[playing.result()]

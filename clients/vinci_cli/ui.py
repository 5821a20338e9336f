"""How a terminal shows a match: in full screen, or told by lines for pipes, screen readers and tiny windows."""

import os
import shutil
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, final

from vinci.v1 import lobby_pb2
from vinci_client.session import Session

from .full import LEAST_COLUMNS, LEAST_ROWS
from .game.client_match import Ending
from .line.client import LineClient
from .line.terminal import PlainScreen, Screen, TerminalScreen, sentence
from .text import mistakes, timing
from .text.i18n import _
from .text.names import Catalogue

if TYPE_CHECKING:  # it takes its time
    from .full.ui import FullScreenInterface


@dataclass(frozen=True, slots=True)
class SeatedMatch:
    """A match for the people at this terminal, as seats with their tokens; without any they look on.

    `invitation` is the command with which other terminals join the server, empty if none can; `own_name` is that of a
    spectator. `from_revision` is the first one to show, the latest if it is None.
    """

    session: Session
    match: lobby_pb2.Match
    names: Catalogue
    seats: dict[int, str]
    invitation: str = ""
    own_name: str = ""
    from_revision: int | None = None


class UserInterface(Protocol):
    """What people at a terminal have before them."""

    def tell(self, text: str) -> None:
        """Tell a sentence, at the latest when the face is gone."""

    async def agrees(self, question: str) -> bool:
        """Whether a person says yes; so do Enter and the end of input."""

    async def play(self, table: SeatedMatch) -> Ending:
        """Play, or look on, until the game ends or nobody is here any more. Seats that are lost leave the table."""

    async def wants_rematch(self, table: SeatedMatch, record: Path | None, verdict: str, *, possible: bool) -> bool:
        """Show a game that ended, with its record if there is one; returns whether another game is wanted.

        `verdict` is the result of the check of its seed; empty if there is none.
        """


def has_terminal() -> bool:
    """Whether a person can be asked, and sees the answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def fills_screen(*, line: bool = False) -> bool:
    """Whether this terminal can show full screens, unless it is to be lines."""
    size = shutil.get_terminal_size()
    large = size.columns >= LEAST_COLUMNS and size.lines >= LEAST_ROWS
    return not line and has_terminal() and large and os.environ.get("TERM") != "dumb"


@asynccontextmanager
async def opened(*, line: bool = False) -> AsyncIterator[UserInterface]:
    """The face that fits this terminal, as long as it is entered."""
    if not fills_screen(line=line):
        yield LineInterface(TerminalScreen() if has_terminal() else PlainScreen())
        return
    async with filled() as face:
        yield face


@asynccontextmanager
async def filled() -> AsyncIterator["FullScreenInterface"]:
    """A full screen, as long as it is entered; what it has to tell is written when it is gone."""
    from .full.toolkit.job_control import as_job
    from .full.ui import opened as full

    told: Sequence[str] = ()
    try:
        async with full() as face:
            told = face.told
            with as_job(face.app):
                yield face
    finally:
        for text in told:
            LineInterface(TerminalScreen()).tell(text)


@final
class LineInterface:
    """A game told in words and played by typing."""

    def __init__(self, talk: Screen) -> None:
        self._talk: Final = talk

    def tell(self, text: str) -> None:
        """Write a sentence, unbroken: there may be a path in it."""
        self._talk.show([text])

    async def agrees(self, question: str) -> bool:
        """Ask until it is yes or no."""
        while True:
            answer = await self._talk.ask(
                lambda: f"{question} [Y/n] ", lambda: "", lambda _typed: [("y", ""), ("n", "")]
            )
            word = (answer or "").strip().lower()
            if word in ("", "y", "yes", "n", "no"):
                return word not in ("n", "no")

    async def play(self, table: SeatedMatch) -> Ending:
        """Tell the game, and play what is typed."""
        client = LineClient(
            table.session,
            table.match,
            table.names,
            self._talk,
            invitation=table.invitation,
            own_name=table.own_name,
        )
        if not table.seats and not self._talk.always_asks:
            await client.watch(table.from_revision)
            return "over"
        self._welcome(table)
        ending = await client.play(table.seats, table.from_revision)
        if table.seats:
            table.seats.clear()
            table.seats.update(client.seats)
        return ending

    def _welcome(self, table: SeatedMatch) -> None:
        if not table.seats:
            self.tell(_("You look on. Type help for what can be typed."))
            return
        numbers = _(" and ").join(map(str, table.seats))
        told = (
            _("Match {match}, seat {seat}. Type help for what can be typed.")
            if len(table.seats) == 1
            else _("Match {match}, seats {seat}. Type help for what can be typed.")
        )
        self.tell(told.format(match=table.match.match_id, seat=numbers))
        for line in [*timing.in_words(table.match.timing), *mistakes.in_words(table.match.mistakes)]:
            self._talk.show(sentence(line))

    async def wants_rematch(self, table: SeatedMatch, record: Path | None, verdict: str, *, possible: bool) -> bool:
        """Ask, if there is a person, or a program that plays with people."""
        people = sum(seat.kind == lobby_pb2.SEAT_KIND_HUMAN for seat in table.match.seats)
        if not possible or not (self._talk.always_asks or people > 1):
            return False
        question = _("Another game with the same players? Type rematch, or Enter to leave: ")
        answer = await self._talk.ask(lambda: question, lambda: "", lambda _typed: [("rematch", _("another game"))])
        return answer is not None and answer.strip().lower() in ("rematch", "r", "yes", "y")

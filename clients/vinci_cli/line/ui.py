"""The line client as the interface of the people at one terminal."""

from pathlib import Path
from typing import Final, final

from vinci.v1 import lobby_pb2

from ..game.client_match import Ending
from ..game.interface import SeatedMatch
from ..text import timing
from ..text.i18n import _
from .client import LineClient
from .screen import Screen, sentence


@final
class LineInterface:
    """Shows a match as lines of text, for pipes, screen readers and small windows."""

    def __init__(self, screen: Screen) -> None:
        self._screen: Final = screen

    def tell(self, text: str) -> None:
        """Write a sentence without breaking it: it may contain a path."""
        self._screen.show([text])

    async def agrees(self, question: str) -> bool:
        """Ask until the answer is yes or no."""
        while True:
            answer = await self._screen.ask(
                lambda: f"{question} [Y/n] ", lambda: "", lambda _typed: [("y", ""), ("n", "")]
            )
            word = (answer or "").strip().lower()
            if word in ("", "y", "yes", "n", "no"):
                return word not in ("n", "no")

    async def play(self, table: SeatedMatch) -> Ending:
        """Print the game, and carry out what is typed."""
        client = LineClient(table, self._screen)
        if not table.seats and not self._screen.always_asks:
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
        text = (
            _("Match {match}, seat {seat}. Type help for what can be typed.")
            if len(table.seats) == 1
            else _("Match {match}, seats {seat}. Type help for what can be typed.")
        )
        self.tell(text.format(match=table.match.match_id, seat=numbers))
        for line in [*timing.in_words(table.match.timing), *timing.mistakes_in_words(table.match.mistakes)]:
            self._screen.show(sentence(line))
        if table.match.no_advice:
            self.tell(_("No suggestions in this match."))

    async def wants_rematch(self, table: SeatedMatch, record: Path | None, verdict: str, *, possible: bool) -> bool:
        """Ask, unless a program plays alone through a pipe."""
        people = sum(seat.kind == lobby_pb2.SEAT_KIND_HUMAN for seat in table.match.seats)
        if not possible or not (self._screen.always_asks or people > 1):
            return False
        question = _("Another game with the same players? Type rematch, or Enter to leave: ")
        answer = await self._screen.ask(lambda: question, lambda: "", lambda _typed: [("rematch", _("another game"))])
        return answer is not None and answer.strip().lower() in ("rematch", "r", "yes", "y")

"""The line client as the interface of the people at one terminal."""

from functools import partial
from pathlib import Path
from typing import Final, final

from vinci.v1 import lobby_pb2

from ..connection.seating import telling_rematch
from ..game.client_match import Ending
from ..game.interface import SeatedMatch
from ..review import pages
from ..review.process import told
from ..text import timing
from ..text.i18n import N_, _
from .client import LineClient
from .screen import Screen, sentence

LEAVING: Final = ("leave", "quit", "q", "exit", "no", "n")
_QUESTIONS: Final = {
    "rematch": N_("Another game with the same players? Type rematch, or Enter to leave: "),
    "rematch review": N_("Another game with the same players? Type rematch, review for a review, or Enter to leave: "),
    "review": N_("Type review for a review of the game, or Enter to leave: "),
}
"""Questions after a game, by the words that can be typed."""


@final
class LineInterface:
    """Shows a match as lines of text, for pipes, screen readers and small windows; a terse one shows fewer."""

    def __init__(self, screen: Screen, *, is_terse: bool = False) -> None:
        self._screen: Final = screen
        self._is_terse: Final = is_terse

    def tell(self, text: str) -> None:
        """Write a sentence without breaking it: it may contain a path."""
        self._screen.show([text])

    async def agrees(self, question: str) -> bool:
        """Ask until the answer is yes or no. A pipe says yes: its lines are for the game."""
        if not self._screen.always_asks:
            self.tell(_("{question} Yes: without a terminal nobody is asked.").format(question=question))
            return True
        while True:
            answer = await self._screen.ask(
                lambda: f"{question} [Y/n] ", lambda: "", lambda _typed: [("y", ""), ("n", "")]
            )
            word = (answer or "").strip().lower()
            if word in ("", "y", "yes", "n", "no"):
                return word not in ("n", "no")

    async def name(self, reason: str, usual: str) -> str:
        """Ask for a name; a pipe gives the usual one."""
        self.tell(reason)
        if not self._screen.always_asks:
            return usual
        question = _("Your name at the table [{usual}]: ").format(usual=usual)
        return (await self._screen.ask(lambda: question, lambda: "", lambda _typed: ()) or "").strip() or usual

    async def play(self, table: SeatedMatch) -> Ending:
        """Print the game, and carry out what is typed."""
        client = LineClient(table, self._screen, is_terse=self._is_terse)
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
        if self._is_terse:
            return
        for line in [*timing.in_words(table.match.timing), *timing.mistakes_in_words(table.match.mistakes)]:
            self._screen.show(sentence(line))
        if table.match.no_advice:
            self.tell(_("No suggestions in this match."))

    async def wants_rematch(self, table: SeatedMatch, record: Path | None, verdict: str, *, possible: bool) -> bool:
        """Ask, unless a program plays alone through a pipe; a review is offered to people."""
        people = sum(seat.kind == lobby_pb2.SEAT_KIND_HUMAN for seat in table.match.seats)
        words = {"rematch": _("another game")} if possible and (self._screen.always_asks or people > 1) else {}
        if record is not None and self._screen.always_asks:
            words["review"] = _("which turns lost VP")
        if "rematch" not in words:
            return await self._asked(words, table, record)
        async with telling_rematch(table.session, table.match.match_id, self.tell):
            return await self._asked(words, table, record)

    async def _asked(self, words: dict[str, str], table: SeatedMatch, record: Path | None) -> bool:
        """Ask until one of the words or nothing is typed; returns whether another game is wanted."""
        while words:
            question = partial(_, _QUESTIONS[" ".join(words)])
            answer = await self._screen.ask(question, lambda: "", lambda _typed: list(words.items()))
            typed = (answer or "").strip().lower()
            if "rematch" in words and typed in ("rematch", "r", "yes", "y"):
                return True
            if record is not None and "review" in words and typed == "review":
                await self._review(record, table)
                del words["review"]
            elif typed in ("", *LEAVING):
                break
            else:
                self.tell(_("{word!r} is not one of the words.").format(word=typed))
        return False

    async def _review(self, record: Path, table: SeatedMatch) -> None:
        """Print a review, which takes a while."""
        found = await told(record, self.tell, most=4)
        if found is not None:
            self._screen.show(pages.report(found, table.names))

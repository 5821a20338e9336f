"""The tutorial at the table: a box that tells the step, with the table as it always is around it."""

from collections.abc import Callable, Sequence
from typing import Final, final

from vinci.v1 import game_pb2

from ...game.client_match import ClientMatch
from ...text.i18n import _, plural
from ...text.tables import Line
from .. import LEAST_COLUMNS, LEAST_ROWS
from ..table.ui_state import UiState
from ..toolkit.block import Block, Hit, framed, over, width, wrapped
from .steps import Tutor, words_of

WIDEST: Final = 76
WIDE: Final = 120
"""From so many columns on the box lies at the left, else in the middle."""
ABOVE: Final = 2
BELOW: Final = 4
"""Rows that the box leaves free: scores above it; the preview and the keys below it."""
GO_ON: Final = "key  "
"""A click that is the space bar."""


@final
class Lesson:
    """Tells the steps of a tutor to whoever plays a game; `leave` ends it after the last one.

    Attributes:
        over: the last step was read.
    """

    def __init__(self, tutor: Tutor, game: ClientMatch, ui: UiState, leave: Callable[[], None]) -> None:
        self.over = False
        self._folded = False
        self._tutor: Final = tutor
        self._game: Final = game
        self._ui: Final = ui
        self._leave: Final = leave

    def take(self, update: game_pb2.Update) -> None:
        """An update is shown."""
        before = self._tutor.number
        self._tutor.take(update)
        self._look_there()
        self._folded = self._folded and self._tutor.number == before

    def objection(self, actions: Sequence[game_pb2.Action]) -> str:
        """Why these actions do not belong here; empty if they do."""
        found = next(filter(None, (self._tutor.objection(words_of(action)) for action in actions)), "")
        self._folded = self._folded and not found
        return found

    def press(self, key: str) -> bool:
        """Read on, or fold the box; whether the key was for that."""
        if key != " " or not self._game.my_move():
            return False  # what others do is shown all at once
        if self._tutor.step.wants:
            self._folded = not self._folded
        elif self._tutor.read_on():
            self._look_there()
        else:
            self.over = True
            self._leave()
        return True

    def _look_there(self) -> None:
        step = self._tutor.step
        if self._game.my_move() and self._ui.plan is None:
            self._ui.tab = step.tab or self._ui.tab
            self._ui.province = step.province or self._ui.province

    def drawn_over(self, page: Block) -> Block:
        """The page with the step in a box: over the north of the map, or below the first civilizations.

        A window that is too small says nothing but that.
        """
        columns = width(page.lines[0])
        if columns < LEAST_COLUMNS or page.height < LEAST_ROWS:
            return page
        box = self._box(min(WIDEST, columns - 4))
        top = page.height - box.height - BELOW if self._ui.tab == "market" else ABOVE
        return over(page, box, max(top, 0), 0 if columns >= WIDE else (columns - width(box.lines[0])) // 2)

    def _box(self, columns: int) -> Block:
        tutor = self._tutor
        title = _("{step} of {steps}: {title}").format(step=tutor.number, steps=tutor.count, title=tutor.step.title)
        lines: list[Line] = [] if self._folded else wrapped(tutor.step.text, columns - 4)
        if tutor.step.times > 1:
            lines.append([("class:hint", plural("{n} more", "{n} more", tutor.missing))])
        lines.append([("class:key", _("space")), ("class:hint", f" {self._meaning_of_space()}")])
        hit = Hit(len(lines) - 1, 1, 1 + width(lines[-1]), GO_ON)
        return framed(Block([[("", " "), *line] for line in lines], [hit]), title, columns, len(lines) + 2)

    def _meaning_of_space(self) -> str:
        if self._tutor.step.wants:
            return _("shows this") if self._folded else _("hides this")
        return _("leaves") if self._tutor.number == self._tutor.count else _("goes on")

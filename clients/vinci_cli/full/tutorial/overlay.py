"""The tutorial at the table: a box with the current step over the usual screen."""

from collections.abc import Callable, Sequence
from typing import Final, final

from vinci_refusals.wording import Refused

from ...game.client_match import ClientMatch
from ...game.typed import Chosen, Leave
from ...text.i18n import _, plural
from ...text.tables import Line
from .. import LEAST_COLUMNS, LEAST_ROWS
from ..table.messages import Event, LookAt, Shown
from ..table.panes import market
from ..table.ui_state import UiState
from ..toolkit.block import Block, Hit, framed, over, width, wrapped
from .steps import SEAT, Tutor, words_of

WIDEST: Final = 76
WIDE: Final = 120
"""Columns from which on the box lies at the left; otherwise in the middle."""
ABOVE: Final = 2
BELOW: Final = 4
"""Rows that the box leaves free: the scores above, the preview and the keys below."""
GO_ON: Final = "key  "
"""Click target of the space bar."""


@final
class Lesson:
    """Shows the steps of a tutor at a table; `dispatch` takes what they change there.

    Attributes:
        over: the last step was read.
    """

    def __init__(self, tutor: Tutor, game: ClientMatch, dispatch: Callable[[Event], None]) -> None:
        self.over = False
        self._folded = False
        self._tutor: Final = tutor
        self._game: Final = game
        self._dispatch: Final = dispatch

    def take(self, event: Event) -> None:
        """Follow the game; a new step unfolds the box, and so do actions that do not fit the step: Refused."""
        match event:
            case Shown(update):
                before = self._tutor.number
                self._tutor.take(update)
                self._look_there()
                self._folded = self._folded and self._tutor.number == before
            case Chosen(actions):
                for hint in filter(None, (self._tutor.objection(words_of(action)) for action in actions)):
                    self._folded = False
                    raise Refused("", "", hint)

    def press(self, key: str) -> bool:
        """Use the space bar during an own move: go to the next step, or fold the box."""
        if key != " " or not self._game.my_move():
            return False  # the table shows all that waits
        if self._tutor.step.wants:
            self._folded = not self._folded
        elif self._tutor.read_on():
            self._look_there()
        else:
            self.over = True
            self._dispatch(Leave())
        return True

    def _look_there(self) -> None:
        self._dispatch(LookAt(self._tutor.step.tab, self._tutor.step.province))

    def drawn_over(self, page: Block, ui: UiState) -> Block:
        """The page with the step in a box: over the north of the map, or below the first civilizations.

        A window that is too small for the table has no box.
        """
        columns = width(page.lines[0])
        if columns < LEAST_COLUMNS or page.height < LEAST_ROWS:
            return page
        box = self._box(min(WIDEST, columns - 4))
        top = page.height - box.height - BELOW if ui.tab == market.PANE.name else ABOVE
        return over(page, box, max(top, 0), 0 if columns >= WIDE else (columns - width(box.lines[0])) // 2)

    def _box(self, columns: int) -> Block:
        tutor = self._tutor
        title = _("{step} of {steps}: {title}").format(step=tutor.number, steps=tutor.count, title=tutor.step.title)
        lines: list[Line] = [] if self._folded else wrapped(tutor.step.text, columns - 4)
        if tutor.step.times > 1:
            lines.append([("class:hint", plural("{n} more", "{n} more", tutor.missing))])
        if tutor.number == tutor.count and not self._folded:
            lines.append([("class:title", self._scores())])
        hits: list[Hit] = []
        if self._game.my_move():  # until then the table uses the key
            lines.append([("class:key", _("space")), ("class:hint", f" {self._meaning_of_space()}")])
            hits.append(Hit(len(lines) - 1, 1, 1 + width(lines[-1]), GO_ON))
        return framed(Block([[("", " "), *line] for line in lines], hits), title, columns, len(lines) + 2)

    def _scores(self) -> str:
        """The scores, and whether they are good."""
        if self._game.state is None:
            return ""
        return standing([seat.vp for seat in self._game.state.seats])

    def _meaning_of_space(self) -> str:
        if self._tutor.step.wants:
            return _("shows this") if self._folded else _("hides this")
        return _("ends the tutorial") if self._tutor.number == self._tutor.count else _("goes on")


def standing(vp: Sequence[int]) -> str:
    """Return the scores of all seats, and whether the pupil is ahead."""
    own = vp[SEAT - 1]
    others = sorted((n for place, n in enumerate(vp, 1) if place != SEAT), reverse=True)
    if own > others[0]:
        text = _("You are ahead with {own} VP; the others have {scores}.")
    elif own == others[0]:
        text = _("You share the lead with {own} VP; the others have {scores}.")
    else:
        text = _("You have {own} VP, the others {scores}.")
    return text.format(own=own, scores=", ".join(map(str, others)))

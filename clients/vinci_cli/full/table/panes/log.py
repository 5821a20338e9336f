"""The log: what happened and what was said, the latest at the bottom."""

from collections.abc import Callable, Iterable
from typing import Final

from ....game.client_match import ClientMatch
from ....text import events
from ....text.i18n import N_, _, plural
from ...toolkit.text import Row, Segment, sentence_rows
from ..ui_state import UiState
from .pane import Pane

TURN: Final = events.RULES["turn_started"]
"""The rule behind the start of a turn; such entries divide the log."""


def log(game: ClientMatch, ui: UiState, columns: int, rows: int) -> list[Row]:
    """The latest entries in at most this many rows; a click on an entry explains its rule."""

    def entry(number: int) -> Iterable[Row]:
        return _entry(game, number, columns)

    empty = _("Nothing has happened yet.")
    return scrolled_back(PANE, _("Log"), entry, len(game.log), empty, ui.back, columns, rows)


def latest(game: ClientMatch, columns: int, rows: int) -> list[Row]:
    """The last rows of the log without a heading."""
    found: list[Row] = []
    for number in range(len(game.log) - 1, max(len(game.log) - 1 - rows, -1), -1):
        found[:0] = _entry(game, number, columns)
    return found[-rows:]


def _entry(game: ClientMatch, number: int, columns: int) -> Iterable[Row]:
    """Rows of an entry, marked with the colour of its seat."""
    entry = game.log[number]
    style = entry.style or ("class:title" if entry.rule == TURN else "")
    mark = Segment("▌" if entry.seat else " ", f"class:seat{entry.seat}" if entry.seat else "", f"log {number}")
    for text in sentence_rows(entry.text, columns - 2):
        yield [mark, Segment(text, style, f"log {number}")]


def length(texts: Iterable[str], columns: int) -> int:
    """Rows of all these texts in a pane of this width."""
    return sum(len(sentence_rows(text, columns - 2)) for text in texts)


def scrolled_back(
    pane: Pane,
    title: str,
    entry: Callable[[int], Iterable[Row]],
    entries: int,
    empty: str,
    back: int,
    columns: int,
    rows: int,
) -> list[Row]:
    """A heading and the latest rows of numbered entries, scrolled back by `back` rows; only these entries are drawn."""
    wanted = rows - 1
    found: list[Row] = []
    for number in range(entries - 1, -1, -1):
        found[:0] = entry(number)
        if len(found) >= wanted + back:
            break
    back = min(back, max(len(found) - wanted, 0))
    shown = found[max(len(found) - wanted - back, 0) : len(found) - back]
    if not entries:
        shown = [[Segment(f" {empty}", "class:faint")]]
    later = plural("↓ {n} line below", "↓ {n} lines below", back) if back else ""
    return [pane.head(title, columns, later), *shown]


PANE: Final = Pane(
    "log",
    log,
    "l",
    N_("log"),
    fills=True,
    scrolls=True,
    length=lambda game, columns: length((entry.text for entry in game.log), columns),
)

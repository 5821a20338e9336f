"""The log: what happened and what was said, the latest at the bottom."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final

from vinci_words.sentences import rule

from ....game.client_match import ClientMatch, Entry
from ....text.i18n import N_, _, plural
from ...toolkit.text import Row, Segment, sentence_rows
from ..ui_state import UiState
from .pane import Pane

TURN: Final = rule("turn_started")
"""The rule behind the start of a turn; such entries divide the log."""


def log(game: ClientMatch, ui: UiState, columns: int, rows: int) -> list[Row]:
    """The latest entries in at most this many rows; a click on an entry explains its rule."""
    head, empty = partial(PANE.head, _("Log"), columns), _("Nothing has happened yet.")
    return scrolled_back(head, _entries(game, columns), empty, ui.back, rows)


def latest(game: ClientMatch, columns: int, rows: int) -> list[Row]:
    """The last rows of the log without a heading."""
    entries = list(islice(_entries(game, columns), rows))
    return [row for entry in reversed(entries) for row in entry][-rows:]


def _entries(game: ClientMatch, columns: int) -> Iterator[list[Row]]:
    """Rows of each entry, marked with the colour of its seat, the latest entry first."""
    for number in range(len(game.log) - 1, -1, -1):
        entry, target = game.log[number], f"log {number}"
        style = entry.style or ("class:title" if entry.rule == TURN else "")
        mark = Segment("▌" if entry.seat else " ", f"class:seat{entry.seat}" if entry.seat else "", target)
        yield [[mark, Segment(text, style, target)] for text in _fitting(entry, columns)]


def _fitting(entry: Entry, columns: int) -> Sequence[str]:
    """Return the rows of an entry: in fewer words if it needs several and has them."""
    rows = sentence_rows(entry.text, columns - 2)
    return sentence_rows(entry.short, columns - 2) if len(rows) > 1 and entry.short else rows


def length(texts: Iterable[str], columns: int) -> int:
    """Rows of all these texts in a pane of this width."""
    return sum(len(sentence_rows(text, columns - 2)) for text in texts)


def scrolled_back(
    head: Callable[[str], Row], entries: Iterable[Sequence[Row]], empty: str, back: int, rows: int
) -> list[Row]:
    """A heading and the rows of entries, the latest first, scrolled back; only the entries that are seen are drawn."""
    wanted = rows - 1
    drawn: list[Row] = []
    for entry in entries:
        drawn[:0] = entry
        if len(drawn) >= wanted + back:
            break
    back = min(back, max(len(drawn) - wanted, 0))
    shown = drawn[max(len(drawn) - wanted - back, 0) : len(drawn) - back]
    below = plural("↓ {n} line below", "↓ {n} lines below", back) if back else ""
    return [head(below), *(shown if drawn else [[Segment(f" {empty}", "class:faint")]])]


PANE: Final = Pane(
    "log",
    log,
    "l",
    N_("log"),
    fills=True,
    scrolls=True,
    length=lambda game, columns: sum(len(_fitting(entry, columns)) for entry in game.log),
)

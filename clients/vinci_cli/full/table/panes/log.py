"""What happened, and what was said, with the latest at the bottom."""

from collections.abc import Callable, Iterable
from typing import Final

from ....game.client_match import ClientMatch
from ....text import events
from ....text.i18n import _, plural
from ...toolkit.block import Block, fitted
from ...toolkit.text import Row, Segment, headed, sentence_rows, written
from ..ui_state import UiState

TURN: Final = events.RULES["turn_started"]
"""The rule behind the start of a turn, with which the log is divided."""


def log(game: ClientMatch, ui: UiState, columns: int, rows: int) -> Block:
    """The log in so many rows; each entry can be clicked for its rule."""

    def told(number: int) -> Iterable[Row]:
        return _entry(game, number, columns)

    empty = _("Nothing has happened yet.")
    return _latest(_("Log"), "log", told, len(game.log), ui.back if ui.tab != "chat" else 0, columns, rows, empty)


def latest(game: ClientMatch, columns: int, rows: int) -> list[Row]:
    """The last rows of the log, where there is no room for more."""
    found: list[Row] = []
    for number in range(len(game.log) - 1, max(len(game.log) - 1 - rows, -1), -1):
        found[:0] = _entry(game, number, columns)
    return found[-rows:]


def _entry(game: ClientMatch, number: int, columns: int) -> Iterable[Row]:
    """An entry of the log, with a mark of whom it is about."""
    entry = game.log[number]
    style = entry.style or ("class:title" if entry.rule == TURN else "")
    mark = Segment("▌" if entry.seat else " ", f"class:seat{entry.seat}" if entry.seat else "", f"log {number}")
    for text in sentence_rows(entry.text, columns - 2):
        yield [mark, Segment(text, style, f"log {number}")]


def chat(game: ClientMatch, ui: UiState, columns: int, rows: int) -> Block:
    """The chat in so many rows."""

    def told(number: int) -> Iterable[Row]:
        line = game.chat[number]
        style = f"class:seat{line.seat}" if line.seat else "class:faint"
        for text in sentence_rows(events.said(line, game.names), columns - 2):
            yield [Segment("▌", style), Segment(text)]

    empty = _("Nobody has said anything; / to speak.")
    back = ui.back if ui.tab == "chat" else 0
    return _latest(_("Chat"), "chat", told, len(game.chat), back, columns, rows, empty)


def rows_told(game: ClientMatch, ui: UiState, columns: int) -> int:
    """Rows that all of the log takes in a pane of so many columns, or all of the chat if that is what is looked at."""
    texts = [events.said(line, game.names) for line in game.chat] if ui.tab == "chat" else [e.text for e in game.log]
    return sum(len(sentence_rows(text, columns - 2)) for text in texts)


def _latest(
    title: str,
    tab: str,
    told: Callable[[int], Iterable[Row]],
    entries: int,
    back: int,
    columns: int,
    rows: int,
    empty: str,
) -> Block:
    """As many of the latest rows as there is room for, scrolled back by some; only these are made."""
    wanted = rows - 1
    found: list[Row] = []
    for number in range(entries - 1, -1, -1):
        found[:0] = told(number)
        if len(found) >= wanted + back:
            break
    back = min(back, max(len(found) - wanted, 0))
    shown = found[max(len(found) - wanted - back, 0) : len(found) - back]
    if not entries:
        shown = [[Segment(f" {empty}", "class:faint")]]
    later = plural("↓ {n} line below", "↓ {n} lines below", back) if back else ""
    return fitted(written([headed(title, columns, later, tab[0], f"tab {tab}"), *shown], columns), columns, rows)

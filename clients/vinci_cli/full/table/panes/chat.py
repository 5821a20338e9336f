"""The chat, the latest line at the bottom."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from ....game.client_match import ClientMatch
from ....text import events
from ....text.i18n import N_, _
from ...toolkit.text import Row, Segment, sentence_rows
from ..ui_state import UiState
from .log import length, scrolled_back
from .pane import Pane


def chat(game: ClientMatch, ui: UiState, columns: int, rows: int) -> list[Row]:
    """The latest lines in at most this many rows."""
    head, empty = partial(PANE.head, _("Chat"), columns), _("Nobody has said anything; / to speak.")
    return scrolled_back(head, _lines(game, columns), empty, ui.back, rows)


def _lines(game: ClientMatch, columns: int) -> Iterator[list[Row]]:
    """Rows of each line, the latest line first."""
    for line in reversed(game.chat):
        mark = Segment("▌", f"class:seat{line.seat}" if line.seat else "class:faint")
        yield [[mark, Segment(text)] for text in sentence_rows(events.chat_text(line, game.names), columns - 2)]


def unread(game: ClientMatch, ui: UiState) -> int:
    """Lines by others since the chat was open."""
    return sum(line.number > ui.heard and line.seat not in game.seats for line in game.chat)


PANE: Final = Pane(
    "chat",
    chat,
    "c",
    N_("chat"),
    fills=True,
    scrolls=True,
    length=lambda game, columns: length((events.chat_text(line, game.names) for line in game.chat), columns),
    unread=unread,
    in_replay=False,
)

"""Scrolling an explanation, or the pane that scrolls, in a table and in a replay."""

from dataclasses import replace
from typing import Final

from ...game.client_match import ClientMatch
from ..toolkit import popup
from . import layout
from .panes import registry
from .ui_state import UiState

LINES: Final = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
"""Rows that a key scrolls down."""


def scroll(game: ClientMatch, ui: UiState, lines: int) -> UiState:
    """Scroll down (positive) or up, not beyond the ends."""
    if ui.popup is not None:
        last = popup.last_start(ui.popup[1], *ui.size)
        return replace(ui, popup_back=min(max(ui.popup_back + lines, 0), last))
    last = registry.length(game, ui, layout.pane_columns(ui.size[0])) - 1
    return replace(ui, back=max(min(ui.back - lines, last), 0))

"""Explanations, scrolling and the pace, in a table and in a replay."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ...game.client_match import ClientMatch
from ...text.i18n import _
from ...text.manual import rule_text
from ..toolkit import popup
from . import layout
from .panes import registry
from .ui_state import UiState

LINES: Final = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
"""Rows that a key scrolls down."""


def scroll(game: ClientMatch, ui: UiState, lines: int) -> UiState:
    """Scroll an explanation, or else the pane that scrolls: down (positive) or up, not beyond the ends."""
    if ui.popup is not None:
        last = popup.last_start(ui.popup[1], *ui.size)
        return replace(ui, popup_back=min(max(ui.popup_back + lines, 0), last))
    last = registry.length(game, ui, layout.pane_columns(ui.size[0])) - 1
    return replace(ui, back=max(min(ui.back - lines, last), 0))


def explain(ui: UiState, title: str, text: str) -> UiState:
    """Show an explanation over everything."""
    return replace(ui, popup=(title, text), popup_back=0)


def show_line(ui: UiState, line: str) -> UiState:
    """Show an answer over everything that ends with a line to copy, where a pane beside the map would break it."""
    if ui.size[0] < layout.BESIDE_COLUMNS:
        return ui
    *others, _last = ("".join(text for _style, text in row) for row in ui.notice)
    return replace(explain(ui, _("To copy"), "\n".join([*others, f"  {line.strip()}"])), notice=())


def explain_rule(game: ClientMatch, ui: UiState, name: str = "") -> UiState:
    """Explain a rule: without a name the one behind the latest entry of the log that has one."""
    name = name or next((entry.rule for entry in reversed(game.log) if entry.rule), "")
    return explain(ui, name, rule_text(name)) if name else ui


def press_in_popup(game: ClientMatch, ui: UiState, key: str) -> UiState:
    """Scroll an explanation, or close it with any other key."""
    return scroll(game, ui, LINES[key]) if key in LINES else replace(ui, popup=None, popup_back=0)


def changed_pace(paces: Sequence[float], pace: float, step: int) -> float:
    """The pace so many steps after the one that is nearest to `pace`, within the ends."""
    place = min(range(len(paces)), key=lambda number: abs(paces[number] - pace)) + step
    return paces[min(max(place, 0), len(paces) - 1)]

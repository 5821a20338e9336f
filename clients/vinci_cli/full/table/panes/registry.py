"""The panes of the table. A new pane is a module in this package and an entry here."""

from collections.abc import Iterable
from typing import Final

from ....game.client_match import ClientMatch
from ..ui_state import UiState
from . import chat, empires, focus, log, market, scores
from .pane import OPEN_RANK, Draw, Pane

PANES: Final[tuple[Pane, ...]] = (scores.PANE, focus.PANE, market.PANE, empires.PANE, log.PANE, chat.PANE)
"""All panes, from top to bottom beside the map, and in the order of their tabs."""


def tabs(*, replayed: bool) -> list[Pane]:
    """Panes that have a tab at a live table or in a replay."""
    return [pane for pane in PANES if pane.key and (pane.in_replay or not replayed)]


def titles(panes: Iterable[Pane]) -> str:
    """Names of tabs in one line."""
    return ", ".join(pane.title() for pane in panes)


def with_key(key: str, *, replayed: bool) -> Pane | None:
    """The pane whose tab this key opens."""
    return next((pane for pane in tabs(replayed=replayed) if pane.key == key), None)


def opened(ui: UiState) -> Pane | None:
    """The pane whose tab is open; None for the map."""
    return next((pane for pane in PANES if pane.name == ui.tab), None)


def scrolled(ui: UiState) -> Pane:
    """The pane that `UiState.back` is about: the one whose tab is open if it scrolls by itself, else the log."""
    pane = opened(ui)
    return pane if pane is not None and pane.length is not None else log.PANE


def length(game: ClientMatch, ui: UiState, columns: int) -> int:
    """Rows of the whole contents of the pane that is scrolled."""
    measure = scrolled(ui).length
    return measure(game, columns) if measure is not None else 0


def column(game: ClientMatch, ui: UiState) -> list[Pane]:
    """Panes beside the map from top to bottom.

    The focus stands below a pane with the selection, so that nothing in that pane moves away from under the mouse.
    """
    selected = [pane for pane in PANES if pane.has_selection(game, ui)]
    others = [pane for pane in PANES if pane not in selected]
    place = others.index(focus.PANE)
    return [*others[:place], *selected, *others[place:]]


def sizes(game: ClientMatch, ui: UiState) -> list[tuple[Pane, Draw]]:
    """Sizes of panes beside the map in the order in which they get room.

    While a pane is open that fills, it gets all that the focus leaves.
    """
    ranked = [(size.rank, pane, size.draw) for pane in PANES for size in pane.sizes]
    ranked += [
        (OPEN_RANK, pane, pane.draw_open or pane.draw)
        for pane in PANES
        if not pane.fills and (pane.name == ui.tab or pane.has_selection(game, ui))
    ]
    ranked.sort(key=lambda size: size[0])
    tab = opened(ui)
    fills = tab is not None and tab.fills
    return [(pane, draw) for rank, pane, draw in ranked if rank <= focus.RANK or not fills]

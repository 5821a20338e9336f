"""Layout of the table: the map and the panes around it, for windows of any size."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol

from vinci.v1 import game_pb2

from ...game.client_match import ClientMatch
from ...game.typed import Preview
from ...text import recap
from ...text.i18n import _
from ...text.recap import Attack
from .. import LEAST_COLUMNS, LEAST_ROWS
from ..map import arrows
from ..map.map import Marks
from ..toolkit import popup
from ..toolkit.block import Block, Depth, beside, fitted, over, stacked
from ..toolkit.text import Row, Segment, flowed, written
from .panes import focus, footer, log, registry, scores, status
from .panes.help import sign_styles
from .panes.pane import Pane
from .ui_state import UiState

SPIES_COST: Final = 2
"""Pawns of a conquest by Spies."""


def marks(game: ClientMatch, ui: UiState) -> Marks:
    """Marks for the selection, targets with their costs, changes, losses and planned pawns."""
    targets: dict[str, int] = {}
    if ui.plan is None and game.my_move() and not game.is_barred():
        targets = dict.fromkeys(game.legal.conquer_by_spies, SPIES_COST)
        targets |= zip(game.legal.conquer, game.legal.cost, strict=True)
    planned = dict(ui.plan.pawns) if ui.plan is not None else {}
    if ui.plan is not None and ui.plan.kind == "redeploy" and game.state is not None:
        there = dict(zip(game.state.provinces, game.state.pawns, strict=True))
        planned = {code: there[code] + pawns for code, pawns in planned.items()}
    return Marks(
        selected=ui.province,
        is_clicked=bool(ui.province) and ui.province == ui.clicked,
        targets=targets,
        changed=game.changed,
        lost=_lost(ui.preview, game.seat) if ui.preview is not None else frozenset(),
        planned=planned,
        forts=frozenset(ui.plan.forts) if ui.plan is not None else frozenset(),
        own=game.seat,
    )


def attacks(game: ClientMatch, ui: UiState) -> Sequence[Attack]:
    """Attacks to show by arrows: those of others since the own last turn in a recap, else those that are shown now."""
    if ui.is_recap:
        return recap.attacks(recap.since_last_turn(game.recent, game.seat), game.seat)
    return () if game.my_move() or game.is_over() else game.attacks


def _lost(preview: Preview, own: int) -> frozenset[str]:
    """Provinces that would be evacuated, or cut off from the largest part."""
    lost: set[str] = set()
    for event in preview.events:
        lost.update(event.evacuated.provinces)
        if event.decline_vanished.seat == own:
            lost.update(event.decline_vanished.provinces)
    largest = max(preview.parts, key=len, default=[])
    return frozenset(lost.union(*(part for part in preview.parts if part is not largest)))


BESIDE_COLUMNS: Final = 110
"""Columns from which on panes stand beside the map."""

LEAST_PANE: Final = 36
WIDEST_PANE: Final = 60
TALK: Final = 7
LEAST_TALK: Final = 4
"""Rows that are kept for log or chat, and while the focus gets room."""

BOTH_TALKS: Final = 18
"""Rows in which log and chat both have room."""


class Picture(Protocol):
    """Draws the map."""

    def draw(
        self, state: game_pb2.State | None, marks: Marks, columns: int, rows: int, depth: Depth, *, zooms: bool = False
    ) -> Block:
        """The map as a block of exactly this size; in a small one, if it zooms, a part of the map."""

    def place(self, code: str, columns: int, rows: int) -> tuple[int, int] | None:
        """Row and column of a province in the map drawn last at this size."""


def draw(
    game: ClientMatch, ui: UiState, art: Picture, columns: int, rows: int, depth: Depth, foot: Block | None = None
) -> Block:
    """The screen, exactly of this size; `foot` replaces the keys at the bottom."""
    if columns < LEAST_COLUMNS or rows < LEAST_ROWS:
        return _too_small(columns, rows)
    arrange = _wide if columns >= BESIDE_COLUMNS else _narrow
    page = fitted(arrange(game, ui, art, columns, rows, depth, foot), columns, rows)
    if ui.popup is None:
        return page
    return popup.popup(page, *ui.popup, ui.popup_back, columns, rows, sign_styles(game, depth))


def _too_small(columns: int, rows: int) -> Block:
    text = _("Here are {columns} columns and {rows} rows. Make the window larger, 80 by 24 at least, or use --line.")
    lines = flowed([Segment(text.format(columns=columns, rows=rows))], columns)
    return fitted(written(lines, columns), columns, rows)


def _narrow(
    game: ClientMatch, ui: UiState, art: Picture, columns: int, rows: int, depth: Depth, foot: Block | None
) -> Block:
    """Scores, map or open tab, focus and keys, one below the other."""
    head = written([status.status(game, columns), *scores.brief(game, columns)], columns)
    overlaid: list[Row] = []
    if foot is None:
        *overlaid, first, second = focus.brief(game, ui, columns)
        foot = written([first, second, *footer.footer(game, ui, columns, 2)], columns)
    room = rows - head.height - foot.height
    pane = registry.opened(ui)
    middle = _map(game, ui, art, columns, room, depth) if pane is None else _drawn(pane, game, ui, columns, room)
    page = stacked(head, fitted(middle, columns, room), foot)
    answer = written(overlaid, columns)  # lies over the map, which would be drawn again at a smaller size
    below = room - len(overlaid)
    place = art.place(ui.province, columns, room) if pane is None else None
    down = 0 if place is not None and place[0] >= below else below
    return over(page, fitted(answer, columns, len(overlaid)), head.height + down, 0)


def _map(game: ClientMatch, ui: UiState, art: Picture, columns: int, rows: int, depth: Depth) -> Block:
    """The map, and the log below it in a tall window."""
    high = _map_rows(game, columns, rows)
    drawn = art.draw(game.state, marks(game, ui), columns, high, depth, zooms=not ui.is_whole)
    picture = fitted(drawn, columns, high)
    picture = arrows.drawn(picture, attacks(game, ui), lambda code: art.place(code, columns, high), depth)
    return stacked(picture, _drawn(log.PANE, game, ui, columns, rows - high)) if high < rows else picture


def _map_rows(game: ClientMatch, columns: int, rows: int) -> int:
    """Rows for a map of this width: all, unless that would stretch it while there is room for the log below."""
    natural = columns * game.board_map.height // max(2 * game.board_map.width, 1)
    most = natural * 5 // 4
    return most if most and rows - most >= TALK else rows


def _drawn(pane: Pane, game: ClientMatch, ui: UiState, columns: int, rows: int) -> Block:
    """A pane of exactly this size, scrolled if it is the one that scrolls now."""
    ui = ui if pane is registry.scrolled(ui) else replace(ui, back=0)
    return fitted(written(pane.draw(game, ui, columns, rows), columns), columns, rows)


def pane_columns(columns: int) -> int:
    """Width of the panes in a window of this width."""
    return columns if columns < BESIDE_COLUMNS else min(max(LEAST_PANE, columns // 3), WIDEST_PANE)


def _wide(
    game: ClientMatch, ui: UiState, art: Picture, columns: int, rows: int, depth: Depth, foot: Block | None
) -> Block:
    """The map on the left, the panes on the right."""
    right = pane_columns(columns)
    if foot is None:
        foot = written(footer.footer(game, ui, columns, 1), columns)
    room = rows - 1 - foot.height
    left = columns - right - 1
    top = written([status.status(game, columns)], columns)
    rule = Block([[("class:frame", "│")]] * room)
    with_log = _map_rows(game, left, room) == room
    return stacked(
        fitted(top, columns, 1),
        beside(beside(_map(game, ui, art, left, room, depth), rule), _panes(game, ui, right, room, with_log=with_log)),
        foot,
    )


def _panes(game: ClientMatch, ui: UiState, columns: int, rows: int, *, with_log: bool) -> Block:
    """As many panes and as much of each as there is room for; those that fill get what is left."""
    shown: dict[str, list[Row]] = {}
    left = rows
    for pane, draw_size in registry.sizes(game, ui):
        before = len(shown.get(pane.name, ()))
        is_focus = pane is focus.PANE
        reserved = 0 if not shown else LEAST_TALK if is_focus else TALK
        most = before + left - reserved
        drawn = draw_size(game, ui, columns, most)
        if is_focus and not before:
            drawn = drawn[:most]
        if before < len(drawn) <= most:
            shown[pane.name] = drawn
            left -= len(drawn) - before
    blocks = {name: written(drawn, columns) for name, drawn in shown.items()}
    fillers = [pane for pane in registry.PANES if pane.fills and (with_log or pane is not log.PANE)]
    if left < BOTH_TALKS:
        fillers = [pane for pane in fillers if pane.name == ui.tab] or fillers[:1]
    for pane in fillers:
        high = left if pane is fillers[-1] else left - max(left // 3, TALK)
        blocks[pane.name] = _drawn(pane, game, ui, columns, high)
        left -= high
    names = [pane.name for pane in registry.column(game, ui)]
    return fitted(stacked(*(blocks[name] for name in names if name in blocks)), columns, rows)

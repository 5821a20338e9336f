"""The whole screen of a game: the map and what is around it, for any window."""

from collections.abc import Callable, Iterable
from typing import Final, Protocol

from vinci.v1 import game_pb2

from ...game.client_match import ClientMatch
from ...text.i18n import _, titled
from .. import LEAST_COLUMNS, LEAST_ROWS
from ..map.map import Marks
from ..toolkit import popup
from ..toolkit.block import Block, Depth, beside, fitted, over, stacked
from ..toolkit.text import Row, Segment, flowed, shortened, written
from .highlights import marks
from .panes import advice, empires, footer, log, market, placement, preview, scores, selection, status
from .ui_state import UiState

BESIDE_COLUMNS: Final = 110
"""A window that is so wide shows map and panes side by side."""

LEAST_PANE: Final = 36
WIDEST_PANE: Final = 60
TALK: Final = 7
LEAST_TALK: Final = 4
"""Rows that are left for log or chat, and when something more urgent needs room."""

MOST_NOTICE: Final = 10
"""Rows of an answer over the map of a small window."""

EVERYTHING: Final = 1000
"""More rows than a pane has."""

BOTH_TALKS: Final = 18
"""Rows in which log and chat have room."""


class Picture(Protocol):
    """What draws the map."""

    def draw(self, state: game_pb2.State | None, marks: Marks, columns: int, rows: int, depth: Depth) -> Block:
        """The map as a block of exactly this size."""


def draw(
    game: ClientMatch, ui: UiState, art: Picture, columns: int, rows: int, depth: Depth, foot: Block | None = None
) -> Block:
    """The screen, exactly of this size; `foot` stands at its bottom in place of the keys."""
    if columns < LEAST_COLUMNS or rows < LEAST_ROWS:
        return _too_small(columns, rows)
    if columns >= BESIDE_COLUMNS:
        page = _wide(game, ui, art, columns, rows, depth, foot)
    else:
        page = _narrow(game, ui, art, columns, rows, depth, foot)
    page = fitted(page, columns, rows)
    if ui.popup is not None:
        page = popup.popup(page, *ui.popup, ui.popup_back, columns, rows)
    return page


def _too_small(columns: int, rows: int) -> Block:
    text = _("Here are {columns} columns and {rows} rows. Make the window larger, 80 by 24 at least, or use --line.")
    found = flowed([Segment(text.format(columns=columns, rows=rows))], columns)
    return fitted(written(found, columns), columns, rows)


def _narrow(
    game: ClientMatch, ui: UiState, art: Picture, columns: int, rows: int, depth: Depth, foot: Block | None
) -> Block:
    """Everything below one another; a tab takes the place of the map."""
    head = written([status.status(game, columns), *scores.brief(game, columns)], columns)
    told: list[Row] = []
    if foot is None:
        *told, first, second = brief(game, ui, columns)
        foot = written([first, second, *footer.footer(game, ui, columns, 2)], columns)
    room = rows - head.height - foot.height
    page = stacked(head, fitted(_middle(game, ui, art, columns, room, depth), columns, room), foot)
    longer = written(told, columns)  # lies over the map, which would be drawn anew if it got smaller
    return over(page, fitted(longer, columns, len(told)), head.height + room - len(told), 0)


def _middle(game: ClientMatch, ui: UiState, art: Picture, columns: int, rows: int, depth: Depth) -> Block:
    match ui.tab:
        case "market":
            return written(market.market(game, ui, columns, rows), columns)
        case "empires":
            full = empires.empires(game, columns, with_provinces=True)
            short = empires.empires(game, columns, with_provinces=False)
            return written(full if len(full) <= rows else short, columns)
        case "log":
            return log.log(game, ui, columns, rows)
        case "chat":
            return log.chat(game, ui, columns, rows)
    high = _map_rows(game, columns, rows)
    picture = fitted(art.draw(game.state, marks(game, ui), columns, high, depth), columns, high)
    return stacked(picture, log.log(game, ui, columns, rows - high)) if high < rows else picture


def _map_rows(game: ClientMatch, columns: int, rows: int) -> int:
    """Rows for a map of so many columns: all, unless it would be stretched while there is room for the log below."""
    natural = columns * game.board_map.height // max(2 * game.board_map.width, 1)
    most = natural * 5 // 4
    return most if most and rows - most >= TALK else rows


def brief(game: ClientMatch, ui: UiState, columns: int) -> list[Row]:
    """Two rows on what matters most at this moment; an answer is told in full, in more rows if it needs them."""
    room = columns - 2
    if ui.notice:
        told = _notice(ui, room)[:MOST_NOTICE]
        return [[Segment(" "), *row] for row in [*told, []][: max(len(told), 2)]]
    if ui.plan is not None:
        parts = [*placement.left(game, ui.plan), Segment(titled("")), *placement.provinces(ui.plan, ui.province)]
        ahead = preview.told(game, ui.preview) if ui.preview is not None else []
        found = flowed(_joined([*ahead[:1], parts, *ahead[1:]]), room)
    elif market.is_looked_at(game, ui):
        ahead = preview.told(game, ui.preview) if ui.preview is not None else []
        found = flowed(market.offered(game, ui.slot), room)
        found += flowed(_joined(ahead if ui.tab == "market" else market.told(game, ui.slot)[1:]), room)
    elif ui.province:
        found = flowed(selection.brief(game, ui.province), room)[:1]
        found += flowed(_joined(_what_enter_does(game, ui)), room)
    elif _is_followed(game) and game.log:
        found = log.latest(game, room, 2)
    else:
        found = flowed(_joined(advice.told(game, ui)), room)
    if proposed := _joined(advice.proposed(game)):
        found = [shortened(proposed, room), *found]
    kept = (
        [*found[:1], shortened([*found[1], Segment(" …")], room) if len(found) > 2 else found[1]]
        if found[1:]
        else found
    )
    return [[Segment(" "), *row] for row in [*kept, [], []][:2]]


def _what_enter_does(game: ClientMatch, ui: UiState) -> list[list[Segment]]:
    if ui.preview is not None:
        return preview.told(game, ui.preview)
    if _is_followed(game) and game.log:
        return [[*log.latest(game, EVERYTHING, 1)[0]]]
    return selection.possible(game, ui.province) or advice.told(game, ui)[:1]


def _is_followed(game: ClientMatch) -> bool:
    """Whether what others do is what matters now."""
    goes_on = not game.match.paused and not game.match.ended and not game.is_over()
    return game.state is not None and game.connected and not game.my_move() and goes_on


def _joined(told: list[list[Segment]]) -> list[Segment]:
    found: list[Segment] = []
    for parts in filter(None, told):
        found += [*([Segment(" · ", "class:faint")] if found else []), *parts]
    return found


def _notice(ui: UiState, columns: int) -> list[Row]:
    return [row for line in ui.notice for row in flowed([Segment(text, style) for style, text in line], columns)]


def pane_columns(columns: int) -> int:
    """How wide panes are in a window of so many columns."""
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
    high = _map_rows(game, left, room)
    picture = fitted(art.draw(game.state, marks(game, ui), left, high, depth), left, high)
    if high < room:
        picture = stacked(picture, log.log(game, ui, left, room - high))
    rule = Block([[("class:frame", "│")]] * room)
    return stacked(
        fitted(top, columns, 1),
        beside(beside(picture, rule), _panes(game, ui, right, room, with_log=high == room)),
        foot,
    )


def _panes(game: ClientMatch, ui: UiState, columns: int, rows: int, *, with_log: bool) -> Block:
    """Panes below one another, as many and as much of each as there is room for; talk gets what is left."""
    shown: dict[str, list[Row]] = {}
    left = rows
    for name, made in _offers(game, ui, columns):
        before = len(shown.get(name, ()))
        kept_for_talk = 0 if not shown else LEAST_TALK if name == "focus" else TALK
        most = before + left - kept_for_talk
        found = made(most)
        if name == "focus" and not before:
            found = found[:most]
        if before < len(found) <= most:
            shown[name] = found
            left -= len(found) - before
    blocks = {name: written(found, columns) for name, found in shown.items()}
    if with_log and left >= BOTH_TALKS:
        talks = ["log", "chat"]
    else:
        talks = ["log"] if with_log and ui.tab != "chat" else ["chat"]
    for tab in talks:
        high = left if tab == talks[-1] else left - max(left // 3, TALK)
        blocks[tab] = (log.log if tab == "log" else log.chat)(game, ui, columns, high)
        left -= high
    # What is told of a slot must not move it away from under the mouse.
    middle = ("market", "focus") if market.is_looked_at(game, ui) else ("focus", "market")
    order = ("scores", *middle, "empires", "log", "chat")
    return fitted(stacked(*(blocks[name] for name in order if name in blocks)), columns, rows)


def _offers(game: ClientMatch, ui: UiState, columns: int) -> Iterable[tuple[str, Callable[[int], list[Row]]]]:
    """Panes in the order in which they get room; one that comes again replaces the smaller one.

    Each is asked for its rows with the most that there is room for.
    """
    yield "scores", lambda _most: scores.scores(game, columns, with_bars=False)
    if ui.tab == "market" or market.is_looked_at(game, ui):
        yield "market", lambda most: market.market(game, ui, columns, most)
    if ui.tab == "empires":
        yield "empires", lambda _most: empires.empires(game, columns, with_provinces=False)
    yield "focus", lambda _most: _focus(game, ui, columns, in_full=False)
    if ui.tab in ("log", "chat"):
        return
    yield "focus", lambda _most: _focus(game, ui, columns, in_full=True)
    yield "market", lambda _most: market.market(game, ui, columns, 0)
    yield "scores", lambda _most: scores.scores(game, columns, with_bars=True)
    yield "empires", lambda _most: empires.empires(game, columns, with_provinces=False)
    yield "market", lambda _most: market.market(game, ui, columns, EVERYTHING)
    yield "empires", lambda _most: empires.empires(game, columns, with_provinces=True)


def _focus(game: ClientMatch, ui: UiState, columns: int, *, in_full: bool) -> list[Row]:
    """What matters most at this moment; in full with all that a selected province touches."""
    if ui.plan is not None:
        rows = placement.placement(game, ui, columns)
        rows += preview.preview(game, ui.preview, columns) if ui.preview is not None else []
    elif ui.province and not market.is_looked_at(game, ui):
        rows = selection.selection(game, ui.province, columns, in_full=in_full)
        rows += preview.preview(game, ui.preview, columns) if ui.preview is not None else []
    elif ui.preview is not None:
        rows = preview.preview(game, ui.preview, columns)
    else:
        rows = advice.advice(game, ui, columns)
    told = [*_notice(ui, columns - 1), *flowed(_joined(advice.proposed(game)), columns - 1)]
    return [*([Segment(" "), *row] for row in told), *rows]

"""The whole screen of a game: the map and what is around it, for any window."""

from collections.abc import Sequence
from typing import Final, Protocol

from vinci.v1 import game_pb2

from ..language import _
from . import empires, footer, market, placement, popup, preview, scores, selection, status, talk
from .block import Block, Depth, beside, fitted, stacked
from .game import Game
from .look import Look
from .map import Marks
from .marks import marks
from .writing import Part, Row, flowed, written

LEAST_COLUMNS: Final = 80
LEAST_ROWS: Final = 24
BESIDE_COLUMNS: Final = 110
"""A window that is so wide shows map and panes side by side."""


class Picture(Protocol):
    """What draws the map."""

    def draw(self, state: game_pb2.State | None, marks: Marks, columns: int, rows: int, depth: Depth) -> Block:
        """The map as a block of exactly this size."""


def draw(
    game: Game, look: Look, art: Picture, columns: int, rows: int, depth: Depth, foot: Block | None = None
) -> Block:
    """The screen, exactly of this size; `foot` stands at its bottom in place of the keys."""
    if columns < LEAST_COLUMNS or rows < LEAST_ROWS:
        return _too_small(columns, rows)
    if columns >= BESIDE_COLUMNS:
        page = _wide(game, look, art, columns, rows, depth, foot)
    else:
        page = _narrow(game, look, art, columns, rows, depth, foot)
    page = fitted(page, columns, rows)
    if look.popup is not None:
        page = popup.popup(page, *look.popup, look.popup_back, columns, rows)
    return page


def _too_small(columns: int, rows: int) -> Block:
    text = _("Here are {columns} columns and {rows} rows. Make the window larger, 80 by 24 at least, or use --line.")
    found = flowed([Part(text.format(columns=columns, rows=rows))], columns)
    return fitted(written(found, columns), columns, rows)


def _narrow(game: Game, look: Look, art: Picture, columns: int, rows: int, depth: Depth, foot: Block | None) -> Block:
    """Everything below one another; a tab takes the place of the map."""
    head = written([status.status(game, columns), *scores.brief(game, columns)], columns)
    if foot is None:
        foot = written([*brief(game, look, columns), *footer.footer(game, look, columns, 2)], columns)
    room = rows - head.height - foot.height
    return stacked(head, fitted(_middle(game, look, art, columns, room, depth), columns, room), foot)


def _middle(game: Game, look: Look, art: Picture, columns: int, rows: int, depth: Depth) -> Block:
    match look.tab:
        case "market":
            full = market.market(game, look, columns)
            return written(full if len(full) <= rows else market.essentials(game, look, columns), columns)
        case "empires":
            full = empires.empires(game, columns, with_provinces=True)
            short = empires.empires(game, columns, with_provinces=False)
            return written(full if len(full) <= rows else short, columns)
        case "log":
            return talk.log(game, look, columns, rows)
        case "chat":
            return talk.chat(game, look, columns, rows)
    return art.draw(game.state, marks(game, look), columns, rows, depth)


def brief(game: Game, look: Look, columns: int) -> list[Row]:
    """Two rows on what matters most at this moment."""
    found: list[Row] = []
    if look.notice:
        for line in look.notice:
            found += flowed([Part(text, style) for style, text in line], columns - 1)
    elif look.plan is not None:
        found = flowed(
            [*placement.left(game, look.plan), Part(": "), *placement.provinces(look.plan, look.province)], columns - 1
        )
    elif look.slot and game.state is not None:
        found = flowed(market.offered(game, look.slot), columns - 1)
    elif look.province:
        found = flowed(selection.brief(game, look), columns - 1)[:1]
        more = preview.brief(game, look) if look.preview is not None else selection.possible(game, look.province)
        found += flowed(more, columns - 1)
    found = [[Part(" "), *row] for row in found]
    return [*found, [], []][:2]


def _wide(game: Game, look: Look, art: Picture, columns: int, rows: int, depth: Depth, foot: Block | None) -> Block:
    """The map on the left, the panes on the right."""
    right = min(max(36, columns * 3 // 10), 60)
    if foot is None:
        foot = written(footer.footer(game, look, columns, 1), columns)
    room = rows - 1 - foot.height
    left = columns - right - 1
    top = written([status.status(game, columns)], columns)
    picture = fitted(art.draw(game.state, marks(game, look), left, room, depth), left, room)
    rule = Block([[("class:frame", "│")]] * room)
    return stacked(fitted(top, columns, 1), beside(beside(picture, rule), _panes(game, look, right, room)), foot)


def _panes(game: Game, look: Look, columns: int, rows: int) -> Block:
    """Panes below one another, as many and as much of each as there is room for."""
    shown: dict[str, Block] = {}
    left = rows
    for name, made in _offers(game, look, columns):
        block = written(made, columns)
        more = block.height - (shown[name].height if name in shown else 0)
        if more <= left - (0 if name == "scores" else 6):
            shown[name] = block
            left -= more
    talked = max(left // 3, 3) if left >= 12 else 0
    shown["log"] = talk.log(game, look, columns, left - talked)
    if talked:
        shown["chat"] = talk.chat(game, look, columns, talked)
    order = ("scores", "selection", "market", "empires", "log", "chat")
    return fitted(stacked(*(shown[name] for name in order if name in shown)), columns, rows)


def _offers(game: Game, look: Look, columns: int) -> Sequence[tuple[str, list[Row]]]:
    """Panes in the order in which they get room; one that comes again replaces the smaller one."""
    found = [("scores", scores.scores(game, columns, with_bars=False))]
    if look.plan is not None:
        found.append(("selection", placement.placement(game, look, columns)))
    elif look.preview is not None:
        found.append(("selection", preview.preview(game, look.preview, columns)))
    elif look.province:
        found.append(("selection", selection.selection(game, look, columns)))
    found.append(("market", market.essentials(game, look, columns)))
    found.append(("scores", scores.scores(game, columns, with_bars=True)))
    found.append(("empires", empires.empires(game, columns, with_provinces=False)))
    found.append(("market", market.market(game, look, columns)))
    found.append(("empires", empires.empires(game, columns, with_provinces=True)))
    return found

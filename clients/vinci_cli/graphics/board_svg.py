"""Draws the board as SVG, from a map, the provinces of the board, and optionally a position.

It knows no rules. `labels` and `legend` tell the places of texts and symbols; `templates/board.svg`
draws them.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from vinci.v1 import game_pb2 as pb
from vinci_html.pages import environment

from ..text.names import Catalogue
from . import symbols
from .labels import BASE, HATCH, SEA_SPACING, TOKEN, Box, LabelPart, labels
from .legend import MARGIN, TITLE, TITLE_SPACING, legend_of, title_of

BAND: Final = 26
"""Width of the line in an owner's colour along a border; its outer half is clipped."""


def svg(
    board_map: pb.BoardMap, board: pb.Board, state: pb.State | None, names: Catalogue, *, legend: bool = True
) -> str:
    """Return the board as an SVG element; without a state it is empty, without a legend only the map is drawn."""
    parts, bounds = written(board_map, board, state, names, legend=legend)
    holdings = zip(state.provinces, state.owners, state.holdings, strict=True) if state is not None else ()
    held = {
        code: (owner, holding == pb.HOLDING_DECLINED)
        for code, owner, holding in holdings
        if holding != pb.HOLDING_NOBODY
    }
    return drawn(board_map, board, parts, bounds, held, has_position=state is not None, legend=legend)


def drawn(
    board_map: pb.BoardMap,
    board: pb.Board,
    parts: Sequence[LabelPart],
    bounds: Box,
    held: Mapping[str, object],
    *,
    has_position: bool = True,
    legend: bool = True,
    film: Mapping[str, object] | None = None,
) -> str:
    """Draw the board.

    Args:
        board_map: the shapes.
        board: the provinces.
        parts: what is written on the map and around it.
        bounds: the bounds of the picture.
        held: for each province that is held its owner and whether the empire is declined; in a film attributes.
        has_position: whether provinces can be held.
        legend: whether there is anything around the map.
        film: for a board that changes, the names of the templates of its `style` and of what is drawn `over` the
            board, with what they use.
    """
    drawing = DRAWINGS.get_template("board.svg").render(
        board_map=board_map,
        provinces=board.provinces,
        has_position=has_position,
        held=held,
        legend=legend,
        parts=parts,
        bounds=bounds,
        film=film,
    )
    return drawing.lstrip()


def written(
    board_map: pb.BoardMap, board: pb.Board, state: pb.State | None, names: Catalogue, *, legend: bool = True
) -> tuple[list[LabelPart], Box]:
    """Return the parts on top of the map, and the bounds of the picture."""
    parts = labels(board_map, board, state, names)
    if not legend:
        return parts, Box(0, 0, board_map.width, board_map.height)
    below, end = legend_of(board_map, state, names)
    top = TITLE * 2.6
    bounds = Box(-MARGIN, -top, board_map.width + 2 * MARGIN, top + end + MARGIN * 0.6)
    return [*title_of(board_map, state), *parts, *below], bounds


def outline(shape: pb.Shape) -> str:
    """Return the rings of a shape as path data."""
    subpaths = []
    for ring in shape.rings:
        places = list(zip(ring.points[::2], ring.points[1::2], strict=True))
        steps = (f"{bx - ax} {by - ay}" for (ax, ay), (bx, by) in pairwise(places))
        subpaths.append(f"M{places[0][0]} {places[0][1]}l{' '.join(steps)}z")
    return "".join(subpaths).replace(" -", "-")


DRAWINGS: Final = environment("vinci_cli.graphics")
DRAWINGS.filters |= {"fixed": "{:.1f}".format, "general": "{:g}".format, "rounded": round}
DRAWINGS.globals |= {
    "look": symbols,
    "outline": outline,
    "BAND": BAND,
    "BASE": BASE,
    "HATCH": HATCH,
    "TOKEN": TOKEN,
    "SEA_SPACING": SEA_SPACING,
    "TITLE_SPACING": TITLE_SPACING,
}

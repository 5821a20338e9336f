"""Draws the board as SVG, from a map, the provinces of the board, and optionally a position.

It knows no rules. `labels` and `legend` tell the places of texts and symbols; `templates/board.svg`
draws them.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from vinci.v1 import game_pb2 as pb
from vinci_html.pages import environment

from ..exceptions import Failed
from ..game.replay import PlayedGame
from ..text.i18n import _
from ..text.names import Catalogue
from . import symbols
from .labels import BASE, HATCH, SEA_SPACING, TOKEN, Box, LabelPart, labels
from .legend import MARGIN, TITLE, TITLE_SPACING, legend_of, title_of

BAND: Final = 26
"""Width of the line in an owner's colour along a border; its outer half is clipped."""

HOLDERS: Final = ("", *(f"own{seat}" for seat in range(7)), *(f"dec{seat}" for seat in range(1, 7)))
"""Classes of a province: held by nobody, neutral (`own0`), in an active empire, in a declined one."""
SEATS_OF: Final = ("", *map(str, range(7)), *map(str, range(1, 7)))
"""Number of the seat of each of HOLDERS."""


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


class Place(NamedTuple):
    """Contents of a province: number of its holder in HOLDERS, pawns, whether there is a fort."""

    holder: int
    pawns: int
    fort: bool


class Stage(NamedTuple):
    """The board of a game without what changes: names, marks and pawns have one place for the whole game.

    Attributes:
        parts: what is written on it.
        marks: places of forts, and of pawns, wide enough for the most that ever stand there.
        bounds: the bounds of the map with its legend.
        held: codes of the provinces that are held at some step.
    """

    parts: Sequence[LabelPart]
    marks: Sequence[LabelPart]
    bounds: Box
    held: Sequence[str]


def places(state: pb.State) -> list[Place]:
    """Return what stands in each province, in board order."""
    rows = zip(state.holdings, state.owners, state.pawns, state.forts, strict=True)
    return [Place(_holder(holding, owner), pawns, fort) for holding, owner, pawns, fort in rows]


def _holder(holding: pb.Holding.ValueType, owner: int) -> int:
    if holding == pb.HOLDING_NOBODY:
        return 0
    return HOLDERS.index(f"dec{owner}" if holding == pb.HOLDING_DECLINED else f"own{owner}")


def stage(played: PlayedGame, *, legend: bool = True) -> Stage:
    """Place what is written on the board of a game, and its legend if wanted."""
    states = [update.state for update in played.updates]
    widest = pb.State()
    widest.CopyFrom(states[-1])
    del widest.pawns[:], widest.forts[:]
    widest.pawns.extend(max(pawns) for pawns in zip(*(state.pawns for state in states), strict=True))
    widest.forts.extend(any(forts) for forts in zip(*(state.forts for state in states), strict=True))
    board_map, names = played.board_map, played.names
    parts = labels(board_map, played.board, widest, names)
    below, end = legend_of(board_map, states[-1], names, seats=False) if legend else ([], board_map.height)
    kept = [part for part in parts if part.kind not in ("token", "fort")]
    marks = [part for part in parts if part.kind in ("token", "fort")]
    frame = MARGIN / 3
    bounds = Box(-frame, -frame, board_map.width + 2 * frame, end + 1.5 * frame)
    rows = zip(widest.provinces, *(state.holdings for state in states), strict=True)
    held = [code for code, *holdings in rows if {*holdings} != {pb.HOLDING_NOBODY}]
    return Stage([*kept, *below], marks, bounds, held)


def save(path: Path, drawing: str) -> None:
    """Write a drawing or a page to a file in a folder that need not be there. Raises Failed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(drawing, encoding="utf-8")
    except OSError as error:
        raise Failed(_("{path} cannot be written: {why}").format(path=path, why=error.strerror or error)) from None


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

"""Writes the map of every board, `map.json` in its folder; with `--check`, only tells whether they are up to date.

Run as `python -m tools.board_map [--check]`; needs `pip install -e '.[tools]'`. What a map is made from lies in
tools/board_maps: a coastline and control points.
"""

import sys
from pathlib import Path
from typing import Any

from shapely.geometry.base import BaseGeometry

from tools import cartography, waters
from tools.cartography import BEYOND, Design
from tools.generated import keep
from tools.map_labels import with_labels, written
from vinci_rules.board import Board, board_names, load_board
from vinci_rules.data import DATA


def shape(code: str, area: BaseGeometry, flatness: float = 0.5) -> dict[str, Any]:
    """An area as the message has it, as a dictionary."""
    rings = [ring for part in cartography.polygons(area) for ring in (part.exterior, *part.interiors)]
    x, y = cartography.label(area, flatness) if code else (0, 0)
    points = [{"points": [int(number) for place in ring.coords[:-1] for number in place]} for ring in rings]
    return {"code": code, "rings": points, "labelX": x, "labelY": y}


def board_map(board: Board) -> dict[str, Any]:
    """The map of a board, as the message `BoardMap` as a dictionary."""
    design = Design(board.name)
    land = cartography.provinces(design)
    dark = waters.seas(design, land, {sea.code: board.codes_of(sea.provinces) for sea in board.seas})
    light = waters.coasts(design, land, dark, {name: board.codes_of(shore) for name, shore in board.coasts})
    pairs = [
        (board.codes[p], other)
        for p in board.provinces
        for other in board.codes_of(board.straits[p])
        if board.index[other] > p
    ]
    return {
        "board": board.name,
        "width": design.width,
        "height": design.height,
        "provinces": [shape(code, land[code]) for code in board.codes],
        "seas": [shape(sea.code, dark[sea.code], 0.35) for sea in board.seas],
        "coasts": [shape(name, light[name]) for name, _ in board.coasts],
        "straits": [
            {"provinces": pair, "points": points}
            for pair, points in zip(pairs, waters.straits(land, pairs), strict=True)
        ],
        "beyond": shape(BEYOND, land[BEYOND]),
        "credit": design.data["credit"],
    }


def main() -> int:
    """0 if all maps are, or now are, up to date."""
    boards = {name: load_board(name) for name in board_names()}
    fresh = {name: written(with_labels(board_map(board), board)) for name, board in boards.items()}
    return max(
        keep(Path(str(DATA)) / "boards" / name / "map.json", text, "is not what the tool draws")
        for name, text in fresh.items()
    )


if __name__ == "__main__":
    sys.exit(main())

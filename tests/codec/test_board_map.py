"""Board maps: their shapes match the board tables, and can be checked without the drawing tool."""

import json
import subprocess
import sys
from collections import defaultdict
from math import ceil, dist

import pytest

from tests.support.codec.geometry import CLOSE, Place, crosses, edges, is_inside, places, samples, touching
from tests.support.paths import PROJECT
from tools import map_labels
from vinci.v1 import game_pb2 as pb
from vinci_codec.catalogue import board_map
from vinci_rules.board import board_names, load_board
from vinci_rules.data import DATA

LEAST_BORDER = 15
"""Units of the map; a shorter border would hardly be seen."""

boards = pytest.mark.parametrize("name", board_names())


@boards
def test_map_has_the_shapes_of_its_board_in_board_order(name: str) -> None:
    """Shapes of provinces, seas and coasts lie within the map, which names its source."""
    board, drawn = load_board(name), board_map(name)
    assert drawn.board == name
    assert drawn.credit
    assert [shape.code for shape in drawn.provinces] == list(board.codes)
    assert [shape.code for shape in drawn.seas] == [sea.code for sea in board.seas]
    assert [shape.code for shape in drawn.coasts] == [coast for coast, _ in board.coasts]
    for shape in (*drawn.provinces, *drawn.seas, *drawn.coasts, drawn.beyond):
        for ring in shape.rings:
            assert all(0 <= x <= drawn.width and 0 <= y <= drawn.height for x, y in places(ring.points))


@boards
def test_places_of_labels_are_what_the_tool_computes(name: str) -> None:
    """A change of a name or of the solver that is not written into the map is found; Shapely is not needed."""
    drawing = json.loads((DATA / "boards" / name / "map.json").read_text(encoding="utf-8"))
    assert map_labels.with_labels(drawing, load_board(name)) == drawing


@boards
def test_rings_are_simple_polygons(name: str) -> None:
    """A ring has at least three corners, no two equal in a row, and no crossing edges."""
    drawn = board_map(name)
    for shape in (*drawn.provinces, *drawn.seas, *drawn.coasts, drawn.beyond):
        assert shape.rings, shape.code
        for ring in shape.rings:
            lines = list(edges(pb.Shape(rings=[ring])))
            assert len(lines) >= 3
            assert all(start != end for start, end in lines)
            lines.sort(key=lambda edge: min(edge[0][1], edge[1][1]))
            for place, one in enumerate(lines):
                lowest = max(one[0][1], one[1][1])
                for other in lines[place + 1 :]:
                    if min(other[0][1], other[1][1]) > lowest:
                        break
                    assert not crosses(one, other), (shape.code, one, other)


@boards
def test_shared_edges_match_the_land_borders(name: str) -> None:
    """Two provinces share visible edges if and only if they are adjacent by land."""
    board, drawn = load_board(name), board_map(name)
    owners: dict[frozenset[Place], set[str]] = {}
    for shape in drawn.provinces:
        for edge in edges(shape):
            owners.setdefault(frozenset(edge), set()).add(shape.code)
    lengths: defaultdict[frozenset[str], float] = defaultdict(float)
    for edge_places, codes in owners.items():
        assert len(codes) <= 2
        if len(codes) == 2:
            lengths[frozenset(codes)] += dist(*edge_places)
    wanted = {
        frozenset((board.codes[p], code))
        for p in board.provinces
        for code in board.codes_of(board.neighbours[p] & ~board.straits[p])
    }
    assert set(lengths) == wanted
    assert min(lengths.values()) >= LEAST_BORDER


@boards
def test_seas_touch_exactly_their_provinces(name: str) -> None:
    """The drawing shows what R-CONQ-4 and R-ENTRY-1 depend on."""
    board, drawn = load_board(name), board_map(name)
    for sea, shape in zip(board.seas, drawn.seas, strict=True):
        assert touching(shape, drawn.provinces) == set(board.codes_of(sea.provinces)), sea.code


@boards
def test_coasts_touch_exactly_their_provinces(name: str) -> None:
    """The drawing shows what Galleys depend on."""
    board, drawn = load_board(name), board_map(name)
    for (coast, provinces), shape in zip(board.coasts, drawn.coasts, strict=True):
        assert touching(shape, drawn.provinces) == set(board.codes_of(provinces)), coast


@boards
def test_labels_lie_in_their_shapes(name: str) -> None:
    """Each label lies in its shape, that of a sea on no land."""
    drawn = board_map(name)
    shapes = [*drawn.provinces, drawn.beyond, *drawn.seas]
    for shape in (*drawn.provinces, *drawn.seas):
        label = (shape.label_x + 0.1, shape.label_y + 0.1)
        assert [other.code for other in shapes if is_inside(other, label)] == [shape.code]


@boards
def test_lines_are_drawn_for_exactly_the_straits(name: str) -> None:
    """A line leads from province to province over water, and over no other province."""
    board, drawn = load_board(name), board_map(name)
    shapes = {shape.code: shape for shape in drawn.provinces}
    lines = [tuple(line.provinces) for line in drawn.straits]
    straits = [(p, q) for p in board.codes for q in board.codes_of(board.straits[board.index[p]])]
    assert sorted(lines) == sorted((p, q) for p, q in straits if board.index[p] < board.index[q])
    for line in drawn.straits:
        start, end = places(line.points)
        for code, shore in zip(line.provinces, (start, end), strict=True):
            assert is_inside(shapes[code], shore) or min(dist(shore, place) for place in samples(shapes[code])) < CLOSE
        length = ceil(dist(start, end))
        way = [
            (start[0] + (end[0] - start[0]) * at / length, start[1] + (end[1] - start[1]) * at / length)
            for at in range(length)
        ]
        crossed = {code for place in way for code, shape in shapes.items() if is_inside(shape, place)}
        assert crossed <= set(line.provinces)


@pytest.mark.slow
def test_maps_match_the_output_of_the_tool() -> None:
    """The tool needs Shapely, which nothing else uses."""
    pytest.importorskip("shapely")
    ended = subprocess.run(
        [sys.executable, "-m", "tools.board_map", "--check"], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout

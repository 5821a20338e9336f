"""The board as terminal cells: its contents, clickable cells and redrawn lines."""

from itertools import combinations

import pytest

from tests.support.cli_runner import is_kept
from tests.support.full_screen.boards import MARKED, SIZES, art, crowded, empty, hold
from tests.support.full_screen.colours import DEPTHS
from tests.support.full_screen.games import game, text_of
from vinci.v1 import game_pb2 as pb
from vinci_cli.full.map.labels import places
from vinci_cli.full.map.map import Marks
from vinci_cli.full.map.raster import Raster
from vinci_cli.full.map.symbols import legend
from vinci_cli.full.table.panes.help import help_text
from vinci_cli.full.table.ui_state import UiState
from vinci_cli.full.toolkit.block import Block, Depth, width
from vinci_cli.full.toolkit.theme import style_sheet
from vinci_cli.records.loader import names_of
from vinci_codec.board_map import board_map
from vinci_rules.board import load_board

NAMES = names_of(load_board("europe"))
DIRECTIONS = ("left", "right", "up", "down")


def provinces_in(block: Block) -> set[str]:
    """Return the clickable provinces."""
    return {hit.target.removeprefix("province ") for hit in block.hits}


def texts_of(block: Block) -> list[str]:
    """Return the lines of a drawing as text."""
    return ["".join(text for _, text in line) for line in block.lines]


def label_of(block: Block, code: str) -> str:
    """Return the text on the cells that belong to a province."""
    lines = texts_of(block)
    return " ".join(lines[hit.row][hit.start : hit.stop + 1] for hit in block.hits if hit.target == f"province {code}")


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("size", SIZES)
def test_every_province_shows_code_owner_pawns_and_fort(size: tuple[int, int], depth: Depth) -> None:
    """At every size and colour depth each province of a full board shows code or name, owner, pawns and fort."""
    state = crowded()
    block = art().draw(state, Marks(), *size, depth)
    fort = {meaning: sign for sign, meaning in legend(depth)}["fort"]
    held = zip(state.provinces, state.holdings, state.owners, state.pawns, strict=True)
    for code, holding, owner, pawns in held:
        label = label_of(block, code)
        assert code in label or NAMES.province(code) in label
        assert f"{owner}:{pawns}{fort}" in label if holding == pb.HOLDING_ACTIVE else f"{owner}-{fort}" in label


@pytest.mark.parametrize("depth", DEPTHS)
def test_terrain_mine_and_port_have_signs(depth: Depth) -> None:
    """Nothing about a province is shown by colour alone."""
    block = art().draw(empty(), Marks(), 80, 17, depth)
    sign = {meaning: sign for sign, meaning in legend(depth)}
    for code, expected in (
        ("CAS", ("hills", "mine")),
        ("FLA", ("farmland", "port")),
        ("ALP", ("mountain",)),
        ("SAX", ("forest",)),
        ("PAN", ("pasture",)),
    ):
        assert "".join(sign[meaning] for meaning in expected) in label_of(block, code)


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("size", SIZES)
def test_marks_have_text(size: tuple[int, int], depth: Depth) -> None:
    """Costs, planned pawns and losses are readable without colours."""
    block = art().draw(crowded(), MARKED, *size, depth)
    sign = {meaning: sign for sign, meaning in legend(depth)}
    cost = sign["can be conquered with 5 pawns"][0]
    for code, pawns in (("FLA", 4), ("SAX", 12), ("BAV", 3)):
        assert f"{cost}{pawns}" in label_of(block, code)
    assert f"{cost}13" in label_of(block, "IRL")
    assert f"{cost}2{sign['fort']}" in label_of(block, "SCO")
    assert sign["would be lost"] in label_of(block, "MUS")


@pytest.mark.parametrize("depth", DEPTHS)
def test_help_explains_the_signs(depth: Depth) -> None:
    """Every sign of the map is explained in the help, as drawn at this depth."""
    lines = help_text(game(text_of(4, "start")), UiState(), depth).split("\n")
    for sign, meaning in legend(depth):
        assert f"{sign:<10}  {meaning}" in lines


@pytest.mark.parametrize("columns", range(70, 121, 7))
@pytest.mark.parametrize("rows", [15, 17, 18, 20, 24, 31])
def test_labels_never_overlap(columns: int, rows: int) -> None:
    """At any size each cell belongs to at most one label, and each label lies partly on its own province."""
    raster = Raster(board_map("europe"), columns, rows)
    labels = places(raster, [NAMES.province(code) for code in NAMES.provinces], [3] * len(NAMES.provinces))
    cells = [
        {
            (row, column)
            for row in range(its.row, its.row + its.height)
            for column in range(its.column, its.column + its.width)
        }
        for its in labels
    ]
    assert not any(one & other for one, other in combinations(cells, 2))
    for number, its in enumerate(cells):
        assert any(
            number in (raster.pixels[2 * row][column], raster.pixels[2 * row + 1][column]) for row, column in its
        )


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("size", [*SIZES, (40, 10)])
def test_map_has_the_requested_size(size: tuple[int, int], depth: Depth) -> None:
    """With and without marks, lines and rows are as many as requested."""
    for marks in (Marks(), MARKED):
        block = art().draw(crowded(), marks, *size, depth)
        assert [width(line) for line in block.lines] == [size[0]] * size[1]


@pytest.mark.parametrize("board", ["europe", "tiny"])
@pytest.mark.parametrize("size", SIZES)
def test_every_province_can_be_clicked(board: str, size: tuple[int, int]) -> None:
    """Each province has clickable cells, and its code or name lies on them."""
    state, names = empty(board), names_of(load_board(board))
    block = art(board).draw(state, Marks(), *size, 24)
    assert provinces_in(block) == set(state.provinces)
    for code in state.provinces:
        assert code in label_of(block, code) or names.province(code) in label_of(block, code)


@pytest.mark.parametrize("board", ["europe", "tiny"])
def test_arrow_keys_reach_every_province(board: str) -> None:
    """Left, right, up and down lead from every province to every other."""
    codes = set(empty(board).provinces)
    for start in codes:
        reached, before = {start}, set[str]()
        while reached != before:
            before, reached = (
                reached,
                reached | {art(board).toward(code, way) for code in reached for way in DIRECTIONS},
            )
        assert reached == codes


def test_first_arrow_key_selects_a_province() -> None:
    """Without a selection an arrow key selects a province."""
    assert art().toward("", "left") == "IRL"


def test_arrow_key_selects_a_near_province_in_its_direction() -> None:
    """An arrow key selects a near province in its direction."""
    assert art().toward("SAX", "right") == "POM"
    assert art().toward("LUS", "right") in {"CAS", "BAE"}
    assert art().toward("URA", "up") == "URA"


@pytest.mark.parametrize("depth", DEPTHS)
def test_unchanged_lines_are_not_redrawn(depth: Depth) -> None:
    """After an event in the north the lines of the south are identical, so they are not redrawn."""
    state = crowded()
    before = art().draw(state, Marks(), 106, 48, depth)
    hold(state, "LAP", pb.HOLDING_ACTIVE, 1, 3)
    after = art().draw(state, Marks(), 106, 48, depth)
    same = [one is other for one, other in zip(before.lines, after.lines, strict=True)]
    assert not all(same[:14])
    assert all(same[24:])


@pytest.mark.parametrize("depth", DEPTHS)
def test_drawing_does_not_depend_on_earlier_drawings(depth: Depth) -> None:
    """A drawing does not depend on earlier drawings."""
    first = art().draw(empty(), Marks(), 80, 19, depth).lines
    art().draw(crowded(), MARKED, 80, 19, depth)
    assert art().draw(empty(), Marks(), 80, 19, depth).lines == first


@pytest.mark.parametrize("depth", DEPTHS)
def test_all_styles_are_defined(depth: Depth) -> None:
    """Every style of the map is in the style sheet, and without colours there are none."""
    sheet = style_sheet(depth)
    for style in {style for line in art().draw(crowded(), MARKED, 80, 19, depth).lines for style, _ in line}:
        look = sheet.get_attrs_for_style_str(style)
        assert depth > 1 or not (look.color or look.bgcolor)
        assert depth == 1 or look.bgcolor


def test_board_is_empty_before_the_start() -> None:
    """Without a state the board is drawn empty."""
    assert art().draw(None, Marks(), 80, 19, 1).lines == art().draw(empty(), Marks(), 80, 19, 1).lines


@pytest.mark.parametrize(
    ("name", "size", "marks", "held"),
    [
        ("empty", (80, 19), Marks(), False),
        ("crowded", (80, 19), MARKED, True),
        ("smallest", (73, 17), Marks(), True),
        ("large", (106, 48), MARKED, True),
    ],
)
def test_monochrome_map_matches_its_golden_file(name: str, size: tuple[int, int], marks: Marks, held: bool) -> None:
    """The board without colours matches its golden file."""
    state = crowded() if held else empty()
    is_kept(f"full/map-{name}.txt", art().draw(state, marks, *size, 1).text() + "\n")

"""The board as terminal cells: its contents, clickable cells and redrawn lines."""

from itertools import combinations

import pytest

from tests.support.cli_runner import is_kept
from tests.support.full_screen.boards import MARKED, SIZES, art, crowded, empty, hold
from tests.support.full_screen.colours import DEPTHS
from tests.support.full_screen.displays import shown_on
from tests.support.full_screen.games import game, text_of
from vinci.v1 import game_pb2 as pb
from vinci_cli.full.map import arrows
from vinci_cli.full.map import map as maps
from vinci_cli.full.map.blocks import STROKE
from vinci_cli.full.map.labels import places
from vinci_cli.full.map.map import Art, Marks
from vinci_cli.full.map.minimap import FADED
from vinci_cli.full.map.raster import Raster
from vinci_cli.full.map.symbols import DRAWN, legend, signs
from vinci_cli.full.table.panes.help import help_text
from vinci_cli.full.table.ui_state import UiState
from vinci_cli.full.toolkit import display
from vinci_cli.full.toolkit.block import Block, Depth, width
from vinci_cli.full.toolkit.theme import MIXED, mixed, style_sheet
from vinci_cli.records.loader import names_of
from vinci_cli.text.names import Catalogue
from vinci_cli.text.recap import Attack
from vinci_codec import catalogue as messages
from vinci_codec.catalogue import board_map
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
    fort = {its.meaning: its.sign for its in legend(depth, NAMES)}["fort"]
    held = zip(state.provinces, state.holdings, state.owners, state.pawns, strict=True)
    for code, holding, owner, pawns in held:
        label = label_of(block, code)
        assert code in label or NAMES.province(code) in label
        assert f"{owner}:{pawns}{fort}" in label if holding == pb.HOLDING_ACTIVE else f"{owner}-{fort}" in label


@pytest.mark.parametrize("depth", DEPTHS)
def test_terrain_mine_and_port_have_signs(depth: Depth) -> None:
    """Nothing about a province is shown by colour alone."""
    block = art().draw(empty(), Marks(), 80, 17, depth)
    sign = {its.meaning: its.sign for its in legend(depth, NAMES)}
    for code, expected in (
        ("CAS", ("Hills (costs 2)", "mine")),
        ("FLA", ("Farmland (costs 2)", "port")),
        ("ALP", ("Mountain (costs 3)",)),
        ("SAX", ("Forest (costs 3)",)),
        ("PAN", ("Pasture (costs 2)",)),
    ):
        assert "".join(sign[meaning] for meaning in expected) in label_of(block, code)


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("size", SIZES)
def test_marks_have_text(size: tuple[int, int], depth: Depth) -> None:
    """Costs, planned pawns and losses are readable without colours."""
    block = art().draw(crowded(), MARKED, *size, depth)
    sign = {its.meaning: its.sign for its in legend(depth, NAMES)}
    cost = sign["can be conquered with 5 pawns"][0]
    for code, pawns in (("FLA", 4), ("SAX", 12), ("BAV", 3)):
        assert f"{cost}{pawns}" in label_of(block, code)
    becomes = sign["3 pawns now, 5 as planned"][1]
    assert f"{becomes}13" in label_of(block, "IRL")
    assert f"{becomes}2{sign['fort']}" in label_of(block, "SCO")
    assert sign["would be lost"] in label_of(block, "MUS")


def test_change_leaves_the_colours_of_owners() -> None:
    """A mark for what was taken or lost is at its name; every other cell stays as it was."""
    state = crowded()
    plain, marked = (art().draw(state, Marks(changed=frozenset(changed)), 106, 48, 24) for changed in ((), ("POL",)))
    cells = [[(style, letter) for style, text in line for letter in text] for line in (*plain.lines, *marked.lines)]
    differing = [
        (row, column)
        for row in range(48)
        for column, (one, other) in enumerate(zip(cells[row], cells[48 + row], strict=True))
        if one != other
    ]
    name = next(row for row, text in enumerate(texts_of(plain)) if "Poland" in text)
    start = texts_of(plain)[name].index("Poland")
    assert differing
    assert all(row == name and start <= column < start + len("Poland p") for row, column in differing)


@pytest.mark.parametrize("blocks", display.BLOCKS)
def test_land_is_tinted_by_owner(blocks: str) -> None:
    """Own land, land of others and declined empires have their tints, rims and, if declined, hatching."""
    with shown_on("light", blocks):
        colours = MIXED["light"]
        for holding, own in ((pb.HOLDING_ACTIVE, 2), (pb.HOLDING_ACTIVE, 1), (pb.HOLDING_DECLINED, 2)):
            state, is_declined = empty(), holding == pb.HOLDING_DECLINED
            hold(state, "VOL", holding, 2, 1)
            block = art().draw(state, Marks(own=own), 106, 48, 24)
            cells = {(style, letter) for line in block.lines for style, text in line for letter in text}
            fill = colours.fill("pasture", 2, is_declined=is_declined, is_own=own == 2 and not is_declined)
            rim = colours.rim(2, is_declined=is_declined, fill=fill)
            styles = {style for style, _letter in cells}
            assert any(style.endswith(f"bg:{fill}") for style in styles)
            assert {f"fg:{fill} bg:{rim}", f"fg:{rim} bg:{fill}"} & styles
            assert ((f"fg:{colours.line(fill)} bg:{fill}", STROKE) in cells) == is_declined


def test_finer_blocks_have_the_same_labels_and_clicks() -> None:
    """Provinces are clicked where they are drawn, whatever block characters draw them."""
    for blocks in display.BLOCKS:
        with shown_on(blocks=blocks):
            block = art().draw(crowded(), MARKED, 106, 48, 24)
            assert [width(line) for line in block.lines] == [106] * 48
            row, column = next(
                (row, text.index("Volga")) for row, text in enumerate(texts_of(block)) if "Volga" in text
            )
            assert {block.at(row + down, column + right) for down in (-2, 0, 2) for right in (0, 6)} == {"province VOL"}


@pytest.mark.parametrize("depth", DEPTHS)
def test_help_explains_the_signs(depth: Depth) -> None:
    """Every sign of the map is explained in the help, as drawn at this depth."""
    here = game(text_of(4, "start"))
    lines = help_text(here, UiState(), depth).split("\n")
    for its in legend(depth, here.names):
        assert f"{its.sign:<10}  {its.meaning}" in lines
    assert f"{signs(depth).mountain:<10}  Mountain (costs 3)" in lines


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


@pytest.mark.parametrize("blocks", ["sextants", "quadrants"])
def test_map_of_fine_blocks_matches_its_golden_file(blocks: str) -> None:
    """The map of a window of 120x40 and the zoomed one of 80x24 match the golden file."""
    with shown_on(blocks=blocks):
        drawings = [
            art.__wrapped__().draw(crowded(), MARKED, *size, 24, zooms=True).text() for size in ((79, 38), (80, 17))
        ]
    is_kept(f"full/map-{blocks}.txt", "\n\n".join(drawings) + "\n")


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


@pytest.mark.parametrize("size", SIZES)
def test_place_of_a_province_lies_within_it(size: tuple[int, int]) -> None:
    """The place of a province on the drawn board is a cell of that province, or None if it is not seen."""
    block = art().draw(crowded(), MARKED, *size, 24)
    places = {code: art().place(code, *size) for code in crowded().provinces}
    seen = {code: place for code, place in places.items() if place is not None}
    assert seen
    assert [block.at(*place) for place in seen.values()] == [f"province {code}" for code in seen]


def test_arrows_of_attacks_lie_between_labels() -> None:
    """An arrow leads from one province to another, in the colour of its seat, and hides no label and no click target."""
    board = art().draw(crowded(), Marks(), 106, 48, 24)

    def place(code: str) -> tuple[int, int] | None:
        return art().place(code, 106, 48)

    drawn = arrows.drawn(board, [Attack(2, "LUS", "URA"), Attack(3, "", "SCO"), Attack(1, "", "nowhere")], place, 24)
    changed = [
        (row, column)
        for row, (before, after) in enumerate(zip(board.text().split("\n"), drawn.text().split("\n"), strict=True))
        for column, (old, new) in enumerate(zip(before, after, strict=False))
        if old != new
    ]
    assert drawn.text().count("▶") == 1
    assert sum(line.count("▼") for line in drawn.text().split("\n")) == 1
    for code in ("LUS", "URA", "SCO"):
        row, column = place(code) or (0, 0)
        assert not {(row, column), (row - 1, column)} & set(changed)
    assert drawn.hits == board.hits
    assert arrows.drawn(board, [], place, 24) is board


@pytest.mark.parametrize("depth", DEPTHS)
def test_small_map_is_zoomed_around_the_selection(depth: Depth) -> None:
    """Wherever the selection is, its label with owner and fort is seen, and far provinces are clicked in the corner."""
    state = crowded()
    for code, owner in zip(state.provinces, state.owners, strict=True):
        block = art().draw(state, Marks(selected=code), 80, 17, depth, zooms=True)
        assert [width(line) for line in block.lines] == [80] * 17
        label = label_of(block, code)
        assert code in label or NAMES.province(code) in label
        assert str(owner) in label
        assert {"VOL", "CAS", "SVE"} <= provinces_in(block)


def test_zoomed_map_stays_while_the_selection_is_inside() -> None:
    """A selection near the last one does not move the map, so that a second click hits the same province."""
    board = art.__wrapped__()
    first = board.draw(empty(), Marks(selected="BAV"), 80, 17, 1, zooms=True)
    place = next(hit for hit in first.hits if hit.target == "province BOH")
    second = board.draw(empty(), Marks(selected="BOH"), 80, 17, 1, zooms=True)
    assert second.at(place.row, place.start) == "province BOH"


def test_zoomed_map_follows_what_happens() -> None:
    """Without a selection it shows what was taken last, then own land."""
    state = empty()
    hold(state, "VOL", pb.HOLDING_ACTIVE, 2, 1)
    hold(state, "LUS", pb.HOLDING_ACTIVE, 1, 1)
    taken = art().draw(state, Marks(changed=frozenset({"VOL"}), own=1), 80, 17, 1, zooms=True).text()
    assert "Volga" in taken
    assert "LUS" not in taken
    assert "LUS" in art().draw(state, Marks(own=1), 80, 17, 1, zooms=True).text()


def test_corner_of_a_zoomed_map_shows_owners() -> None:
    """The corner has the number of each owner without colours, and the colours of seats with them."""
    state = empty()
    for code in ("MUS", "VOL", "NOV"):
        hold(state, code, pb.HOLDING_ACTIVE, 5, 1)
    text = art().draw(state, Marks(selected="LUS"), 80, 17, 1, zooms=True).text()
    assert "55" in text
    styles = {
        style for line in art().draw(state, Marks(selected="LUS"), 80, 17, 24, zooms=True).lines for style, _ in line
    }
    faded = mixed(MIXED["dark"].seats[5], MIXED["dark"].sea, FADED)
    assert any(faded in style for style in styles)


@pytest.mark.parametrize("board", ["europe", "tiny"])
def test_map_with_room_is_not_zoomed(board: str) -> None:
    """With room for every label the whole map is drawn."""
    whole = art(board).draw(empty(board), Marks(), 106, 48, 24)
    assert art(board).draw(empty(board), Marks(), 106, 48, 24, zooms=True).lines == whole.lines


def test_map_is_in_letters_without_utf8() -> None:
    """Without block characters in its encoding a terminal gets a map of ASCII at any depth."""
    here = Art(board_map("europe"), NAMES)
    with shown_on(is_unicode=False):
        letters = here.draw(crowded(), MARKED, 80, 19, 1)
        assert here.draw(crowded(), MARKED, 80, 19, 24).lines == letters.lines
        assert letters.text().isascii()
        assert "_|" in letters.text()
        assert all(its.sign.isascii() for its in legend(24, NAMES))


def test_pages_share_what_does_not_depend_on_the_game() -> None:
    """Maps of two games at one size do not change each other, and names follow the language of each."""
    maps.cached_picture.cache_clear()
    first, second = art(), art()
    alone = second.draw(crowded(), MARKED, 90, 30, 24).lines
    before = first.draw(empty(), Marks(), 90, 30, 24).lines
    assert maps.cached_picture.cache_info().misses == 1
    assert second.draw(crowded(), MARKED, 90, 30, 24).lines == alone != before
    assert first.draw(empty(), Marks(), 90, 30, 24).lines == before
    french = Art(board_map("europe"), Catalogue(messages.board(load_board("europe")), messages.traits(), "fr"))
    assert "Laponie" in french.draw(empty(), Marks(), 160, 50, 24).text()
    assert "Lapland" in first.draw(empty(), Marks(), 160, 50, 24).text()


def test_map_without_colours_has_lines_and_signs() -> None:
    """Without colours borders are lines that join, and terrains have their signs; the console lacks these."""
    text = art().draw(empty(), Marks(), 120, 40, 1).text()
    assert not set("_|") & set(text)
    lines = text.split("\n")
    corners = [(row, x) for row, line in enumerate(lines) for x, letter in enumerate(line) if letter == "┐"]
    assert len(corners) > 20
    assert sum(lines[row + 1][x : x + 1] in "│┘└├┤┼┴┬" for row, x in corners) > len(corners) * 0.9  # else a label
    assert set(DRAWN[:5]) <= set(text)
    with shown_on():
        display.current().is_console = True
        assert signs(1) == signs(4)

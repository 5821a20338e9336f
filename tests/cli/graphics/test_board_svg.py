"""The board as SVG: labels do not overlap, and everything of a position is drawn."""

from itertools import combinations
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from tests.support.cli_runner import BORDER, vinci
from tests.support.codec.geometry import is_inside
from tests.support.full_screen.colours import contrast, within
from tests.support.paths import DOCS
from vinci.v1 import game_pb2 as pb
from vinci_cli.graphics import board_svg
from vinci_cli.graphics.labels import LabelPart, labels
from vinci_cli.graphics.symbols import ON_SEATS, SEATS
from vinci_cli.text.i18n import LANGUAGES
from vinci_cli.text.names import Catalogue
from vinci_codec import catalogue as messages
from vinci_codec import states
from vinci_codec.catalogue import board_map
from vinci_rules import position
from vinci_rules.board import board_names, load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import options
from vinci_rules.engine import new_game, play
from vinci_rules.playout import random_action

HELD = (
    "europe; round 8; order 1 3 4 2; turn 1 conquer;"
    " seat 1 vp=63 | MIN*+MIL reserve=7 LAP=4 | - LUS^ CAS BAE PYR AQU^ NEU^ RHI^;"
    " seat 2 dummy vp=74 | POR*+SLA IRL=3 MER=2 WES=2 ARM=2 FLA=2 | - MAS PRO ALP DAL MAC CAU TAU;"
    " seat 3 dummy vp=56 | WEA+GEN PAN=2 DAC=2 PON=3 VOL=3 | - LOM NAP;"
    " seat 4 dummy vp=84 | REN+MED SVE=1 DEN=1 FIN=1 POL=2 HEL=2 THR=1 LIV=1 NOV=1 RUT=1 MUS=2 BIT=2;"
    " neutral SAX BAV POM"
)


def names_on(board: str, language: str) -> Catalogue:
    """Return the names of a board in a language."""
    message = messages.board(load_board(board))
    return Catalogue(message, messages.traits(), language)


def parts(board: str, language: str, state: pb.State | None) -> list[LabelPart]:
    """Return all texts and symbols drawn on a board, title and legend included."""
    drawn_parts, _bounds = board_svg.written(
        board_map(board), messages.board(load_board(board)), state, names_on(board, language)
    )
    return drawn_parts


def drawn(text: str, *, legend: bool = True) -> ElementTree.Element:
    """Return a position as a drawing."""
    state = position.read(text)
    board = state.board
    message, names = messages.board(board), names_on(board.name, "en")
    picture = board_svg.svg(board_map(board.name), message, states.state(state), names, legend=legend)
    assert picture.startswith("<svg"), "programs recognise a picture by its first characters"
    return ElementTree.fromstring(picture)


def texts(picture: ElementTree.Element) -> list[str]:
    """Return all texts of a drawing."""
    return [element.text or "" for element in picture.iter("{http://www.w3.org/2000/svg}text")]


def nothing_overlaps(found: list[LabelPart]) -> None:
    """Fail if two parts overlap."""
    for one, other in combinations(found, 2):
        assert not one.box.overlaps(other.box, -0.01), (one, other)  # lines of a name abut


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("board", board_names())
def test_labels_of_an_empty_board_do_not_overlap(board: str, language: str) -> None:
    """In every language all provinces, seas, ports and mines have labels, which overlap nothing."""
    found = parts(board, language, None)
    nothing_overlaps(found)
    written = " ".join(part.text for part in found)
    drawn_on = load_board(board)
    for named in [*drawn_on.names, *(sea.names for sea in drawn_on.seas)]:
        assert all(word in written for word in named[language].split())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("board", "seats"), [("tiny", 3), ("tiny", 6), ("europe", 3), ("europe", 6)])
def test_labels_during_games_do_not_overlap(board: str, seats: int, language: str) -> None:
    """In positions of random games every garrison has a token, and no label overlaps."""
    random, chance = Random(seats), FastChance(seats)
    state = new_game(load_board(board), options((False,) * seats), chance)
    for number in range(1, 400):
        if state.phase == "over":
            break
        play(state, random_action(state, random), chance)
        if number % 90 == 0:
            message = states.state(state)
            found = parts(board, language, message)
            nothing_overlaps(found)
            tokens = [part.text for part in found if part.kind == "token"]
            assert sorted(tokens) == sorted([*(str(pawns) for pawns in message.pawns if pawns), "3", "3"])


def test_names_stand_in_the_middle_of_their_shapes_on_a_map_without_places() -> None:
    """A map of an older server, or of a board without places for labels, is drawn with all names."""
    old, board = pb.BoardMap(), messages.board(load_board("europe"))
    old.CopyFrom(board_map("europe"))
    del old.labels[:]
    names = names_on("europe", "de")
    found = labels(old, board, states.state(position.read(HELD)), names)
    middles = {
        part.text: (part.box.left + part.box.width / 2, part.box.top + part.box.height / 2)
        for part in found
        if part.kind in ("name", "sea")
    }
    shapes = [(names.province(shape.code), shape) for shape in old.provinces]
    shapes += [(names.sea(sea), shape) for sea, shape in zip(board.seas, old.seas, strict=True)]
    assert middles == {name: pytest.approx((shape.label_x, shape.label_y)) for name, shape in shapes}
    assert sum(part.kind == "token" for part in found) == sum(map(bool, states.state(position.read(HELD)).pawns))


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_lie_on_or_beside_their_provinces(language: str) -> None:
    """The centre of a name is on its province or in the water beside it, that of a sea on no province."""
    shapes = board_map("europe").provinces
    names = names_on("europe", language)
    for state in (None, states.state(position.read(HELD))):
        for part in parts("europe", language, state):
            if part.kind in ("name", "sea"):
                middle = (part.box.left + part.box.width / 2, part.box.top + part.box.height / 2)
                on = [shape.code for shape in shapes if is_inside(shape, middle)]
                assert all(part.kind == "name" and part.text in names.province(code) for code in on), (part, on)


def test_seats_and_neutral_pawns_are_distinguishable() -> None:
    """Colours differ with full colour vision and three kinds of colour blindness; numbers are readable."""
    assert within({f"seat {seat}": colour for seat, colour in enumerate(SEATS)})[0][0] > 19
    assert min(map(contrast, SEATS, ON_SEATS)) > 4.5


def test_drawing_shows_everything_in_a_position() -> None:
    """Owners have colours, declined empires hatching; forts, neutral pawns, scores and civilizations are drawn."""
    picture = drawn(HELD)
    written = texts(picture)
    assert {"Lapland", "4", "Norwegian Sea", "Round 8", "Strait"} <= set(written)
    assert "seat 4: 84 VP  ·  Renaissance+Medicine" in written
    source = ElementTree.tostring(picture, encoding="unicode")
    forts = [part for part in parts("europe", "en", states.state(position.read(HELD))) if part.kind == "fort"]
    assert len(forts) == 4 + 1
    assert source.count('"url(#declined1)"') == 7 + 1  # and one in the legend
    assert source.count('"url(#declined2)"') == 7
    assert source.count('clip-path="url(#in') == 1 + 7 + 5 + 7 + 4 + 2 + 11 + 3


def test_drawing_without_legend() -> None:
    """Without its legend the drawing can be embedded in a page that explains it."""
    picture = drawn(HELD, legend=False)
    board = board_map("europe")
    assert picture.get("viewBox") == f"0 0 {board.width} {board.height}"
    assert "Strait" not in texts(picture)
    assert "Lapland" in texts(picture)


def test_command_draws_a_board_or_a_position(tmp_path: Path) -> None:
    """The default board is Europe; a position is drawn on its own board."""
    status, text = vinci("board", "--svg", str(tmp_path / "new" / "board.svg"))
    assert (status, text) == (0, "")
    picture = (tmp_path / "new" / "board.svg").read_text(encoding="utf-8")
    assert "Lusitania" in picture
    assert len(picture) < 400_000
    assert vinci("board", "--svg", str(tmp_path / "tiny.svg"), "--position", BORDER).status == 0
    assert "Dolomite" in (tmp_path / "tiny.svg").read_text(encoding="utf-8")


def test_drawing_in_the_docs_is_current(tmp_path: Path) -> None:
    """docs/europe.svg is what the command draws; `make map` draws it anew."""
    assert vinci("board", "--svg", str(tmp_path / "board.svg")).status == 0
    drawn_anew = (tmp_path / "board.svg").read_text(encoding="utf-8")
    assert (DOCS / "europe.svg").read_text(encoding="utf-8") == drawn_anew


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--board", "asia"], f"unknown board 'asia'; known: {', '.join(board_names())}"),
        (["--position", "tiny; seat 1"], "impossible position"),
        (["--board", "tiny", "--position", BORDER], "--board cannot be combined with --position"),
    ],
)
def test_invalid_input_writes_no_file(arguments: list[str], expected: str, tmp_path: Path) -> None:
    """Invalid input is refused in a sentence, and no file is written."""
    status, text = vinci("board", "--svg", str(tmp_path / "board.svg"), *arguments)
    assert status == 2
    assert expected in text
    assert not (tmp_path / "board.svg").exists()

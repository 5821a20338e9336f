"""The table on a terminal of 80 columns and 24 lines, in positions from every phase with three to six seats.

Each file of tests/data/screens is a position (its first line) and what the seat to act is shown there, with the prompt
and the toolbar below. They were crowded moments of random games. `VINCI_UPDATE=1 pytest tests/cli/line/test_view.py` draws
them anew; the first line stays.
"""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.support.cli_runner import is_kept
from tests.support.line_client import table
from tests.support.paths import DATA
from vinci_cli.records.loader import names_of
from vinci_cli.text import tables as drawing
from vinci_cli.text.names import Catalogue
from vinci_codec import states
from vinci_players.builtin import POLICIES
from vinci_rules import position
from vinci_rules.board import load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import options
from vinci_rules.engine import apply, new_game
from vinci_rules.state import State

SCREENS: Final = sorted((DATA / "screens").glob("*.txt"))
COLUMNS: Final = 80
LINES: Final = 24
PHASES: Final = ("draft", "start", "peace", "abandon", "conquer", "renaissance", "redeploy", "over")
PLAYERS: Final = ("Ann", "Bartholomew the Second", "Cleopatra", "D", "Élodie", "Ferdinand von und zu")


def drawn(state: State, names: Catalogue) -> list[drawing.Line]:
    """Return all parts of the table, for the seat to act."""
    message, own = states.state(state), state.actor + 1
    return [
        *drawing.scores(message, names, own),
        *drawing.board(message, names),
        *drawing.market(message, names),
        *drawing.empire(message, names, own),
        *drawing.conquests(states.legal(state), names),
    ]


def random_positions(seats: int, board: str, games: int) -> list[State]:
    """Yield every tenth position of random games."""
    collected = []
    chance = FastChance(seats)
    for _ in range(games):
        state = new_game(load_board(board), options((False,) * seats, "FR"), chance)
        played = 0
        while state.phase != "over":
            if played % 10 == 0:
                collected.append(state.copy())
            apply(state, POLICIES["random"](state, chance), chance)
            played += 1
        collected.append(state)
    return collected


def test_golden_screens_cover_phases_and_sizes() -> None:
    """There are golden screens of eight phases and three to six seats."""
    assert {path.stem for path in SCREENS} == {f"{seats}-seats-{phase}" for seats in range(3, 7) for phase in PHASES}


@pytest.mark.parametrize("path", SCREENS, ids=lambda path: path.stem)
async def test_screen_matches_its_golden_file(path: Path, tmp_path: Path) -> None:
    """The screen of the player to move matches its golden file and fits the terminal."""
    text = path.read_text(encoding="utf-8").splitlines()[0]
    state = position.read(text)
    async with table(tmp_path, text, PLAYERS) as here:
        if state.phase == "over":
            lines = [
                drawing.plain(line) for line in drawing.scores(states.state(state), names_of(state.board, PLAYERS), 1)
            ]
            lines += [
                drawing.plain(line) for line in drawing.board(states.state(state), names_of(state.board, PLAYERS))
            ]
        else:
            screen = await here.sits(state.actor + 1)
            prompt, toolbar, _ = screen.asked[0]
            lines = [*screen.text().splitlines(), prompt, toolbar]
    assert len(lines) - (lines[0] == "") <= LINES
    for line in lines:
        assert len(line) <= COLUMNS, line
    is_kept(f"screens/{path.name}", "\n".join([text, "", *(line.rstrip() for line in lines)]) + "\n")


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("board", ["tiny", "europe"])
def test_lines_fit_the_terminal(seats: int, board: str) -> None:
    """In hundreds of positions no part of the table is wider than the terminal."""
    names = names_of(load_board(board), PLAYERS[:seats])
    for state in random_positions(seats, board, 4):
        for line in drawn(state, names):
            assert len(drawing.plain(line)) <= COLUMNS, drawing.plain(line)


@pytest.mark.parametrize("seats", [3, 6])
def test_scores_are_not_cut(seats: int) -> None:
    """A line of the scores ends with the score of the declined empire, if there is one."""
    names = names_of(load_board("europe"), PLAYERS[:seats])
    for state in random_positions(seats, "europe", 6):
        message = states.state(state)
        lines = [drawing.plain(line) for line in drawing.scores(message, names, 1)]
        for number, line in zip(message.order, lines[1:], strict=True):
            seat = message.seats[number - 1]
            if seat.HasField("declined"):
                assert line.endswith(f" {seat.declined.provinces} +{seat.declined.vp}"), line


def test_every_style_is_defined() -> None:
    """Every style that is used is defined, and every defined style is used."""
    used: set[str] = set()
    for seats in (3, 6):
        for state in random_positions(seats, "europe", 4):
            names = names_of(state.board)
            used |= {name for line in drawn(state, names) for style, _ in line for name in style.split()}
    assert used <= {f"class:{name}" for name in drawing.STYLE}
    assert {f"class:{name}" for name in drawing.STYLE} - used <= {"class:error"}  # the line client uses this one


@pytest.mark.parametrize("language", ["en", "fr", "nl", "de"])
def test_lines_fit_the_terminal_in_every_language(language: str) -> None:
    """Lines with long names of traits fit the terminal."""
    from vinci_codec import catalogue

    board = load_board("europe")
    names = Catalogue(catalogue.board(board), catalogue.traits(), language)
    for state in random_positions(6, "europe", 2):
        for line in drawn(state, names):
            assert len(drawing.plain(line)) <= COLUMNS, drawing.plain(line)


def test_every_province_is_on_the_board_once() -> None:
    """The board shows each province once, with terrain and marks."""
    for name in ("tiny", "europe"):
        board = load_board(name)
        state = new_game(board, options((True,) * 4), FastChance(1))
        text = "\n".join(drawing.plain(line) for line in drawing.board(states.state(state), names_of(board)))
        assert sorted(re.findall(r"\b([A-Z]{3})[fphwM]", text)) == sorted(board.codes)
        for code in board.codes:
            province = board.index[code]
            marks = ("*" if board.having["mine"] >> province & 1 else "") + (
                "+" if board.having["port"] >> province & 1 else ""
            )
            assert f"{code}{drawing.TERRAINS[board.terrain[province]]}{marks} " in text


def test_holdings_have_signs_without_colour() -> None:
    """Garrisons with owner, decline, neutral pawns, empty provinces and forts have signs."""
    state = position.read(
        "tiny; turn 3 start; seat 1 | WEA+FOR ARA=2^ BOS=12; seat 2 | BAR+CUR FEN=2 | - HAM ERB^; seat 3 | AST+SLA reserve=15; neutral COL"
    )
    text = "\n".join(drawing.plain(line) for line in drawing.board(states.state(state), names_of(state.board)))
    for cell in ("ARAf+ 1:2^ ", "BOSw 1:12 ", "FENp 2:2 ", "HAMf+ 2- ", "ERBp 2-^ ", "COLh* n ", "DOLM . ", "GORM* . "):
        assert cell in text, cell


def test_legend_explains_every_sign() -> None:
    """The legend of `board` names all terrains, marks and signs."""
    text = "\n".join(drawing.legend())
    for terrain, sign in drawing.TERRAINS.items():
        assert f"{sign} {terrain}" in text
    for sign in ("* mine", "+ port", "2:3 ", "2- ", "^ fort", "n neutral", ". empty"):
        assert sign in text
    assert all(len(line) <= COLUMNS for line in drawing.legend())

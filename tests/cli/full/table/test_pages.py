"""The whole screen of a game with its map, at four sizes and four depths of colour, with a position of every phase.

Each file of tests/data/pages has the pages of a phase, as `pages` writes them down. `VINCI_UPDATE=1 pytest
tests/cli/full/table/test_pages.py` draws them anew. The difference is then to be read from its end: a colour or a look that is
another one changed wherever it is used; a text that is another one says what moved or is worded otherwise; and where
lines of runs changed alone, cells took another look that was there already, such as those of a province that changed hands.
A new look in the middle gives the following ones other names.
"""

from dataclasses import replace

import pytest

from tests.support.cli_runner import is_kept
from tests.support.full_screen import games
from tests.support.full_screen.boards import art
from tests.support.full_screen.colours import DEPTHS
from tests.support.full_screen.displays import shown_on
from tests.support.full_screen.games import PHASES, SIZES, game, text_of
from tests.support.full_screen.golden_pages import Pages
from vinci_cli.full.table import layout
from vinci_cli.full.table.messages import Click
from vinci_cli.full.table.ui_state import UiState
from vinci_cli.full.table.update import cursor
from vinci_cli.full.table.update.reducer import Table, update
from vinci_cli.full.toolkit.block import width
from vinci_cli.game.client_match import ClientMatch


def ui_at(here: ClientMatch) -> UiState:
    """Return the UI state at the beginning of a move, with a preview of the Alps if conquests are legal."""
    ui = cursor.begin_move(here, UiState(), is_new=True)
    return replace(ui, province="ALP", preview=games.conquest(here)) if here.legal.conquer else ui


@pytest.mark.parametrize("phase", PHASES)
def test_every_page_matches_its_golden_file(phase: str) -> None:
    """Text and colours of every cell match the golden file; every line is as wide as the window."""
    here, pages, picture = (
        game(text_of(4, phase), clocks=True),
        Pages(),
        art.__wrapped__(),
    )  # a zoomed map stays in place
    ui = ui_at(here)
    for columns, rows in SIZES:
        with shown_on(blocks="halves"):
            drawn = [layout.draw(here, ui, picture, columns, rows, depth) for depth in DEPTHS]
        assert all([width(line) for line in block.lines] == [columns] * rows for block in drawn)
        pages.add(f"{columns}x{rows}", drawn)
    is_kept(f"pages/{phase}.txt", pages.text())


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_second_click_hits_what_the_first_one_hit(columns: int, rows: int) -> None:
    """Neither does a small map move when a target at its edge is clicked, nor does the preview lie over that target."""
    here, picture = game(text_of(4, "conquer")), art.__wrapped__()
    before = layout.draw(here, UiState(), picture, columns, rows, 24)
    places = [
        (row, column)
        for row, line in enumerate(before.text().split("\n"))
        for column, sign in enumerate(line)
        if sign == "»" and before.at(row, column).startswith("province ")
    ]
    assert places
    for place in places:
        target = before.at(*place)
        ui, _effects = update(Table(here, picture), UiState(), Click(target))
        after = layout.draw(here, replace(ui, preview=games.conquest(here)), picture, columns, rows, 24)
        assert after.at(*place) == target
        assert layout.draw(here, UiState(), picture, columns, rows, 24).lines == before.lines

"""Every page fills windows of every size exactly."""

import itertools
from collections.abc import Callable
from typing import Final

import pytest

from tests.support.full_screen import games, lobbies, records
from vinci_cli.full.map.map import Art
from vinci_cli.full.map.symbols import DRAWN
from vinci_cli.full.replay.page import ReplayPage
from vinci_cli.full.replay.summary import SummaryPage
from vinci_cli.full.table import layout
from vinci_cli.full.table.ui_state import UiState
from vinci_cli.full.toolkit.app import App
from vinci_cli.full.toolkit.block import Block, Depth, width, wrapped
from vinci_cli.full.toolkit.dialog import Question
from vinci_cli.full.toolkit.menu import drawn
from vinci_cli.full.tutorial.overlay import Lesson
from vinci_cli.full.tutorial.steps import Tutor, steps
from vinci_cli.game.replay import ReplayPosition
from vinci_cli.game.statistics import story

COLUMNS: Final = (1, 2, 3, 4, 5, 6, 8, 11, 19, 21, 40, 79, 80, 109, 110, 500)
ROWS: Final = (1, 2, 3, 5, 8, 12, 23, 24, 200)


def pages(app: App) -> dict[str, Callable[[int, int, Depth], Block]]:
    """Return a drawing function for each kind of page."""
    game = games.game(games.text_of(6, "conquer"))
    art = Art(game.board_map, game.names)
    popup = UiState(popup=("Help", "what can be done here " * 99))
    lesson = Lesson(Tutor(steps(DRAWN)), game, lambda _event: None)
    played = records.played("standard", 3)
    statistics = story(played.updates, played.times)
    sheets = lobbies.sheets()
    return {
        "table": lambda columns, rows, depth: layout.draw(game, popup, art, columns, rows, depth),
        "lesson": lambda columns, rows, depth: lesson.drawn_over(
            layout.draw(game, UiState(), art, columns, rows, depth), UiState()
        ),
        "replay": ReplayPage(app, ReplayPosition(played)).draw,
        "summary": SummaryPage(app, statistics, played.names, str, can_rematch=True).draw,
        "question": Question(app, "Go on with the game of yesterday evening?", [("y", "yes"), ("n", "no")]).draw,
        "matches": lambda columns, rows, _depth: drawn(sheets["matches"], columns, rows),
        "making": lambda columns, rows, _depth: drawn(sheets["making-wrong"], columns, rows),
    }


@pytest.mark.parametrize("name", ["table", "lesson", "replay", "summary", "question", "matches", "making"])
def test_every_page_fills_every_window(name: str) -> None:
    """From one cell to very large windows, every page has exactly the size of the window."""
    draw = pages(App())[name]
    for columns, rows in itertools.product(COLUMNS, ROWS):
        picture = draw(columns, rows, 8)
        assert picture.height == rows, (columns, rows)
        assert {width(line) for line in picture.lines} == {columns}, (columns, rows)


@pytest.mark.parametrize("columns", [-2, 0, 1, 2, 5])
@pytest.mark.parametrize("text", ["extraordinarily", "黄河清", "a 黄 extraordinary b", ""])
def test_text_wraps_at_any_width(text: str, columns: int) -> None:
    """Wrapped text is complete, and no row is wider than requested unless one character is."""
    rows = wrapped(text, columns)
    written = "".join(part for line in rows for _style, part in line)
    assert written.replace(" ", "") == text.replace(" ", "")
    assert all(width(line) <= max(columns, 2) for line in rows)

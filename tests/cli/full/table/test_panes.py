"""The registry of panes: an entry is drawn, opened, scrolled and explained in every view."""

from pathlib import Path
from typing import Any, Final, cast

import pytest

import vinci_cli.full
from tests.support.full_screen import games
from tests.support.full_screen.games import text_of
from tests.support.full_screen.records import played
from tests.support.full_screen.table_pages import BlankMap
from vinci.v1 import game_pb2, match_pb2
from vinci_cli.full.map.map import Art
from vinci_cli.full.map.symbols import signs
from vinci_cli.full.replay.page import MAP_KEY, ReplayPage, help_text
from vinci_cli.full.table import layout
from vinci_cli.full.table.page import TablePage
from vinci_cli.full.table.panes import help as table_help
from vinci_cli.full.table.panes import log, registry
from vinci_cli.full.table.panes.pane import Pane, Size
from vinci_cli.full.table.ui_state import MAP, UiState
from vinci_cli.full.table.update.reducer import KEYS, PLAN_KEYS
from vinci_cli.full.table.viewing import explain
from vinci_cli.full.toolkit.app import App
from vinci_cli.full.toolkit.text import Row, Segment
from vinci_cli.game.replay import ReplayPosition

ROUNDS: Final = 40


def rounds(title: str, ui: UiState, rows: int) -> list[Row]:
    """Return the rows of a long pane that can be scrolled."""
    end = ROUNDS - ui.back
    return [[Segment(title)], *([Segment(f"round {number}")] for number in range(end - rows + 2, end + 1))]


HISTORY: Final = Pane(
    "history",
    lambda _game, ui, _columns, rows: rounds("Past rounds", ui, rows),
    "i",
    "history",
    sizes=(Size(9, lambda _game, ui, _columns, _rows: rounds("Last rounds", ui, 4)),),
    scrolls=True,
    length=lambda _game, _columns: ROUNDS,
    unread=lambda _game, _ui: 7,
)


@pytest.fixture
def history(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register one pane more."""
    monkeypatch.setattr(registry, "PANES", (*registry.PANES, HISTORY))


def table_page(phase: str = "conquer") -> TablePage:
    """Return a table page without a server."""
    return TablePage(App(), cast(Any, None), games.game(text_of(4, phase)))


@pytest.mark.usefixtures("history")
def test_registered_pane_is_a_tab_of_the_table() -> None:
    """The key of a pane or a click on its label opens it in place of the map, and the key closes it; the label counts news."""
    page = table_page()
    closed = page.draw(80, 24, 8)
    assert "i history +7" in closed.text()
    for open_it, target in ((page.press, "i"), (page.click, "key i"), (page.click, "tab history")):
        open_it(target)
        block = page.draw(80, 24, 8)
        assert page.ui.tab == "history"
        assert "Past rounds" in block.text()
        assert "round 40" in block.text()
        assert "i history" not in block.text()
        page.press("i")
        assert page.ui.tab == MAP
    assert page.draw(80, 24, 8).text() == closed.text()


@pytest.mark.usefixtures("history")
def test_registered_pane_scrolls() -> None:
    """Arrows scroll back as far as the pane's length; the log beside it stays at its end."""
    page = table_page()
    page.press("i")
    page.draw(80, 24, 8)
    page.press("up")
    assert "round 39" in page.draw(80, 24, 8).text()
    assert "round 40" not in page.draw(80, 24, 8).text()
    for _ in range(20):
        page.press("pageup")
    assert page.ui.back == ROUNDS - 1
    wide = page.draw(120, 70, 8).text()
    assert "below" not in wide


@pytest.mark.usefixtures("history")
def test_registered_pane_is_drawn_beside_the_map() -> None:
    """A wide window shows the pane beside the map, smaller if another tab is open and there is room."""
    here = games.game(text_of(3, "conquer"))
    art = Art(here.board_map, here.names)
    assert "Past rounds" in layout.draw(here, UiState(tab="history"), art, 120, 90, 8).text()
    tall = layout.draw(here, UiState(), art, 160, 90, 8).text()
    assert "Last rounds" in tall
    assert "Past rounds" not in tall


@pytest.mark.usefixtures("history")
def test_registered_pane_is_in_the_help() -> None:
    """The help of table and replay has its key and label."""
    assert "m  e  l  c  i  market, empires, log, chat, history; once more: the map" in table_help.key_help()
    assert "m e l i b   in a small window: market, empires, log, history, board" in help_text()


@pytest.mark.usefixtures("history")
def test_registered_pane_is_a_tab_of_replays() -> None:
    """The key of a pane opens it in a replay and b returns to the board; a pane for live tables has no tab there."""
    page = ReplayPage(App(), ReplayPosition(played("standard", 3)))
    shown = page.draw(80, 24, 8).text()
    assert "i history" in shown
    assert "c chat" not in shown
    page.press("i")
    shown = page.draw(80, 24, 8).text()
    assert "Past rounds" in shown
    assert "b board" in shown
    page.press(MAP_KEY)
    assert page.ui.tab == MAP
    page.press("c")
    assert page.ui.tab == MAP


def test_keys_of_panes_are_unambiguous() -> None:
    """No two panes have the same key or name, and no pane has a key with another use."""
    panes = registry.tabs(replayed=False)
    keys = [pane.key for pane in panes]
    assert len(set(keys)) == len(keys)
    assert len({pane.name for pane in registry.PANES}) == len(registry.PANES)
    assert not set(keys) & {*KEYS, *PLAN_KEYS, MAP_KEY}


@pytest.mark.parametrize("pane", ["empires", "focus"])
def test_pane_is_named_in_its_module_and_the_registry_only(pane: str) -> None:
    """The name of a pane occurs nowhere else, so a new pane touches two files and the translations."""
    folder = Path(vinci_cli.full.__file__).parent
    naming = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        if f'"{pane}"' in path.read_text(encoding="utf-8")
    }
    importing = [
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        if f"{pane}.PANE" in path.read_text(encoding="utf-8")
    ]
    assert naming == {f"table/panes/{pane}.py"}
    assert set(importing) <= {"table/panes/registry.py", "table/layout.py"}
    assert "table/panes/registry.py" in importing


def test_conquest_takes_one_row_of_a_narrow_log() -> None:
    """A conquest that needs several rows is told without its cost and survivors."""
    here = games.game(text_of(4, "conquer"))
    here.log.clear()
    conquered = game_pb2.Conquered(seat=1, province="ALP", cost=4, held=game_pb2.HOLDING_NEUTRAL, lost=1)
    update = game_pb2.Update(revision=58, seat=1, events=[game_pb2.Event(conquered=conquered)], state=here.state)
    here.take(match_pb2.WatchResponse(update=update))
    here.show_next()
    assert ["".join(part.text for part in row) for row in log.log(here, UiState(), 40, 9)[1:]] == [
        "▌Ann (1) conquers the Alps."
    ]
    assert "for 4 pawns, removing a neutral pawn" in "".join(part.text for part in log.log(here, UiState(), 80, 9)[-1])
    assert log.PANE.length is not None
    assert log.PANE.length(here, 40) == 1


def test_signs_in_the_help_have_their_colours() -> None:
    """Terrains, seats and marks of the legend look as on the map; a key with the same letter does not."""
    here = games.game(text_of(4, "conquer"))
    for depth in (24, 4):
        ui = explain(UiState(size=(160, 50)), "Help", table_help.help_text(here, UiState(), depth))
        lines = layout.draw(here, ui, BlankMap(), 160, 50, depth).lines
        styles = {part.strip(): style for line in lines for style, part in line if style == "class:mountain"}
        assert styles == {signs(depth).mountain: "class:mountain"}

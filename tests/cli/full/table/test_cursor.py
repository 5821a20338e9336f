"""What is selected when a move begins."""

from tests.support.full_screen.games import game, plan, text_of
from vinci.v1 import game_pb2
from vinci_cli.full.map.map import Art
from vinci_cli.full.table.cursor import Cursor
from vinci_cli.full.table.ui_state import UiState


def test_a_move_begins_with_nothing_selected() -> None:
    """What was selected while others played does not stand before what can be done now."""
    here = game(text_of(4, "conquer"))
    ui = UiState(province="ALP", tab="log")
    choosing = Cursor(here, ui, Art(here.board_map, here.names))
    choosing.begin_move(is_new=True)
    assert (ui.province, ui.tab) == ("", "map")


def test_a_placement_lasts_as_long_as_what_is_to_be_placed() -> None:
    """Pawns lie where they were put while other things happen; when there is less to place, they are taken back."""
    here = game(text_of(4, "conquer"))
    ui = UiState()
    choosing = Cursor(here, ui, Art(here.board_map, here.names))
    choosing.place("hold")
    planned = ui.plan = plan(here)
    here.revision += 1
    choosing.follow()
    assert ui.plan is planned
    here.legal = game_pb2.Legal()
    choosing.follow()
    assert ui.plan is None

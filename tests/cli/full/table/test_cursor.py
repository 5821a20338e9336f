"""What is selected when a move begins."""

from tests.support.full_screen.games import game, plan, text_of
from vinci.v1 import game_pb2
from vinci_cli.full.map.map import Art
from vinci_cli.full.table.cursor import Cursor
from vinci_cli.full.table.ui_state import UiState


def test_a_move_begins_with_nothing_selected() -> None:
    """What was selected while others played does not stand before what can be done now."""
    here = game(text_of(4, "conquer"))
    look = UiState(province="ALP", tab="log")
    choosing = Cursor(here, look, Art(here.board_map, here.names))
    choosing.begin_move(is_new=True)
    assert (look.province, look.tab) == ("", "map")


def test_a_placement_lasts_as_long_as_what_is_to_be_placed() -> None:
    """Pawns lie where they were put while other things happen; when there is less to place, they are taken back."""
    here = game(text_of(4, "conquer"))
    look = UiState()
    choosing = Cursor(here, look, Art(here.board_map, here.names))
    choosing.place("hold")
    planned = look.plan = plan(here)
    here.revision += 1
    choosing.follow()
    assert look.plan is planned
    here.legal = game_pb2.Legal()
    choosing.follow()
    assert look.plan is None

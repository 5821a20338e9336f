"""The selection at the beginning of a move."""

from dataclasses import replace

from tests.support.full_screen.games import game, plan, text_of
from vinci.v1 import game_pb2
from vinci_cli.full.table.ui_state import UiState
from vinci_cli.full.table.update import cursor


def test_new_move_clears_the_selection() -> None:
    """A province selected during the turns of others is deselected at the beginning of a move."""
    here = game(text_of(4, "conquer"))
    ui = cursor.begin_move(here, UiState(province="ALP", tab="log"), is_new=True)
    assert (ui.province, ui.tab) == ("", "map")


def test_placement_is_kept_while_its_pawns_are_unchanged() -> None:
    """Planned pawns stay during other updates, and are taken back when fewer are to be placed."""
    here = game(text_of(4, "conquer"))
    planned = plan(here)
    ui = replace(cursor.place(here, UiState(), "hold"), plan=planned)
    here.revision += 1
    ui = cursor.follow(here, ui)
    assert ui.plan is planned
    here.legal = game_pb2.Legal()
    assert cursor.follow(here, ui).plan is None

"""What is selected when a move begins."""

from cli.full.games import game, plan, text_of

from vinci_cli.full.choosing import Choosing
from vinci_cli.full.look import Look
from vinci_cli.full.map import Art


def test_a_move_begins_with_nothing_selected() -> None:
    """What was selected while others played does not stand before what can be done now."""
    here = game(text_of(4, "conquer"))
    look = Look(province="ALP", tab="log")
    choosing = Choosing(here, look, Art(here.board_map, here.names))
    choosing.begin_move(is_new=True)
    assert (look.province, look.tab) == ("", "map")


def test_a_move_that_goes_on_keeps_what_was_planned() -> None:
    """After a connection that was lost, or a pause, the pawns lie where they were placed."""
    here = game(text_of(4, "conquer"))
    look = Look()
    choosing = Choosing(here, look, Art(here.board_map, here.names))
    choosing.begin_move(is_new=True)
    look.plan, look.province = plan(here), "ALP"
    choosing.begin_move(is_new=True)
    assert (look.plan, look.province) == (plan(here), "ALP")

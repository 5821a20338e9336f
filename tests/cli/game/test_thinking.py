"""Both clients say who is thinking while a bot is to act."""

import pytest

from tests.support.full_screen.games import game, text_of
from vinci.v1 import lobby_pb2
from vinci_cli.full.table.panes import status
from vinci_cli.game.client_match import ClientMatch
from vinci_cli.line.screen import PlainScreen
from vinci_cli.line.view import LineView


def of_a_bot(phase: str = "conquer", *, clocks: bool = False) -> ClientMatch:
    """Return a match in which a bot is to act, seen from another seat."""
    here = game(text_of(4, phase), clocks=clocks)
    assert here.state is not None
    seat = here.match.seats[here.state.seat_to_act - 1]
    seat.kind, seat.bot, seat.player = lobby_pb2.SEAT_KIND_BOT, "hard:raider", "hard:raider"
    here.names.seat_players(here.match)
    here.seats = {}
    here.seat = 0
    return here


def told(here: ClientMatch) -> tuple[str, str]:
    """Return what the top row of the full screen and the toolbar of the line client say."""
    return status.whose_move(here), LineView(here, PlainScreen()).toolbar()


@pytest.mark.parametrize("phase", ["draft", "start", "conquer", "renaissance", "redeploy"])
def test_a_bot_to_act_is_thinking(phase: str) -> None:
    """Whatever it is to decide."""
    here = of_a_bot(phase)
    row, toolbar = told(here)
    assert here.thinks()
    assert row.startswith("Hard raider (")
    assert row.endswith(" is thinking.")
    assert " is thinking " in toolbar
    assert "is thinking, " in told(of_a_bot(phase, clocks=True))[1]


def test_a_person_a_dummy_and_an_absent_bot_are_not_thinking() -> None:
    """The server plays for dummies and substituted seats at once, and a bot that is not connected does nothing."""
    for change in (
        {"kind": lobby_pb2.SEAT_KIND_HUMAN},
        {"kind": lobby_pb2.SEAT_KIND_DUMMY},
        {"substituted": True},
        {"connected": False},
    ):
        here = of_a_bot()
        assert here.state is not None
        for name, value in change.items():
            setattr(here.match.seats[here.state.seat_to_act - 1], name, value)
        assert not here.thinks()
        assert "thinking" not in "".join(told(here))


def test_nobody_is_thinking_when_it_is_not_live() -> None:
    """Not in a replay, while earlier actions are shown, without a connection, or at the end."""
    here = of_a_bot()
    here.connected = False
    assert not here.thinks()
    here = of_a_bot()
    here.replayed = True
    assert not here.thinks()
    assert not of_a_bot("over").thinks()

"""Changes of a match that the map marks, and what the log tells of dummies."""

import pytest

from tests.support.full_screen.games import game, text_of
from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_cli.game.client_match import ClientMatch
from vinci_cli.text.opponents import DUMMIES


def changed_by(*holdings: tuple[str, game_pb2.Holding.ValueType, int, int]) -> set[str]:
    """Return what is marked after an update in which provinces get these holdings, owners and pawns."""
    here = game(text_of(4, "conquer"))
    state = game_pb2.State()
    assert here.state is not None
    state.CopyFrom(here.state)
    for code, holding, owner, pawns in holdings:
        place = list(state.provinces).index(code)
        state.holdings[place], state.owners[place], state.pawns[place] = holding, owner, pawns
    here.take(match_pb2.WatchResponse(update=game_pb2.Update(revision=58, state=state)))
    here.show_next()
    return set(here.changed)


def test_only_provinces_that_were_taken_or_lost_are_marked() -> None:
    """A new owner or none marks a province, and so does an active empire that takes one of its declined empire."""
    active = game_pb2.HOLDING_ACTIVE
    assert changed_by(("NEU", active, 3, 2)) == {"NEU"}
    assert changed_by(("NEU", game_pb2.HOLDING_NOBODY, 0, 0)) == {"NEU"}
    assert changed_by(("POL", active, 1, 2)) == {"POL"}


def test_mobilisation_and_decline_mark_nothing() -> None:
    """More or fewer pawns, and an empire that declines, are not marked."""
    assert changed_by(("NEU", game_pb2.HOLDING_ACTIVE, 4, 9)) == set()
    assert changed_by(("NEU", game_pb2.HOLDING_DECLINED, 4, 1)) == set()


def test_last_round_of_an_older_server_is_known() -> None:
    """It tells only that the target is reached."""
    here = game(text_of(4, "conquer"))
    state = game_pb2.State()
    assert here.state is not None
    state.CopyFrom(here.state)
    state.target_reached = True
    here.take(match_pb2.WatchResponse(update=game_pb2.Update(revision=58, state=state)))
    here.show_next()
    assert here.state.last_round


@pytest.mark.parametrize(("plays", "has_dummy", "told"), [(True, True, 1), (True, False, 0), (False, True, 0)])
def test_players_are_told_how_hard_dummies_are(plays: bool, has_dummy: bool, told: int) -> None:
    """Once, at the first position of the opening draft that is shown; spectators are not."""
    full = game(text_of(4, "draft"))
    assert full.state is not None
    full.state.round = 0
    kind = lobby_pb2.SEAT_KIND_DUMMY if has_dummy else lobby_pb2.SEAT_KIND_HUMAN
    full.match.seats[2].kind = kind
    here = ClientMatch(full.names, full.board_map, full.match, {1: "token"} if plays else {})
    for revision in (1, 2):
        here.take(match_pb2.WatchResponse(update=game_pb2.Update(revision=revision, state=full.state)))
        here.show_next()
    assert [entry.text for entry in here.log].count(DUMMIES) == told

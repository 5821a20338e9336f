"""Whole games through the codec: states, events and legal actions are decoded as they were encoded."""

# ruff: noqa: D103  # the name of each test says what it checks

from functools import cache
from typing import get_args

import pytest

from tests.support.codec import decoder
from vinci.v1 import game_pb2 as pb
from vinci_codec import actions, catalogue, events, states
from vinci_rules import conquest, dummy, market
from vinci_rules.actions import Abandon, Action, Conquer, Decline, Forfeit, Peace, Stay, Take
from vinci_rules.board import Board, board_names, load_board, members
from vinci_rules.chance import FastChance
from vinci_rules.editions import EDITIONS, options
from vinci_rules.engine import apply, check, is_last_round, legal_actions, new_game, open_decision, suggestion
from vinci_rules.events import Event, Scored
from vinci_rules.state import Phase, Seat, State
from vinci_rules.traits import KINDS

GAMES = [("tiny", edition) for edition in EDITIONS] + [("europe", "standard")]


@cache
def game(board: str, edition: str) -> list[tuple[State, list[Event]]]:
    """Return every state of a random game with a forfeit, and the events before each."""
    chance, happened = FastChance(len(edition)), list[Event]()
    state = new_game(load_board(board), options((False,) * 5, edition, max_rounds=8, target=200), chance, happened)
    steps = [(state.copy(), happened)]
    while state.phase != "over":
        choices: list[Action] = [*legal_actions(state)]
        if open_decision(state) is not None:
            choices += [suggestion(state)] * (1 + len(choices) // 4)
        action = choices[int(chance.pick("test", (), [str(place) for place in range(len(choices))]))]
        if len(steps) == 80:
            action = Forfeit(Seat(3))
        happened = []
        apply(state, action, chance, happened)
        steps.append((state.copy(), happened))
    return steps


@pytest.mark.parametrize(("board", "edition"), GAMES)
def test_events_of_a_game_are_decoded_unchanged(board: str, edition: str) -> None:
    on = load_board(board)
    for _, happened in game(board, edition):
        for event in happened:
            data = events.event(event, on).SerializeToString()
            assert decoder.event(pb.Event.FromString(data), on) == event


@pytest.mark.parametrize(("board", "edition"), GAMES)
def test_states_of_a_game_are_decoded_unchanged(board: str, edition: str) -> None:
    on = load_board(board)
    for state, _ in game(board, edition):
        message = pb.State.FromString(states.state(state).SerializeToString())
        assert decoder.facts(message, on) == decoder.facts_of_state(state)
        assert list(message.provinces) == list(on.codes)
        assert message.target == state.options.target
        assert message.last_round == is_last_round(state)
        assert [seat.seat for seat in message.seats] == [seat + 1 for seat in state.seats()]
        for slot, expected in enumerate(message.market):
            assert expected.price == market.price(slot)
            assert expected.pawns == market.pawns_for(state, state.market[slot].traits)


@pytest.mark.parametrize(("board", "edition"), GAMES)
def test_seats_that_score_no_more_do_not(board: str, edition: str) -> None:
    scoring = set[int]()
    for state, happened in reversed(game(board, edition)):
        seats = states.state(state).seats
        if is_last_round(state):
            assert {seat.seat for seat in seats if not seat.scores_no_more} >= scoring
        scoring = {event.seat + 1 for event in happened if isinstance(event, Scored)}
        if is_last_round(state) and state.phase == "redeploy":
            assert seats[state.order[state.turn]].scores_no_more


@pytest.mark.parametrize(("board", "edition"), GAMES)
def test_message_of_legal_actions_matches_the_rules(board: str, edition: str) -> None:
    on = load_board(board)
    for state, _ in game(board, edition):
        message = pb.Legal.FromString(states.legal(state).SerializeToString())
        listed = decoded_legal(message, on)
        assert len(listed) == len(set(listed))
        assert set(listed) == set(legal_actions(state))
        for code, cost, worth in zip(message.conquer, message.cost, message.worth, strict=True):
            assert cost == conquest.cost(state, on.index[code])
            assert worth == dummy.value(state, on.index[code])
        assert message.HasField("hold") == (open_decision(state) == "hold")
        assert message.HasField("redeploy") == (open_decision(state) == "redeploy")
        if message.HasField("hold"):
            suggested = actions.from_message(pb.Action(hold=message.hold.suggestion), on)
            assert check(state, suggested) is None
            parts = [decoder.provinces(part.provinces, on) for part in message.hold.parts]
            assert sum(parts) == state.empire().provinces
            scored: list[Event] = []
            apply(state.copy(), suggested, FastChance(1), scored)
            assert message.hold.vp == sum(event.vp for event in scored if isinstance(event, Scored))
        if message.HasField("redeploy"):
            suggested = actions.from_message(pb.Action(redeploy=message.redeploy.suggestion), on)
            assert check(state, suggested) is None
            assert sum(message.redeploy.suggestion.pawns) == message.redeploy.pawns


def test_every_phase_has_a_message_and_most_occur_in_the_games() -> None:
    assert set(states.PHASES) == set(get_args(Phase))
    assert set(states.PHASES.values()) == set(pb.Phase.values()) - {pb.PHASE_UNSPECIFIED}
    seen = {state.phase for board, edition in GAMES for state, _ in game(board, edition)}
    assert seen >= {"draft", "start", "peace", "abandon", "conquer", "redeploy", "over"}


@pytest.mark.parametrize("name", board_names())
def test_board_is_decoded_unchanged(name: str) -> None:
    board = load_board(name)
    message = pb.Board.FromString(catalogue.board(board).SerializeToString())
    assert (message.name, message.digest) == (board.name, board.digest)
    for p, province in enumerate(message.provinces):
        assert province.code == board.codes[p]
        assert province.terrain == board.terrain[p]
        assert decoder.provinces(province.neighbours, board) == board.neighbours[p]
        assert decoder.provinces(province.straits, board) == board.straits[p]
        assert province.edge == bool(board.on_edge >> p & 1)
        assert (province.mine, province.port) == tuple(p in members(board.having[w]) for w in ("mine", "port"))
        assert set(province.names) == {"en", "fr", "nl", "de"}
    assert {sea.code: decoder.provinces(sea.provinces, board) for sea in message.seas} == {
        sea.code: sea.provinces for sea in board.seas
    }
    shores = [(coast.name, decoder.provinces(coast.provinces, board)) for coast in message.coasts]
    assert tuple(shores) == board.coasts
    assert [dict(coast.names) for coast in message.coasts] == list(board.coast_names)


def test_every_trait_and_terrain_is_described() -> None:
    assert [trait.code for trait in catalogue.all_traits()] == [kind.code for kind in KINDS]
    assert {terrain.code for terrain in catalogue.all_terrains()} == {
        terrain for name in board_names() for terrain in load_board(name).terrain
    }


@pytest.mark.parametrize("edition", EDITIONS)
def test_changed_options_are_decoded_unchanged(edition: str) -> None:
    given = options((True, False, False), edition, give_up="free", target=77, dummy_start_vp=3)
    name, settings = catalogue.settings(pb.Options.FromString(catalogue.options(given).SerializeToString()))
    assert options(given.dummies, name, **settings) == given


def decoded_legal(message: pb.Legal, board: Board) -> list[Action]:
    """Return the actions that a message lists."""
    return [
        *(Take(slot - 1) for slot in message.take),
        *([Decline()] if message.decline else []),
        *([Stay()] if message.stay else []),
        *(Peace(Seat(seat - 1)) for seat in message.peace),
        *(Abandon(board.index[code]) for code in message.abandon),
        *(Conquer(board.index[code]) for code in message.conquer),
        *(Conquer(board.index[code], spies=True) for code in message.conquer_by_spies),
    ]

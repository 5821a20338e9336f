"""Every kind of action, event and violation has a message; a new kind without one fails here."""

# ruff: noqa: D103  # the name of each test says what it checks

from dataclasses import fields
from typing import Any, get_args

import pytest

from tests.support.codec import decoder
from vinci.v1 import game_pb2 as pb
from vinci_codec import actions, events
from vinci_rules import events as ev
from vinci_rules import notation
from vinci_rules.actions import Abandon, Action, Conquer, Decline, Forfeit, Hold, Peace, Redeploy, Stay, Take
from vinci_rules.board import load_board
from vinci_rules.notation import NotationError
from vinci_rules.state import Seat
from vinci_rules.traits import TRAIT_BY_CODE
from vinci_rules.violations import Violation

BOARD = load_board("tiny")
ARA, COL, HAM = (BOARD.index[code] for code in ("ARA", "COL", "HAM"))
PAIR = (TRAIT_BY_CODE["WEA"], TRAIT_BY_CODE["AGR*"])

ACTIONS: list[Action] = [
    Take(0),
    Take(5),
    Decline(),
    Peace(Seat(2)),
    Abandon(ARA),
    Conquer(COL),
    Conquer(COL, spies=True),
    Hold(),
    Hold(((ARA, 3), (COL, 1)), (COL,)),
    Stay(),
    Redeploy(((ARA, 2), (HAM, 1))),
    Forfeit(Seat(5)),
]

EVENTS: list[ev.Event] = [
    ev.OrderDrawn((Seat(2), Seat(0), Seat(1))),
    ev.CivilizationDrawn(PAIR, (PAIR, PAIR[::-1])),
    ev.CivilizationTaken(Seat(1), 3, PAIR, 9, 6, 4),
    ev.TurnStarted(Seat(1), 4, 12, 2, 3),
    ev.PeaceNamed(Seat(1), Seat(0)),
    ev.Abandoned(Seat(1), COL),
    ev.Conquered(Seat(1), COL, 5, True, "declined", Seat(2), 1, 4, True),
    ev.Conquered(Seat(1), COL, 5, False, "neutral", None, 1, 0, False),
    ev.Conquered(Seat(1), COL, 5, False, "active", Seat(0), 1, 0, False),
    ev.Conquered(Seat(1), COL, 5, False, "nobody", None, 0, 0, False),
    ev.Evacuated(Seat(1), 1 << ARA | 1 << HAM),
    ev.DeclineVanished(Seat(1), 1 << COL, PAIR[1:]),
    ev.EmpireCollapsed(Seat(1), 7),
    ev.Reorganised(Seat(1), ((ARA, 3), (COL, 2)), (COL,), 1 << HAM, 3, 2),
    ev.Scored(
        Seat(1), (ev.ScoreItem("active", "province", COL, 2), ev.ScoreItem("declined", "slavery", None, 1)), 3, 40
    ),
    ev.Declined(Seat(1), 1 << ARA, PAIR[1:], 3),
    ev.Stayed(Seat(1)),
    ev.Redeployed(Seat(1), ((ARA, 2),), True),
    ev.SurvivorsInReserve(Seat(1), 4),
    ev.TargetReached(Seat(1), 150),
    ev.SeatForfeited(Seat(1)),
    ev.GameOver((2, 1, 2), (10, 30, 10)),
]

FACTS: dict[str, tuple[Any, str]] = {
    "rule": ("R-CONQ-3", "R-CONQ-3"),
    "phase": ("start", "start"),
    "legal": (("x", "hold"), "x hold"),
    "slot": (2, "3"),
    "seat": (Seat(2), "3"),
    "province": (COL, "COL"),
    "reachable": (1 << ARA | 1 << COL, "ARA COL"),
    "affordable": (1 << ARA | 1 << HAM, "ARA HAM"),
    "part": (0, ""),
    "declined": (1 << HAM, "HAM"),
}
"""A value for each fact that is more than a number, and how it is told."""


def kinds(message: Any) -> set[str]:
    """Return the names of all kinds in the oneof of a message."""
    return {field.name for field in message.DESCRIPTOR.oneofs_by_name["kind"].fields}


def test_examples_and_protocol_have_every_kind_of_action() -> None:
    assert {type(action) for action in ACTIONS} == set(get_args(Action))
    assert {actions.to_message(action, BOARD).WhichOneof("kind") for action in ACTIONS} == kinds(pb.Action) - {
        "notation"
    }


@pytest.mark.parametrize("action", ACTIONS, ids=repr)
def test_action_is_decoded_unchanged(action: Action) -> None:
    data = actions.to_message(action, BOARD).SerializeToString()
    assert actions.from_message(pb.Action.FromString(data), BOARD) == action


@pytest.mark.parametrize("action", ACTIONS, ids=repr)
def test_action_as_text_is_decoded_to_the_same_action(action: Action) -> None:
    assert actions.from_message(pb.Action(notation=notation.write(action, BOARD)), BOARD) == action


def test_provinces_of_an_action_are_sorted_in_board_order() -> None:
    message = pb.Action(hold=pb.Hold(provinces=["HAM", "ARA"], pawns=[1, 3], forts=["HAM", "ARA"]))
    assert actions.from_message(message, BOARD) == Hold(((ARA, 3), (HAM, 1)), (ARA, HAM))


@pytest.mark.parametrize(
    "kind", sorted(kinds(pb.Action) - {"take", "peace", "forfeit", "hold", "redeploy", "decline", "stay"})
)
def test_empty_action_is_refused(kind: str) -> None:
    message = pb.Action()
    if kind == "notation":
        message.notation = ""
    else:
        getattr(message, kind).SetInParent()
    with pytest.raises(NotationError):
        actions.from_message(message, BOARD)


def test_examples_and_protocol_have_every_kind_of_event() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(ev.Event))
    assert {events.event(event, BOARD).WhichOneof("kind") for event in EVENTS} == kinds(pb.Event)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_event_is_decoded_unchanged(event: ev.Event) -> None:
    data = events.event(event, BOARD).SerializeToString()
    assert decoder.event(pb.Event.FromString(data), BOARD) == event


@pytest.mark.parametrize("kind", get_args(Violation), ids=lambda kind: kind.__name__)
def test_violation_is_encoded_with_rule_and_facts(kind: Any) -> None:
    names = [field.name for field in fields(kind)]
    violation = kind(**{name: FACTS.get(name, (7, ""))[0] for name in names})
    message = events.refusal(violation, BOARD)
    assert message.rule == violation.rule
    assert message.reason == kind.__name__
    assert dict(message.facts) == {name: FACTS.get(name, (7, "7"))[1] for name in names if name != "rule"}

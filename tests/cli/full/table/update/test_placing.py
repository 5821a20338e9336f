"""Placement of pawns on the map, within the limits of the server."""

import pytest

from vinci.v1 import game_pb2
from vinci_cli.full.table.ui_state import Plan
from vinci_cli.full.table.update import placing

HOLD = game_pb2.Legal(
    hold=game_pb2.Reorganisation(
        parts=[game_pb2.Part(provinces=["ARA", "BOS", "COL"], least=5, most=5)],
        forts=1,
        suggestion=game_pb2.Hold(provinces=["ARA", "BOS"], pawns=[3, 2], forts=["ARA"]),
    )
)
REDEPLOY = game_pb2.Legal(
    redeploy=game_pb2.Redeployment(
        pawns=3, provinces=["ERB", "HAM"], suggestion=game_pb2.Redeploy(provinces=["ERB"], pawns=[3])
    )
)


def test_plan_begins_with_the_suggestion() -> None:
    """The plan begins with the suggestion, which is legal as it is."""
    assert placing.action_of(placing.suggested("hold", HOLD)).hold == HOLD.hold.suggestion
    assert placing.action_of(placing.suggested("redeploy", REDEPLOY)).redeploy == REDEPLOY.redeploy.suggestion


def test_pawns_move_from_province_to_province() -> None:
    """Pawns taken from one province can be placed in another; a province without pawns is given up."""
    plan = placing.add(placing.suggested("hold", HOLD), HOLD, "BOS", -2)
    assert (plan.pawns, plan.left) == ({"ARA": 3}, 2)
    plan = placing.add(plan, HOLD, "COL", 1)
    assert (plan.pawns, plan.left) == ({"ARA": 3, "COL": 1}, 1)
    assert dict(zip(*_placed(plan), strict=True)) == {"ARA": 3, "COL": 1}


@pytest.mark.parametrize(("code", "pawns"), [("ARA", 1), ("COL", 5), ("GOR", 1), ("GOR", -1), ("COL", -1)])
def test_plan_never_exceeds_the_available_pawns(code: str, pawns: int) -> None:
    """Pawns cannot exceed those left, fall below zero, or be placed in provinces of others."""
    plan = placing.add(placing.suggested("hold", HOLD), HOLD, code, pawns)
    assert (plan.pawns, plan.left) == ({"ARA": 3, "BOS": 2}, 0)


def test_forts_are_limited_and_need_a_kept_province() -> None:
    """With one fort allowed a second one is refused, and giving up its province removes the fort."""
    plan = placing.toggle_fort(placing.suggested("hold", HOLD), HOLD, "BOS")
    assert plan.forts == {"ARA"}
    for code in ("ARA", "BOS", "COL"):
        plan = placing.toggle_fort(plan, HOLD, code)
    assert plan.forts == {"BOS"}
    plan = placing.add(plan, HOLD, "BOS", -2)
    assert plan.forts == set()
    assert not placing.action_of(plan).hold.forts


def _placed(plan: Plan) -> tuple[list[str], list[int]]:
    hold = placing.action_of(plan).hold
    return list(hold.provinces), list(hold.pawns)

"""Placing pawns on the map: a plan stays within what the server allows."""

import pytest

from vinci.v1 import game_pb2
from vinci_cli.full.table.placing import Placing

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


def test_a_plan_begins_as_the_server_suggests() -> None:
    """The suggestion can be played as it is."""
    assert Placing(Placing.begin("hold", HOLD), HOLD).action().hold == HOLD.hold.suggestion
    assert Placing(Placing.begin("redeploy", REDEPLOY), REDEPLOY).action().redeploy == REDEPLOY.redeploy.suggestion


def test_pawns_move_from_province_to_province() -> None:
    """What is taken from one is left for another; a province without pawns is given up."""
    plan = Placing.begin("hold", HOLD)
    placing = Placing(plan, HOLD)
    placing.add("BOS", -2)
    assert (plan.pawns, plan.left) == ({"ARA": 3}, 2)
    placing.add("COL", 1)
    assert (plan.pawns, plan.left) == ({"ARA": 3, "COL": 1}, 1)
    assert dict(zip(*_placed(placing), strict=True)) == {"ARA": 3, "COL": 1}


@pytest.mark.parametrize(("code", "pawns"), [("ARA", 1), ("COL", 5), ("GOR", 1), ("GOR", -1), ("COL", -1)])
def test_no_more_can_be_placed_than_is_left(code: str, pawns: int) -> None:
    """Nothing comes from nowhere, goes below nothing, or into a province that is not one's own."""
    plan = Placing.begin("hold", HOLD)
    Placing(plan, HOLD).add(code, pawns)
    assert (plan.pawns, plan.left) == ({"ARA": 3, "BOS": 2}, 0)


def test_forts_are_as_many_as_allowed_and_only_in_provinces_that_are_kept() -> None:
    """One fort here: a second one is not planned, and it goes with its province."""
    plan = Placing.begin("hold", HOLD)
    placing = Placing(plan, HOLD)
    placing.toggle_fort("BOS")
    assert plan.forts == {"ARA"}
    placing.toggle_fort("ARA")
    placing.toggle_fort("BOS")
    placing.toggle_fort("COL")
    assert plan.forts == {"BOS"}
    placing.add("BOS", -2)
    assert plan.forts == set()
    assert not placing.action().hold.forts


def _placed(placing: Placing) -> tuple[list[str], list[int]]:
    hold = placing.action().hold
    return list(hold.provinces), list(hold.pawns)

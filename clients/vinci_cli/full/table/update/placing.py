"""Placing pawns on the map, for `hold` and `redeploy`: each change gives a new plan within what the server allows."""

from collections.abc import Sequence
from dataclasses import replace

from vinci.v1 import game_pb2

from ..ui_state import Plan


def suggested(kind: str, legal: game_pb2.Legal) -> Plan:
    """The plan that the server suggests; `kind` is hold or redeploy."""
    if kind == "hold":
        return planned(game_pb2.Action(hold=legal.hold.suggestion))
    return planned(game_pb2.Action(redeploy=legal.redeploy.suggestion))


def planned(action: game_pb2.Action) -> Plan:
    """The plan of a `hold` or `redeploy`."""
    if action.HasField("redeploy"):
        return Plan("redeploy", dict(zip(action.redeploy.provinces, action.redeploy.pawns, strict=True)))
    hold = action.hold
    return Plan("hold", dict(zip(hold.provinces, hold.pawns, strict=True)), frozenset(hold.forts))


def provinces(plan: Plan, legal: game_pb2.Legal) -> Sequence[str]:
    """Codes of the provinces that can get pawns."""
    if plan.kind == "redeploy":
        return legal.redeploy.provinces
    return [code for part in legal.hold.parts for code in part.provinces]


def add(plan: Plan, legal: game_pb2.Legal, code: str, pawns: int) -> Plan:
    """Put pawns that are left into a province, or take pawns from it (negative), as many as possible."""
    if code not in provinces(plan, legal):
        return plan
    now = plan.pawns.get(code, 0)
    change = min(max(pawns, -now), plan.left)
    placed = {**plan.pawns, code: now + change}
    forts = plan.forts
    if not placed[code]:
        del placed[code]
        forts = forts - {code}
    return replace(plan, pawns=placed, forts=forts, left=plan.left - change)


def toggle_fort(plan: Plan, legal: game_pb2.Legal, code: str) -> Plan:
    """Plan a fort in a province that is held, or remove it, as far as there are forts."""
    if code in plan.forts:
        return replace(plan, forts=plan.forts - {code})
    if code in plan.pawns and len(plan.forts) < legal.hold.forts:
        return replace(plan, forts=plan.forts | {code})
    return plan


def action_of(plan: Plan) -> game_pb2.Action:
    """The action that carries out a plan."""
    codes, pawns = list(plan.pawns), list(plan.pawns.values())
    if plan.kind == "redeploy":
        return game_pb2.Action(redeploy=game_pb2.Redeploy(provinces=codes, pawns=pawns))
    forts = [code for code in codes if code in plan.forts]
    return game_pb2.Action(hold=game_pb2.Hold(provinces=codes, pawns=pawns, forts=forts))

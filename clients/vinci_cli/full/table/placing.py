"""Placing pawns on the map, for `hold` and `redeploy`: a plan is changed pawn by pawn, and the server judges it."""

from collections.abc import Iterable
from typing import Final, final

from vinci.v1 import game_pb2

from .ui_state import Plan


@final
class Placing:
    """Changes a plan within what the server says can be placed; pawns taken from one province are left for another."""

    def __init__(self, plan: Plan, legal: game_pb2.Legal) -> None:
        self._plan: Final = plan
        self._legal: Final = legal

    @classmethod
    def begin(cls, kind: str, legal: game_pb2.Legal) -> Plan:
        """A plan as the server suggests it: `kind` is hold or redeploy."""
        if kind == "hold":
            return cls.planned(game_pb2.Action(hold=legal.hold.suggestion))
        return cls.planned(game_pb2.Action(redeploy=legal.redeploy.suggestion))

    @classmethod
    def planned(cls, action: game_pb2.Action) -> Plan:
        """A plan of which this `hold` or `redeploy` is the action."""
        if action.HasField("redeploy"):
            return Plan("redeploy", dict(zip(action.redeploy.provinces, action.redeploy.pawns, strict=True)))
        hold = action.hold
        return Plan("hold", dict(zip(hold.provinces, hold.pawns, strict=True)), set(hold.forts))

    @property
    def kind(self) -> str:
        """What the plan is for: hold or redeploy."""
        return self._plan.kind

    def provinces(self) -> Iterable[str]:
        """Codes of the provinces that can get pawns."""
        if self._plan.kind == "redeploy":
            return list(self._legal.redeploy.provinces)
        return [code for part in self._legal.hold.parts for code in part.provinces]

    def add(self, code: str, pawns: int) -> None:
        """Put pawns that are left into a province, or take them from it."""
        if code not in self.provinces():
            return
        now = self._plan.pawns.get(code, 0)
        change = min(max(pawns, -now), self._plan.left)
        self._plan.pawns[code] = now + change
        self._plan.left -= change
        if not self._plan.pawns[code]:
            del self._plan.pawns[code]
            self._plan.forts.discard(code)

    def toggle_fort(self, code: str) -> None:
        """Plan a fort in a province that is held, or none, as far as there are forts."""
        if code in self._plan.forts:
            self._plan.forts.discard(code)
        elif code in self._plan.pawns and len(self._plan.forts) < self._legal.hold.forts:
            self._plan.forts.add(code)

    def action(self) -> game_pb2.Action:
        """The action that does what is planned."""
        provinces, pawns = list(self._plan.pawns), list(self._plan.pawns.values())
        if self._plan.kind == "redeploy":
            return game_pb2.Action(redeploy=game_pb2.Redeploy(provinces=provinces, pawns=pawns))
        forts = [code for code in provinces if code in self._plan.forts]
        return game_pb2.Action(hold=game_pb2.Hold(provinces=provinces, pawns=pawns, forts=forts))

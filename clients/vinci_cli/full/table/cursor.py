"""Choosing at the table: what is selected, and what Enter would do with it. Nothing here acts or asks the server."""

from collections.abc import Sequence
from typing import Final, final

from vinci.v1 import game_pb2

from ...game.client_match import ClientMatch
from ..map.map import Art
from .placing import Placing
from .ui_state import Plan, UiState


@final
class Cursor:
    """Moves the selection of a look over a game."""

    def __init__(self, game: ClientMatch, ui: UiState, art: Art) -> None:
        self._game: Final = game
        self._ui: Final = ui
        self._art: Final = art
        self._begun = -1  # the revision with which our move began
        self._planned_in: tuple[object, ...] = ()

    def follow(self) -> None:
        """Another position is shown: a placement is given up, unless what is placed is as it was."""
        if self._ui.plan is not None and self._situation() != self._planned_in:
            self._ui.plan = None

    def _situation(self) -> tuple[object, ...]:
        legal = self._game.legal
        return *self._game.turn(), legal.hold, legal.redeploy

    def begin_move(self, *, is_new: bool) -> None:
        """It is our move: look at what it is about. Where nothing happened since it was, everything stays as it is."""
        ui, state = self._ui, self._game.state
        self.follow()
        if self._begun == self._game.revision or ui.plan is not None:
            return
        self._begun = self._game.revision
        if is_new:
            ui.province = ""
        ui.slot = 0
        ui.tab = "map"
        if state is not None and state.phase == game_pb2.PHASE_DRAFT:
            ui.tab = "market"
            ui.slot = next(iter(self._game.legal.take), 0)
        elif self._game.legal.HasField("redeploy"):
            self.place("redeploy")

    def choosing_slot(self) -> bool:
        """Whether a civilization is being chosen, or the market is looked at."""
        ui = self._ui
        return ui.tab == "market" or (self._game.is_drafting() and ui.tab == "map" and not ui.province)

    def walk(self, direction: str) -> None:
        """Go to the next civilization, or to the province that lies in this direction."""
        if self.choosing_slot():
            self._next_slot(1 if direction in ("down", "right") else -1)
        else:
            self.select(self._art.toward(self._ui.province, direction))

    def tab(self, step: int) -> None:
        """Go to the next civilization, or to the next province with which something can be done."""
        if self.choosing_slot():
            self._next_slot(step)
        elif self._ui.plan is not None:
            self._next(list(Placing(self._ui.plan, self._game.legal).provinces()), step)
        else:
            self._next(self.targets(), step)

    def targets(self) -> list[str]:
        """Codes of the provinces with which something can be done, in board order."""
        if not self._game.my_move():
            return []
        legal = self._game.legal
        codes = {*legal.conquer, *legal.conquer_by_spies} or {*legal.abandon, *legal.redeploy.provinces}
        return [code for code in self._game.names.provinces if code in codes]

    def _next(self, codes: Sequence[str], step: int) -> None:
        if codes:
            place = codes.index(self._ui.province) + step if self._ui.province in codes else min(step, 0)
            self.select(codes[place % len(codes)])

    def _next_slot(self, step: int) -> None:
        slots = len(self._game.state.market) if self._game.state is not None else 0
        if slots:
            self._ui.slot = (self._ui.slot - 1 + step) % slots + 1 if self._ui.slot else 1

    def select(self, code: str) -> None:
        """Select a province, on the map."""
        self._ui.province, self._ui.tab = code, "map"

    def select_slot(self, slot: int) -> None:
        """Select a civilization of the market."""
        self._ui.slot, self._ui.tab = slot, "market"

    def place(self, kind: str) -> None:
        """Begin to place pawns on the map as the server suggests; `kind` is hold or redeploy."""
        self._begin(Placing.begin(kind, self._game.legal))

    def _begin(self, plan: Plan) -> None:
        self._ui.plan, self._ui.tab = plan, "map"
        self._planned_in = self._situation()
        if self._ui.province not in plan.pawns:
            self._ui.province = next(iter(plan.pawns), "")

    def show(self, action: game_pb2.Action) -> None:
        """Select what an action is about, so that Enter does it if it is one of those that Enter does."""
        match action.WhichOneof("kind"):
            case "take":
                self.select_slot(action.take.slot)
            case "conquer":
                self.select(action.conquer.province)
            case "abandon":
                self.select(action.abandon.province)
            case "hold" | "redeploy":
                self._begin(Placing.planned(action))

    def peaceful(self) -> int:
        """The seat with which peace can be declared: that of the selected province, or the only one; 0 for neither."""
        state, seats = self._game.state, list(self._game.legal.peace)
        if state is not None and self._ui.province in state.provinces:
            owner = state.owners[list(state.provinces).index(self._ui.province)]
            if owner in seats:
                return owner
        return seats[0] if len(seats) == 1 else 0

    def chosen(self) -> game_pb2.Action | None:
        """What Enter would do."""
        ui, legal = self._ui, self._game.legal
        if ui.plan is not None:
            return Placing(ui.plan, legal).action()
        if self.choosing_slot():
            return game_pb2.Action(take=game_pb2.Take(slot=ui.slot)) if ui.slot else None
        if not ui.province:
            return None
        by_spies = ui.province in legal.conquer_by_spies and ui.province not in legal.conquer
        return game_pb2.Action(conquer=game_pb2.Conquer(province=ui.province, spies=by_spies))

"""The selection at the table: how it moves, and the action that Enter does with it. All functions are pure."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from vinci.v1 import game_pb2

from ....game.client_match import ClientMatch
from ....text.tables import best_first
from ..panes import market
from ..ui_state import MAP, Plan, UiState
from . import placing


def situation(game: ClientMatch) -> Sequence[object]:
    """Facts that a placement depends on; it is given up when they change."""
    return *game.turn(), game.legal.hold, game.legal.redeploy


def follow(game: ClientMatch, ui: UiState) -> UiState:
    """Give a placement up if its situation has changed."""
    return replace(ui, plan=None) if ui.plan is not None and situation(game) != ui.planned_in else ui


def begin_move(game: ClientMatch, ui: UiState, *, is_new: bool) -> UiState:
    """Open what the own move is about; nothing changes if it began at the same revision already.

    A new move, one after others have moved, begins without a selected province; after a conquest the next is selected.
    """
    ui = follow(game, ui)
    if ui.begun == game.revision or ui.plan is not None:
        return ui
    province = "" if is_new else _next_target(game, ui.province) if is_own(game, ui.province) else ui.province
    ui = replace(ui, begun=game.revision, province=province, slot=0, tab=MAP)
    if game.state is not None and game.state.phase == game_pb2.PHASE_DRAFT:
        return select_slot(ui, next(iter(game.legal.take), 0))
    return place(game, ui, "redeploy") if game.legal.HasField("redeploy") else ui


def is_on_market(game: ClientMatch, ui: UiState) -> bool:
    """Whether arrows move over the market: it is open, or a civilization is to be taken and no province selected."""
    return ui.tab == market.PANE.name or (game.is_drafting() and ui.tab == MAP and not ui.province)


def walk(game: ClientMatch, ui: UiState, toward: Callable[[str, str], str], direction: str) -> UiState:
    """Select the next slot, or the province that lies in this direction (`toward`)."""
    if is_on_market(game, ui):
        return _next_slot(game, ui, 1 if direction in ("down", "right") else -1)
    return select(ui, toward(ui.province, direction))


def tab(game: ClientMatch, ui: UiState, step: int) -> UiState:
    """Select the next slot, or the next province with which something can be done."""
    if is_on_market(game, ui):
        return _next_slot(game, ui, step)
    codes = targets(game) if ui.plan is None else list(placing.provinces(ui.plan, game.legal))
    place = codes.index(ui.province) + step if ui.province in codes else min(step, 0)
    return select(ui, codes[place % len(codes)]) if codes else ui


def targets(game: ClientMatch) -> list[str]:
    """Codes of the provinces with which something can be done, in board order."""
    if not game.my_move():
        return []
    legal = game.legal
    codes = {*legal.conquer, *legal.conquer_by_spies} or {*legal.abandon, *legal.redeploy.provinces}
    return [code for code in game.names.provinces if code in codes]


def is_own(game: ClientMatch, code: str) -> bool:
    """Whether the active empire of the own seat holds a province."""
    state = game.state
    if state is None or code not in state.provinces:
        return False
    place = list(state.provinces).index(code)
    return (state.holdings[place], state.owners[place]) == (game_pb2.HOLDING_ACTIVE, game.seat)


def _next_target(game: ClientMatch, code: str) -> str:
    """The most valuable province that can be conquered, if possible beside another one; empty if there is none."""
    codes = [target for target, _cost, _worth in best_first(game.legal)]
    return next((other for other in codes if other in game.names.provinces[code].neighbours), next(iter(codes), ""))


def _next_slot(game: ClientMatch, ui: UiState, step: int) -> UiState:
    slots = len(game.state.market) if game.state is not None else 0
    return replace(ui, slot=(ui.slot - 1 + step) % slots + 1 if ui.slot else 1) if slots else ui


def select(ui: UiState, code: str) -> UiState:
    """Select a province on the map."""
    return replace(ui, province=code, tab=MAP)


def select_slot(ui: UiState, slot: int) -> UiState:
    """Select a slot of the market."""
    return replace(ui, slot=slot, tab=market.PANE.name)


def place(game: ClientMatch, ui: UiState, kind: str) -> UiState:
    """Begin the placement that the server suggests; `kind` is hold or redeploy."""
    return _begin(game, ui, placing.suggested(kind, game.legal))


def _begin(game: ClientMatch, ui: UiState, plan: Plan) -> UiState:
    province = ui.province if ui.province in plan.pawns else next(iter(plan.pawns), "")
    return replace(ui, plan=plan, planned_in=situation(game), tab=MAP, province=province)


def show(game: ClientMatch, ui: UiState, action: game_pb2.Action) -> UiState:
    """Select the object of an action, so that Enter does it if Enter can."""
    match action.WhichOneof("kind"):
        case "take":
            return select_slot(ui, action.take.slot)
        case "conquer":
            return select(ui, action.conquer.province)
        case "abandon":
            return select(ui, action.abandon.province)
        case "hold" | "redeploy":
            return _begin(game, ui, placing.planned(action))
    return replace(ui, tab=MAP)


def selection(ui: UiState) -> object:
    """Return the selection and the placement; a suggestion holds as long as these stay the same."""
    return ui.province, ui.slot, ui.tab, ui.plan


def peace_seat(game: ClientMatch, ui: UiState) -> int:
    """The seat with which peace can be declared: the owner of the selected province, or the only one; 0 for neither."""
    state, seats = game.state, list(game.legal.peace)
    if state is not None and ui.province in state.provinces:
        owner = state.owners[list(state.provinces).index(ui.province)]
        if owner in seats:
            return owner
    return seats[0] if len(seats) == 1 else 0


def chosen(game: ClientMatch, ui: UiState) -> game_pb2.Action | None:
    """The action that Enter does."""
    if ui.suggested is not None:
        return ui.suggested
    if ui.plan is not None:
        return placing.action_of(ui.plan)
    if is_on_market(game, ui):
        return game_pb2.Action(take=game_pb2.Take(slot=ui.slot)) if ui.slot else None
    if not ui.province:
        return None
    legal = game.legal
    by_spies = ui.province in legal.conquer_by_spies and ui.province not in legal.conquer
    return game_pb2.Action(conquer=game_pb2.Conquer(province=ui.province, spies=by_spies))

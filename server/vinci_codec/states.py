"""Conversion of positions and their legal actions to messages."""

from typing import Final

from vinci.v1 import game_pb2 as pb
from vinci_rules import conquest, dummy, market, redeployment, reorganisation
from vinci_rules.actions import Abandon, Conquer, Decline, Peace, Stay, Take
from vinci_rules.board import Province, has, members
from vinci_rules.engine import is_last_round, legal_actions, open_decision
from vinci_rules.reorganisation import Reorganisation, pawns_in
from vinci_rules.scoring import held_vp, land_vp, slavery_vp
from vinci_rules.state import Empire, Phase, Seat, State
from vinci_rules.traits import KINDS, Traits

from . import actions

PHASES: Final[dict[Phase, "pb.Phase.ValueType"]] = {
    "draft": pb.PHASE_DRAFT,
    "start": pb.PHASE_START,
    "peace": pb.PHASE_PEACE,
    "abandon": pb.PHASE_ABANDON,
    "conquer": pb.PHASE_CONQUER,
    "renaissance": pb.PHASE_RENAISSANCE,
    "redeploy": pb.PHASE_REDEPLOY,
    "over": pb.PHASE_OVER,
}


def trait_codes(traits: Traits) -> list[str]:
    """Return the codes of traits."""
    return [KINDS[trait].code for trait in traits]


def state(state: State) -> pb.State:
    """Return a position as a message."""
    board = state.board
    size = len(board.codes)
    holdings: list[pb.Holding.ValueType] = [pb.HOLDING_NOBODY] * size
    owners = [0] * size
    for p in members(state.neutral):
        holdings[p] = pb.HOLDING_NEUTRAL
    for seat in state.seats():
        for empire, holding in (
            (state.active[seat], pb.HOLDING_ACTIVE),
            (state.declined[seat], pb.HOLDING_DECLINED),
        ):
            if empire is not None:
                for p in members(empire.provinces):
                    holdings[p] = holding
                    owners[p] = seat + 1
    return pb.State(
        round=state.round,
        phase=PHASES[state.phase],
        turn_seat=state.order[state.turn] + 1,
        seat_to_act=0 if state.phase == "over" else state.actor + 1,
        order=[seat + 1 for seat in state.order],
        target_reached=state.target_reached,
        last_round=is_last_round(state),
        target=state.options.target,
        seats=[_seat(state, seat) for seat in state.seats()],
        provinces=board.codes,
        holdings=holdings,
        owners=owners,
        pawns=state.garrison,
        forts=[has(state.forts, p) for p in board.provinces],
        market=[
            pb.MarketSlot(
                traits=trait_codes(civilization.traits),
                markers=civilization.markers,
                price=market.price(slot),
                pawns=market.pawns_for(state, civilization.traits),
            )
            for slot, civilization in enumerate(state.market)
        ],
        spied=state.spied,
        eliminated=state.eliminated,
    )


def _seat(state: State, seat: Seat) -> pb.SeatState:
    active, declined = state.active[seat], state.declined[seat]
    message = pb.SeatState(
        seat=seat + 1,
        dummy=state.options.dummies[seat],
        vp=state.vp[seat],
        survivors=state.survivors[seat],
        peace=[other + 1 for other in state.named[seat]],
        must_decline=seat in state.must_decline,
        forfeited=state.forfeited.index(seat) + 1 if seat in state.forfeited else 0,
        scores_no_more=(
            seat in state.forfeited
            or state.phase == "over"
            or (is_last_round(state) and state.order.index(seat) < state.turn + (state.phase == "redeploy"))
        ),
    )
    if active is not None:
        slavery = slavery_vp(state, active) if seat == state.order[state.turn] else 0
        message.active.CopyFrom(_empire(state, active, slavery))
    if declined is not None:
        message.declined.CopyFrom(_empire(state, declined, 0))
    return message


def _empire(state: State, empire: Empire, more_vp: int) -> pb.Empire:
    return pb.Empire(
        traits=trait_codes(empire.traits),
        reserve=empire.reserve,
        pawns=pawns_in(state, empire.provinces),
        provinces=empire.provinces.bit_count(),
        vp=land_vp(state.board, empire) + more_vp,
    )


def legal(state: State) -> pb.Legal:
    """Return the legal actions of the seat to act as a message; empty when the game is over."""
    message = pb.Legal()
    write_legal(state, message)
    return message


def write_legal(state: State, message: pb.Legal) -> None:
    """Write the legal actions of the seat to act into an empty message, such as a part of another."""
    message.SetInParent()  # also if nothing is legal
    codes = state.board.codes
    targets: list[Province] = []
    by_spies: list[str] = []
    for action in legal_actions(state):
        if isinstance(action, Conquer):
            if action.spies:
                by_spies.append(codes[action.province])
            else:
                targets.append(action.province)
        elif isinstance(action, Abandon):
            message.abandon.append(codes[action.province])
        elif isinstance(action, Take):
            message.take.append(action.slot + 1)
        elif isinstance(action, Peace):
            message.peace.append(action.seat + 1)
        elif isinstance(action, Decline):
            message.decline = True
        elif isinstance(action, Stay):
            message.stay = True
    if targets:
        message.conquer.extend([codes[p] for p in targets])
        message.cost.extend([conquest.cost(state, p) for p in targets])
        message.worth.extend(dummy.values(state, targets))
    if by_spies:
        message.conquer_by_spies.extend(by_spies)
    match open_decision(state):
        case "hold":
            _describe_hold(state, message.hold)
        case "redeploy":
            _describe_redeployment(state, message.redeploy)


def _describe_hold(state: State, message: pb.Reorganisation) -> None:
    limits = Reorganisation(state)
    for part in limits.parts:
        message.parts.add(provinces=state.board.codes_of(part.provinces), least=part.least, most=part.most)
    message.connected = limits.connected
    message.free = limits.free
    message.forts = limits.forts
    held = reorganisation.suggestion(state, limits)
    actions.write_hold(held, state.board, message.suggestion)
    message.vp = held_vp(state, [p for p, _ in held.pawns])


def _describe_redeployment(state: State, message: pb.Redeployment) -> None:
    message.pawns = state.survivors[state.actor]
    message.provinces.extend(state.board.codes_of(state.empire().provinces))
    suggested = redeployment.suggestion(state, state.actor)
    actions.write_redeploy(suggested, state.board, message.suggestion)

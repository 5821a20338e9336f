"""Conversion of events to messages."""

from typing import Final, assert_never

from vinci.v1 import game_pb2 as pb
from vinci_rules import events as ev
from vinci_rules.actions import Placement
from vinci_rules.board import Board

from .states import trait_codes

HOLDINGS: Final[dict[ev.Held, "pb.Holding.ValueType"]] = {
    "nobody": pb.HOLDING_NOBODY,
    "neutral": pb.HOLDING_NEUTRAL,
    "active": pb.HOLDING_ACTIVE,
    "declined": pb.HOLDING_DECLINED,
}


def event(event: ev.Event, board: Board) -> pb.Event:  # noqa: C901  # one case for each kind of event
    """Return an event as a message."""
    match event:
        case ev.OrderDrawn():
            return pb.Event(order_drawn=pb.OrderDrawn(order=[seat + 1 for seat in event.order]))
        case ev.CivilizationDrawn():
            rejected = [code for traits in event.rejected for code in trait_codes(traits)]
            drawn = pb.CivilizationDrawn(traits=trait_codes(event.traits), rejected=rejected)
            return pb.Event(civilization_drawn=drawn)
        case ev.CivilizationTaken():
            return pb.Event(
                civilization_taken=pb.CivilizationTaken(
                    seat=event.seat + 1,
                    slot=event.slot + 1,
                    traits=trait_codes(event.traits),
                    pawns=event.pawns,
                    paid=event.paid,
                    received=event.received,
                )
            )
        case ev.TurnStarted():
            return pb.Event(
                turn_started=pb.TurnStarted(
                    seat=event.seat + 1,
                    round=event.round,
                    reserve=event.reserve,
                    by_medicine=event.by_medicine,
                    by_general=event.by_general,
                )
            )
        case ev.PeaceNamed():
            return pb.Event(peace_named=pb.PeaceNamed(seat=event.seat + 1, other=event.other + 1))
        case ev.Abandoned():
            return pb.Event(abandoned=pb.Abandoned(seat=event.seat + 1, province=board.codes[event.province]))
        case ev.Conquered():
            return pb.Event(
                conquered=pb.Conquered(
                    seat=event.seat + 1,
                    province=board.codes[event.province],
                    cost=event.cost,
                    spies=event.spies,
                    held=HOLDINGS[event.held],
                    defender=0 if event.defender is None else event.defender + 1,
                    lost=event.lost,
                    survivors=event.survivors,
                    fort=event.fort,
                )
            )
        case ev.Evacuated():
            evacuated = pb.Evacuated(seat=event.seat + 1, provinces=board.codes_of(event.provinces))
            return pb.Event(evacuated=evacuated)
        case ev.DeclineVanished():
            return pb.Event(
                decline_vanished=pb.DeclineVanished(
                    seat=event.seat + 1, provinces=board.codes_of(event.provinces), traits=trait_codes(event.traits)
                )
            )
        case ev.EmpireCollapsed():
            return pb.Event(empire_collapsed=pb.EmpireCollapsed(seat=event.seat + 1, pawns=event.pawns))
        case ev.Reorganised():
            return pb.Event(
                reorganised=pb.Reorganised(
                    seat=event.seat + 1,
                    provinces=_provinces(event.pawns, board),
                    pawns=[pawns for _, pawns in event.pawns],
                    forts=[board.codes[p] for p in event.forts],
                    given_up=board.codes_of(event.given_up),
                    by_general=event.by_general,
                    lost=event.lost,
                )
            )
        case ev.Scored():
            items = [score_item(item, board) for item in event.items]
            return pb.Event(scored=pb.Scored(seat=event.seat + 1, items=items, vp=event.vp, total=event.total))
        case ev.Declined():
            return pb.Event(
                declined=pb.Declined(
                    seat=event.seat + 1,
                    provinces=board.codes_of(event.provinces),
                    traits=trait_codes(event.traits),
                    pawns=event.pawns,
                )
            )
        case ev.Redeployed():
            return pb.Event(
                redeployed=pb.Redeployed(
                    seat=event.seat + 1,
                    provinces=_provinces(event.pawns, board),
                    pawns=[pawns for _, pawns in event.pawns],
                    automatic=event.automatic,
                )
            )
        case ev.SurvivorsInReserve():
            return pb.Event(survivors_in_reserve=pb.SurvivorsInReserve(seat=event.seat + 1, pawns=event.pawns))
        case ev.TargetReached():
            return pb.Event(target_reached=pb.TargetReached(seat=event.seat + 1, vp=event.vp))
        case ev.SeatForfeited():
            return pb.Event(seat_forfeited=pb.SeatForfeited(seat=event.seat + 1))
        case ev.GameOver():
            return pb.Event(game_over=pb.GameOver(ranks=event.ranks, vp=event.vp))
        case _:
            assert_never(event)


def score_item(item: ev.ScoreItem, board: Board) -> pb.ScoreItem:
    """Return VP from one source as a message."""
    return pb.ScoreItem(
        empire=HOLDINGS[item.empire],
        source=item.source,
        province="" if item.province is None else board.codes[item.province],
        vp=item.vp,
    )


def _provinces(pawns: Placement, board: Board) -> list[str]:
    return [board.codes[p] for p, _ in pawns]

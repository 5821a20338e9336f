"""An independent decoder of messages into rules types, to test the encoder."""

from dataclasses import fields
from typing import Any, get_args

from vinci.v1 import game_pb2 as pb
from vinci_rules import events as ev
from vinci_rules.board import Board
from vinci_rules.state import Empire, State
from vinci_rules.traits import TRAIT_BY_CODE

HELD = {
    pb.HOLDING_NOBODY: "nobody",
    pb.HOLDING_NEUTRAL: "neutral",
    pb.HOLDING_ACTIVE: "active",
    pb.HOLDING_DECLINED: "declined",
}
EVENTS = {kind.__name__: kind for kind in get_args(ev.Event)}
NOT_IN_MESSAGES = {"board", "options", "bag", "fills", "campaign"}
"""Attributes of a State that its message leaves out: settled before the game, out of sight, or following from the rest."""


def traits(codes: Any) -> tuple[Any, ...]:
    """Return traits by their codes."""
    return tuple(TRAIT_BY_CODE[code] for code in codes)


def provinces(codes: Any, board: Board) -> int:
    """Return a set of provinces by their codes."""
    return sum(1 << board.index[code] for code in codes)


def kind_of(message: pb.Event) -> Any:
    """Return the event type of a message."""
    name = message.WhichOneof("kind")
    assert name is not None
    return EVENTS["".join(part.capitalize() for part in name.split("_"))]


def event(message: pb.Event, board: Board) -> ev.Event:
    """Return the event of a message."""
    kind = kind_of(message)
    content = getattr(message, str(message.WhichOneof("kind")))
    result: ev.Event = kind(**{field.name: _value(kind, field.name, content, board) for field in fields(kind)})
    return result


def _value(kind: Any, name: str, message: Any, board: Board) -> Any:
    value = getattr(message, name)
    match name:
        case "seat" | "other" | "slot":
            return value - 1
        case "defender":
            return value - 1 if value else None
        case "order":
            return tuple(seat - 1 for seat in value)
        case "traits":
            return traits(value)
        case "rejected":
            flat = traits(value)
            return tuple(flat[place : place + 2] for place in range(0, len(flat), 2))
        case "province":
            return board.index[value] if value else None
        case "provinces" | "given_up":
            return provinces(value, board)
        case "forts":
            return tuple(board.index[code] for code in value)
        case "pawns" if kind in (ev.Reorganised, ev.Redeployed):
            return tuple((board.index[code], pawns) for code, pawns in zip(message.provinces, value, strict=True))
        case "held" | "empire":
            return HELD[value]
        case "items":
            names = [field.name for field in fields(ev.ScoreItem)]
            return tuple(
                ev.ScoreItem(**{name: _value(ev.ScoreItem, name, item, board) for name in names}) for item in value
            )
        case "ranks" | "vp" if kind is ev.GameOver:
            return tuple(value)
    return value


def facts(message: pb.State, board: Board) -> dict[str, Any]:
    """Return the attributes of a State that its message contains."""
    seats = message.seats
    return {
        "order": tuple(seat - 1 for seat in message.order),
        "round": message.round,
        "turn": list(message.order).index(message.turn_seat),
        "phase": pb.Phase.Name(message.phase).removeprefix("PHASE_").lower(),
        "actor": message.seat_to_act - 1,
        "vp": [seat.vp for seat in seats],
        "active": [_empire(seat, "active", message, board) for seat in seats],
        "declined": [_empire(seat, "declined", message, board) for seat in seats],
        "survivors": [seat.survivors for seat in seats],
        "named": tuple(tuple(other - 1 for other in seat.peace) for seat in seats),
        "must_decline": {seat.seat - 1 for seat in seats if seat.must_decline},
        "forfeited": [seat.seat - 1 for seat in sorted(seats, key=lambda seat: seat.forfeited) if seat.forfeited],
        "garrison": list(message.pawns),
        "neutral": _held(message, pb.HOLDING_NEUTRAL, 0),
        "forts": sum(1 << p for p, fort in enumerate(message.forts) if fort),
        "market": [(traits(slot.traits), slot.markers) for slot in message.market],
        "spied": message.spied,
        "eliminated": message.eliminated,
        "target_reached": message.target_reached,
    }


def facts_of_state(state: State) -> dict[str, Any]:
    """Return the same attributes of the State itself; every other attribute is in NOT_IN_MESSAGES."""
    _, (attributes,) = state.__reduce__()  # compiled classes have no `__slots__`
    result = {name: value for name, value in attributes.items() if name not in NOT_IN_MESSAGES}
    if state.phase == "over":
        result["actor"] = -1
    for name in ("active", "declined"):
        result[name] = [_empire_facts(empire) for empire in result[name]]
    result["market"] = [(civilization.traits, civilization.markers) for civilization in state.market]
    return result | {name: type(empty)(result[name]) for name, empty in (("must_decline", set()), ("forfeited", []))}


def _empire(seat: pb.SeatState, name: str, message: pb.State, board: Board) -> Any:
    held = _held(message, pb.Holding.Value(f"HOLDING_{name.upper()}"), seat.seat)
    if not seat.HasField(name):  # type: ignore[arg-type]
        assert not held
        return None
    empire = getattr(seat, name)
    assert empire.provinces == held.bit_count()
    assert empire.pawns == sum(pawns for p, pawns in enumerate(message.pawns) if held >> p & 1)
    return traits(empire.traits), held, empire.reserve


def _empire_facts(empire: Empire | None) -> Any:
    return None if empire is None else (empire.traits, empire.provinces, empire.reserve)


def _held(message: pb.State, holding: "pb.Holding.ValueType", owner: int) -> int:
    pairs = zip(message.holdings, message.owners, strict=True)
    return sum(1 << p for p, pair in enumerate(pairs) if pair == (holding, owner))

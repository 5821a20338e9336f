"""Conversion of events to messages, which have the same names and fields, and of violations."""

import re
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any, Final, TypeAlias

from vinci.v1 import game_pb2 as pb
from vinci_rules import events as ev
from vinci_rules.board import Board
from vinci_rules.violations import Violation, facts

from .states import trait_codes

Conversion: TypeAlias = Callable[[Any, Board], Any]

HOLDINGS: Final[dict[ev.Held, "pb.Holding.ValueType"]] = {
    "nobody": pb.HOLDING_NOBODY,
    "neutral": pb.HOLDING_NEUTRAL,
    "active": pb.HOLDING_ACTIVE,
    "declined": pb.HOLDING_DECLINED,
}

CONVERSIONS: Final[dict[str, Conversion]] = {
    "seat": lambda seat, _board: seat + 1,
    "other": lambda seat, _board: seat + 1,
    "slot": lambda slot, _board: slot + 1,
    "defender": lambda seat, _board: 0 if seat is None else seat + 1,
    "order": lambda seats, _board: [seat + 1 for seat in seats],
    "traits": lambda traits, _board: trait_codes(traits),
    "rejected": lambda pairs, _board: [code for traits in pairs for code in trait_codes(traits)],
    "province": lambda province, board: "" if province is None else board.codes[province],
    "provinces": lambda provinces, board: board.codes_of(provinces),
    "given_up": lambda provinces, board: board.codes_of(provinces),
    "forts": lambda provinces, board: [board.codes[p] for p in provinces],
    "held": lambda held, _board: HOLDINGS[held],
    "empire": lambda held, _board: HOLDINGS[held],
    "items": lambda items, board: [_values(item, board) for item in items],
}
"""Conversions by the name of a field; other fields keep their value."""


def event(event: ev.Event, board: Board) -> pb.Event:
    """Return an event as a message."""
    values = _values(event, board)
    if isinstance(event, (ev.Reorganised, ev.Redeployed)):
        values["provinces"] = [board.codes[p] for p, _ in event.pawns]
        values["pawns"] = [pawns for _, pawns in event.pawns]
    kinds: dict[str, Any] = {_snake_case(type(event).__name__): values}
    return pb.Event(**kinds)


def _values(source: ev.Event | ev.ScoreItem, board: Board) -> dict[str, Any]:
    """Return the fields of the message for an event or a part of one."""
    values = {}
    kind: Any = type(source)
    for name, convert in _conversions(kind):
        value = getattr(source, name)
        values[name] = value if convert is None else convert(value, board)
    return values


@cache
def _conversions(kind: Any) -> list[tuple[str, Conversion | None]]:
    return [(field.name, CONVERSIONS.get(field.name)) for field in fields(kind)]


@cache
def _snake_case(name: str) -> str:
    return re.sub("(?<!^)([A-Z])", r"_\1", name).lower()


def refusal(violation: Violation, board: Board) -> pb.Refusal:
    """Return a violation as a message: rule, name and facts as texts."""
    return pb.Refusal(rule=violation.rule, reason=type(violation).__name__, facts=facts(violation, board))

"""Completion of what is typed, from what the server says is legal."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeAlias

from vinci.v1 import game_pb2

from ..text.i18n import _
from ..text.names import Catalogue

Candidates: TypeAlias = Iterable[tuple[str, str]]
"""Words, each with what it means."""


def candidates(
    typed: str,
    commands: Mapping[str, str],
    legal: game_pb2.Legal,
    market: Iterable[game_pb2.MarketSlot],
    names: Catalogue,
) -> Candidates:
    """Yield the words that can follow; `commands`, with what they mean, can stand where an action can."""
    start = typed.rpartition(";")[2].lstrip()
    if start.startswith("why "):
        start = start[4:].lstrip()
    word, space, rest = start.partition(" ")
    if not space:
        yield from ((word, _("legal now")) for word, is_legal in ACTIONS.items() if is_legal(legal))
        yield from commands.items()
        return
    last = rest.rpartition(" ")[2]
    match word.lower():
        case "x" if " " not in rest:
            for code, meaning in _conquests(legal, names):
                yield from _typed_as(code, meaning, last, names)
        case "x":
            yield from ((("spy", _("for exactly 2")),) if legal.conquer_by_spies else ())
        case "abandon":
            for code in legal.abandon:
                yield from _typed_as(code, names.province(code), last, names)
        case "take":
            slots = list(market)
            yield from ((str(slot), names.civilization(slots[slot - 1].traits)) for slot in legal.take)
        case "peace":
            yield from ((str(seat), names.seat(seat)) for seat in legal.peace)
        case "hold" | "redeploy":
            parts = legal.hold.parts if word == "hold" else [legal.redeploy]
            for part in parts:
                for code in part.provinces:
                    yield from _typed_as(code, names.province(code), last, names, "=")
            if word == "hold" and legal.hold.forts:
                yield "fort", _("build a fort in the provinces that follow")


def _conquests(legal: game_pb2.Legal, names: Catalogue) -> Candidates:
    """Yield the codes of the provinces that can be conquered, each with name and cost."""
    for code, cost, worth in zip(legal.conquer, legal.cost, legal.worth, strict=True):
        text = _("{province}, cost {cost}, {worth:+d} VP")
        yield code, text.format(province=names.province(code), cost=cost, worth=worth)
    for code in legal.conquer_by_spies:
        if code not in legal.conquer:
            yield code, _("{province}, by Spies for 2: x {code} spy").format(province=names.province(code), code=code)


def _typed_as(code: str, meaning: str, begun: str, names: Catalogue, end: str = "") -> Candidates:
    """Yield the words for a province: its code or, if something else has been begun, its name without spaces."""
    yield code + end, meaning
    if begun and not code.startswith(begun.upper()):
        yield names.province(code).replace(" ", "-") + end, meaning


ACTIONS: Final[Mapping[str, Callable[[game_pb2.Legal], bool]]] = {
    "take": lambda legal: bool(legal.take),
    "x": lambda legal: bool(legal.conquer or legal.conquer_by_spies),
    "hold": lambda legal: legal.HasField("hold"),
    "peace": lambda legal: bool(legal.peace),
    "abandon": lambda legal: bool(legal.abandon),
    "decline": lambda legal: legal.decline,
    "stay": lambda legal: legal.stay,
    "redeploy": lambda legal: legal.HasField("redeploy"),
}
"""The first words of actions, each with whether such an action is legal."""

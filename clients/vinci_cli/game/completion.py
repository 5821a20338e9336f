"""What can follow what is typed, from what the server says is legal."""

from collections.abc import Iterable, Mapping

from vinci.v1 import game_pb2

from ..text.i18n import _
from ..text.names import Catalogue


def candidates(
    typed: str,
    commands: Mapping[str, str],
    legal: game_pb2.Legal,
    market: Iterable[game_pb2.MarketSlot],
    names: Catalogue,
) -> Iterable[tuple[str, str]]:
    """Words that can follow, each with what it means; `commands` can stand where an action can."""
    start = typed.rpartition(";")[2].lstrip()
    if start.startswith("why "):
        start = start[4:].lstrip()
    word, space, rest = start.partition(" ")
    if not space:
        yield from _actions(legal)
        yield from commands.items()
        return
    match word.lower():
        case "x" if " " not in rest:
            for code, cost, worth in zip(legal.conquer, legal.cost, legal.worth, strict=True):
                told = _("{province}, cost {cost}, {worth:+d} VP")
                yield code, told.format(province=names.province(code), cost=cost, worth=worth)
            for code in legal.conquer_by_spies:
                if code not in legal.conquer:
                    told = _("{province}, by Spies for 2: x {code} spy")
                    yield code, told.format(province=names.province(code), code=code)
        case "x":
            yield from ((("spy", _("for exactly 2")),) if legal.conquer_by_spies else ())
        case "abandon":
            yield from ((code, names.province(code)) for code in legal.abandon)
        case "take":
            slots = list(market)
            yield from ((str(slot), names.civilization(slots[slot - 1].traits)) for slot in legal.take)
        case "peace":
            yield from ((str(seat), names.seat(seat)) for seat in legal.peace)
        case "hold" | "redeploy":
            parts = legal.hold.parts if word == "hold" else [legal.redeploy]
            for part in parts:
                yield from ((f"{code}=", names.province(code)) for code in part.provinces)
            if word == "hold" and legal.hold.forts:
                yield "fort", _("build a fort in the provinces that follow")


def _actions(legal: game_pb2.Legal) -> Iterable[tuple[str, str]]:
    known = {
        "take": legal.take,
        "x": list(legal.conquer) + list(legal.conquer_by_spies),
        "hold": legal.HasField("hold"),
        "peace": legal.peace,
        "abandon": legal.abandon,
        "decline": legal.decline,
        "stay": legal.stay,
        "redeploy": legal.HasField("redeploy"),
    }
    return ((word, _("legal now")) for word, possible in known.items() if possible)

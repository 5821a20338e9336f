"""The check of a game that is over: seed and nonces are those that were committed to, and give the draws.

Uses the rules, since it draws everything again.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from vinci_client.printable import printable
from vinci_rules import ENGINE_VERSION, record

from ..connection.nonces import hash_of
from ..connection.saved_seats import SavedSeat
from ..text.i18n import N_, _, plural

NUMBER_MISSING: Final = N_("your number is not in the seed")


def verdict(seat: SavedSeat, lines: Sequence[str], *, over: bool) -> str:
    """Return what a player is told about the draws of a game.

    Args:
        seat: the seat, with what was saved to check the game.
        lines: the record, empty if the server gave none.
        over: whether the server says that the game is over, not ended before.

    Returns:
        One line; empty for an open seed and for a game that was ended before it was over.
    """
    if not seat.commitment:
        why = _("nothing was known about its seed when you took your seat, as with older servers and clients")
        return _unchecked(why) if over and not seat.seed else ""
    try:
        if not lines or "result" not in json.loads(lines[-1]):
            return _unchecked(_("the server has given no record with a result")) if over else ""
        first, last = json.loads(lines[0]), json.loads(lines[-1])
        fault = _fault(seat, first, last)
        checks_draws = first.get("engine") == ENGINE_VERSION
        if not fault and checks_draws:
            record.verify_chance(lines)
    except (record.RecordError, ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        fault = printable(str(error))
    if fault:
        text = _("The draws of this game cannot be trusted: {why}. Keep its record, and ask whoever runs the server.")
        return text.format(why=fault)
    if not checks_draws:
        text = _(
            "The seed is the one committed before the game. The draws were not checked: the server has other rules."
        )
    elif not seat.nonces:
        text = _("The draws are those of the seed committed before the game; no number of yours is in it.")
    else:
        text = plural(
            "The draws are those of the seed committed before the game; your number is in it.",
            "The draws are those of the seed committed before the game; your {n} numbers are in it.",
            len(seat.nonces),
        )
    if seat.void:
        again = plural(
            "They were drawn again {n} time since a player's number did not come.",
            "They were drawn again {n} times since a player's number did not come.",
            seat.void,
        )
        return f"{text} {again}"
    return text


def _unchecked(why: str) -> str:
    return _("The draws of this game were not checked: {why}.").format(why=why)


def _fault(seat: SavedSeat, first: Mapping[str, Any], last: Mapping[str, Any]) -> str:
    """Return why seed and nonces are not those committed to; empty if they are.

    A forged record may raise anything that reading it raises.
    """
    if first.get("commitment") != seat.commitment:
        return _("it has another commitment than the server had published when you took your seat")
    if seat.sealed not in {None, bool(first.get("sealed"))}:
        return _("whether its seed was chosen is not what the server had said when you took your seat")
    if seat.from_position not in {None, "position" in first}:
        return _("whether it starts from a position is not what the server had said when you took your seat")
    if seat.nonces and first.get("sealed"):
        return _(NUMBER_MISSING)
    if "reveal" not in last:
        return _("the server has not revealed the seed")
    reveal = last["reveal"]
    if hash_of(f"{reveal['seed']}|{reveal['salt']}") != seat.commitment:
        return _("the seed that was revealed is not the one committed to")
    if seat.hashes and tuple(first.get("nonce_hashes", [""] * len(seat.hashes))) != seat.hashes:
        return _("it has other hashes of the players' numbers than the server had published before the game")
    nonces = reveal.get("nonces", [])
    if any(nonces[number - 1 : number] != [nonce] for number, nonce in seat.nonces):
        return _(NUMBER_MISSING)
    for number, (nonce, published) in enumerate(zip(nonces, seat.hashes or (), strict=False), start=1):
        if (hash_of(nonce) if nonce else "") != published:
            return _("the number of seat {seat} is not the one whose hash was published").format(seat=number)
    return ""

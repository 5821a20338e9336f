"""The check of a game that is over: seed and nonces are those that were committed to, and give the draws.

Uses the rules, since it draws everything again.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from vinci_client.printable import printable
from vinci_rules import ENGINE_VERSION, record

from ..connection.nonces import hash_of
from ..connection.saved_seats import SavedSeat
from ..text.sentences import sentence


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
        return _unchecked("unknown") if over and not seat.seed else ""
    try:
        if not lines or "result" not in json.loads(lines[-1]):
            return _unchecked("no_result") if over else ""
        first, last = json.loads(lines[0]), json.loads(lines[-1])
        fault = _fault(seat, first, last)
        checks_draws = first.get("engine") == ENGINE_VERSION
        if not fault and checks_draws:
            record.verify_chance(lines)
    except (record.RecordError, ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        fault = {"error": printable(str(error))}
    if fault:
        return sentence("draws_fault", {"why": fault.get("error") or sentence("draws_why", fault)})
    told = sentence("draws", {"other_rules": not checks_draws, "numbers": len(seat.nonces)})
    return f"{told} {sentence('draws_again', {'n': seat.void})}" if seat.void else told


def _unchecked(what: str) -> str:
    return sentence("draws_unchecked", {"why": sentence("draws_why", {"what": what})})


def _fault(seat: SavedSeat, first: Mapping[str, Any], last: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return facts about why seed and nonces are not those committed to; none if they are.

    A forged record may raise anything that reading it raises.
    """
    if first.get("commitment") != seat.commitment:
        return {"what": "commitment"}
    if seat.sealed not in {None, bool(first.get("sealed"))}:
        return {"what": "sealed"}
    if seat.from_position not in {None, "position" in first}:
        return {"what": "position"}
    if seat.nonces and first.get("sealed"):
        return {"what": "own_nonce"}
    if "reveal" not in last:
        return {"what": "no_reveal"}
    reveal = last["reveal"]
    if hash_of(f"{reveal['seed']}|{reveal['salt']}") != seat.commitment:
        return {"what": "seed"}
    if seat.hashes and tuple(first.get("nonce_hashes", [""] * len(seat.hashes))) != seat.hashes:
        return {"what": "hashes"}
    nonces = reveal.get("nonces", [])
    if any(nonces[number - 1 : number] != [nonce] for number, nonce in seat.nonces):
        return {"what": "own_nonce"}
    for number, (nonce, published) in enumerate(zip(nonces, seat.hashes or (), strict=False), start=1):
        if (hash_of(nonce) if nonce else "") != published:
            return {"what": "nonce", "seat": number}
    return {}

"""Nonces of the seats at this terminal: committed to at first, revealed before the start (docs/chance.md)."""

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias

from vinci.v1 import lobby_pb2, person_pb2
from vinci_client.errors import ServerGone, ServerRefused
from vinci_client.session import Session

from . import saved_seats
from .saved_seats import SavedSeat

Joined: TypeAlias = lobby_pb2.JoinMatchResponse | lobby_pb2.JoinRematchResponse | person_pb2.ResumedSeat


def new() -> str:
    """Return a random nonce of 128 bits."""
    return secrets.token_hex(16)


def hash_of(nonce: str) -> str:
    """Return the SHA-256 of a nonce, in hexadecimal."""
    return hashlib.sha256(nonce.encode()).hexdigest()


def hashes(match: lobby_pb2.Match) -> tuple[str, ...]:
    """Return the hash of each seat's nonce, seat 1 first; empty for a seat without one."""
    return tuple(seat.nonce_hash for seat in match.seats)


def seated(where: str, joined: Iterable[tuple[Joined, str]]) -> SavedSeat:
    """Return the seats that one terminal has joined, with their nonces and what checks the game later, to be saved."""
    answers = list(joined)
    first, match = answers[0][0], answers[-1][0].match
    taken = [
        (answer.seat, nonce)
        for answer, nonce in answers
        if answer.match.seats[answer.seat - 1].nonce_hash == hash_of(nonce)
    ]
    return SavedSeat(
        where,
        match.match_id,
        first.seat,
        first.seat_token,
        others=tuple((answer.seat, answer.seat_token) for answer, _nonce in answers[1:]),
        commitment=match.commitment,
        nonces=tuple(taken),
        hashes=() if match.status == lobby_pb2.MATCH_STATUS_OPEN else hashes(match),
        seed=match.seed,
        sealed=match.sealed,
        from_position=match.from_position,
    )


async def send_due(session: Session, match: lobby_pb2.Match, seats: Mapping[int, str]) -> bool:
    """Send the nonces, or the hashes of new ones, that are due from these seats with their tokens.

    What cannot be sent now is still due when the server sends the match again. Returns whether any were due.
    """
    own = [seat for seat in match.nonces_due if seat in seats]
    if not own:
        return False
    saved = saved_seats.change(match.match_id, seats.values(), lambda seat: _prepared(seat, match, own))
    if saved is None:
        return False
    nonces = dict(saved.nonces)
    for seat in own:
        nonce, published = nonces.get(seat, ""), match.seats[seat - 1].nonce_hash
        with suppress(ServerRefused, ServerGone):
            if not published:
                await session.reveal_nonce(match.match_id, seats[seat], nonce_hash=hash_of(nonce))
            elif published == hash_of(nonce):
                await session.reveal_nonce(match.match_id, seats[seat], nonce)
    return True


def _prepared(saved: SavedSeat, match: lobby_pb2.Match, own: list[int]) -> SavedSeat:
    """Prepare what to save before sending: the hashes of all before a nonce, a new nonce before its hash."""
    unpublished = [seat for seat in own if not match.seats[seat - 1].nonce_hash]
    if not unpublished:
        return replace(saved, hashes=saved.hashes or hashes(match))
    fresh = {seat: new() for seat in unpublished}
    if not saved.hashes:  # a nonce that was not revealed is as good as a new one
        return replace(saved, nonces=tuple((fresh | dict(saved.nonces)).items()))
    return replace(saved, nonces=tuple((dict(saved.nonces) | fresh).items()), hashes=(), void=saved.void + 1)

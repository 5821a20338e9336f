"""Starts a match when every seat of a person is taken and every nonce that is due is revealed (docs/chance.md)."""

import json
from contextlib import suppress

from vinci_rules.chance import nonce_hash
from vinci_rules.state import Seat

from ...errors import ServiceError
from ..match import Match
from ..planning import check_changes, check_goes_on


async def begin(match: Match) -> None:
    """Continue a match that was made or loaded; start it if it is open and nothing is missing for its start."""
    match.begin()
    if match.status == "open":
        await match.in_line(start_if_full(match))


async def start(match: Match) -> None:
    """Start the game, or ask for the nonces first. Every seat of a person must be taken.

    Seats that have owed a nonce for too long are emptied. Raises ServiceError.
    """
    await match.in_line(_start(match))


async def start_if_full(match: Match) -> None:
    """Start a match that starts by itself, or one whose nonces are all revealed. To be called in line."""
    ledger = match.ledger
    starts = ledger.setup.start_when_full or ledger.revealing
    if starts and ledger.status == "open" and not ledger.missing() and not ledger.due():
        with suppress(ServiceError):  # logged; the next start of the server tries again
            await _start(match)


async def _start(match: Match) -> None:
    ledger = match.ledger
    check_goes_on(ledger)
    if ledger.state is not None:
        raise ServiceError("ALREADY_STARTED")
    if missing := ledger.missing():
        numbers = ", ".join(str(seat + 1) for seat in missing)
        raise ServiceError("SEATS_OPEN", seats=numbers)
    if due := ledger.due():
        overdue = [seat for seat in due if match.timekeeper.is_overdue(seat)]
        if not overdue:
            numbers = ", ".join(str(seat + 1) for seat in due)
            raise ServiceError("NONCES_DUE", "NONCE" if ledger.revealing else "HASH", seats=numbers)
        await match.vacate(overdue)
        return
    if not ledger.revealing and any(sitter.promised for sitter in ledger.sitters):
        await match.change_seats([ledger.row("reveal", None)])
        match.log("nonces due")
        return
    opening, row = ledger.start()
    await match.append([row], "running", [opening])
    match.log("match started", seats=len(ledger.sitters))
    match.begin_game(opening)


async def reveal(match: Match, seat: Seat, nonce: str) -> None:
    """Take the nonce that a seat has promised; the last one starts the game. Raises ServiceError."""
    await match.in_line(_reveal(match, seat, nonce))


async def _reveal(match: Match, seat: Seat, nonce: str) -> None:
    ledger = match.ledger
    if ledger.has_revealed(seat, nonce):
        return  # the answer to an earlier call was lost
    _check_open(match)
    if not ledger.revealing:
        raise ServiceError("NONCE_NOT_DUE", "EARLY")
    if nonce_hash(nonce) != ledger.sitters[seat].promised:
        raise ServiceError("BAD_NONCE", "OTHER")
    await _take(match, seat, {"nonce": nonce})


async def promise(match: Match, seat: Seat, promised: str) -> None:
    """Take the hash of a new nonce of a person's seat, in place of what the seat gave before. Raises ServiceError."""
    await match.in_line(_promise(match, seat, promised))


async def _promise(match: Match, seat: Seat, promised: str) -> None:
    ledger = match.ledger
    _check_open(match)
    if ledger.sitters[seat].promised == promised:
        return  # the answer to an earlier call was lost
    if ledger.revealing:
        raise ServiceError("NONCES_DUE", "REVEALED")
    check_changes(ledger, seat)
    if not ledger.setup.mixes_nonces or ledger.kind(seat) != "human":
        raise ServiceError("NONCE_NOT_DUE", "NEVER")
    await _take(match, seat, {"nonce": "", "promised": promised})


def _check_open(match: Match) -> None:
    check_goes_on(match.ledger)
    if match.ledger.state is not None:
        raise ServiceError("ALREADY_STARTED")


async def _take(match: Match, seat: Seat, fields: dict[str, str]) -> None:
    await match.change_seats([match.ledger.row("nonce", seat, json.dumps(fields))])
    await start_if_full(match)

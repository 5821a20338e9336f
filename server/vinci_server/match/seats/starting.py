"""Starts a match when all human seats are taken and all nonces due are revealed (docs/chance.md)."""

from contextlib import suppress

from vinci_rules.chance import nonce_hash
from vinci_rules.state import Seat

from ...errors import ServiceError
from ..command_queue import command
from ..log import entries as log
from ..match import Match
from ..planning import check_changes, check_goes_on, numbers


async def begin(match: Match) -> None:
    """Continue a match that was created or read; start it if it is open and nothing is missing."""
    match.begin()
    if match.status == "open":
        await start_if_full(match)


@command
async def start_if_full(match: Match) -> None:
    """Start a match that starts by itself, or whose nonces are all revealed, once nothing is missing."""
    ledger = match.ledger
    starts = ledger.setup.start_when_full or ledger.revealing
    if starts and ledger.status == "open" and not ledger.missing() and not ledger.due():
        with suppress(ServiceError):  # logged; the next start of the server tries again
            await start(match)


@command
async def start(match: Match) -> None:
    """Start the game; before, empty seats that withhold nonces, or ask for nonces. Raises ServiceError."""
    ledger = match.ledger
    _check_open(match)
    if missing := ledger.missing():
        raise ServiceError("SEATS_OPEN", seats=numbers(missing))
    if due := ledger.due():
        overdue = [seat for seat in due if match.timekeeper.is_overdue(seat)]
        if not overdue:
            raise ServiceError("NONCES_DUE", "NONCE" if ledger.revealing else "HASH", seats=numbers(due))
        await match.vacate(overdue)
        return
    if not ledger.revealing and any(sitter.promised for sitter in ledger.sitters):
        await match.change_seats([log.RevealNonces()])
        match.log("nonces due")
        return
    opening, entry = ledger.start()
    await match.append([entry], "running", [opening])
    match.log("match started", seats=len(ledger.sitters))
    match.begin_game(opening)


@command
async def name_rematch(match: Match, match_id: str) -> None:
    """Set the id of the rematch, unless it is set."""
    if not match.ledger.rematch:
        await match.append([log.Rematch(match_id)])


@command
async def reveal(match: Match, seat: Seat, nonce: str) -> None:
    """Take the nonce that a seat has promised; the last one starts the game. Raises ServiceError."""
    ledger = match.ledger
    if ledger.has_revealed(seat, nonce):
        return  # the answer to an earlier call was lost
    _check_open(match)
    if not ledger.revealing:
        raise ServiceError("NONCE_NOT_DUE", "EARLY")
    if nonce_hash(nonce) != ledger.sitters[seat].promised:
        raise ServiceError("BAD_NONCE", "OTHER")
    await _take(match, log.GiveNonce(seat, nonce))


@command
async def promise(match: Match, seat: Seat, promised: str) -> None:
    """Take the hash of a new nonce of a human seat, which replaces an earlier one. Raises ServiceError."""
    ledger = match.ledger
    _check_open(match)
    if ledger.sitters[seat].promised == promised:
        return  # the answer to an earlier call was lost
    if ledger.revealing:
        raise ServiceError("NONCES_DUE", "REVEALED")
    check_changes(ledger, seat)
    if not ledger.setup.mixes_nonces or ledger.kind(seat) != "human":
        raise ServiceError("NONCE_NOT_DUE", "NEVER")
    await _take(match, log.GiveNonce(seat, "", promised))


def _check_open(match: Match) -> None:
    check_goes_on(match.ledger)
    if match.ledger.state is not None:
        raise ServiceError("ALREADY_STARTED")


async def _take(match: Match, nonce: log.GiveNonce) -> None:
    await match.change_seats([nonce])
    await start_if_full(match)

"""Changes the players of seats: joining and leaving, handing a seat over, taking it back from a substitute."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple, final

from vinci_rules.state import Seat

from ...errors import ServiceError
from ..command_queue import command
from ..log import entries as log
from ..match import Match
from ..planning import check_changes, check_goes_on, started
from . import tokens
from .names import check_person, check_unlike, different
from .setup import SeatSetup
from .starting import promise, start_if_full


class Nonce(NamedTuple):
    """A player's contribution to the seed: a nonce, or the hash of one that follows; both empty for none."""

    text: str = ""
    promised: str = ""


NO_NONCE: Final = Nonce()


@final
@dataclass(frozen=True, slots=True)
class Identity:
    """The person who sits down, 0 for a guest, and the key of its device; no key if somebody bears a token for it."""

    person: int = 0
    key: str = field(default="", repr=False)


GUEST: Final = Identity()


def joined(match: Match, request_id: str) -> tuple[Seat, str] | None:
    """Return the seat that an earlier request with this id has taken and its token, or None."""
    token = tokens.token_for("seat", match.match_id, request_id)
    for seat, sitter in zip(match.ledger.seats(), match.ledger.sitters, strict=True):
        if request_id and tokens.fits(token, sitter.token_hash):
            return seat, token
    return None


@command
async def resume(match: Match, seat: Seat, identity: Identity) -> str:
    """Return the token of a person's device for its seat; those of other devices stay valid. Raises ServiceError."""
    sitter = match.ledger.sitters[seat]
    if sitter.person != identity.person:
        raise ServiceError("SEAT_TAKEN", seat=seat + 1)
    token = tokens.token_of_person(match.match_id, identity.key, sitter.since)
    if not sitter.knows(token):
        await match.append([log.AddToken(seat, tokens.digest(token))])
        match.log("seat resumed", seat)
    return token


@command
async def join(
    match: Match,
    seat: Seat | None,
    player: str,
    nonce: Nonce,
    held: str = "",
    request_id: str = "",
    identity: Identity = GUEST,
) -> tuple[Seat, str]:
    """Take a seat, the first open human one if none is named; returns it and its token.

    A reserved seat needs the hash of the first token of the match before, `held`. Repeating the `request_id` returns
    the same result. A person who has a seat gets that one.
    """
    if (earlier := joined(match, request_id)) is not None:
        return earlier
    ledger = match.ledger
    if identity.key and (own := ledger.seat_of_person(identity.person)) is not None:
        token = await resume(match, own, identity)
        if nonce.promised and ledger.state is None and ledger.setup.mixes_nonces and not ledger.revealing:
            await promise(match, own, nonce.promised)  # the nonce before may be lost with the token
        return own, token
    if seat is None:
        free = [seat for seat in ledger.missing() if not ledger.setup.seats[seat].reserved]
        if not free:
            raise ServiceError("NO_OPEN_SEAT")
        seat = free[0]
    _check_seat(match, seat)
    check_goes_on(match.ledger)
    check_changes(ledger, seat)
    reserved = ledger.setup.seats[seat].reserved
    if reserved and held != reserved:
        raise ServiceError("SEAT_TAKEN", "KEPT", seat=seat + 1)
    if ledger.state is not None and match.is_of_a_bot(seat):
        raise ServiceError("SEAT_TAKEN", "BOT", seat=seat + 1)
    if not reserved and (match.is_of_a_bot(seat) or not ledger.is_open(seat)):
        raise ServiceError("SEAT_TAKEN", seat=seat + 1)
    if not reserved:  # else the answer to an earlier call may have been lost
        _check_settled(match)
        _check_name(match, seat, player)
    name = player or f"{ledger.kind(seat)} {seat + 1}"
    token, entry = _sitter(match, seat, name, nonce, request_id, identity)
    returned = _returned(match, seat)
    await (match.change_play([entry, *returned], [seat]) if returned else match.change_seats([entry]))
    match.log("seat taken", seat)
    match.timekeeper.excuse([seat])
    match.audience.dismiss(seat)
    await start_if_full(match)
    match.timekeeper.arm()
    return seat, token


def _check_name(match: Match, seat: Seat, player: str) -> None:
    """Raises ServiceError for a misleading name. A bot's seat is often taken for it, by the name that it asks for."""
    ledger = match.ledger
    others = [other for other in ledger.seats() if other != seat]
    if player and ledger.kind(seat) == "human":
        check_person(player, [ledger.name(other) for other in others])
    elif player and player != ledger.setup.seats[seat].bot:
        check_unlike(player, [ledger.name(other) for other in others if ledger.kind(other) == "human"])


def _sitter(
    match: Match, seat: Seat, player: str, nonce: Nonce, request_id: str, identity: Identity
) -> tuple[str, log.Join]:
    """Return a new token for a seat and the entry that stores its hash, as the next row of the log.

    Only a human seat commits to a nonce.
    """
    ledger = match.ledger
    if identity.key:
        token = tokens.token_of_person(match.match_id, identity.key, ledger.length + 1)
    else:
        token = tokens.token_for("seat", match.match_id, request_id or tokens.request_id())
    nonce = nonce if ledger.state is None and ledger.setup.mixes_nonces else NO_NONCE  # the seed is mixed at the start
    player = different(player, [ledger.name(other) for other in ledger.seats() if other != seat])
    promised = nonce.promised if ledger.kind(seat) == "human" else ""
    return token, log.Join(seat, player, tokens.digest(token), nonce.text, promised, identity.person)


def _check_settled(match: Match) -> None:
    """Raises ServiceError while nonces are revealed: a change of seats would void them."""
    if match.ledger.state is None and match.ledger.revealing:
        raise ServiceError("NONCES_DUE")


def _returned(match: Match, seat: Seat) -> list[log.Entry]:
    """Return the entry that ends a substitution, if the seat has a substitute."""
    if not match.ledger.substituted[seat]:
        return []
    return [log.Return(seat, log.milliseconds(match.ledger.clocks.on_return(seat)))]


@command
async def leave(match: Match, token: str) -> None:
    """Leave a seat before the game starts."""
    await _before_start(match, log.Leave(match.ledger.seat_of(token)))


@command
async def set_seat(match: Match, seat: Seat, setup: SeatSetup) -> None:
    """Change who may join a seat that is free or withholds its nonce."""
    ledger = match.ledger
    _check_seat(match, seat)
    is_overdue = match.timekeeper.is_overdue(seat)
    if not is_overdue:
        _check_settled(match)
    if ledger.sitters[seat].token_hash and not is_overdue:
        raise ServiceError("SEAT_TAKEN", "BY", seat=seat + 1, player=ledger.sitters[seat].player)
    if ledger.setup.position and "dummy" in (setup.kind, ledger.kind(seat)):
        raise ServiceError("BAD_SEAT", "DUMMIES")
    check_goes_on(ledger)
    if is_overdue:
        await match.vacate([seat])
    await _before_start(match, log.ChangeSeat(seat, setup))


async def _before_start(match: Match, entry: log.Leave | log.ChangeSeat) -> None:
    check_goes_on(match.ledger)
    if match.ledger.state is not None:
        raise ServiceError("ALREADY_STARTED", "LEAVE")
    await match.change_seats([entry])
    match.log("seat left" if isinstance(entry, log.Leave) else "seat changed", entry.seat)
    await start_if_full(match)


def _check_seat(match: Match, seat: Seat) -> None:
    if seat not in match.ledger.seats():
        raise ServiceError("BAD_SEAT", "NONE", seat=seat + 1, seats=len(match.ledger.sitters))


# While the game runs.


def check_absent(match: Match, seat: Seat, usual_seconds: int) -> None:
    """Raises ServiceError unless the player of a seat is absent for the time of the match, or the usual one."""
    _check_seat(match, seat)
    check_goes_on(match.ledger)
    if match.ledger.kind(seat) != "human" or not match.ledger.sitters[seat].token_hash:
        raise ServiceError("BAD_SEAT", "NOBODY", seat=seat + 1)
    gone, seconds = match.timekeeper.gone(seat), match.ledger.setup.timing.absence or usual_seconds
    if not gone:
        raise ServiceError("NOT_ABSENT", seat=seat + 1)
    if gone < seconds:
        raise ServiceError("NOT_ABSENT", "YET", seat=seat + 1, seconds=seconds)


@command
async def substitute(match: Match, seat: Seat, bot: str, usual_seconds: int) -> None:
    """Let a bot of this name, or the substitute of the match, play for somebody who is absent."""
    started(match.ledger)
    check_absent(match, seat, usual_seconds)
    if match.ledger.substituted[seat]:
        raise ServiceError("SUBSTITUTED", "ALREADY", seat=seat + 1)
    await match.substitute(seat, "host", bot=bot)


@command
async def take_back(match: Match, seat: Seat) -> None:
    """Let the player of a seat play again in place of a substitute."""
    _check_seat(match, seat)
    check_goes_on(match.ledger)
    returned = _returned(match, seat)
    if not returned:
        raise ServiceError("NOT_SUBSTITUTED", seat=seat + 1)
    if not match.ledger.sitters[seat].token_hash:
        raise ServiceError("BAD_TOKEN", "TAKEN_AWAY", seat=seat + 1)
    check_changes(match.ledger, seat)
    await match.change_play(returned, [seat])
    match.log("seat taken back", seat)


@command
async def new_token(
    match: Match,
    seat: Seat,
    player: str = "",
    held: str = "",
    nonce: Nonce = NO_NONCE,
    request_id: str = "",
    identity: Identity = GUEST,
    *,
    of_absent: bool = False,
) -> str:
    """Replace the tokens of a seat, perhaps its name and promised nonce, if `held` is empty or the hash of the first.

    A guest who keeps the name goes on for the person of the seat, unless that is absent and did not ask for it.
    """
    _check_seat(match, seat)
    check_goes_on(match.ledger)
    sitter = match.ledger.sitters[seat]
    if held and held != sitter.token_hash:
        raise ServiceError("BAD_CODE", "SEAT_CHANGED")
    if not sitter.token_hash:
        raise ServiceError("BAD_SEAT", "NOBODY", seat=seat + 1)
    check_changes(match.ledger, seat)
    if nonce == NO_NONCE and not sitter.promised:
        nonce = Nonce(sitter.nonce)
    if (own := match.ledger.seats_of_person(identity.person)) and seat not in own:
        raise ServiceError("SEAT_TAKEN", "PERSON", seat=own[0] + 1)
    if player != sitter.player:
        _check_name(match, seat, player)
    if of_absent and match.audience.is_present(seat):
        raise ServiceError("NOT_ABSENT", seat=seat + 1)
    if not identity.person and not of_absent and player in ("", sitter.player):
        identity = Identity(sitter.person)
    token, entry = _sitter(match, seat, player or sitter.player, nonce, request_id, identity)
    await match.change_seats([entry])
    match.log("seat has a new token", seat)
    match.audience.dismiss(seat)
    return token


@command
async def kick(match: Match, seat: Seat) -> None:
    """Take a seat from its player or bot; a substitute plays it until it is joined again."""
    _check_seat(match, seat)
    check_goes_on(match.ledger)
    ledger = match.ledger
    if not ledger.sitters[seat].token_hash and (ledger.state is None or not match.is_of_a_bot(seat)):
        raise ServiceError("BAD_SEAT", "NOBODY", seat=seat + 1)
    entries: list[log.Entry] = [log.Leave(seat)]
    if ledger.state is not None and not ledger.substituted[seat]:
        entries.append(log.Substitute(seat, "kicked", match.timekeeper.left_ms(seat)))
    await match.change_play(entries, [seat])
    match.log("player kicked", seat)
    match.audience.dismiss(seat)

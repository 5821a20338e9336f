"""Plans the outcome of a request from the ledger, without changing the match."""

import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from vinci_rules import notation
from vinci_rules.actions import Action, Forfeit
from vinci_rules.chance import Chance, FastChance
from vinci_rules.engine import check
from vinci_rules.state import Seat, State
from vinci_rules.violations import described
from vinci_rules.violations import facts as facts_of

from ..errors import ServiceError
from .audience.watchers import Revision
from .log.entries import Act
from .log.ledger import Ledger
from .slices import listed

MOST_CHANGES: Final = 1000
"""Rows of one seat in one match that are neither actions nor chat."""
MOST_UNDOS: Final = 200
"""Undos in a turn."""


@dataclass(slots=True)
class PlayOutcome:
    """The actions played for a request and the refusal of the next; `before` is the position before the last tried."""

    revision: int
    played: list[Revision] = field(default_factory=list)
    refused: ServiceError | None = None
    before: State | None = None
    repeated: bool = False
    undone: bool = False
    """Whether something of an earlier request was taken back since."""


def numbers(seats: Sequence[Seat]) -> str:
    """Return the numbers of seats as a fact of a refusal."""
    return ", ".join(str(seat + 1) for seat in seats)


def check_goes_on(ledger: Ledger) -> None:
    """Raises ServiceError if the match has ended, with its game or before."""
    if ledger.ended:
        raise ServiceError("MATCH_ENDED", ended=ledger.ended)
    if ledger.status == "over":
        raise ServiceError("GAME_OVER")


def check_changes(ledger: Ledger, seat: Seat) -> None:
    """Raises ServiceError if a seat has been changed as often as a match allows."""
    if ledger.changes[seat] >= MOST_CHANGES:
        raise ServiceError("TOO_MANY_CHANGES", limit="changes_per_seat", number=MOST_CHANGES, seat=seat + 1)


def check_undos(ledger: Ledger, seat: Seat) -> None:
    """Raises ServiceError if a seat has undone as often as a turn or a match allows."""
    check_changes(ledger, seat)
    if ledger.game.undos(seat) >= MOST_UNDOS:
        raise ServiceError("CANNOT_UNDO", "TOO_MANY", limit="undos_per_turn", number=MOST_UNDOS)


def started(ledger: Ledger, expected_revision: int | None = None) -> State:
    """Return the position. Raises ServiceError before the start, or at another revision than expected."""
    if ledger.state is None:
        raise ServiceError("NOT_STARTED")
    if expected_revision is not None:
        check_revision(ledger, expected_revision)
    return ledger.state


def check_revision(ledger: Ledger, expected: int) -> None:
    """Raises ServiceError if the match is at another revision."""
    revision = ledger.revision
    if expected != revision:
        raise ServiceError("STALE_REVISION", revision=revision, meant=expected)


async def answered(ledger: Ledger, seat: Seat, kind: str, request_id: str) -> PlayOutcome:
    """Return the outcome of an earlier request of the seat, an `act` or an `undo`. Raises ServiceError."""
    owner, first, last, earlier = ledger.requests[request_id]
    if owner != seat:
        raise ServiceError("BAD_REQUEST_ID", "OTHER_SEAT")
    if earlier != kind:
        raise ServiceError("BAD_REQUEST_ID", "OTHER_CALL", call=earlier)
    played: list[Revision] = []
    with suppress(ServiceError):  # these rules cannot replay it
        played = await listed(ledger.game.revisions(first, last))
    return PlayOutcome(last, played, repeated=True, undone=ledger.game.is_undone(last))


def plan(
    ledger: Ledger,
    seat: Seat,
    by: str,
    actions: Sequence[Action],
    request_id: str | None,
    expected_revision: int | None,
    chance: Chance | None = None,
) -> tuple[PlayOutcome, list[Act]]:
    """Play actions in order on a copy of the position; returns the outcome, with a refusal, and the entries to store.

    Raises ServiceError if there is no game or it has moved on. `chance` replaces the game's own draws.
    """
    before = started(ledger, expected_revision)
    batch = ledger.batch(chance)
    outcome = PlayOutcome(ledger.revision, batch.played, before=before)
    for action in actions:
        outcome.before = batch.state
        outcome.refused = barred(ledger, seat, by, action) or refusal(batch.state, seat, action)
        if outcome.refused is not None:
            break
        batch.play(seat, by, action, request=request_id)
    outcome.revision += len(batch.acts)
    return outcome, batch.acts


def preview(ledger: Ledger, seat: Seat, actions: Sequence[Action], expected_revision: int | None = None) -> PlayOutcome:
    """Return the outcome that `Match.act` would have, with other draws and any refusal; nothing is played."""
    return plan(ledger, seat, "player", actions, None, expected_revision, FastChance(secrets.randbits(64)))[0]


def barred(ledger: Ledger, seat: Seat, by: str, action: Action | None) -> ServiceError | None:
    """Return the refusal of any action of a seat now, but of a forfeit, or None."""
    if ledger.ended:
        return ServiceError("MATCH_ENDED", ended=ledger.ended)
    if isinstance(action, Forfeit):
        return None
    if ledger.paused:
        return ServiceError("PAUSED")
    if ledger.substituted[seat] and by in ("player", "bot"):
        return ServiceError("SUBSTITUTED")
    if by == "substitute" and not ledger.substituted[seat]:
        return ServiceError("NOT_SUBSTITUTED", "BACK", seat=seat + 1)
    return None


def refusal(state: State, seat: Seat, action: Action) -> ServiceError | None:
    """Return the refusal of an action of a seat in a position, or None."""
    if state.phase != "over" and isinstance(action, Forfeit):
        if action.seat != seat:
            return ServiceError("NOT_YOUR_SEAT", seat=seat + 1)
    elif (too_early := not_to_act(state, seat)) is not None:
        return too_early
    violation = check(state, action)
    if violation is None:
        return None
    text = f"{notation.write(action, state.board)} breaks {described(violation, state.board)}"
    facts = {"rule": violation.rule, "violation": type(violation).__name__, **facts_of(violation, state.board)}
    return ServiceError("ILLEGAL_ACTION", "", text, **facts)


def not_to_act(state: State, seat: Seat) -> ServiceError | None:
    """Return the refusal of a seat that is not to act in this position, or None."""
    if state.phase == "over":
        return ServiceError("GAME_OVER")
    if state.actor != seat:
        return ServiceError("NOT_YOUR_TURN", seat=state.actor + 1)
    return None

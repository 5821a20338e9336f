"""Results of a game that is over, if it counts for ratings."""

from vinci_rules.engine import ranks
from vinci_rules.state import Seat, State

from ..storage.results import BOT, DUMMY, GUEST, PERSON, SeatResult
from .audience.audience import Audience
from .log.ledger import Ledger


def rated_results(ledger: Ledger, audience: Audience, state: State) -> list[SeatResult]:
    """Return the results of all seats in the last position; none if the game does not count.

    A game counts if its maker said so, or else if it began as usual, nobody knew the draws before, and all seats are
    those of persons or of named bots. A seat that a substitute plays counts for whoever left it.
    """
    setup = ledger.setup
    players = [_player(ledger, audience, seat) for seat in ledger.seats()]
    is_usual = not setup.position and not setup.sealed and not {GUEST, DUMMY}.intersection(players)
    if setup.rated == "no" or not (setup.rated or is_usual):
        return []
    return [SeatResult(*seat) for seat in zip(players, ranks(state), state.vp, strict=True)]


def _player(ledger: Ledger, audience: Audience, seat: Seat) -> str:
    """Return the key of the player of a seat; a bot that told no name is a guest."""
    sitter, kind = ledger.sitters[seat], ledger.kind(seat)
    if sitter.person:
        return f"{PERSON}{sitter.person}"
    if kind != "bot":
        return DUMMY if kind == "dummy" else GUEST
    name = sitter.player or ledger.setup.seats[seat].bot or audience.bots.get(seat, "")
    return f"{BOT}{name}" if name else GUEST

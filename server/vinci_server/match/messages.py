"""A match as everybody may know it, as a message."""

from typing import TYPE_CHECKING, Final

from vinci.v1 import lobby_pb2
from vinci_codec import catalogue
from vinci_rules.engine import ranks
from vinci_rules.state import Seat

from .seats.setup import KIND_CODES, STATUS_CODES, mistakes_message, timing_message

if TYPE_CHECKING:
    from .match import Match

PROPOSALS: Final = {
    lobby_pb2.PROPOSAL_KIND_PAUSE: "pause",
    lobby_pb2.PROPOSAL_KIND_RESUME: "resume",
    lobby_pb2.PROPOSAL_KIND_SUBSTITUTE: "substitute",
}
PROPOSAL_CODES: Final = {name: code for code, name in PROPOSALS.items()}


def match_message(match: "Match") -> lobby_pb2.Match:
    """The match as everybody may know it."""
    ledger, state = match.ledger, match.ledger.state
    setup = ledger.setup
    hashes = ledger.nonce_hashes()
    return lobby_pb2.Match(
        match_id=match.match_id,
        status=STATUS_CODES[ledger.status],
        board=setup.board,
        options=catalogue.options(setup.options()),
        seats=[_seat_message(match, seat, hashes[seat]) for seat in ledger.seats()],
        revision=ledger.revision,
        seed=setup.seed if setup.sealed and ledger.status == "over" else setup.open_seed,
        commitment=setup.commitment(),
        vp=[] if state is None else state.vp,
        ranks=ranks(state) if state is not None and state.phase == "over" else [],
        create_time=int(ledger.created),
        from_position=bool(setup.position),
        round=0 if state is None else state.round,
        timing=timing_message(setup.timing),
        mistakes=mistakes_message(setup.mistakes),
        paused=ledger.paused,
        proposals=[
            lobby_pb2.Proposal(
                kind=PROPOSAL_CODES[proposed.kind],
                seat=0 if proposed.seat is None else proposed.seat + 1,
                agreed=sorted(seat + 1 for seat in agreed),
                missing=[seat + 1 for seat in ledger.people() if seat not in agreed],
            )
            for proposed, agreed in ledger.proposals.items()
        ],
        rematch=ledger.rematch,
        ended=ledger.ended,
        sealed=setup.sealed,
        nonces_due=[seat + 1 for seat in ledger.due()],
    )


def _seat_message(match: "Match", seat: Seat, nonce_hash: str) -> lobby_pb2.MatchSeat:
    setup, sitter = match.ledger.setup.seats[seat], match.ledger.sitters[seat]
    is_dummy = setup.kind == "dummy"
    return lobby_pb2.MatchSeat(
        seat=seat + 1,
        kind=KIND_CODES[setup.kind],
        bot=setup.bot,
        player=sitter.player or match.bots.get(seat) or setup.bot or ("dummy" if is_dummy else ""),
        taken=not match.is_free(seat),
        connected=is_dummy or match.is_present(seat) or (setup.kind == "bot" and seat in match.bots),
        substituted=match.ledger.substituted[seat],
        nonce_hash=nonce_hash,
    )

"""A match as everybody may know it, as a message."""

from typing import Final

from vinci.v1 import lobby_pb2
from vinci_codec import catalogue, match_fields
from vinci_rules.engine import ranks
from vinci_rules.state import Seat

from ..log.ledger import Ledger
from ..seats.setup import KIND_CODES, STATUS_CODES, mistakes_message, timing_message
from .audience import Audience

PROPOSALS: Final = {
    lobby_pb2.PROPOSAL_KIND_PAUSE: "pause",
    lobby_pb2.PROPOSAL_KIND_RESUME: "resume",
    lobby_pb2.PROPOSAL_KIND_SUBSTITUTE: "substitute",
}
PROPOSAL_CODES: Final = {name: code for code, name in PROPOSALS.items()}


def match_message(ledger: Ledger, audience: Audience) -> lobby_pb2.Match:
    """Return the match as everybody may know it."""
    setup, state = ledger.setup, ledger.state
    hashes = ledger.nonce_hashes()
    message = lobby_pb2.Match(
        match_id=ledger.match_id,
        status=STATUS_CODES[ledger.status],
        board=setup.board,
        options=catalogue.options(setup.options()),
        seats=[_seat_message(ledger, audience, seat, hashes[seat]) for seat in ledger.seats()],
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
        no_advice=setup.no_advice,
        rated=match_fields.RATED.get(setup.rated, lobby_pb2.RATED_UNSPECIFIED),
        start_when_full=setup.start_when_full,
        nonces_due=[seat + 1 for seat in ledger.due()],
        spectators=audience.spectators,
    )
    message.choices.update(match_fields.choices(message))
    return message


def _seat_message(ledger: Ledger, audience: Audience, seat: Seat, nonce_hash: str) -> lobby_pb2.MatchSeat:
    setup, sitter = ledger.setup.seats[seat], ledger.sitters[seat]
    is_dummy, has_bot = setup.kind == "dummy", seat in audience.bots
    return lobby_pb2.MatchSeat(
        seat=seat + 1,
        kind=KIND_CODES[setup.kind],
        bot=setup.bot,
        player=sitter.player or audience.bots.get(seat) or setup.bot or ("dummy" if is_dummy else ""),
        taken=not ledger.is_open(seat) or ledger.is_of_a_bot(seat, is_connected=audience.has_bot(seat)),
        connected=is_dummy or audience.is_present(seat) or (setup.kind == "bot" and has_bot),
        substituted=ledger.substituted[seat],
        nonce_hash=nonce_hash,
        person=sitter.person > 0,
        left=ledger.state is not None and seat in ledger.state.forfeited,
    )

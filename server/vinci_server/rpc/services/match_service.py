"""The gRPC service to play and watch a match."""

from collections.abc import AsyncIterator
from typing import Final, final

from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_codec import actions
from vinci_rules import dummy, notation
from vinci_rules.engine import explain
from vinci_rules.state import Seat

from ...errors import ServiceError
from ...lobby import Lobby
from ...match import parsing
from ...match.audience import presence
from ...match.audience.messages import PROPOSALS
from ...match.audience.watchers import Closed, Detail, Revision, Watcher
from ...match.log.ledger import Proposed
from ...match.match import Match
from ...match.planning import preview
from ...match.seats import consensus, seating
from ...match.seats.names import check_name
from ...match.slices import in_slices, listed
from ..gate import Gate, Payer
from ..handlers import Context

HEARTBEAT_SECONDS: Final = 10.0
SENDING_SECONDS: Final = 0.0001
"""CPU time in seconds that gRPC uses for one message of a stream, about."""


@final
class MatchService:
    """Plays and watches a match."""

    def __init__(self, lobby: Lobby, gate: Gate) -> None:
        self._lobby: Final = lobby
        self._gate: Final = gate

    async def watch(self, request: match_pb2.WatchRequest, context: Context) -> AsyncIterator[match_pb2.WatchResponse]:
        """Stream everything that happens, from a revision on."""
        watched = await self._lobby.get(request.match_id)
        token = parsing.bearer(context)
        seat = watched.ledger.seat_of(token) if token else None
        first = request.from_revision if request.HasField("from_revision") else watched.revision
        if first > watched.revision + 1:
            raise ServiceError("FUTURE_REVISION", revision=watched.revision, next=watched.revision + 1)
        watcher = presence.watch(watched, Detail(request.state, request.legal, request.position), seat)
        try:
            match = watched.message()
            clocks = watched.timekeeper.message() if watched.ledger.setup.timing.has_clock else None
            earlier = consensus.heard(watched, seat, request.chat_after) if request.HasField("chat_after") else []
            over = match.status in (lobby_pb2.MATCH_STATUS_OVER, lobby_pb2.MATCH_STATUS_ENDED)
            yield match_pb2.WatchResponse(match=match)
            if seat is not None:
                yield match_pb2.WatchResponse(ping=watched.timekeeper.round_trips[seat].ping())
            if clocks is not None:  # as they were then: later clocks wait in the watcher
                yield match_pb2.WatchResponse(clocks=clocks)
            for said in earlier:
                yield match_pb2.WatchResponse(chat=said)
            async for response in _history(watched, watcher, first, self._gate.payer(context)):
                yield response
                first += 1
            if not over:  # else nothing follows; what happens from here on waits in the watcher
                async for response in _follow(watched, watcher, first):
                    yield response
        finally:
            presence.unwatch(watched, watcher)

    async def act(self, request: match_pb2.ActRequest, context: Context) -> match_pb2.ActResponse:
        """Act for a seat."""
        match, seat = await self._seat(request.match_id, context)
        wanted = parsing.parse_actions(request.actions, match)
        expected = request.expected_revision if request.HasField("expected_revision") else None
        if request.validate_only:
            outcome = preview(match.ledger, seat, wanted, expected)
        else:
            request_id = parsing.request_id(request.request_id)
            outcome = await match.act(seat, "player", wanted, request_id=request_id, expected_revision=expected)
        response = match_pb2.ActResponse(
            revision=outcome.revision,
            updates=[played.message(Detail(state=True, legal=request.validate_only)) for played in outcome.played],
            repeated_request=outcome.repeated,
            undone=outcome.undone,
        )
        if outcome.refused is not None:
            response.refusal.CopyFrom(outcome.refused.refusal())
        if request.validate_only and outcome.before is not None:
            parts = explain(outcome.before, wanted[min(len(outcome.played), len(wanted) - 1)])
            response.cost.extend(game_pb2.CostItem(source=source, pawns=pawns) for source, pawns in parts)
        return response

    async def undo(self, request: match_pb2.UndoRequest, context: Context) -> match_pb2.UndoResponse:
        """Take back own actions."""
        match, seat = await self._seat(request.match_id, context)
        outcome = await match.undo(
            seat,
            request.to_revision if request.HasField("to_revision") else None,
            request_id=parsing.request_id(request.request_id),
            expected_revision=request.expected_revision if request.HasField("expected_revision") else None,
        )
        update = outcome.played[-1].message(Detail(state=True)) if outcome.played else None
        return match_pb2.UndoResponse(revision=outcome.revision, update=update, repeated_request=outcome.repeated)

    async def propose(self, request: match_pb2.ProposeRequest, context: Context) -> match_pb2.ProposeResponse:
        """Propose something, or agree."""
        match, seat = await self._seat(request.match_id, context)
        if request.kind not in PROPOSALS:
            raise ServiceError("BAD_PROPOSAL", "KIND")
        kind = PROPOSALS[request.kind]
        proposed = Proposed(kind, Seat(request.seat - 1) if kind == "substitute" else None)
        await consensus.propose(match, seat, proposed, agrees=not request.withdraw)
        return match_pb2.ProposeResponse(match=match.message())

    async def take_back(self, request: match_pb2.TakeBackRequest, context: Context) -> match_pb2.TakeBackResponse:
        """Take the seat back from a substitute."""
        match, seat = await self._seat(request.match_id, context)
        await seating.take_back(match, seat)
        return match_pb2.TakeBackResponse(match=match.message())

    async def chat(self, request: match_pb2.ChatRequest, context: Context) -> match_pb2.ChatResponse:
        """Write a line of chat."""
        match = await self._lobby.get(request.match_id)
        token = parsing.bearer(context)
        seat = match.ledger.seat_of(token) if token else None
        name, host = check_name(request.name), self._gate.traffic.chat(context.peer())
        return match_pb2.ChatResponse(line=await consensus.say(match, seat, host, name, request.text))

    async def get_times(self, request: match_pb2.GetTimesRequest, context: Context) -> match_pb2.GetTimesResponse:
        """Return the time that each decision took."""
        match = await self._lobby.get(request.match_id)
        times = await listed(match.ledger.game.times(), self._gate.payer(context).credit)
        return match_pb2.GetTimesResponse(times=times)

    async def pong(self, request: match_pb2.PongRequest, context: Context) -> match_pb2.PongResponse:
        """Take the answer to a ping."""
        match, seat = await self._seat(request.match_id, context)
        match.timekeeper.round_trips[seat].pong(request.stamp)
        return match_pb2.PongResponse()

    async def _seat(self, match_id: str, context: Context) -> tuple[Match, Seat]:
        """Return a match and the seat whose token the caller sent."""
        match = await self._lobby.get(match_id)
        return match, match.ledger.seat_of(parsing.required_bearer(context))

    async def suggest(self, request: match_pb2.SuggestRequest, _context: Context) -> match_pb2.SuggestResponse:
        """Return the action that a dummy would choose for the seat to act."""
        match = await self._lobby.get(request.match_id)
        state = match.ledger.state
        if state is None or state.phase == "over":
            raise ServiceError("NOT_STARTED" if state is None else "GAME_OVER", "NOBODY")
        action = dummy.advise(state)
        return match_pb2.SuggestResponse(
            revision=match.ledger.revision,
            action=actions.to_message(action, state.board),
            notation=notation.write(action, state.board),
        )

    async def get_record(self, request: match_pb2.GetRecordRequest, context: Context) -> match_pb2.GetRecordResponse:
        """Return the record so far."""
        match = await self._lobby.get(request.match_id)
        lines = await listed(match.ledger.game.record_lines(match.ledger.names()), self._gate.payer(context).credit)
        return match_pb2.GetRecordResponse(lines=lines)


async def _history(
    watched: Match, watcher: Watcher, first: int, payer: Payer
) -> AsyncIterator[match_pb2.WatchResponse]:
    """Yield the revisions that a watcher has missed. Nothing of the match stays in memory when the generator ends."""
    steps = (
        match_pb2.WatchResponse(update=played.message(watcher.detail))
        for played in watched.ledger.game.revisions(first, watched.revision)
    )
    slices = in_slices(steps, payer.credit)
    while (responses := await payer.pay(anext(slices, None))) is not None:
        payer.charge(len(responses) * SENDING_SECONDS)
        for response in responses:
            yield response


async def _follow(watched: Match, watcher: Watcher, first: int) -> AsyncIterator[match_pb2.WatchResponse]:
    """Yield the messages for a watcher that has caught up: revisions from `first`, changes, heartbeats."""
    over = False
    while not over:
        item = await watcher.get(HEARTBEAT_SECONDS)
        match item:
            case None:
                yield match_pb2.WatchResponse(heartbeat=match_pb2.Heartbeat(revision=watched.revision))
                if watcher.seat is not None and watched.is_awake:  # the answer would wake it
                    yield match_pb2.WatchResponse(ping=watched.timekeeper.round_trips[watcher.seat].ping())
            case Revision():
                if item.revision >= first:
                    yield match_pb2.WatchResponse(update=item.message(watcher.detail))
            case match_pb2.WatchResponse():
                yield item
            case Closed():
                if item.error is not None:
                    raise item.error
                over = True
        item = None  # nothing of the match is kept while waiting for the next

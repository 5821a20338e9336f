"""The gRPC service to play and watch a match."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import Final, Protocol, final

from vinci.v1 import game_pb2, lobby_pb2
from vinci.v1 import match_pb2 as pb
from vinci_codec import actions
from vinci_rules import dummy, notation
from vinci_rules.actions import Action
from vinci_rules.engine import explain
from vinci_rules.state import Seat, State

from ...errors import ServiceError
from ...lobby import Lobby
from ...match import parsing
from ...match.audience import presence
from ...match.audience.messages import PROPOSALS
from ...match.audience.watchers import Closed, Detail, Revision, Watcher
from ...match.log.ledger import Proposed
from ...match.match import Match
from ...match.planning import preview
from ...match.prospects import prospects
from ...match.recorded import replayed
from ...match.seats import consensus, seating
from ...match.seats.names import check_name
from ...match.slices import in_slices, listed
from ..admission import Admission, Payer
from ..handlers import Context
from ..persons import Persons
from .lobby_service import seat_of_caller

HEARTBEAT_SECONDS: Final = 10.0
SENDING_SECONDS: Final = 0.0001
"""CPU time in seconds that gRPC uses for one message of a stream, about."""


class Adviser(Protocol):
    """Gives advice with reasons."""

    async def advise(self, peer: str, state: State, asked: Action | None) -> game_pb2.Advice | None:
        """Return the advice that a host asks for, compared with a legal action, or None if it has no time for that."""


class Reviewer(Protocol):
    """Reviews games."""

    def review(self, peer: str, record: Sequence[str]) -> AsyncGenerator[pb.ReviewResponse, None]:
        """Yield the progress and the parts of the review of a record, for the host of a caller."""


class RecordCalls:
    """The calls that need no match: they replay records that callers send."""

    def __init__(self, admission: Admission) -> None:
        self._admission: Final = admission

    async def replay_record(
        self, request: pb.ReplayRecordRequest, context: Context
    ) -> AsyncIterator[pb.ReplayRecordResponse]:
        """Stream the positions of a record."""
        payer = self._admission.payer(context)
        slices = in_slices(replayed(request.lines), payer.credit)
        while (responses := await payer.pay(anext(slices, None))) is not None:
            payer.charge(len(responses) * SENDING_SECONDS)
            for response in responses:
                if isinstance(response, ServiceError):
                    raise response
                yield response


@final
class MatchService(RecordCalls):
    """Plays and watches a match."""

    def __init__(
        self,
        lobby: Lobby,
        admission: Admission,
        adviser: Adviser | None = None,
        persons: Persons | None = None,
        reviewer: Reviewer | None = None,
    ) -> None:
        super().__init__(admission)
        self._persons: Final = persons
        self._lobby: Final = lobby
        self._adviser: Final = adviser
        self._reviewer: Final = reviewer

    async def watch(self, request: pb.WatchRequest, context: Context) -> AsyncIterator[pb.WatchResponse]:
        """Stream everything that happens from a revision on."""
        watched = await self._lobby.get(request.match_id)
        token = parsing.bearer(context)
        seat = self._lobby.seat_of(watched, token) if token else None
        first = request.from_revision if request.HasField("from_revision") else watched.revision
        if first > watched.revision + 1:
            raise ServiceError("FUTURE_REVISION", revision=watched.revision, next=watched.revision + 1)
        watcher = presence.watch(watched, Detail(request.state, request.legal, request.position), seat)
        try:
            match = watched.message()
            clocks = watched.timekeeper.message() if watched.ledger.setup.timing.has_clock else None
            earlier = consensus.heard(watched, seat, request.chat_after) if request.HasField("chat_after") else []
            over = match.status in (lobby_pb2.MATCH_STATUS_OVER, lobby_pb2.MATCH_STATUS_ENDED)
            yield pb.WatchResponse(match=match)
            if seat is not None:
                yield pb.WatchResponse(ping=watched.timekeeper.round_trips[seat].ping())
            if clocks is not None:  # read with the match: later clocks wait in the watcher
                yield pb.WatchResponse(clocks=clocks)
            for line in earlier:
                yield pb.WatchResponse(chat=line)
            async for response in _history(watched, watcher, first, self._admission.payer(context)):
                yield response
                first += 1
            if not over:  # later updates wait in the watcher
                async for response in _follow(watched, watcher, first):
                    yield response
        finally:
            presence.unwatch(watched, watcher)

    async def act(self, request: pb.ActRequest, context: Context) -> pb.ActResponse:
        """Play actions of a seat, or only validate them."""
        match, seat = await seat_of_caller(self._lobby, request.match_id, context)
        wanted = parsing.parse_actions(request.actions, match)
        expected = request.expected_revision if request.HasField("expected_revision") else None
        if request.validate_only:
            outcome = preview(match.ledger, seat, wanted, expected)
        else:
            request_id = parsing.request_id(request.request_id)
            outcome = await match.act(seat, "player", wanted, request_id=request_id, expected_revision=expected)
        response = pb.ActResponse(
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

    async def undo(self, request: pb.UndoRequest, context: Context) -> pb.UndoResponse:
        """Take back actions of the seat's turn."""
        match, seat = await seat_of_caller(self._lobby, request.match_id, context)
        outcome = await match.undo(
            seat,
            request.to_revision if request.HasField("to_revision") else None,
            request_id=parsing.request_id(request.request_id),
            expected_revision=request.expected_revision if request.HasField("expected_revision") else None,
        )
        update = outcome.played[-1].message(Detail(state=True)) if outcome.played else None
        return pb.UndoResponse(revision=outcome.revision, update=update, repeated_request=outcome.repeated)

    async def propose(self, request: pb.ProposeRequest, context: Context) -> pb.ProposeResponse:
        """Make a proposal, agree to it, or withdraw."""
        match, seat = await seat_of_caller(self._lobby, request.match_id, context)
        if request.kind not in PROPOSALS:
            raise ServiceError("BAD_PROPOSAL", "KIND")
        kind = PROPOSALS[request.kind]
        proposed = Proposed(kind, Seat(request.seat - 1) if kind == "substitute" else None)
        await consensus.propose(match, seat, proposed, agrees=not request.withdraw)
        return pb.ProposeResponse(match=match.message())

    async def take_back(self, request: pb.TakeBackRequest, context: Context) -> pb.TakeBackResponse:
        """Take the seat back from a substitute."""
        match, seat = await seat_of_caller(self._lobby, request.match_id, context)
        await seating.take_back(match, seat)
        return pb.TakeBackResponse(match=match.message())

    async def chat(self, request: pb.ChatRequest, context: Context) -> pb.ChatResponse:
        """Write a line of chat."""
        match = await self._lobby.get(request.match_id)
        token = parsing.bearer(context)
        seat = self._lobby.seat_of(match, token) if token else None
        name, host = check_name(request.name), self._admission.traffic.chat(context.peer())
        identity = seating.GUEST
        if self._persons is not None and seat is None:
            name, identity = await self._persons.speaker(context, name)
        return pb.ChatResponse(line=await consensus.say(match, seat, host, name, request.text, identity.person))

    async def get_times(self, request: pb.GetTimesRequest, context: Context) -> pb.GetTimesResponse:
        """Return the time that each decision took."""
        match = await self._lobby.get(request.match_id)
        times = await listed(match.ledger.game.times(), self._admission.payer(context).credit)
        return pb.GetTimesResponse(times=times)

    async def pong(self, request: pb.PongRequest, context: Context) -> pb.PongResponse:
        """Take the answer to a ping."""
        match, seat = await seat_of_caller(self._lobby, request.match_id, context)
        match.timekeeper.round_trips[seat].pong(request.stamp)
        return pb.PongResponse()

    async def suggest(self, request: pb.SuggestRequest, context: Context) -> pb.SuggestResponse:
        """Return the action that a dummy would choose for the seat to act, or the best one with reasons."""
        match = await self._lobby.get(request.match_id)
        state, revision = _advisable(match)
        board, action, advice = state.board, dummy.advise(state), None
        if request.reasons and self._adviser is not None:
            advice = await self._adviser.advise(context.peer(), state, parsing.asked_about(request, state))
        if advice is not None:
            action = notation.read(advice.plan[0], board)
        return pb.SuggestResponse(
            revision=revision,
            action=actions.to_message(action, board),
            notation=notation.write(action, board),
            advice=advice,
        )

    async def get_prospects(self, request: pb.GetProspectsRequest, context: Context) -> pb.GetProspectsResponse:
        """Return what the seat to act could take and score with each civilization."""
        match = await self._lobby.get(request.match_id)
        state, revision = _advisable(match)
        found = await listed(prospects(state), self._admission.payer(context).credit)
        return pb.GetProspectsResponse(
            revision=revision,
            prospects=[
                game_pb2.Prospect(
                    slot=0 if prospect.slot is None else prospect.slot + 1,
                    pawns=prospect.pawns,
                    provinces=[state.board.codes[province] for province in prospect.provinces],
                    vp=prospect.vp,
                    once=prospect.once,
                    declined_vp=prospect.declined_vp,
                    anew=prospect.anew,
                    before=prospect.before,
                )
                for prospect in found
                if prospect is not None
            ],
        )

    async def get_record(self, request: pb.GetRecordRequest, context: Context) -> pb.GetRecordResponse:
        """Return the record so far."""
        match = await self._lobby.get(request.match_id)
        return pb.GetRecordResponse(lines=await self._record(match, context))

    async def review(self, request: pb.ReviewRequest, context: Context) -> AsyncIterator[pb.ReviewResponse]:
        """Stream the progress and the parts of the review of a game that is over, or of a record."""
        if self._reviewer is None:
            raise ServiceError("NO_REVIEW")
        lines = list(request.lines)
        if not lines:
            match = await self._lobby.get(request.match_id)
            if match.status not in ("over", "ended"):
                raise ServiceError("NO_REVIEW", "RUNNING")
            if match.ledger.state is None:
                raise ServiceError("NO_REVIEW", "NOTHING")
            lines = await self._record(match, context)
            del match  # it may leave memory while the review goes on
        async with aclosing(self._reviewer.review(context.peer(), lines)) as parts:
            async for part in parts:
                yield part

    async def _record(self, match: Match, context: Context) -> list[str]:
        return await listed(match.ledger.game.record_lines(match.ledger.names()), self._admission.payer(context).credit)


def _advisable(match: Match) -> tuple[State, int]:
    """Return the position and its revision. Raises ServiceError if nobody is to act, or nothing is to be suggested."""
    state = match.ledger.state
    if state is None or state.phase == "over":
        raise ServiceError("NOT_STARTED" if state is None else "GAME_OVER", "NOBODY")
    if match.ledger.setup.no_advice:
        raise ServiceError("NO_ADVICE")
    return state, match.ledger.revision


async def _history(watched: Match, watcher: Watcher, first: int, payer: Payer) -> AsyncIterator[pb.WatchResponse]:
    """Yield the revisions that a watcher has missed. Nothing of the match stays in memory when the generator ends."""
    steps = (
        pb.WatchResponse(update=played.message(watcher.detail))
        for played in watched.ledger.game.revisions(first, watched.revision)
    )
    slices = in_slices(steps, payer.credit)
    while (responses := await payer.pay(anext(slices, None))) is not None:
        payer.charge(len(responses) * SENDING_SECONDS)
        for response in responses:
            yield response


async def _follow(watched: Match, watcher: Watcher, first: int) -> AsyncIterator[pb.WatchResponse]:
    """Yield the messages for a watcher that has caught up: revisions from `first`, changes, heartbeats."""
    over = False
    while not over:
        item = await watcher.get(HEARTBEAT_SECONDS)
        match item:
            case None:
                yield pb.WatchResponse(heartbeat=pb.Heartbeat(revision=watched.revision))
                if watcher.seat is not None and watched.is_awake:  # the answer would wake it
                    yield pb.WatchResponse(ping=watched.timekeeper.round_trips[watcher.seat].ping())
            case Revision():
                if item.revision >= first:
                    yield pb.WatchResponse(update=item.message(watcher.detail))
            case pb.WatchResponse():
                yield item
            case Closed():
                if item.error is not None:
                    raise item.error
                over = True
        item = None  # nothing of the match is kept while waiting for the next

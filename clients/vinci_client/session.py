"""Sessions with a server: calls with plain arguments, repeated after lost connections, and watches that resume.

Example:
    >>> async with Session("localhost") as session:
    ...     kinds = (lobby_pb2.SEAT_KIND_HUMAN, lobby_pb2.SEAT_KIND_DUMMY, lobby_pb2.SEAT_KIND_DUMMY)
    ...     seats = [lobby_pb2.SeatSetup(kind=kind) for kind in kinds]
    ...     match = (await session.create(lobby_pb2.CreateMatchRequest(seats=seats, start_when_full=True))).match
    ...     mine = await session.join(match.match_id, "Ann")
    ...     async for response in session.watch(match.match_id, mine.seat_token):
    ...         print(response)
"""

import asyncio
import secrets
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar, final

import grpc
from google.protobuf.message import Message

from vinci.v1 import game_pb2, lobby_pb2, match_pb2, person_pb2
from vinci.v1.admin_pb2_grpc import AdminServiceStub
from vinci.v1.analysis_pb2_grpc import AnalysisServiceStub
from vinci.v1.lobby_pb2_grpc import LobbyServiceStub
from vinci.v1.match_pb2_grpc import MatchServiceStub
from vinci.v1.person_pb2_grpc import PersonServiceStub

from .access import OPEN, Access, explained, open_channel
from .address import with_port
from .errors import TRIES, ServerGone, backoff, from_rpc, retry_after
from .incoming import clean, read_ahead
from .watching import follow

if TYPE_CHECKING:  # the stubs know more types than there are classes
    from vinci.v1.admin_pb2_grpc import AdminServiceAsyncStub
    from vinci.v1.analysis_pb2_grpc import AnalysisServiceAsyncStub
    from vinci.v1.lobby_pb2_grpc import LobbyServiceAsyncStub
    from vinci.v1.match_pb2_grpc import MatchServiceAsyncStub
    from vinci.v1.person_pb2_grpc import PersonServiceAsyncStub

OVER: Final = (lobby_pb2.MATCH_STATUS_OVER, lobby_pb2.MATCH_STATUS_ENDED)
"""Statuses of a match in which nothing more is played."""

FIRST_TRIES: Final = 3
"""Attempts while the server has never answered: the address may be wrong, so the error should come soon."""

CALL_SECONDS: Final = 20.0
"""Deadline of a call in seconds."""

PERSON_HEADER: Final = "vinci-person"
"""The metadata that carries the key of a person."""

T = TypeVar("T", bound=Message)


def new_person_key() -> str:
    """Return a new key of a person, which only this device knows."""
    return secrets.token_hex(16)


@final
class Session:
    """A connection to a server or an analysis service, open while it is entered with `async with`.

    Every text that the server sends is made printable on arrival, and an answer with an invalid match id is refused
    (`incoming`).

    Args:
        address: host, or host and port.
        access: code, password and certificates that the server asks for.
        person_key: the key of the person who plays, from `new_person_key`; empty to play as a guest.

    Raises:
        ServerRefused: by every method, if the server refuses the call.
        ServerGone: by every method but `watch`, if the server cannot be reached and retries do not help.

    Attributes:
        lobby, match, person, admin, analysis: the stubs of the services, for requests without a method here (`call`).
    """

    def __init__(self, address: str, access: Access = OPEN, person_key: str = "") -> None:
        self.address: Final = with_port(address)
        self.access: Final = access
        self._person_key: Final = person_key
        self._known = False
        self._channel: grpc.aio.Channel
        self.lobby: LobbyServiceAsyncStub
        self.match: MatchServiceAsyncStub
        self.person: PersonServiceAsyncStub
        self.admin: AdminServiceAsyncStub
        self.analysis: AnalysisServiceAsyncStub

    @property
    def has_person(self) -> bool:
        """Whether it has the key of a person."""
        return bool(self._person_key)

    async def __aenter__(self) -> "Session":
        self._channel = await self._open()
        self.lobby = LobbyServiceStub(self._channel)
        self.match = MatchServiceStub(self._channel)
        self.person = PersonServiceStub(self._channel)
        self.admin = AdminServiceStub(self._channel)
        self.analysis = AnalysisServiceStub(self._channel)
        return self

    async def _open(self) -> grpc.aio.Channel:
        for attempt in range(FIRST_TRIES - 1):
            try:
                return await open_channel(self.address, self.access)
            except ServerGone:
                await asyncio.sleep(backoff(attempt))
        return await open_channel(self.address, self.access)

    async def __aexit__(self, *_error: object) -> None:
        await self._channel.close()

    async def call(
        self,
        method: Callable[..., Awaitable[T]],
        request: object,
        token: str = "",
        *,
        tries: int = TRIES,
        seconds: float | None = CALL_SECONDS,
        as_person: bool = False,
    ) -> T:
        """Make a call that can be repeated without harm; it is retried after a lost connection or a rate limit.

        Args:
            method: the method of a stub, such as `session.lobby.GetBoard`.
            request: its request.
            token: the token of a seat or a host; empty for none.
            tries: attempts after lost connections.
            seconds: the deadline of each attempt; None for none.
            as_person: send the key of the person, if there is one.

        Returns:
            The answer.
        """
        metadata = self._metadata(token)
        if as_person and self._person_key:
            metadata = (*metadata, (PERSON_HEADER, self._person_key))
        most = tries if self._known or token else min(tries, FIRST_TRIES)  # a token comes from a server that answered
        for attempt in range(TRIES):
            try:
                answer = await method(request, metadata=metadata, timeout=seconds)
            except grpc.aio.AioRpcError as error:
                failure = from_rpc(error, self.address)
            else:
                self._known = True
                clean(answer)
                return answer
            wait = retry_after(failure)
            # A call that the server refused for now has done nothing: even a chat line, with one try, is sent again.
            helps = isinstance(failure, ServerGone) if wait is None else True
            if not helps or attempt + 1 >= (most if wait is None else TRIES):
                break
            await asyncio.sleep((wait or 0) + backoff(attempt))
        if isinstance(failure, ServerGone) and not self._known:
            failure = await explained(failure, self.address, self.access)
        raise failure

    async def analysis_address(self) -> str:
        """Return the address of the server's analysis service, for another session; empty if it has none."""
        port = (await self.call(self.lobby.GetServerInfo, lobby_pb2.GetServerInfoRequest())).analysis_port
        return f"{self.address.rpartition(':')[0]}:{port}" if port else ""

    async def create(self, request: lobby_pb2.CreateMatchRequest) -> lobby_pb2.CreateMatchResponse:
        """Create a match; a repetition after a lost connection creates no second one.

        Args:
            request: the match to create; it gets a new `request_id` unless it has one.

        Returns:
            The match and its host token.
        """
        once = lobby_pb2.CreateMatchRequest()
        once.CopyFrom(request)
        once.request_id = request.request_id or str(uuid.uuid4())
        return await self.call(self.lobby.CreateMatch, once, as_person=True)

    async def join(
        self,
        match_id: str,
        player: str = "",
        seat: int = 0,
        nonce_hash: str = "",
        request_id: str = "",
        *,
        as_person: bool = True,
    ) -> lobby_pb2.JoinMatchResponse:
        """Take a seat; a repetition after a lost connection takes no second one. A person gets the seat that it has.

        Args:
            match_id: the match.
            player: the name of the player to show; empty for none.
            seat: the seat, from 1; 0 for the first open one.
            nonce_hash: the hash of a nonce for the seed, which must be revealed before the start; empty for none.
            request_id: a secret UUID, with which the same call gives the same seat and token; empty for a new one.
            as_person: take it as the person, if there is one; else as a guest.

        Returns:
            The seat and its token.
        """
        request = lobby_pb2.JoinMatchRequest(
            match_id=match_id,
            seat=seat,
            player=player,
            nonce_hash=nonce_hash,
            request_id=request_id or str(uuid.uuid4()),
        )
        return await self.call(self.lobby.JoinMatch, request, as_person=as_person)

    async def reveal_nonce(self, match_id: str, token: str, nonce: str = "", nonce_hash: str = "") -> lobby_pb2.Match:
        """Reveal the nonce of a seat, or send the hash of a new one.

        Args:
            match_id: the match.
            token: the token of the seat.
            nonce: the nonce whose hash was sent; empty with `nonce_hash`.
            nonce_hash: the hash of a new nonce; empty with `nonce`.

        Returns:
            The match afterwards.
        """
        request = lobby_pb2.RevealNonceRequest(match_id=match_id, nonce=nonce, nonce_hash=nonce_hash)
        return (await self.call(self.lobby.RevealNonce, request, token)).match

    async def take_over(self, code: str, player: str = "", nonce_hash: str = "") -> lobby_pb2.JoinMatchResponse:
        """Take over a seat that another terminal offers; the call can be repeated after a lost connection.

        Args:
            code: the code of the offer, from `offer_seat`.
            player: the new name of the player; the seat keeps its name if it is empty.
            nonce_hash: the hash of a nonce for the seed; empty for none.

        Returns:
            The seat and its new token.
        """
        request = lobby_pb2.JoinMatchRequest(
            code=code, player=player, nonce_hash=nonce_hash, request_id=str(uuid.uuid4())
        )
        return await self.call(self.lobby.JoinMatch, request, as_person=True)

    async def resume(self, match_id: str = "") -> Sequence[person_pb2.ResumedSeat]:
        """Return the seats of the person with their tokens; those that other devices have stay valid.

        Args:
            match_id: only the seat in this match, even if it is over; empty for those in all open and running matches.

        Returns:
            The seats, of the latest match first.
        """
        request = person_pb2.ResumeSeatsRequest(match_id=match_id)
        return (await self.call(self.person.ResumeSeats, request, as_person=True)).seats

    async def offer_seat(self, match_id: str, token: str, seat: int = 0) -> lobby_pb2.OfferSeatResponse:
        """Create a code with which another terminal takes the seat over.

        Args:
            match_id: the match.
            token: the token of the seat; for that of somebody who is absent that of the host, or none as the maker.
            seat: the seat of somebody who is absent; 0 for that of the token.

        Returns:
            The code, and the seconds for which it is valid.
        """
        request = lobby_pb2.OfferSeatRequest(match_id=match_id, seat=seat)
        return await self.call(self.lobby.OfferSeat, request, token, as_person=bool(seat))

    async def substitute_seat(
        self, match_id: str, token: str, seat: int, bot: str = "", *, back: bool = False
    ) -> lobby_pb2.Match:
        """Let a computer player play for somebody who is absent, or that player go on, as the maker of the match.

        Args:
            match_id: the match.
            token: that of the host; empty for the key of the person.
            seat: the seat.
            bot: the name of the bot that is to play; empty for the substitute of the match.
            back: let the player of the seat go on instead.

        Returns:
            The match afterwards.
        """
        request = lobby_pb2.SubstituteSeatRequest(match_id=match_id, seat=seat, bot=bot, back=back)
        return (await self.call(self.lobby.SubstituteSeat, request, token, as_person=True)).match

    async def join_rematch(self, match_id: str, token: str, nonce_hash: str = "") -> lobby_pb2.JoinRematchResponse:
        """Join another game with the same players, as the holder of a seat in the one that is over.

        Args:
            match_id: the match that is over.
            token: the token of the seat in it.
            nonce_hash: the hash of a nonce for the seed; empty for none.

        Returns:
            The seat in the new match and its token.
        """
        request = lobby_pb2.JoinRematchRequest(match_id=match_id, nonce_hash=nonce_hash, request_id=str(uuid.uuid4()))
        return await self.call(self.lobby.JoinRematch, request, token, as_person=True)

    async def get(self, match_id: str) -> lobby_pb2.Match:
        """Return the public information about a match.

        Args:
            match_id: the match.

        Returns:
            The match.
        """
        return (await self.call(self.lobby.GetMatch, lobby_pb2.GetMatchRequest(match_id=match_id))).match

    async def act(
        self, match_id: str, token: str, actions: Sequence[game_pb2.Action], revision: int | None = None
    ) -> match_pb2.ActResponse:
        """Play actions; a repetition after a lost connection plays nothing twice.

        Args:
            match_id: the match.
            token: the token of the seat.
            actions: played in order, up to the first that is not legal.
            revision: the revision that the actions are for; refused if the match has another. None for any.

        Returns:
            The updates, or the refusal of the first action that is not legal.
        """
        request = match_pb2.ActRequest(
            match_id=match_id, request_id=str(uuid.uuid4()), actions=actions, expected_revision=revision
        )
        return await self.call(self.match.Act, request, token)

    async def preview(self, match_id: str, token: str, action: game_pb2.Action) -> match_pb2.ActResponse:
        """Return what an action would do; nothing is played.

        Args:
            match_id: the match.
            token: the token of the seat.
            action: the action.

        Returns:
            The update, its cost, or the refusal.
        """
        request = match_pb2.ActRequest(match_id=match_id, actions=[action], validate_only=True)
        return await self.call(self.match.Act, request, token)

    async def undo(
        self, match_id: str, token: str, revision: int | None = None, to_revision: int | None = None
    ) -> match_pb2.UndoResponse:
        """Take back actions; a repetition after a lost connection takes nothing more back.

        Args:
            match_id: the match.
            token: the token of the seat.
            revision: the revision that the request is for; None for any.
            to_revision: the revision to go back to; None for the one before the last action.

        Returns:
            The revision of the undo.
        """
        request = match_pb2.UndoRequest(
            match_id=match_id, request_id=str(uuid.uuid4()), expected_revision=revision, to_revision=to_revision
        )
        return await self.call(self.match.Undo, request, token)

    async def propose(
        self,
        match_id: str,
        token: str,
        kind: lobby_pb2.ProposalKind.ValueType,
        seat: int = 0,
        *,
        withdraw: bool = False,
    ) -> lobby_pb2.Match:
        """Vote for a pause, its end or a substitute.

        Args:
            match_id: the match.
            token: the token of the seat.
            kind: the proposal.
            seat: the seat that a substitute is to play; 0 for other proposals.
            withdraw: withdraw the vote.

        Returns:
            The match afterwards.
        """
        request = match_pb2.ProposeRequest(match_id=match_id, kind=kind, seat=seat, withdraw=withdraw)
        return (await self.call(self.match.Propose, request, token)).match

    async def take_back(self, match_id: str, token: str) -> lobby_pb2.Match:
        """Take a seat back from its substitute.

        Args:
            match_id: the match.
            token: the token of the seat.

        Returns:
            The match afterwards.
        """
        return (await self.call(self.match.TakeBack, match_pb2.TakeBackRequest(match_id=match_id), token)).match

    async def say(self, match_id: str, text: str, token: str = "", name: str = "") -> match_pb2.ChatLine:
        """Send a chat line. It is not retried, since it could be sent twice.

        Args:
            match_id: the match.
            text: the line.
            token: the token of the seat; empty for a spectator.
            name: the name of a spectator.

        Returns:
            The line as others get it.
        """
        request = match_pb2.ChatRequest(match_id=match_id, text=text, name=name)
        return (await self.call(self.match.Chat, request, token, tries=1, as_person=True)).line

    async def times(self, match_id: str) -> Sequence[match_pb2.DecisionTime]:
        """Return how long each decision took.

        Args:
            match_id: the match.

        Returns:
            The times, in milliseconds.
        """
        return (await self.call(self.match.GetTimes, match_pb2.GetTimesRequest(match_id=match_id))).times

    def watch(
        self,
        match_id: str,
        token: str = "",
        *,
        from_revision: int | None = None,
        detail: match_pb2.WatchRequest | None = None,
        on_connection: Callable[[bool], None] = lambda _connected: None,
    ) -> AsyncIterator[match_pb2.WatchResponse]:
        """Follow a match until it is over; pings are answered and not passed on.

        After a lost connection the watch resumes with the next revision and the next chat line, so that nothing is
        missed or repeated. Without `chat_after`, and without any chat line so far, it then gets the earlier lines, too.

        Args:
            match_id: the match.
            token: the token of a seat, which then counts as connected; empty for a spectator.
            from_revision: the first revision to send; None for the latest.
            detail: what to send with each update: state, legal actions, position, chat.
            on_connection: called with False when the connection is lost and with True when it is back.

        Yields:
            The messages of the server in order.
        """
        request = match_pb2.WatchRequest()
        if detail is not None:
            request.CopyFrom(detail)
        request.match_id = match_id
        if from_revision is not None:
            request.from_revision = from_revision
        return read_ahead(follow(self.match, request, self._metadata(token), self.address, on_connection))

    def _metadata(self, token: str) -> tuple[tuple[str, Any], ...]:
        bearer = (("authorization", f"Bearer {token}"),) if token else ()
        return self.access.metadata() + bearer

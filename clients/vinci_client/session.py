"""A session with a server: calls with plain arguments, and a watch that goes on where it was cut."""

import asyncio
import random
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, TypeVar, final

import grpc
from google.protobuf.message import Message

from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci.v1.admin_pb2_grpc import AdminServiceStub
from vinci.v1.analysis_pb2_grpc import AnalysisServiceStub
from vinci.v1.lobby_pb2_grpc import LobbyServiceStub
from vinci.v1.match_pb2_grpc import MatchServiceStub

from .access import OPEN, Access, explained, open_channel
from .address import with_port
from .errors import ServerGone, from_rpc, retry_after
from .incoming import clean
from .reading import read_ahead

if TYPE_CHECKING:  # the stubs know more types than there are classes
    from vinci.v1.admin_pb2_grpc import AdminServiceAsyncStub
    from vinci.v1.analysis_pb2_grpc import AnalysisServiceAsyncStub
    from vinci.v1.lobby_pb2_grpc import LobbyServiceAsyncStub
    from vinci.v1.match_pb2_grpc import MatchServiceAsyncStub

OVER: Final = (lobby_pb2.MATCH_STATUS_OVER, lobby_pb2.MATCH_STATUS_ENDED)
"""What a match is in which nothing more is played."""

FIRST_WAIT: Final = 0.1
LONGEST_WAIT: Final = 5.0
TRIES: Final = 8
FIRST_TRIES: Final = 3
"""As long as nothing tells that the server exists: the address may be wrong, and somebody waits to be told."""

CALL_SECONDS: Final = 20.0
"""How long an answer may take."""

OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),  # else a minute, whatever keepalive_timeout_ms says
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),  # gRPC's own waits, which come on top of ours, go up to two minutes
)
"""Of every channel to a server."""

T = TypeVar("T", bound=Message)


def backoff(attempt: int) -> float:
    """Seconds to wait before another attempt, counted from 0: doubled up to the longest, with chance in it."""
    return float(min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(attempt, TRIES)) * random.uniform(0.5, 1.0))


@final
class Session:
    """A connection to a server, or to the analysis beside one, as long as it is entered with `async with`.

    Calls raise ServerRefused, or ServerGone when trying again did not help. Every text that the server sends is made
    printable on arrival, and an answer with an invalid match id is refused (`incoming`).
    """

    def __init__(self, address: str, access: Access = OPEN) -> None:
        self.address: Final = with_port(address)
        self.access: Final = access
        self._known = False
        self._channel: grpc.aio.Channel
        self.lobby: LobbyServiceAsyncStub
        self.match: MatchServiceAsyncStub
        self.admin: AdminServiceAsyncStub
        self.analysis: AnalysisServiceAsyncStub
        self._pongs: Final[set[asyncio.Task[None]]] = set()

    async def __aenter__(self) -> "Session":
        self._channel = await self._open()
        self.lobby = LobbyServiceStub(self._channel)
        self.match = MatchServiceStub(self._channel)
        self.admin = AdminServiceStub(self._channel)
        self.analysis = AnalysisServiceStub(self._channel)
        return self

    async def _open(self) -> grpc.aio.Channel:
        for attempt in range(FIRST_TRIES - 1):
            try:
                return await open_channel(self.address, self.access, OPTIONS)
            except ServerGone:
                await asyncio.sleep(backoff(attempt))
        return await open_channel(self.address, self.access, OPTIONS)

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        for pong in self._pongs:
            pong.cancel()
        await self._channel.close()

    async def call(
        self,
        method: Callable[..., Awaitable[T]],
        request: object,
        token: str = "",
        *,
        tries: int = TRIES,
        seconds: float | None = CALL_SECONDS,
    ) -> T:
        """The answer to a call that can be repeated without harm; a lost connection is tried again.

        Where the server says that it was too much too soon, the call has not happened: it is sent again after a while.
        """
        most = tries if self._known or token else min(tries, FIRST_TRIES)
        for attempt in range(TRIES):
            try:
                answer = await method(request, metadata=self._metadata(token), timeout=seconds)
            except grpc.aio.AioRpcError as error:
                failure = from_rpc(error, self.address)
            else:
                self._known = True
                clean(answer)
                return answer
            wait = retry_after(failure)
            helps = isinstance(failure, ServerGone) if wait is None else True
            if not helps or attempt + 1 >= (most if wait is None else TRIES):
                break
            await asyncio.sleep((wait or 0) + backoff(attempt))
        if isinstance(failure, ServerGone) and not self._known:
            failure = await explained(failure, self.address, self.access)
        raise failure

    async def analysis_address(self) -> str:
        """Where the server lets positions be analysed, for a session of its own; empty if nowhere."""
        port = (await self.call(self.lobby.GetServerInfo, lobby_pb2.GetServerInfoRequest())).analysis_port
        return f"{self.address.rpartition(':')[0]}:{port}" if port else ""

    async def create(self, request: lobby_pb2.CreateMatchRequest) -> lobby_pb2.CreateMatchResponse:
        """Create a match; a repetition after a lost connection creates no second one.

        Args:
            request: the match to create; its `request_id` is replaced by a new one.

        Returns:
            The match and its host token.

        Raises:
            ServerRefused: the server refused the call.
            ServerGone: the server could not be reached.
        """
        once = lobby_pb2.CreateMatchRequest()
        once.CopyFrom(request)
        once.request_id = str(uuid.uuid4())
        return await self.call(self.lobby.CreateMatch, once)

    async def join(
        self, match_id: str, player: str = "", seat: int = 0, nonce_hash: str = ""
    ) -> lobby_pb2.JoinMatchResponse:
        """Take a seat; a repetition after a lost connection takes no second one.

        Args:
            match_id: the match.
            player: the name of the player to show; empty for none.
            seat: the seat, from 1; 0 for the first open one.
            nonce_hash: the hash of a nonce for the seed, which must be revealed before the start; empty for none.

        Returns:
            The seat and its token.

        Raises:
            ServerRefused: the server refused the call.
            ServerGone: the server could not be reached.
        """
        request = lobby_pb2.JoinMatchRequest(
            match_id=match_id, seat=seat, player=player, nonce_hash=nonce_hash, request_id=str(uuid.uuid4())
        )
        return await self.call(self.lobby.JoinMatch, request)

    async def reveal_nonce(self, match_id: str, token: str, nonce: str = "", nonce_hash: str = "") -> lobby_pb2.Match:
        """Reveal the nonce of a seat, or send the hash of a new one.

        Args:
            match_id: the match.
            token: the token of the seat.
            nonce: the nonce whose hash was sent; empty with `nonce_hash`.
            nonce_hash: the hash of a new nonce; empty with `nonce`.

        Returns:
            The match afterwards.

        Raises:
            ServerRefused: the server refused the call.
            ServerGone: the server could not be reached.
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

        Raises:
            ServerRefused: the server refused the call.
            ServerGone: the server could not be reached.
        """
        request = lobby_pb2.JoinMatchRequest(
            code=code, player=player, nonce_hash=nonce_hash, request_id=str(uuid.uuid4())
        )
        return await self.call(self.lobby.JoinMatch, request)

    async def offer_seat(self, match_id: str, token: str) -> lobby_pb2.OfferSeatResponse:
        """A code with which another terminal takes the seat over."""
        return await self.call(self.lobby.OfferSeat, lobby_pb2.OfferSeatRequest(match_id=match_id), token)

    async def join_rematch(self, match_id: str, token: str, nonce_hash: str = "") -> lobby_pb2.JoinRematchResponse:
        """A seat in another game with the same players, for the bearer of a seat of the one that is over."""
        request = lobby_pb2.JoinRematchRequest(match_id=match_id, nonce_hash=nonce_hash, request_id=str(uuid.uuid4()))
        return await self.call(self.lobby.JoinRematch, request, token)

    async def get(self, match_id: str) -> lobby_pb2.Match:
        """A match as everybody may know it."""
        return (await self.call(self.lobby.GetMatch, lobby_pb2.GetMatchRequest(match_id=match_id))).match

    async def act(
        self, match_id: str, token: str, actions: Sequence[game_pb2.Action], revision: int | None = None
    ) -> match_pb2.ActResponse:
        """Play actions once, whatever happens to the connection."""
        request = match_pb2.ActRequest(
            match_id=match_id, request_id=str(uuid.uuid4()), actions=actions, expected_revision=revision
        )
        return await self.call(self.match.Act, request, token)

    async def preview(self, match_id: str, token: str, action: game_pb2.Action) -> match_pb2.ActResponse:
        """What an action would do; nothing is played."""
        request = match_pb2.ActRequest(match_id=match_id, actions=[action], validate_only=True)
        return await self.call(self.match.Act, request, token)

    async def undo(
        self, match_id: str, token: str, revision: int | None = None, to_revision: int | None = None
    ) -> match_pb2.UndoResponse:
        """Take back the last action, or all since a revision, once, whatever happens to the connection."""
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
        """Be for something, or no longer; the match afterwards. `seat` is the one that a substitute is to play."""
        request = match_pb2.ProposeRequest(match_id=match_id, kind=kind, seat=seat, withdraw=withdraw)
        return (await self.call(self.match.Propose, request, token)).match

    async def take_back(self, match_id: str, token: str) -> lobby_pb2.Match:
        """Play the seat oneself again, in place of a substitute; the match afterwards."""
        return (await self.call(self.match.TakeBack, match_pb2.TakeBackRequest(match_id=match_id), token)).match

    async def say(self, match_id: str, text: str, token: str = "", name: str = "") -> match_pb2.ChatLine:
        """Say something, as a player or under a name as a spectator. Not tried again: it could be said twice."""
        request = match_pb2.ChatRequest(match_id=match_id, text=text, name=name)
        return (await self.call(self.match.Chat, request, token, tries=1)).line

    async def times(self, match_id: str) -> Sequence[match_pb2.DecisionTime]:
        """How long each decision took."""
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
        """Everything that happens in a match until it is over. `detail` says what to send with each update.

        A lost connection is made again and the watch goes on with the next revision and the next line of the chat, so
        that nothing is missed or told twice; `on_connection` is told False when it is lost and True when it is back.
        Who has neither asked for `chat_after` nor heard anything then hears the earlier lines, too. Pings are answered
        here and not passed on. Raises ServerRefused.
        """
        request = match_pb2.WatchRequest()
        if detail is not None:
            request.CopyFrom(detail)
        request.match_id = match_id
        if from_revision is not None:
            request.from_revision = from_revision
        return read_ahead(self._follow(request, token, on_connection))

    async def _follow(
        self, request: match_pb2.WatchRequest, token: str, on_connection: Callable[[bool], None]
    ) -> AsyncIterator[match_pb2.WatchResponse]:
        attempt = 0
        lost = False
        while True:
            try:
                async for response in self.match.Watch(request, metadata=self._metadata(token)):
                    if lost:
                        on_connection(True)
                        lost = False
                    attempt = 0
                    clean(response)
                    match response.WhichOneof("kind"):
                        case "ping":
                            self._answer(request.match_id, response.ping, token)
                            continue
                        case "update":
                            request.from_revision = response.update.revision + 1
                        case "chat":
                            if response.chat.number <= request.chat_after:
                                continue
                            request.chat_after = response.chat.number
                    yield response
            except grpc.aio.AioRpcError as error:
                failure = from_rpc(error, self.address)
                wait = retry_after(failure)
                if not isinstance(failure, ServerGone) and failure.reason != "SLOW_WATCHER" and wait is None:
                    raise failure from None
            else:
                return
            if not lost:
                on_connection(False)
                lost = True
            request.chat_after = request.chat_after  # 0 if nothing was heard: from now on it is asked for
            await asyncio.sleep((wait or 0) + backoff(attempt))
            attempt += 1

    def _answer(self, match_id: str, ping: match_pb2.Ping, token: str) -> None:
        """Answer a ping in the background; an answer that does not arrive does no harm."""
        pong = match_pb2.PongRequest(match_id=match_id, stamp=ping.stamp)

        async def answer() -> None:
            with suppress(grpc.aio.AioRpcError):
                await self.match.Pong(pong, metadata=self._metadata(token), timeout=20)

        task = asyncio.create_task(answer())
        self._pongs.add(task)
        task.add_done_callback(self._pongs.discard)

    def _metadata(self, token: str) -> tuple[tuple[str, Any], ...]:
        bearer = (("authorization", f"Bearer {token}"),) if token else ()
        return self.access.metadata() + bearer

"""A session with a server: calls with plain arguments, and a watch that goes on where it was cut."""

import asyncio
import random
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, TypeVar, final

import grpc

from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci.v1.lobby_pb2_grpc import LobbyServiceStub
from vinci.v1.match_pb2_grpc import MatchServiceStub

from .access import OPEN, Access, explained, open_channel
from .address import with_port
from .errors import ServerGone, from_rpc, retry_after

if TYPE_CHECKING:  # the stubs know more types than there are classes
    from vinci.v1.lobby_pb2_grpc import LobbyServiceAsyncStub
    from vinci.v1.match_pb2_grpc import MatchServiceAsyncStub

FIRST_WAIT: Final = 0.1
LONGEST_WAIT: Final = 5.0
TRIES: Final = 8
FIRST_TRIES: Final = 3
"""As long as nothing tells that the server exists: the address may be wrong, and somebody waits to be told."""

OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),  # gRPC's own waits, which come on top of ours, go up to two minutes
)
"""Of every channel to a server."""

T = TypeVar("T")


def backoff(attempt: int) -> float:
    """Seconds to wait before another attempt, counted from 0: doubled up to the longest, with chance in it."""
    return float(min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(attempt, TRIES)) * random.uniform(0.5, 1.0))


@final
class Session:
    """A connection to a server, as long as it is entered with `async with`.

    Calls raise ServerRefused, or ServerGone when trying again did not help.
    """

    def __init__(self, address: str, access: Access = OPEN) -> None:
        self.address: Final = with_port(address)
        self.access: Final = access
        self._known = False
        self._channel: grpc.aio.Channel
        self.lobby: LobbyServiceAsyncStub
        self.match: MatchServiceAsyncStub

    async def __aenter__(self) -> "Session":
        self._channel = await self._open()
        self.lobby = LobbyServiceStub(self._channel)
        self.match = MatchServiceStub(self._channel)
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
        await self._channel.close()

    async def call(
        self, method: Callable[..., Awaitable[T]], request: object, token: str = "", *, tries: int = TRIES
    ) -> T:
        """The answer to a call that can be repeated without harm; a lost connection is tried again.

        Where the server says that it was too much too soon, the call has not happened: it is sent again after a while.
        """
        most = tries if self._known or token else min(tries, FIRST_TRIES)
        for attempt in range(TRIES):
            try:
                answer = await method(request, metadata=self._metadata(token), timeout=20)
            except grpc.aio.AioRpcError as error:
                failure = from_rpc(error, self.address)
            else:
                self._known = True
                return answer
            wait = retry_after(failure)
            helps = isinstance(failure, ServerGone) if wait is None else True
            if not helps or attempt + 1 >= (most if wait is None else TRIES):
                break
            await asyncio.sleep((wait or 0) + backoff(attempt))
        if isinstance(failure, ServerGone) and not self._known:
            failure = await explained(failure, self.address, self.access)
        raise failure

    async def create(self, request: lobby_pb2.CreateMatchRequest) -> lobby_pb2.CreateMatchResponse:
        """Make a match. Not tried again: a lost answer could leave a second match behind."""
        return await self.call(self.lobby.CreateMatch, request, tries=1)

    async def join(self, match_id: str, player: str = "", seat: int = 0) -> lobby_pb2.JoinMatchResponse:
        """Take a seat, with a nonce for the seed. Not tried again: a lost answer has lost the token."""
        request = lobby_pb2.JoinMatchRequest(match_id=match_id, seat=seat, player=player, nonce=uuid.uuid4().hex)
        return await self.call(self.lobby.JoinMatch, request, tries=1)

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

    async def watch(
        self,
        match_id: str,
        token: str = "",
        *,
        from_revision: int | None = None,
        detail: match_pb2.WatchRequest | None = None,
        on_connection: Callable[[bool], None] = lambda _connected: None,
    ) -> AsyncIterator[match_pb2.WatchResponse]:
        """Everything that happens in a match until it is over. `detail` says what to send with each update.

        A lost connection is made again and the watch goes on with the next revision, so that nothing is missed or told
        twice; `on_connection` is told False when it is lost and True when it is back. Raises ServerRefused.
        """
        request = match_pb2.WatchRequest()
        if detail is not None:
            request.CopyFrom(detail)
        request.match_id = match_id
        if from_revision is not None:
            request.from_revision = from_revision
        attempt = 0
        lost = False
        while True:
            try:
                async for response in self.match.Watch(request, metadata=self._metadata(token)):
                    if lost:
                        on_connection(True)
                        lost = False
                    attempt = 0
                    if response.WhichOneof("kind") == "update":
                        request.from_revision = response.update.revision + 1
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
            await asyncio.sleep((wait or 0) + backoff(attempt))
            attempt += 1

    def _metadata(self, token: str) -> tuple[tuple[str, Any], ...]:
        bearer = (("authorization", f"Bearer {token}"),) if token else ()
        return self.access.metadata() + bearer

"""Follows a match over lost connections."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import grpc

from vinci.v1 import match_pb2

from .errors import ServerGone, backoff, from_rpc, retry_after
from .incoming import clean

if TYPE_CHECKING:
    from vinci.v1.match_pb2_grpc import MatchServiceAsyncStub

PONG_SECONDS: Final = 20.0
"""Deadline of an answer to a ping in seconds."""


async def follow(
    service: "MatchServiceAsyncStub",
    request: match_pb2.WatchRequest,
    metadata: tuple[tuple[str, Any], ...],
    address: str,
    on_connection: Callable[[bool], None],
) -> AsyncIterator[match_pb2.WatchResponse]:
    """Yield the messages of a watch but for pings, which are answered; it resumes after a lost connection.

    Args:
        service: the service of the server at `address`.
        request: what to watch; its revision and chat line go up with what was heard.
        metadata: of every call.
        address: host and port, for errors.
        on_connection: called with False when the connection is lost and with True when it is back.

    Raises:
        ServerRefused: the server refuses the watch.
    """
    attempt = 0
    lost = False
    pongs = set[asyncio.Task[None]]()

    async def pong(ping: match_pb2.Ping) -> None:
        with suppress(grpc.aio.AioRpcError):  # a lost answer does no harm
            answer = match_pb2.PongRequest(match_id=request.match_id, stamp=ping.stamp)
            await service.Pong(answer, metadata=metadata, timeout=PONG_SECONDS)

    try:
        while True:
            try:
                async for response in service.Watch(request, metadata=metadata):
                    if lost:
                        on_connection(True)
                        lost = False
                    attempt = 0
                    clean(response)
                    match response.WhichOneof("kind"):
                        case "ping":
                            task = asyncio.create_task(pong(response.ping))
                            pongs.add(task)
                            task.add_done_callback(pongs.discard)
                            continue
                        case "update":
                            request.from_revision = response.update.revision + 1
                        case "chat":
                            if response.chat.number <= request.chat_after:
                                continue
                            request.chat_after = response.chat.number
                    yield response
            except grpc.aio.AioRpcError as error:
                failure = from_rpc(error, address)
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
    finally:
        for task in pongs:
            task.cancel()

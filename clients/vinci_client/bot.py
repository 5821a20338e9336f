"""A bot's side of the wire: one stream, many games, opened again when it breaks."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any, Final, TypeAlias

import grpc

from vinci.v1 import bot_pb2 as pb
from vinci.v1 import lobby_pb2
from vinci.v1.bot_pb2_grpc import BotServiceStub
from vinci.v1.game_pb2 import Action
from vinci.v1.lobby_pb2_grpc import LobbyServiceStub

from .access import OPEN, Access, explained, open_channel
from .address import with_port
from .errors import ServerGone, from_rpc, retry_after
from .reading import read_ahead
from .session import OPTIONS, OVER, backoff

STORE_SECONDS: Final = 1.0
"""How long to wait before an answer is sent again that the server could not store."""

NOT_ASKED: Final = ("STALE_REVISION", "NOT_YOUR_SEAT", "PAUSED", "SUBSTITUTED", "MATCH_ENDED", "GAME_OVER")
"""Refusals after which the decision does not stand: it comes again when the bot is to act and may."""

Choose: TypeAlias = Callable[[pb.Decision], Awaitable[list[Action]]]
"""Picks the actions for a decision."""

_Write: TypeAlias = Callable[[pb.PlayRequest], Awaitable[None]]

_Games: TypeAlias = dict[tuple[str, int], pb.Decision | None]
"""The seats that a bot plays, by match and number, each with the last decision that it was asked for."""


async def play(
    address: str,
    hello: pb.Hello,
    choose: Choose,
    *,
    access: Access = OPEN,
    games: int | None = None,
    on_event: Callable[[str], None] = lambda _text: None,
) -> int:
    """Play seats until so many games are over (None: for ever); returns how many were.

    A lost connection is made again. `on_event` is told in words what happens. Raises ServerRefused if the server does
    not want the bot.
    """
    address = with_port(address)
    played = attempt = 0
    connected = False
    seated: _Games = {}
    async with AsyncExitStack() as stack:
        channel: grpc.aio.Channel | None = None
        while games is None or played < games:
            try:
                if channel is None:
                    channel = await stack.enter_async_context(await open_channel(address, access, OPTIONS))
                async for finished in _stream(channel, access, hello, choose, on_event, seated):
                    attempt = 0
                    connected = True
                    played += finished
                    if games is not None and played >= games:
                        return played
                wait: float | None = 0.0
            except (grpc.aio.AioRpcError, ServerGone) as error:
                failure = error if isinstance(error, ServerGone) else from_rpc(error, address)
                if isinstance(failure, ServerGone) and not connected and attempt == 0:
                    failure = await explained(failure, address, access)
                wait = 0.0 if isinstance(failure, ServerGone) else retry_after(failure)
                if wait is None:
                    raise failure from None
                if attempt == 0:
                    on_event(f"{failure} Trying again.")
            await asyncio.sleep((wait or 0) + backoff(attempt))
            attempt += 1
    return played


async def _stream(
    channel: grpc.aio.Channel,
    access: Access,
    hello: pb.Hello,
    choose: Choose,
    on_event: Callable[[str], None],
    seated: _Games,
) -> AsyncIterator[int]:
    """One connection; yields 1 for each game that ends, or ended unseen before it, and 0 for anything else."""
    if not hello.seat_tokens:  # whoever comes with a token is told the end again
        for place in list(seated):
            if await _is_over(channel, access, place[0]):
                del seated[place]
                on_event(f"match {place[0]} is over; it ended while the connection was lost")
                yield 1
    call: Any = BotServiceStub(channel).Play(metadata=access.metadata())
    write = _writer(call)
    await write(pb.PlayRequest(hello=hello))
    try:
        async for response in read_ahead(_without_pings(call, write)):
            match response.WhichOneof("kind"):
                case "welcome":
                    seated.clear()  # what is not given again is another bot's
                    on_event(f"connected to a server of version {response.welcome.version}")
                case "seated":
                    seated[response.seated.match.match_id, response.seated.seat] = None
                    on_event(f"seat {response.seated.seat} of match {response.seated.match.match_id}")
                case "decision":
                    seated[response.decision.match_id, response.decision.seat] = response.decision
                    await _answer(write, response.decision, choose)
                case "refused":
                    refused = response.refused
                    refusal = refused.refusal
                    if refusal.reason not in NOT_ASKED:
                        facts = " ".join(f"{name}={value}" for name, value in refusal.facts.items())
                        on_event(f"refused: {refusal.rule} {refusal.reason} {facts}")
                        decision = seated.get((refused.match_id, refused.seat))
                        stands = decision is not None and decision.revision == refused.revision and not refused.played
                        if decision is not None and stands and refused.tries_left:
                            if refusal.reason == "STORE_FAILED":
                                await asyncio.sleep(STORE_SECONDS)
                            await _answer(write, decision, choose)
                case "finished":
                    finished = response.finished
                    seated.pop((finished.match_id, finished.seat), None)
                    on_event(_end(finished))
                    yield 1
                    continue
            yield 0
    finally:
        call.cancel()


async def _is_over(channel: grpc.aio.Channel, access: Access, match_id: str) -> bool:
    """Whether a match is over, as far as the server knows it."""
    request = lobby_pb2.GetMatchRequest(match_id=match_id)
    try:
        response: lobby_pb2.GetMatchResponse = await LobbyServiceStub(channel).GetMatch(
            request, metadata=access.metadata(), timeout=20
        )
    except grpc.aio.AioRpcError as error:
        failure = from_rpc(error, "")
        if isinstance(failure, ServerGone) or retry_after(failure) is not None:
            raise
        return False
    return response.match.status in OVER


def _end(finished: pb.Finished) -> str:
    """The end of a game in words; one that was ended before it was over has no ranks."""
    if not finished.ranks:
        return f"match {finished.match_id} was ended: {finished.ended}"
    rank = finished.ranks[finished.seat - 1]
    return f"match {finished.match_id} is over: rank {rank} of {len(finished.ranks)}"


def _writer(call: Any) -> _Write:
    """Writes to a stream, one message after the other: answers and pongs come from different tasks."""
    line = asyncio.Lock()

    async def write(request: pb.PlayRequest) -> None:
        async with line:
            with contextlib.suppress(asyncio.InvalidStateError):  # the stream has ended; reading on tells why
                await call.write(request)

    return write


async def _without_pings(call: Any, write: _Write) -> AsyncIterator[pb.PlayResponse]:
    """What the server says. Its pings are answered here, also while the bot thinks."""
    async for response in call:
        if response.HasField("ping"):
            await write(pb.PlayRequest(pong=pb.Pong(stamp=response.ping.stamp)))
        else:
            yield response


async def _answer(write: _Write, decision: pb.Decision, choose: Choose) -> None:
    actions = await choose(decision)
    answer = pb.Answer(match_id=decision.match_id, seat=decision.seat, revision=decision.revision, actions=actions)
    await write(pb.PlayRequest(answer=answer))

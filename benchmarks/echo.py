"""The floor for a server in Python: the messages of a game over the same streams, without rules, store or matches.

Every answer of a bot is followed by the next decision of a game that was played before, and an update to all watchers.
"""

import asyncio
from collections.abc import AsyncIterator
from itertools import cycle
from random import Random
from typing import Any

import grpc

from vinci.v1 import bot_pb2, lobby_pb2, match_pb2
from vinci.v1.bot_pb2_grpc import add_BotServiceServicer_to_server
from vinci.v1.lobby_pb2_grpc import add_LobbyServiceServicer_to_server
from vinci.v1.match_pb2_grpc import add_MatchServiceServicer_to_server
from vinci_codec import actions, states
from vinci_rules.board import load_board
from vinci_rules.chance import FastChance
from vinci_rules.editions import options
from vinci_rules.engine import apply, new_game
from vinci_server.app import when_stdin_closes

from .load import choose

MATCH_ID = "echoecho"


class Echo:
    """All three services, as far as a load uses them."""

    def __init__(self) -> None:
        self._decisions = list(_decisions())
        update = match_pb2.WatchResponse()
        update.update.revision = 100
        update.update.seat = 1
        update.update.by = "bot"
        update.update.notation = "x ALP"
        update.update.action.conquer.province = "ALP"
        update.update.events.add().conquered.province = "ALP"
        self._update = update
        self._watchers: set[asyncio.Queue[match_pb2.WatchResponse]] = set()

    async def CreateMatch(self, request: Any, context: Any) -> lobby_pb2.CreateMatchResponse:  # noqa: N802  # gRPC's
        """A match that is none."""
        return lobby_pb2.CreateMatchResponse(match=lobby_pb2.Match(match_id=MATCH_ID))

    async def Watch(self, request: Any, context: Any) -> AsyncIterator[match_pb2.WatchResponse]:  # noqa: N802  # gRPC's
        """An update for every answer of any bot."""
        queue: asyncio.Queue[match_pb2.WatchResponse] = asyncio.Queue()
        self._watchers.add(queue)
        try:
            yield match_pb2.WatchResponse(match=lobby_pb2.Match(match_id=MATCH_ID))
            while True:
                yield await queue.get()
        finally:
            self._watchers.discard(queue)

    async def Play(self, requests: Any, context: Any) -> AsyncIterator[bot_pb2.PlayResponse]:  # noqa: N802  # gRPC's
        """A decision for every answer."""
        await anext(requests)
        decisions = cycle(self._decisions)
        async for _ in _and_first(requests):
            for queue in self._watchers:
                queue.put_nowait(self._update)
            yield next(decisions)

    def __getattr__(self, name: str) -> Any:
        """Calls that no load makes."""
        return None


async def _and_first(requests: Any) -> AsyncIterator[None]:
    yield None
    async for _ in requests:
        yield None


def _decisions() -> list[bot_pb2.PlayResponse]:
    """The decisions of one game of four."""
    random, chance = Random(1), FastChance(1)
    state = new_game(load_board("europe"), options((False,) * 4), chance)
    found: list[bot_pb2.PlayResponse] = []
    while state.phase != "over":
        legal = states.legal(state)
        decision = bot_pb2.Decision(match_id=MATCH_ID, seat=state.actor + 1, revision=len(found), legal=legal)
        found.append(bot_pb2.PlayResponse(decision=decision))
        apply(state, actions.from_message(choose(legal, random), state.board), chance)
    return found


async def main() -> None:
    """Listen until standard input closes."""
    server, service = grpc.aio.server(), Echo()
    add_BotServiceServicer_to_server(service, server)  # type: ignore[arg-type]  # as far as a load uses it
    add_LobbyServiceServicer_to_server(service, server)  # type: ignore[arg-type]  # as far as a load uses it
    add_MatchServiceServicer_to_server(service, server)  # type: ignore[arg-type]  # as far as a load uses it
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"127.0.0.1:{port}", flush=True)
    ended = asyncio.Event()
    when_stdin_closes(ended.set)
    await ended.wait()
    await server.stop(0)


if __name__ == "__main__":
    asyncio.run(main())

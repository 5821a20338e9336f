"""What a chaos test is made of: a server that dies again and again, connections that break, and players who repeat
themselves, come late and say the second thing first."""

import asyncio
import random
import socket
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import grpc
from client.proxy import Proxy
from end_to_end.processes import Vinci

from vinci.v1 import bot_pb2, game_pb2, match_pb2
from vinci_client.bot import Choose
from vinci_client.errors import ServerGone, from_rpc
from vinci_client.session import Session
from vinci_codec import actions
from vinci_rules import notation, position
from vinci_rules.chance import FastChance
from vinci_rules.engine import apply
from vinci_rules.playout import random_action
from vinci_rules.state import State

ANSWER_SECONDS: Final = 10.0
"""After this an answer counts as lost, and its request is sent again."""
LOST_SECONDS: Final = 180.0
"""After this without any answer something is wrong: no outage is as long, on the slowest machine."""
LOWEST_PORT, HIGHEST_PORT = 20_000, 32_000
"""Below the ports that connections are given, so that none takes the server's while it is dead."""


class Mortal:
    """A server process that is killed and started again, on one port and one database."""

    def __init__(self, home: Path, chance: random.Random, stack: ExitStack) -> None:
        self.port: Final = _free_port(chance)
        self.address: Final = f"127.0.0.1:{self.port}"
        self.kills = 0
        self._home: Final = home
        self._chance: Final = chance
        self._stack: Final = stack
        self._process: Vinci

    async def start(self) -> None:
        """Start it and wait until it listens."""
        self._launch()
        await asyncio.to_thread(self._process.line, "listening on ")

    async def die(self) -> None:
        """Kill it and start it again; now and then kill it once more before it is ready."""
        self._kill()
        await asyncio.sleep(self._chance.choice((0, 0, 0.3)))
        if self._chance.random() < 0.2:
            self._launch()
            await asyncio.sleep(self._chance.uniform(0.1, 0.6))
            self._kill()
        await self.start()

    async def end(self) -> None:
        """Stop it politely."""
        self._process.hang_up()
        assert await asyncio.to_thread(self._process.ended) == 0
        self._check()

    def _launch(self) -> None:
        arguments = ("--port", str(self.port), "--db", str(self._home / "server.db"), "--log-level", "warning")
        # it reads standard input, so that it ends even if this process is killed
        process = Vinci(self._home, "serve", *arguments, "--with-stdin", typed=True)
        self._process = self._stack.enter_context(process)

    def _kill(self) -> None:
        assert self._process.lives, f"the server has ended by itself: {self._process.err}"
        self._process.kill()
        self.kills += 1
        self._check()

    def _check(self) -> None:
        for sign in ("Traceback", "internal error", "cannot be read", "append failed"):
            assert sign not in self._process.err, self._process.err


@dataclass(slots=True)
class Sent:
    """A request and what is known of it: the revisions and notations that were acknowledged, or its refusal."""

    request: match_pb2.ActRequest
    answers: list[list[tuple[int, str]]] = field(default_factory=list)
    played: int = 0
    """Answers that said that they had played, rather than repeated, the request."""
    refusals: list[str] = field(default_factory=list)


class Actor:
    """Plays one seat by MatchService.Act: watches for its turn, and sends its requests in every wrong way there is.

    Attributes:
        sent: every request.
        told: notation and position of each revision, as the watch told them.
    """

    def __init__(self, sessions: Sequence[Session], match_id: str, token: str, seat: int, seed: int) -> None:
        self.match_id: Final = match_id
        self.sent: Final[list[Sent]] = []
        self.told: Final[list[tuple[str, str]]] = []
        self._sessions: Final = sessions
        self._token: Final = token
        self._seat: Final = seat - 1
        self._chance: Final = random.Random(seed)
        self._revision = -1

    async def play(self) -> None:
        """Play until the match is over."""
        detail = match_pb2.WatchRequest(position=True)
        stream = self._sessions[0].watch(self.match_id, self._token, from_revision=0, detail=detail)
        async for response in stream:
            if response.WhichOneof("kind") != "update":
                continue
            update = response.update
            assert update.revision == len(self.told), "a revision was missed, or told twice"
            self.told.append((update.notation, update.position))
            state = position.read(update.position)
            if state.phase != "over" and state.actor == self._seat and update.revision > self._revision:
                await self._act(state, update.revision)
                self._revision = max((last[-1][0] for sent in self.sent for last in sent.answers), default=0) - 1

    async def _act(self, state: State, revision: int) -> None:
        chosen = self._choose(state, self._chance.choice((1, 1, 2, 4)))
        way = self._chance.choice(("plain", "doubled", "late", "swapped"))
        if way == "swapped" and len(chosen) > 1:
            first = self._new(chosen[:1], revision)
            second = self._new(chosen[1:], revision + 1)
            early = asyncio.create_task(self._send(second))
            await asyncio.sleep(self._chance.choice((0, 0.001, 0.01)))
            await self._send(first)
            await early
            await self._send(second)
        else:
            first = self._new(chosen, revision)
            await asyncio.gather(*(self._send(first) for _ in range(2 if way == "doubled" else 1)))
        assert first.answers, f"a legal action was refused: {first}"
        if way == "late":
            await self._send(self._chance.choice(self.sent))

    def _choose(self, state: State, most: int) -> list[game_pb2.Action]:
        """Actions to be played in a row, as far as can be foreseen."""
        chosen = []
        after = state.copy()
        while len(chosen) < most and after.phase != "over" and after.actor == self._seat:
            action = random_action(after, self._chance)
            text = notation.write(action, state.board)
            typed = actions.to_message(action, state.board)
            chosen.append(typed if self._chance.random() < 0.5 else game_pb2.Action(notation=text))
            apply(after, action, FastChance(self._chance.getrandbits(32)))
        return chosen

    def _new(self, chosen: Sequence[game_pb2.Action], revision: int) -> Sent:
        request = match_pb2.ActRequest(
            match_id=self.match_id,
            request_id=f"{self._seat}-{len(self.sent)}-{self._chance.getrandbits(64):x}",
            expected_revision=revision,
            actions=chosen,
        )
        self.sent.append(Sent(request))
        return self.sent[-1]

    async def _send(self, sent: Sent) -> None:
        """Send a request, again and again until it is answered; keep the answer."""
        session = self._chance.choice(self._sessions)
        metadata = (("authorization", f"Bearer {self._token}"),)
        deadline = time.monotonic() + LOST_SECONDS
        while True:
            try:
                answer = await session.match.Act(sent.request, metadata=metadata, timeout=ANSWER_SECONDS)
            except grpc.aio.AioRpcError as error:
                failure = from_rpc(error, session.address)
                if not isinstance(failure, ServerGone):
                    sent.refusals.append(failure.reason)
                    return
                if time.monotonic() > deadline:
                    raise
                await asyncio.sleep(self._chance.uniform(0.05, 0.4))
            else:
                sent.answers.append([(update.revision, update.notation) for update in answer.updates])
                sent.played += not answer.repeated_request
                return


def chooser(seed: int) -> Choose:
    """A bot that plays anything, now and then several actions at once."""
    chance = random.Random(seed)

    async def choose(decision: bot_pb2.Decision) -> list[game_pb2.Action]:
        state = position.read(decision.position)
        chosen = []
        for _ in range(chance.choice((1, 1, 3))):
            if state.phase == "over" or state.actor != decision.seat - 1:
                break
            action = random_action(state, chance)
            chosen.append(actions.to_message(action, state.board))
            apply(state, action, FastChance(chance.getrandbits(32)))
        return chosen

    return choose


async def cut(proxies: Sequence[Proxy], chance: random.Random, gap: float) -> None:
    """Break connections for ever, now and then after answers were lost for a while."""
    while True:
        await asyncio.sleep(chance.expovariate(1 / gap))
        victim = chance.choice(proxies)
        if chance.random() < 0.3:
            victim.deaf = True
            await asyncio.sleep(chance.uniform(0, 0.2))
            victim.cut()
            victim.deaf = False
        else:
            victim.cut_some(chance)


def _free_port(chance: random.Random) -> int:
    while True:
        port = chance.randrange(LOWEST_PORT, HIGHEST_PORT)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port

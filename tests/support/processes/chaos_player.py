"""A player in chaos tests, who repeats, delays and reorders requests, undoes, chats, pauses and leaves."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import grpc

from vinci.v1 import game_pb2, lobby_pb2, match_pb2
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
AWAY_SECONDS: Final = 2.5
PAUSE, RESUME = lobby_pb2.PROPOSAL_KIND_PAUSE, lobby_pb2.PROPOSAL_KIND_RESUME
MAY_COME_BETWEEN: Final = {"PAUSED", "SUBSTITUTED", "STALE_REVISION", "NOT_YOUR_TURN", "GAME_OVER"}
"""Why a legal action is refused when others agreed upon a pause, or a substitute has played."""


@dataclass(slots=True)
class SentRequest:
    """A request and its known outcome: the acknowledged revisions and notations, or its refusal."""

    request: match_pb2.ActRequest | match_pb2.UndoRequest
    answers: list[list[tuple[int, str]]] = field(default_factory=list)
    played: int = 0
    """Answers that said that they had played, rather than repeated, the request."""
    refusals: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ClockReading:
    """The clocks of a revision in milliseconds by seat, received at a time of `time.monotonic`. `changes` counts the changes of the match until then: another player of a seat, or a pause.

    `changes` counts the changes of the match announced until then: another player of a seat, or a pause.
    """

    moment: float
    revision: int
    changes: int
    left: tuple[int, ...]


class ChaosSpectator:
    """Watches a match as a spectator and is never busy, so that it knows when what was told came.

    Attributes:
        updates: seat, notation and position of each revision. looks: readings of the clocks.
    """

    def __init__(self, session: Session, match_id: str) -> None:
        self.updates: Final[list[tuple[int, str, str]]] = []
        self.looks: Final[list[ClockReading]] = []
        self._changes = 0
        self._stream: Final = session.watch(match_id, from_revision=0, detail=match_pb2.WatchRequest(position=True))

    async def watch(self) -> None:
        """Watch until the match is over."""
        async for response in self._stream:
            match response.WhichOneof("kind"):
                case "update":
                    update = response.update
                    self.updates.append((update.seat, update.notation, update.position))
                case "match":
                    self._changes += 1
                case "clocks":
                    clocks = response.clocks
                    self.looks.append(
                        ClockReading(time.monotonic(), clocks.revision, self._changes, tuple(clocks.left))
                    )


class ChaosPlayer:
    """Plays one seat by MatchService: watches for its turn, and sends its requests in every wrong way there is.

    Attributes:
        sent: every request to act or to undo.
        updates: notation and position of each revision, as the watch sent them.
        chat_lines: acknowledged lines of the chat by number. unanswered_lines: those without an answer.
        received_lines: number and text of the lines that the watch sent.
    """

    def __init__(self, sessions: Sequence[Session], joined: lobby_pb2.JoinMatchResponse, chance: random.Random) -> None:
        self.match_id: Final = joined.match.match_id
        self.sent: Final[list[SentRequest]] = []
        self.updates: Final[list[tuple[str, str]]] = []
        self.chat_lines: Final[dict[int, str]] = {}
        self.unanswered_lines: Final[list[str]] = []
        self.received_lines: Final[list[tuple[int, str]]] = []
        self._sessions: Final = sessions
        self._token: Final = joined.seat_token
        self._seat: Final = joined.seat - 1
        self._can_leave: Final = joined.match.timing.absence_seconds > 0
        self._chance: Final = chance
        self._match: lobby_pb2.Match = joined.match
        self._state: State | None = None
        self._revision = -1

    async def play(self) -> None:
        """Play until the match is over, and be away now and then."""
        while not await self._play_for_a_while():
            await asyncio.sleep(AWAY_SECONDS)

    async def _play_for_a_while(self) -> bool:
        """Play until an absence or the end; return whether the match is over."""
        detail = match_pb2.WatchRequest(
            position=True, chat_after=self.received_lines[-1][0] if self.received_lines else 0
        )
        stream = self._sessions[0].watch(self.match_id, self._token, from_revision=len(self.updates), detail=detail)
        async for response in stream:
            match response.WhichOneof("kind"):
                case "update":
                    update = response.update
                    assert update.revision == len(self.updates), (
                        update.revision,
                        "a revision was missed, or told twice",
                    )
                    self.updates.append((update.notation, update.position))
                    self._state = position.read(update.position)
                case "match":
                    self._match = response.match
                    await self._agree()
                case "chat":
                    self.received_lines.append((response.chat.number, response.chat.text))
            if self._state is not None and self._is_to_act(self._state):
                await self._act(self._state, len(self.updates) - 1)
                self._revision = max((last[-1][0] for sent in self.sent for last in sent.answers), default=0) - 1
                if self._can_leave and self._chance.random() < 0.05:
                    await stream.aclose()  # type: ignore[attr-defined]  # it is a generator
                    return False
        return True

    def _is_to_act(self, state: State) -> bool:
        bound = self._match.paused or self._match.seats[self._seat].substituted
        mine = state.phase != "over" and state.actor == self._seat
        return mine and not bound and len(self.updates) - 1 > self._revision

    async def _agree(self) -> None:
        """Take the seat back, and agree to pauses and to their end."""
        wanted = {proposal.kind: self._seat + 1 in proposal.agreed for proposal in self._match.proposals}
        if self._match.status != lobby_pb2.MATCH_STATUS_RUNNING:
            return
        if self._match.seats[self._seat].substituted:
            await self._ask(self._sessions[0].match.TakeBack, match_pb2.TakeBackRequest(match_id=self.match_id))
        elif self._match.paused and not wanted.get(RESUME):
            await self._propose(RESUME)
        elif not self._match.paused and wanted.get(PAUSE) is False:
            await self._propose(PAUSE)

    async def _propose(self, kind: lobby_pb2.ProposalKind.ValueType) -> None:
        request = match_pb2.ProposeRequest(match_id=self.match_id, kind=kind)
        await self._ask(self._sessions[0].match.Propose, request)

    async def _act(self, state: State, revision: int) -> None:
        chosen = self._choose(state, self._chance.choice((1, 1, 2, 4)))
        variant = self._chance.choice(("plain", "doubled", "late", "swapped", "undone"))
        if variant == "swapped" and len(chosen) > 1:
            first = self._new_act(chosen[:1], revision)
            second = self._new_act(chosen[1:], revision + 1)
            early = asyncio.create_task(self._send(second))
            await asyncio.sleep(self._chance.choice((0, 0.001, 0.01)))
            await self._send(first)
            await early
            await self._send(second)
        else:
            first = self._new_act(chosen, revision)
            await asyncio.gather(*(self._send(first) for _ in range(2 if variant == "doubled" else 1)))
        assert first.answers or set(first.refusals) <= MAY_COME_BETWEEN, f"a legal action was refused: {first}"
        if variant == "undone" and first.answers:
            undo = self._new_undo(first.answers[0][-1][0])
            await asyncio.gather(*(self._send(undo) for _ in range(self._chance.choice((1, 2)))))
        if variant == "late":
            await self._send(self._chance.choice(self.sent))
        if self._chance.random() < 0.1:
            await self._say(f"seat {self._seat + 1}, line {len(self.chat_lines) + len(self.unanswered_lines)}")
        if self._chance.random() < 0.03:
            await self._propose(PAUSE)

    def _choose(self, state: State, most: int) -> list[game_pb2.Action]:
        """Return actions to be played in a row, as far as can be foreseen."""
        chosen: list[game_pb2.Action] = []
        after = state.copy()
        while len(chosen) < most and after.phase != "over" and after.actor == self._seat:
            action = random_action(after, self._chance)
            text = notation.write(action, state.board)
            typed = actions.to_message(action, state.board)
            chosen.append(typed if self._chance.random() < 0.5 else game_pb2.Action(notation=text))
            apply(after, action, FastChance(self._chance.getrandbits(32)))
        return chosen

    def _new_act(self, chosen: Sequence[game_pb2.Action], revision: int) -> SentRequest:
        request = match_pb2.ActRequest(
            match_id=self.match_id, request_id=self._new_id(), expected_revision=revision, actions=chosen
        )
        self.sent.append(SentRequest(request))
        return self.sent[-1]

    def _new_undo(self, revision: int) -> SentRequest:
        request = match_pb2.UndoRequest(match_id=self.match_id, request_id=self._new_id(), expected_revision=revision)
        self.sent.append(SentRequest(request))
        return self.sent[-1]

    def _new_id(self) -> str:
        return f"{self._seat}-{len(self.sent)}-{self._chance.getrandbits(64):x}"

    async def _send(self, sent: SentRequest) -> None:
        """Send a request to act or to undo, and store the answer."""
        session = self._chance.choice(self._sessions)
        undo = isinstance(sent.request, match_pb2.UndoRequest)
        answer = await self._ask(session.match.Undo if undo else session.match.Act, sent.request)
        if isinstance(answer, str):
            sent.refusals.append(answer)
        else:
            updates = [answer.update] if undo else answer.updates
            sent.answers.append([(update.revision, update.notation) for update in updates])
            sent.played += not answer.repeated_request

    async def _ask(self, call: Callable[..., Awaitable[Any]], request: Any) -> Any:
        """Repeat a call until it is answered; return the answer or the reason of its refusal."""
        deadline = time.monotonic() + LOST_SECONDS
        while True:
            try:
                return await call(request, metadata=self._metadata(), timeout=ANSWER_SECONDS)
            except grpc.aio.AioRpcError as error:
                failure = from_rpc(error, self._sessions[0].address)
                if not isinstance(failure, ServerGone):
                    return failure.reason
                if time.monotonic() > deadline:
                    raise
                await asyncio.sleep(self._chance.uniform(0.05, 0.4))

    async def _say(self, text: str) -> None:
        """Send a chat line once: if the answer is lost, its outcome is unknown."""
        request = match_pb2.ChatRequest(match_id=self.match_id, text=text)
        try:
            answer = await self._sessions[0].match.Chat(request, metadata=self._metadata(), timeout=ANSWER_SECONDS)
        except grpc.aio.AioRpcError as error:
            if not isinstance(from_rpc(error, ""), ServerGone):
                raise
            self.unanswered_lines.append(text)
        else:
            assert answer.line.number not in self.chat_lines
            self.chat_lines[answer.line.number] = answer.line.text

    def _metadata(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self._token}"),)

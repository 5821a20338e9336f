"""Ask a bot decisions of a recorded game again, each in a match of its own that starts from the position."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple, final

from vinci.v1 import lobby_pb2
from vinci.v1.bot_pb2 import Answer, Note, PlayRequest, PlayResponse
from vinci_client.session import Session
from vinci_codec import actions as codec
from vinci_rules import notation, position, record
from vinci_rules.board import Board
from vinci_rules.state import State

from .. import environment
from ..local.local_match import LOOK_SECONDS
from ..local.participants import Player
from ..local.process import BotProcess
from ..local.sandbox import ADDRESS, SOCKET
from .host import Host
from .relay import GameTalk, Relay, Tampering

DECIDES: Final = ("bot", "player", "substitute")
"""Actors in a record that decide by themselves."""


class RecordedDecision(NamedTuple):
    """A decision of a record.

    Attributes:
        number: that of its action in the record, from 1.
        seat: the seat that decided, from 1.
        state: the position.
        played: the actions of the seat from there to the end of its turn, in notation.
    """

    number: int
    seat: int
    state: State
    played: tuple[str, ...]


class AskedAgain(NamedTuple):
    """The answer of a bot to a recorded decision, in notation, its seconds and its note; `fault` if there is none."""

    answer: tuple[str, ...] = ()
    seconds: float = 0.0
    note: Note = Note()
    fault: str = ""

    def is_as(self, decision: RecordedDecision) -> bool:
        """Whether the same was played in the game."""
        return not self.fault and decision.played[: len(self.answer)] == self.answer


def decisions(lines: Sequence[str]) -> list[RecordedDecision]:
    """Return the decisions of a record that were not made by a dummy or a clock. Raises RecordError."""
    steps = [(step, step.action) for step in record.replay(lines) if step.action is not None]
    found: list[RecordedDecision] = []
    for seat, acted in groupby(steps, key=lambda one: one[0].seat):
        turn = list(acted)
        played = tuple(notation.write(action, step.before.board) for step, action in turn)
        if seat is not None:
            found += [
                RecordedDecision(step.line - 1, seat + 1, step.before, played[place:])
                for place, (step, _) in enumerate(turn)
                if step.by in DECIDES
            ]
    return found


@final
class _FirstAnswer(Tampering):
    """Keeps the first answer of a bot; the server never gets it, so the revision can be the one of the record."""

    def __init__(self, revision: int) -> None:
        self._revision: Final = revision
        self._asked = 0.0
        self.given: Final[asyncio.Future[tuple[Answer, float]]] = asyncio.get_running_loop().create_future()

    async def down(self, response: PlayResponse) -> AsyncIterator[PlayResponse]:
        """Give a decision the revision on which the random choices of the bot depended."""
        if response.HasField("decision"):
            response.decision.revision = self._revision
            self._asked = time.monotonic()
        yield response

    async def up(self, answer: PlayRequest) -> AsyncIterator[PlayRequest]:
        """Keep an answer."""
        if not self.given.done():
            self.given.set_result((answer.answer, time.monotonic() - self._asked))
        return
        yield answer  # an iterator of nothing


@dataclass(frozen=True, slots=True)
class Asker:
    """Asks a bot decisions at a server; `place` is a folder for its files.

    `seed` is that of the bot in the game, `seconds` are those for its start and its answer.
    """

    host: Host
    player: Player
    place: Path
    seed: str
    seconds: float
    sandboxed: bool = False

    async def ask(self, decision: RecordedDecision) -> AskedAgain:
        """Return the answer of a process that is started for this decision."""
        first, log = _FirstAnswer(decision.number - 1), self.place / "bot.log"
        log.unlink(missing_ok=True)
        door = self.place / "door" if self.sandboxed else None
        if door:
            door.mkdir(mode=0o700, exist_ok=True)
        relay = Relay((str(door / SOCKET), 0) if door else ("127.0.0.1", 0), GameTalk(first))
        async with relay.proxy, self.host.behind(relay), Session(self.host.address, self.host.access) as session:
            contract = {
                environment.ADDRESS: ADDRESS if door else relay.proxy.address,
                environment.SEAT_TOKEN: await _seated(session, decision, self.player.name),
                environment.SEAT: str(decision.seat),
                environment.SEED: self.seed,
            }
            try:
                process = BotProcess(self.player.command, contract, log, door, self.player.folder)
            except (OSError, ValueError) as error:
                return AskedAgain(fault=f"it could not be started: {getattr(error, 'strerror', None) or error}")
            try:
                return await self._answer(first, process, decision.state.board)
            finally:
                await asyncio.to_thread(process.kill)

    async def _answer(self, first: _FirstAnswer, process: BotProcess, board: Board) -> AskedAgain:
        until = time.monotonic() + self.seconds
        while time.monotonic() < until:
            await asyncio.wait([first.given], timeout=LOOK_SECONDS)
            if first.given.done():
                answer, seconds = first.given.result()
                try:
                    played = tuple(notation.write(codec.from_message(one, board), board) for one in answer.actions)
                except notation.NotationError as error:
                    return AskedAgain((), seconds, answer.note, str(error))
                return AskedAgain(played, seconds, answer.note)
            if process.has_ended():
                words = process.last_words()
                return AskedAgain(fault=f"it ended with status {process.exited}" + (f": {words}" if words else ""))
        return AskedAgain(fault=f"it gave no answer within {self.seconds:g} s")


async def _seated(session: Session, decision: RecordedDecision, name: str) -> str:
    """Make a match from the position with somebody at each seat of a player; return the token of the bot's seat."""
    request = lobby_pb2.CreateMatchRequest(position=position.write(decision.state))
    created = await session.create(request)
    match_id, tokens = created.match.match_id, {}
    bot = lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_BOT, bot=name)
    setting = lobby_pb2.SetSeatRequest(match_id=match_id, seat=decision.seat, setup=bot)
    await session.call(session.lobby.SetSeat, setting, created.host_token)
    for seat in created.match.seats:
        if seat.kind != lobby_pb2.SEAT_KIND_DUMMY:
            who = name if seat.seat == decision.seat else f"other {seat.seat}"
            tokens[seat.seat] = (await session.join(match_id, who, seat.seat, as_person=False)).seat_token
    start = lobby_pb2.StartMatchRequest(match_id=match_id)
    await session.call(session.lobby.StartMatch, start, created.host_token)
    return tokens[decision.seat]

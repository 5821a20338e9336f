"""Bot under test: started for one game after another, each through its own relay."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final

from vinci.v1 import game_pb2, lobby_pb2
from vinci.v1.bot_pb2 import Decision, Refused

from ..local import local_match
from ..local.local_match import MEGABYTE, BotForfeit, LocalGame, ResourceUse, Seating
from ..local.participants import DUMMY, Player
from ..local.process import excerpt
from ..seeds import bot_seed
from .relay import Relay, Tampering, Transcript
from .results import Check, Fault

SEED: Final = "doctor"
"""Seed of all games of the doctor."""
SEATS: Final = 3
FIRST_LINES: Final = 5
"""Number of first lines of a bot's output shown with a fault: Go names the cause in line 1, Node in line 5."""
WHOLE: Final = lobby_pb2.CreateMatchRequest(board="tiny", options=game_pb2.Options(settings={"target": "40"}))
SHORT: Final = lobby_pb2.CreateMatchRequest(board="tiny", options=game_pb2.Options(settings={"max_rounds": "2"}))
"""Short game; its first decision is to take a civilization."""


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Limits of a bot: seconds, and `memory` in bytes.

    Seconds until it is connected (`start`), for each decision, to reconnect after a lost connection (`back`) or a
    silent one (`silent`), and to exit after its game (`end`).
    """

    start: float = 30.0
    decision: int = 10
    back: int = 15
    silent: int = 60
    end: float = 5.0
    memory: int = 2048 * MEGABYTE


@dataclass(frozen=True, slots=True)
class TestedGame:
    """Game of the bot with its messages and the time limit for a decision in seconds."""

    game: LocalGame
    talk: Transcript
    seat: int
    seconds: int

    @property
    def gone(self) -> BotForfeit | None:
        """Forfeit of the bot, or None."""
        return next((gone for gone in self.game.gone if gone.seat == self.seat - 1), None)

    @property
    def use(self) -> ResourceUse:
        """Resources that the bot used. Raises Fault if it could not be started."""
        use = self.game.use[self.seat - 1]
        if use is None:
            raise Fault(self.gone.text if self.gone else "it could not be started")
        return use

    def must_be_faultless(self) -> None:
        """Raise Fault if an answer was refused, or the bot did not play to the end."""
        for refused in self.talk.refusals():
            raise Fault(self._refusal(refused))
        self.must_be_played()

    def must_be_played(self) -> None:
        """Raise Fault if the bot did not play to the end."""
        gone = self.gone
        if gone is None:
            return
        if gone.reason == "clock" and (open_ := self.talk.unanswered()) is not None:
            asked, refused = open_
            again = " again after its answer was refused" if refused else ""
            raise Fault(f"it did not answer{again} within {self.seconds} s when it was to {offers(asked)}")
        raise Fault(gone.text)

    def _refusal(self, refused: Refused) -> str:
        refusal = refused.refusal
        facts = " ".join(f"{name}={value}" for name, value in sorted(refusal.facts.items()))
        told = " ".join(filter(None, (refusal.rule, refusal.reason, facts)))
        asked = [decision for decision in self.talk.decisions() if decision.revision == refused.revision]
        return f"its answer was refused: {told}" + (f" (it was to {offers(asked[-1])})" if asked else "")


@final
class BotUnderTest:
    """Bot with its limits, the server to play at, and a folder for its output."""

    def __init__(self, player: Player, limits: Deadlines, folder: Path, address: str) -> None:
        self.player: Final = player
        self.limits: Final = limits
        self.folder: Final = folder
        self.address: Final = address
        self._whole: asyncio.Task[TestedGame] | None = None

    async def whole_game(self) -> TestedGame:
        """Play a whole game once; all checks share it."""
        if self._whole is None:
            self._whole = asyncio.create_task(self.play("game", request=WHOLE))
        return await self._whole

    def log(self, name: str) -> Path:
        """Log of its output in the game of this name."""
        return self.folder / f"{name}.log"

    def written(self, check: Check) -> tuple[Path | None, tuple[str, ...]]:
        """Return the log of a check's game, None if nothing was written in it, and its first and last lines."""
        log = self.log(check.log or check.name)
        if not log.exists() or not log.stat().st_size:
            return None, ()
        return log, excerpt(log, FIRST_LINES)

    async def play(self, log: str, tampering: Tampering | None = None, **how: Any) -> TestedGame:
        """Play a game through a new relay; arguments as for `play_through`."""
        async with Relay(self.address, tampering or Tampering()) as relay:
            return await self.play_through(relay, log, **how)

    async def play_through(
        self,
        relay: Relay,
        log: str,
        *,
        request: lobby_pb2.CreateMatchRequest = SHORT,
        seat: int = 1,
        seconds: int = 0,
        late: lobby_pb2.TimeoutPolicy.ValueType = lobby_pb2.TIMEOUT_POLICY_FORFEIT,
        door: str = "",
    ) -> TestedGame:
        """Play a game of the bot against dummies.

        Args:
            relay: the relay between bot and server.
            log: name of the log for its output.
            request: rules and position.
            seat: seat of the bot, from 1.
            seconds: time limit for each decision; 0 for the usual one.
            late: what happens after the time limit.
            door: address that the bot connects to, if that is not the relay.
        """
        timed = lobby_pb2.CreateMatchRequest(seed=SEED, sealed=True)
        timed.MergeFrom(request)
        seconds = seconds or self.limits.decision
        timed.timing.CopyFrom(lobby_pb2.Timing(decision_seconds=seconds, on_timeout=late))
        file = self.log(log)
        seatings = [Seating(Player(DUMMY), "", file)] * SEATS
        seatings[seat - 1] = Seating(self.player, bot_seed(SEED, self.player.name), file, door or relay.address)
        limits = local_match.BotLimits(self.limits.memory, self.limits.start, self.limits.end)
        game = await local_match.play_game(relay.target, timed, seatings, limits, relay.tampering.see)
        return TestedGame(game, relay.talk, seat, seconds)


def from_position(text: str) -> lobby_pb2.CreateMatchRequest:
    """Request for a game that starts from a position."""
    return lobby_pb2.CreateMatchRequest(position=text)


def offers(decision: Decision) -> str:
    """Kinds of legal actions, as names of the fields of `Legal`."""
    legal = decision.legal
    names = [field.name for field, _ in legal.ListFields() if field.name not in ("cost", "worth")]
    return " or ".join(names)

"""Bot under test: started for one game after another, each through its own relay."""

import asyncio
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final

from vinci.v1 import game_pb2, lobby_pb2
from vinci.v1.bot_pb2 import Decision, Refused

from ..local.local_match import BotForfeit, BotLimits, LocalGame, ResourceUse, Seating, play_game
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadlines(BotLimits):
    """Limits of a bot, also in seconds for each decision and to reconnect after a lost or a silent connection."""

    decision: int = 10
    back: int = 15
    silent: int = 60


@dataclass(frozen=True, slots=True)
class TestedGame:
    """Game of the bot with its messages and the time limit for a decision in seconds."""

    game: LocalGame
    talk: Transcript
    seat: int
    seconds: int

    @property
    def forfeit(self) -> BotForfeit | None:
        """Forfeit of the bot, or None."""
        return next((forfeit for forfeit in self.game.forfeits if forfeit.seat == self.seat - 1), None)

    @property
    def use(self) -> ResourceUse:
        """Resources that the bot used. Raises Fault if it could not be started."""
        use = self.game.use[self.seat - 1]
        if use is None:
            raise Fault(self.forfeit.text if self.forfeit else "it could not be started")
        return use

    def must_be_faultless(self) -> None:
        """Raise Fault if an answer was refused, or the bot did not play to the end."""
        for refused in self.talk.refusals():
            raise Fault(self._refusal(refused))
        self.must_be_played()

    def must_be_played(self) -> None:
        """Raise Fault if the bot did not play to the end."""
        forfeit = self.forfeit
        if forfeit is None:
            return
        if forfeit.reason == "clock" and (open_ := self.talk.unanswered()) is not None:
            asked, refused = open_
            again = " again after its answer was refused" if refused else ""
            raise Fault(f"it did not answer{again} within {self.seconds} s when it was to {offers(asked)}")
        raise Fault(forfeit.text)

    def _refusal(self, refused: Refused) -> str:
        refusal = refused.refusal
        facts = " ".join(f"{name}={value}" for name, value in sorted(refusal.facts.items()))
        reason = " ".join(filter(None, (refusal.rule, refusal.reason, facts)))
        asked = [decision for decision in self.talk.decisions() if decision.revision == refused.revision]
        return f"its answer was refused: {reason}" + (f" (it was to {offers(asked[-1])})" if asked else "")


class TestedBot(ABC):
    """Bot that plays games of the doctor; base class of `BotUnderTest` and of remote bots."""

    def __init__(self, limits: Deadlines) -> None:
        self.limits: Final = limits
        self._whole: asyncio.Task[TestedGame] | None = None

    async def whole_game(self) -> TestedGame:
        """Play a whole game once; all checks share it."""
        if self._whole is None:
            self._whole = asyncio.create_task(self.play_whole())
        return await self._whole

    async def play_whole(self) -> TestedGame:
        """Play a whole game."""
        return await self.play("game", request=WHOLE)

    @abstractmethod
    async def play(
        self,
        log: str,
        tampering: Tampering | None = None,
        *,
        request: lobby_pb2.CreateMatchRequest = SHORT,
        seat: int = 1,
        seconds: int = 0,
        late: lobby_pb2.TimeoutPolicy.ValueType = lobby_pb2.TIMEOUT_POLICY_FORFEIT,
    ) -> TestedGame:
        """Play a game against dummies.

        `log` names the log for the output of the bot, `seat` counts from 1, `seconds` is the time limit for each
        decision (0: the usual one) and `late` what happens after it.
        """

    def written(self, check: Check) -> tuple[Path | None, tuple[str, ...]]:
        """Return the log of a check's game, None if nothing was written in it, and its first and last lines."""
        return None, ()


@final
class BotUnderTest(TestedBot):
    """Bot with its limits, the server to play at, and a folder for its output."""

    def __init__(self, player: Player, limits: Deadlines, folder: Path, address: str) -> None:
        super().__init__(limits)
        self.player: Final = player
        self.folder: Final = folder
        self.address: Final = address

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
        """Play a game through a new relay."""
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
        """Play a game through a relay; `door` is the address that the bot connects to, if not the relay."""
        seconds = seconds or self.limits.decision
        timed = timed_request(request, seconds, late)
        file = self.log(log)
        seatings = [Seating(Player(DUMMY), "", file)] * SEATS
        seatings[seat - 1] = Seating(self.player, bot_seed(SEED, self.player.name), file, door or relay.address)
        game = await play_game(relay.target, timed, seatings, self.limits, relay.tampering.see)
        return TestedGame(game, relay.talk, seat, seconds)


def timed_request(
    request: lobby_pb2.CreateMatchRequest, seconds: int, late: lobby_pb2.TimeoutPolicy.ValueType
) -> lobby_pb2.CreateMatchRequest:
    """Return the request for a game with the seed of the doctor and a time limit for each decision."""
    timed = lobby_pb2.CreateMatchRequest(seed=SEED, sealed=True)
    timed.MergeFrom(request)
    timed.timing.CopyFrom(lobby_pb2.Timing(decision_seconds=seconds, on_timeout=late))
    return timed


def offers(decision: Decision) -> str:
    """Kinds of legal actions, as names of the fields of `Legal`."""
    legal = decision.legal
    names = [field.name for field, _ in legal.ListFields() if field.name not in ("cost", "worth")]
    return " or ".join(names)

"""Checks that look at one whole game: how the bot came, played, and went."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final, final

from vinci.v1.bot_pb2 import PlayRequest

from ..local.local_match import MEGABYTE
from .bot_under_test import BotUnderTest, TestedGame
from .relay import Tampering
from .results import Fault, NotApplicable


async def handshake(patient: BotUnderTest) -> str:
    """Its first word is a hello with the token of its seat, in time."""
    played = await patient.whole_game()
    talk, gone = played.talk, played.gone
    if talk.hello is None:
        start = f"{gone.told}; " if gone else ""
        raise Fault(f"{start}it has to open BotService.Play at VINCI_ADDRESS and say hello")
    if not any(hello.seat_tokens for hello in talk.hellos()):
        raise Fault("its hello has no seat_tokens: it has to send the one that VINCI_SEAT_TOKEN holds")
    if not talk.is_seated():
        raise Fault(f"the server did not want it: {talk.ends[0]}" if talk.ends else "it went before it had its seat")
    return f"hello after {talk.hello:.1f} s"


async def game(patient: BotUnderTest) -> str:
    """Every answer is legal and in time, to the end of the game."""
    played = await patient.whole_game()
    played.must_be_faultless()
    thought = played.use.thought
    return f"{len(thought)} decisions, the longest took {max(thought, default=0) / 1000:.3f} s"


async def pings(patient: BotUnderTest) -> str:
    """Pings are answered, so that the way is not counted as thinking."""
    sent, answered = (await patient.whole_game()).talk.pings()
    if not sent:
        raise Fault("it was not connected")
    if not answered or answered < sent - 1:  # the last one may have come too late
        raise Fault(f"it answered {answered} of {sent} pings: send a pong with the same stamp at once")
    return f"{answered} of {sent}"


async def leaving(patient: BotUnderTest) -> str:
    """The process ends with status 0 soon after its game."""
    played = await patient.whole_game()
    status = played.use.status
    if status is None:
        raise Fault(f"it still ran {patient.limits.end:g} s after its game")
    if status != 0:
        raise Fault(f"it ended with status {status}" if status > 0 else f"it was killed by signal {-status}")
    return "status 0"


async def children(patient: BotUnderTest) -> str:
    """Nothing that it started is left behind."""
    use = (await patient.whole_game()).use
    if use.status is None:
        raise NotApplicable("it did not end by itself, and was killed with all that it had started")
    if use.left:
        raise Fault(f"it ended and left these running: {', '.join(use.left)}")
    return "none left"


async def memory(patient: BotUnderTest) -> str:
    """It keeps to its memory."""
    played = await patient.whole_game()
    if played.gone and played.gone.reason == "memory":
        raise Fault(played.gone.told)
    return f"{played.use.memory // MEGABYTE} MB, {played.use.cpu:.1f} s of CPU"


async def two_games(patient: BotUnderTest) -> str:
    """Two of it play at the same time, and do not get in each other's way."""
    meeting = _Meeting()

    async def one() -> TestedGame:
        try:
            return await patient.play("two-games", meeting)
        finally:
            meeting.is_held.set()  # the other one waits no longer

    both = await asyncio.gather(one(), one())
    for played in both:
        played.must_be_faultless()
    first, second = ([list(answer.actions) for answer in played.talk.answers()] for played in both)
    return f"plays the same from the same seed: {'yes' if first == second else 'no'}"


@final
class _Meeting(Tampering):
    """No game begins before both bots are there."""

    def __init__(self) -> None:
        self.is_held: Final = asyncio.Event()
        self._there = 0

    async def up(self, request: PlayRequest) -> AsyncIterator[PlayRequest]:
        """The hello of the first one with that of the second one."""
        if request.HasField("hello"):
            self._there += 1
            if self._there == 2:
                self.is_held.set()
            await self.is_held.wait()
        yield request

"""Checks of one whole game: connection, play and exit."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final, final

from vinci.v1.bot_pb2 import PlayRequest

from ..local.local_match import MEGABYTE
from .bot_under_test import BotUnderTest, TestedBot, TestedGame
from .relay import Tampering
from .results import Fault, NotApplicable


async def handshake(bot: BotUnderTest) -> str:
    """Check that the first message is a hello with the seat token, in time."""
    played = await bot.whole_game()
    talk, forfeit = played.talk, played.forfeit
    if talk.hello is None:
        start = f"{forfeit.text}; " if forfeit else ""
        raise Fault(f"{start}it has to open BotService.Play at VINCI_ADDRESS and say hello")
    if not any(hello.seat_tokens for hello in talk.hellos()):
        raise Fault("its hello has no seat_tokens: it has to send the one that VINCI_SEAT_TOKEN holds")
    if not talk.is_seated():
        raise Fault(f"the server did not want it: {talk.ends[0]}" if talk.ends else "it went before it had its seat")
    return f"hello after {talk.hello:.1f} s"


async def game(bot: TestedBot) -> str:
    """Check that all answers are legal and in time, to the end of the game."""
    played = await bot.whole_game()
    played.must_be_faultless()
    thought = played.use.thought
    return f"{len(thought)} decisions, the longest took {max(thought, default=0) / 1000:.3f} s"


async def pings(bot: BotUnderTest) -> str:
    """Check that the bot answers pings, so that network delay does not count as thinking time."""
    sent, answered = (await bot.whole_game()).talk.pings()
    if not sent:
        raise Fault("it was not connected")
    if not answered or answered < sent - 1:  # the last one may have come too late
        raise Fault(f"it answered {answered} of {sent} pings: send a pong with the same stamp at once")
    return f"{answered} of {sent}"


async def leaving(bot: BotUnderTest) -> str:
    """Check that the process exits with status 0 soon after its game."""
    played = await bot.whole_game()
    status = played.use.status
    if status is None:
        raise Fault(f"it still ran {bot.limits.end:g} s after its game")
    if status != 0:
        raise Fault(f"it ended with status {status}" if status > 0 else f"it was killed by signal {-status}")
    return "status 0"


async def children(bot: BotUnderTest) -> str:
    """Check that no child process is left behind."""
    use = (await bot.whole_game()).use
    if use.status is None:
        raise NotApplicable("it did not end by itself, and was killed with all that it had started")
    if use.left:
        raise Fault(f"it ended and left these running: {', '.join(use.left)}")
    return "none left"


async def memory(bot: BotUnderTest) -> str:
    """Check the memory limit."""
    played = await bot.whole_game()
    if played.forfeit and played.forfeit.reason == "memory":
        raise Fault(played.forfeit.text)
    return f"{played.use.memory // MEGABYTE} MB, {played.use.cpu:.1f} s of CPU"


async def two_games(bot: BotUnderTest) -> str:
    """Check that two processes of the bot can play at the same time."""
    meeting = _Meeting()

    async def one() -> TestedGame:
        try:
            return await bot.play("two-games", meeting)
        finally:
            meeting.is_held.set()  # the other one waits no longer

    both = await asyncio.gather(one(), one())
    for played in both:
        played.must_be_faultless()
    first, second = ([list(answer.actions) for answer in played.talk.answers()] for played in both)
    return f"plays the same from the same seed: {'yes' if first == second else 'no'}"


@final
class _Meeting(Tampering):
    """Hold both games until both bots are connected."""

    def __init__(self) -> None:
        self.is_held: Final = asyncio.Event()
        self._there = 0

    async def up(self, request: PlayRequest) -> AsyncIterator[PlayRequest]:
        if request.HasField("hello"):
            self._there += 1
            if self._there == 2:
                self.is_held.set()
            await self.is_held.wait()
        yield request

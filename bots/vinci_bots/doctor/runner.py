"""Run checks, several at a time, and yield each result as soon as it is known."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Sequence
from typing import Final

from .bot_under_test import BotUnderTest, TestedBot
from .checks import WHOLE_GAME
from .results import Check, CheckResult, Fault, NotApplicable

AT_ONCE: Final = 1 + (os.cpu_count() or 1)
"""Number of games at a time; bots wait for the server more than they compute."""


async def examine(bot: BotUnderTest, checks: Sequence[Check]) -> AsyncIterator[CheckResult]:
    """Run checks; skip the rest if the bot answers nothing in a whole game."""
    for check in checks:
        if check in WHOLE_GAME:
            yield await tried(bot, check)
    rest = [check for check in checks if check not in WHOLE_GAME]
    if len(rest) < len(checks) and not (await bot.whole_game()).talk.answers():
        for check in rest:
            yield CheckResult(
                check,
                "skip",
                f"not tried: it answered nothing in a whole game; see to that first ({WHOLE_GAME[0].docs})",
            )
        return
    async for result in several(bot, rest, AT_ONCE):
        yield result


async def several(bot: TestedBot, checks: Sequence[Check], at_once: int) -> AsyncIterator[CheckResult]:
    """Run checks, so many at a time, and yield each result as soon as it is known."""
    places = asyncio.Semaphore(at_once)

    async def placed(check: Check) -> CheckResult:
        async with places:
            return await tried(bot, check)

    trying = [asyncio.create_task(placed(check)) for check in checks]
    try:
        for finding in asyncio.as_completed(trying):
            yield await finding
    finally:
        for task in trying:
            task.cancel()
        await asyncio.gather(*trying, return_exceptions=True)


async def tried(bot: TestedBot, check: Check) -> CheckResult:
    """Run a check and return its result."""
    began = time.monotonic()
    try:
        seen = await check.examine(bot)
    except NotApplicable as moot:
        return CheckResult(check, "skip", str(moot), time.monotonic() - began)
    except Fault as fault:
        return CheckResult(check, "FAIL", str(fault), time.monotonic() - began, *bot.written(check))
    return CheckResult(check, "ok", seen, time.monotonic() - began)

"""Run checks, several at a time, and yield each result as soon as it is known."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Sequence
from typing import Final

from .bot_under_test import BotUnderTest
from .checks import WHOLE_GAME
from .results import Check, CheckResult, Fault, NotApplicable

AT_ONCE: Final = 1 + (os.cpu_count() or 1)
"""Number of games at a time; bots wait for the server more than they compute."""


async def examine(bot: BotUnderTest, checks: Sequence[Check]) -> AsyncIterator[CheckResult]:
    """Run checks; skip the rest if the bot answers nothing in a whole game."""
    for check in checks:
        if check in WHOLE_GAME:
            yield await _tried(bot, check)
    rest = [check for check in checks if check not in WHOLE_GAME]
    if len(rest) < len(checks) and not (await bot.whole_game()).talk.answers():
        for check in rest:
            yield CheckResult(
                check,
                "skip",
                f"not tried: it answered nothing in a whole game; see to that first ({WHOLE_GAME[0].docs})",
            )
        return
    places = asyncio.Semaphore(AT_ONCE)

    async def tried(check: Check) -> CheckResult:
        async with places:
            return await _tried(bot, check)

    trying = [asyncio.create_task(tried(check)) for check in rest]
    try:
        for finding in asyncio.as_completed(trying):
            yield await finding
    finally:
        for task in trying:
            task.cancel()
        await asyncio.gather(*trying, return_exceptions=True)


async def _tried(bot: BotUnderTest, check: Check) -> CheckResult:
    began = time.monotonic()
    try:
        seen = await check.examine(bot)
    except NotApplicable as moot:
        return CheckResult(check, "skip", str(moot), time.monotonic() - began)
    except Fault as fault:
        return CheckResult(check, "FAIL", str(fault), time.monotonic() - began, *bot.written(check))
    return CheckResult(check, "ok", seen, time.monotonic() - began)

"""Run checks, several at a time, and yield each result as soon as it is known."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Sequence
from typing import Final

from .checks import REMOTE_CHECKS
from .results import Check, CheckResult, Fault, NotApplicable
from .tested_bot import TestedBot

AT_ONCE: Final = 1 + (os.cpu_count() or 1)
"""Number of games at a time; bots wait for the server more than they compute."""


async def examine(bot: TestedBot, checks: Sequence[Check]) -> AsyncIterator[CheckResult]:
    """Run checks; skip the rest if a remote bot does not connect, or the bot answers nothing in a whole game."""
    first, rest, missing = [check for check in checks if check.stage == "first"], list(checks), ""
    if bot.is_remote and REMOTE_CHECKS[0] not in first:
        first.insert(0, REMOTE_CHECKS[0])
    for check in first:
        result = await _tried(bot, check)
        if check in rest:
            rest.remove(check)
            yield result
        elif result.verdict != "ok":
            yield result
        if check is REMOTE_CHECKS[0] and result.verdict != "ok":
            missing = "it did not connect"
            break
    if first and not missing and not all(check.moot for check in rest) and not await _answers(bot):
        missing = "it answered nothing in a whole game"
    if missing:
        for check in rest:
            yield CheckResult(check, "skip", f"not tried: {missing}; see to that first ({first[0].docs})")
        return
    places = asyncio.Semaphore(min(AT_ONCE, max(bot.offered, 1)) if bot.is_remote else AT_ONCE)

    async def placed(check: Check) -> CheckResult:
        async with places:
            return await _tried(bot, check)

    trying = [asyncio.create_task(placed(check)) for check in rest if not check.stage]
    try:
        for finding in asyncio.as_completed(trying):
            yield await finding
    finally:
        for task in trying:
            task.cancel()
        await asyncio.gather(*trying, return_exceptions=True)
    for check in rest:
        if check.stage:
            yield await _tried(bot, check)


async def _answers(bot: TestedBot) -> bool:
    """Return whether the bot answered anything in a whole game."""
    try:
        return bool((await bot.whole_game()).talk.answers())
    except Fault:
        return False


async def _tried(bot: TestedBot, check: Check) -> CheckResult:
    """Run a check and return its result."""
    began = time.monotonic()
    try:
        if check.moot:
            raise NotApplicable(check.moot)
        seen = await check.examine(bot)
    except NotApplicable as moot:
        return CheckResult(check, "skip", str(moot), time.monotonic() - began)
    except Fault as fault:
        return CheckResult(check, "FAIL", str(fault), time.monotonic() - began, *bot.written(check))
    return CheckResult(check, "ok", seen, time.monotonic() - began)

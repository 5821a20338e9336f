"""An examination: checks one after the other and beside each other, and what came of each as soon as it is known."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Sequence
from typing import Final

from .bot_under_test import BotUnderTest
from .checks import WHOLE_GAME
from .results import Check, CheckResult, Fault, NotApplicable

AT_ONCE: Final = 1 + (os.cpu_count() or 1)
"""Games that are played beside each other: bots wait for a server more than they think."""


async def examine(patient: BotUnderTest, checks: Sequence[Check]) -> AsyncIterator[CheckResult]:
    """Try all of these. A bot that plays nothing in a whole game is not tried any further."""
    for check in checks:
        if check in WHOLE_GAME:
            yield await _tried(patient, check)
    rest = [check for check in checks if check not in WHOLE_GAME]
    if len(rest) < len(checks) and not (await patient.whole_game()).talk.answers():
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
            return await _tried(patient, check)

    trying = [asyncio.create_task(tried(check)) for check in rest]
    try:
        for finding in asyncio.as_completed(trying):
            yield await finding
    finally:
        for task in trying:
            task.cancel()
        await asyncio.gather(*trying, return_exceptions=True)


async def _tried(patient: BotUnderTest, check: Check) -> CheckResult:
    began = time.monotonic()
    try:
        told = await check.examine(patient)
    except NotApplicable as moot:
        return CheckResult(check, "skip", str(moot), time.monotonic() - began)
    except Fault as fault:
        return CheckResult(check, "FAIL", str(fault), time.monotonic() - began, *patient.written(check))
    return CheckResult(check, "ok", told, time.monotonic() - began)

"""Run the checks of a remote bot and yield each result as soon as it is known."""

from collections.abc import AsyncIterator, Sequence

from ..results import Check, CheckResult, Fault
from ..runner import AT_ONCE, several, tried
from .checks import FIRST, NOT_MADE, SHARED
from .remote_bot import RemoteBot


async def examine(bot: RemoteBot, checks: Sequence[Check]) -> AsyncIterator[CheckResult]:
    """Wait for the bot and run checks; skip the rest if it does not connect or answers nothing in a whole game."""
    handshake = FIRST[0]
    arrived = await tried(bot, handshake)
    is_there = arrived.verdict == "ok"
    if handshake in checks or not is_there:
        yield arrived
    rest = [check for check in checks if check is not handshake]
    for check in [check for check in rest if check in FIRST and is_there]:
        yield await tried(bot, check)
        rest.remove(check)
    if any(check not in NOT_MADE for check in rest) and not (is_there and await _answers(bot)):
        missing = "it answered nothing in a whole game" if is_there else "it did not connect"
        for check in rest:
            yield CheckResult(check, "skip", f"not tried: {missing}; see to that first ({handshake.docs})")
        return
    shared = [check for check in rest if check in SHARED]
    async for result in several(bot, shared, min(AT_ONCE, max(bot.offered, 1))):
        yield result
    for check in [check for check in rest if check not in SHARED]:
        yield await tried(bot, check)


async def _answers(bot: RemoteBot) -> bool:
    """Return whether the bot answered anything in a whole game."""
    try:
        return bool((await bot.whole_game()).talk.answers())
    except Fault:
        return False

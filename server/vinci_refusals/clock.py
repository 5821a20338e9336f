"""Clocks as people type them, read by the server and by terminals."""

import re
from typing import Final, NamedTuple

from .wording import Refused

MOST_SECONDS: Final = 30 * 24 * 3600
"""Longest time on a clock."""
LONGEST_TEXT: Final = 40
_SECONDS: Final = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600}
_DURATION: Final = r"\s*(\d+)\s*(s|m|min|h|)\s*"
_CLOCK: Final = re.compile(rf"{_DURATION}(\+{_DURATION})?", re.ASCII | re.IGNORECASE)


class Clock(NamedTuple):
    """Seconds for each decision, or for all decisions with an increment for each turn; all zero for no clock."""

    decision: int = 0
    bank: int = 0
    increment: int = 0


def read(text: str) -> Clock:
    """Return the clock in a text such as `30`, `10m + 15s` or `600+15`; an empty text is no clock. Raises Refused."""
    if not text.strip():
        return Clock()
    found = _CLOCK.fullmatch(text) if len(text) <= LONGEST_TEXT else None
    if found is None:
        raise Refused("BAD_TIMING", "CLOCK", text=text[:LONGEST_TEXT])
    first, unit, plus, second, other = found.groups()
    seconds, more = int(first) * _SECONDS[unit.lower()], int(second or 0) * _SECONDS[(other or "").lower()]
    if max(seconds, more) > MOST_SECONDS:
        raise Refused("BAD_TIMING", "LONG", seconds=max(seconds, more), most=MOST_SECONDS)
    if not seconds:
        raise Refused("BAD_TIMING", "NO_BANK" if more else "ZERO")
    return Clock(bank=seconds, increment=more) if plus else Clock(decision=seconds)


def written(clock: Clock) -> str:
    """Return the shortest text that `read` reads as this clock; empty for no clock."""
    if clock.decision:
        return _duration(clock.decision)
    return f"{_duration(clock.bank)}+{_duration(clock.increment)}" if clock.bank else ""


def _duration(seconds: int) -> str:
    size, unit = next((size, unit) for size, unit in ((3600, "h"), (60, "m"), (1, "s")) if seconds % size == 0)
    return f"{seconds // size}{unit}" if seconds else "0s"

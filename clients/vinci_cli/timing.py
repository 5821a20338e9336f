"""How time is kept in a match: read from the command line, and told."""

import re
from typing import Final

from vinci.v1 import lobby_pb2

from .failed import Misused
from .words import amount

POLICIES: Final = {
    "default": lobby_pb2.TIMEOUT_POLICY_DEFAULT_ACTION,
    "substitute": lobby_pb2.TIMEOUT_POLICY_SUBSTITUTE,
    "forfeit": lobby_pb2.TIMEOUT_POLICY_FORFEIT,
}
WHEN_UP: Final = {
    lobby_pb2.TIMEOUT_POLICY_DEFAULT_ACTION: "the default action is played",
    lobby_pb2.TIMEOUT_POLICY_SUBSTITUTE: "a substitute plays on",
    lobby_pb2.TIMEOUT_POLICY_FORFEIT: "the seat leaves the game",
}
MOST_SECONDS: Final = 30 * 24 * 3600
"""More than that no server takes."""
SECONDS: Final = {"": 1, "s": 1, "m": 60, "h": 3600}


def timing(clock: str, on_timeout: str, absence: int | None, substitute: str) -> lobby_pb2.Timing:
    """How time is kept, from `30`, `10m+15s` or `600+15` and what else was typed. Raises Misused."""
    if on_timeout and not clock:
        raise Misused("--on-timeout says what happens when a clock is up: add --clock, as in --clock 30")
    found = lobby_pb2.Timing(absence_seconds=absence or 0, substitute=substitute)
    if clock:
        first, plus, second = clock.partition("+")
        if plus:
            found.bank_seconds, found.increment_seconds = _seconds(first, clock), _seconds(second, clock)
        else:
            found.decision_seconds = _seconds(first, clock)
        if not found.bank_seconds + found.decision_seconds:
            raise Misused(f"--clock {clock}: a clock needs a second at least; without --clock there is none")
        found.on_timeout = POLICIES[on_timeout or "default"]
    return found


def _seconds(text: str, clock: str) -> int:
    parts = re.fullmatch(r"(\d{1,7})([smh]?)", text.strip())
    if parts is None:
        raise Misused(
            f"--clock {clock!r} is no clock; 30 is 30 seconds a decision, "
            "10m+15s (or 600+15) ten minutes and 15 seconds more with each turn, all of them at most a month"
        )
    seconds = int(parts[1]) * SECONDS[parts[2]]
    if seconds > MOST_SECONDS:
        raise Misused(f"--clock {clock}: at most {MOST_SECONDS} seconds, which is a month")
    return seconds


def in_words(timing: lobby_pb2.Timing) -> list[str]:
    """How time is kept, a sentence for each thing that is not as usual."""
    found = []
    up = f"when it is up, {WHEN_UP.get(timing.on_timeout, 'the server acts')}."
    if timing.decision_seconds:
        found.append(f"Clock: {duration(timing.decision_seconds)} for each decision; {up}")
    elif timing.bank_seconds:
        more = f", and {duration(timing.increment_seconds)} more with each turn" if timing.increment_seconds else ""
        found.append(f"Clock: {duration(timing.bank_seconds)} for all decisions{more}; {up}")
    if timing.absence_seconds:
        found.append(f"A substitute plays for whoever is gone for {duration(timing.absence_seconds)}.")
    if timing.substitute:
        found.append(f"The substitute is {timing.substitute}, if it is connected.")
    return found


def duration(seconds: int) -> str:
    """Seconds in words, such as 10 minutes or 1 minute 30 seconds."""
    parts = []
    for size, name in ((3600, "hour"), (60, "minute"), (1, "second")):
        number, seconds = divmod(seconds, size)
        if number:
            parts.append(amount(number, name))
    return " ".join(parts) or "0 seconds"


def clock_face(seconds: float) -> str:
    """Seconds as a clock shows them: 0:07, 12:30, 1:02:03."""
    whole = max(int(seconds), 0)
    minutes = f"{whole // 60 % 60:02}" if whole >= 3600 else f"{whole // 60}"
    hours = f"{whole // 3600}:" if whole >= 3600 else ""
    return f"{hours}{minutes}:{whole % 60:02}"

"""How time is kept in a match: read from the command line, and told."""

import re
from typing import Final

from vinci.v1 import lobby_pb2

from ..exceptions import Misused
from .i18n import _, plural

POLICIES: Final = {
    "default": lobby_pb2.TIMEOUT_POLICY_DEFAULT_ACTION,
    "substitute": lobby_pb2.TIMEOUT_POLICY_SUBSTITUTE,
    "forfeit": lobby_pb2.TIMEOUT_POLICY_FORFEIT,
}
MOST_SECONDS: Final = 30 * 24 * 3600
"""More than that no server takes."""
SECONDS: Final = {"": 1, "s": 1, "m": 60, "h": 3600}


def timing(clock: str, on_timeout: str, absence: int | None, substitute: str) -> lobby_pb2.Timing:
    """How time is kept, from `30`, `10m+15s` or `600+15` and what else was typed. Raises Misused."""
    if on_timeout and not clock:
        raise Misused(_("--on-timeout says what happens when a clock is up: add --clock, as in --clock 30"))
    found = lobby_pb2.Timing(absence_seconds=absence or 0, substitute=substitute)
    if clock:
        first, plus, second = clock.partition("+")
        if plus:
            found.bank_seconds, found.increment_seconds = _seconds(first, clock), _seconds(second, clock)
        else:
            found.decision_seconds = _seconds(first, clock)
        if not found.bank_seconds + found.decision_seconds:
            told = _("--clock {clock}: a clock needs a second at least; without --clock there is none")
            raise Misused(told.format(clock=clock))
        found.on_timeout = POLICIES[on_timeout or "default"]
    return found


def _seconds(text: str, clock: str) -> int:
    parts = re.fullmatch(r"(\d{1,7})([smh]?)", text.strip())
    if parts is None:
        told = _(
            "--clock {clock!r} is no clock; 30 is 30 seconds a decision, "
            "10m+15s (or 600+15) ten minutes and 15 seconds more with each turn, all of them at most a month"
        )
        raise Misused(told.format(clock=clock))
    seconds = int(parts[1]) * SECONDS[parts[2]]
    if seconds > MOST_SECONDS:
        told = _("--clock {clock}: at most {most} seconds, which is a month")
        raise Misused(told.format(clock=clock, most=MOST_SECONDS))
    return seconds


def in_words(timing: lobby_pb2.Timing) -> list[str]:
    """How time is kept, a sentence for each thing that is not as usual."""
    found = []
    up = _when_up(timing.on_timeout)
    if timing.decision_seconds:
        told = _("Clock: {duration} for each decision; {when_up}.")
        found.append(told.format(duration=duration(timing.decision_seconds), when_up=up))
    elif timing.bank_seconds and timing.increment_seconds:
        told = _("Clock: {duration} for all decisions, and {increment} more with each turn; {when_up}.")
        increment = duration(timing.increment_seconds)
        found.append(told.format(duration=duration(timing.bank_seconds), increment=increment, when_up=up))
    elif timing.bank_seconds:
        told = _("Clock: {duration} for all decisions; {when_up}.")
        found.append(told.format(duration=duration(timing.bank_seconds), when_up=up))
    if timing.absence_seconds:
        told = _("A substitute plays for whoever is gone for {duration}.")
        found.append(told.format(duration=duration(timing.absence_seconds)))
    if timing.substitute:
        found.append(_("The substitute is {name}, if it is connected.").format(name=timing.substitute))
    return found


def _when_up(policy: lobby_pb2.TimeoutPolicy.ValueType) -> str:
    match policy:
        case lobby_pb2.TIMEOUT_POLICY_DEFAULT_ACTION:
            return _("when it is up, the default action is played")
        case lobby_pb2.TIMEOUT_POLICY_SUBSTITUTE:
            return _("when it is up, a substitute plays on")
        case lobby_pb2.TIMEOUT_POLICY_FORFEIT:
            return _("when it is up, the seat leaves the game")
    return _("when it is up, the server acts")


def duration(seconds: int) -> str:
    """Seconds in words, such as 10 minutes or 1 minute 30 seconds."""
    hours, rest = divmod(seconds, 3600)
    minutes, left = divmod(rest, 60)
    parts = [plural("{n} hour", "{n} hours", hours)] if hours else []
    parts += [plural("{n} minute", "{n} minutes", minutes)] if minutes else []
    parts += [plural("{n} second", "{n} seconds", left)] if left or not parts else []
    return " ".join(parts)


def clock_face(seconds: float) -> str:
    """Seconds as a clock shows them: 0:07, 12:30, 1:02:03."""
    whole = max(int(seconds), 0)
    minutes = f"{whole // 60 % 60:02}" if whole >= 3600 else f"{whole // 60}"
    hours = f"{whole // 3600}:" if whole >= 3600 else ""
    return f"{hours}{minutes}:{whole % 60:02}"

"""Clocks of a match, and the tries of its bots: read from the command line, and described."""

from typing import Final

from vinci.v1 import lobby_pb2
from vinci_refusals.clock import read as seconds_of
from vinci_refusals.wording import Refused

from ..exceptions import Misused
from . import refusals
from .i18n import N_, _, plural

POLICIES: Final = {
    "default": lobby_pb2.TIMEOUT_POLICY_DEFAULT_ACTION,
    "substitute": lobby_pb2.TIMEOUT_POLICY_SUBSTITUTE,
    "forfeit": lobby_pb2.TIMEOUT_POLICY_FORFEIT,
}
TIME_IS_UP: Final = {
    lobby_pb2.TIMEOUT_POLICY_DEFAULT_ACTION: N_("when it is up, the default action is played"),
    lobby_pb2.TIMEOUT_POLICY_SUBSTITUTE: N_("when it is up, a substitute plays on"),
    lobby_pb2.TIMEOUT_POLICY_FORFEIT: N_("when it is up, the seat leaves the game"),
}
TRIES_ARE_UP: Final = {
    lobby_pb2.TIMEOUT_POLICY_DEFAULT_ACTION: N_("the default action is played"),
    lobby_pb2.TIMEOUT_POLICY_SUBSTITUTE: N_("a substitute plays on"),
    lobby_pb2.TIMEOUT_POLICY_FORFEIT: N_("the seat leaves the game"),
}
TRIES: Final = 3
"""Default number of answers to one decision that may be refused."""


def timing(clock: str, on_timeout: str, absence: int | None, substitute: str) -> lobby_pb2.Timing:
    """Read a clock as typed, such as `30` or `10m+15s`, and the other options about time. Raises Misused."""
    try:
        decision, bank, increment = seconds_of(clock)
    except Refused as error:
        raise Misused(f"--clock: {refusals.sentence(error)}") from None
    has_clock = bool(decision or bank)
    if on_timeout and not has_clock:
        raise Misused(_("--on-timeout says what happens when a clock is up: add --clock, as in --clock 30"))
    return lobby_pb2.Timing(
        decision_seconds=decision,
        bank_seconds=bank,
        increment_seconds=increment,
        on_timeout=POLICIES[on_timeout or "default"] if has_clock else lobby_pb2.TIMEOUT_POLICY_UNSPECIFIED,
        absence_seconds=absence or 0,
        substitute=substitute,
    )


def mistakes(tries: int | None, on_refused: str) -> lobby_pb2.Mistakes:
    """Return the tries of bots and what happens after the last one, as typed or by default."""
    return lobby_pb2.Mistakes(tries=tries or TRIES, after=POLICIES[on_refused or "default"])


def in_words(timing: lobby_pb2.Timing) -> list[str]:
    """Describe how time is kept, in a sentence for each thing that is not the default."""
    lines = []
    up = _(TIME_IS_UP.get(timing.on_timeout, N_("when it is up, the server acts")))
    if timing.decision_seconds:
        text = _("Clock: {duration} for each decision; {when_up}.")
        lines.append(text.format(duration=duration(timing.decision_seconds), when_up=up))
    elif timing.bank_seconds and timing.increment_seconds:
        text = _("Clock: {duration} for all decisions, and {increment} more with each turn; {when_up}.")
        increment = duration(timing.increment_seconds)
        lines.append(text.format(duration=duration(timing.bank_seconds), increment=increment, when_up=up))
    elif timing.bank_seconds:
        text = _("Clock: {duration} for all decisions; {when_up}.")
        lines.append(text.format(duration=duration(timing.bank_seconds), when_up=up))
    if timing.absence_seconds:
        text = _("A substitute plays for whoever is gone for {duration}.")
        lines.append(text.format(duration=duration(timing.absence_seconds)))
    if timing.substitute:
        lines.append(_("The substitute is {name}, if it is connected.").format(name=timing.substitute))
    return lines


def mistakes_in_words(chosen: lobby_pb2.Mistakes) -> list[str]:
    """Describe the tries of bots in a sentence, if they are not the default."""
    if not chosen.tries or chosen == mistakes(None, ""):
        return []
    text = plural(
        "If {n} answer of a bot to a decision is refused, {then}.",
        "If {n} answers of a bot to a decision are refused, {then}.",
        chosen.tries,
        then=_(TRIES_ARE_UP.get(chosen.after, N_("the server acts"))),
    )
    return [text]


def duration(seconds: int) -> str:
    """Describe seconds, such as 10 minutes or 1 minute 30 seconds."""
    hours, rest = divmod(seconds, 3600)
    minutes, left = divmod(rest, 60)
    parts = [plural("{n} hour", "{n} hours", hours)] if hours else []
    parts += [plural("{n} minute", "{n} minutes", minutes)] if minutes else []
    parts += [plural("{n} second", "{n} seconds", left)] if left or not parts else []
    return " ".join(parts)


def clock_face(seconds: float) -> str:
    """Format seconds as a clock shows them: 0:07, 12:30, 1:02:03."""
    whole = max(int(seconds), 0)
    minutes = f"{whole // 60 % 60:02}" if whole >= 3600 else f"{whole // 60}"
    hours = f"{whole // 3600}:" if whole >= 3600 else ""
    return f"{hours}{minutes}:{whole % 60:02}"

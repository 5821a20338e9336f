"""What the doctor checks, and what it finds."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from .bot_under_test import BotUnderTest

DOCS: Final = "docs/doctor.md"
"""Where the authors of bots read more."""

Verdict: TypeAlias = Literal["ok", "FAIL", "skip"]
Examine: TypeAlias = Callable[["BotUnderTest"], Awaitable[str]]
"""Tries something; says in words what was seen. Raises Fault or NotApplicable."""


class Fault(Exception):
    """A bot does not do what it has to; the text says what it did instead."""


class NotApplicable(Exception):
    """There is nothing to be found out; the text says why."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that a bot has to be able to do: its name, what it proves, and how it is tried.

    `section` is the one of DOCS that tells more, `log` the name of the log of its game, if that is another one. One
    that is `slow` takes half a minute with any bot, and is tried only when it is asked for.
    """

    name: str
    proves: str
    examine: Examine
    section: str
    log: str = ""
    slow: bool = False

    @property
    def docs(self) -> str:
        """Where more is told."""
        return f"{DOCS}#{self.section}"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Result of a check: its verdict, the reason in words, and its duration in seconds.

    After a fault also the log of what the bot wrote, if it wrote anything, and the first and last lines in it.
    """

    check: Check
    verdict: Verdict
    told: str
    seconds: float = 0.0
    log: Path | None = None
    said: tuple[str, ...] = ()

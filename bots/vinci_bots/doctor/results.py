"""Checks and their results."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

DOCS: Final = "docs/doctor.md"
"""Page about the checks."""

Verdict: TypeAlias = Literal["ok", "FAIL", "skip"]
Examine: TypeAlias = Callable[[Any], Awaitable[str]]
"""Runs a check on a bot and returns what it saw, in words. Raises Fault or NotApplicable."""


class Fault(Exception):
    """Wrong behaviour of a bot; the text says what it did."""


class NotApplicable(Exception):
    """Check that cannot be made; the text says why."""


@dataclass(frozen=True, slots=True)
class Check:
    """Check of one ability of a bot: its name, what it proves, and the function that runs it.

    `section` is the section of DOCS about it, `log` the name of the log of its game if not that of the check. A `slow`
    check takes half a minute with any bot and runs only on request. Checks that are `first` or `last` run one after the
    other; those between run several at a time. `moot` is the reason why a check cannot be made, if there is one.
    """

    name: str
    proves: str
    examine: Examine
    section: str
    log: str = ""
    slow: bool = False
    stage: Literal["first", "", "last"] = ""
    moot: str = ""

    @property
    def docs(self) -> str:
        """Link to the section about the check."""
        return f"{DOCS}#{self.section}"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Result of a check: its verdict, the reason in words, and its duration in seconds.

    After a fault also the log of the bot's output, if there is any, and its first and last lines.
    """

    check: Check
    verdict: Verdict
    text: str
    seconds: float = 0.0
    log: Path | None = None
    output: tuple[str, ...] = ()

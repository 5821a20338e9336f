"""Answers to typed commands and previews, which each client shows in its own way, and the parser of numbers."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias, final

from vinci.v1 import game_pb2

LARGEST: Final = 2**31 - 1


def number(digits: str) -> int:
    """Parse digits; values too large for an int32 are clamped, and the server rejects them."""
    return int(digits) if len(digits) < len(str(LARGEST)) else LARGEST


@dataclass(frozen=True, slots=True)
class CommandAnswer:
    """A sentence, such as a refusal; an empty text shows nothing."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class ShowLine:
    """A line that is not to be broken, so that it can be copied."""

    line: str


@dataclass(frozen=True, slots=True)
class ShowPart:
    """A part of the table, `board`, `scores`, `market`, `legal` or `clock`, or the `help`."""

    part: str


@dataclass(frozen=True, slots=True)
class ShowRule:
    """A rule or a trait; without a name the rule behind the latest entry of the log."""

    name: str


@dataclass(frozen=True, slots=True)
class Thinking:
    """The server begins to search for an answer, or has ended."""

    active: bool


@dataclass(frozen=True, slots=True)
class Suggested:
    """An action that the server suggests, the revision that it is for, and sentences: the action, then its reasons."""

    action: game_pb2.Action
    revision: int
    sentences: Sequence[str]


@dataclass(frozen=True, slots=True)
class Chosen:
    """Actions are about to be sent; a client that does not want them now raises Refused."""

    actions: Sequence[game_pb2.Action]


@dataclass(frozen=True, slots=True)
class Acted:
    """The position was changed up to a revision. Clients take this once that revision is shown."""

    revision: int


@dataclass(frozen=True, slots=True)
class Leave:
    """There is nothing more to do at this table, or the people want to leave it."""


@final
@dataclass(slots=True)
class Preview:
    """The effect of an action.

    Attributes:
        action: its notation; empty if it is refused.
        cost: its cost item by item. events: what would happen.
        worth: VP that the own empires would score before and afterwards.
        parts: the connected parts of the own empire afterwards, if it would have several; all but one are cut off.
        held: how many of how many provinces could be held at the end of the turn, if not all.
        refusal: why it is not legal; None if it is.
    """

    action: str
    cost: list[game_pb2.CostItem] = field(default_factory=list)
    events: list[game_pb2.Event] = field(default_factory=list)
    worth: tuple[int, int] = (0, 0)
    parts: list[list[str]] = field(default_factory=list)
    held: tuple[int, int] | None = None
    refusal: game_pb2.Refusal | None = None


Answer: TypeAlias = CommandAnswer | ShowLine | ShowPart | ShowRule | Thinking | Suggested | Chosen | Acted | Leave
Emit: TypeAlias = Callable[[Answer], Awaitable[None]]
"""A client in which commands are typed: takes their answers one after another."""

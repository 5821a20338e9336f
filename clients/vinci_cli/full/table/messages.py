"""Events that change the interface at the table, and effects that follow from them (see `update`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Literal, TypeAlias

from vinci.v1 import game_pb2

from ...game.typed import Answer, Preview


@dataclass(frozen=True, slots=True)
class Key:
    """A key was pressed."""

    key: str


@dataclass(frozen=True, slots=True)
class Click:
    """A click target was clicked; empty for none."""

    target: str


@dataclass(frozen=True, slots=True)
class Wheel:
    """The wheel was turned over a click target: down (positive) or up."""

    target: str
    lines: int


@dataclass(frozen=True, slots=True)
class Typed:
    """A command was typed."""

    line: str


@dataclass(frozen=True, slots=True)
class MyMove:
    """A seat of this terminal is to act; `is_new` unless it acted last, too."""

    is_new: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """An update of the game is shown."""

    update: game_pb2.Update


@dataclass(frozen=True, slots=True)
class Previewed:
    """The answer to a `LookAhead`."""

    preview: Preview


@dataclass(frozen=True, slots=True)
class LookAt:
    """The tutorial opens a tab and selects a province; empty for what is open or selected."""

    tab: str
    province: str


class Signal(Enum):
    """Events without data."""

    ARRIVED = auto()
    """Something came from the server: an update that waits, chat, clocks, a change of the match."""
    DISCONNECTED = auto()
    HOLD_DUE = auto()
    """All before the key that ends the conquests is done."""


Event: TypeAlias = Key | Click | Wheel | Typed | MyMove | Shown | Previewed | LookAt | Signal | Answer


@dataclass(frozen=True, slots=True)
class Act:
    """Play actions in the turn that is shown when they are chosen."""

    actions: Sequence[game_pb2.Action]


@dataclass(frozen=True, slots=True)
class Command:
    """Carry out a typed line; `seat` was to act when it was typed, None where that does not matter."""

    line: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Then:
    """Send an event."""

    event: Signal


@dataclass(frozen=True, slots=True)
class LookAhead:
    """Ask the server for a preview instead of the one asked for before; for None ask nothing."""

    action: game_pb2.Action | None


@dataclass(frozen=True, slots=True)
class Suggest:
    """Ask the server for an action in the position after all effects before; later ones do not wait for the answer."""


@dataclass(frozen=True, slots=True)
class Tell:
    """Add a sentence to the log."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class SetPace:
    """Show each thing that others do for this many seconds."""

    seconds: float


class Request(Enum):
    """Effects without data."""

    TYPE_COMMAND = auto()
    TYPE_TALK = auto()
    SKIP = auto()
    """Show at once all that waits."""
    LOOK_FURTHER = auto()
    """Ask the server what each civilization could take and score."""
    PICTURE = auto()
    """Show the board as an image."""
    BELL = auto()
    LEAVE = auto()


Queued: TypeAlias = Act | Command | Then | Literal[Request.PICTURE]
"""Effects that wait until those before them are done."""

Asked: TypeAlias = Queued | LookAhead | Suggest | Literal[Request.LOOK_FURTHER]
"""Effects that take a while."""

Effect: TypeAlias = Asked | Tell | SetPace | Request

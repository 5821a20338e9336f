"""Entries into the lobby, and its results."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias, final

from vinci.v1 import lobby_pb2
from vinci_client.access import OPEN, Access
from vinci_client.session import Session

from ...connection.saved_seats import SavedSeat


@final
@dataclass(frozen=True, slots=True)
class ToMenu:
    """Start at the menu."""


class ToServers(NamedTuple):
    """Start at the servers on the network; `access` is tried at the server that is chosen.

    `only` is the filter of its matches. `goes_in` enters the only server unasked if it has a running match.
    """

    access: Access = OPEN
    only: str = "all"
    goes_in: bool = False


class ToMatches(NamedTuple):
    """Start at the matches of a server. With an invitation, which is shown to others, no other servers are offered."""

    address: str
    access: Access = OPEN
    invitation: str = ""


Entry: TypeAlias = ToMenu | ToServers | ToMatches


class ToTable(NamedTuple):
    """Play these seats; `invitation` is the command with which others join, empty if nobody can."""

    session: Session
    seat: SavedSeat
    invitation: str = ""


class ToSpectating(NamedTuple):
    """Watch a running match, or look back at one that is over."""

    session: Session
    match: lobby_pb2.Match


class ToReplay(NamedTuple):
    """Replay a recorded game."""

    path: Path


@final
@dataclass(frozen=True, slots=True)
class ToTutorial:
    """Start the tutorial."""


@final
@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the lobby."""


Result: TypeAlias = ToTable | ToSpectating | ToReplay | ToTutorial | Leave

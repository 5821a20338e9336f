"""Where somebody comes into the lobby, and what comes out of it."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, final

from vinci.v1 import lobby_pb2
from vinci_client.access import OPEN, Access
from vinci_client.session import Session

from ...connection.saved_seats import SavedSeat


@final
@dataclass(frozen=True, slots=True)
class ToMenu:
    """Come in at the menu: everything there is."""


@final
@dataclass(frozen=True, slots=True)
class ToServers:
    """Come in at the servers on the network, with what is known to open the one that will be chosen."""

    access: Access = OPEN


@final
@dataclass(frozen=True, slots=True)
class ToMatches:
    """Come in at the matches of a server. With an invitation, which others are shown, there are no other servers."""

    address: str
    access: Access = OPEN
    invitation: str = ""


Entry: TypeAlias = ToMenu | ToServers | ToMatches


@final
@dataclass(frozen=True, slots=True)
class ToTable:
    """Play these seats; `invitation` is what others type who are to join, empty where nobody can."""

    session: Session
    seat: SavedSeat
    invitation: str = ""


@final
@dataclass(frozen=True, slots=True)
class ToSpectating:
    """Look on at a match that runs, or back at one that is over."""

    session: Session
    match: lobby_pb2.Match


@final
@dataclass(frozen=True, slots=True)
class ToReplay:
    """See a recorded game again."""

    path: Path


@final
@dataclass(frozen=True, slots=True)
class ToTutorial:
    """Learn the game."""


@final
@dataclass(frozen=True, slots=True)
class Leave:
    """Nothing more."""


Result: TypeAlias = ToTable | ToSpectating | ToReplay | ToTutorial | Leave

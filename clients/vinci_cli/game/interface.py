"""The interface of a match to its user, full screen or lines."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from vinci.v1 import lobby_pb2
from vinci_client.session import Session

from ..text.names import Catalogue
from .client_match import Ending


@dataclass(frozen=True, slots=True)
class SeatedMatch:
    """A match with the seats of the people at this terminal and their tokens; without seats they are spectators.

    `invitation` is the command with which other terminals join the server, empty if none can; `own_name` is the name
    of a spectator. `from_revision` is the first one to show, the latest if it is None.
    """

    session: Session
    match: lobby_pb2.Match
    names: Catalogue
    seats: dict[int, str]
    invitation: str = ""
    own_name: str = ""
    from_revision: int | None = None


class UserInterface(Protocol):
    """The interface of the people at one terminal."""

    def tell(self, text: str) -> None:
        """Show a sentence, at the latest when the interface is closed."""

    async def agrees(self, question: str) -> bool:
        """Ask a question and return whether the answer is yes; Enter and the end of input count as yes."""

    async def name(self, reason: str, usual: str) -> str:
        """Ask for the name of somebody who sits down, giving the reason; the usual one if nothing is typed."""

    async def play(self, table: SeatedMatch) -> Ending:
        """Play, or watch, until the game ends or the people leave. Seats that are lost are taken out of the table."""

    async def wants_rematch(self, table: SeatedMatch, record: Path | None, verdict: str, *, possible: bool) -> bool:
        """Show a game that ended, with its record if there is one; returns whether another game is wanted.

        `verdict` is the result of the check of its seed; empty if there is none.
        """

"""The interface that typed commands use of their client, and the parser of numbers."""

from collections.abc import Sequence
from typing import Final, Protocol

from vinci.v1 import game_pb2

LARGEST: Final = 2**31 - 1


def number(digits: str) -> int:
    """Parse digits; values too large for an int32 are clamped, and the server rejects them."""
    return int(digits) if len(digits) < len(str(LARGEST)) else LARGEST


class CommandHost(Protocol):
    """A client in which commands are typed."""

    def say(self, text: str, style: str = "") -> None:
        """Show a sentence; an empty text shows nothing."""

    def show_line(self, line: str) -> None:
        """Show a line that is not to be broken."""

    def show(self, part: str) -> None:
        """Show a part of the table: `board`, `scores`, `market`, `legal` or `clock`."""

    def show_help(self) -> None:
        """Show what can be typed or pressed."""

    def show_rule(self, name: str) -> None:
        """Show a rule or a trait by its name."""

    def show_thinking(self, *, active: bool) -> None:
        """Show that the server is searching for an answer, or no more."""

    def leave(self) -> None:
        """Leave the table."""

    async def until_shown(self, revision: int) -> None:
        """Wait until a revision is shown."""

    def objection(self, actions: Sequence[game_pb2.Action]) -> str:
        """Return why actions are not to be played now, though they may be legal; empty if they are."""

"""What somebody does who comes by ssh."""

from typing import Final, final

from vinci.v1 import lobby_pb2
from vinci_client.access import Access
from vinci_client.session import Session

from ..full.block import Block, Depth, fitted, framed
from ..full.stage import Stage


async def visit(address: str, access: Access, name: str) -> None:
    """Show the matches of the server, until that is left."""
    async with Session(address, access) as session, Stage() as stage:
        listed = await session.call(session.lobby.ListMatches, lobby_pb2.ListMatchesRequest())
        await stage.show(_Matches(stage, name, [match.match_id for match in listed.matches]))


@final
class _Matches:
    """The matches of a server."""

    refresh_seconds: float = 0

    def __init__(self, stage: Stage, name: str, matches: list[str]) -> None:
        self._stage: Final = stage
        self._name: Final = name
        self._matches: Final = matches

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """A line each."""
        return fitted(framed(Block([[("", one)] for one in self._matches]), self._name, columns, rows), columns, rows)

    def press(self, key: str) -> None:
        """Leave."""
        if key in ("q", "c-c", "escape"):
            self._stage.leave()

    def click(self, target: str) -> None:
        """Nothing."""

    def scroll(self, target: str, lines: int) -> None:
        """Nothing."""

"""A terminal in full screen as the face of a match: the table, and the pages before and after it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, final

from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client.session import Session

from .. import faces, report
from ..language import _
from ..line import Ending
from ..story import story
from .game import Game
from .map import Art
from .question import Question
from .replay import Replay
from .replay_page import ReplayPage
from .stage import Stage
from .summary_page import SummaryPage
from .table_page import TablePage


@asynccontextmanager
async def opened() -> AsyncIterator["FullFace"]:
    """A full screen on this terminal, as long as it is entered."""
    async with Stage() as stage:
        yield FullFace(stage)


@final
class FullFace:
    """Pages on a stage.

    Attributes:
        told: sentences for the time when the full screen is gone.
    """

    def __init__(self, stage: Stage) -> None:
        self.stage: Final = stage
        self.told: Final[list[str]] = []

    def tell(self, text: str) -> None:
        """Keep a sentence until the full screen is gone."""
        self.told.append(text)

    async def agrees(self, question: str) -> bool:
        """Ask in a box."""
        return bool(await self.stage.show(Question(self.stage, question, [("y", _("yes")), ("n", _("no"))])) == "y")

    async def play(self, table: faces.Table) -> Ending:
        """The table, until it is left."""
        page = TablePage(
            self.stage,
            table.session,
            Game(table.names, await board_map(table.session, table.match), table.match, table.seats),
            invitation=table.invitation,
            own_name=table.own_name,
        )
        return await page.play(table.from_revision)

    async def wants_rematch(self, table: faces.Table, record: Path | None, *, possible: bool) -> bool:
        """The summary of the game, until it is left for another game or for good; it can be seen again, and saved."""
        match_id = table.match.match_id
        match = await table.session.get(match_id)
        updates = [
            response.update
            async for response in table.session.watch(
                match_id, from_revision=0, detail=match_pb2.WatchRequest(state=True)
            )
            if response.HasField("update")
        ]
        times = await table.session.times(match_id)
        drawn = await board_map(table.session, match)
        request = lobby_pb2.GetBoardRequest(name=match.board)
        board = (await table.session.call(table.session.lobby.GetBoard, request)).board

        def save() -> str:
            assert record is not None
            path = record.with_suffix(".html")
            try:
                report.save(path, updates, match, table.names, board, drawn, times, match.create_time)
            except OSError as error:
                return _("{path} cannot be written: {error}").format(path=path, error=error.strerror or error)
            return _("Saved: {path}").format(path=path)

        page = SummaryPage(
            self.stage,
            story(updates, times),
            table.names,
            save if record is not None else None,
            can_replay=True,
            can_rematch=possible,
        )
        while (chosen := await self.stage.show(page)) == "replay":
            replay = Replay(updates, match, table.names, drawn)
            await self.stage.show(ReplayPage(self.stage, replay, Art(drawn, table.names)))
        return bool(chosen == "rematch")


async def board_map(session: Session, match: lobby_pb2.Match) -> game_pb2.BoardMap:
    """How the board of a match is drawn."""
    request = lobby_pb2.GetBoardMapRequest(name=match.board)
    return (await session.call(session.lobby.GetBoardMap, request)).map

"""A game that was played, or as much of it as there is: everything that is needed to see it again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client.session import Session

from ..line.client import catalogue_of
from ..text.names import Catalogue


@final
@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game from a record or from a server.

    Attributes:
        updates: all of them, the first with the position before the first action.
        board: the board. board_map: how it is drawn. names: names for codes and seats.
        match: what the lobby says of it.
        times: how long decisions took; none if that is not known.
        played_at: when it began, in seconds since 1970; None if that is not known.
        fault: why there is no more of it, where there should be; empty otherwise.
    """

    updates: Sequence[game_pb2.Update]
    board: game_pb2.Board
    board_map: game_pb2.BoardMap
    names: Catalogue
    match: lobby_pb2.Match
    times: Sequence[match_pb2.DecisionTime] = ()
    played_at: float | None = None
    fault: str = ""


async def board_map(session: Session, match: lobby_pb2.Match) -> game_pb2.BoardMap:
    """How the board of a match is drawn."""
    request = lobby_pb2.GetBoardMapRequest(name=match.board)
    return (await session.call(session.lobby.GetBoardMap, request)).map


async def fetch(session: Session, match_id: str) -> PlayedGame:
    """A match of a server, as far as it has come. Raises ServerRefused."""
    match = await session.get(match_id)
    board = await session.call(session.lobby.GetBoard, lobby_pb2.GetBoardRequest(name=match.board))
    updates = []
    async for response in session.watch(match_id, from_revision=0, detail=match_pb2.WatchRequest(state=True)):
        if response.HasField("update"):
            updates.append(response.update)
            if response.update.revision >= match.revision:
                break
    return PlayedGame(
        updates,
        board.board,
        await board_map(session, match),
        await catalogue_of(session, match),
        match,
        await session.times(match_id),
        match.create_time or None,
    )

"""Requests for what a client needs in order to show a match."""

from typing import Final

from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client.incoming import bad_answer
from vinci_client.session import Session

from ..text.names import Catalogue
from ..text.tables import TERRAINS
from .replay import PlayedGame

RECENT: Final = 80
"""Updates that are fetched of a game that is continued: more than a round."""


async def catalogue_of(session: Session, match: lobby_pb2.Match) -> Catalogue:
    """Return names for everything in a match. Raises ServerRefused (BAD_ANSWER) for an unknown terrain."""
    board = await session.call(session.lobby.GetBoard, lobby_pb2.GetBoardRequest(name=match.board))
    traits = await session.call(session.lobby.ListTraits, lobby_pb2.ListTraitsRequest())
    for province in board.board.provinces:
        if province.terrain not in TERRAINS:
            known = ", ".join(TERRAINS)
            raise bad_answer("TERRAIN", province.terrain, province=province.code, known=known)
    names = Catalogue(board.board, traits)
    names.seat_players(match)
    return names


async def board_map(session: Session, match: lobby_pb2.Match) -> game_pb2.BoardMap:
    """Return the shape of the board of a match."""
    request = lobby_pb2.GetBoardMapRequest(name=match.board)
    return (await session.call(session.lobby.GetBoardMap, request)).map


async def fetch(session: Session, match_id: str) -> PlayedGame:
    """Return a match of a server with all its updates so far. Raises ServerRefused."""
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


async def earlier(session: Session, match: lobby_pb2.Match) -> list[game_pb2.Update]:
    """Return the latest updates of a match before its present revision, at most RECENT. Raises ServerRefused."""
    first = max(match.revision - RECENT, 0)
    updates: list[game_pb2.Update] = []
    if first < match.revision:
        detail = match_pb2.WatchRequest(state=True)
        async for response in session.watch(match.match_id, from_revision=first, detail=detail):
            if response.HasField("update"):
                if response.update.revision >= match.revision:
                    break
                updates.append(response.update)
    return updates

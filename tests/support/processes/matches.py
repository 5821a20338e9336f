"""The matches of a server process."""

from vinci.v1 import lobby_pb2
from vinci_client.session import Session


async def only_match(session: Session) -> str:
    """Return the id of the only match of a server."""
    (match,) = (await session.call(session.lobby.ListMatches, lobby_pb2.ListMatchesRequest())).matches
    return match.match_id

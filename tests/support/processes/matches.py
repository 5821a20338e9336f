"""Look up the matches of a server."""

from vinci.v1 import lobby_pb2
from vinci_client.session import Session


async def only_match(session: Session) -> str:
    """The id of the one match of a server."""
    (match,) = (await session.call(session.lobby.ListMatches, lobby_pb2.ListMatchesRequest())).matches
    return match.match_id

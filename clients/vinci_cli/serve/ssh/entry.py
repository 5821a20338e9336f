"""What somebody does who comes by ssh: the lobby of this one server, its tables, and looking back at games."""

from vinci_client.access import Access

from ... import lobby_session
from ...full.lobby.lobby import ToMatches
from ...full.ui import opened


async def visit(address: str, access: Access, name: str, invitation: str) -> None:
    """From the lobby to a table and back, until the lobby is left. `invitation` is what others type who are to come."""
    async with opened(keeps_files=False) as face:
        await lobby_session.visit(face, ToMatches(address, access, invitation), [name])

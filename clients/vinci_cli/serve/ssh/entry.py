"""The visit of a person over SSH: the lobby of one server, its tables, and replays."""

from vinci_client.access import Access

from ... import lobby_session
from ...full.lobby.lobby import ToMatches
from ...full.ui import opened


async def visit(address: str, access: Access, name: str, invitation: str) -> None:
    """Show lobby and tables until the lobby is left. `invitation` is the command with which others join."""
    async with opened(keeps_files=False) as ui:
        await lobby_session.visit(ui, ToMatches(address, access, invitation), [name])

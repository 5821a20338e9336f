"""What somebody does who comes by ssh: the lobby of this one server, its tables, and looking back at games."""

from vinci_client.access import Access

from .. import visiting
from ..full.face import opened
from ..full.lobby import Matches


async def visit(address: str, access: Access, name: str, invitation: str) -> None:
    """From the lobby to a table and back, until the lobby is left. `invitation` is what others type who are to come."""
    async with opened(keeps_files=False) as face:
        await visiting.visit(face, Matches(address, access, invitation), [name])

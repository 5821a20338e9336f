"""What somebody does who comes by ssh: the lobby of this one server, its tables, and looking back at games."""

from dataclasses import replace

from vinci_client.access import Access
from vinci_client.session import Session

from .. import recorded, saved, sitting
from ..full.face import FullFace, opened
from ..full.lobby import LookOn, Matches, Replay, Sit
from ..full.lobby_flow import lobby
from ..full.looking_back import look_back
from ..saved import SavedSeat


async def visit(address: str, access: Access, name: str, invitation: str) -> None:
    """From the lobby to a table and back, until the lobby is left. `invitation` is what others type who are to come."""
    entry = Matches(address, access, invitation)
    async with opened() as face:
        while True:
            async with lobby(face.stage, entry, [name]) as result:
                match result:
                    case Sit(session, seat):
                        await _sit(face, session, seat, invitation)
                    case LookOn(session, match):
                        await sitting.look_on(face, session, match, None, own_name=name)
                    case Replay(path):
                        await look_back(face.stage, recorded.load(path), path.with_suffix(".html"), summary=False)
                    case _:
                        return


async def _sit(face: FullFace, session: Session, seat: SavedSeat, invitation: str) -> None:
    """Play seats, and the rematches after it."""
    following: SavedSeat | None = replace(seat, access=session.access)
    while following is not None:
        saved.save(following)
        following = await sitting.sit(face, session, following, saved.home(), "", invitation)

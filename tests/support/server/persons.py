"""Devices of persons, and matches in which they sit."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from tests.support.server.in_process import EASY, HUMAN, LAST_TURN, Table, create, join
from vinci.v1 import lobby_pb2, person_pb2
from vinci_client.session import Session
from vinci_server.match.seats import tokens
from vinci_server.match.seats.tokens import ADMIN_FILE

ANN, BOB, PHONE = (tokens.digest(name)[:32] for name in ("ann", "bob", "phone"))
"""Keys."""
THREE: Final = (HUMAN, HUMAN, HUMAN)


class Device:
    """A session with a key."""

    def __init__(self, session: Session, key: str) -> None:
        self.session: Final = session
        self.key: Final = key

    async def ask(self, method: Any, request: Any) -> Any:
        """Return the answer to a call with the key."""
        return await method(request, metadata=(("vinci-person", self.key),))

    async def update(self, name: str = "", hidden: bool | None = None) -> person_pb2.Person:
        """Bind, rename or hide."""
        request = person_pb2.UpdatePersonRequest(name=name, hidden=hidden)
        person: person_pb2.Person = (await self.ask(self.session.person.UpdatePerson, request)).person
        return person

    async def get(self) -> str:
        """Return the name of the person; empty for none."""
        name: str = (await self.ask(self.session.person.GetPerson, person_pb2.GetPersonRequest())).person.name
        return name

    async def resume(self, match_id: str = "") -> Sequence[person_pb2.ResumedSeat]:
        """Return the seats."""
        request = person_pb2.ResumeSeatsRequest(match_id=match_id)
        seats: Sequence[person_pb2.ResumedSeat] = (await self.ask(self.session.person.ResumeSeats, request)).seats
        return seats

    async def join(self, match_id: str, **fields: Any) -> lobby_pb2.JoinMatchResponse:
        """Join a match."""
        request = lobby_pb2.JoinMatchRequest(match_id=match_id, **fields)
        answer: lobby_pb2.JoinMatchResponse = await self.ask(self.session.lobby.JoinMatch, request)
        return answer

    async def matches(self, **fields: Any) -> lobby_pb2.ListMatchesResponse:
        """List matches."""
        request = lobby_pb2.ListMatchesRequest(**fields)
        answer: lobby_pb2.ListMatchesResponse = await self.ask(self.session.lobby.ListMatches, request)
        return answer

    async def link(self) -> str:
        """Return the code of a link."""
        request = person_pb2.OfferDeviceLinkRequest()
        code: str = (await self.ask(self.session.person.OfferDeviceLink, request)).code
        return code

    async def use(self, code: str) -> str:
        """Use a link; return the name of the person."""
        request = person_pb2.UseDeviceLinkRequest(code=code)
        name: str = (await self.ask(self.session.person.UseDeviceLink, request)).person.name
        return name

    async def forget(self) -> None:
        """Forget the person."""
        await self.ask(self.session.person.ForgetPerson, person_pb2.ForgetPersonRequest())


async def admin(session: Session, database: Path, request: Any) -> Any:
    """Make a call as the admin."""
    token = (database.parent / ADMIN_FILE).read_text(encoding="ascii").strip()
    method = getattr(session.admin, type(request).__name__.removesuffix("Request"))
    return await session.call(method, request, token)


async def started(*devices: Device, position: str = EASY) -> lobby_pb2.Match:
    """Start a match in which these devices have the first seats, and a guest the others."""
    session = devices[0].session
    match = (await create(session, *THREE, position=position, start_when_full=True)).match
    for device in devices:
        await device.join(match.match_id, player=f"name {device.key[:4]}")
    for _ in range(3 - len(devices)):
        await join(session, match.match_id)
    return match


async def finished(*devices: Device) -> lobby_pb2.Match:
    """Play a match in which these devices have the first seats to its end."""
    match = await started(*devices, position=LAST_TURN)
    for seat, device in enumerate(devices, start=1):
        token = (await device.resume(match.match_id))[0].seat_token
        await Table(device.session, match.match_id, "", (token,)).act(1, f"forfeit {seat}", request_id=token)
    now = await devices[0].session.get(match.match_id)
    assert now.status == lobby_pb2.MATCH_STATUS_OVER
    return now

"""The gRPC service of persons: their names, devices and seats."""

from contextlib import suppress
from typing import Final, final

from vinci.v1 import person_pb2 as pb

from ...errors import ServiceError
from ...lobby import PAGE_SIZE, Lobby
from ...match.match import Match
from ...match.seats import seating
from ...match.seats.names import check_name
from ...storage.persons import Person
from ..handlers import Context
from ..persons import LINK_SECONDS, Caller, Persons
from .lobby_service import UNFINISHED


@final
class PersonService:
    """Serves the calls of persons. Every one needs a key."""

    def __init__(self, lobby: Lobby, persons: Persons) -> None:
        self._lobby: Final = lobby
        self._persons: Final = persons

    async def get_person(self, _request: pb.GetPersonRequest, context: Context) -> pb.GetPersonResponse:
        """Return the person of the key, if it belongs to one."""
        person = await self._persons.get(context)
        return pb.GetPersonResponse(person=None if person is None else _message(person))

    async def update_person(self, request: pb.UpdatePersonRequest, context: Context) -> pb.UpdatePersonResponse:
        """Bind a name to the key, or change the person."""
        is_hidden = request.hidden if request.HasField("hidden") else None
        person = await self._persons.update(context, check_name(request.name), is_hidden=is_hidden)
        return pb.UpdatePersonResponse(person=_message(person))

    async def forget_person(self, _request: pb.ForgetPersonRequest, context: Context) -> pb.ForgetPersonResponse:
        """Remove the person, its keys, and its name in all matches."""
        caller = await self._persons.required(context)
        await self._persons.reassign(self._lobby, caller.person.person_id)
        return pb.ForgetPersonResponse()

    async def offer_device_link(
        self, _request: pb.OfferDeviceLinkRequest, context: Context
    ) -> pb.OfferDeviceLinkResponse:
        """Create a code with which another device becomes one of the person."""
        return pb.OfferDeviceLinkResponse(code=await self._persons.offer_link(context), seconds=LINK_SECONDS)

    async def use_device_link(self, request: pb.UseDeviceLinkRequest, context: Context) -> pb.UseDeviceLinkResponse:
        """Let the key be one of the person that a code stands for."""
        return pb.UseDeviceLinkResponse(person=_message(await self._persons.use_link(context, request.code)))

    async def resume_seats(self, request: pb.ResumeSeatsRequest, context: Context) -> pb.ResumeSeatsResponse:
        """Return tokens for seats of the person."""
        caller = await self._persons.required(context)
        if request.match_id:
            match = await self._lobby.get(request.match_id)
            self._lobby.check_lasts(match)
            return pb.ResumeSeatsResponse(seats=await _resumed(match, caller))
        response = pb.ResumeSeatsResponse()
        for entry, seat_number in await self._persons.own(caller.person, UNFINISHED, PAGE_SIZE):
            with suppress(ServiceError):  # it cannot be read, which is logged
                if seat_number:
                    response.seats.extend(await _resumed(await self._lobby.get(entry.match_id), caller))
        del response.seats[PAGE_SIZE:]
        return response


async def _resumed(match: Match, caller: Caller) -> list[pb.ResumedSeat]:
    """Return the seats of a person in a match and their tokens."""
    resumed = []
    for seat in match.ledger.seats_of_person(caller.person.person_id):
        token = await seating.resume(match, seat, caller.identity)
        turn = match.ledger.is_turn(seat)
        resumed.append(pb.ResumedSeat(match=match.message(), seat=seat + 1, seat_token=token, your_turn=turn))
    return resumed


def _message(person: Person) -> pb.Person:
    return pb.Person(
        name=person.name, hidden=bool(person.is_hidden), create_time=int(person.created), devices=person.keys
    )

"""Being there: the streams over which the people at one terminal hear what happens at their table."""

import asyncio
from contextlib import ExitStack
from typing import Final, Protocol, final

from vinci.v1 import match_pb2
from vinci_client.errors import ServerRefused
from vinci_client.session import Session

from ..connection import nonces

LOST: Final = ("TOKEN_CHANGED", "BAD_TOKEN")
"""Reasons that tell that a seat is no longer this terminal's."""


class StreamListener(Protocol):
    """Somebody who is told what happens, and knows from where on."""

    def take(self, response: match_pb2.WatchResponse) -> None:
        """Something happened."""

    def lose(self, seat: int) -> None:
        """A seat is no longer played here."""

    def tell_connection(self, connected: bool) -> None:
        """The connection was lost, or is back."""

    def next_revision(self) -> int | None:
        """The first revision that it has not heard of; None if it has heard of none."""

    def heard(self) -> int:
        """The number of the last line of the chat that it heard."""


@final
class MatchStream:
    """Attends a match with the seats of one terminal and their tokens; without any it looks on.

    Seats that are lost are taken out of `seats`.
    """

    def __init__(self, session: Session, match_id: str, seats: dict[int, str], listener: StreamListener) -> None:
        self._session: Final = session
        self._match_id: Final = match_id
        self._seats: Final = seats
        self._listener: Final = listener

    async def attend(self, from_revision: int | None = None) -> bool:
        """Tell what happens until the match is over, or all seats are lost; whether it is over. Raises ServerRefused.

        The first seat listens; when it is lost, the next one goes on. The others are just there.
        """
        with ExitStack() as stack:
            for seat in list(self._seats)[1:]:
                stack.callback(asyncio.create_task(self._be_there(seat)).cancel)
            while True:
                seat = next(iter(self._seats), 0)
                try:
                    await self._listen(seat, from_revision)
                except ServerRefused as error:
                    if not seat or error.reason not in LOST:
                        raise
                    self._lose(seat)
                else:
                    return True
                if not self._seats:
                    return False
                from_revision = self._listener.next_revision()

    async def _listen(self, seat: int, from_revision: int | None) -> None:
        stream = self._session.watch(
            self._match_id,
            self._seats.get(seat, ""),
            from_revision=from_revision,
            detail=match_pb2.WatchRequest(state=True, legal=True, chat_after=self._listener.heard()),
            on_connection=self._listener.tell_connection,
        )
        async for response in stream:
            if response.HasField("match"):
                await nonces.send_due(self._session, response.match, self._seats)
            self._listener.take(response)

    async def _be_there(self, seat: int) -> None:
        try:
            async for _ in self._session.watch(self._match_id, self._seats[seat]):
                pass
        except ServerRefused as error:
            if error.reason in LOST:
                self._lose(seat)

    def _lose(self, seat: int) -> None:
        if self._seats.pop(seat, None) is not None:
            self._listener.lose(seat)

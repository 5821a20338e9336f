"""The streams over which the seats of one terminal follow their match."""

import asyncio
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final, Protocol, final

from vinci.v1 import match_pb2
from vinci_client.errors import ServerRefused
from vinci_client.session import Session

from ..connection import nonces
from .client_match import ClientMatch

LOST: Final = ("TOKEN_CHANGED", "BAD_TOKEN")
"""Reasons of refusals that mean that a seat no longer belongs to this terminal."""


class StreamListener(Protocol):
    """Receiver of what comes over the streams."""

    def take(self, response: match_pb2.WatchResponse) -> None:
        """Take a message of the server."""

    def lose(self, seat: int) -> None:
        """Note that a seat, already taken out of the seats, is no longer played here."""

    def tell_connection(self, connected: bool) -> None:
        """Note that the connection was lost, or is back."""


@final
@dataclass(frozen=True, slots=True)
class MatchStream:
    """Follows a match with the seats of one terminal and their tokens; without seats, as a spectator.

    Seats that are lost are taken out of `seats`. `known` is the model that says from where to continue; without one,
    every stream starts at the latest revision.
    """

    _session: Session
    _match_id: str
    _seats: dict[int, str]
    _listener: StreamListener
    _known: ClientMatch | None = None

    async def attend(self, from_revision: int | None = None) -> bool:
        """Pass on messages until the match is over (True) or all seats are lost (False). Raises ServerRefused.

        The first seat receives the messages, and the next one when it is lost. The others only hold their connection.
        """
        with ExitStack() as stack:
            for seat in list(self._seats)[1:]:
                stack.callback(asyncio.create_task(self._hold_connection(seat)).cancel)
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
                from_revision = None if self._known is None else self._known.next_revision()

    async def _listen(self, seat: int, from_revision: int | None) -> None:
        chat_after = 0 if self._known is None else self._known.last_chat()
        stream = self._session.watch(
            self._match_id,
            self._seats.get(seat, ""),
            from_revision=from_revision,
            detail=match_pb2.WatchRequest(state=True, legal=True, chat_after=chat_after),
            on_connection=self._listener.tell_connection,
        )
        async for response in stream:
            if response.HasField("match"):
                await nonces.send_due(self._session, response.match, self._seats)
            self._listener.take(response)

    async def _hold_connection(self, seat: int) -> None:
        try:
            async for _ in self._session.watch(self._match_id, self._seats[seat]):
                pass
        except ServerRefused as error:
            if error.reason in LOST:
                self._lose(seat)

    def _lose(self, seat: int) -> None:
        if self._seats.pop(seat, None) is not None:
            self._listener.lose(seat)

"""Playback of what the server sends: one update after another, at a pace that people can follow."""

import asyncio
import math
from collections.abc import Callable
from contextlib import suppress
from typing import Final, final

from vinci.v1 import game_pb2, match_pb2
from vinci_client.session import Session

from ...game.client_match import ClientMatch
from ...game.stream import MatchStream
from ...game.typed import Leave
from ...text.i18n import _
from .messages import Event, MyMove, Shown, Signal


@final
class Playback:
    """Follows a match and shows its updates; `dispatch` takes an event for each change.

    Attributes:
        pace: seconds for which each thing that others do is shown.
    """

    def __init__(self, session: Session, game: ClientMatch, dispatch: Callable[[Event], None], pace: float) -> None:
        self.pace = pace
        self._game: Final = game
        self._dispatch: Final = dispatch
        self._stream: Final = MatchStream(session, game.match.match_id, game.seats, self, game)
        self._over = False
        self._news: Final = asyncio.Event()
        self._skip: Final = asyncio.Event()
        self._shown: Final = asyncio.Event()
        self._shown_at = -math.inf  # when an update of others was shown last, on the clock of the loop

    async def attend(self, from_revision: int | None) -> None:
        """Follow the match until it is over or all seats are lost. Raises ServerRefused."""
        self._over = await self._stream.attend(from_revision)
        self._news.set()
        self._dispatch(Signal.ARRIVED)

    async def show(self) -> None:
        """Show updates for ever."""
        while True:
            await self._news.wait()
            self._news.clear()
            self._skip.clear()
            while self._game.waiting:
                await self._show_next()

    async def _show_next(self) -> None:
        await self._pause()
        seat_before = self._game.seat
        is_first = self._game.revision < 0
        is_own = self._is_own(self._game.waiting[0])
        update = self._game.show_next()
        assert update is not None
        self._shown_at = -math.inf if is_first or is_own else asyncio.get_running_loop().time()
        if self._game.my_move():
            self._dispatch(MyMove(not is_own or self._game.seat != seat_before))
        self._dispatch(Shown(update))
        self._shown.set()  # wakes those who wait now; cleared at once, it is no answer for those who come later
        self._shown.clear()

    def _is_own(self, update: game_pb2.Update) -> bool:
        return update.seat in self._game.seats and update.by == "player"

    async def _pause(self) -> None:
        """Wait until the last update of others was shown long enough; own actions are not delayed."""
        left = self._shown_at + self.pace - asyncio.get_running_loop().time()
        if left > 0 and not self._is_own(self._game.waiting[0]):
            self._dispatch(Signal.ARRIVED)
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._skip.wait()

    def skip(self) -> None:
        """Show at once all that waits."""
        self._skip.set()

    async def until_shown(self, revision: int) -> None:
        """Wait until a revision is shown."""
        while self._game.revision < revision and not (self._over and not self._game.waiting):
            await self._shown.wait()

    # The listener of the stream.

    def take(self, response: match_pb2.WatchResponse) -> None:
        """Take a message of the server."""
        was_barred = self._game.is_barred()
        self._game.take(response)
        if was_barred and not self._game.is_barred() and self._game.my_move():
            self._dispatch(MyMove(True))
        self._news.set()
        self._dispatch(Signal.ARRIVED)

    def lose(self, seat: int) -> None:
        """A seat is no longer played here."""
        self._game.lose(seat)
        self._dispatch(Signal.ARRIVED if self._game.seats else Leave())

    def tell_connection(self, connected: bool) -> None:
        """The connection was lost, or is back."""
        self._game.connect(connected=connected)
        if not connected:
            self._dispatch(Signal.DISCONNECTED)
            return
        self._game.tell(_("Connected again."), style="class:hint")
        self._dispatch(MyMove(True) if self._game.my_move() else Signal.ARRIVED)

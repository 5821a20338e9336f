"""The line client: a game told in words and played by typing.

It knows no rules: what is legal, and what it costs, comes from the server.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final, final

from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client.errors import ServerGone, ServerRefused

from ..game.client_match import ClientMatch, Ending
from ..game.commands import Commands
from ..game.interface import SeatedMatch
from ..game.stream import MatchStream
from ..game.table_commands import BAD_LINE
from ..text.i18n import _
from ..text.manual import help_lines, rule_text, wrapped
from ..text.tables import WIDTH
from .screen import Screen
from .view import LineView

THINKING_SECONDS: Final = 0.3
"""Time after which the line client tells that the server is searching."""


@final
class LineClient:
    """The people at one terminal, at one seat or several; without a seat they are spectators."""

    def __init__(self, table: SeatedMatch, screen: Screen, *, is_terse: bool = False) -> None:
        session, match = table.session, table.match
        blank = lobby_pb2.Match(seats=[lobby_pb2.MatchSeat() for _ in match.seats])  # so that all is told at first
        self._game: Final = ClientMatch(table.names, game_pb2.BoardMap(), match, announced=blank)
        self._screen: Final = screen
        self._view: Final = LineView(self._game, screen, is_terse=is_terse)
        self._commands: Final = Commands(
            session, self._game, self, invitation=table.invitation, own_name=table.own_name
        )
        self._stream: Final = MatchStream(session, match.match_id, self._game.seats, self, self._game)
        self._changed: Final = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None
        self._thinking: asyncio.TimerHandle | None = None
        self._over = False
        self._leaving = False

    @property
    def seats(self) -> Mapping[int, str]:
        """The seats of this terminal with their tokens; a seat that was handed over is no longer among them."""
        return self._game.seats

    async def watch(self, from_revision: int | None = None) -> None:
        """Print what happens until the game is over. Raises ServerRefused."""
        if await self._stream.attend(from_revision):
            self._over = True
            self._changed.set()
            self._screen.interrupt()

    async def play(self, seats: Mapping[int, str], from_revision: int | None = None) -> Ending:
        """Play seats with their tokens, or watch without any, until the game ends or the people leave."""
        self._game.seats.update(seats)
        self._game.seat = next(iter(seats), 0)
        watching = self._watching = asyncio.create_task(self.watch(from_revision))
        watching.add_done_callback(lambda _: self._changed.set())
        try:
            while not self._over and not self._leaving and bool(self.seats) == bool(seats):
                if watching.done():
                    watching.result()
                if self._screen.always_asks or self._view.is_asked():
                    text = await self._screen.ask(self._view.prompt, self._view.toolbar, self._commands.candidates)
                    if text is None:
                        break
                    await self._run(text.strip())
                else:
                    self._changed.clear()
                    if not self._view.is_asked() and not self._over:
                        await self._changed.wait()
        finally:
            watching.cancel()
            self._view.stop()
        if self._over:
            return "ended" if self._game.match.ended else "over"
        return "left" if bool(self.seats) == bool(seats) else "lost"

    async def _run(self, text: str) -> None:
        """Carry out a typed line; what the server refuses is told, and so is that it cannot be reached."""
        try:
            if text:
                await self._commands.run(text)
        except (ServerRefused, ServerGone) as error:
            self._commands.actions.explain(error)
            if error.reason == BAD_LINE:
                self._screen.give_back(text)

    # Calls of MatchStream.

    def take(self, response: match_pb2.WatchResponse) -> None:
        """Print a message of the server."""
        self._view.take(response)
        self._changed.set()

    def lose(self, seat: int) -> None:
        """Tell that a seat is no longer played here."""
        self._game.lose(seat)
        self._view.print_log()
        self._changed.set()
        self._screen.interrupt()

    def tell_connection(self, connected: bool) -> None:
        """Tell that the connection was lost, or is back."""
        if not connected:
            self._game.clocks.stop()
            self._view.set_alarm()
        lost = _("The connection is lost; trying again. Nothing is lost.")
        self.say(_("Connected again.") if connected else lost)

    # Calls of Commands.

    def say(self, text: str, style: str = "") -> None:
        """Print a sentence."""
        self._view.say(text, style)

    def show_line(self, line: str) -> None:
        """Print a line without breaking it."""
        self._screen.show([line])

    def show(self, part: str) -> None:
        """Print a part of the table."""
        self._view.show(part)

    def show_help(self) -> None:
        """Print what can be typed."""
        self._screen.show(help_lines(is_spectator=not self.seats))

    def show_rule(self, name: str) -> None:
        """Print a rule or a trait."""
        self._screen.show(wrapped(rule_text(name), WIDTH))

    def show_thinking(self, *, active: bool) -> None:
        """Print that the server is searching, if that takes a while."""
        if self._thinking is not None:
            self._thinking.cancel()
        later = asyncio.get_running_loop().call_later
        self._thinking = later(THINKING_SECONDS, self.say, _("Thinking …")) if active else None

    def leave(self) -> None:
        """Leave the table before the next question."""
        self._leaving = True

    async def until_shown(self, revision: int) -> None:
        """Wait until a revision is printed, or the stream has ended."""
        while self._game.revision < revision and self._watching is not None and not self._watching.done():
            self._changed.clear()
            await self._changed.wait()

    def objection(self, _actions: Sequence[game_pb2.Action]) -> str:
        """Return nothing: every legal action can be played."""
        return ""

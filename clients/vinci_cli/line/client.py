"""The line client: a game told in words and played by typing.

It knows no rules: what is legal, and what it costs, comes from the server.
"""

import asyncio
from collections.abc import Mapping
from typing import Final, assert_never, final

from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_refusals.wording import Refused

from ..game import typed
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
            session, self._game, self._answer, invitation=table.invitation, own_name=table.own_name
        )
        self._stream: Final = MatchStream(session, match.match_id, self._game.seats, self, self._game)
        self._changed: Final = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None
        self._thinking: asyncio.TimerHandle | None = None
        self._over = False
        self._leaving = False
        self.refused = False
        """Whether the line that was typed last was refused."""

    @property
    def seats(self) -> Mapping[int, str]:
        """The seats of this terminal with their tokens; a seat that was handed over is no longer among them."""
        return self._game.seats

    @property
    def game(self) -> ClientMatch:
        """The game as it is shown."""
        return self._game

    @property
    def revision(self) -> int:
        """The revision that is shown."""
        return self._game.revision

    @property
    def is_asked(self) -> bool:
        """Whether there is something for the people here to decide."""
        return self._view.is_asked()

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
        self.refused = False
        try:
            if text:
                await self._commands.run(text)
        except Refused as error:
            revision = error.facts.get("revision", "")
            if error.reason == "STALE_REVISION" and revision.isdecimal():  # what has happened is told first
                await self._answer(typed.Acted(typed.number(revision)))
            await self._commands.actions.explain(error)
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
        self._view.say(_("Connected again.") if connected else lost)

    async def _answer(self, answer: typed.Answer) -> None:
        """Print the answer of a command; that of an action returns when its revision is printed or the stream ended."""
        match answer:
            case typed.CommandAnswer(text, style):
                self.refused |= style == "class:error"
                self._view.say(text, style)
            case typed.ShowLine(line):
                self._screen.show([line])
            case typed.ShowPart("help"):
                self._screen.show(help_lines(is_spectator=not self.seats))
            case typed.ShowPart(part):
                self._view.show(part)
            case typed.ShowRule(name):
                self._screen.show(wrapped(rule_text(name), WIDTH))
            case typed.Thinking(active):
                if self._thinking is not None:
                    self._thinking.cancel()
                later = asyncio.get_running_loop().call_later
                self._thinking = later(THINKING_SECONDS, self._view.say, _("Thinking …")) if active else None
            case typed.Suggested(sentences=sentences):
                for text in sentences:
                    self._view.say(text, "class:hint")
            case typed.Acted(revision):
                while self._game.revision < revision and self._watching is not None and not self._watching.done():
                    self._changed.clear()
                    await self._changed.wait()
            case typed.Leave():
                self._leaving = True
            case typed.Chosen():
                pass  # every legal action can be played
            case _:
                assert_never(answer)

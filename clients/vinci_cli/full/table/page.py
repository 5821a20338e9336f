"""The page at which a match is played or watched.

Keys, clicks, typed lines and news are events; `update` gives the next state and its effects, `action_queue` carries
these out, and `layout` draws the state.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol, final

from vinci.v1 import game_pb2
from vinci_client.session import Session

from ...game.client_match import ClientMatch, Ending
from ...game.commands import Commands
from ...game.loading import earlier
from ...text import events
from ...text.i18n import _
from ..map.map import Art
from ..toolkit.app import App
from ..toolkit.block import Block, Depth
from ..toolkit.dialog import Question
from . import layout
from .action_queue import ActionQueue
from .messages import (
    Click,
    CommandAnswer,
    Effect,
    Event,
    Key,
    MyMove,
    ShowLine,
    Shown,
    ShowPart,
    ShowRule,
    Signal,
    Thinking,
    Wheel,
)
from .playback import Playback
from .ui_state import UiState
from .update.reducer import Table, update


class TableOverlay(Protocol):
    """Something that accompanies the people at a table, as the tutorial does."""

    def take(self, update: game_pb2.Update) -> None:
        """An update is about to be shown."""

    def objection(self, actions: Sequence[game_pb2.Action]) -> str:
        """Why these actions are not to be played now; empty if they are."""

    def press(self, key: str) -> bool:
        """Take a key; whether the overlay used it."""

    def drawn_over(self, page: Block, ui: UiState) -> Block:
        """The page with the overlay on top."""


@final
class TablePage:
    """A match in full screen.

    `invitation` is the command with which other terminals join the server, if they can; `own_name` is that of a
    spectator.

    Attributes:
        overlay: accompanies the people here, None for nobody.
    """

    def __init__(
        self,
        app: App,
        session: Session,
        game: ClientMatch,
        *,
        invitation: str = "",
        own_name: str = "",
        ui: UiState | None = None,
    ) -> None:
        self.game: Final = game
        self.ui = ui or UiState()
        self.overlay: TableOverlay | None = None
        self._app: Final = app
        self._session: Final = session
        self._art: Final = Art(game.board_map, game.names)
        self._table: Final = Table(game, self._art, app.depth)
        self._playback: Final = Playback(session, game, self.dispatch, self.ui.pace)
        commands = Commands(session, game, self, invitation=invitation, own_name=own_name)
        self._queue: Final = ActionQueue(app, game, self._playback, commands, self._update)

    async def play(self, from_revision: int | None = None) -> Ending:
        """Show the table until the people leave, also after the end of the game, or until all seats are lost."""
        if from_revision is None and self.game.revision < 0:
            self.game.remember(await earlier(self._session, self.game.match))
            from_revision = self.game.next_revision()
        played = list(self.game.seats)
        tasks = [asyncio.create_task(work) for work in (self._playback.attend(from_revision), self._playback.show())]
        for task in tasks:
            task.add_done_callback(self._app.fail_with)
        try:
            await self._app.show(self)
        finally:
            self._queue.stop()
            for task in tasks:
                task.cancel()
        if self.game.is_over():
            return "ended" if self.game.match.ended else "over"
        if self.game.seats or not played:
            return "left"
        text = " ".join(events.seat_lost(seat) for seat in played)
        await self._app.show(Question(self._app, text, [("enter", _("go on"))]))
        return "lost"

    def dispatch(self, event: Event) -> None:
        """Take an event, and carry out what follows from it."""
        self._queue.dispatch(event)

    def _update(self, event: Event) -> Sequence[Effect]:
        if isinstance(event, Shown) and self.overlay is not None:
            self.overlay.take(event.update)
        self.ui, effects = update(self._table, self.ui, event)
        if isinstance(event, MyMove) and self.overlay is not None:  # which says itself what there is to know
            self.ui = replace(self.ui, notice=(), is_recap=False)
        return effects

    # Called by typed commands.

    def say(self, text: str, style: str = "") -> None:
        """Show an answer."""
        self.dispatch(CommandAnswer(text, style))

    def show_line(self, line: str) -> None:
        """Show a line of an answer."""
        self.dispatch(ShowLine(line))

    def show(self, part: str) -> None:
        """Open the tab of a part of the table."""
        self.dispatch(ShowPart(part))

    def show_help(self) -> None:
        """Explain what is selected, and the keys."""
        self.dispatch(Signal.HELP)

    def show_rule(self, name: str) -> None:
        """Explain a rule or a trait."""
        self.dispatch(ShowRule(name))

    def show_thinking(self, *, active: bool) -> None:
        """Show that the server is searching, or no more."""
        self.dispatch(Thinking(active))

    def leave(self) -> None:
        """Leave the table."""
        self.dispatch(Signal.FINISHED)

    async def until_shown(self, revision: int) -> None:
        """Wait until a revision is shown."""
        await self._playback.until_shown(revision)

    def objection(self, actions: Sequence[game_pb2.Action]) -> str:
        """Return why actions are not to be played now; empty if they are."""
        if self.game.waiting:
            return _("What others did is still being shown; space shows all of it at once.")
        return "" if self.overlay is None else self.overlay.objection(actions)

    # Called by the app.

    @property
    def refresh_seconds(self) -> float:
        """1 while a clock runs."""
        return 1.0 if self.game.clocks.running else 0.0

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """The whole screen."""
        if self.ui.size != (columns, rows):
            self.ui = replace(self.ui, size=(columns, rows))
        page = layout.draw(self.game, self.ui, self._art, columns, rows, depth)
        return page if self.overlay is None or self.ui.popup is not None else self.overlay.drawn_over(page, self.ui)

    def press(self, key: str) -> None:
        """Give a key to the overlay first."""
        is_used = self.ui.popup is None and self.overlay is not None and self.overlay.press(key)
        self.dispatch(Key("" if is_used else key))

    def click(self, target: str) -> None:
        """Take a click; a click on a key presses it."""
        kind, _space, key = target.partition(" ")
        if kind == "key":
            self.press(key)
        else:
            self.dispatch(Click(target))

    def scroll(self, target: str, lines: int) -> None:
        """Take the wheel."""
        self.dispatch(Wheel(target, lines))

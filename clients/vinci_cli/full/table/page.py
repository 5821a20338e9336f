"""The page at which a match is played or watched.

Keys, clicks, typed lines and news are events; `update` gives the next state and its effects, `runner` carries these
out, which gives further events, and `layout` draws the state.
"""

import asyncio
from dataclasses import replace
from typing import Final, Protocol, final

from vinci_client.session import Session

from ...game.client_match import ClientMatch, Ending
from ...game.loading import earlier
from ...text import events
from ...text.i18n import _
from ..map.map import Art
from ..toolkit.app import TITLE, App
from ..toolkit.block import Block, Depth
from ..toolkit.dialog import Question
from . import layout
from .messages import Click, Event, Key, MyMove, Wheel
from .panes.status import whose_move
from .playback import Playback
from .runner import EffectRunner
from .ui_state import UiState
from .update.reducer import Table, update


class TableOverlay(Protocol):
    """Something that accompanies the people at a table, as the tutorial does."""

    def take(self, event: Event) -> None:
        """Take an event before the table does. Raises Refused for actions that are not to be played now."""

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
        self._runner: Final = EffectRunner(
            app, session, game, self._playback, self.dispatch, invitation=invitation, own_name=own_name
        )

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
            for task in tasks:
                task.cancel()
            await self._runner.stop()
            self._app.title(TITLE)
        if self.game.is_over():
            return "ended" if self.game.match.ended else "over"
        if self.game.seats or not played:
            return "left"
        text = " ".join(events.seat_lost(seat) for seat in played)
        await self._app.show(Question(self._app, text, [("enter", _("go on"))]))
        return "lost"

    def dispatch(self, event: Event) -> None:
        """Take an event, and begin what follows from it. Raises Refused for actions that the overlay does not want."""
        if self.overlay is not None:
            self.overlay.take(event)
        self.ui, effects = update(self._table, self.ui, event)
        if isinstance(event, MyMove) and self.overlay is not None:  # which says itself what there is to know
            self.ui = replace(self.ui, notice=(), is_recap=False)
        for effect in effects:
            self._runner.run(effect)
        self._app.title(f"{TITLE}: {whose_move(self.game)}")
        self._app.redraw()

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

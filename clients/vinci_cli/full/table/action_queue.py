"""Doing things at a table: what goes to the server, in the background and one thing after another."""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, Final, final

from vinci.v1 import game_pb2
from vinci_client.errors import ServerGone, ServerRefused

from ...game.client_match import ClientMatch
from ...game.commands import GameCommands
from ..toolkit.app import App
from .ui_state import UiState


@final
class ActionQueue:
    """Does what the people at a table want; what the server refuses is told."""

    def __init__(self, app: App, game: ClientMatch, ui: UiState, deeds: GameCommands) -> None:
        self._app: Final = app
        self._game: Final = game
        self._ui: Final = ui
        self._deeds: Final = deeds
        self._lock: Final = asyncio.Lock()
        self._played: Sequence[game_pb2.Action] = ()
        self._doing: Final[set[asyncio.Task[None]]] = set()
        self._previewing: asyncio.Task[None] | None = None

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something as soon as all before it is done."""

        async def do() -> None:
            async with self._lock:
                try:
                    await work
                except (ServerRefused, ServerGone) as error:
                    self._deeds.explain(error)
            self._app.redraw()

        task = asyncio.create_task(do())
        self._doing.add(task)
        task.add_done_callback(self._doing.discard)
        task.add_done_callback(lambda _done: work.close())  # it may never have been begun
        task.add_done_callback(self._app.fail_with)

    def act(self, actions: Sequence[game_pb2.Action]) -> None:
        """Play actions in the turn that is shown now; a second Enter on the way is not meant for what comes next."""
        revision, turn = self._game.revision, self._game.turn()

        async def act() -> None:
            is_repeated = actions == self._played and revision < self._game.revision
            if turn != self._game.turn() or is_repeated:
                return
            self._played = actions
            await self._deeds.act(actions)
            if self._ui.tab == "market" and not self._game.my_move():
                self._ui.tab = "map"  # a civilization was taken, and others go on there

        self.start(act())

    def look_ahead(self, action: game_pb2.Action | None) -> None:
        """Ask the server what this action would do, instead of all that was asked before."""
        if self._previewing is not None:
            self._previewing.cancel()
        self._ui.preview = None
        if action is None or not self._game.my_move() or self._game.is_barred():
            return

        async def ask() -> None:
            try:
                self._ui.preview = await self._deeds.preview(action)
            except (ServerRefused, ServerGone):
                return  # acting itself tells why
            self._app.redraw()

        self._previewing = asyncio.create_task(ask())
        self._previewing.add_done_callback(self._app.fail_with)

    def stop(self) -> None:
        """Do nothing more."""
        for task in filter(None, (*self._doing, self._previewing)):
            task.cancel()

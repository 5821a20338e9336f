"""Base of the pages of the title screen: a menu in a box over the board."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias, final

from vinci.v1 import game_pb2

from ...text.i18n import language
from ...text.names import Catalogue
from .. import LEAST_COLUMNS, LEAST_ROWS
from ..map.map import Art, Marks
from ..toolkit.app import App
from ..toolkit.block import Block, Depth
from ..toolkit.menu import boxed
from .page import LobbyPage


class Scene(NamedTuple):
    """A position with names for its board, and the shape of that."""

    names: Catalogue
    board_map: game_pb2.BoardMap
    state: game_pb2.State


LoadScene: TypeAlias = Callable[[], Scene]


@final
class Backdrop:
    """The board behind the menus; it is loaded in a thread, and blank until then or without `load`."""

    def __init__(self, load: LoadScene | None) -> None:
        self._load: Final = load
        self._state: game_pb2.State | None = None
        self._art: Art | None = None
        self._language = ""
        self._loading: asyncio.Task[None] | None = None

    async def prepare(self, app: App) -> None:
        """Load the board, if that is not done in the language of the session."""
        while self._load is not None and self._language != language():
            if self._loading is None or self._loading.done():
                self._loading = asyncio.create_task(self._prepare(app, self._load))
            await asyncio.shield(self._loading)  # the next page needs it, too, if this one is left meanwhile

    async def _prepare(self, app: App, load: LoadScene) -> None:
        named = language()  # before the wait, in which it may change
        scene = await asyncio.to_thread(load)
        self._art, self._state, self._language = Art(scene.board_map, scene.names), scene.state, named
        app.redraw()

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """The board at this size; nothing in a window that is too small for a table."""
        if self._art is None or columns < LEAST_COLUMNS or rows < LEAST_ROWS - 1:
            return Block()
        return self._art.draw(self._state, Marks(), columns, rows, depth)


class TitlePage(LobbyPage):
    """A page with lines to choose from in a box over the board."""

    def __init__(self, app: App, backdrop: Backdrop, chosen: str = "") -> None:
        super().__init__(app, chosen)
        self._backdrop: Final = backdrop

    async def background(self) -> None:
        """Load the board."""
        await self._backdrop.prepare(self.app)

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """Draw the board and the menu."""
        menu = replace(self._settled(), notice=self.notice, is_error=self.is_error)
        return boxed(menu, self._backdrop.draw(columns, max(rows - 1, 1), depth), columns, rows)

"""The full screen as the interface of the people at one terminal: the table, and the pages before and after it."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final, final

from vinci_client.incoming import checked_id
from vinci_client.session import OVER

from .. import home, settings
from ..connection.seating import telling_rematch
from ..game.client_match import ClientMatch, Ending
from ..game.interface import SeatedMatch
from ..game.loading import board_map, fetch
from ..line.terminal import TerminalScreen
from ..text.i18n import _
from .replay.page import look_back, save_page
from .table.page import TablePage
from .table.ui_state import UiState
from .toolkit import display
from .toolkit.app import App
from .toolkit.dialog import Question
from .toolkit.job_control import as_job


@asynccontextmanager
async def opened(*, keeps_files: bool = True) -> AsyncIterator["FullScreenInterface"]:
    """Open a full screen on this terminal, as long as it is entered."""
    async with App() as app:
        await app.ask()
        yield FullScreenInterface(app, keeps_files=keeps_files)


@asynccontextmanager
async def filled() -> AsyncIterator["FullScreenInterface"]:
    """Open a full screen as a job of its shell; what it has to tell is written when it is closed."""
    sentences: Sequence[str] = ()
    theme, blocks = settings.get("theme"), settings.get("blocks")
    environment = {**os.environ, display.THEME: settings.given("theme") or os.environ.get(display.THEME, "")}
    display.choose(display.found(environment, sys.stdout.encoding, theme, blocks))
    try:
        async with opened() as full_screen:
            sentences = full_screen.sentences
            with as_job(full_screen.app):
                yield full_screen
    finally:
        TerminalScreen().show(sentences)


@final
class FullScreenInterface:
    """Shows pages in an app. Without `keeps_files`, as over SSH, it offers to save nothing.

    Attributes:
        sentences: texts to write when the full screen is closed.
    """

    def __init__(self, app: App, *, keeps_files: bool = True) -> None:
        self.app: Final = app
        self._keeps_files: Final = keeps_files
        self.sentences: Final[list[str]] = []

    def tell(self, text: str) -> None:
        """Keep a sentence until the full screen is closed."""
        self.sentences.append(text)

    async def agrees(self, question: str) -> bool:
        """Ask a question in a dialog."""
        return bool(await self.app.show(Question(self.app, question, [("y", _("yes")), ("n", _("no"))])) == "y")

    async def name(self, reason: str, usual: str) -> str:
        """Ask for a name below a dialog with the reason."""
        shown = asyncio.create_task(self.app.show(Question(self.app, reason, [("enter", _("go on"))])))
        await asyncio.sleep(0)  # `show` ends what is being typed
        self.app.type(_("Your name at the table: "), self.app.leave, text=usual)
        return str(await shown or "").strip() or usual

    async def play(self, table: SeatedMatch) -> Ending:
        """Show the table until it is left; for a game that is over, its replay."""
        if not table.seats and table.match.status in OVER and table.match.vp:  # there is no score before the start
            played = await fetch(table.session, table.match.match_id)
            html = self._page_of(table, None)
            await look_back(self.app, played, html, summary=False, first=table.from_revision or 0)
            return "left"
        page = TablePage(
            self.app,
            table.session,
            ClientMatch(table.names, await board_map(table.session, table.match), table.match, table.seats),
            invitation=table.invitation,
            own_name=table.own_name,
            ui=UiState(pace=settings.pace()),
        )
        return await page.play(table.from_revision)

    async def wants_rematch(self, table: SeatedMatch, record: Path | None, verdict: str, *, possible: bool) -> bool:
        """Show the summary until it is left; returns whether another game is wanted."""
        played = await fetch(table.session, table.match.match_id)
        html = self._page_of(table, record)
        if record is not None and html is not None:
            self.tell(await asyncio.to_thread(save_page, played, html))  # which takes a while
        own = record if self._keeps_files else None
        news = partial(telling_rematch, table.session, table.match.match_id) if possible else None
        return await look_back(
            self.app, played, html, summary=True, record=own, can_rematch=possible, notice=verdict, news=news
        )

    def _page_of(self, table: SeatedMatch, record: Path | None) -> Path | None:
        """Path of the HTML page of a game: beside its record."""
        if not self._keeps_files:
            return None
        named = record or home.folder() / "records" / checked_id(table.match.match_id)
        return named.with_suffix(".html")

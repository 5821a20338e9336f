"""Table pages in an emulated terminal, at a real server."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from tests.support.full_screen import games
from tests.support.line_client import Table, table
from tests.support.terminals.emulator import Terminal, terminal
from vinci.v1 import game_pb2
from vinci_cli.full.map.map import Marks
from vinci_cli.full.table.page import TablePage
from vinci_cli.full.table.panes import registry
from vinci_cli.full.table.ui_state import MAP, UiState
from vinci_cli.full.toolkit.app import App
from vinci_cli.full.toolkit.block import Block, Depth, fitted
from vinci_cli.game.client_match import ClientMatch
from vinci_cli.game.loading import board_map, catalogue_of
from vinci_cli.text.i18n import _
from vinci_cli.text.tables import plain


class BlankMap:
    """A blank map that records what it should mark."""

    def __init__(self) -> None:
        self.marks = Marks()

    def draw(
        self, state: game_pb2.State | None, marks: Marks, columns: int, rows: int, depth: Depth, *, zooms: bool = False
    ) -> Block:
        """Draw nothing."""
        self.marks = marks
        return fitted(Block(), columns, rows)

    def place(self, code: str, columns: int, rows: int) -> tuple[int, int] | None:
        """Return no place."""


def views(here: ClientMatch) -> Iterable[UiState]:
    """Return views of a game: every tab, a selection, previews, a placement, an explanation."""
    yield from (
        UiState(tab=tab, slot=2, back=3) for tab in (MAP, *(pane.name for pane in registry.tabs(replayed=False)))
    )
    yield UiState(province="ALP")
    yield UiState(province="ALP", preview=games.conquest(here))
    yield UiState(province="ALP", preview=games.refused())
    yield UiState(popup=("R-CONQ-3", "Cost is 2.\n  More in R-CONQ-4.\n" * 50), popup_back=9)
    yield UiState(notice=[[("class:error", "Not now (R-PHASE-1). " * 20)]])
    if here.legal.HasField("hold") or here.legal.HasField("redeploy"):
        yield UiState(province="ALP", plan=games.plan(here))


NAMES: Final = ("Ann", "Bob", "Cleo")


DRAFT: Final = "tiny; round 0; seat 1; seat 2; seat 3"


ALONE: Final = "tiny; rules standard target=24; round 0; order 1 2 3; seat 1; seat 2 dummy; seat 3 dummy"


class TableTerminal:
    """A table page in a terminal: the terminal, the page, and the match on the server."""

    def __init__(self, there: Terminal, page: TablePage, here: Table, playing: asyncio.Task[str]) -> None:
        self.there = there
        self.page = page
        self.here = here
        self.playing = playing

    async def until_at(self, revision: int) -> None:
        """Wait until this revision is shown and no request is pending."""
        await self.there.until(lambda _: self.page.game.revision >= revision)


@asynccontextmanager
async def sitting(
    folder: Path,
    start: str,
    *own: int,
    columns: int = 120,
    rows: int = 40,
    names: tuple[str, ...] = NAMES,
    **fields: Any,
) -> AsyncIterator[TableTerminal]:
    """Show a table page to people at these seats of a position, or to a spectator without a seat; `fields` as in `table`."""
    async with table(folder, start, names, **fields) as here:
        match = await here.session.get(here.match_id)
        with terminal(columns, rows) as there:
            async with App() as app:
                seats = {seat: here.tokens[seat] for seat in own}
                game = ClientMatch(
                    await catalogue_of(here.session, match), await board_map(here.session, match), match, seats
                )
                page = TablePage(app, here.session, game, own_name="Eve", ui=UiState(pace=0.0))
                playing = asyncio.create_task(page.play())
                await there.until("● ")
                await there.until(lambda _: game.revision >= 0)
                try:
                    yield TableTerminal(there, page, here, playing)
                finally:
                    playing.cancel()
                    await asyncio.wait([playing])


async def play(seen: TableTerminal, *, press: bool) -> None:
    """Play suggestions to the end of the game, by keys or by clicks."""
    game, suggestion = seen.page.game, _("Suggestion: {action}").partition("{")[0]

    async def do(key: str) -> None:
        if press:
            seen.there.press(key)
        else:
            await click(f"key {key}")

    async def click(target: str) -> None:
        block = seen.page.draw(seen.there.screen.columns, seen.there.screen.lines, 8)
        hits = [hit for hit in block.hits if block.at(hit.row, hit.start) == hit.target == target]
        assert hits, f"{target} cannot be clicked:\n{block.text()}"
        hit = hits[0]
        row = block.text().splitlines()[hit.row].rstrip()
        # A click meets what was drawn last, where another target may be.
        await seen.there.until(lambda shown: shown.splitlines()[hit.row].rstrip() == row)
        seen.there.click_at(hit.row, hit.start)

    while True:
        await seen.there.until(lambda _: game.my_move() or game.is_over())
        if game.is_over():
            return
        revision = game.revision
        if seen.page.ui.plan is None:
            await do("s")
            await seen.there.until(lambda _: any(suggestion in plain(line) for line in seen.page.ui.notice))
        ui = seen.page.ui
        suggested = plain(ui.notice[-1]).removeprefix(suggestion) if ui.notice else ""
        if suggested == "stay":
            await do("t")
        elif press or ui.plan is not None or suggested == "decline":
            if suggested == "decline":
                await seen.there.until(lambda _: seen.page.ui.preview is not None)
            await do("enter")
        elif ui.tab == "market":
            await click(f"slot {ui.slot}")
        else:
            await click(f"province {ui.province}")
        await seen.until_at(revision + 1)

"""First games from the title screen to the end, by keys and by mouse: a quick game, one in turn, the tutorial."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.support.terminals.emulator import Terminal, terminal
from vinci_cli import home, lobby_session, settings
from vinci_cli.connection.match_request import match_request
from vinci_cli.full.lobby import flow
from vinci_cli.full.lobby.lobby import ToMenu
from vinci_cli.full.toolkit.app import App
from vinci_cli.full.ui import FullScreenInterface

STEPS = {
    "space all at once": " ",
    "Enter go on": "enter",
    "Enter done": "enter",
    "Enter decline now": "enter",
    "Enter take": "enter",
    "Enter place survivors": "enter",
    "h hold": "h",
    "Enter conquer": "enter",
    "Tab next": "tab",
    "t stay": "t",
    "d decline": "d",
}
"""Labels of the bottom row with their keys; the first one that is there is used."""

OVER = "share as a file"
"""Label of the bottom row after the end of a game."""


@asynccontextmanager
async def title_screen(folder: Path) -> AsyncIterator[Terminal]:
    """Open the title screen of `vinci` in a terminal of a new user, where others' moves are shown at once."""
    with home.kept_in(folder), terminal(120, 40) as there:
        settings.put("pace", "0.0")
        async with App() as app:
            visit = asyncio.create_task(
                lobby_session.visit(FullScreenInterface(app), ToMenu(), ["Ann"], folder / "play.db")
            )
            await there.until("VINCI")
            yield there
            visit.cancel()
            await asyncio.wait([visit])


def use(there: Terminal, label: str, key: str, *, by_mouse: bool) -> None:
    """Press a key, or click on its label in the bottom row."""
    if by_mouse:
        there.click_at(len(there.screen.display) - 1, there.screen.display[-1].index(label))
    else:
        there.press(key)


async def choose(there: Terminal, line: str, *, by_mouse: bool) -> None:
    """Choose a line of a menu: by a click and another one, or by arrows and Enter."""
    await there.until(line)
    if by_mouse:
        there.click(line)
        there.click(line)
        return
    while not (before := selected(there.text())).startswith(line):
        there.press("down")
        await there.until(partial(is_other_line, before))
    there.press("enter")


def selected(text: str) -> str:
    """Return the selected line of a menu, from the mark before it to the map behind it; empty without one."""
    return text.partition("▸ ")[2].partition("\n")[0].partition("│")[0].strip()


def is_other_line(line: str, text: str) -> bool:
    """Return whether another line of a menu is selected; a change elsewhere on the screen is none."""
    return selected(text) not in ("", line)


async def play(there: Terminal, *, by_mouse: bool) -> str:
    """Take, conquer once and hold in each turn, until the summary is there; return it."""
    while True:
        shown = await there.until(lambda text: any(label in text.split("\n")[-1] for label in (OVER, *STEPS)))
        keys = shown.split("\n")[-1]
        if OVER in keys:
            return shown
        label = next(label for label in STEPS if label in keys)
        use(there, label, STEPS[label], by_mouse=by_mouse)
        await there.until(partial(str.__ne__, shown))


@pytest.fixture(autouse=True)
def small_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make games of the title screen on the smallest board, up to 14 VP."""
    monkeypatch.setattr(flow, "match_request", partial(match_request, board="tiny", target=14))


@pytest.mark.parametrize("by_mouse", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["keys", "mouse"])
async def test_quick_game_is_played_to_its_end(tmp_path: Path, by_mouse: bool) -> None:
    """A quick game against three easy players ends with a summary: winner, margin, and the file to share."""
    async with title_screen(tmp_path) as there:
        await choose(there, "Quick game", by_mouse=by_mouse)
        await choose(there, "Easy", by_mouse=by_mouse)
        shown = await play(there, by_mouse=by_mouse)
        assert " wins with " in shown or "share the first place" in shown
        use(there, "h share", "h", by_mouse=by_mouse)
        await there.until("The game as a page for browsers:")
        assert list((tmp_path / "records").glob("*.html"))
        use(there, "q leave", "q", by_mouse=by_mouse)
        await there.until("Replays")


@pytest.mark.slow
@pytest.mark.parametrize("by_mouse", [False, True], ids=["keys", "mouse"])
async def test_game_in_turn_is_played_to_its_end(tmp_path: Path, by_mouse: bool) -> None:
    """Four people take turns at one terminal up to the summary."""
    async with title_screen(tmp_path) as there:
        await choose(there, "Play with others", by_mouse=by_mouse)
        await choose(there, "4 people here", by_mouse=by_mouse)
        await there.until("Your names, with commas: Ann, player 1")
        there.press("enter")
        shown = await play(there, by_mouse=by_mouse)
        assert " wins with " in shown or "share the first place" in shown
        assert "player 3" in shown


async def test_tutorial_is_played_by_mouse(tmp_path: Path) -> None:
    """The tutorial is offered first, and clicks alone lead to its end, where the player is ahead."""
    async with title_screen(tmp_path) as there:
        await choose(there, "Tutorial", by_mouse=True)

        def waits(number: int, label: str, text: str) -> bool:
            return f" {number} of 13: " in text and "Your move" in text and label in text

        async def step(number: int, *labels: str) -> None:
            for label in labels:
                await there.until(partial(waits, number, label))
                if label.startswith("space"):
                    there.click(label)
                else:
                    use(there, label, "", by_mouse=True)
                await asyncio.sleep(0.05)

        await step(1, "space goes on")
        await there.until("Agriculture*+Weapons")
        there.click("Agriculture*+Weapons")
        await step(2, "Enter take")
        for number in (3, 4, 5):
            await step(number, "Enter conquer")
        await step(6, "Tab next", "Enter conquer")
        await there.until("1 more")
        await step(6, "Tab next", "Enter conquer")
        await step(7, "h hold", "Enter done")
        await step(8, "space goes on")
        await step(9, "d decline", "Enter decline now")
        await step(10, "Enter take")
        await step(11, "Tab next", "Enter conquer")
        await there.until("1 more")
        await step(11, "Tab next", "Enter conquer")
        await step(12, "h hold", "f fort", "Enter done")
        await there.until("You are ahead with ")
        await step(13, "space ends the tutorial")
        await there.until("Replays")

"""The tutorial at a real server: played to its end by keys, interrupted and resumed."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest

from tests.support.terminals.emulator import Terminal, terminal
from vinci.v1 import lobby_pb2
from vinci_cli import home
from vinci_cli.connection import saved_seats
from vinci_cli.full.toolkit.app import App
from vinci_cli.full.tutorial.session import learn
from vinci_cli.game.loading import fetch
from vinci_cli.text.i18n import _, choose, plural
from vinci_client.session import Session
from vinci_server.app import Server


@pytest.fixture
async def session(tmp_path: Path) -> AsyncIterator[Session]:
    """Open a session with a server, and a folder for saved seats."""
    server = await Server.start("127.0.0.1", 0, tmp_path / "server.db")
    with home.kept_in(tmp_path):
        async with Session(f"127.0.0.1:{server.port}") as session:
            yield session
    await server.stop()


AT_ONCE: Final = ">>"
"""Keys after which what others do is shown at once."""

GOING_ON: Final = "About {all} VP a turn if you go on{slavery}, with {pawns} in hand{more}."
"""A text of the preview of a decline, which has one for declining that begins alike."""

MORE: Final = ("{n} more", "{n} more", 1)
FIRST_HINT: Final = "For this lesson take the second civilization, Agriculture and Weapons."
LAST_HINT: Final = "In this step, build a fort first: h, then f on a province, then Enter."


async def forfeits(session: Session) -> list[bool]:
    """Return for each match of a server whether somebody has left it for good."""
    matches = (await session.lobby.ListMatches(lobby_pb2.ListMatchesRequest())).matches
    updates = [(await fetch(session, match.match_id)).updates for match in matches]
    return [any(update.action.HasField("forfeit") for update in each) for each in updates]


def step_title(step: int) -> str:
    """Return the beginning of the title of a step."""
    return " " + _("{step} of {steps}: {title}").format(step=step, steps=13, title="")


def own_move() -> str:
    """Return the beginning of the top row when it is the player's move."""
    return _("Your move.").removesuffix(".")


async def lasts(there: Terminal, step: int, *keys: str) -> None:
    """Wait for the player's move in a step, then press keys."""
    await there.until(lambda shown: step_title(step) in shown and own_move() in shown)
    there.press(*keys)


@pytest.mark.parametrize(
    ("columns", "rows", "spoken"), [(80, 24, "en"), (160, 50, "en"), (80, 24, "de"), (160, 50, "de")]
)
async def test_tutorial_is_played_to_its_end(
    tmp_path: Path, session: Session, columns: int, rows: int, spoken: str
) -> None:
    """The tutorial is played to its end, with wrong actions and an interruption."""
    choose(spoken)
    with home.kept_in(tmp_path), terminal(columns, rows) as there:
        async with App() as app:
            learning = asyncio.create_task(learn(app, session, "here"))
            await lasts(there, 1, *AT_ONCE, " ")
            await lasts(there, 2, "enter")
            await there.until(_(FIRST_HINT)[:24])
            there.press("down", "enter")
            await lasts(there, 3, " ")
            await there.until(f"{_('space')} {_('shows this')}")
            there.press(" ", "enter")
            await lasts(there, 4, "enter")
            await lasts(there, 5, "enter")
            await lasts(there, 6, "tab", "enter")
            await there.until(plural(*MORE))
            there.press("q")
            await learning
            assert [seat.where for seat in saved_seats.load()] == ["here"]

            learning = asyncio.create_task(learn(app, session, "here"))
            await there.until(_("Go on with the tutorial where you left it?")[:24])
            there.press("y")
            await there.until(plural(*MORE))
            await lasts(there, 6, *AT_ONCE, "tab", "enter")
            await lasts(there, 7, "h")
            await there.until(f"Enter {_('done')}")
            there.press("enter")
            await lasts(there, 8, " ")
            await lasts(there, 9, "d")
            await there.until(f"Enter {_('decline now')}")
            assert there.text().count(_(GOING_ON).partition("{")[0]) == 2
            there.press("enter")
            await lasts(there, 10, "enter")
            await lasts(there, 11, "tab", "enter")
            await there.until(plural(*MORE))
            await lasts(there, 11, "tab", "enter")
            await lasts(there, 12, "h")
            await there.until(f"Enter {_('done')}")
            there.press("enter")
            await there.until(_(LAST_HINT)[:24])
            there.press("f", "enter")
            await lasts(there, 13)
            shown = await there.until(f"{_('space')} {_('ends the tutorial')}")
            assert _("You are ahead with {own} VP; the others have {scores}.").partition("{")[0] in shown
            there.press(" ")
            await learning
            assert saved_seats.load() == []
            assert await forfeits(session) == [True]


async def test_declined_resume_starts_a_new_tutorial(tmp_path: Path, session: Session) -> None:
    """Declining to resume starts a new tutorial and removes the old seat."""
    with home.kept_in(tmp_path), terminal(160, 50) as there:
        async with App() as app:
            learning = asyncio.create_task(learn(app, session, "here"))
            await lasts(there, 1, " ", "down", "enter")
            await lasts(there, 3, "q")
            await learning
            learning = asyncio.create_task(learn(app, session, "here"))
            await there.until("Go on with the tutorial")
            there.press("n")
            await lasts(there, 1, "q")
            await learning
            assert len(saved_seats.load()) == 1
            assert sorted(await forfeits(session)) == [False, True]

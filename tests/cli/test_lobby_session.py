"""From the lobby to a table and back, in full screen: an error ends only the page it belongs to."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from tests.support.full_screen import records
from tests.support.line_client import HUMAN
from tests.support.terminals.emulator import Terminal, terminal
from vinci.v1 import lobby_pb2
from vinci_cli import home, lobby_session, table_session
from vinci_cli.connection import saved_seats
from vinci_cli.connection.saved_seats import SavedSeat
from vinci_cli.full.lobby.lobby import ToMenu
from vinci_cli.full.replay.page import look_back
from vinci_cli.full.toolkit.app import App
from vinci_cli.full.ui import FullScreenInterface, filled
from vinci_cli.records import fairness
from vinci_client.session import Session
from vinci_server.app import Server
from vinci_server.match.seats import consensus


@asynccontextmanager
async def sees_the_menu(folder: Path) -> AsyncIterator[tuple[Terminal, "asyncio.Task[None]"]]:
    """Run `vinci` for a person with saved seats in this folder, and wait for the menu."""
    with home.kept_in(folder), terminal() as there:
        async with App() as app:
            visit = asyncio.create_task(
                lobby_session.visit(FullScreenInterface(app), ToMenu(), ["Ann"], folder / "play.db")
            )
            await there.until("Replay")
            yield there, visit
            visit.cancel()
            await asyncio.wait([visit])


@pytest.mark.parametrize(
    ("content", "answer"), [(b"nonsense\n", "line 1"), (b"\xff\xfe\x00\n", "cannot be read"), (b"", "line 1")]
)
async def test_invalid_record_is_reported_in_the_menu(tmp_path: Path, content: bytes, answer: str) -> None:
    """The error of the file is shown, and the menu is available afterwards."""
    path = tmp_path / "x"
    path.write_bytes(content)
    async with sees_the_menu(tmp_path) as (there, visit):
        there.click("Replay")
        there.press("enter")
        await there.until("Another file")
        there.press("end", "enter")
        await there.until("File:")
        there.press(str(path), "enter")
        await there.until(answer)
        there.press("b")
        await there.until("Replay")
        there.press("q")
        assert not visit.done()


async def test_title_screen_lies_over_the_board(tmp_path: Path) -> None:
    """The menu stands in a box over the board of a game, and a choice is made by mouse."""
    async with sees_the_menu(tmp_path) as (there, _visit):
        shown = await there.until("Lapland")
        assert "VINCI" in shown
        there.click("Quick game")
        there.press("enter")
        shown = await there.until("How strong are your opponents?")
        assert "Lapland" in shown


async def test_match_ended_before_its_start_has_no_record(tmp_path: Path) -> None:
    """A waiting player is shown why the match was ended, and no record is written."""
    server = await Server.start("127.0.0.1", 0, tmp_path / "server.db")
    with home.kept_in(tmp_path), terminal(120, 40) as there:
        async with Session(f"127.0.0.1:{server.port}") as session, App() as app:
            asked = lobby_pb2.CreateMatchRequest(seats=[HUMAN] * 3, board="tiny", start_when_full=True)
            match_id = (await session.create(asked)).match.match_id
            joined = await session.join(match_id, "Ann")
            face = FullScreenInterface(app)
            seat = SavedSeat(session.address, match_id, joined.seat, joined.seat_token)
            staying = asyncio.create_task(table_session.stay(face, session, seat, tmp_path, "", fairness.verdict))
            await there.until("Waiting for the game to start")
            await consensus.end(await server.lobby.get(match_id), "nobody came")
            await there.until("nobody came")
            there.press("enter")
            await staying
            assert face.sentences == []
            assert saved_seats.load() == []
    await server.stop()


@pytest.mark.parametrize("html", [Path("game.html"), None])
async def test_no_html_page_over_ssh(html: Path | None) -> None:
    """A session over SSH is not offered to save a page on the server."""
    with terminal() as there:
        async with App() as app:
            looking = asyncio.create_task(look_back(app, records.played("standard", 3), html, summary=True))
            shown = await there.until("leave")
            assert ("share as a file" in shown) is (html is not None)
            there.press("q")
            await looking


async def test_final_sentences_are_printed_after_an_exception() -> None:
    """Sentences such as the path of the record are printed even if the session ends by an exception."""
    with terminal() as there:
        with suppress(RuntimeError):
            async with filled() as face:
                face.tell("The record is here.")
                raise RuntimeError
        assert "The record is here." in there.text()

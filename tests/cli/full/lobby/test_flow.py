"""The lobby in full screen at a real server: finding, creating, joining and starting matches by keys and mouse."""

import asyncio
import re
import threading
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.support.cli_runner import vinci
from tests.support.server.in_process import DUMMY, HUMAN, address, bearer, create, join, played, serving
from tests.support.terminals.emulator import PATIENCE, Terminal, terminal
from vinci.v1 import admin_pb2, lobby_pb2
from vinci_cli import home, settings
from vinci_cli.connection import person_keys, saved_seats
from vinci_cli.connection.seating import login_name, own_name, seat_people
from vinci_cli.full.lobby.flow import lobby
from vinci_cli.full.lobby.lobby import (
    Entry,
    Leave,
    Result,
    ToMatches,
    ToMenu,
    ToReplay,
    ToServers,
    ToSpectating,
    ToTable,
    ToTutorial,
)
from vinci_cli.full.lobby.matches import Listed, _of_whom, _title
from vinci_cli.full.lobby.server_session import Visit
from vinci_cli.full.lobby.title import LoadScene, Scene
from vinci_cli.full.toolkit.app import App
from vinci_cli.full.tutorial import steps as tutorial
from vinci_cli.lobby_session import scene
from vinci_cli.text import i18n
from vinci_client.access import Access
from vinci_client.discovery import FoundServer, SearchFailed
from vinci_client.session import Session, new_person_key
from vinci_server.app import Server
from vinci_server.rpc import certificate
from vinci_server.rpc.access import ServerAccess as Door
from vinci_server.rpc.access import join_code


class LobbyTerminal:
    """A person in the lobby: the terminal, and the result of the session."""

    def __init__(self, there: Terminal) -> None:
        self.there = there
        self.left = asyncio.Event()
        self.result: asyncio.Future[Result] = asyncio.get_running_loop().create_future()

    async def session_result(self) -> Result:
        """Return the result of the session."""
        await asyncio.wait([self.result], timeout=PATIENCE)
        assert self.result.done(), self.there.text()
        return self.result.result()

    async def sees(self, text: str) -> str:
        """Wait for a text on the screen; return the screen."""
        return await self.there.until(text)

    async def chooses(self, text: str, *keys: str) -> None:
        """Go to a line, from the first one down, and press keys there."""
        await self.sees(text)
        await self.there.presses("home")
        while text not in self.chosen():
            before = self.chosen()
            await self.there.presses("down")
            assert self.chosen() != before, f"no line has {text!r} in it:\n{self.there.text()}"
        self.there.press(*keys)

    def chosen(self) -> str:
        """Return the selected line."""
        return next((line for line in self.there.text().splitlines() if re.search(r"(^|│) *▸ ", line)), "")

    async def clicks(self, text: str, *, right: int = 0) -> None:
        """Wait for a text, and click on it."""
        await self.sees(text)
        self.there.click(text, right=right)


@asynccontextmanager
async def visiting(
    entry: Entry,
    name: str = "Ann",
    *,
    here: Path | None = None,
    found: Sequence[FoundServer] = (),
    problem: str = "",
    size: tuple[int, int] = (80, 24),
    scene: LoadScene | None = None,
) -> AsyncIterator[LobbyTerminal]:
    """Return a function that opens the lobby for a person, on a network with these servers."""

    async def find() -> Sequence[FoundServer]:
        if problem:
            raise SearchFailed(OSError(problem))
        return found

    async def visit(visitor: LobbyTerminal) -> None:
        try:
            async with App() as app, lobby(app, entry, [name], here, find, scene) as result:
                visitor.result.set_result(result)
                await visitor.left.wait()
        except Exception as error:
            visitor.result.set_exception(error)

    with terminal(*size) as there:
        visitor = LobbyTerminal(there)
        visiting = asyncio.create_task(visit(visitor))
        try:
            yield visitor
        finally:
            visitor.left.set()
            if not visitor.result.done():
                visiting.cancel()
            await asyncio.gather(visiting, return_exceptions=True)


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep saved seats in a folder of the test."""
    monkeypatch.setenv(home.HOME, str(tmp_path / "home"))
    return tmp_path / "home"


def found_server(server: Server, **more: object) -> FoundServer:
    """Return a server as discovery finds it, with the given fields changed."""
    fields = {"name": "Friday", "version": "0.1.0", "seats": 1, "open": 1, "running": 0, "access": "open", "tls": False}
    return FoundServer(address=address(server), **(fields | more))  # type: ignore[arg-type]


async def test_match_is_created_by_keys_joined_by_mouse_and_started(tmp_path: Path) -> None:
    """A match for three is created by keys, joined by mouse, and started by the host once all seats are taken."""
    async with serving(tmp_path / "server.db") as (server, _session):
        servers = [found_server(server)]
        async with visiting(ToServers(), found=servers) as ann, visiting(ToServers(), "Ben", found=servers) as ben:
            await ann.sees("Friday")
            await ann.chooses("Friday", "enter")
            await ann.sees("There is none. Press n to make one.")
            ann.there.press("n")
            await ann.sees("How many")
            await ann.chooses("How many", "left")
            await ann.chooses("Board", "right")
            await ann.chooses("Clock", "right")
            await ann.chooses("Start  ", "right")
            await ann.sees("when I say so")
            ann.there.press("m")
            waiting = await ann.sees("Waiting for players: 1 seat open.")
            assert f"vinci join {address(server)}" in waiting

            await ben.clicks("Friday")
            await ben.clicks("Friday")
            shown = await ben.sees("1 seat open, yours")
            assert "30 s a decision" in shown
            await ben.clicks("sit down too")
            await ben.sees("Everybody is here; the host starts.")
            await ann.sees("Everybody is here. Press s to start.")
            await ann.clicks("s start", right=2)

            made, joined = await ann.session_result(), await ben.session_result()
            assert isinstance(made, ToTable)
            assert isinstance(joined, ToTable)
            assert (made.seat.seat, joined.seat.seat) == (1, 2)
            match = await joined.session.get(joined.seat.match_id)
            assert match.status == lobby_pb2.MATCH_STATUS_RUNNING
            assert [seat.player for seat in match.seats] == ["Ann", "Ben", "dummy"]
            assert (match.board, match.timing.decision_seconds) == ("tiny", 30)
            assert joined.invitation == f"vinci join {address(server)}"
            assert {seat.seat for seat in saved_seats.at(address(server))} == {1, 2}


async def test_form_is_filled_by_mouse(tmp_path: Path) -> None:
    """Arrows beside a value change it, a click selects a field, the wheel moves between fields, and keys can be clicked."""
    async with serving(tmp_path / "server.db") as (server, session):
        async with visiting(ToMatches(address(server)), size=(120, 50)) as ann:
            await ann.clicks("new match")
            await ann.clicks("◂ 4 ▸")
            await ann.sees("◂ 3 ▸")
            await ann.clicks("◂ Europe ▸", right=len("◂ Europe "))
            await ann.sees("◂ Tiny ▸")
            await ann.clicks("More options")
            ann.there.press("enter")
            await ann.clicks("Giving up provinces")
            await ann.sees("R-REORG-3")
            ann.there.turn_wheel("Giving up provinces", up=False)
            await ann.sees("R-ENTRY-2")
            await ann.clicks("make the match")
            await ann.sees("Waiting for players: 1 seat open.")
        (match,) = (await session.lobby.ListMatches(lobby_pb2.ListMatchesRequest())).matches
        assert (len(match.seats), match.board) == (3, "tiny")


async def test_refusal_is_shown_at_its_field(tmp_path: Path) -> None:
    """A refusal of the server is shown at its field, all values stay, and the corrected match is created."""
    async with serving(tmp_path / "server.db") as (server, _session), visiting(ToMatches(address(server))) as ann:
        await ann.sees("There is none.")
        ann.there.press("n")
        await ann.sees("Make this match")
        await ann.chooses("VP that end the game", "right", "m")
        shown = await ann.sees("! VP that end the game")
        assert "target 10: it must be above the 10 VP" in shown
        ann.there.press("enter")
        await ann.sees("VP that end the game: 10")
        ann.there.press("backspace", "5", "enter")
        await ann.sees("◂ 15 ▸")
        ann.there.press("m")
        await ann.sees("Waiting for players")
        await ann.sees("VP that end the game: 15")


async def test_prompt_for_the_code_repeats_until_it_is_right(tmp_path: Path) -> None:
    """Malformed and wrong codes get different messages, and the right one is saved with the seat."""
    server = await Server.start("127.0.0.1", 0, tmp_path / "server.db", access=Door("", "k3f9-xa2m"))
    try:
        servers = [found_server(server, access="code")]
        async with visiting(ToServers(), found=servers) as ann:
            await ann.sees("Friday")
            await ann.chooses("Friday", "enter")
            shown = await ann.sees("Code:")
            assert "This server requires its join code, which its host has." in shown
            assert "! This server" not in shown  # it is no error
            ann.there.press("hello", "enter")
            await ann.sees("is not a join code: it has 8 letters and digits")
            ann.there.press("aaaa-bbbb", "enter")
            await ann.sees("This is not the join code of this server.")
            ann.there.press("k3f9 xa2m", "enter")
            await ann.sees("There is none. Press n to make one.")
            ann.there.press("n")
            await ann.sees("How many")
            await ann.chooses("How many", "m")
            await ann.sees("--code k3f9")
        async with visiting(ToServers(), found=servers) as ann:
            await ann.sees("Friday")
            await ann.chooses("Friday", "enter")
            await ann.sees("1 seat open, yours")
    finally:
        await server.stop()


async def test_code_option_opens_the_chosen_server(tmp_path: Path) -> None:
    """With `vinci join --code …` the chosen server needs no prompt for a code."""
    server = await Server.start("127.0.0.1", 0, tmp_path / "server.db", access=Door("", "k3f9-xa2m"))
    try:
        async with visiting(ToServers(Access("k3f9-xa2m")), found=[found_server(server, access="code")]) as ann:
            await ann.sees("Friday")
            await ann.chooses("Friday", "enter")
            assert "Code:" not in await ann.sees("There is none. Press n to make one.")
    finally:
        await server.stop()


async def test_password_is_hidden(tmp_path: Path) -> None:
    """A typed password is not shown, and gives access."""
    server = await Server.start("127.0.0.1", 0, tmp_path / "server.db", access=Door("open sesame", ""))
    try:
        async with visiting(ToMatches(address(server))) as ann:
            await ann.sees("Password:")
            ann.there.press("open sesame")
            shown = await ann.sees("***********")
            assert "sesame" not in shown
            ann.there.press("enter")
            await ann.sees("There is none.")
    finally:
        await server.stop()


async def test_running_match_is_resumed_or_watched(tmp_path: Path) -> None:
    """A player resumes a running match and others watch it; a seat can be left before the start."""
    async with serving(tmp_path / "server.db") as (server, session):
        made = await create(session, HUMAN, HUMAN, DUMMY)
        async with visiting(ToMatches(address(server))) as ann:
            await ann.sees("2 seats open")
            await ann.chooses("2 seats open", "enter")
            await ann.sees("1  Ann")
            ann.there.press("l")
            await ann.sees("matches of ")  # the waiting room shows open seats too
            await ann.sees("2 seats open")
            assert saved_seats.load() == []
            ann.there.press("enter")
            await ann.sees("1  Ann")
            ann.there.press("escape")
            await ann.sees("1 seat open, yours")
            await join(session, made.match.match_id, player="Ben")
            await ann.sees("full, yours")
            host = bearer(made.host_token)
            await session.lobby.StartMatch(lobby_pb2.StartMatchRequest(match_id=made.match.match_id), metadata=host)
            await ann.sees("opening draft, your")
            (seat,) = saved_seats.load()
            async with played(session, made.match.match_id, seat.seat, seat.token):
                await ann.chooses("opening draft, your", "enter")
                await ann.sees("Your seat there is played in another terminal.")
            await ann.chooses("opening draft, your", "enter")
            assert isinstance(await ann.session_result(), ToTable)
        (seat,) = saved_seats.load()
        saved_seats.forget(seat)
        async with visiting(ToMatches(address(server))) as ann:  # by the key of this machine
            await ann.chooses("opening draft, your", "enter")
            result = await ann.session_result()
            assert isinstance(result, ToTable)
            assert result.seat.seat == seat.seat
        saved_seats.forget(saved_seats.load()[0])
        person_keys.forget(address(server))
        async with visiting(ToMatches(address(server))) as zoe:
            await zoe.sees("opening draft")
            await zoe.chooses("opening draft", "enter")
            result = await zoe.session_result()
            assert isinstance(result, ToSpectating)
            assert result.match.match_id == made.match.match_id


async def test_only_running_match_is_watched_unasked(tmp_path: Path) -> None:
    """`vinci watch` shows the only running match of the only server; the lobby comes back afterwards."""
    async with serving(tmp_path / "server.db") as (server, session):
        made = await create(session, HUMAN, DUMMY, DUMMY)
        await join(session, made.match.match_id, player="Ben")
        host = bearer(made.host_token)
        await session.lobby.StartMatch(lobby_pb2.StartMatchRequest(match_id=made.match.match_id), metadata=host)
        servers = [found_server(server, running=1)]
        async with visiting(ToServers(only="running", goes_in=True), found=servers) as zoe:
            result = await zoe.session_result()
            assert isinstance(result, ToSpectating)
            assert result.match.match_id == made.match.match_id
        async with visiting(ToServers(only="running"), found=servers) as zoe:
            await zoe.sees("Friday")
            assert not zoe.result.done()


async def test_waiting_room_shows_why_a_match_was_ended(tmp_path: Path) -> None:
    """Players in the waiting room are told why the match was ended."""
    async with serving(tmp_path / "server.db") as (server, session):
        made = await create(session, HUMAN, HUMAN, DUMMY)
        async with visiting(ToMatches(address(server))) as ann:
            await ann.sees("2 seats open")
            await ann.chooses("2 seats open", "enter")
            await ann.sees("1  Ann")
            request = admin_pb2.EndMatchRequest(match_id=made.match.match_id, reason="it rains")
            await session.admin.EndMatch(request, metadata=bearer((tmp_path / "admin-token").read_text().strip()))
            await ann.sees("! The match was ended: it rains.")


async def test_host_gives_an_open_seat_to_a_dummy(tmp_path: Path) -> None:
    """The host changes an open seat to a dummy, so that the match can start."""
    async with (
        serving(tmp_path / "server.db") as (server, _),
        visiting(ToMatches(address(server)), size=(120, 40)) as ann,
    ):
        await ann.clicks("new match")
        await ann.sees("Make this match")
        await ann.chooses("Start  ", "right", "m")
        await ann.sees("Waiting for players: 1 seat open.")
        ann.there.press("s")
        await ann.sees("The match cannot start while seats are open: 2")
        await ann.clicks("◂ person ▸", right=len("◂ person "))
        await ann.sees("Everybody is here. Press s to start.")
        ann.there.press("s")
        assert isinstance(await ann.session_result(), ToTable)


async def test_matches_are_filtered_by_status(tmp_path: Path) -> None:
    """The filter shows all, open, running or finished matches, and the list updates itself."""
    async with serving(tmp_path / "server.db") as (server, session), visiting(ToMatches(address(server))) as ann:
        await ann.sees("There is none.")
        await create(session, HUMAN, DUMMY, DUMMY)
        await create(session, DUMMY, DUMMY, DUMMY, start_when_full=True, seed="1")
        both = await ann.sees("over")
        assert "1 seat open" in both
        ann.there.press("f")
        await ann.sees("Shown: open ones.")
        assert "over" not in (await ann.sees("1 seat open")).replace("Shown", "")
        ann.there.press("f")
        await ann.sees("Shown: running ones.")
        await ann.sees("There is none.")
        ann.there.press("f")
        await ann.sees("Shown: finished ones.")
        await ann.sees("dummy, dummy, dummy")
        await ann.chooses("dummy, dummy, dummy", "enter")
        result = await ann.session_result()
        assert isinstance(result, ToSpectating)
        assert result.match.status == lobby_pb2.MATCH_STATUS_OVER


async def test_list_of_a_lost_server_is_marked_as_old(tmp_path: Path) -> None:
    """While the server is away the last list stays on the screen, marked as old."""
    async with serving(tmp_path / "server.db") as (server, session):
        await create(session, HUMAN, HUMAN, DUMMY)
        port = server.port
        async with visiting(ToMatches(address(server))) as ann:
            await ann.sees("2 seats open")
            await server.stop()
            shown = await ann.sees("it is tried again.")
            assert "2 seats open" in shown
            again = await Server.start("127.0.0.1", port, tmp_path / "server.db")
            try:
                await ann.there.until(lambda text: "tried again" not in text)
            finally:
                await again.stop()


async def test_invalid_and_unreachable_addresses_are_reported() -> None:
    """An invalid address and one at which no server runs get a message."""
    async with visiting(ToServers(), problem="it is off") as ann:
        await ann.sees("The network cannot be searched: it is off.")
        ann.there.press("a", "not an address", "enter")
        await ann.sees("is not an address; write it like 192.168.1.5")
        ann.there.press("a", "127.0.0.1:9", "enter")
        await ann.sees("No answer from 127.0.0.1:9; is a server running there?")
        ann.there.press("escape")
        assert await ann.session_result() == Leave()


async def test_local_game_is_created_and_resumed(tmp_path: Path) -> None:
    """A local game with bots is created from the menu, which shows its state the next time."""
    database = tmp_path / "play.db"
    async with visiting(ToMenu(), here=database) as ann:
        await ann.chooses("Quick game", "enter")
        await ann.chooses("More options", "enter")
        await ann.sees("Seat 2")
        await ann.chooses("Seat 2", "right")
        await ann.sees("computer player Easy")
        await ann.chooses("Seat 1", "right", "m")
        await ann.sees("! Nobody would play at this terminal")
        await ann.chooses("Seat 1", "left")
        await ann.chooses("Board", "right", "m")
        result = await ann.session_result()
        assert isinstance(result, ToTable)
        assert result.seat.where == str(database)
        assert [name for name, _token in result.seat.bots] == ["easy"]
        assert result.invitation == ""
    async with visiting(ToMenu(), here=database) as ann:
        today = time.strftime("%Y-%m-%d")
        title = f"Continue: {today}, opening draft, 10 VP, Easy, dummy \N{MULTIPLICATION SIGN}2"
        await ann.sees(title)
        await ann.chooses(title, "enter")
        again = await ann.session_result()
        assert isinstance(again, ToTable)
        assert again.seat == result.seat


@pytest.mark.parametrize(("entry", "result"), [("Tutorial", ToTutorial()), ("Leave", Leave())])
async def test_menu_entries_open_their_pages(tmp_path: Path, entry: str, result: Result) -> None:
    """Entries of the menu open their pages with two clicks."""
    async with visiting(ToMenu(), here=tmp_path / "play.db") as ann:
        await ann.clicks(entry)
        await ann.clicks(entry)
        assert await ann.session_result() == result


async def test_menu_over_ssh_has_no_local_games() -> None:
    """A client that runs for somebody elsewhere offers no local games."""
    async with visiting(ToMenu()) as ann:
        shown = await ann.sees("Play with others")
        assert "Quick game" not in shown
        assert "Replays" not in shown
        assert "Settings" not in shown
        ann.there.press("escape")
        assert await ann.session_result() == Leave()


async def test_quick_game_is_made_by_its_level(tmp_path: Path) -> None:
    """A level makes a game at once, against three computer players of it; the person has the name that was set."""
    database = tmp_path / "play.db"
    async with visiting(ToMenu(), here=database) as ann:
        shown = await ann.sees("Is this your first game?")
        assert shown.index("Tutorial") < shown.index("Quick game")
        await ann.chooses("Quick game", "enter")
        await ann.chooses("Hard", "enter")
        result = await ann.session_result()
        assert isinstance(result, ToTable)
        assert [name for name, _token in result.seat.bots] == ["hard:builder", "hard:raider", "hard:hermit"]
        match = await result.session.get(result.seat.match_id)
        assert match.seats[0].player == "Ann"
    async with visiting(ToMenu(), here=database) as ann:
        assert "first game" not in await ann.sees("Quick game")


async def test_game_in_turn_needs_a_name_for_each_person(tmp_path: Path) -> None:
    """A game of three people at this terminal asks for their names, and adds a computer player."""
    async with visiting(ToMenu(), here=tmp_path / "play.db") as ann:
        await ann.chooses("Play with others", "enter")
        await ann.chooses("3 people here", "enter")
        await ann.sees("Your names, with commas: Ann, player 1, player 2")
        ann.there.press(*["backspace"] * len(", player 1, player 2"), ",Ben", "enter")
        await ann.sees("! Type 3 names, with commas between them.")
        await ann.clicks("3 people here")
        await ann.sees("Your names")
        ann.there.press(*["backspace"] * len("player 1, player 2"), "Ben,Cleo", "enter")
        result = await ann.session_result()
        assert isinstance(result, ToTable)
        match = await result.session.get(result.seat.match_id)
        assert [seat.player for seat in match.seats][:3] == ["Ann", "Ben", "Cleo"]
        assert sorted(result.seat.seats) == [1, 2, 3]


async def test_settings_are_kept(tmp_path: Path, at_home: Path) -> None:
    """A setting is changed by an arrow, a name is typed; both are used afterwards, and a damaged file is ignored."""
    async with visiting(ToMenu(), here=tmp_path / "play.db") as ann:
        await ann.chooses("Settings", "enter")
        await ann.sees("At your move")  # the menu tells of the name, too
        await ann.chooses("Your name", "enter")
        await ann.sees("Your name: ")
        ann.there.press("\x15", "Zoë", "enter")
        await ann.chooses("What others do", "right")
        await ann.sees("0.8 s each")
    assert (own_name(), settings.pace()) == ("Zoë", 0.8)
    (at_home / "settings.json").write_text('{"pace": "soon"}', encoding="utf-8")
    assert settings.pace() == 0.4
    (at_home / "settings.json").write_text("[", encoding="utf-8")
    assert own_name() == login_name()


async def test_language_changes_at_once(tmp_path: Path, at_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Menus and the board behind them are in the language that is chosen, and so is the next start."""
    async with visiting(ToMenu(), here=tmp_path / "play.db", size=(120, 40), scene=scene) as ann:
        await ann.chooses("Settings", "enter")
        await ann.sees("Barents Sea")
        await ann.chooses("Language", "right", "right")
        for text in ("Langue", "Français", "Mer de Barents"):
            await ann.sees(text)
        ann.there.press("left", "left")
        for text in ("as the terminal", "Barents Sea"):
            await ann.sees(text)
        ann.there.press("left")
        await ann.sees("Sprache")
    monkeypatch.delenv(i18n.VARIABLE)
    assert settings.get("language") == "de"
    assert "Bots und Ligen" in vinci("--help")[1]


async def test_board_appears_though_the_page_that_loads_it_is_left(tmp_path: Path, at_home: Path) -> None:
    """The board stands behind the next page if it was not loaded yet when the menu was left."""
    wanted = threading.Event()

    def late() -> Scene:
        wanted.wait()
        return scene()

    async with visiting(ToMenu(), here=tmp_path / "play.db", size=(120, 40), scene=late) as ann:
        await ann.chooses("Settings", "enter")
        await ann.sees("At your move")
        wanted.set()
        await ann.sees("Barents Sea")


async def test_record_is_chosen_or_typed(tmp_path: Path, at_home: Path) -> None:
    """Records are listed newest first with names and scores; a path that is no file gets a message."""
    folder = at_home / "records"
    folder.mkdir(parents=True)
    lines = ['{"vinci": 1, "names": ["Ann", "dummy"], "seats": []}', '{"result": {"vp": [101, 64]}}']
    (folder / "k3f9xa2m.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "broken.jsonl").write_text("no record", encoding="utf-8")
    async with visiting(ToMenu(), here=tmp_path / "play.db") as ann:
        await ann.chooses("Replays", "enter")
        shown = await ann.sees("Ann 101, dummy 64")
        assert "broken" not in shown
        await ann.sees("Another file")
        await ann.chooses("Another file", "enter")
        await ann.sees("File:")
        ann.there.press("nothing.jsonl", "enter")
        await ann.sees("There is no file nothing.jsonl.")
        ann.there.press("up", "enter")
        assert await ann.session_result() == ToReplay(folder / "k3f9xa2m.jsonl")


async def test_several_names_take_several_seats(tmp_path: Path) -> None:
    """Each typed name gets a seat, as long as seats are open."""
    async with serving(tmp_path / "server.db") as (server, session):
        await create(session, HUMAN, HUMAN, DUMMY, start_when_full=True)
        async with visiting(ToMatches(address(server))) as ann:
            await ann.sees("2 seats open")
            ann.there.press("p", ", Ben, Cleo", "enter")
            await ann.sees("You are Ann, Ben, Cleo.")
            ann.there.press("enter")
            await ann.sees("fewer open seats than there are names")
            ann.there.press("p", *["backspace"] * 6, "enter")
            await ann.sees("You are Ann, Ben.")
            ann.there.press("enter")
            result = await ann.session_result()
            assert isinstance(result, ToTable)
            assert sorted(result.seat.seats) == [1, 2]


async def test_ctrl_c_leaves_every_page(tmp_path: Path) -> None:
    """Ctrl-C leaves every page and closes open connections."""
    async with serving(tmp_path / "server.db") as (server, _), visiting(ToMatches(address(server))) as ann:
        await ann.sees("There is none.")
        ann.there.press("n")
        await ann.sees("Make this match")
        ann.there.press("\x03")
        assert await ann.session_result() == Leave()


async def test_leaving_does_not_wait_for_a_silent_server(tmp_path: Path) -> None:
    """The lobby can be left while a server accepts connections but does not answer."""
    silent = await asyncio.start_server(lambda _reader, _writer: asyncio.sleep(PATIENCE * 9), "127.0.0.1", 0)
    async with visiting(ToMatches(f"127.0.0.1:{silent.sockets[0].getsockname()[1]}")) as ann:
        await ann.sees("Connecting to")
        ann.there.press("\x03")
        assert await asyncio.wait_for(ann.session_result(), PATIENCE) == Leave()
    silent.close()


async def test_truncated_long_code_is_reported_as_malformed(tmp_path: Path) -> None:
    """A long code without its last letter is reported as malformed, also at a server with TLS."""
    database = tmp_path / "server.db"
    own = certificate.own(database)
    code = join_code(database, own)
    server = await Server.start("127.0.0.1", 0, database, access=Door(code=code, certificate=own))
    try:
        async with visiting(ToMatches(address(server))) as ann:
            await ann.sees("Code:")
            ann.there.press(code[:-1], "enter")
            await ann.sees("is not a join code")
            ann.there.press(code, "enter")
            await ann.sees("There is none. Press n to make one.")
    finally:
        await server.stop()


def test_own_turns_are_told_in_the_list_and_in_the_title() -> None:
    """Own matches are marked, those that wait for a move as such; the title counts these."""
    match = lobby_pb2.Match(match_id="abc", status=lobby_pb2.MATCH_STATUS_RUNNING)
    listed = Listed("here", ["Ann"])
    assert _of_whom(match, listed) == ""
    listed.own = {"abc": (1,)}
    assert _of_whom(match, listed) == ", yours"
    listed.turns = ("abc",)
    assert _of_whom(match, listed) == ", your move"
    assert [_title(turns) for turns in (0, 1, 2)] == [
        "Vinci",
        "Vinci: your move in 1 match",
        "Vinci: your move in 2 matches",
    ]


async def test_tutorials_of_the_page_are_not_listed(tmp_path: Path) -> None:
    """Tutorials are neither among the person's own matches nor among those of others."""
    async with (
        serving(tmp_path / "server.db") as (server, session),
        Session(address(server), person_key=new_person_key()) as ann,
    ):
        usual = (await create(session, HUMAN, HUMAN, HUMAN)).match.match_id
        await session.create(tutorial.request())
        lesson = (await ann.create(tutorial.request())).match.match_id
        for match_id in (usual, lesson):
            await seat_people(ann, match_id, ["Ann"], tutorial.SEAT)
        visit = Visit(ann, lobby_pb2.GetServerInfoResponse(), "", "", "Ann")
        assert [match.match_id for match in await visit.matches()] == [usual]
        assert list(visit.own) == [usual]

"""Playing by SSH: authentication, and the page at the other end of the channel."""

import asyncio
from pathlib import Path
from typing import final

import asyncssh
import pytest
from structlog.testing import capture_logs

from tests.support.terminals.ssh_client import CODE, Card, connected, front, sits
from vinci_cli.connection import saved_seats
from vinci_cli.connection.saved_seats import SavedSeat
from vinci_cli.full.toolkit.app import App
from vinci_cli.full.toolkit.block import Block, Depth, fitted
from vinci_cli.serve.ssh.auth import BadKeys, host_key, known_keys
from vinci_cli.serve.ssh.server import name_of
from vinci_cli.text.events import pawns_text
from vinci_cli.text.i18n import language
from vinci_client.access import Access
from vinci_server.limits import Limits


async def test_a_page_fills_the_terminal_and_follows_its_size(tmp_path: Path) -> None:
    """A page is drawn in the size of the terminal elsewhere, and again when that changes."""
    async with front(tmp_path) as (_front, port), connected(port) as connection:
        seen = await sits(connection, size=(80, 24))
        await seen.until("80x24 8 bits")
        assert seen.screen.display[23].startswith("bottom")
        seen.resize(132, 40)
        await seen.until("132x40 8 bits")
        assert seen.screen.display[39].startswith("bottom")


async def test_keys_and_mouse_reach_the_page_and_leaving_ends_the_connection(tmp_path: Path) -> None:
    """Check that keys, non-ASCII letters and clicks reach the page, and leaving it ends with status 0."""
    async with front(tmp_path) as (_front, port), connected(port, "Zoë") as connection:
        seen = await sits(connection)
        await seen.until("This is Zoë.")
        seen.type("a\x1b[Aé\x1b[<0;5;5M\x1b[<0;5;5m")
        await seen.until("pressed aupéclick")
        seen.type("q")
        assert await seen.to_the_end() == 0


async def test_a_code_is_asked_for_and_must_be_right(tmp_path: Path) -> None:
    """Check that only clients with the join code are admitted, in any spelling of the code."""
    async with front(tmp_path, code=CODE) as (_front, port):
        async with connected(port, codes=["nonsense", "K3F9XA2M"]) as connection:
            await (await sits(connection)).until("This is ann.")
        for codes in (["wrong-one"] * 9, [""], []):
            with pytest.raises(asyncssh.PermissionDenied):
                async with connected(port, codes=codes):
                    pass


async def test_guessing_ends_soon_whatever_is_typed_then(tmp_path: Path) -> None:
    """After too many wrong codes from a host even the right one is not looked at; other hosts have their own tries."""
    async with front(tmp_path, code=CODE, limits=Limits(wrong_codes_per_minute=2)) as (_front, port):
        with pytest.raises(asyncssh.PermissionDenied):
            async with connected(port, codes=["wrong"] * 3):
                pass
        with pytest.raises(asyncssh.PermissionDenied):
            async with connected(port, codes=[CODE]):
                pass


async def test_a_known_key_lets_in_without_a_code(tmp_path: Path) -> None:
    """A key in the file is enough; one that is added while all goes on, too; an unknown one is worth nothing."""
    ann, ben = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
    keys = tmp_path / "keys"
    keys.write_bytes(b"# friends\n" + ann.export_public_key())
    async with front(tmp_path, code=CODE, keys=keys) as (_front, port):
        async with connected(port, key=ann) as connection:
            await (await sits(connection)).until("This is ann.")
        with pytest.raises(asyncssh.PermissionDenied):
            async with connected(port, "ben", key=ben):
                pass
        keys.write_bytes(ann.export_public_key() + ben.export_public_key())
        async with connected(port, "ben", key=ben) as connection:
            await (await sits(connection)).until("This is ben.")


async def test_seats_belong_to_a_name_and_what_proved_it(tmp_path: Path) -> None:
    """Check that saved seats belong to a name and its key; the same name without the key has none."""
    found: list[list[SavedSeat]] = []

    async def play(address: str, access: Access, name: str, invitation: str) -> None:
        found.append(saved_seats.at(address))
        saved_seats.save(SavedSeat(address, "k3f9xa2m", len(found), "token", access=access))

    key = asyncssh.generate_private_key("ssh-ed25519")
    async with front(tmp_path, play) as (_front, port):
        for name, with_key in (("ann", key), ("ann", None), ("ben", key), ("ann", key)):
            async with connected(port, name, key=with_key) as connection:
                seen = await sits(connection)
                assert await seen.to_the_end() == 0
                assert ("same key" in seen.text) == (with_key is not None)
    assert [[seat.seat for seat in seats] for seats in found] == [[], [], [], [1]]
    kept = list(tmp_path.glob("*/seats.json"))
    assert len(kept) == 3
    assert all(path.stat().st_mode & 0o077 == 0 for path in kept)


async def test_seats_are_found_again_where_the_server_is_now(tmp_path: Path) -> None:
    """The address behind the front and the code change from start to start; remembered seats go with them."""
    async with front(tmp_path) as (made, port):

        async def play(address: str, access: Access, name: str, invitation: str) -> None:
            if not saved_seats.at(address):
                saved_seats.save(SavedSeat(address, "k3f9xa2m", 1, "token"))

        made.visit = play
        async with connected(port) as connection:
            await (await sits(connection)).to_the_end()
        made.address, made.access = "elsewhere:2", Access("k3f9-xa2m")
        async with connected(port) as connection:
            await (await sits(connection)).to_the_end()
    (kept,) = tmp_path.glob("*/seats.json")
    with saved_seats.kept_in(kept.parent):
        assert [(seat.where, seat.access.code) for seat in saved_seats.load()] == [("elsewhere:2", "k3f9-xa2m")]


async def test_there_is_nothing_but_the_game(tmp_path: Path) -> None:
    """No commands, no files, no forwarding to or from anywhere."""
    async with front(tmp_path) as (_front, port), connected(port) as connection:
        for command in ("sh", "ls -l", "scp -t /tmp", "en; id", ""):
            with pytest.raises(asyncssh.ChannelOpenError):
                await sits(connection, command=command or "vinci")
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.start_sftp_client()
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.open_connection("127.0.0.1", port)
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.open_unix_connection("/run/anything")
        with pytest.raises(asyncssh.ChannelListenError):
            await connection.forward_remote_port("127.0.0.1", 0, "127.0.0.1", port)
        with pytest.raises(asyncssh.ChannelListenError):
            await connection.forward_remote_path(str(tmp_path / "socket"), "/run/anything")
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.create_process(term_type="xterm", x11_forwarding=True)


async def test_without_a_terminal_it_says_what_is_missing(tmp_path: Path) -> None:
    """`ssh -T` gets a sentence instead of a page."""
    async with front(tmp_path) as (_front, port), connected(port) as connection:
        done = await connection.run(check=False)
    assert (done.exit_status, done.stdout) == (2, "There is no terminal here to play at: ssh -t gives one.\r\n")


@pytest.mark.parametrize(
    ("env", "command", "spoken"),
    [
        ({"LANG": "fr_FR.UTF-8"}, None, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "de_AT"}, None, "de"),
        ({"LANG": "ja_JP.UTF-8"}, None, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "nl", "nl"),
        ({"VINCI_LANG": "nonsense"}, None, "en"),
    ],
)
async def test_the_language_is_that_of_the_terminal_or_a_word(
    tmp_path: Path, env: dict[str, str], command: str | None, spoken: str
) -> None:
    """Each session speaks the language of the locale that its ssh sends, or the one that is typed behind the address."""
    heard: list[str] = []

    async def listen(address: str, access: Access, name: str, invitation: str) -> None:
        heard.append(language())

    async with front(tmp_path, listen) as (_front, port), connected(port) as connection:
        await (await sits(connection, env=env, command=command)).to_the_end()
    assert heard == [spoken]


@final
class Counting(Card):
    """A card that says in words, drawn and told by a task of its own, how many keys were pressed."""

    tasks: set[asyncio.Task[None]]

    def draw(self, columns: int, rows: int, depth: Depth) -> Block:
        """The size, what the last task told, what is told now."""
        lines = [f"{columns}x{rows}", self.text, f"drawn {pawns_text(len(self.pressed))}"]
        return fitted(Block([[("", line)] for line in lines]), columns, rows)

    def press(self, key: str) -> None:
        """Count it, in the background, too."""
        self.pressed += key
        self.tasks = {asyncio.create_task(self._tell())}

    async def _tell(self) -> None:
        await asyncio.sleep(0)
        self.text = f"told {pawns_text(len(self.pressed))}"
        self.app.redraw()


async def test_two_languages_at_once_do_not_mix(tmp_path: Path) -> None:
    """Keys, windows that change, and what goes on behind a page: each session stays in its own language."""

    async def count(_address: str, _access: Access, _name: str, _invitation: str) -> None:
        async with App() as app:
            await app.show(Counting(app))

    async with front(tmp_path, count) as (_front, port), connected(port) as one, connected(port, "ben") as other:
        french, german = await sits(one, env={"LANG": "fr_FR.UTF-8"}), await sits(other, command="de")
        for number, keys in ((2, "aa"), (5, "bbb")):
            for seen, pawns in ((french, "pions"), (german, "Steine")):
                seen.type(keys)
                await seen.until(f"told {number} {pawns}")
                seen.resize(80 + number, 24)
                await seen.until(f"{80 + number}x24")
                assert f"drawn {number} {pawns}" in seen.text


@pytest.mark.parametrize(
    ("term", "env", "bits"),
    [
        ("xterm-256color", {}, 8),
        ("xterm-256color", {"COLORTERM": "truecolor"}, 24),
        ("xterm-direct", {}, 24),
        ("linux", {}, 4),
        ("vt100", {}, 1),
        ("xterm-256color", {"NO_COLOR": "1", "COLORTERM": "truecolor"}, 1),
        ("\x1b[2J../../etc/%s" * 50, {}, 8),
    ],
)
async def test_colours_are_those_of_the_terminal(tmp_path: Path, term: str, env: dict[str, str], bits: int) -> None:
    """The type of the terminal says how many colours there are, or the variables that its ssh sends."""
    async with front(tmp_path) as (_front, port), connected(port) as connection:
        await (await sits(connection, term=term, env=env)).until(f" {bits} bits")


@pytest.mark.parametrize(("size", "drawn"), [((0, 0), "80x24"), ((4_000_000_000, 4_000_000_000), "300x100")])
async def test_impossible_sizes_are_made_possible(tmp_path: Path, size: tuple[int, int], drawn: str) -> None:
    """A terminal without a size gets the usual one, and an endless one is not filled."""
    async with front(tmp_path) as (_front, port), connected(port) as connection:
        await (await sits(connection, size=size)).until(drawn)


async def test_a_lost_connection_ends_the_visit_and_is_no_error(tmp_path: Path) -> None:
    """Check that a lost connection cancels the visit and is logged at level info."""
    gone = asyncio.Event()

    async def wait(address: str, access: Access, name: str, invitation: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            gone.set()

    with capture_logs() as logs:
        async with front(tmp_path, wait) as (made, port):
            async with connected(port) as connection:
                await sits(connection)
            async with asyncio.timeout(20):
                await gone.wait()
                while made.connections:
                    await asyncio.sleep(0.01)
    assert [(entry["event"], entry["log_level"]) for entry in logs] == [("ssh: came", "info"), ("ssh: went", "info")]


async def test_a_terminal_that_does_not_read_keeps_nothing_waiting(tmp_path: Path) -> None:
    """Pictures that a slow terminal has no time for are left out; when it reads again it sees the latest one."""
    pictures = 40
    drawn = asyncio.Event()

    @final
    class Flicker(Card):
        """A page that draws a full screen, each time another one."""

        number = 0

        def draw(self, columns: int, rows: int, depth: Depth) -> Block:
            self.number += 1
            if self.number < pictures:
                self.app.redraw()
            else:
                drawn.set()
            letter = chr(ord("a") + min(self.number, pictures) % 26)
            return fitted(Block([[("", letter * columns)] for _ in range(rows)]), columns, rows)

    async def show(address: str, access: Access, name: str, invitation: str) -> None:
        async with App() as app:
            await app.show(Flicker(app))

    sent = 0

    async with front(tmp_path, show) as (_front, port), connected(port) as connection:
        seen = await sits(connection, size=(200, 50))
        seen.process.channel.pause_reading()
        await asyncio.wait_for(drawn.wait(), 60)
        seen.process.channel.resume_reading()
        last = chr(ord("a") + pictures % 26)
        await seen.until(f"{last * 200}\n{last * 200}")
        seen.type("q")
        await seen.to_the_end()
        sent = seen.bytes
    assert sent < pictures * 200 * 50 / 2


async def test_a_long_paste_does_not_stop_the_front(tmp_path: Path) -> None:
    """Somebody who pastes a book is let be, and others are served meanwhile."""
    async with front(tmp_path) as (_front, port), connected(port) as connection, connected(port, "ben") as other:
        seen = await sits(connection)
        await seen.until("This is ann.")
        seen.type("x" * 300_000)
        await (await sits(other)).until("This is ben.")
        seen.process.close()


async def test_when_the_server_stops_everybody_is_told(tmp_path: Path) -> None:
    """A stop is announced in plain text and in their language, after the full screen is left."""
    async with front(tmp_path) as (made, port), connected(port) as connection:
        seen = await sits(connection, env={"LANG": "de"})
        await seen.until("This is ann.")
        await made.close()
        assert await seen.to_the_end() == 0
        assert "Der Server hält an. Das Spiel geht weiter, wenn er wieder da ist." in seen.text


async def test_a_fault_is_logged_and_told_as_one_sentence(tmp_path: Path) -> None:
    """The person sees no traceback; the log has it."""

    async def fail(address: str, access: Access, name: str, invitation: str) -> None:
        raise RuntimeError("deep inside")

    with capture_logs() as logs:
        async with front(tmp_path, fail) as (_front, port), connected(port) as connection:
            seen = await sits(connection)
            assert await seen.to_the_end() == 0
    assert "Something went wrong here" in seen.text
    assert "deep inside" not in seen.text
    assert [entry["event"] for entry in logs if entry["log_level"] == "error"] == ["ssh: a session failed"]


async def test_only_so_many_can_play_at_once(tmp_path: Path) -> None:
    """One session too many is refused; when somebody leaves there is room again."""
    async with front(tmp_path, limits=Limits(streams=1)) as (_front, port), connected(port) as connection:
        first = await sits(connection)
        with pytest.raises(asyncssh.ChannelOpenError, match="come back later"):
            await sits(connection)
        await first.until("This is ann.")
        first.type("q")
        await first.to_the_end()


async def test_a_connection_has_two_sessions_at_most(tmp_path: Path) -> None:
    """A third is refused with the limit; when one of them ends there is room again."""
    async with front(tmp_path) as (_front, port), connected(port) as connection:
        sessions = [await sits(connection) for _ in range(2)]
        with pytest.raises(asyncssh.ChannelOpenError, match="a connection has 2 sessions at most"):
            await sits(connection)
        await sessions[0].until("This is ann.")
        sessions[0].type("q")
        await sessions[0].to_the_end()
        await (await sits(connection)).until("This is ann.")


async def test_who_knocks_too_often_has_to_wait(tmp_path: Path) -> None:
    """Connections from one host are let through a few a second."""
    async with front(tmp_path, limits=Limits(calls_per_second=1)) as (_front, port):
        for _ in range(5):
            async with connected(port):
                pass
        with pytest.raises((asyncssh.Error, OSError)):
            async with connected(port):
                pass


def test_names_are_made_fit_for_the_table() -> None:
    """A login can be anything; a name is one line that a server takes."""
    assert name_of("  ann\tof\x1b[2J ") == "ann of [2J"
    assert name_of("x" * 100) == "x" * 32


def test_the_host_key_is_made_once_and_for_nobody_else(tmp_path: Path) -> None:
    """The key stays the same, in a file that others cannot read; something else in the file is refused."""
    database = tmp_path / "server.db"
    fingerprint = host_key(database).get_fingerprint()
    path = tmp_path / "server.ssh"
    assert path.stat().st_mode & 0o777 == 0o600
    assert host_key(database).get_fingerprint() == fingerprint
    path.write_text("nonsense")
    with pytest.raises(BadKeys, match=r"server\.ssh holds no private key"):
        host_key(database)


def test_a_file_without_public_keys_is_refused(tmp_path: Path) -> None:
    """A file that is missing, or holds anything else, is named."""
    path = tmp_path / "keys"
    with pytest.raises(BadKeys, match="cannot be read"):
        known_keys(path)
    path.write_text("hello\n")
    with pytest.raises(BadKeys, match="holds no public keys"):
        known_keys(path)

"""Playing over SSH: authentication, and pages in the terminal of the client."""

import asyncio
from pathlib import Path
from typing import final

import asyncssh
import pytest
from structlog.testing import capture_logs

from tests.support.terminals.ssh_client import CODE, CardPage, connected, front, sits
from vinci_cli import home
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


async def test_page_fills_the_terminal_and_follows_its_size(tmp_path: Path) -> None:
    """A page is drawn in the size of the client's terminal, and again when that changes."""
    async with front(tmp_path) as (_front, port), connected(port) as connection:
        seen = await sits(connection, size=(80, 24))
        await seen.until("80x24 8 bits")
        assert seen.screen.display[23].startswith("bottom")
        seen.resize(132, 40)
        await seen.until("132x40 8 bits")
        assert seen.screen.display[39].startswith("bottom")


async def test_keys_and_mouse_reach_the_page(tmp_path: Path) -> None:
    """Keys, non-ASCII letters and clicks reach the page, and leaving it ends the session with status 0."""
    async with front(tmp_path) as (_front, port), connected(port, "Zoë") as connection:
        seen = await sits(connection)
        await seen.until("This is Zoë.")
        seen.type("a\x1b[Aé\x1b[<0;5;5M\x1b[<0;5;5m")
        await seen.until("pressed aupéclick")
        seen.type("q")
        assert await seen.to_the_end() == 0


async def test_join_code_is_required(tmp_path: Path) -> None:
    """Only clients with the join code are admitted, in any spelling of the code."""
    async with front(tmp_path, code=CODE) as (_front, port):
        async with connected(port, codes=["nonsense", "K3F9XA2M"]) as connection:
            await (await sits(connection)).until("This is ann.")
        for codes in (["wrong-one"] * 9, [""], []):
            with pytest.raises(asyncssh.PermissionDenied):
                async with connected(port, codes=codes):
                    pass


async def test_wrong_passwords_are_limited_per_host(tmp_path: Path) -> None:
    """After too many wrong passwords from a host even the right one is refused; after wrong codes it is not."""
    limits = Limits(wrong_codes_per_minute=2)
    async with (
        front(tmp_path, code=CODE, limits=limits) as (_, with_code),
        front(tmp_path, password=CODE, limits=limits) as (_, with_password),
    ):
        for port in (with_code, with_password):
            with pytest.raises(asyncssh.PermissionDenied):
                async with connected(port, codes=["wrong"] * 3):
                    pass
        async with connected(with_code, codes=[CODE]) as connection:
            await (await sits(connection)).until("This is ann.")
        with pytest.raises(asyncssh.PermissionDenied):
            async with connected(with_password, codes=[CODE]):
                pass


async def test_known_key_needs_no_code(tmp_path: Path) -> None:
    """A public key in the file gives access, also one added later; an unknown key does not."""
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


async def test_saved_seats_belong_to_a_name_and_its_key(tmp_path: Path) -> None:
    """The same name without the key has no access to the saved seats."""
    collected: list[list[SavedSeat]] = []

    async def play(address: str, access: Access, name: str, invitation: str) -> None:
        collected.append(saved_seats.at(address))
        saved_seats.save(SavedSeat(address, "k3f9xa2m", len(collected), "token", access=access))

    key = asyncssh.generate_private_key("ssh-ed25519")
    async with front(tmp_path, play) as (_front, port):
        for name, with_key in (("ann", key), ("ann", None), ("ben", key), ("ann", key)):
            async with connected(port, name, key=with_key) as connection:
                seen = await sits(connection)
                assert await seen.to_the_end() == 0
                assert ("same key" in seen.text) == (with_key is not None)
    assert [[seat.seat for seat in seats] for seats in collected] == [[], [], [], [1]]
    seat_files = list(tmp_path.glob("*/seats.json"))
    assert len(seat_files) == 3
    assert all(path.stat().st_mode & 0o077 == 0 for path in seat_files)


async def test_saved_seats_survive_a_new_port_and_code(tmp_path: Path) -> None:
    """Saved seats are found again although port and code of the server change at each start."""
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
    (seat_file,) = tmp_path.glob("*/seats.json")
    with home.kept_in(seat_file.parent):
        assert [(seat.where, seat.access.code) for seat in saved_seats.load()] == [("elsewhere:2", "k3f9-xa2m")]


async def test_no_commands_files_or_forwarding(tmp_path: Path) -> None:
    """Commands, file transfer and forwarding are refused."""
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


async def test_session_without_terminal_is_refused(tmp_path: Path) -> None:
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
async def test_language_follows_the_locale_or_a_word(
    tmp_path: Path, env: dict[str, str], command: str | None, spoken: str
) -> None:
    """The language is that of the locale sent by ssh, or the word typed after the address."""
    heard: list[str] = []

    async def listen(address: str, access: Access, name: str, invitation: str) -> None:
        heard.append(language())

    async with front(tmp_path, listen) as (_front, port), connected(port) as connection:
        await (await sits(connection, env=env, command=command)).to_the_end()
    assert heard == [spoken]


@final
class CountingPage(CardPage):
    """A page whose background task describes in words how many keys were pressed."""

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
        self.text = f"answer {pawns_text(len(self.pressed))}"
        self.app.redraw()


async def test_concurrent_sessions_keep_their_languages(tmp_path: Path) -> None:
    """Keys, resizes and background tasks of each session use its own language."""

    async def count(_address: str, _access: Access, _name: str, _invitation: str) -> None:
        async with App() as app:
            await app.show(CountingPage(app))

    async with front(tmp_path, count) as (_front, port), connected(port) as one, connected(port, "ben") as other:
        french, german = await sits(one, env={"LANG": "fr_FR.UTF-8"}), await sits(other, command="de")
        for number, keys in ((2, "aa"), (5, "bbb")):
            for seen, pawns in ((french, "pions"), (german, "Steine")):
                seen.type(keys)
                await seen.until(f"answer {number} {pawns}")
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
async def test_colour_depth_of_the_terminal(tmp_path: Path, term: str, env: dict[str, str], bits: int) -> None:
    """The colour depth follows from the terminal type or the variables sent by ssh."""
    async with front(tmp_path) as (_front, port), connected(port) as connection:
        await (await sits(connection, term=term, env=env)).until(f" {bits} bits")


@pytest.mark.parametrize(("size", "drawn"), [((0, 0), "80x24"), ((4_000_000_000, 4_000_000_000), "300x100")])
async def test_invalid_terminal_sizes_are_replaced(tmp_path: Path, size: tuple[int, int], drawn: str) -> None:
    """A terminal without a size gets the default, and a very large one is limited."""
    async with front(tmp_path) as (_front, port), connected(port) as connection:
        await (await sits(connection, size=size)).until(drawn)


async def test_lost_connection_cancels_the_session(tmp_path: Path) -> None:
    """A lost connection cancels the session and is logged at level info."""
    cancelled = asyncio.Event()

    async def wait(address: str, access: Access, name: str, invitation: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    with capture_logs() as logs:
        async with front(tmp_path, wait) as (made, port):
            async with connected(port) as connection:
                await sits(connection)
            async with asyncio.timeout(20):
                await cancelled.wait()
                while made.connections:
                    await asyncio.sleep(0.01)
    assert [(entry["event"], entry["log_level"]) for entry in logs] == [("ssh: came", "info"), ("ssh: went", "info")]


async def test_slow_terminal_skips_frames(tmp_path: Path) -> None:
    """Frames that a slow terminal cannot read are skipped; it gets the latest one."""
    pictures = 40
    drawn = asyncio.Event()

    @final
    class FlickeringPage(CardPage):
        """A page that draws a different full screen each time."""

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
            await app.show(FlickeringPage(app))

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


async def test_long_paste_does_not_block_other_sessions(tmp_path: Path) -> None:
    """A very long paste neither ends its session nor delays others."""
    async with front(tmp_path) as (_front, port), connected(port) as connection, connected(port, "ben") as other:
        seen = await sits(connection)
        await seen.until("This is ann.")
        seen.type("x" * 300_000)
        await (await sits(other)).until("This is ben.")
        seen.process.close()


async def test_stop_is_announced_to_all_sessions(tmp_path: Path) -> None:
    """A stop is announced in plain text in the language of each session, after the full screen ends."""
    async with front(tmp_path) as (made, port), connected(port) as connection:
        seen = await sits(connection, env={"LANG": "de"})
        await seen.until("This is ann.")
        await made.close()
        assert await seen.to_the_end() == 0
        assert "Der Server wird beendet. Das Spiel geht weiter, wenn er wieder da ist." in seen.text


async def test_internal_error_is_logged_and_shown_as_one_sentence(tmp_path: Path) -> None:
    """The player sees no traceback; the log has it."""

    async def fail(address: str, access: Access, name: str, invitation: str) -> None:
        raise RuntimeError("deep inside")

    with capture_logs() as logs:
        async with front(tmp_path, fail) as (_front, port), connected(port) as connection:
            seen = await sits(connection)
            assert await seen.to_the_end() == 0
    assert "Something went wrong here" in seen.text
    assert "deep inside" not in seen.text
    assert [entry["event"] for entry in logs if entry["log_level"] == "error"] == ["ssh: a session failed"]


async def test_number_of_sessions_is_limited(tmp_path: Path) -> None:
    """One session too many is refused; there is room again when one ends."""
    async with front(tmp_path, limits=Limits(streams=1)) as (_front, port), connected(port) as connection:
        first = await sits(connection)
        with pytest.raises(asyncssh.ChannelOpenError, match="come back later"):
            await sits(connection)
        await first.until("This is ann.")
        first.type("q")
        await first.to_the_end()


async def test_sessions_per_connection_are_limited_to_two(tmp_path: Path) -> None:
    """A third session is refused with the limit; there is room again when one ends."""
    async with front(tmp_path) as (_front, port), connected(port) as connection:
        sessions = [await sits(connection) for _ in range(2)]
        with pytest.raises(asyncssh.ChannelOpenError, match="a connection has 2 sessions at most"):
            await sits(connection)
        await sessions[0].until("This is ann.")
        sessions[0].type("q")
        await sessions[0].to_the_end()
        await (await sits(connection)).until("This is ann.")


async def test_connections_per_host_and_second_are_limited(tmp_path: Path) -> None:
    """Only a few connections a second from one host are accepted."""
    async with front(tmp_path, limits=Limits(calls_per_second=1)) as (_front, port):
        for _ in range(5):
            async with connected(port):
                pass
        with pytest.raises((asyncssh.Error, OSError)):
            async with connected(port):
                pass


def test_login_is_adjusted_to_the_rules_for_names() -> None:
    """A login can be anything; the name is one line that a server accepts."""
    assert name_of("  ann\tof\x1b[2J ") == "ann of [2J"
    assert name_of("x" * 100) == "x" * 32


def test_host_key_is_created_once_and_private(tmp_path: Path) -> None:
    """The key stays the same in a private file; a file with other contents is refused."""
    database = tmp_path / "server.db"
    fingerprint = host_key(database).get_fingerprint()
    path = tmp_path / "server.ssh"
    assert path.stat().st_mode & 0o777 == 0o600
    assert host_key(database).get_fingerprint() == fingerprint
    path.write_text("nonsense")
    with pytest.raises(BadKeys, match=r"server\.ssh holds no private key"):
        host_key(database)


def test_invalid_file_of_public_keys_is_refused(tmp_path: Path) -> None:
    """A missing file, or one without public keys, is named."""
    path = tmp_path / "keys"
    with pytest.raises(BadKeys, match="cannot be read"):
        known_keys(path)
    path.write_text("hello\n")
    with pytest.raises(BadKeys, match="holds no public keys"):
        known_keys(path)

"""`vinci serve --ssh` and the `ssh` that everybody has."""

import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import termios
import time
from fcntl import ioctl
from pathlib import Path
from typing import Final, final

import pyte
import pytest
from end_to_end.processes import LIMIT, Vinci, children, environment, fails, is_running, server, until

pytestmark = pytest.mark.skipif(shutil.which("ssh") is None, reason="needs ssh")

QUIET: Final = ("-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "LogLevel=ERROR", "-o", "IdentityAgent=none")


@final
class Ssh:
    """`ssh` in a terminal of pyte. Killed when the test leaves it."""

    def __init__(self, home: Path, port: int, *arguments: str, columns: int = 80, rows: int = 24) -> None:
        known = ("-o", f"UserKnownHostsFile={home / 'known_hosts'}", "-o", "SendEnv=LANG")
        self._master, slave = pty.openpty()
        self.screen: Final = pyte.Screen(columns, rows)
        self._stream: Final = pyte.ByteStream(self.screen)
        self.resize(columns, rows)
        self._process: Final = subprocess.Popen(
            ["ssh", *QUIET, *known, "-p", str(port), *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**environment(home), "TERM": "xterm-256color", "LANG": "en_GB.UTF-8", "HOME": str(home)},
            start_new_session=True,
            preexec_fn=lambda: ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)

    def __enter__(self) -> "Ssh":
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)

    @property
    def text(self) -> str:
        """The screen."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def until(self, text: str) -> None:
        """Read on until this is on the screen."""
        deadline = time.monotonic() + LIMIT
        while text not in self.text:
            assert time.monotonic() < deadline, f"no {text!r} in time:\n{self.text}"
            assert self._read(), f"it ended without {text!r}:\n{self.text}"

    def ended(self) -> int:
        """Read to the end; the status."""
        while self._read():
            pass
        return self._process.wait(LIMIT)

    def type(self, text: str) -> None:
        """Type."""
        os.write(self._master, text.encode())

    def resize(self, columns: int, rows: int) -> None:
        """Drag the window to another size."""
        self.screen.resize(rows, columns)
        ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def _read(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], 0.2)
        try:
            data = os.read(self._master, 65536) if ready else b""
        except OSError:  # the other side has closed
            return False
        self._stream.feed(data.replace(b"\x1b[>", b"\x1b["))
        return bool(ready) or self._process.poll() is None


def _port(process: Vinci) -> int:
    return int(process.line("ssh -p ").split()[0])


def test_whoever_has_only_ssh_plays(tmp_path: Path) -> None:
    """ssh asks for the code; from the lobby it goes to the table; whoever is cut off finds the seat again."""
    table = ("--players", "human,dummy,dummy", "--board", "tiny", "--seed", "ssh")
    with server(tmp_path, "--ssh", "0", "--code", *table) as (process, address):
        match = process.line("Match ").split()[0]
        port = _port(process)
        assert process.line("it is ").startswith("SHA256:")
        code = (tmp_path / "server.code").read_text().strip()

        def come_in(ssh: Ssh) -> None:
            ssh.until("Join code:")
            ssh.type(f"{code}\n")
            ssh.until(f"matches of {address.replace('127.0.0.1', 'localhost')}")
            ssh.until(match)

        with Ssh(tmp_path, port, "ann@127.0.0.1") as ssh:
            come_in(ssh)
            ssh.resize(120, 40)
            ssh.until("┐┌─ About it")
            ssh.type("\r")
            ssh.until("ann (you)")
        with Ssh(tmp_path, port, "ann@127.0.0.1") as ssh:
            come_in(ssh)
            ssh.until("yours")
            ssh.type("\r")
            ssh.until("ann (you)")
            process.send(signal.SIGTERM)
            ssh.until("The server stops.")
            assert ssh.ended() == 0
        assert process.ended() == 0


def test_ssh_gives_no_shell(tmp_path: Path) -> None:
    """Neither a command, nor files, nor a way to anywhere."""
    with server(tmp_path, "--ssh", "0") as (process, _address):
        port = _port(process)
        for arguments in (
            ["ann@127.0.0.1", "id"],
            ["-W", "127.0.0.1:22", "ann@127.0.0.1"],
            ["-s", "ann@127.0.0.1", "sftp"],
        ):
            with Ssh(tmp_path, port, *arguments) as ssh:
                assert ssh.ended() == 255, ssh.text


def test_the_front_is_started_again_and_ends_with_the_server(tmp_path: Path) -> None:
    """When its process dies people come in again at the same port; it never outlives the server."""
    with server(tmp_path, "--ssh", "0", "--players", "human,human,dummy") as (process, _address):
        match = process.line("Match ").split()[0]
        port = _port(process)
        (front,) = children(process.pid)
        os.kill(front, signal.SIGKILL)
        until(lambda: [child for child in children(process.pid) if child != front] != [], "another front")
        (front,) = [child for child in children(process.pid) if child != front]

        def lets_in() -> bool:
            with Ssh(tmp_path, port, "ann@127.0.0.1") as ssh:
                try:
                    ssh.until(match)
                except AssertionError:
                    return False
                return True

        until(lets_in, "the way in")
        process.kill()
        until(lambda: not is_running(front), "the end of the front")


def test_what_cannot_be_served_is_told(tmp_path: Path) -> None:
    """A port in use, and a file without keys."""
    database = str(tmp_path / "server.db")
    keys = tmp_path / "keys"
    keys.write_text("nonsense\n")
    with server(tmp_path, "--ssh", "0") as (process, _address):
        port = str(_port(process))
        other = str(tmp_path / "other.db")
        assert f":{port}: Address already in use" in fails(
            tmp_path, "serve", "--port", "0", "--db", other, "--ssh", port
        )
    said = fails(tmp_path, "serve", "--port", "0", "--db", database, "--ssh", "0", "--ssh-keys", str(keys))
    assert "holds no public keys" in said

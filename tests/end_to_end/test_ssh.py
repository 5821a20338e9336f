"""`vinci serve --ssh` with the OpenSSH client."""

import os
import shutil
import signal
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Final

import psutil
import pytest

from tests.support.processes.vinci_process import Vinci, children, fails, is_running, server, until
from tests.support.terminals.real_terminals import Pty

pytestmark = pytest.mark.skipif(shutil.which("ssh") is None, reason="needs ssh")

OPTIONS: Final = ("StrictHostKeyChecking=no", "LogLevel=ERROR", "IdentityAgent=none", "SendEnv=LANG")


def ssh_to(home: Path, port: int, *arguments: str) -> Pty:
    """`ssh` in a terminal."""
    options = [f"-o{option}" for option in (*OPTIONS, f"UserKnownHostsFile={home / 'known_hosts'}")]
    return Pty(home, ["ssh", "-F", "none", *options, "-p", str(port), *arguments])


def _port(process: Vinci) -> int:
    return int(process.line("ssh -p ").split()[0])


def test_game_with_ssh_only(tmp_path: Path) -> None:
    """ssh asks for the code; the lobby leads to the table; after a cut connection the seat is found again."""
    table = ("--players", "human,dummy,dummy", "--board", "tiny", "--seed", "ssh")
    with server(tmp_path, "--ssh", "0", "--code", *table) as (process, address):
        match = process.line("Match ").split()[0]
        port = _port(process)
        assert process.line("it is ").startswith("SHA256:")
        code = (tmp_path / "server.code").read_text().strip()

        def come_in(ssh: Pty) -> None:
            ssh.until("Join code:")
            ssh.press(f"{code}\n")
            ssh.until(f"matches of {address.replace('127.0.0.1', 'localhost')}")
            ssh.until(match)

        with ssh_to(tmp_path, port, "ann@127.0.0.1") as ssh:
            come_in(ssh)
            ssh.resize(120, 40)
            ssh.until("┐┌─ About it")
            ssh.press("\r")
            ssh.until("ann (you)")
        with ssh_to(tmp_path, port, "ann@127.0.0.1") as ssh:
            come_in(ssh)
            ssh.until("your move")
            ssh.press("\r")
            ssh.until("ann (you)")
            process.send(signal.SIGTERM)
            ssh.until("The server stops.")
            assert ssh.ended() == 0
        assert process.ended() == 0


@pytest.mark.parametrize(
    ("options", "letters", "asked"),
    [
        (("--code",), 9, "Join code:"),
        (("--tls",), 29, "Join code:"),
        (("--tls",), 9, "Join code:"),
        (("--password", "open sesame"), 0, "Password:"),
        ((), 0, ""),
    ],
    ids=["code", "tls", "tls-short-code", "password", "open"],
)
def test_ssh_works_with_every_kind_of_access_control(
    tmp_path: Path, options: tuple[str, ...], letters: int, asked: str
) -> None:
    """The SSH front end uses a loopback port of the server without TLS; the code may be typed with or without fingerprint."""
    with server(tmp_path, "--ssh", "0", *options, "--players", "human,dummy,dummy") as (process, _address):
        match = process.line("Match ").split()[0]
        if "--tls" in options:
            secret = process.line("--code ")[:letters]
        elif letters:
            secret = (tmp_path / "server.code").read_text().strip()
        else:
            secret = "open sesame"
        port = _port(process)
        with ssh_to(tmp_path, port, "ann@127.0.0.1") as ssh:
            if asked:
                ssh.until(asked)
                ssh.press(f"{secret}\n")
            ssh.until(match)


def test_ssh_gives_no_shell(tmp_path: Path) -> None:
    """Commands, file transfer and forwarding are refused."""
    with server(tmp_path, "--ssh", "0") as (process, _address):
        port = _port(process)
        for arguments in (
            ["ann@127.0.0.1", "id"],
            ["-W", "127.0.0.1:22", "ann@127.0.0.1"],
            ["-s", "ann@127.0.0.1", "sftp"],
        ):
            with ssh_to(tmp_path, port, *arguments) as ssh:
                assert ssh.ended() == 255, ssh.text()


def test_front_end_is_restarted_and_ends_with_the_server(tmp_path: Path) -> None:
    """A killed SSH front end is restarted at the same port and exits with the server."""
    with server(tmp_path, "--ssh", "0", "--players", "human,human,dummy") as (process, _address):
        match = process.line("Match ").split()[0]
        port = _port(process)
        (front,) = children(process.pid)
        os.kill(front, signal.SIGKILL)
        until(lambda: [child for child in children(process.pid) if child != front] != [], "another front")
        (front,) = [child for child in children(process.pid) if child != front]

        def lets_in() -> bool:
            with ssh_to(tmp_path, port, "ann@127.0.0.1") as ssh:
                try:
                    ssh.until(match)
                except AssertionError:
                    return False
                return True

        until(lets_in, "the way in")
        process.kill()
        until(lambda: not is_running(front), "the end of the front")


def test_memory_of_a_session(tmp_path: Path) -> None:
    """Three further sessions at 160x50 with the whole board need little memory, those after the tenth nearly none."""
    with server(tmp_path, "--ssh", "0", "--players", "human,dummy,dummy") as (process, _address):
        match = process.line("Match ").split()[0]
        port = _port(process)
        (front,) = children(process.pid)

        def people(names: Sequence[str]) -> int:
            """Return the memory of the front end in bytes while people of these names play or watch."""
            with ExitStack() as stack:
                for name in names:
                    ssh = stack.enter_context(ssh_to(tmp_path, port, f"{name}@127.0.0.1"))
                    ssh.resize(160, 50)
                    ssh.until(match)
                    ssh.press("\r")
                    ssh.until("Eastern Mediterranean")
                return psutil.Process(front).memory_info().rss

        one = people(["ann"])
        first, *rounds = (people(["ann", "ben", "cem", "dan"]) for _ in range(7))
        assert (first - one) / 3 < 6_000_000
        # One round may take a block from the system that later ones use; a leak of 500 kB a session shows in each.
        assert min(later - earlier for earlier, later in pairwise(rounds)) / 4 < 500_000


def test_port_in_use_and_invalid_keys_are_reported(tmp_path: Path) -> None:
    """A port in use, or a file without keys, is named."""
    database = str(tmp_path / "server.db")
    keys = tmp_path / "keys"
    keys.write_text("nonsense\n")
    with server(tmp_path, "--ssh", "0") as (process, _address):
        port = str(_port(process))
        other = str(tmp_path / "other.db")
        assert f":{port}: Address already in use" in fails(
            tmp_path, "serve", "--port", "0", "--db", other, "--ssh", port
        )
    output = fails(tmp_path, "serve", "--port", "0", "--db", database, "--ssh", "0", "--ssh-keys", str(keys))
    assert "holds no public keys" in output

"""Network discovery: a server on one machine, clients that search for it on another."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from tests.support.network.namespaces import two_machines
from tests.support.processes.vinci_process import Vinci

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="network namespaces are of Linux")

PLAYERS = ("--board", "tiny", "--players", "human,human,dummy")


def listed_servers(home: Path, machine: Sequence[str], until: Callable[[list[Any]], bool]) -> list[Any]:
    """Run `vinci join --list --json` until its servers are as expected, up to 10 times, and return them."""
    for _ in range(10):
        with Vinci(home, "join", "--list", "--json", under=machine) as listing:
            assert listing.ended() == 0
        servers = [json.loads(line) for line in listing.out.splitlines()]
        if until(servers):
            return servers
    raise AssertionError(f"not as expected: {servers}")


@pytest.mark.parametrize(
    ("host", "addresses"),
    [
        pytest.param("0.0.0.0", ["10.7.0.{}/24"], id="IPv4"),
        pytest.param("::", ["fd07::{}/64"], id="IPv6"),
        pytest.param("::", ["10.7.0.{}/24", "fd07::{}/64"], id="both", marks=pytest.mark.slow),
    ],
)
def test_server_is_found_on_another_machine(tmp_path: Path, host: str, addresses: list[str]) -> None:
    """The result has name, version, address and open seats, follows changes, and a stopped server disappears."""
    with two_machines(*addresses) as (here, there):
        serve = ("serve", "--host", host, "--port", "7000", "--db", str(tmp_path / "s.db"), "--name", " Friday  table ")
        with Vinci(tmp_path, *serve, *PLAYERS, under=here) as server:
            server.expect("as 'Friday table'")
            (seen,) = listed_servers(tmp_path, there, lambda servers: len(servers) == 1)
            address = "[fd07::1]:7000" if addresses[0].startswith("fd07") else "10.7.0.1:7000"
            assert seen == {
                "name": "Friday table",
                "address": address,
                "version": version("vinci-server"),
                "seats": 2,
                "open": 1,
                "running": 0,
                "access": "open",
                "tls": False,
            }
            with Vinci(tmp_path, "join", seen["address"], "--line", under=there, typed=True) as joining:
                joining.expect("Waiting for players at seat 2.")
                listed_servers(tmp_path, there, lambda servers: [one["seats"] for one in servers] == [1])
                with Vinci(tmp_path, "join", seen["address"], "--line", "--seat", "2", under=there, typed=True) as last:
                    last.expect("seat 2. Type help")
                    listed_servers(
                        tmp_path, there, lambda servers: [(one["seats"], one["running"]) for one in servers] == [(0, 1)]
                    )
            server.send(signal.SIGTERM)
            assert server.ended() == 0
            assert "not announced" not in server.err
        listed_servers(tmp_path, there, lambda servers: servers == [])


def test_two_servers_with_equal_names_are_both_found(tmp_path: Path) -> None:
    """Servers on one machine have one address and two ports."""
    with two_machines("10.7.0.{}/24") as (here, there):
        serve = ("serve", "--lan", "--name", "Club")
        with (
            Vinci(tmp_path, *serve, "--db", str(tmp_path / "a.db"), "--port", "7000", under=here),
            Vinci(tmp_path, *serve, "--db", str(tmp_path / "b.db"), "--port", "7001", under=here),
        ):
            servers = listed_servers(tmp_path, there, lambda servers: len(servers) == 2)
            assert [(server["name"], server["address"]) for server in servers] == [
                ("Club", "10.7.0.1:7000"),
                ("Club", "10.7.0.1:7001"),
            ]


def test_unannounced_server_is_not_found(tmp_path: Path) -> None:
    """A server with --no-announce, or on the loopback interface, is not found while another one is."""
    with two_machines("10.7.0.{}/24") as (here, there), ExitStack() as stack:
        for options in (["--lan", "--no-announce"], ["--port", "7001"], ["--lan", "--port", "7002"]):
            serve = ("serve", *options, "--db", str(tmp_path / f"{len(options)}{options[-1]}.db"))
            stack.enter_context(Vinci(tmp_path, *serve, under=here)).expect("listening on ")
        (seen,) = listed_servers(tmp_path, there, bool)
        assert seen["address"] == "10.7.0.1:7002"


def test_server_started_before_the_network_is_found_later(tmp_path: Path) -> None:
    """A server that starts with the machine may be faster than the network."""
    serve = ("serve", "--lan", "--db", str(tmp_path / "server.db"))
    with two_machines() as (here, there), Vinci(tmp_path, *serve, under=here) as server:
        server.expect("listening on ")
        assert listed_servers(tmp_path, there, lambda servers: servers == []) == []
        for machine, link, number in ((here, "left", 1), (there, "right", 2)):
            subprocess.run([*machine, "ip", "address", "add", f"10.7.0.{number}/24", "dev", link], check=True)
        (seen,) = listed_servers(tmp_path, there, bool)
        assert seen["address"] == "10.7.0.1:7654"

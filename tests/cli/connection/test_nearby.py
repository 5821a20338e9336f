"""Servers to choose from: the one of this machine is among those of the network, once."""

from collections.abc import Sequence
from ipaddress import ip_interface
from pathlib import Path
from typing import Final

import pytest

from tests.support.server.in_process import DUMMY, HUMAN, address, create, serving
from vinci_cli.connection import nearby, served
from vinci_client import discovery
from vinci_client.discovery import FoundServer, SearchFailed
from vinci_server.app import Server
from vinci_server.rpc.access import ServerAccess

LOCAL: Final = FoundServer("this machine", served.USUAL, "0.2.0", 0, 0, 0, "open", tls=False)
ELSEWHERE: Final = FoundServer("Friday", "192.168.1.5:7654", "0.2.0", 2, 1, 0, "open", tls=False)
ANNOUNCED: Final = FoundServer("Ann's", "192.168.1.2:7654", "0.2.0", 2, 1, 0, "open", tls=False)


async def test_server_here_is_described(tmp_path: Path) -> None:
    """Its open seats and matches are counted; nothing is there once it has stopped."""
    async with serving(tmp_path / "server.db") as (server, session):
        await create(session, HUMAN, HUMAN, DUMMY)
        found = await nearby.on_this_machine(address(server))
        assert found is not None
        assert (found.address, found.seats, found.open, found.running) == (address(server), 2, 1, 0)
    assert await nearby.on_this_machine(address(server)) is None


async def test_server_here_that_needs_a_code_says_so(tmp_path: Path) -> None:
    """Nothing behind the code is counted."""
    server = await Server.start("127.0.0.1", 0, tmp_path / "server.db", access=ServerAccess("", "k3f9-xa2m"))
    try:
        found = await nearby.on_this_machine(address(server))
        assert found is not None
        assert (found.access, found.tls, found.seats) == ("code", False, 0)
    finally:
        await server.stop()


@pytest.mark.parametrize(
    ("announced", "here", "listed"),
    [
        ([ELSEWHERE], LOCAL, [LOCAL, ELSEWHERE]),
        ([ELSEWHERE], None, [ELSEWHERE]),
        ([ANNOUNCED, ELSEWHERE], LOCAL, [ANNOUNCED, ELSEWHERE]),
        (None, LOCAL, [LOCAL]),
    ],
    ids=["private", "none", "announced", "no network"],
)
async def test_server_here_is_listed_once(
    announced: Sequence[FoundServer] | None,
    here: FoundServer | None,
    listed: Sequence[FoundServer],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A server that announces itself is not listed again by its local address; without a network it still is."""

    async def find() -> Sequence[FoundServer]:
        if announced is None:
            raise SearchFailed(OSError("no network"))
        return announced

    async def on_this_machine(_address: str) -> FoundServer | None:
        return here

    monkeypatch.setattr(discovery, "find", find)
    monkeypatch.setattr(discovery, "interfaces", lambda: [ip_interface("192.168.1.2/24")])
    monkeypatch.setattr(nearby, "on_this_machine", on_this_machine)
    assert await nearby.find() == listed


async def test_failed_search_without_a_server_here_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing to list then."""

    async def find() -> Sequence[FoundServer]:
        raise SearchFailed(OSError("no network"))

    async def on_this_machine(_address: str) -> None:
        return None

    monkeypatch.setattr(discovery, "find", find)
    monkeypatch.setattr(nearby, "on_this_machine", on_this_machine)
    with pytest.raises(SearchFailed):
        await nearby.find()

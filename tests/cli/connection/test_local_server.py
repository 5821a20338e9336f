"""The address of a server of this machine, as other machines type it."""

# ruff: noqa: D103  # the name of each test says what it checks

from ipaddress import ip_interface

import pytest

from vinci_cli.connection import local_server


@pytest.mark.parametrize(
    ("address", "listening", "elsewhere"),
    [
        ("localhost", {("192.168.1.5", 7654)}, "192.168.1.5"),
        ("127.0.0.1:8000", {("192.168.1.5", 8000)}, "192.168.1.5:8000"),
        ("[::1]", {("192.168.1.5", 7654)}, "192.168.1.5"),
        ("localhost", {("10.0.0.2", 7654)}, "10.0.0.2"),
        ("localhost", set(), "localhost"),
        ("192.168.1.9", {("192.168.1.5", 7654)}, "192.168.1.9"),
    ],
)
def test_address_for_others(
    address: str, listening: set[tuple[str, int]], elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = ["127.0.0.1/8", "169.254.1.1/16", "fe80::1/64", "192.168.1.5/24", "10.0.0.2/8"]
    monkeypatch.setattr(local_server, "interfaces", lambda: [ip_interface(text) for text in own])
    monkeypatch.setattr(local_server, "_listens", lambda host, port: (host, port) in listening)
    assert local_server.from_elsewhere(address) == elsewhere

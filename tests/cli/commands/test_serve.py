"""Output of `vinci serve`: addresses, the command to join, and whether access is open."""

from pathlib import Path

import pytest

from tests.support.network.certificates import signed
from vinci_cli.serve.access import told
from vinci_server.rpc import certificate
from vinci_server.rpc.access import ServerAccess, join_code

NETWORK = ["192.168.1.5", "10.0.0.2"]
CODE = ServerAccess(code="k3f9-xa2m")
PASSWORD = ServerAccess(password="sesame")


def said(host: str, access: ServerAccess, port: int = 7654) -> str:
    """All lines."""
    return "\n".join(told(host, port, access, NETWORK))


@pytest.mark.parametrize(
    ("host", "access", "line"),
    [
        ("127.0.0.1", ServerAccess(), "vinci join localhost"),
        ("localhost", CODE, "vinci join localhost --code k3f9-xa2m"),
        ("0.0.0.0", ServerAccess(), "vinci join 192.168.1.5"),
        ("0.0.0.0", CODE, "vinci join 10.0.0.2 --code k3f9-xa2m"),
        ("192.168.1.5", PASSWORD, "vinci join 192.168.1.5 --password PASSWORD"),
    ],
)
def test_the_line_that_others_type(host: str, access: ServerAccess, line: str) -> None:
    """Address and code, and no password."""
    assert f"\n  {line}\n" in said(host, access)
    assert f"{line.split()[2]}:80" in said(host, access, 80)
    assert "sesame" not in said(host, access)


def test_a_host_without_a_network_is_told_where_to_put_its_address() -> None:
    """It may get one."""
    assert "  vinci join ADDRESS --code k3f9-xa2m" in list(told("0.0.0.0", 7654, CODE, []))


@pytest.mark.parametrize(
    ("host", "access", "warning"),
    [
        ("0.0.0.0", ServerAccess(), "everybody there is let in"),
        ("192.168.1.5", CODE, "the code and all else travel unencrypted"),
        ("::", PASSWORD, "the password and all else travel unencrypted"),
        ("127.0.0.1", ServerAccess(), ""),
        ("::1", CODE, ""),
    ],
)
def test_the_host_is_warned_of_what_is_open(host: str, access: ServerAccess, warning: str) -> None:
    """On the network, not on this machine alone."""
    assert ("Warning:" in said(host, access)) == bool(warning)
    assert warning in said(host, access)


def test_a_server_with_a_certificate_of_its_own_needs_no_warning(tmp_path: Path) -> None:
    """The code says it all."""
    own = certificate.own(tmp_path / "server.db")
    access = ServerAccess(code=join_code(tmp_path / "server.db", own), certificate=own)
    assert f"  vinci join 192.168.1.5 --code {access.code}" in said("0.0.0.0", access)
    assert "Warning" not in said("0.0.0.0", access)


def test_a_given_certificate_says_under_which_name_it_is_reached(tmp_path: Path) -> None:
    """That of the certificate, by which clients know it."""
    files = signed(tmp_path, "vinci.example.org")
    access = ServerAccess(certificate=certificate.given(files.chain, files.key))
    assert "  vinci join vinci.example.org --tls\n" in said("0.0.0.0", access)
    assert "everybody there is let in" in said("0.0.0.0", access)

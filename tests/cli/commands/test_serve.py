"""`vinci serve`: printed addresses, the command to join, and warnings about open access."""

from pathlib import Path

import pytest

from tests.support.cli_runner import vinci
from tests.support.network.certificates import signed
from vinci_cli.serve.access import told
from vinci_server.rpc import certificate
from vinci_server.rpc.access import ServerAccess, join_code

NETWORK = ["192.168.1.5", "10.0.0.2"]
CODE = ServerAccess(code="k3f9-xa2m")
PASSWORD = ServerAccess(password="sesame")


def printed(host: str, access: ServerAccess, port: int = 7654) -> str:
    """Return all lines that were printed."""
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
def test_join_command_has_address_and_code(host: str, access: ServerAccess, line: str) -> None:
    """The command to join has the address and the code, and no password."""
    assert f"\n  {line}\n" in printed(host, access)
    assert f"{line.split()[2]}:80" in printed(host, access, 80)
    assert "sesame" not in printed(host, access)


def test_join_command_without_network_has_a_placeholder() -> None:
    """Without a network the command to join has a placeholder for the address."""
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
def test_warning_about_open_access(host: str, access: ServerAccess, warning: str) -> None:
    """The host is warned of open access on a network, but not on the loopback interface."""
    assert ("Warning:" in printed(host, access)) == bool(warning)
    assert warning in printed(host, access)


def test_no_warning_with_a_self_signed_certificate(tmp_path: Path) -> None:
    """With a self-signed certificate the code identifies the server, so there is no warning."""
    own = certificate.own(tmp_path / "server.db")
    access = ServerAccess(code=join_code(tmp_path / "server.db", own), certificate=own)
    assert f"  vinci join 192.168.1.5 --code {access.code}" in printed("0.0.0.0", access)
    assert "Warning" not in printed("0.0.0.0", access)


def test_join_command_uses_the_name_in_the_certificate(tmp_path: Path) -> None:
    """With a given certificate the command to join uses the host name of the certificate."""
    files = signed(tmp_path, "vinci.example.org")
    access = ServerAccess(certificate=certificate.given(files.chain, files.key))
    assert "  vinci join vinci.example.org --tls\n" in printed("0.0.0.0", access)
    assert "everybody there is let in" in printed("0.0.0.0", access)


@pytest.mark.parametrize(
    ("typed", "language", "expected"),
    [
        (("--limit", "matchez=1"), "de", "es gibt keine Grenze 'matchez'; bekannt: matches, "),
        (
            ("--limit", "matches=no"),
            "nl",
            "'matches=no' is geen NAAM=GETAL met een geheel getal vanaf 1, zoals matches=50",
        ),
        (("--password", " x"), "fr", "64 caractères"),
    ],
)
def test_invalid_limits_and_passwords_are_refused_in_the_language_of_the_session(
    typed: tuple[str, str], language: str, expected: str
) -> None:
    """The server refuses them by a reason, which the command words."""
    status, text = vinci("serve", *typed, "--lang", language)
    assert (status, expected in text) == (2, True), text

"""`vinci serve --web`: what is refused before a server starts, and what is told when it has."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.cli_runner import vinci
from vinci_cli.commands.serve.web import WebOptions
from vinci_cli.installation import install_command
from vinci_server.rpc.access import OPEN, ServerAccess
from vinci_server.rpc.certificate import own


def test_options_need_a_port() -> None:
    """Names and proxies without a page are a mistake."""
    status, text = vinci("serve", "--web-name", "vinci.example.org")
    assert status == 2
    assert "name a port for it, as --web 8080" in text


def test_proxy_is_an_address() -> None:
    """A proxy is named by its address, since names can be forged."""
    status, text = vinci("serve", "--web", "0", "--web-proxy", "proxy.example.org")
    assert status == 2
    assert "'proxy.example.org' is no address; write it as 192.168.1.2" in text


@pytest.mark.parametrize("name", ["http://vinci.example.org", "vinci.example.org:8080", "a b", "-x", ""])
def test_name_is_that_of_a_host(name: str) -> None:
    """A URL would never be the name that a browser sends."""
    status, text = vinci("serve", "--web", "0", "--web-name", name)
    assert status == 2
    assert f"{name!r} is no name; write it as vinci.example.org, without http:// and port" in " ".join(text.split())


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra the error says what to install."""
    for name in ("server", "listening"):
        monkeypatch.delitem(sys.modules, f"vinci_server.web.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    status, text = vinci("serve", "--web", "0")
    assert status == 1
    assert "uvicorn" in text
    assert install_command("web") in text


def told(host: str, access: ServerAccess, *hosts: str, scheme: str = "http", path: str = "") -> list[str]:
    """Return what is told of a web server at port 8080."""
    front: Any = SimpleNamespace(scheme=scheme, port=8080)
    return list(WebOptions(8080, (), (), front, hosts).told(host, access, path))


def test_links_have_the_code_in_their_fragment() -> None:
    """Each address has a link; on the network it is said that plain HTTP can be read."""
    lines = told("0.0.0.0", ServerAccess(code="k3f9-xa2m"), "192.168.1.5", "fe80::1", path="m/abcd")
    assert lines[1:3] == [
        "  http://192.168.1.5:8080/m/abcd#code=k3f9-xa2m",
        "  http://[fe80::1]:8080/m/abcd#code=k3f9-xa2m",
    ]
    assert "unencrypted" in lines[3]


def test_links_have_no_password() -> None:
    """A password is typed into the page."""
    assert "secret" not in "".join(told("0.0.0.0", ServerAccess(password="secret"), "192.168.1.5"))


def test_only_this_machine_needs_no_warning() -> None:
    """A server for this machine alone needs neither a warning nor a QR code."""
    assert told("127.0.0.1", OPEN, "localhost") == ["In a browser:", "  http://localhost:8080/"]


def test_own_certificate_is_explained(tmp_path: Path) -> None:
    """Browsers warn of it, and the code in the link is only its secret part."""
    access = ServerAccess(code="k3f9-xa2m-0000-0000-0000-0000", certificate=own(tmp_path / "server.db"))
    lines = told("0.0.0.0", access, "192.168.1.5", scheme="https")
    assert lines[1] == "  https://192.168.1.5:8080/#code=k3f9-xa2m"
    assert "Browsers warn of this certificate" in lines[2]


def test_terminal_shows_a_qr_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal gets the code of the first link, with colours of its own; a pipe does not."""
    assert not any("\x1b" in line for line in told("0.0.0.0", OPEN, "192.168.1.5"))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    code = "\n".join(told("0.0.0.0", OPEN, "192.168.1.5")).splitlines()[2:-1]
    assert len(code) > 12
    assert all(line.startswith("\x1b[") and line.endswith("\x1b[0m") for line in code)

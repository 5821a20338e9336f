"""Access to a server: command-line options, environment variables, saved access and prompts."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import grpc
import pytest

from tests.support.cli_runner import parsed, vinci
from vinci_cli import home
from vinci_cli.connection import connect, saved_seats
from vinci_cli.exceptions import Failed
from vinci_client.access import OPEN, Access
from vinci_client.errors import ServerRefused

CODE = "k3f9-xa2m"


def guarded(right: Access, needs: str) -> tuple[list[Access], Callable[[Access], Any]]:
    """Return the list of attempted accesses, and a call that only the right access completes."""
    tried: list[Access] = []

    async def work(access: Access) -> None:
        tried.append(access)
        if access != right:
            reason = "BAD_ACCESS" if access.metadata() else "NO_ACCESS"
            raise ServerRefused(grpc.StatusCode.UNAUTHENTICATED, reason, "not so", {"needs": needs})

    return tried, work


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a terminal at which these answers are typed, the last one first."""
    typed: list[str] = []
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr(click, "prompt", lambda _text, hide_input: typed.pop())
    return typed


def test_prompt_for_the_code_repeats_until_it_is_right(terminal: list[str]) -> None:
    """The prompt for the join code repeats after a malformed and after a wrong code."""
    tried, work = guarded(Access(CODE), "code")
    terminal += [CODE, "0000-0000", "abc"]
    connect.run(work, OPEN, "vinci join here", asks=True)
    assert tried == [OPEN, Access("0000-0000"), Access(CODE)]


def test_prompt_for_the_password_keeps_the_tls_settings(terminal: list[str]) -> None:
    """The prompt for the password keeps the TLS settings."""
    tried, work = guarded(Access(password="sesame", tls="ca.pem"), "password")
    terminal += ["sesame"]
    connect.run(work, Access(tls="ca.pem"), "vinci join here", asks=True)
    assert len(tried) == 2


@pytest.mark.parametrize("needs", ["code", "password"])
def test_error_without_terminal_has_the_full_command(needs: str) -> None:
    """Without a terminal the error shows the typed command completed by the missing option."""
    _, work = guarded(Access(CODE), needs)
    with pytest.raises(Failed, match=f"Type: vinci join here --{needs} {needs.upper()}$"):
        connect.run(work, OPEN, "vinci join here", asks=True)
    with pytest.raises(Failed, match=rf"^this is not the (join )?{needs} of this server$"):
        connect.run(work, Access("0000-0000"), "vinci join here", asks=True)


@pytest.mark.parametrize("line", ["vinci join here", "vinci watch here", "vinci bot random here"])
def test_access_from_environment_variables(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three variables give access, for every command."""
    for name in ("CODE", "PASSWORD", "TLS_CA"):
        monkeypatch.setenv(f"VINCI_{name}", name)
    parameters = parsed(line).params
    assert [parameters[name] for name in ("code", "password", "tls_ca")] == ["CODE", "PASSWORD", "TLS_CA"]


def test_password_of_serve_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """`vinci serve` reads its password from a variable, so that it is not in the process list."""
    monkeypatch.setenv("VINCI_PASSWORD", "sesame")
    assert parsed("vinci serve --lan").params["password"] == "sesame"


def test_local_game_ignores_access_variables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`vinci play` plays on its own server and ignores the variables for others."""
    monkeypatch.setenv("VINCI_PASSWORD", "sesame")
    monkeypatch.setenv("VINCI_CODE", f"{CODE}-0123-4567-89ab-cdef")
    game = ("--players", "random,dummy,dummy", "--board", "tiny", "--option", "max_rounds=2")
    status, text = vinci("play", *game, home=tmp_path)
    assert status == 0
    assert "VP" in text


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--code", "abc"], "'abc' is not a join code"),
        (["--code", CODE, "--password", "x"], "leave out --code or --password (or VINCI_CODE, VINCI_PASSWORD)"),
        (["--password", "schön"], "printable ASCII"),
        (["--tls-ca", "none.pem"], "none.pem cannot be read"),
    ],
)
def test_invalid_access_is_refused(arguments: list[str], expected: str, tmp_path: Path) -> None:
    """Invalid access options are refused before any server is called."""
    status, text = vinci("watch", "localhost:1", *arguments, home=tmp_path)
    assert status == 2
    assert expected in text


def test_access_is_saved_with_the_seat(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Access is saved with the seat and used for the same address, unless other access is given."""
    monkeypatch.setenv(home.HOME, str(tmp_path))
    seat = saved_seats.SavedSeat("there:7654", "match", 1, "token", access=Access(CODE))
    saved_seats.save(seat)
    assert saved_seats.load() == [seat]
    assert connect.remembered("there", OPEN) == Access(CODE)
    assert connect.remembered("there", Access(password="x")) == Access(password="x")
    assert connect.remembered("elsewhere", OPEN) == OPEN


def test_terminals_save_their_own_seats(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two terminals save their own seats of a match; a seat that was taken over keeps its new token."""
    monkeypatch.setenv(home.HOME, str(tmp_path))
    ann = saved_seats.SavedSeat("there:7654", "match", 1, "ann", others=((3, "guest"),))
    ben = saved_seats.SavedSeat("there:7654", "match", 2, "ben")
    saved_seats.save(ann)
    saved_seats.save(ben)
    assert saved_seats.at("there:7654") == [ben, ann]
    taken = saved_seats.SavedSeat("there:7654", "match", 1, "taken")
    saved_seats.save(taken)
    saved_seats.forget(ann)
    assert saved_seats.at("there:7654") == [taken, ben]


def test_saved_seats_of_an_older_version_are_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file of saved seats from before join codes is read."""
    monkeypatch.setenv(home.HOME, str(tmp_path))
    entry = {"where": "there:7654", "match_id": "match", "seat": 1, "token": "token", "bots": [["ada", "x"]]}
    (tmp_path / "seats.json").write_text(json.dumps([entry]), encoding="utf-8")
    assert saved_seats.load() == [saved_seats.SavedSeat("there:7654", "match", 1, "token", (("ada", "x"),))]

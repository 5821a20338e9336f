"""Configuration of `vinci serve` by a file and by the environment, and the printed options in effect."""

# ruff: noqa: D103  # the name of each test says what it checks

import tomllib
from pathlib import Path
from typing import Any, Final

import click
import pytest

from tests.support.cli_runner import commands_of, vinci
from vinci_cli.commands.base import variable
from vinci_cli.main import main
from vinci_cli.serve.access import ServeAccess
from vinci_client import processes

SERVE: Final = commands_of(main)["serve"]
VALUES: Final[dict[str, Any]] = {
    "lan": True, "listen": "10.0.0.1:7001", "name": "Friday \"table\" \\ 象棋", "no-announce": True, "code": True,
    "password-file": "/run/secret", "tls": True, "tls-cert": "/c.pem", "tls-key": "/k.pem", "limit": ["matches=20", "watchers=9"],
    "db": "/s.db", "players": "human,dummy,dummy", "board": "tiny", "edition": "FR", "target": 90, "option": ["give_up=free"],
    "clock": "30", "on-timeout": "forfeit", "absence": 60, "substitute": "greedy", "tries": 2, "on-refused": "default",
    "seed": "s", "ssh": 2222, "ssh-keys": "/keys", "web": 8080, "web-name": ["vinci.test", "localhost.test"], "web-proxy": ["10.0.0.2"], "bots": "easy,hard:raider", "bot": ["./mine.py", "./other.py"], "sandbox": True, "bot-socket": "/run/vinci/vinci.sock", "notes": "/notes", "analysis": 7655, "analysis-workers": 2, "advice-workers": 3, "no-advice": True, "metrics": 9654, "metrics-host": "::1", "webhook-format": "discord",
    "log-level": "debug", "archive-days": 5, "open-days": 0, "no-persons": True, "no-ratings": True,
}  # fmt: skip
"""A value for each option but secrets, none of them its default."""


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VINCI_PASSWORD", raising=False)


def as_file(folder: Path, text: str) -> str:
    path = folder / "server.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def printed(*arguments: str) -> str:
    status, text = vinci("serve", *arguments, "--print-config")
    assert status == 0, text
    return text


def option(name: str) -> click.Option:
    return next(one for one in SERVE.params if isinstance(one, click.Option) and one.opts[0] == f"--{name}")


def test_all_options_are_tested() -> None:
    visible = {one.opts[0][2:] for one in SERVE.params if isinstance(one, click.Option) and not one.hidden}
    assert visible == {*VALUES, "password", "webhook", "config", "print-config"}


def test_every_option_round_trips_through_a_file(tmp_path: Path) -> None:
    typed = []
    for name, value in VALUES.items():
        for one in value if isinstance(value, list) else [value]:
            typed += [f"--{name}"] if one is True else [f"--{name}", str(one)]
    text = printed(*typed)
    assert tomllib.loads(text) == VALUES
    again = printed("--config", as_file(tmp_path, text))
    assert tomllib.loads(again) == VALUES
    assert again == text.replace("# command line", "# file")


def test_every_option_has_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in VALUES.items():
        text = " ".join(value) if isinstance(value, list) else "yes" if value is True else str(value)
        monkeypatch.setenv(f"VINCI_SERVE_{name.upper().replace('-', '_')}", text)
    text = printed()
    assert tomllib.loads(text) == VALUES
    assert text.count("# VINCI_SERVE_") == len(VALUES)


def test_sources_are_named_in_the_language_of_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VINCI_SERVE_TRIES", "2")
    comments = {line.partition(" # ")[2] for line in printed("--lan", "--lang", "de").splitlines() if " = " in line}
    assert comments == {"Befehlszeile", "VINCI_SERVE_TRIES", "Standardwert"}


def test_precedence_is_command_line_variables_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = as_file(tmp_path, 'port = 1\ntries = 1\ntarget = 1\nlan = true\nlimit = {matches = 1, watchers = "2"}')
    monkeypatch.setenv("VINCI_SERVE_CONFIG", path)
    monkeypatch.setenv("VINCI_SERVE_PORT", "2")
    monkeypatch.setenv("VINCI_SERVE_TRIES", "2")
    monkeypatch.setenv("VINCI_SERVE_LAN", "0")
    data = tomllib.loads(printed("--port", "3"))
    assert [data[name] for name in ("port", "tries", "target", "open-days", "lan")] == [3, 2, 1, 1, False]
    assert data["limit"] == ["matches=1", "watchers=2"]


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    data = tomllib.loads(printed("--config", as_file(tmp_path, 'db = "data/server.db"')))
    assert data["db"] == str(tmp_path / "data" / "server.db")


def test_a_password_is_not_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VINCI_PASSWORD", "sesame")
    assert "# password: secret, not shown # VINCI_PASSWORD\n" in printed()
    monkeypatch.setenv("VINCI_SERVE_PASSWORD", "sesame2")
    text = printed("--config", as_file(tmp_path, 'password = "sesame3"'))
    assert "not shown # VINCI_SERVE_PASSWORD\n" in text
    assert "sesame" not in text


def test_a_webhook_is_a_secret_url(tmp_path: Path) -> None:
    text = printed("--config", as_file(tmp_path, 'webhook = "https://sesame"'))
    assert "# webhook: secret, not shown # file" in text
    status, text = vinci("serve", "--webhook", "sesame")
    assert status == 2
    assert "--webhook: a URL begins with https:// or http://, and names a host" in " ".join(text.split())
    assert "'sesame'" not in text


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("prot = 1", "unknown key prot; did you mean port?"),
        ("tls_cert = 'x'", "unknown key tls_cert; did you mean tls-cert?"),
        ("[rubbish]", "unknown key rubbish; known: lan, listen, "),
        ("with-stdin = true", "unknown key with-stdin"),
        ('port = "7654"', "port has a value of another type; write it as port = 7"),
        ("metrics = true", "write it as metrics = 7"),
        ("lan = 1", "write it as lan = true"),
        ("clock = 30", 'write it as clock = "TEXT"'),
        ("db = 3", 'write it as db = "TEXT"'),
        ('limit = ["a=1", 2]', 'write it as limit = ["NAME=NUMBER"]'),
        ("option = {give_up = true}", 'write it as option = ["NAME=VALUE"]'),
        ("port = 70000", "port: 70000 is not in the range 0<=x<=65535"),
        ('on-timeout = "wait"', "on-timeout: 'wait' is not one of 'default', 'substitute', 'forfeit'"),
    ],
)
def test_invalid_line_is_refused_with_its_number_and_valid_values(tmp_path: Path, line: str, expected: str) -> None:
    first = line.partition(" ")[0]
    path = as_file(tmp_path, f'# {line}\nname = """\n{first} = 0\n"""\n{line}\n')
    status, text = vinci("serve", "--config", path)
    assert status == 2
    assert f"server.toml, line 5: {first.strip('[]')}" in text or f"line 5: unknown key {first.strip('[]')}" in text
    assert expected in text


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (as_file(tmp_path, "port = \n"), str(tmp_path / "none.toml"), str(tmp_path)):
        status, text = vinci("serve", "--config", path)
        assert status == 2
        assert f"Error: {path}: " in text
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    assert "utf-8" in vinci("serve", "--config", str(tmp_path / "latin.toml")).text


def test_invalid_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VINCI_SERVE_PORT", "many")
    status, text = vinci("serve")
    assert status == 2
    assert "Invalid value for VINCI_SERVE_PORT: 'many' is not a valid integer" in text


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("PASWORD", "the variable VINCI_SERVE_PASWORD; did you mean VINCI_SERVE_PASSWORD?"),
        ("XYZZY", "no option has the variable VINCI_SERVE_XYZZY\n"),
        ("WITH_STDIN", "no option has the variable VINCI_SERVE_WITH_STDIN\n"),
    ],
)
def test_unknown_variable_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, expected: str) -> None:
    monkeypatch.setenv(f"VINCI_SERVE_{name}", "1")
    status, text = vinci("serve", "--print-config")
    assert (status, expected in text) == (2, True), text


def test_variables_of_serve_do_not_affect_other_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    assert variable(SERVE, option("port")) == "VINCI_SERVE_PORT"
    assert variable(commands_of(main)["analysis"], option("port")) == ""
    monkeypatch.setenv("VINCI_SERVE_PORT", "1")
    assert "VINCI_SERVE_PORT" not in processes.environment()


def test_a_password_from_a_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("open sesame\n")
    door = ServeAccess("", False, False, None, None, (), secret)
    assert door.with_password().access(tmp_path / "server.db").password == "open sesame"
    status, text = vinci("serve", "--password-file", str(secret), "--password", "x")
    assert (status, "leave out --password (or VINCI_PASSWORD) or --password-file" in text) == (2, True)
    secret.write_text("\n")
    status, text = vinci("serve", "--password-file", str(secret))
    assert (status, f"{secret} is empty" in text) == (1, True)
    status, text = vinci("serve", "--password-file", str(tmp_path / "none"))
    assert (status, f"Error: {tmp_path / 'none'}: No such file" in text) == (1, True)

"""Invalid options: one sentence that names the valid values, status 2, no traceback."""

import os
import subprocess
import sys
from contextvars import copy_context
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tests.support.cli_runner import BORDER, parsed, vinci
from tests.support.paths import DATA
from vinci.v1 import lobby_pb2
from vinci_bots.runtime import read
from vinci_cli import settings
from vinci_cli.commands.options import listen_option
from vinci_cli.commands.serve.config import ConfiguredCommand, config_options
from vinci_cli.text.timing import clock_face, in_words, mistakes, mistakes_in_words, timing
from vinci_client.session import Session
from vinci_rules.board import board_names

SELFPLAY = [
    (["--players", "dummy,dummy"], "a game has 3 to 6 seats, not 2"),
    (["--players", ",".join(["dummy"] * 7)], "a game has 3 to 6 seats, not 7"),
    (["--players", ""], "a game has 3 to 6 seats, not 0"),
    (["--players", "dummy,dummy,gready"], "unknown player gready; known: dummy, greedy, random"),
    (["--players", "human,dummy,dummy"], "unknown player human; known: dummy, greedy, random"),
    (["--edition", "XX"], "unknown edition 'XX'; known: standard, FR, NL, DE, WEB"),
    (["--board", "mars"], f"unknown board 'mars'; known: {', '.join(board_names())}"),
    (["--seed", ""], "letters, digits, dots, dashes or underscores"),
    (["--seed", "a|b"], "letters, digits, dots, dashes or underscores"),
    (["--seed", "x" * 127, "--games", "10"], "1 to 128 letters"),
    (["--target", "ten"], "'ten' is not a valid integer"),
    (["--target", "10"], "it must be above the 10 VP"),
    (["--target", "-5"], "a whole number from 1 to 10000"),
    (["--option", "target=1e3"], "a whole number from 1 to 10000"),
    (["--option", "give_up"], "'give_up' is not NAME=VALUE, like give_up=free"),
    (["--option", "give_up=maybe"], "possible values are only_if_forced, free (R-REORG-3)"),
    (["--option", "spam=1"], "unknown option spam; known: own_decline_contact, "),
    (["--games", "0"], "0 is not in the range x>=1"),
]


def test_screen_options_are_settings_of_one_command() -> None:
    """They go before a sub-command or after it, and are not saved; other values are refused with the right ones."""

    def used(*words: str) -> tuple[str, str]:
        assert vinci(*words)[0] == 0
        return settings.get("theme"), settings.get("alert")

    assert copy_context().run(used, "--theme", "light", "--alerts", "off", "rules", "R-CONQ-3") == ("light", "off")
    recorded = [str(DATA / "record-WEB.jsonl"), "--line"]
    assert copy_context().run(used, "replay", *recorded, "--theme", "dark") == ("dark", "bell")
    assert (settings.get("theme"), settings.get("alert")) == ("", "bell")
    assert "'dark', 'light'" in vinci("play", "--theme", "blue")[1]


@pytest.mark.parametrize(("options", "expected"), SELFPLAY)
def test_invalid_options_of_selfplay(options: list[str], expected: str) -> None:
    """Every invalid option of `selfplay` is refused with the valid values."""
    status, text = vinci("selfplay", *options)
    assert status == 2
    assert expected in text
    assert "Try 'vinci selfplay --help'" in text


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--players", "dummy,dummy,dummy"], "name human in --players, once for each of them"),
        (["--players", "human,dummy,dummy", "--name", "Ann", "--name", "Ben"], "2 names for 1 seat of a person"),
        (["--players", "human,gready,dummy"], "unknown player gready; known: human, dummy, easy, normal"),
        (["--players", "human,hard:raidr,dummy"], "there is no character raidr; there are raider, builder"),
        (["--players", "human,easy:3,dummy"], "easy does not look ahead, so it has no budget"),
        (["--players", "human"], "a match has 3 to 6 seats, not 1"),
        (["--edition", "XX"], "known: standard, FR, NL, DE, WEB"),
        (["--target", "5"], "it must be above the 10 VP"),
        (["--seed", "a|b"], "letters, digits, dots, dashes or underscores"),
        (["--position", "nonsense"], "no position"),
        (["--position", BORDER], "name one for each seat: --players human,greedy,greedy"),
        (["--position", BORDER, "--players", "human,dummy,dummy"], "dummies where the position has dummies"),
    ],
)
def test_invalid_options_of_play(options: list[str], expected: str, tmp_path: Path) -> None:
    """Invalid options of `play` are refused in a sentence, by the command or the server, and no seat is saved."""
    status, text = vinci("play", "--line", *options, home=tmp_path)
    assert status == 2
    assert expected in text
    assert not (tmp_path / "seats.json").exists()


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--clock", "soon"], "--clock: 'soon' is no clock: 30 is 30 seconds a decision, 10m+15s"),
        (["--clock", "0"], "a clock needs a second at least"),
        (["--clock", "10m+x"], "is no clock"),
        (["--clock", "9999999h"], "--clock: 35999996400 seconds are too long; the most is 2592000, a month"),
        (["--on-timeout", "forfeit"], "add --clock, as in --clock 30"),
        (["--clock", "30", "--on-timeout", "wait"], "'wait' is not one of 'default', 'substitute', 'forfeit'"),
        (["--absence", "0"], "0 is not in the range x>=1"),
        (["--tries", "101"], "101 is not in the range 1<=x<=100"),
        (["--on-refused", "wait"], "'wait' is not one of 'default', 'substitute', 'forfeit'"),
        (["--substitute", "gready"], "unknown player gready"),
    ],
)
def test_invalid_clock_options(options: list[str], expected: str, tmp_path: Path) -> None:
    """Invalid clock options are refused with the valid values."""
    status, text = vinci("play", "--line", "--players", "human,dummy,dummy", *options, home=tmp_path)
    assert status == 2
    assert expected in " ".join(text.split())


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["serve", "--clock", "30"], "--clock: this is for a new match; say who plays in it: --players"),
        (["serve", "--tries", "5", "--option", "give_up=free"], "--tries, --option: this is for a new match"),
        (["serve", "--on-refused", "forfeit"], "--on-refused: this is for a new match"),
        (["join", "--line", "localhost", "--absence", "9", "--target", "50"], "say who plays in it: --create"),
        (["join", "--line", "localhost", "--take", "x", "--seat", "1"], "--take says which seat: leave out --match"),
        (["join", "--line", "localhost", "--seat", "1", "--name", "A", "--name", "B"], "--seat is for one person"),
        (["join", "--line", "--take", "x"], "--take needs the address"),
        (
            ["join", "--line", "http://host:1"],
            "'http://host:1' is not an address; write it like 192.168.1.5, localhost:7654 or [::1]:7654",
        ),
        (["watch", "host:99999"], "'host:99999' is not an address"),
    ],
)
def test_contradicting_options_are_refused(arguments: list[str], expected: str, tmp_path: Path) -> None:
    """Options that would be ignored are refused."""
    status, text = vinci(*arguments, home=tmp_path)
    assert status == 2
    assert expected in " ".join(text.split())


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [
        ("30", (30, 0, 0)),
        ("2m", (120, 0, 0)),
        ("10m+15s", (0, 600, 15)),
        ("600+15", (0, 600, 15)),
        ("1h+0", (0, 3600, 0)),
    ],
)
def test_valid_clock_options(clock: str, seconds: tuple[int, int, int]) -> None:
    """A clock is seconds a decision, or a bank and an increment, in seconds, minutes or hours."""
    parsed_timing = timing(clock, "", None, "")
    assert (parsed_timing.decision_seconds, parsed_timing.bank_seconds, parsed_timing.increment_seconds) == seconds


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("90", "forfeit", None, ""), "Clock: 1 minute 30 seconds for each decision; when it is up, the seat leaves the game."),
        (("1h+1", "", None, ""), "Clock: 1 hour for all decisions, and 1 second more with each turn; when it is up, the default action is played."),
        (("", "", 120, "greedy"), "A substitute plays for whoever is gone for 2 minutes. The substitute is greedy, if it is connected."),
        (("", "", None, ""), ""),
    ],
)  # fmt: skip
def test_time_control_is_described(options: tuple[str, str, int | None, str], expected: str) -> None:
    """Players who join read a description of the time control."""
    assert " ".join(in_words(timing(*options))) == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((None, ""), []),
        ((3, "default"), []),
        ((1, ""), ["If 1 answer of a bot to a decision is refused, the default action is played."]),
        ((None, "forfeit"), ["If 3 answers of a bot to a decision are refused, the seat leaves the game."]),
        ((9, "substitute"), ["If 9 answers of a bot to a decision are refused, a substitute plays on."]),
    ],
)
def test_policy_for_failing_bots_is_described(options: tuple[int | None, str], expected: list[str]) -> None:
    """The policy for failing bots is described only if it differs from the default, and not for servers without one."""
    assert mistakes_in_words(mistakes(*options)) == expected
    assert mistakes_in_words(lobby_pb2.Mistakes()) == []


@pytest.mark.parametrize(("seconds", "face"), [(0, "0:00"), (7.9, "0:07"), (750, "12:30"), (3723, "1:02:03")])
def test_clock_shows_whole_seconds(seconds: float, face: str) -> None:
    """A clock shows whole seconds, rounded down."""
    assert clock_face(seconds) == face


@pytest.mark.parametrize("option", ["--host", "--listen"])
def test_lan_and_an_address_contradict_each_other(tmp_path: Path, option: str) -> None:
    """--lan listens on all interfaces, so a host is refused with it, by its old name, too."""
    status, text = vinci("serve", "--lan", option, "127.0.0.1", home=tmp_path)
    assert status == 2
    assert "leave out --lan or the address" in text


@click.command(cls=ConfiguredCommand)
@listen_option(7654, help="Address.")
@config_options
def listener(listen: tuple[str, int]) -> None:
    """Print where it would listen."""
    click.echo("{} {}".format(*listen))


@pytest.mark.parametrize(
    ("typed", "variables", "file", "expected"),
    [
        ("", {}, "", " 7654"),
        ("--listen 0.0.0.0", {}, "", "0.0.0.0 7654"),
        ("--listen 0.0.0.0:7000", {}, "", "0.0.0.0 7000"),
        ("--listen :0", {}, "", " 0"),
        ("--listen ::1", {}, "", "::1 7654"),
        ("--listen [::1]:7000", {}, "", "::1 7000"),
        ("--host 10.0.0.1 --port 7000", {}, "", "10.0.0.1 7000"),
        ("", {"HOST": "10.0.0.1", "PORT": "7000"}, "", "10.0.0.1 7000"),
        ("", {}, 'host = "10.0.0.1"\nport = 7000', "10.0.0.1 7000"),
        ("--port 1", {"LISTEN": "10.0.0.1:2"}, 'listen = "10.0.0.2:3"', "10.0.0.1 1"),
        ("--listen :1", {"HOST": "10.0.0.1"}, "port = 3", "10.0.0.1 1"),
        ("", {"PORT": "2"}, 'listen = "10.0.0.2:3"', "10.0.0.2 2"),
        ("--listen 0.0.0.0:1 --port 2", {}, "", "--listen takes host and port"),
        ("--listen 0.0.0.0:x", {}, "", "'0.0.0.0:x' is not an address with a port"),
        ("--listen 0.0.0.0:65536", {}, "", "is not an address with a port"),
    ],
)
def test_old_options_for_host_and_port_are_accepted(
    typed: str, variables: dict[str, str], file: str, expected: str, tmp_path: Path
) -> None:
    """On the command line, as variables and in a file, which count in this order for host and port alone."""
    path = tmp_path / "server.toml"
    path.write_text(file, encoding="utf-8")
    environment = {f"VINCI_SERVE_{name}": value for name, value in variables.items()}
    result = CliRunner().invoke(listener, ["--config", str(path), *typed.split()], env=environment)
    assert expected in result.output
    assert result.exit_code == (0 if expected == result.output.removesuffix("\n") else 2)


@pytest.mark.parametrize("command", ["join", "watch", "bot random", "health"])
def test_server_is_named_by_option_or_argument(command: str, tmp_path: Path) -> None:
    """Both name the server, which is not there; together they are refused, but for an id of a match."""
    more = ["--timeout", "1"] if command == "health" else ["--line"] if command in ("join", "watch") else []
    status, text = vinci(*command.split(), "--server", "a b", *more, home=tmp_path)
    assert (status, text) == vinci(*command.split(), "a b", *more, home=tmp_path)
    assert "'a b'" in text
    status, text = vinci(*command.split(), "localhost:2", "--server", "localhost:1", "k3f9xa2m", *more, home=tmp_path)
    assert status == 2


def test_bot_of_the_kit_takes_its_server_as_an_option() -> None:
    """As the built-in ones do, and as the argument."""
    assert read("first", ["--server", "10.0.0.1"]).address == read("first", ["10.0.0.1"]).address == "10.0.0.1"


def test_watch_takes_a_match_after_a_server(tmp_path: Path) -> None:
    """With --server the only word is the id of the match."""
    context = parsed("vinci watch --server 192.168.1.5 k3f9xa2m")
    with context, pytest.MonkeyPatch.context() as patch:
        seen: list[str] = []
        patch.setattr("vinci_cli.commands.join._run", lambda _work, *words, **_more: seen.extend(map(str, words)))
        context.command.invoke(context)
    assert (seen[0], seen[2]) == ("192.168.1.5", "vinci watch 192.168.1.5 k3f9xa2m")


def test_suggested_command_for_a_game_without_people_parses() -> None:
    """The command that the error suggests for a game without people parses."""
    _, text = vinci("play", "--line", "--players", "dummy,dummy,dummy")
    assert parsed("vinci selfplay" + text.partition("vinci selfplay")[2]).params["players"]


@pytest.mark.parametrize(
    "arguments", [["spam"], ["play", "--spam"], ["bot", "spam"], ["join"], ["watch"], ["analyze"], ["replay"]]
)
def test_errors_of_click(arguments: list[str]) -> None:
    """Unknown commands and options, and missing arguments, are refused in a sentence."""
    status, text = vinci(*arguments)
    assert status == 2
    assert "Error: " in text


def test_join_without_terminal_needs_line() -> None:
    """`vinci join` without a terminal and without --line fails before it calls a server."""
    status, text = vinci("join", "localhost")
    assert status == 2
    assert "use --line" in text


def test_unreachable_server(unanswered: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that does not answer gives status 1 and a message that suggests what to check."""
    monkeypatch.setattr("vinci_client.session.TRIES", 2)
    monkeypatch.setattr(Session.call, "__kwdefaults__", {**(Session.call.__kwdefaults__ or {}), "tries": 2})
    status, text = vinci("watch", unanswered, home=tmp_path)
    assert status == 1
    assert text == f"Error: no answer from {unanswered}; is a server running there?\n"


@pytest.mark.parametrize(
    "arguments", [["selfplay", "--board", "tiny", "--target", "20", "--records"], ["play", "--line", "--db"]]
)
def test_folder_that_cannot_be_created(arguments: list[str], tmp_path: Path) -> None:
    """A folder below a file gives status 1 and its path, without a traceback."""
    (tmp_path / "file").touch()
    status, text = vinci(*arguments, str(tmp_path / "file" / "below" / "it"), home=tmp_path)
    assert status == 1
    assert text.startswith("Error: ")
    assert str(tmp_path / "file") in text


def test_db_option_creates_no_home_folder(tmp_path: Path) -> None:
    """With --db the folder of saved seats is not created, so that it may be read-only."""
    players = ["--players", "dummy,dummy,dummy", "--board", "tiny", "--target", "15"]
    status, text = vinci("play", *players, "--db", str(tmp_path / "game.db"), home=tmp_path / "home")
    assert status == 0, text
    assert not (tmp_path / "home").exists()


def test_invalid_database_file(tmp_path: Path) -> None:
    """A file that is not a database is refused by name and left unchanged."""
    path = tmp_path / "game.db"
    path.write_text("not a database, but long enough to be looked at as one" * 20, encoding="utf-8")
    before = path.read_bytes()
    status, text = vinci("play", "--line", "--db", str(path), home=tmp_path)
    assert status == 1
    assert str(path) in text
    assert "Traceback" not in text
    assert path.read_bytes() == before


def test_closed_pipe_gives_no_error() -> None:
    """`vinci rules | head -1` prints no message and no traceback."""
    process = subprocess.Popen(
        [sys.executable, "-m", "vinci_cli", "selfplay", "--board", "tiny", "--games", "50", "--target", "30"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline()
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(30) == 0
    assert errors == b""

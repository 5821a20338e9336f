"""Players of a local match: names of bots, and commands that cannot be used."""

import sys
from pathlib import Path

import pytest

from vinci_bots.local.participants import UnusableBot, files_in, named, parsed, players
from vinci_client.processes import PYTHON


def test_bot_names_come_from_their_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot is named after the last file of its command, or its folder if that file has a generic name; numbers tell equal names apart."""
    monkeypatch.chdir(tmp_path)
    for place in ("first.py", "hermit/bot.py", "spider/dist/main.js", "größe.py"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).touch()
    words = [
        "cat first.py",
        "cat first.py",
        "cat hermit/bot.py",
        "cat spider/dist/main.js",
        "cat größe.py",
        "greedy",
        "cat",
    ]
    assert named(words) == ["first", "first-2", "hermit", "spider", "gr-e", "greedy", "cat"]
    (tmp_path / "first-2.py").touch()
    assert named(["cat first.py", "cat first.py", "cat first-2.py"]) == ["first", "first-2", "first-2-2"]


def test_python_file_is_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A .py file, with or without arguments, is a bot; the command stays as typed, so that a league file names no interpreter."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "first.py").touch()
    assert [(player.name, player.command) for player in players(["first.py", "first.py --deep"])] == [
        ("first", ("first.py",)),
        ("first-2", ("first.py", "--deep")),
    ]


def test_dummies_need_no_names() -> None:
    """Dummies need no names of their own, because the server plays them."""
    named_players = players(["dummy", "greedy", "dummy"])
    assert [(player.name, player.is_dummy) for player in named_players] == [
        ("dummy", True),
        ("greedy", False),
        ("dummy", True),
    ]


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (
            "",
            "there is no such command; a bot is a Python file, a command line or one of dummy, easy, expert, greedy, hard, normal, random",
        ),
        ("nowhere --fast", "there is no such command"),
        ("cat 'x", "is no command line: No closing quotation"),
        ("cat none.py", "there is no file 'none.py' in "),
        ("none.py", "there is no file 'none.py' in "),
        ("cat \0", "there is no such command"),
    ],
)
def test_commands_that_cannot_be_started_are_reported(command: str, why: str) -> None:
    """Commands that cannot be started are reported before any game is played."""
    with pytest.raises(UnusableBot) as error:
        players([command])
    assert why in str(error.value)


def test_bot_that_plays_by_lines_is_started_behind_the_adapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command after `stdio:` is named and checked as any other; the adapter is started with it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "first.py").touch()
    words = ["stdio:cat first.py", "stdio-text:cat first.py --deep", "stdio:first.py"]
    adapter = (*PYTHON, "-m", "vinci_bots.stdio")
    assert [(player.name, player.command) for player in players(words)] == [
        ("first", (*adapter, "--", "cat", "first.py")),
        ("first-2", (*adapter, "--text", "--", "cat", "first.py", "--deep")),
        ("first-3", (*adapter, "--", sys.executable, "first.py")),
    ]
    assert parsed("stdio:cat first.py") == ("stdio:cat", "first.py")
    assert files_in(("stdio:cat", "first.py")) == files_in(("stdio:first.py",)) == [Path("first.py")]


@pytest.mark.parametrize("command", ["stdio:", "stdio: cat", "stdio:nowhere", "stdio-text:cat none.py"])
def test_bot_by_lines_that_cannot_be_used(command: str) -> None:
    """The program after `stdio:` has to exist, and its files."""
    with pytest.raises(UnusableBot, match=r"there is no such command|there is no file 'none\.py'"):
        parsed(command)

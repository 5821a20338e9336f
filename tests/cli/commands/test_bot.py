"""`vinci bot`: policies as commands, and the template of a new bot."""

import json
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from tests.support.cli_runner import parsed, vinci
from tests.support.paths import PROJECT
from vinci_bots import sdk
from vinci_bots.builtin import connected
from vinci_bots.sdk import Bot
from vinci_bots.turn import Turn
from vinci_cli.commands.bot import scaffold
from vinci_cli.commands.bot.group import bot
from vinci_cli.commands.bot.scaffold import PYTHON
from vinci_players.names import BOTS


def test_every_policy_is_a_subcommand() -> None:
    """The subcommands are the policies, `new`, `check`, `debug`, `pack`, and `run`, which plays a bot from a file."""
    assert {*bot.commands} == {*BOTS, "new", "check", "debug", "run", "pack"}
    assert "Play bot seats of a server to win." in vinci("bot", "greedy", "--help").text


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings can be environment variables, and options take precedence."""
    for name in ("ADDRESS", "SEAT_TOKEN", "SEED"):
        monkeypatch.setenv(f"VINCI_{name}", name)
    parameters = parsed("vinci bot greedy").params
    assert (parameters["address"], parameters["token"], parameters["seed"]) == ("ADDRESS", "SEAT_TOKEN", "SEED")
    parameters = parsed("vinci bot greedy here --token x.y --seed 7").params
    assert (parameters["address"], parameters["token"], parameters["seed"]) == ("here", "x.y", "7")


def test_default_address_is_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an address the bot connects to this machine."""
    monkeypatch.delenv("VINCI_ADDRESS", raising=False)
    assert parsed("vinci bot random --at-once 4 --games 10").params["address"] == "localhost"


def test_a_failing_computer_player_is_not_blamed_on_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the player and its fault, and keeps a trace."""

    async def play(kind: type[Bot], *_arguments: object, **_options: object) -> None:
        kind().choose(Turn.of("tiny; rules standard target=20; round 0; seat 1; seat 2; seat 3"))

    def fail(_state: object, _chance: object) -> NoReturn:
        raise ValueError("take fishing")

    monkeypatch.setattr(sdk, "play", play)
    monkeypatch.setattr(connected, "policy", lambda _name: fail)
    status, text = vinci("bot", "easy", "localhost")
    assert status == 1
    assert "the computer player easy has failed (ValueError: take fishing)" in text
    assert "server" not in text
    assert "in fail\n" in Path(text.strip().rpartition(": ")[2]).read_text(encoding="utf-8")


def test_new_bot_passes_its_test_and_has_its_name(tmp_path: Path) -> None:
    """The new folder has the documented files, and the next commands are printed."""
    folder = tmp_path / "hermit"
    status, text = vinci("bot", "new", str(folder))
    assert status == 0
    assert text.splitlines()[1:] == [
        "  vinci serve --players hermit,dummy,dummy",
        f"  cd {folder} && {PYTHON} -m unittest && vinci bot run bot.py",
    ]
    assert {path.name for path in folder.iterdir()} == {"README.md", "bot.py", "bot.toml", "test_bot.py"}
    assert vinci("bot", "pack", str(folder), "--out", str(tmp_path / "hermit.zip")).status == 0
    assert 'name = "hermit"' in (folder / "bot.py").read_text()
    assert not any("starter" in path.read_text() for path in folder.iterdir())
    done = subprocess.run([sys.executable, "-m", "unittest"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Ran 3 tests" in done.stderr


def test_run_passes_all_arguments_to_the_file(tmp_path: Path) -> None:
    """The file runs with this Python and all further arguments, options included; its exit status is that of the command."""
    file = tmp_path / "first.py"
    file.write_text("import sys, vinci_bots; print(sys.executable, sys.argv[1:]); sys.exit(3)\n")
    command = [sys.executable, "-m", "vinci_cli", "bot", "run", str(file), "here", "--at-once", "2", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == (f"{sys.executable} ['here', '--at-once', '2', '--help']\n", 3)


def test_run_refuses_files_other_than_python(tmp_path: Path) -> None:
    """A file other than a .py file, or one that does not exist, is refused."""
    (tmp_path / "bot.js").touch()
    status, text = vinci("bot", "run", str(tmp_path / "bot.js"))
    assert (status, "is not a Python file (.py)" in text) == (2, True)
    status, text = vinci("bot", "run", str(tmp_path / "none.py"))
    assert (status, "none.py" in text) == (2, True)


def test_new_bot_overwrites_no_folder(tmp_path: Path) -> None:
    """An existing folder, even an empty one, is left unchanged."""
    (tmp_path / "hermit").mkdir()
    status, text = vinci("bot", "new", str(tmp_path / "hermit"))
    assert status == 1
    assert "is there already, and stays as it is" in text
    assert not list((tmp_path / "hermit").iterdir())


@pytest.mark.parametrize("name", ["Hermit", "7up", "a b", "human", "greedy", "x" * 33, "-"])
def test_new_bot_needs_a_valid_bot_name(name: str, tmp_path: Path) -> None:
    """The folder of a bot is its name, which must be valid in `--players`."""
    status, text = vinci("bot", "new", "--", str(tmp_path / name))
    assert status == 2
    assert "is no name for a new bot" in text
    assert not (tmp_path / name).exists()


def test_new_typescript_bot_has_sources_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new TypeScript bot has sources and the .proto files of this version, but no build output."""
    source = tmp_path / "bots" / "typescript"
    for file in ("src/main.ts", "src/generated/bot.ts", "node_modules/x/x.js", "dist/main.js", "README.md"):
        (source / file).parent.mkdir(parents=True, exist_ok=True)
        (source / file).write_text('name = "typescript"')
    monkeypatch.setattr(scaffold, "SOURCES", (tmp_path / "none", tmp_path / "bots"))
    monkeypatch.chdir(tmp_path)
    status, text = vinci("bot", "new", "hermit", "--lang", "typescript")
    assert status == 0, text
    assert "npm start" in text
    protos = sorted(path.name for path in (PROJECT / "proto" / "vinci" / "v1").glob("*.proto"))
    files = {str(path.relative_to(tmp_path / "hermit")) for path in Path("hermit").absolute().rglob("*.*")}
    assert files == {"README.md", "src/main.ts", *(f"proto/vinci/v1/{name}" for name in protos)}
    assert (tmp_path / "hermit" / "src" / "main.ts").read_text() == 'name = "hermit"'


@pytest.mark.skipif(not (PROJECT / "bots" / "typescript").is_dir(), reason="there is no bot in TypeScript here")
def test_new_typescript_bot_has_its_name(tmp_path: Path) -> None:
    """The name is in the package and in the hello message; the language is still TypeScript."""
    assert vinci("bot", "new", str(tmp_path / "hermit"), "--lang", "typescript").status == 0
    package = json.loads((tmp_path / "hermit" / "package.json").read_text())
    assert package["name"] == "hermit"
    assert "typescript" in package["devDependencies"]
    assert '"hermit"' in (tmp_path / "hermit" / "src" / "main.ts").read_text()
    lock = PROJECT / "bots" / "typescript" / "package-lock.json"
    assert (tmp_path / "hermit" / lock.name).read_text() == lock.read_text().replace("typescript-bot", "hermit")


def test_unknown_programming_language_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown language is refused, and no file is written."""
    monkeypatch.setattr(scaffold, "SOURCES", (tmp_path / "none",))
    status, text = vinci("bot", "new", str(tmp_path / "hermit"), "--lang", "typescript")
    assert (status, text) == (1, "Error: this installation has no beginning of a bot in typescript\n")
    assert not (tmp_path / "hermit").exists()


@pytest.mark.parametrize("arguments", [("--lang", "de", "bot", "new"), ("bot", "--lang", "de", "new")])
def test_language_of_texts_and_of_the_bot_are_separate_options(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """--lang before `new` selects the language of the texts, after it the programming language."""
    (tmp_path / "hermit").mkdir()
    status, text = vinci(*arguments, str(tmp_path / "hermit"), "--lang", "python", "--spam")
    assert status == 2
    assert "Fehler" in text

"""`vinci bot`: the policies as commands, and the beginning of a new bot."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cli_runner import parsed, vinci
from tests.support.paths import PROJECT
from vinci_cli.commands.bot import scaffold
from vinci_cli.commands.bot.group import bot
from vinci_cli.commands.bot.scaffold import PYTHON
from vinci_cli.connection.local_server import BOTS


def test_each_policy_is_a_command() -> None:
    """And `new` and `check` are those that play nothing; `run` plays with a file."""
    assert {*bot.commands} == {*BOTS, "new", "check", "run"}
    assert "Play bot seats of a server to win." in vinci("bot", "greedy", "--help").text


def test_what_a_bot_is_told_can_stand_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that settings can be environment variables, and options take precedence."""
    for name in ("ADDRESS", "SEAT_TOKEN", "SEED"):
        monkeypatch.setenv(f"VINCI_{name}", name)
    told = parsed("vinci bot greedy").params
    assert (told["address"], told["token"], told["seed"]) == ("ADDRESS", "SEAT_TOKEN", "SEED")
    told = parsed("vinci bot greedy here --token x.y --seed 7").params
    assert (told["address"], told["token"], told["seed"]) == ("here", "x.y", "7")


def test_without_an_address_it_is_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that the default address is this machine."""
    monkeypatch.delenv("VINCI_ADDRESS", raising=False)
    assert parsed("vinci bot random --at-once 4 --games 10").params["address"] == "localhost"


def test_a_new_bot_passes_its_test_and_has_its_name(tmp_path: Path) -> None:
    """The folder is as it is described, and what is to be typed next is told."""
    folder = tmp_path / "hermit"
    status, text = vinci("bot", "new", str(folder))
    assert status == 0
    assert text.splitlines()[1:] == [
        "  vinci serve --players hermit,dummy,dummy",
        f"  cd {folder} && {PYTHON} -m unittest && vinci bot run bot.py",
    ]
    assert {path.name for path in folder.iterdir()} == {"README.md", "bot.py", "test_bot.py"}
    assert 'name = "hermit"' in (folder / "bot.py").read_text()
    assert not any("starter" in path.read_text() for path in folder.iterdir())
    done = subprocess.run([sys.executable, "-m", "unittest"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Ran 3 tests" in done.stderr


def test_a_file_is_run_by_this_python_with_all_further_words(tmp_path: Path) -> None:
    """Options too; its status is that of the command."""
    file = tmp_path / "first.py"
    file.write_text("import sys, vinci_bots; print(sys.executable, sys.argv[1:]); sys.exit(3)\n")
    command = [sys.executable, "-m", "vinci_cli", "bot", "run", str(file), "here", "--at-once", "2", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == (f"{sys.executable} ['here', '--at-once', '2', '--help']\n", 3)


def test_a_file_that_is_no_bot_in_python_is_refused(tmp_path: Path) -> None:
    """As is one that is not there."""
    (tmp_path / "bot.js").touch()
    status, text = vinci("bot", "run", str(tmp_path / "bot.js"))
    assert (status, "is not a Python file (.py)" in text) == (2, True)
    status, text = vinci("bot", "run", str(tmp_path / "none.py"))
    assert (status, "none.py" in text) == (2, True)


def test_a_new_bot_overwrites_nothing(tmp_path: Path) -> None:
    """Check that an existing folder, even an empty one, is left unchanged."""
    (tmp_path / "hermit").mkdir()
    status, text = vinci("bot", "new", str(tmp_path / "hermit"))
    assert status == 1
    assert "is there already, and stays as it is" in text
    assert not list((tmp_path / "hermit").iterdir())


@pytest.mark.parametrize("name", ["Hermit", "7up", "a b", "human", "greedy", "x" * 33, "-"])
def test_a_name_that_no_seat_can_ask_for(name: str, tmp_path: Path) -> None:
    """The bot has the name of its folder, which must be one for `--players`."""
    status, text = vinci("bot", "new", "--", str(tmp_path / name))
    assert status == 2
    assert "is no name for a new bot" in text
    assert not (tmp_path / name).exists()


def test_what_was_made_from_sources_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot in TypeScript gets sources, its name, and the .proto files of this server."""
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
    found = {str(path.relative_to(tmp_path / "hermit")) for path in Path("hermit").absolute().rglob("*.*")}
    assert found == {"README.md", "src/main.ts", *(f"proto/vinci/v1/{name}" for name in protos)}
    assert (tmp_path / "hermit" / "src" / "main.ts").read_text() == 'name = "hermit"'


@pytest.mark.skipif(not (PROJECT / "bots" / "typescript").is_dir(), reason="there is no bot in TypeScript here")
def test_the_bot_in_typescript_gets_its_name(tmp_path: Path) -> None:
    """In its package and where it says hello; the language is still called what it is."""
    assert vinci("bot", "new", str(tmp_path / "hermit"), "--lang", "typescript").status == 0
    package = json.loads((tmp_path / "hermit" / "package.json").read_text())
    assert package["name"] == "hermit"
    assert "typescript" in package["devDependencies"]
    assert '"hermit"' in (tmp_path / "hermit" / "src" / "main.ts").read_text()
    lock = PROJECT / "bots" / "typescript" / "package-lock.json"
    assert (tmp_path / "hermit" / lock.name).read_text() == lock.read_text().replace("typescript-bot", "hermit")


def test_a_language_without_a_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said, and nothing is written."""
    monkeypatch.setattr(scaffold, "SOURCES", (tmp_path / "none",))
    status, text = vinci("bot", "new", str(tmp_path / "hermit"), "--lang", "typescript")
    assert (status, text) == (1, "Error: this installation has no beginning of a bot in typescript\n")
    assert not (tmp_path / "hermit").exists()


@pytest.mark.parametrize("arguments", [("--lang", "de", "bot", "new"), ("bot", "--lang", "de", "new")])
def test_the_language_of_the_program_is_not_that_of_the_texts(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """Both can be chosen: one before `new`, one behind it."""
    (tmp_path / "hermit").mkdir()
    status, text = vinci(*arguments, str(tmp_path / "hermit"), "--lang", "python", "--spam")
    assert status == 2
    assert "Fehler" in text

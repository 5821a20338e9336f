"""The choice between compiled rules or players and their sources, with a file in place of a compiled module."""

import os
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from tests.support.paths import PROJECT
from vinci_rules.core import STAMP, VARIABLE, digest, is_fresh

SHOW_PLAYERS = "import vinci_players.search as search; print(search.ranked.__name__)"
SHOW = "import vinci_rules.core as core, vinci_rules.engine as engine; print(core.active(), engine.check.__name__)"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Copy the rules, with a file that Python takes for a compiled engine made from these sources."""
    package = tmp_path / "server" / "vinci_rules"
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
    shutil.copytree(PROJECT / "server" / "vinci_rules", package, ignore=ignored)
    (package / f"engine{EXTENSION_SUFFIXES[0]}").write_text("not a library")
    (package / STAMP).write_text(digest(package))
    return package


@pytest.fixture
def clone(package: Path) -> Path:
    """The same in a clone, which has the tool that compiles them."""
    tool = package.parents[1] / "tools" / "compile_rules.py"
    tool.parent.mkdir()
    tool.touch()
    return package


@pytest.fixture
def players(package: Path) -> Path:
    """Copy the players beside the rules, with a file that Python takes for a compiled search made from these sources."""
    players = package.parent / "vinci_players"
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
    shutil.copytree(PROJECT / "server" / "vinci_players", players, ignore=ignored)
    (package / f"engine{EXTENSION_SUFFIXES[0]}").unlink()
    (players / f"search{EXTENSION_SUFFIXES[0]}").write_text("not a library")
    (players / STAMP).write_text(digest(players, package))
    return players


def run(package: Path, wanted: str, show: str) -> subprocess.CompletedProcess[str]:
    """Run a program in its own process with this package instead of the project's."""
    path = os.pathsep.join((str(package.parent), str(PROJECT / "server")))
    environment = os.environ | {VARIABLE: wanted, "PYTHONPATH": path}
    return subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, env=environment, check=False)


def imported(package: Path, wanted: str = "", show: str = SHOW) -> str:
    """Import the engine in its own process; return the core in use, or the last line of the error."""
    done = run(package, wanted, show)
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize("wanted", ["", "compiled"])
def test_compiled_rules_are_used_if_present(package: Path, wanted: str) -> None:
    """The file in their place is not a library, so the import fails."""
    assert imported(package, wanted).startswith("ImportError: ")


def test_sources_are_used_on_request(package: Path) -> None:
    """The sources are used although there are compiled rules."""
    assert imported(package, "interpreted") == "interpreted check"


@pytest.mark.parametrize("changed", ["engine.py", "data.py", "new.py", STAMP])
def test_outdated_compiled_rules_are_not_used(clone: Path, changed: str) -> None:
    """The sources are used instead, unless compiled rules are requested, which is an error."""
    with (clone / changed).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert imported(clone) == "interpreted check"
    assert "are older than their sources; `make fast` makes them" in imported(clone, "compiled")


def test_sources_are_used_without_compiled_rules(clone: Path) -> None:
    """This is the case in a clone without `make fast`, or with rules compiled for another Python."""
    (clone / f"engine{EXTENSION_SUFFIXES[0]}").rename(clone / "engine.cpython-39-other.so")
    assert imported(clone) == "interpreted check"
    assert "are missing for this Python; `make fast` makes them" in imported(clone, "compiled")


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ("compiled", "are missing for this Python; install a wheel that has them for this Python, or unset it"),
        ("fast", "VINCI_RULES is 'fast'; it can be compiled or interpreted"),
    ],
)
def test_the_command_line_says_in_one_line_why_the_rules_cannot_run(package: Path, wanted: str, told: str) -> None:
    """No traceback, and no advice to call `make`, which an installed wheel does not have."""
    (package / f"engine{EXTENSION_SUFFIXES[0]}").unlink()
    show = "from vinci_cli.main import main; main(['--version'])"
    done = run(package, wanted, show)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("Error: VINCI_RULES is ")
    assert done.stderr.endswith(f"{told}\n")


def test_unknown_core_is_refused(package: Path) -> None:
    """A misspelt name must not silently test the wrong core."""
    assert imported(package, "fast") == "ImportError: VINCI_RULES is 'fast'; it can be compiled or interpreted"


def test_compiled_players_are_used_if_present(players: Path) -> None:
    """The file in their place is not a library, so the import fails."""
    assert imported(players, show=SHOW_PLAYERS).startswith("ImportError: ")
    assert imported(players, "interpreted", SHOW_PLAYERS) == "ranked"


@pytest.mark.parametrize("changed", ["vinci_players/levels.py", "vinci_rules/engine.py"])
def test_outdated_compiled_players_are_not_used(players: Path, changed: str) -> None:
    """They were compiled with the rules and call their functions directly, so changed rules count, too."""
    with (players.parent / changed).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert imported(players, show=SHOW_PLAYERS) == "ranked"


def test_a_missing_folder_is_not_fresh(tmp_path: Path) -> None:
    """No listing of it fails; a copy to compile has none at first."""
    assert not is_fresh(tmp_path / "missing")

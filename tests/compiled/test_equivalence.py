"""Compiled rules and players behave as their sources do: both run the same in processes of their own, and give the same digests."""

import os
import subprocess
import sys

import pytest

from tests.support.paths import PROJECT
from vinci_rules.core import VARIABLE, digest, is_fresh

COPY = PROJECT / ".compiled"
"""The folder in which `make check-compiled` compiles a copy of the rules."""
GAMES, BLOCK = 10_000, 2_500
QUESTIONS, QUESTIONS_A_BLOCK = 1_000_000, 250_000
SEARCHED, SEARCHED_A_BLOCK = 200, 50
PACKAGES = [PROJECT / "server" / "vinci_rules", PROJECT / "server" / "vinci_players"]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    packages = [COPY / folder.name for folder in PACKAGES]
    if not (is_fresh(packages[0]) and is_fresh(*reversed(packages)) and digest(*packages) == digest(*PACKAGES)):
        pytest.skip("no compiled copy of the rules: `make check-compiled` makes it if there is a C compiler")


def run(core: str, *arguments: str) -> str:
    """Run Python with one of the two cores, and return its output; fails if it fails or crashes."""
    server = PROJECT / "server"
    folders = (COPY if core == "compiled" else server, PROJECT, PROJECT / "proto", server)
    path = os.pathsep.join(map(str, folders))
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        cwd=PROJECT,
        env=os.environ | {VARIABLE: core, "PYTHONPATH": path},
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


def compared(script: str, *numbers: int) -> None:
    """Run a script of tests/support/compiled with both cores and compare what it prints after the name of the core."""
    module = f"tests.support.compiled.{script}"
    compiled, interpreted = (run(core, "-m", module, *map(str, numbers)) for core in ("compiled", "interpreted"))
    assert compiled.split()[0] == "compiled"
    assert compiled.splitlines() == interpreted.replace("interpreted", "compiled", 1).splitlines()


@pytest.mark.parametrize("first", range(0, GAMES, BLOCK))
def test_games_have_the_same_records(first: int) -> None:
    """10,000 games on both boards, of all editions and numbers of seats, with dummies; one digest over all hashes."""
    compared("games", first, first + BLOCK)


@pytest.mark.parametrize("seed", range(0, QUESTIONS, QUESTIONS_A_BLOCK))
def test_impossible_actions_and_positions_have_the_same_answers(seed: int) -> None:
    """A million, with numbers of any size; values of other types raise some exception, and nothing crashes."""
    compared("impossible", seed, QUESTIONS_A_BLOCK)


@pytest.mark.parametrize("first", range(0, SEARCHED, SEARCHED_A_BLOCK))
def test_searches_find_the_same_plans(first: int) -> None:
    """200 games of all editions and numbers of seats, and misuse."""
    compared("searches", first, first + SEARCHED_A_BLOCK)


def test_values_are_alike() -> None:
    """Texts, equality, hashes, copies, pickles, changes and errors."""
    compared("values")


def test_tests_of_rules_and_players_pass() -> None:
    """Also perft, the codec and golden records."""
    tests = ("tests/rules", "tests/players", "tests/codec", "tests/cli/commands/test_selfplay.py")
    folders = (str(COPY), ".", "proto", "server", "clients", "bots")
    run("compiled", "-m", "pytest", "-n0", "-o", f"pythonpath={' '.join(folders)}", *tests)

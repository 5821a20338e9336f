"""Completion of command lines, in real shells where they are installed."""

# ruff: noqa: D103  # the name of each test says what it checks

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support.cli_runner import vinci
from tests.support.processes.vinci_process import environment
from vinci_cli.connection import saved_seats
from vinci_cli.connection.saved_seats import SavedSeat
from vinci_rules.board import board_names, load_board
from vinci_rules.traits import KINDS

PROGRAMS: Final = Path(sys.executable).parent

COMPLETE: Final = """
eval "$(vinci completion bash)"
COMP_LINE=$1 COMP_POINT=${#1} COMP_CWORD=$(($# - 2)) COMP_WORDS=("${@:2}")
_vinci_completion vinci 2>/dev/null
printf '%s\\n' "${COMPREPLY[@]}"
"""
"""Completion as bash does it: its line, its words, and the function that `complete` names."""


def variables(home: Path) -> dict[str, str]:
    return {**environment(home), "PATH": f"{PROGRAMS}:{os.environ['PATH']}", "VINCI_LANG": "en"}


def in_bash(home: Path, line: str, *words: str) -> list[str]:
    """Return the completions of bash at the end of a line; `words` are the words of bash if they are not separated by spaces."""
    words = words or (*line.split(), *([""] if line.endswith(" ") else []))
    done = subprocess.run(
        ["bash", "--norc", "-c", COMPLETE, "bash", line, *words],
        env=variables(home),
        cwd=home,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1]


bash = pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")


@bash
@pytest.mark.parametrize(
    ("line", "proposed"),
    [
        ("vinci tut", ["tutorial"]),
        ("vinci serve --boa", ["--board"]),
        ("vinci serve --board ", [*board_names()]),
        ("vinci serve --board=ti", ["tiny"]),
        ("vinci serve --with", [""]),
        ("vinci play --edition W", ["WEB"]),
        ("vinci play --players human,gr", ["human,greedy"]),
        ("vinci play --players human,hard:r", ["raider"]),
        ("vinci play --players human,expert@500ms:b", ["builder"]),
        ("vinci match --bots greedy ran", ["random"]),
        ("vinci tournament run --gate first.py --against greedy du", ["dummy"]),
        ("vinci --lang ", ["en", "fr", "nl", "de"]),
        ("vinci serve --lang f", ["fr"]),
        ("vinci bot new --lang t", ["typescript"]),
        ("vinci rules R-MARKET-", [""]),
        ("vinci rules R-CONQ-3", ["R-CONQ-3"]),
        ("vinci admin hand", ["hand-over"]),
        ("vinci serve --on-timeout f", ["forfeit"]),
        ("vinci serve --limit matches=", ["2000"]),
        ("vinci bot check --only hand", ["handshake"]),
        ("vinci completion z", ["zsh"]),
        ("vinci no-such-command --b", [""]),
    ],
)
def test_names(tmp_path: Path, line: str, proposed: list[str]) -> None:
    assert in_bash(tmp_path, line) == proposed


@bash
def test_bash_word_breaks(tmp_path: Path) -> None:
    """bash ends words at = and :, and replaces only the text after them."""
    typed = ("vinci", "serve", "--option", "give_up", "=", "f")
    assert in_bash(tmp_path, "vinci serve --option give_up=f", *typed) == ["free"]
    assert in_bash(tmp_path, "vinci serve --option=give_up=f", *typed[:3], "=", *typed[3:]) == ["free"]
    (tmp_path / "seats.json").write_text(json.dumps([{"where": "[fd00::5]:7000", "match_id": "k3f9xa2m"}]))
    assert in_bash(tmp_path, "vinci join [fd00::5", "vinci", "join", "[fd00", "::", "5") == ["5]:7000"]


@bash
def test_traits_and_provinces(tmp_path: Path) -> None:
    names = {kind.names["en"] for kind in KINDS if not kind.lasting}
    assert names <= set(in_bash(tmp_path, "vinci rules "))
    position = ("vinci", "analyze", "--position", '"tiny; seat 1"', "--action")
    line = f"{' '.join(position)} "
    assert in_bash(tmp_path, f'{line}"x ', *position, '"x ') == [f"x {code}" for code in load_board("tiny").codes]
    assert in_bash(tmp_path, f"{line}ho", *position, "ho") == ["hold"]


@bash
def test_saved_servers_and_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VINCI_HOME", str(tmp_path))
    saved_seats.save(SavedSeat("192.168.1.5:7654", "k3f9xa2m", 1, "token"))
    saved_seats.save(SavedSeat(str(tmp_path / "play.db"), "zzzzzzzz", 1, "token"))
    assert in_bash(tmp_path, "vinci join ") == ["localhost", "192.168.1.5:7654"]
    assert in_bash(tmp_path, "vinci admin status --server 1") == ["192.168.1.5:7654"]
    assert in_bash(tmp_path, "vinci match times k") == ["k3f9xa2m"]
    assert in_bash(tmp_path, "vinci watch localhost ") == ["zzzzzzzz", "k3f9xa2m"]
    (tmp_path / "seats.json").write_text("[nonsense")
    assert in_bash(tmp_path, "vinci join ") == ["localhost"]


@bash
def test_files(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    for name in ("first.py", "notes.txt", "games/1-1.jsonl", "games/1-2.jsonl", "league.toml"):
        (tmp_path / name).touch()
    (tmp_path / "autumn").mkdir()
    (tmp_path / "autumn" / "league.json").touch()
    assert in_bash(tmp_path, "vinci replay games/") == ["games/1-1.jsonl", "games/1-2.jsonl"]
    assert in_bash(tmp_path, "vinci tournament run ") == ["first.py", "league.toml"]
    assert in_bash(tmp_path, "vinci tournament report a") == ["autumn"]
    assert in_bash(tmp_path, "vinci play --players human,fi") == ["human,first.py"]
    assert in_bash(tmp_path, "vinci replay ") == [""]  # where nothing fits, bash proposes any file


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
def test_fish_shows_values_and_descriptions(tmp_path: Path) -> None:
    program = "vinci completion fish | source; complete -C $argv[1]"

    def proposed(line: str) -> list[str]:
        command = ["fish", "--no-config", "-c", program, "--", line]
        done = subprocess.run(command, env=variables(tmp_path), capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    assert proposed("vinci tut") == ["tutorial\tLearn the rules in a short game."]
    assert proposed("vinci ana") == [
        "analysis\tServe legal actions and playouts to bots.",
        "analyze\tList what is legal in a position, or try actions there.",
    ]
    assert proposed("vinci serve --board e") == ["europe"]
    assert proposed("vinci play --players human,gr") == ["human,greedy"]
    assert proposed("vinci serve --option give") == ["give_up=free", "give_up=only_if_forced"]
    assert [line.partition("\t")[2] for line in proposed("vinci analyze --action 'x ALP")] == ["Alps"]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh")
def test_zsh_function_is_loaded(tmp_path: Path) -> None:
    """The function passes its values to completion commands of zsh, which are replaced by ones that print them."""
    program = """
    compdef() { :; }; eval "$(vinci completion zsh)"
    compadd() { print -rl -- ${completions[@]}; }; _describe() { print -rl -- ${completions_with_descriptions[@]}; }
    words=(${(z)1}); [[ $1 == *' ' ]] && words+=(''); CURRENT=${#words}; _vinci_completion
    """

    def proposed(line: str) -> list[str]:
        command = ["zsh", "-f", "-c", program, "zsh", line]
        done = subprocess.run(command, env=variables(tmp_path), capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    assert proposed("vinci tut") == ["tutorial:Learn the rules in a short game."]
    assert proposed("vinci serve --board ") == ["europe", "tiny"]
    assert proposed("vinci match --bots greedy ran") == ["random"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_second_name_has_its_own_script(shell: str, tmp_path: Path) -> None:
    command = [str(PROGRAMS / "vinci-server"), "completion", shell]
    output = subprocess.run(command, env=variables(tmp_path), capture_output=True, text=True, check=True).stdout
    assert "_VINCI_SERVER_COMPLETE" in output
    assert "_VINCI_COMPLETE" not in output


def test_unknown_shell_is_refused_with_the_known_ones() -> None:
    status, text = vinci("completion", "tcsh")
    assert status == 2
    assert "'bash', 'zsh', 'fish'" in text


@pytest.mark.parametrize("line", ["vinci join 1", "vinci serve --board ", "vinci tournament run --bots g"])
def test_completion_imports_no_slow_modules(line: str, tmp_path: Path) -> None:
    """Completion imports neither gRPC nor the implementation of a command."""
    program = "import sys\ntry:\n import vinci_cli.main as m; m.main(prog_name='vinci')\nfinally:\n print(*sys.modules)"
    asked = {"_VINCI_COMPLETE": "bash_complete", "COMP_LINE": line, "COMP_WORDS": line, "COMP_CWORD": "0"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env={**variables(tmp_path), **asked}, capture_output=True, text=True, check=False)
    modules = set(done.stdout.split())
    assert "vinci_cli.commands.completion.values" in modules
    assert not {"grpc", "google.protobuf", "prompt_toolkit", "vinci_server", "numpy"} & modules

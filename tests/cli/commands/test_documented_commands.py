"""The commands that the README, CONTRIBUTING and the docs print.

Each line of each shell block is checked without being run: a shell accepts its syntax, `vinci` has the command with these
options and arguments, `make` the target, the package the extra, the clone the files, the protocol the method that `curl`
calls and the fields that it sends. So is each `vinci ...` between backquotes.

Run as they are printed, page by page in the order of the page, are those that need no server, network, terminal, other
user or file that a reader makes: `vinci --version`, `serve --print-config`, `bot new`, `replay` into files, and `status`,
`report` and `verify` of a league. With the slow tests (`make check-all`) also matches of bots, the doctor, the debugger,
reviews, games added to a league, and what asks a server of this machine at its usual ports. The files that they read are
given: the bots `first.py` and `first.sh` of the pages for authors, a short recorded game, and a league of three games in
place of the printed one.

All others are not run here: `serve`, `join`, `play`, what names other machines, leagues of hundreds of games, programs
that are not ours. Those of ours have tests of their own, with smaller numbers.
"""

import json
import re
import shutil
import socket
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pytest

from tests.support.cli_runner import vinci
from tests.support.documented_commands import PAGES, Command, fault, mentioned, shell_fault, typed
from tests.support.paths import DOCS, PROJECT
from tests.support.processes.vinci_process import Vinci, run
from vinci_cli.commands.tournament import play, results

QUICK: Final = re.compile(
    r"--version|serve .*--print-config|bot new \w+|replay game\.jsonl --(?:html|animate|verify).*"
    r"|tournament (?:status|report|verify) autumn"
)
"""Commands that are run in each test run, by their arguments."""
SLOW: Final = re.compile(
    r"match (?!.*(?:--sandbox|node )).*|bot check (?!.*(?:--sandbox|--remote)).*|bot debug .*"
    r"|tournament (?:verify|extend|resume) autumn(?: --.*\d)?|review game\.jsonl.*"
)
"""Those that are run with the slow tests, too."""
SERVED: Final = re.compile(r"players|health localhost:7654|admin (?:persons|end --older .*)")
"""Those that ask a server, run with the slow tests, too."""
CALLS: Final = re.compile(r"curl http://localhost:8080/vinci\.v1\.LobbyService/(?:List|Create)Match.*")
"""Calls of its page that name no match, run with these."""
LEAGUE: Final = "--bots random dummy random --games 3 --seats 3 --board tiny --target 12 --workers 1 --out autumn"


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that commands read."""
    folder = tmp_path_factory.mktemp("given")
    for name, page, language in (("first.py", PROJECT / "README.md", "python"), ("first.sh", DOCS / "bots.md", "sh")):
        found = re.search(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        assert found
        (folder / name).write_text(found[1], encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(play, "Processes", ThreadPoolExecutor)
        status, text = vinci("tournament", "run", *LEAGUE.split())
    assert status == 0, text
    shutil.copy(next((folder / "autumn" / "games").iterdir()), folder / "game.jsonl")
    return folder


def pages_with(kinds: re.Pattern[str]) -> list[Path]:
    """Return the pages with commands of these kinds."""
    return [page for page in PAGES if any(kinds.fullmatch(" ".join(one.arguments or ())) for one in typed(page))]


def run_in_order(page: Path, kinds: re.Pattern[str], execute: Callable[..., object]) -> list[str]:
    """Run the commands of a page of these kinds, in its order; return their arguments."""
    done = []
    for command in typed(page):
        arguments = " ".join(command.arguments or ())
        if kinds.fullmatch(arguments):
            print(command)  # noqa: T201
            execute(*command.arguments or ())
            done.append(arguments)
    return done


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_documented_commands_are_valid(page: Path) -> None:
    """Every command of a page is one that exists, with its options, targets and files, and in the syntax of a shell."""
    assert not shell_fault(page)
    assert not [found for command in [*typed(page), *mentioned(page)] if (found := fault(command))]


def test_quick_commands_run(given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick commands of each page succeed as they are printed, in a folder for each page."""
    monkeypatch.setattr(results, "Processes", ThreadPoolExecutor)
    done = []

    def execute(*arguments: str) -> None:
        status, text = vinci(*arguments, home=tmp_path)
        assert status == 0, text

    for number, page in enumerate(pages_with(QUICK)):
        monkeypatch.chdir(shutil.copytree(given, tmp_path / str(number)))
        done += run_in_order(page, QUICK, execute)
    assert {arguments.split()[0] for arguments in done} == {"--version", "serve", "bot", "replay", "tournament"}


@pytest.mark.slow
@pytest.mark.parametrize("page", pages_with(SLOW), ids=lambda page: page.name)
def test_slow_commands_run(page: Path, given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The slower ones succeed, too, each in a process, after the quick ones before them on the page."""
    text = page.read_text(encoding="utf-8")
    if "sh first.sh" in text and shutil.which("jq") is None:
        pytest.skip("jq is not installed")
    monkeypatch.chdir(shutil.copytree(given, tmp_path / "folder"))
    if "debug match-7" in text:  # which the page makes by a match with a bot for Node
        run(tmp_path, "match", "--bots", "first.py", "greedy", "random", "dummy", "--seed", "7")
    run_in_order(page, re.compile(f"{QUICK.pattern}|{SLOW.pattern}"), lambda *arguments: run(tmp_path, *arguments))


@pytest.mark.slow
def test_commands_that_ask_a_server_run(tmp_path: Path) -> None:
    """Those of all pages succeed beside a server at the usual ports."""
    for port in (7654, 8080):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                pytest.skip(f"port {port} is taken")
    done = []
    with Vinci(tmp_path, "serve", "--web", "8080") as server:
        server.expect("http://localhost:8080/")
        for command in [command for page in PAGES for command in typed(page)]:
            arguments = " ".join(command.arguments or ())
            print(command)  # noqa: T201
            if SERVED.fullmatch(arguments):
                run(tmp_path, *command.arguments or ())
                done.append(arguments.split()[0])
            elif CALLS.fullmatch(command.text):
                answer = subprocess.run(["sh", "-c", command.text], capture_output=True, text=True, check=True).stdout
                assert json.loads(answer).keys() <= {"matches", "match", "hostToken"}, answer
                done.append("curl")
    assert set(done) == {"players", "health", "admin", "curl"}


def test_commands_are_found() -> None:
    """The search finds commands that are known to be in the documents, in blocks and between backquotes."""
    in_blocks = [command.text for page in PAGES for command in typed(page)]
    assert {"make play", "vinci tutorial", "docker exec vinci vinci admin status"} <= set(in_blocks)
    assert any(text.startswith("vinci tournament run --gate") for text in in_blocks)
    assert any(text.startswith("vinci replay") for page in PAGES for _, _, text in mentioned(page))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("vinci play --no-such-option", "No such option"),
        ("sudo vinci admin nothing", "nothing"),
        ("docker exec vinci vinci no-such-command", "no-such-command"),
        ("make nothing", "no such target"),
        ("pip install 'x.whl[nothing]'", "no extra nothing"),
        (".venv/bin/python -m tools.nothing", "no file tools/nothing.py"),
        ("vinci tournament run benchmarks/nothing.toml", "no file benchmarks/nothing.toml"),
        ("nothing --at-all", "no program"),
        ("curl http://localhost:8080/vinci.v1.LobbyService/Nothing -d '{}'", "Nothing"),
        ("curl http://localhost:8080/vinci.v1.LobbyService/ListMatches -d '{\"nothing\": 1}'", "nothing"),
    ],
)
def test_check_finds_faults(text: str, complaint: str) -> None:
    """A command that does not exist, or not so, is a fault."""
    assert complaint in (fault(Command(PROJECT / "README.md", 1, text)) or "")


@pytest.mark.skipif(shutil.which("sh") is None, reason="there is no shell")
def test_check_of_a_page_finds_wrong_syntax(tmp_path: Path) -> None:
    """A quotation mark that is left open is a fault of the page."""
    page = tmp_path / "page.md"
    page.write_text('Type\n\n    vinci match --bots "first.py\n', encoding="utf-8")
    assert shell_fault(page)

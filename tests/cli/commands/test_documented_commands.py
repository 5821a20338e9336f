"""The commands that the README, CONTRIBUTING and the docs print.

Each line of each shell block is checked without being run: a shell accepts its syntax, `vinci` has the command with these
options and arguments, `make` the target, the package the extra, the clone the files, the protocol the method that `curl`
calls and the fields that it sends. So is each `vinci ...` between backquotes.

Run as they are printed, page by page in the order of the page, are those that need no server, network, terminal, other
user or file that a reader makes: `vinci --version`, `serve --print-config`, `bot new`, `replay` into files, and `status`,
`report` and `verify` of a league. With the slow tests (`make check-all`) also matches of bots, the doctor, the debugger,
reviews, games added to a league, servers until they listen, and what asks a server of this machine at its usual ports;
leagues, gates, studies, tables and games of people with fewer and smaller games. The files that they read are given: the
bots `first.py`, `first.sh` and `second.py` of the page for authors, a short recorded game, and a league of three games in place of
the printed one.

All others are not run here, each for a reason of UNRUN.
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
from tests.support.documented_commands import PAGES, Command, fault, mentioned, saved_as, shell_fault, typed
from tests.support.paths import DOCS, PROJECT
from tests.support.processes.vinci_process import Vinci, run
from vinci_cli.commands.tournament import play
from vinci_tournament.play import worker_pool

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
CALLS: Final = re.compile(r"curl (?:-N )?http://localhost:8080/vinci\.v1\.(?:Lobby|Match)Service/.*", re.DOTALL)
"""Calls of its page, run with these; the match that they name is the one that was created before."""
SERVERS: Final = re.compile(r"serve (?!.*(?:--print-config|--sandbox)).*")
"""Servers, which are run until they listen."""
LITTLE: Final = ("--board", "tiny", "--target", "12")
SMALL: Final = {
    re.compile(r"tournament run --(?:bots|gate|gauntlet) (?!.*(?:--sandbox|--web|learner)).*"): (
        "--games", "6", "--workers", "1", *LITTLE,
    ),
    re.compile(r"tournament balance (?!--resume).*"): ("--games", "4", "--workers", "1", *LITTLE),
    re.compile(r"tournament balance --resume balance"): (),
    re.compile(r"dataset .*"): ("--games", "2", *LITTLE),
    re.compile(r"selfplay .*"): ("--games", "1", *LITTLE),
    re.compile(r"play .*"): ("--new", *LITTLE),
}  # fmt: skip
"""Commands that are run with the slow tests and with these options, which hold in place of the printed ones."""
GATED: Final = (0, 1, 3)
"""Statuses of a gate: passed, failed, inconclusive."""
UNRUN: Final = {
    r"git .*|cd .*|npm .*|(?:\S*/)?pip .*": "loads from the network",
    r"make .*": "builds, or runs all tests",
    r"sudo .*|docker .*|journalctl .*|runuser .*|setpriv .*|su .*|systemd-run .*": "needs other users, containers or services",
    r"grpcurl .*|(?:.* )?(?:grpc_tools\.)?protoc .*|mkdir -p gen|(?:.* \"?)?node .*|dask .*|ssh .*|tar .*": "runs programs that are not ours",
    r"exec jq .*": "is the text of first.sh, which is run",
    r".*(?:HOST|ADDRESS\]|192\.168\.1\.5).*|vinci join .*": "names another machine, or a code that a server made up",
    r"vinci tutorial": "needs a terminal",
    r"vinci bot run first\.py|vinci bot hard localhost|VINCI_ADDRESS=.*|python bot\.py .*|curl .*BotService/.*": (
        "plays at a server until it is stopped; tests/bots runs such bots"
    ),
    r".*--sandbox.*": "needs bubblewrap; tests/tournament/test_sandbox.py runs bots so",
    r"vinci bot (?:pack|check --remote) .*": "needs a folder or a person that only the page describes",
    r"vinci tournament .* (?:weekend|ladder|autumn 12-3|autumn new\.toml|league\.toml|\S*weekend\.toml|ladder\.toml)\b.*"
    r"|vinci tournament (?:open|invite|merge) .*|vinci tournament extend autumn --bots .*"
    r"|vinci tournament run benchmarks/levels\.toml|.* --web 8080": "is a league of files, weeks or persons of the page; tests/tournament has such",
    r".*bots/learner/.*": "learns for minutes; tests/rl/test_learner.py runs it for seconds",
    r"\S*python -m tools\.\w+.*": "measures or trains for hours",
    r"vinci admin persons .*": "changes persons whom the page made up; tests/end_to_end/test_administration.py has such",
    r"curl -s http://localhost:9654/metrics": "asks a server with the option --metrics",
}
"""Commands that are not run, and why."""
LEAGUE: Final = "--bots random dummy random --games 3 --seats 3 --board tiny --target 12 --workers 1 --out autumn"


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that commands read."""
    folder = tmp_path_factory.mktemp("given")
    page = (DOCS / "bots.md").read_text(encoding="utf-8")
    for name in ("first.py", "first.sh", "second.py"):
        (folder / name).write_text(saved_as(name, page), encoding="utf-8")
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
    monkeypatch.setattr(worker_pool, "Processes", ThreadPoolExecutor)
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
    run_in_order(page, re.compile(f"{QUICK.pattern}|{SLOW.pattern}"), lambda *arguments: run(tmp_path, *arguments))


def is_run(command: Command) -> bool:
    """Return whether a test runs a command."""
    arguments = " ".join(command.arguments or ())
    return bool(CALLS.fullmatch(command.text)) or any(
        kinds.fullmatch(arguments) for kinds in (QUICK, SLOW, SERVED, SERVERS, *SMALL)
    )


def test_each_command_is_run_or_has_a_reason() -> None:
    """Each reason is needed, too."""
    unrun = [command for page in PAGES for command in typed(page) if not is_run(command)]
    reasons = [re.compile(pattern, re.DOTALL) for pattern in UNRUN]
    assert not [str(one) for one in unrun if not any(reason.fullmatch(one.text) for reason in reasons)]
    assert not [reason.pattern for reason in reasons if not any(reason.fullmatch(one.text) for one in unrun)]


def small(command: Command) -> tuple[str, ...] | None:
    """Return the options with which a command is run small, or nothing for others."""
    arguments = " ".join(command.arguments or ())
    return next((options for kinds, options in SMALL.items() if kinds.fullmatch(arguments)), None)


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(small(one) is not None for one in typed(page))], ids=lambda page: page.name
)
def test_small_commands_run(page: Path, given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a page succeed with fewer and smaller games, each in a process."""
    monkeypatch.chdir(shutil.copytree(given, tmp_path / "folder"))
    for name in ("mine.py", "new.py", "old.py", "new/bot.py", "old/bot.py"):
        Path(name).parent.mkdir(exist_ok=True)
        shutil.copy("first.py", name)
    for command in typed(page):
        options = small(command)
        if options is None:
            continue
        print(command)  # noqa: T201
        arguments = command.arguments or []
        if "--resume" not in arguments:
            for folder in ("autumn", "balance", "gate", "gauntlet", "league"):
                shutil.rmtree(folder, ignore_errors=True)
        with Vinci(tmp_path, *arguments, *options) as running:
            assert running.ended() in (GATED if "--gate" in arguments else (0,)), running.err


def need(*ports: int) -> None:
    """Skip a test whose ports are taken."""
    for port in ports:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                pytest.skip(f"port {port} is taken")


@pytest.mark.slow
def test_servers_start(given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of all pages listen at the usual ports."""
    need(7654, 8080, 2222, 7655)
    monkeypatch.chdir(given)
    commands = {" ".join(one.arguments or ()): one for page in PAGES for one in typed(page)}
    for number, (text, command) in enumerate(commands.items()):
        if SERVERS.fullmatch(text):
            with Vinci(tmp_path / str(number), *(command.arguments or ())) as server:
                server.expect("listening on")


@pytest.mark.slow
def test_commands_that_ask_a_server_run(tmp_path: Path) -> None:
    """Those of all pages succeed beside a server at the usual ports."""
    need(7654, 8080)
    done, real = [], {"k3f9xa2m": "", "SEATTOKEN": ""}
    with Vinci(tmp_path, "serve", "--web", "8080") as server:
        server.expect("http://localhost:8080/")
        for command in [command for page in PAGES for command in typed(page)]:
            arguments = " ".join(command.arguments or ())
            print(command)  # noqa: T201
            if SERVED.fullmatch(arguments):
                run(tmp_path, *command.arguments or ())
                done.append(arguments.split()[0])
            elif CALLS.fullmatch(command.text):
                text = command.text.replace("curl -N", "curl -N --max-time 2")
                for name, value in real.items():
                    text = text.replace(name, value)
                answer = subprocess.run(["sh", "-c", text], capture_output=True, text=True, check=False).stdout
                told = json.loads(answer.splitlines()[0])
                assert told.keys().isdisjoint({"code", "error"}), answer
                if "CreateMatch" in text:
                    real["k3f9xa2m"] = told["match"]["matchId"]
                real["SEATTOKEN"] = told.get("seatToken", real["SEATTOKEN"])
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

"""The bot doctor: correct bots pass, and each broken bot fails the check that is meant for its fault."""

import asyncio
import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from tests.support.bots.broken_bots import ALSO_BROKEN, BROKEN, RAW, Broken
from tests.support.paths import DOCS
from vinci.v1 import lobby_pb2
from vinci.v1.game_pb2 import Legal
from vinci_bots.doctor.checks import CHECKS
from vinci_bots.doctor.decisions import CHOICES, DecisionCase
from vinci_bots.doctor.host import Host
from vinci_bots.doctor.relay import Relay
from vinci_bots.doctor.results import CheckResult
from vinci_bots.doctor.runner import examine
from vinci_bots.doctor.tested_bot import Deadlines, LocalBot
from vinci_bots.local.participants import Player, players
from vinci_bots.local.process import MEGABYTE
from vinci_client.errors import ServerRefused
from vinci_client.session import Session
from vinci_codec import states
from vinci_rules import position
from vinci_rules.phases import PHASES

SHORT: Final = Deadlines(start=20, decision=2, back=8, silent=3, end=2, memory=200 * MEGABYTE)
"""Of broken bots, which take as long as they may."""
OFFERED: Final = {
    "draft": ("take",),
    "dear-draft": ("take",),
    "entry": ("decline", "conquer"),
    "stay-out": ("decline", "conquer", "hold"),
    "revolution": ("decline", "conquer"),
    "start": ("decline", "abandon", "conquer", "hold"),
    "abandon": ("abandon", "conquer", "hold"),
    "empty-reserve": ("decline", "abandon", "hold"),
    "free-conquest": ("conquer", "hold"),
    "landless": ("decline", "hold"),
    "must-decline": ("decline",),
    "diplomacy": ("decline", "peace", "abandon", "conquer", "hold"),
    "second-peace": ("peace", "abandon", "conquer", "hold"),
    "spies": ("conquer_by_spies", "hold"),
    "heritage": ("conquer", "hold"),
    "astronomy": ("conquer", "hold"),
    "forts": ("hold",),
    "general": ("hold",),
    "split": ("hold",),
    "squeezed": ("hold",),
    "big-hold": ("hold",),
    "renaissance": ("decline", "stay"),
    "redeploy": ("redeploy",),
}
"""Fields of `Legal` that are offered in the positions of `decisions.CHOICES`."""
QUICK: Final = [check for check in CHECKS if not check.slow]
UNLIKE: Final = """
import pathlib
try:
    pathlib.Path({folder!r}, "first").touch(exist_ok=False)
    place = 0
except FileExistsError:
    place = -1
def hear(response, kind):
    takes = kind == "decision" and response.decision.legal.take
    return answer(response.decision, Action(notation=f"take {takes[place]}")) if takes else good(response, kind)
raw(hear)
"""
"""A bot whose second process chooses otherwise."""


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """Start a server shared by these tests; yield its host."""
    running = Host(tmp_path_factory.mktemp("server"))
    asyncio.run(running.__aenter__())
    yield running
    asyncio.run(running.__aexit__())


async def examined(player: Player, host: Host, folder: Path, *names: str, limits: Deadlines) -> dict[str, CheckResult]:
    """Run the named checks on a bot and return the results by name."""
    checks = [check for check in CHECKS if check.name in names]
    return {findings.check.name: findings async for findings in examine(LocalBot(player, limits, host, folder), checks)}


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(("handshake", "game", "exit", "two-games", "illegal", "restart"), id="some"),
        pytest.param(tuple(check.name for check in QUICK), id="quick", marks=pytest.mark.slow),
    ],
)
async def test_random_passes_all_checks_but_slow_ones(names: tuple[str, ...], host: Host, tmp_path: Path) -> None:
    """`random` passes all checks but the slow ones, and plays the same game from the same seed."""
    (player,) = players(["random"])
    findings = await examined(player, host, tmp_path, *names, limits=Deadlines())
    assert set(findings) == set(names)
    assert not [finding for finding in findings.values() if finding.verdict != "ok"]
    assert findings["two-games"].text == "plays the same from the same seed: yes"


@pytest.mark.parametrize("seconds", [1, pytest.param(20, marks=pytest.mark.slow)])
async def test_bot_with_keepalive_passes_the_silence_check(host: Host, tmp_path: Path, seconds: int) -> None:
    """A bot that sets gRPC keepalive, with the documented times or with shorter ones, passes the check for silent connections."""
    times = {"keepalive_time_ms": 1000 * seconds, "keepalive_timeout_ms": 500 * seconds}
    options = [(f"grpc.{name}", ms) for name, ms in {**times, "http2.ping_timeout_ms": 500 * seconds}.items()]
    code = f"""{RAW}
while True:
    try:
        raw(good, options={options})
        break
    except grpc.RpcError:
        time.sleep(0.5)
"""
    player = Player("alert", (sys.executable, "-c", code))
    findings = await examined(player, host, tmp_path, "half-open", limits=Deadlines())
    assert findings["half-open"].verdict == "ok", findings["half-open"]


@pytest.mark.slow
async def test_kit_bot_passes_the_silence_check(host: Host, tmp_path: Path) -> None:
    """A bot of the kit passes the check for silent connections with the keepalive that the kit sets."""
    (player,) = players(["random"])
    findings = await examined(player, host, tmp_path, "half-open", limits=Deadlines())
    assert findings["half-open"].verdict == "ok", findings["half-open"]


@pytest.mark.parametrize(
    "broken",
    [
        *(pytest.param(broken, id=broken.name) for broken in BROKEN),
        *(pytest.param(broken, id=broken.name, marks=pytest.mark.slow) for broken in ALSO_BROKEN),
    ],
)
async def test_broken_bot_fails_the_check_for_its_fault(broken: Broken, host: Host, tmp_path: Path) -> None:
    """A broken bot fails the check for its fault with the expected message, and no check that has nothing to do with it."""
    code = RAW + broken.code.replace("{folder!r}", repr(str(tmp_path)))
    player = Player("broken", (sys.executable, "-c", code))
    limits = replace(SHORT, start=3) if broken.fails == "handshake" else SHORT
    if "it ended" in broken.message:
        limits = replace(limits, back=60)  # on a busy machine too it ends before
    findings = await examined(player, host, tmp_path, broken.fails, *broken.passes, limits=limits)
    assert {name: finding.verdict for name, finding in findings.items()} == {
        broken.fails: "FAIL",
        **dict.fromkeys(broken.passes, "ok"),
    }, findings
    assert broken.message in findings[broken.fails].text


async def test_bot_that_plays_differently_is_reported_as_not_reproducible(host: Host, tmp_path: Path) -> None:
    """A bot that plays differently from the same seed passes, and the report says that its games differ."""
    code = RAW + UNLIKE.replace("{folder!r}", repr(str(tmp_path)))
    player = Player("unlike", (sys.executable, "-c", code))
    findings = await examined(player, host, tmp_path, "two-games", limits=Deadlines())
    assert findings["two-games"].verdict == "ok"
    assert findings["two-games"].text.endswith("no")


async def test_other_checks_are_skipped_for_a_bot_that_never_plays(host: Host, tmp_path: Path) -> None:
    """For a bot that never plays the other checks are skipped and refer to the check that failed."""
    player = Player("silent", (sys.executable, "-c", "print('no idea')"))
    findings = await examined(player, host, tmp_path, "handshake", "draft", "restart", limits=SHORT)
    assert [finding.verdict for finding in findings.values()] == ["FAIL", "skip", "skip"]
    assert "docs/doctor.md#a-whole-game" in findings["draft"].text
    assert findings["handshake"].output == ("no idea",)


async def test_children_check_is_skipped_for_a_bot_that_does_not_exit(host: Host, tmp_path: Path) -> None:
    """A bot killed at the time limit fails `exit` and skips `children`, because its children are killed with it."""
    player = Player("stays", (sys.executable, "-c", f"{RAW}\nraw(good); time.sleep(600)"))
    findings = await examined(player, host, tmp_path, "exit", "children", limits=SHORT)
    assert (findings["exit"].verdict, findings["children"].verdict) == ("FAIL", "skip")


@pytest.mark.parametrize("choice", CHOICES, ids=[choice.name for choice in CHOICES])
def test_decision_case_offers_the_listed_kinds_of_action(choice: DecisionCase) -> None:
    """In each position of the doctor the seat of the bot is to act, exactly the listed kinds are offered, and its rules exist."""
    state = position.read(choice.position)
    offered = [field.name for field, _ in states.legal(state).ListFields()]
    assert tuple(name for name in offered if name not in ("cost", "worth")) == OFFERED[choice.name]
    assert state.actor == choice.seat - 1
    assert [dummy for seat, dummy in enumerate(state.options.dummies) if seat != state.actor] == [True, True]
    rules = (DOCS / "rules.md").read_text(encoding="utf-8")
    assert all(f"- {rule} " in rules for rule in choice.rule.split())


def test_decision_cases_cover_all_phases_and_kinds_of_action() -> None:
    """The positions cover every phase in which a seat acts and every field of `Legal` that lists actions."""
    assert {position.read(choice.position).phase for choice in CHOICES} == set(PHASES) - {"over"}
    assert {name for offered in OFFERED.values() for name in offered} == set(Legal.DESCRIPTOR.fields_by_name) - {
        "cost",
        "worth",
    }


async def test_relay_forwards_all_calls(host: Host) -> None:
    """The relay of the doctor forwards calls of other services too, and their refusals."""
    relay = Relay()
    async with relay.proxy, host.behind(relay), Session(relay.proxy.address) as session:
        info = await session.call(session.lobby.GetServerInfo, lobby_pb2.GetServerInfoRequest())
        assert "tiny" in info.boards
        with pytest.raises(ServerRefused) as caught:
            await session.get("nowhere")
        assert caught.value.reason == "UNKNOWN_MATCH"
        assert not relay.streams


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Return a finished `vinci bot check` with these arguments."""
    typed = [sys.executable, "-m", "vinci_cli", "bot", "check", *arguments]
    return subprocess.run(typed, capture_output=True, text=True, timeout=100, check=False)


def test_check_command_reports_each_check_and_exits_with_0(tmp_path: Path) -> None:
    """The command runs only the requested checks, prints a line for each and a summary, and stores the output of the bot."""
    out = tmp_path / "out"
    ran = command("--only", "exit", "--only", "must-decline", "--out", str(out), "random")
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert [line.split()[:2] for line in lines[:2]] == [["ok", "exit"], ["ok", "must-decline"]]
    assert lines[2].startswith("2 ok, 0 FAIL, 0 skip in ")
    assert {file.name for file in out.iterdir()} == {"game.log", "must-decline.log"}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("hello", """'hello' is no JSON; an answer is {"play": "x ALP"} or {"index": 0} (it was to take)"""),
        (
            '{"play": "x ARA"}',
            "R-MOB-5 Not now: what fits here is take. (NotNow legal=take phase=draft) (it was to take)",
        ),
    ],
)
async def test_refused_line_is_told_in_a_sentence(line: str, why: str, host: Host, tmp_path: Path) -> None:
    """Of a program by lines, what is wrong with its line is told, and not how the adapter has it refused."""
    program = f"import sys; [print({line!r}, flush=True) for line in sys.stdin if 'decision' in line]"
    (player,) = players([shlex.join(["stdio:" + sys.executable, "-c", program])])
    findings = await examined(player, host, tmp_path, "game", limits=Deadlines())
    assert findings["game"].text == f"its answer was refused: {why}"


def test_check_command_exits_with_1_after_a_failure() -> None:
    """With --json the command prints an object for each check, with the last output of the bot, and a summary."""
    ran = command("--json", "--only", "exit", "--", sys.executable, "-c", "print('oh dear'); raise SystemExit(3)")
    assert ran.returncode == 1, ran.stderr
    failed, summary = map(json.loads, ran.stdout.splitlines())
    assert (failed["check"], failed["verdict"], failed["said"]) == ("exit", "FAIL", ["oh dear"])
    assert failed["docs"] == "docs/doctor.md#a-whole-game"
    assert summary["summary"] == {"ok": 0, "FAIL": 1, "skip": 0}
    assert (Path(summary["folder"]) / "game.log").read_text() == "oh dear\n"
    shutil.rmtree(summary["folder"])


def test_crash_report_has_first_and_last_lines_and_the_log(tmp_path: Path) -> None:
    """A crash is reported with its first line (Go, Node and Java name the cause there) and its last ones; repeated failures take one line."""
    out = tmp_path / "out"
    ran = command("--out", str(out), "--", sys.executable, "-c", "print(*range(20), sep='\\n'); raise SystemExit(2)")
    assert ran.returncode == 1, ran.stderr
    lines = ran.stdout.splitlines()
    shown = ["      | " + text for text in ("0", "1", "2", "3", "4", "...", "15", "16", "17", "18", "19")]
    where = f"      all that it wrote: {out / 'game.log'}"
    first = lines.index(shown[0])
    assert lines[first : first + 12] == [*shown, where]
    assert lines.count(shown[0]) == 1, "what was written in one game is shown once"
    assert lines.count(where) == sum(line.startswith("FAIL") for line in lines) > 1
    (skipped,) = [line for line in lines if line.startswith("skip")]
    assert "checks" in skipped
    assert "it answered nothing in a whole game" in skipped


@pytest.mark.parametrize(
    "arguments", [(), ("dummy",), ("nowhere-to-be-found",), ("--only", "nothing", "random"), ("--start", "0", "random")]
)
def test_wrong_usage_exits_with_2(arguments: tuple[str, ...]) -> None:
    """Wrong arguments exit with status 2 before any check runs."""
    assert command(*arguments).returncode == 2


def test_every_check_has_a_section_in_the_docs() -> None:
    """Every check has a section in docs/doctor.md."""
    page = (DOCS / "doctor.md").read_text(encoding="utf-8")
    sections = {part.partition("\n")[0].lower().replace(" ", "-"): part for part in page.split("\n## ")}
    for check in CHECKS:
        assert f"`{check.name}`" in sections[check.section], check.name


@pytest.mark.slow
def test_greedy_passes_all_checks() -> None:
    """`greedy` passes all checks, slow ones included."""
    ran = command("--slow", "greedy")
    assert ran.returncode == 0, ran.stdout
    assert f"{len(CHECKS)} ok, 0 FAIL, 0 skip" in ran.stdout

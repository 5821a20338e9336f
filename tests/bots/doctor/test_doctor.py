"""The bot doctor: sound bots pass, and each broken one fails for its own reason."""

import json
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
from vinci_bots.doctor.bot_under_test import BotUnderTest, Deadlines
from vinci_bots.doctor.checks import CHECKS
from vinci_bots.doctor.decisions import CHOICES, DecisionCase
from vinci_bots.doctor.relay import Relay, Tampering
from vinci_bots.doctor.results import CheckResult
from vinci_bots.doctor.runner import examine
from vinci_bots.local.local_match import MEGABYTE
from vinci_bots.local.participants import Player, players
from vinci_client import processes
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
DICE: Final = """
import random
def hear(response, kind):
    takes = kind == "decision" and response.decision.legal.take
    return answer(response.decision, Action(notation=f"take {random.choice(takes)}")) if takes else good(response, kind)
raw(hear)
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a server shared by these tests; yield its address."""
    with processes.server(tmp_path_factory.mktemp("server") / "games.db") as (found, _code):
        yield found


async def examined(
    player: Player, address: str, folder: Path, *names: str, limits: Deadlines
) -> dict[str, CheckResult]:
    """Run the named checks on a bot and return the results by name."""
    checks = [check for check in CHECKS if check.name in names]
    return {found.check.name: found async for found in examine(BotUnderTest(player, limits, folder, address), checks)}


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(("handshake", "game", "exit", "two-games", "illegal", "restart"), id="some"),
        pytest.param(tuple(check.name for check in QUICK), id="quick", marks=pytest.mark.slow),
    ],
)
async def test_a_sound_bot_passes_everything(names: tuple[str, ...], address: str, tmp_path: Path) -> None:
    """`random`, all checks but slow ones; from the same seed it plays the same."""
    (player,) = players(["random"])
    found = await examined(player, address, tmp_path, *names, limits=Deadlines())
    assert set(found) == set(names)
    assert not [finding for finding in found.values() if finding.verdict != "ok"]
    assert found["two-games"].text == "plays the same from the same seed: yes"


@pytest.mark.parametrize("seconds", [1, pytest.param(20, marks=pytest.mark.slow)])
async def test_a_bot_that_notices_silence_passes(address: str, tmp_path: Path, seconds: int) -> None:
    """By gRPC's keepalive, with the times that the documents name and with shorter ones."""
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
    found = await examined(player, address, tmp_path, "half-open", limits=Deadlines())
    assert found["half-open"].verdict == "ok", found["half-open"]


@pytest.mark.slow
async def test_our_own_bot_notices_silence(address: str, tmp_path: Path) -> None:
    """With what the kit sets."""
    (player,) = players(["random"])
    found = await examined(player, address, tmp_path, "half-open", limits=Deadlines())
    assert found["half-open"].verdict == "ok", found["half-open"]


@pytest.mark.parametrize(
    "broken",
    [
        *(pytest.param(broken, id=broken.name) for broken in BROKEN),
        *(pytest.param(broken, id=broken.name, marks=pytest.mark.slow) for broken in ALSO_BROKEN),
    ],
)
async def test_a_broken_bot_fails_for_its_own_reason(broken: Broken, address: str, tmp_path: Path) -> None:
    """Its check fails and says what is wrong; checks that do not concern it do not fail."""
    code = RAW + broken.code.replace("{folder!r}", repr(str(tmp_path)))
    player = Player("broken", (sys.executable, "-c", code))
    limits = replace(SHORT, start=3) if broken.fails == "handshake" else SHORT
    if "it ended" in broken.told:
        limits = replace(limits, back=60)  # on a busy machine too it ends before
    found = await examined(player, address, tmp_path, broken.fails, *broken.passes, limits=limits)
    assert {name: finding.verdict for name, finding in found.items()} == {
        broken.fails: "FAIL",
        **dict.fromkeys(broken.passes, "ok"),
    }, found
    assert broken.told in found[broken.fails].text


async def test_a_bot_that_rolls_dice_of_its_own_is_told_so(address: str, tmp_path: Path) -> None:
    """Playing differently from the same seed is no fault."""
    player = Player("dice", (sys.executable, "-c", RAW + DICE))
    found = await examined(player, address, tmp_path, "two-games", limits=Deadlines())
    assert found["two-games"].verdict == "ok"
    assert found["two-games"].text.endswith("no")


async def test_who_plays_nothing_is_not_tried_further(address: str, tmp_path: Path) -> None:
    """The other checks are skipped, and say what to do first."""
    player = Player("silent", (sys.executable, "-c", "print('no idea')"))
    found = await examined(player, address, tmp_path, "handshake", "draft", "restart", limits=SHORT)
    assert [finding.verdict for finding in found.values()] == ["FAIL", "skip", "skip"]
    assert "docs/doctor.md#a-whole-game" in found["draft"].text
    assert found["handshake"].output == ("no idea",)


async def test_who_does_not_end_has_left_nothing_that_could_be_told(address: str, tmp_path: Path) -> None:
    """Check that a bot killed at the time limit fails `exit` and skips `children`: they are killed with it."""
    player = Player("stays", (sys.executable, "-c", f"{RAW}\nraw(good); time.sleep(600)"))
    found = await examined(player, address, tmp_path, "exit", "children", limits=SHORT)
    assert (found["exit"].verdict, found["children"].verdict) == ("FAIL", "skip")


@pytest.mark.parametrize("choice", CHOICES, ids=[choice.name for choice in CHOICES])
def test_a_position_asks_what_it_says(choice: DecisionCase) -> None:
    """The seat of the bot is to act, and exactly this is offered; its rule is in the rules."""
    state = position.read(choice.position)
    offered = [field.name for field, _ in states.legal(state).ListFields()]
    assert tuple(name for name in offered if name not in ("cost", "worth")) == OFFERED[choice.name]
    assert state.actor == choice.seat - 1
    assert [dummy for seat, dummy in enumerate(state.options.dummies) if seat != state.actor] == [True, True]
    rules = (DOCS / "rules.md").read_text(encoding="utf-8")
    assert all(f"- {rule} " in rules for rule in choice.rule.split())


def test_positions_ask_for_everything() -> None:
    """Every phase in which somebody acts, and every field of `Legal` that offers something."""
    assert {position.read(choice.position).phase for choice in CHOICES} == set(PHASES) - {"over"}
    assert {name for offered in OFFERED.values() for name in offered} == set(Legal.DESCRIPTOR.fields_by_name) - {
        "cost",
        "worth",
    }


async def test_all_calls_pass_through_a_relay(address: str) -> None:
    """A bot that asks for more than its stream finds it there, refusals included."""
    async with Relay(address, Tampering()) as relay, Session(relay.address) as session:
        info = await session.call(session.lobby.GetServerInfo, lobby_pb2.GetServerInfoRequest())
        assert "tiny" in info.boards
        with pytest.raises(ServerRefused) as caught:
            await session.get("nowhere")
        assert caught.value.reason == "UNKNOWN_MATCH"
        assert relay.talk.streams == 0


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    """`vinci bot check` with these arguments."""
    typed = [sys.executable, "-m", "vinci_cli", "bot", "check", *arguments]
    return subprocess.run(typed, capture_output=True, text=True, timeout=100, check=False)


def test_the_command_says_a_line_a_check_and_ends_with_0(tmp_path: Path) -> None:
    """Only the checks that were asked for, and a line that sums up; what the bot wrote is kept where it was wanted."""
    out = tmp_path / "out"
    ran = command("--only", "exit", "--only", "must-decline", "--out", str(out), "random")
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert [line.split()[:2] for line in lines[:2]] == [["ok", "exit"], ["ok", "must-decline"]]
    assert lines[2].startswith("2 ok, 0 FAIL, 0 skip in ")
    assert {file.name for file in out.iterdir()} == {"game.log", "must-decline.log"}


def test_the_command_ends_with_1_when_a_check_fails() -> None:
    """A line of JSON for each check, with what the bot wrote last, and one that sums up."""
    ran = command("--json", "--only", "exit", "--", sys.executable, "-c", "print('oh dear'); raise SystemExit(3)")
    assert ran.returncode == 1, ran.stderr
    failed, summary = map(json.loads, ran.stdout.splitlines())
    assert (failed["check"], failed["verdict"], failed["said"]) == ("exit", "FAIL", ["oh dear"])
    assert failed["docs"] == "docs/doctor.md#a-whole-game"
    assert summary["summary"] == {"ok": 0, "FAIL": 1, "skip": 0}
    assert (Path(summary["folder"]) / "game.log").read_text() == "oh dear\n"
    shutil.rmtree(summary["folder"])


def test_a_crash_is_shown_with_its_first_and_last_lines_and_its_log(tmp_path: Path) -> None:
    """Go, Node and Java name the cause first and then the stack. What follows from it is one line."""
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
def test_wrong_use_ends_with_2(arguments: tuple[str, ...]) -> None:
    """Nothing is tried."""
    assert command(*arguments).returncode == 2


def test_the_documents_name_every_check() -> None:
    """Check that every check has a section in the document."""
    page = (DOCS / "doctor.md").read_text(encoding="utf-8")
    sections = {part.partition("\n")[0].lower().replace(" ", "-"): part for part in page.split("\n## ")}
    for check in CHECKS:
        assert f"`{check.name}`" in sections[check.section], check.name


@pytest.mark.slow
def test_greedy_passes() -> None:
    """All checks, as an author would see them."""
    ran = command("--slow", "greedy")
    assert ran.returncode == 0, ran.stdout
    assert f"{len(CHECKS)} ok, 0 FAIL, 0 skip" in ran.stdout

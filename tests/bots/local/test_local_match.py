"""A local match among commands: it is played to its end whatever a bot does, and leaves no process behind."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import psutil
import pytest

from tests.support.bots.python_commands import python
from vinci.v1 import lobby_pb2
from vinci_bots.local.local_match import USUAL, BotLimits, LocalGame, Seating, play_game, server
from vinci_bots.local.participants import Player
from vinci_bots.local.process import MEGABYTE, BotProcess
from vinci_client import processes
from vinci_rules import position, record

DUMMY: Final = Player("dummy")
GOOD: Final = python("good")
STUBBORN: Final = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
START: Final = (
    f"import subprocess, sys; stubborn = [sys.executable, '-c', '{STUBBORN}; import time; time.sleep(600)']; "
    "child = subprocess.Popen(stubborn, start_new_session=%s); print('child', child.pid, flush=True)"
)
CHILD: Final = START % False
"""A program that starts another one and says its number."""
ORPHAN: Final = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {START % True!r}], check=True)"
"""The same, but the other one is in a session of its own, and its parent gone."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a server shared by these tests; yield its address."""
    with server(tmp_path_factory.mktemp("server") / "games.db") as server_address:
        yield server_address


async def played(address: str, folder: Path, *players: Player, limits: BotLimits = USUAL, **timing: Any) -> LocalGame:
    """Play a short game of these players on the tiny board; a seat whose time is up forfeits."""
    request = lobby_pb2.CreateMatchRequest(board="tiny", seed="1")
    request.mistakes.CopyFrom(lobby_pb2.Mistakes(tries=2, after=lobby_pb2.TIMEOUT_POLICY_FORFEIT))
    request.options.settings["target"] = "25"
    if timing:
        request.timing.CopyFrom(lobby_pb2.Timing(on_timeout=lobby_pb2.TIMEOUT_POLICY_FORFEIT, **timing))
    seatings = [Seating(player, "5eed", folder / f"{number}.log") for number, player in enumerate(players, start=1)]
    game = await play_game(address, request, seatings, limits)
    assert list(record.replay(game.lines))[-1].state.phase == "over"
    return game


def becomes_true(is_gone: Callable[[], bool]) -> bool:
    """Whether something becomes true: the system needs a moment to end what was killed."""
    until = time.monotonic() + 20
    while not is_gone() and time.monotonic() < until:
        time.sleep(0.05)
    return is_gone()


def is_running(pid: int) -> bool:
    """Whether a process runs; a zombie does not count."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


async def test_match_returns_record_resource_use_and_bot_output(address: str, tmp_path: Path) -> None:
    """A game without forfeits has a record, a time for every decision, the output of the bots, and no process left."""
    game = await played(address, tmp_path, GOOD, DUMMY, GOOD)
    assert game.forfeits == ()
    first, dummy, third = game.use
    assert dummy is None
    for number, use in ((1, first), (3, third)):
        assert use is not None
        assert use.status == 0
        assert use.cpu > 0
        assert use.memory > 5 * MEGABYTE
        own = [line for line in map(json.loads, game.lines) if line.get("seat") == number]
        assert len(use.thought) == len(own)
        assert {line["by"] for line in own} == {"bot"}
        assert "is over" in (tmp_path / f"{number}.log").read_text()


async def test_bot_gets_the_documented_environment(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment has the variables of the contract and few others; standard input stays open and empty."""
    for name in ("VINCI_ADMIN_TOKEN", "VINCI_BOT_KEY", "VINCI_SERVE_WEBHOOK", "AWS_SECRET_ACCESS_KEY", "MY_MODEL"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("LC_TIME", "C")
    monkeypatch.setenv("VINCI_BOT_ENV", "MY_MODEL VINCI_NOWHERE")
    player = python("told", 'print("has", *sorted(os.environ)); print("seat", os.environ["VINCI_SEAT"]); run()')
    game = await played(address, tmp_path, DUMMY, player, DUMMY)
    assert game.forfeits == ()
    log = (tmp_path / "2.log").read_text()
    (names,) = (line.split()[1:] for line in log.splitlines() if line.startswith("has "))
    contract = {
        "VINCI_ADDRESS",
        "VINCI_SEAT_TOKEN",
        "VINCI_SEAT",
        "VINCI_SEED",
        "VINCI_ANALYSIS",
        "VINCI_LANG",
        "VINCI_PROCESS",
    }
    assert contract | {"PATH", "LC_TIME", "MY_MODEL"} <= set(names)
    others = set(names) - contract - {"MY_MODEL"}
    assert all(processes.OF_BOTS.fullmatch(name) for name in others), others
    assert "seat 2" in log


@pytest.mark.parametrize(
    ("code", "reason", "start", "expected"),
    [
        ("sys.exit(4)", "exit", 30.0, "it ended with status 4"),
        ("os.kill(os.getpid(), 9)", "exit", 30.0, "it was killed by signal 9"),
        (
            "time.sleep(600)",
            "start",
            3.0,
            "it was not connected 3 s after its start; a bot connects to VINCI_ADDRESS; one that plays by lines of standard input is given as stdio:COMMAND",
        ),
        ("sys.stdin.read()", "start", 60.0, "it reads its standard input and does not connect; "),
        ("hoard = bytearray(300_000_000); run()", "memory", 30.0, "and may have 200"),
    ],
)
async def test_bot_that_never_connects_forfeits_its_first_turn(
    address: str, tmp_path: Path, code: str, reason: str, start: float, expected: str
) -> None:
    """A bot that is not ready at the start forfeits its first turn, and the others play on."""
    game = await played(address, tmp_path, python("bad", code), GOOD, DUMMY, limits=BotLimits(200 * MEGABYTE, start))
    assert [(forfeit.seat, forfeit.reason) for forfeit in game.forfeits] == [(0, reason)]
    assert expected in game.forfeits[0].text
    assert json.loads(game.lines[-1])["result"]["ranks"][0] == 3


async def test_missing_command_forfeits(address: str, tmp_path: Path) -> None:
    """A bot that cannot be started forfeits, with the reason."""
    game = await played(address, tmp_path, Player("none", ("/nowhere/bot",)), GOOD, DUMMY)
    assert [forfeit.reason for forfeit in game.forfeits] == ["start"]
    assert "No such file" in game.forfeits[0].text


async def test_bot_that_exits_mid_game_forfeits_at_that_position(address: str, tmp_path: Path) -> None:
    """The forfeit states the position and the number of actions at that moment, and the others play on."""
    code = """
asked = 0
async def some(decision):
    global asked
    asked += 1
    if asked == 5:
        print("enough", file=sys.stderr, flush=True)
        os._exit(7)
    return await choose(decision)
run(some)
"""
    game = await played(address, tmp_path, GOOD, python("quitter", code), DUMMY)
    (forfeit,) = game.forfeits
    assert (forfeit.seat, forfeit.reason) == (1, "exit")
    before = [step for step in record.replay(game.lines) if step.line == forfeit.action + 1]
    assert forfeit.action > 4
    assert position.read(forfeit.position).board.name == "tiny"
    assert before
    assert "enough" in (tmp_path / "2.log").read_text()


async def test_hanging_bot_forfeits_when_its_clock_runs_out(address: str, tmp_path: Path) -> None:
    """A bot that hangs, even one that ignores SIGTERM, forfeits when its clock runs out."""
    code = f"{STUBBORN}\nasync def never(decision):\n    time.sleep(600)\nrun(never)"
    game = await played(
        address, tmp_path, GOOD, python("stone", code), DUMMY, limits=BotLimits(end=0.2), decision_seconds=1
    )
    assert [(forfeit.seat, forfeit.reason, forfeit.text) for forfeit in game.forfeits] == [
        (1, "clock", "its time was up")
    ]
    assert game.use[1] is not None
    assert game.use[1].status is None


async def test_bot_with_refused_answers_forfeits_after_its_tries(address: str, tmp_path: Path) -> None:
    """A bot whose answers are all refused forfeits as the policy of the match says."""
    code = "async def wrong(decision):\n    return [Action(notation='x NOWHERE')]\nrun(wrong)"
    game = await played(address, tmp_path, GOOD, python("fool", code), DUMMY)
    assert [(forfeit.seat, forfeit.reason) for forfeit in game.forfeits] == [(1, "refused")]
    assert "no tries left" in game.forfeits[0].text


async def test_flood_of_answers_does_not_use_up_the_limits_of_others(address: str, tmp_path: Path) -> None:
    """A flood of invalid answers does not use up the limits that other clients of the same host need."""
    code = """
async def flood(decision):
    return [Action(notation="x" * 4000)] * 15
run(flood)
"""
    game = await played(address, tmp_path, GOOD, python("flood", code), DUMMY, decision_seconds=20)
    assert [(forfeit.seat, forfeit.reason) for forfeit in game.forfeits] == [(1, "refused")]


@pytest.mark.parametrize("moment", ["welcome", "seated"])
async def test_bot_that_exits_before_its_first_decision_forfeits(address: str, tmp_path: Path, moment: str) -> None:
    """A bot that connects and exits before its first decision forfeits at its first decision."""
    code = f"""
async def leave(response):
    if response.HasField("{moment}"):
        os._exit(3)
hello = Hello(name="bot", seat_tokens=[os.environ["VINCI_SEAT_TOKEN"]])
asyncio.run(play(os.environ["VINCI_ADDRESS"], hello, choose, games=1, on_message=leave))
"""
    game = await played(address, tmp_path, GOOD, python("shy", code), DUMMY)
    assert [(forfeit.seat, forfeit.reason, forfeit.text) for forfeit in game.forfeits] == [
        (1, "exit", "it ended with status 3 before the game was over")
    ]


async def test_bot_with_endless_output_forfeits(address: str, tmp_path: Path) -> None:
    """A bot whose output exceeds the limit forfeits, because all output of a bot is stored."""
    code = "print('x' * 3_000_000, flush=True); run()"
    limits = BotLimits(output=2 * MEGABYTE)
    game = await played(address, tmp_path, python("loud", code), GOOD, DUMMY, limits=limits)
    assert [(forfeit.reason, forfeit.text) for forfeit in game.forfeits] == [("output", "it wrote more than 2 MB")]


async def test_bot_memory_excludes_the_starting_process(address: str, tmp_path: Path) -> None:
    """The memory of a bot does not include the memory of the process that started it."""
    hoard = bytearray(300 * MEGABYTE)
    game = await played(address, tmp_path, GOOD, DUMMY, DUMMY)
    assert hoard
    assert game.use[0] is not None
    assert 5 * MEGABYTE < game.use[0].memory < 200 * MEGABYTE


@pytest.mark.parametrize("starts", [CHILD, ORPHAN], ids=["child", "orphan"])
async def test_children_of_a_bot_end_with_the_game(address: str, tmp_path: Path, starts: str) -> None:
    """No child of a bot outlives the game, even one that ignores SIGTERM, has a session of its own and lost its parent."""
    await played(address, tmp_path, python("parent", f"{starts}\nrun()"), DUMMY, DUMMY)
    text = (tmp_path / "1.log").read_text().split()
    child = int(text[text.index("child") + 1])
    assert becomes_true(lambda: not is_running(child))


def test_several_threads_see_a_bot_end(tmp_path: Path) -> None:
    """A thread that looks at the bot and one that stops it wait for the same process."""

    def looks(bot: BotProcess) -> bool:
        while not bot.has_ended():
            pass
        return True

    with ThreadPoolExecutor(4) as threads:
        for _ in range(30):
            bot = BotProcess([sys.executable, "-S", "-c", "pass"], {}, tmp_path / "log")
            assert all(threads.map(looks, 4 * [bot]))
            bot.kill()


def test_bot_of_the_same_seat_elsewhere_lives_on(tmp_path: Path) -> None:
    """Two leagues of one seed give the same seat tokens; the end of a bot of one does not end that of the other."""
    waits = [sys.executable, "-S", "-c", "import sys; sys.stdin.read()"]
    one, other = (BotProcess(waits, {"VINCI_SEAT_TOKEN": "m.x"}, tmp_path / name) for name in ("one", "other"))
    try:
        one.kill()
        assert one.has_ended()
        assert not other.has_ended()
    finally:
        other.kill()


def test_bots_end_when_the_starting_process_is_killed(tmp_path: Path) -> None:
    """After SIGKILL to the starting process its bots and their children end soon."""
    code = f"""
from pathlib import Path
from vinci_bots.local.process import BotProcess
import sys, time
stubborn = "{STUBBORN}; import os, time; print('child', os.getpid(), flush=True); time.sleep(600)"
for number, started in ((1, stubborn), (2, {ORPHAN!r} + "; import time; time.sleep(600)")):
    BotProcess([sys.executable, "-c", started], {{}}, Path({str(tmp_path)!r}, f"{{number}}.log"))
time.sleep(600)
"""
    starter = subprocess.Popen([sys.executable, "-c", code])
    try:
        logs = [tmp_path / f"{number}.log" for number in (1, 2)]
        assert becomes_true(lambda: all(log.exists() and log.read_text().endswith("\n") for log in logs))
        bots = [int(log.read_text().split()[1]) for log in logs]
        assert all(map(is_running, bots))
    finally:
        starter.kill()
        starter.wait()
    assert becomes_true(lambda: not any(map(is_running, bots)))


@pytest.mark.skipif(sys.platform != "linux", reason="CPU time of a decision is known on Linux only")
async def test_clock_counts_cpu_and_not_time(address: str, tmp_path: Path) -> None:
    """A bot that computes for too long forfeits, its children count, too; one that waits for as long does not."""
    first = "first = []\ndef once(work):\n    if not first: first.append(work())\n"
    burns = f"import subprocess\n{first}BURN = [sys.executable, '-c', 'while True: pass']\n"
    computes = f"{burns}async def busy(d):\n    once(lambda: subprocess.run(BURN)); return await choose(d)\nrun(busy)"
    waits = f"{first}async def slow(d):\n    once(lambda: time.sleep(1.5)); return await choose(d)\nrun(slow)"
    players = (python("computes", computes), python("waits", waits), GOOD)
    game = await played(address, tmp_path, *players, limits=BotLimits(cpu=0.8), decision_seconds=60)
    (forfeit,) = game.forfeits
    assert (forfeit.seat, forfeit.reason) == (0, "clock")
    assert re.match(r"it used \d\.\d\d s of CPU for a decision, and may use 0\.8 s", forfeit.text)

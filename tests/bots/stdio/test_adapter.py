"""Programs that play by lines: what the adapter takes for an answer, and what becomes of programs that do it wrong."""

import asyncio
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import Final

import pytest

from tests.support.server.in_process import address, bot_seat, create, serving
from vinci.v1 import bot_pb2 as pb
from vinci.v1 import lobby_pb2
from vinci_bots.local.local_match import LocalGame, Seating, play_game, server
from vinci_bots.local.participants import Player, players
from vinci_bots.runtime import Start
from vinci_bots.stdio.adapter import Adapter, Program
from vinci_bots.stdio.lines import JSON, TEXT, BadAnswer, Form
from vinci_client.access import OPEN

DUMMY: Final = Player("dummy")
ACTIONS: Final = ("x ALP", "decline")
SAFE: Final = "print(json.dumps({'play': m['advice']}), flush=True)"
PROGRAM: Final = """
import json, os, sys
asked = 0
for line in sys.stdin:
    m = json.loads(line)
    if "decision" in m:
        asked += 1
        {answer}
"""


def player(answer: str, folder: Path) -> Player:
    """Return a bot whose program executes `answer` for each decision `m`."""
    file = folder / "program.py"
    file.write_text(PROGRAM.replace("{answer}", answer), encoding="utf-8")
    return players([f"stdio:{sys.executable} {quote(str(file))}"])[0]


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a server shared by these tests; yield its address."""
    with server(tmp_path_factory.mktemp("server") / "games.db") as at:
        yield at


async def played(local: str, folder: Path, bot: Player) -> tuple[LocalGame, str]:
    """Play a short game of a bot against dummies; return it with what the bot wrote."""
    request = lobby_pb2.CreateMatchRequest(board="tiny", seed="1")
    request.mistakes.CopyFrom(lobby_pb2.Mistakes(tries=3, after=lobby_pb2.TIMEOUT_POLICY_FORFEIT))
    request.options.settings["target"] = "25"
    log = folder / "1.log"
    game = await play_game(local, request, [Seating(bot, "5eed", log), Seating(DUMMY), Seating(DUMMY)])
    return game, log.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("form", "line", "actions"),
    [
        (JSON, '{"play": "x ALP"}', ("x ALP",)),
        (JSON, '{"play": ["x ALP", "decline"], "more": 1}', ("x ALP", "decline")),
        (JSON, '{"index": 1}', ("decline",)),
        (TEXT, "x ALP", ("x ALP",)),
        (TEXT, "x ALP; decline", ("x ALP", "decline")),
        (TEXT, "1", ("decline",)),
    ],
)
def test_answers(form: Form, line: str, actions: tuple[str, ...]) -> None:
    """An answer is notation, several actions, or the number of a listed action."""
    assert form.answer(line, ACTIONS) == actions


@pytest.mark.parametrize(
    ("form", "line", "why"),
    [
        (JSON, "x ALP", 'is no JSON; an answer is {"play": "x ALP"} or {"index": 0}'),
        (JSON, "[" * 9000, "is no JSON"),
        (JSON, '{"play": 5}', "is no answer; right is"),
        (JSON, '{"play": []}', "is no answer; right is"),
        (JSON, '{"index": true}', "is no answer; right is"),
        (JSON, '{"index": 2}', "there is no action 2; they are numbered from 0 to 1"),
        (JSON, '{"index": -1}', "there is no action -1"),
        (TEXT, "", "an empty line is no answer; right is a number from 0 or an action"),
        (TEXT, "9", "there is no action 9; they are numbered from 0 to 1"),
    ],
)
def test_lines_that_are_no_answer(form: Form, line: str, why: str) -> None:
    """A line that is no answer is quoted, with what would be right."""
    with pytest.raises(BadAnswer) as error:
        form.answer(line, ACTIONS)
    assert why in str(error.value)
    assert len(str(error.value)) < 200


async def test_wrong_lines_cost_tries_and_are_told(local: str, tmp_path: Path) -> None:
    """A line that is no answer is refused as any wrong answer, and the program learns why; then it plays on."""
    wrong = "sys.stderr.write(m.get('refused', 'new') + chr(10)); "
    answers = "print(*(['nonsense'] if asked == 1 else ['{\"index\": 999}'] if asked == 2 else []), end=chr(10) * (asked < 3), flush=True)"
    game, log = await played(local, tmp_path, player(f"{wrong}{answers}\n        if asked > 2: {SAFE}", tmp_path))
    assert game.forfeits == ()
    told = [line for line in log.splitlines() if "tries left" in line]
    assert told[0] == '\'nonsense\' is no JSON; an answer is {"play": "x ALP"} or {"index": 0}; tries left: 2'
    assert told[1].startswith("there is no action 999; they are numbered from 0 to ")
    assert told[1].endswith("; tries left: 1")
    assert len(told) == 2
    of_adapter = [line.removeprefix("program: ") for line in log.splitlines() if "refused" in line]
    assert of_adapter == [f"refused: {line.partition('; tries left')[0]}" for line in told]


async def test_illegal_action_is_told_by_its_rule(local: str, tmp_path: Path) -> None:
    """An action that breaks a rule is refused with the rule."""
    answer = (
        "sys.stderr.write(m.get('refused', 'new') + chr(10))\n"
        "        print(json.dumps({'play': 'x ARA' if asked == 1 else m['advice']}), flush=True)"
    )
    game, log = await played(local, tmp_path, player(answer, tmp_path))
    assert game.forfeits == ()
    (told,) = [line for line in log.splitlines() if "tries left: 2" in line]
    assert re.fullmatch(r"R-[A-Z]+-\d+ [A-Z].*\. \([A-Z]\w+( \w+=.*)*\); tries left: 2", told), told


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("sys.exit(3)", "it ended with status 3 before its game was over; a bot reads lines from standard input"),
        ("print('x' * 70000, flush=True)", "it wrote a line of more than 65536 bytes"),
    ],
)
async def test_program_that_fails_forfeits(local: str, tmp_path: Path, answer: str, why: str) -> None:
    """A program that ends, or writes without end of line, forfeits; its log says why."""
    game, log = await played(local, tmp_path, player(answer, tmp_path))
    assert [(forfeit.seat, forfeit.reason) for forfeit in game.forfeits] == [(0, "exit")]
    assert why in log


async def test_program_that_cannot_start_is_told(local: str, tmp_path: Path) -> None:
    """A file that is no program is named with the reason."""
    (tmp_path / "bot").write_text("", encoding="utf-8")
    (tmp_path / "bot").chmod(0o755)
    bot = players([f"stdio:{tmp_path / 'bot'}"])[0]
    game, log = await played(local, tmp_path, bot)
    assert [forfeit.reason for forfeit in game.forfeits] == ["exit"]
    assert "could not be started: Exec format error" in log


async def test_program_gets_its_seed_and_no_token(local: str, tmp_path: Path) -> None:
    """The program has the seed, in the first line too, and can reach no server."""
    shows = "sys.stderr.write(' '.join(sorted(n for n in os.environ if n.startswith('VINCI_'))) + chr(10))"
    game, log = await played(local, tmp_path, player(f"{shows}; {SAFE}", tmp_path))
    assert game.forfeits == ()
    names = next(line.split() for line in log.splitlines() if line.startswith("VINCI_"))
    assert {"VINCI_SEAT", "VINCI_SEED"} <= set(names)
    assert not {"VINCI_ADDRESS", "VINCI_SEAT_TOKEN", "VINCI_CODE", "VINCI_BOT_KEY"} & set(names)


async def _program(script: str) -> Program:
    return await Program.start(["sh", "-c", script], lambda _text: None)


async def test_lines_nobody_asked_for_are_passed_over(tmp_path: Path) -> None:
    """A greeting is not taken for the first answer."""
    there = tmp_path / "there"
    program = await _program(f"echo hello; echo you; touch {there}; exec cat")
    while not there.exists():
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.01)  # the lines are in the pipe; the loop reads them now
    assert [await program.ask("one\n"), await program.ask("two\n")] == ["one", "two"]
    await program.end()


async def test_answer_to_a_void_decision_is_passed_over(tmp_path: Path) -> None:
    """The answer to a decision that is void meanwhile comes later, and is not taken for that to the next one."""
    on = tmp_path / "on"
    program = await _program(f"read a; until test -e {on}; do sleep 0.02; done; echo $a; exec cat")
    asking = asyncio.create_task(program.ask("void\n"))
    while not program._owed:
        await asyncio.sleep(0)
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    on.touch()
    assert await program.ask("next\n") == "next"
    await program.end()


async def test_program_that_ignores_its_end_is_killed() -> None:
    """A program that goes on without input is killed."""
    program = await _program("trap '' TERM; while :; do sleep 1; done")
    await program.end()
    assert program._process.returncode == -9


@pytest.mark.parametrize(("shares", "processes"), [(False, 3), (True, 1)])
async def test_games_have_a_process_each_or_share_one(tmp_path: Path, shares: bool, processes: int) -> None:
    """By default each seat gets a process of its own; one that is shared plays several."""
    pids = tmp_path / "pids"
    file = tmp_path / "program.py"
    notes = f"open({str(pids)!r}, 'a').write(str(os.getpid()) + chr(10))"
    file.write_text(PROGRAM.replace("{answer}", f"{notes}; {SAFE}"), encoding="utf-8")
    async with serving(tmp_path / "server.db") as (at, session):
        await create(session, *[bot_seat("lines")] * 3, board="tiny", start_when_full=True)
        start = Start(address(at), "lines", at_once=3, games=3, token="", seed="5eed", access=OPEN)
        await Adapter([sys.executable, str(file)], JSON, start, shares=shares).play(None)
    assert len(set(pids.read_text(encoding="utf-8").split())) == processes


@pytest.mark.parametrize("is_stopped", [False, True])
async def test_programs_end_by_themselves_after_their_game(tmp_path: Path, is_stopped: bool) -> None:
    """A program that takes its time to end is not killed, also if the bot is stopped, and holds up no other seat."""
    over, saved, file = tmp_path / "over", tmp_path / "saved", tmp_path / "program.py"
    notes = f"open({str(over)!r}, 'a').write('over ')"
    waits = f"import time\nwhile open({str(over)!r}).read().count('over') < 3: time.sleep(0.01)"
    ends = f"\n{notes}\n{waits}\nopen({str(saved)!r}, 'a').write('saved ')"
    file.write_text(PROGRAM.replace("{answer}", SAFE) + ends, encoding="utf-8")
    async with serving(tmp_path / "server.db") as (at, session):
        await create(session, *[bot_seat("lines")] * 3, board="tiny", start_when_full=True)
        start = Start(
            address(at), "lines", at_once=3, games=None if is_stopped else 3, token="", seed="5eed", access=OPEN
        )
        playing = asyncio.create_task(Adapter([sys.executable, str(file)], JSON, start).play(None))
        while is_stopped and not over.exists():
            await asyncio.sleep(0.01)
        if is_stopped:
            playing.cancel()
        await asyncio.gather(playing, return_exceptions=is_stopped)
    assert saved.read_text(encoding="utf-8").split() == ["saved"] * 3


def test_decision_in_text_ends_with_go() -> None:
    """A decision in text has the position, each action in a line, and ends with `go`."""
    decision = pb.Decision(match_id="k3f9xa2m", seat=2, revision=7, position="tiny; round 1", left=900)
    lines = TEXT.decision(decision, ACTIONS, "x ALP", "why").splitlines()
    assert lines == [
        "decision k3f9xa2m seat 2 revision 7",
        "position tiny; round 1",
        "left 900",
        "refused why",
        "action x ALP",
        "action decline",
        "advice x ALP",
        "go",
    ]


def test_decision_in_json_is_one_object() -> None:
    """A decision in JSON is a line with the decision as a message, the actions, and the advice."""
    decision = pb.Decision(match_id="k3f9xa2m", seat=2, revision=7)
    written = json.loads(JSON.decision(decision, ACTIONS, "x ALP", ""))
    assert written == {
        "decision": {"matchId": "k3f9xa2m", "seat": 2, "revision": "7"},
        "actions": list(ACTIONS),
        "advice": "x ALP",
    }

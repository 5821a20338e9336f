"""An agent by the Model Context Protocol, with the client of the package `mcp`."""

import asyncio
import inspect
import json
import re
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from babel.messages.pofile import read_po
from mcp import Client, StdioServerParameters
from mcp.types import TextContent
from structlog.testing import capture_logs

from tests.support.cli_runner import REDEPLOY
from tests.support.server.in_process import eventually, until_connected
from vinci import new_game
from vinci.v1 import lobby_pb2
from vinci_cli import home
from vinci_cli.agent import own_seats
from vinci_cli.agent.tool_server import TYPES, ToolServer
from vinci_cli.agent.tools import Agents
from vinci_cli.agent.words import WORDS
from vinci_cli.commands.serve.mcp import guarded
from vinci_cli.text.i18n import FOLDER
from vinci_client import processes
from vinci_client.access import OPEN
from vinci_client.session import Session
from vinci_refusals.wording import Refused
from vinci_rules import record
from vinci_server.app import Server

TWO = ["human", "dummy", "dummy"]


class Agent:
    """Calls tools and returns their texts."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def __call__(self, tool: str, **arguments: Any) -> str:
        """Return the text that a tool answers; a picture as its type."""
        answer = await self.client.call_tool(tool, arguments)
        assert not answer.is_error, answer.content
        (content,) = answer.content
        return content.text if content.type == "text" else content.type

    async def refused(self, tool: str, **arguments: Any) -> str:
        """Return the text with which a tool refuses, which is an error of the protocol."""
        answer = await self.client.call_tool(tool, arguments)
        (content,) = answer.content
        assert answer.is_error, content
        assert isinstance(content, TextContent)
        return content.text


@asynccontextmanager
async def server(folder: Path) -> AsyncIterator[Server]:
    """Run a server in this process."""
    with capture_logs():
        started = await Server.start("127.0.0.1", 0, folder / "agents.db", advice_workers=0)
        try:
            yield started
        finally:
            await started.stop()


@asynccontextmanager
async def agent(at: Server, name: str = "Claude") -> AsyncIterator[Agent]:
    """Start an agent whose tools run in this process."""
    agents = Agents(f"127.0.0.1:{at.port}", OPEN, name)
    async with Client(ToolServer(agents)) as client:
        yield Agent(client)


async def played(call: Agent) -> str:
    """Play what is suggested to the end of the game; return all that was told."""
    said = ""
    while "The game is over." not in (told := await call("wait", seconds=30)):
        said += told
        if told.endswith("It is your move."):
            await call("suggest")
            said += await call("act", actions=["ok"])
            assert said.endswith(("It is your move.", "waits for the others.", "The game is over."))
            if said.endswith("The game is over."):
                assert (await call.refused("act", actions=["decline"])).endswith("Not played: decline.")
            else:
                assert "The game is over." not in said
    return said + told


async def test_agent_plays_a_whole_game_by_the_command(tmp_path: Path) -> None:
    """Over standard input and output, as agents start it; the record is valid, and can be told and reviewed."""
    with processes.server(tmp_path / "s.db", "--advice-workers", "0") as (address, _code):
        command = StdioServerParameters(command=sys.executable, args=["-m", "vinci_cli", "mcp", address])
        async with Client(command) as client:
            call = Agent(client)
            said = await call("create", players=TWO, board="tiny", target=15, seed="mcp")
            assert "You sit at seat 1" in said
            assert "1. " in await played(call)
            match_id = (await call("matches")).split()[0]
            file = tmp_path / "game.jsonl"
            assert f"{file}: " in await call("record", match_id=match_id, file=str(file))
            lines = file.read_text().splitlines()
            assert record.verify_chance(lines) > 0
            assert json.loads(lines[0])["names"][0] == "Agent (agent)"
            assert "Order of play" in await call("replay", file=str(file))
            assert "Accuracy" in await call("review", file=str(file), seat=1, simulations=20)
            assert "no seat 6" in await call.refused("review", file=str(file), seat=6)


async def test_review_ends_with_its_agent(tmp_path: Path) -> None:
    """The command that reviews for `vinci mcp` ends, too, when that is killed."""
    file = tmp_path / "game.jsonl"
    game = new_game(seed="long")
    while not game.is_over:
        game.play(game.legal_actions()[-1])
    game.save(file)
    command = f"import asyncio; from vinci_cli.agent.tools import _command; asyncio.run(_command('review', {str(file)!r}, '--with-stdin'))"
    asking = await asyncio.create_subprocess_exec(sys.executable, "-c", command)
    parent = psutil.Process(asking.pid)
    await eventually(lambda: any("review" in child.cmdline() for child in parent.children()))
    reviewing = parent.children(recursive=True)
    asking.kill()
    await asking.wait()
    _gone, alive = await asyncio.to_thread(psutil.wait_procs, reviewing, 30)
    assert alive == []


def test_killed_agent_leaves_no_traceback() -> None:
    """The tools say at the start what they are, and end in silence when nobody reads an answer any more."""
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "matches", "arguments": {}}}
    with subprocess.Popen(
        [*processes.COMMAND, "mcp", "localhost:1"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(f"{json.dumps(begin)}\n")
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(f'{{"jsonrpc": "2.0", "method": "notifications/initialized"}}\n{json.dumps(call)}\n')
        process.stdin.close()
        assert process.stderr.read().splitlines() == [
            "Tools to play at localhost:1, for an agent on standard input and output"
        ]


async def test_agent_sees_and_is_told_what_is_legal(tmp_path: Path) -> None:
    """Costs, the board as text and picture, rules; a refusal says what would be legal, and nothing is lost."""
    async with server(tmp_path) as at, agent(at) as call:
        assert "you sit at no table" in await call.refused("look")
        assert "no matches" in await call("matches")
        said = await call("create", players=TWO, board="tiny", seed="s")
        assert "Market" in said
        assert "`look` lists them" in said
        assert "Call `suggest` first." in await call.refused("act", actions=["ok"])
        said = await call.refused("act", actions=["take 9", "take 1"])  # the second one is not played
        assert "the market has 1 to 6" in said
        legal = said.rpartition("(R-DRAFT-1).\nNot played: take 9.\nIt is your move. Legal:\n")[2]
        assert [line.partition(":")[0] for line in legal.splitlines()] == [f"take {slot}" for slot in range(1, 7)]
        assert re.search(r"^take 2: \w+\*?\+\w+\*?, \d+ pawns, 2 VP$", await call("look"), re.MULTILINE)
        assert (await call.refused("act", actions=["x ARA"])).endswith(legal)  # no conquest is legal
        said = await call.refused("act", actions=["fly"])
        assert "is not an action; the actions are: take decline" in said
        assert "`look` lists what is legal." in said
        assert "take 2" in await call("look", part="help")
        assert "Market" in await call("act", actions=["market"])  # which is no action, and shows it
        assert await call.refused("undo")
        said = await call("act", actions=["take 1"])
        said += await call("wait", seconds=30)
        assert said.endswith("It is your move.")
        looked = await call("look")
        assert "conquer" in looked
        assert re.search(r"^x [A-Z]{3}: \w+, \d pawns, \+\d VP$", looked, re.MULTILINE)
        assert looked.splitlines()[-1] == "decline"
        assert "terrain" in await call("why", action=(await call("suggest")).rpartition("(")[2].strip(").\n "))
        assert "GOR" in await call("look", part="board")
        assert "there is no part 'decline'; there are legal, board" in await call.refused("look", part="decline")
        assert await call("picture") == "image"
        assert (await call("rule", name="R-CONQ-3")).startswith("R-CONQ-3  Cost = 2")
        said = await call.refused("rule", name="R-CONQ-99")
        assert "R-CONQ-99" in said
        assert "vinci" not in said
        said = await call.refused("act", actions=["resign"])
        assert "`act` with `resign yes`." in " ".join(said.split())
        assert said.endswith("Not played: resign.\nIt is your move.")
        assert "Claude (agent) (1): hello" in await call("say", text="hello")
        assert "In use: 127.0.0.1:" in await call("servers")


async def test_late_undo_tells_who_has_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The actions of others while it was on its way are told first, and no revisions."""
    async with server(tmp_path) as at, agent(at, "Ada") as ada, agent(at, "Bo") as bo:
        await bo("create", players=["human", "human", "dummy"], board="tiny", seed="s")
        await ada("join", match_id=(await bo("matches")).split()[0])
        await ada("act", actions="take 1")
        acting = []

        async def late(_session: Session, _match: str, _token: str, meant: int, _to: int | None) -> None:
            acting.append(asyncio.create_task(bo("act", actions="take 1")))
            raise Refused("STALE_REVISION", revision=meant + 1, meant=meant)

        monkeypatch.setattr(Session, "undo", late)
        first, *others = (await ada.refused("undo")).splitlines()
        await asyncio.gather(*acting)
        assert re.match(r"Bo \(agent\) \(1\) takes ", first)
        assert "Too late: the game has gone on meanwhile, as told before this." in others  # the dummy may follow


async def test_actions_come_as_one_text_too(tmp_path: Path) -> None:
    """With semicolons between them, up to the one that is refused; words that are no actions are typed as a whole."""
    async with server(tmp_path) as at, agent(at) as call:
        await call("create", players=TWO, board="tiny", seed="s")
        assert "Claude (agent) (1): one; two" in await call("act", actions="say one; two")
        said = await call.refused("act", actions="take 1; fly; decline")
        assert said.startswith("You take ")
        assert re.findall(r"^Not played: .*", said, re.MULTILINE) == ["Not played: fly."]
        assert "there is no action to play" in await call.refused("act", actions=" ; ")
        assert "there is no action to play" in await call.refused("act", actions=[])


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("act", {"actions": 7}, "`actions` of `act` is a list of texts."),
        ("act", {"actions": ["x ALP", 7]}, "`actions` of `act` is a list of texts."),
        ("act", {"action": "x ALP"}, "`act` needs `actions`, a list of texts."),
        ("create", {"players": "human", "target": "far"}, "`players` of `create` is a list of texts.\n"
                                                          "`target` of `create` is a whole number."),
        ("wait", {"seconds": "long"}, "`seconds` of `wait` is a number."),
        ("rule", {"name": None}, "`name` of `rule` is a text."),
    ],
)  # fmt: skip
async def test_wrong_arguments_are_told_in_words(tool: str, given: dict[str, Any], said: str, tmp_path: Path) -> None:
    """Each with its type, as an error of the protocol."""
    async with server(tmp_path) as at, agent(at) as call:
        assert await call.refused(tool, **given) == said


def test_types_of_all_arguments_have_words() -> None:
    """So that each error can be told."""
    tools = Agents("localhost", OPEN, "Claude").all()
    annotations = {given.annotation for tool in tools for given in inspect.signature(tool).parameters.values()}
    assert annotations == TYPES.keys()


async def test_agent_returns_to_its_seat_and_is_marked(tmp_path: Path) -> None:
    """Others see that it is an agent; after leaving or a look elsewhere, `join` leads back to the seat."""
    async with server(tmp_path) as at, agent(at) as call, agent(at, "N" * 40) as other:
        await call("create", players=["human", "human", "dummy"], board="tiny")
        listed = await call("matches")
        assert "Claude (agent), open, dummy  (1 seats are open)" in listed
        match_id = listed.split()[0]
        assert f"You sit at seat 2 of match {match_id}." in await other("join", match_id=match_id)
        assert f"{'N' * 16} (agent)" in await call("matches")
        assert await call("leave") == "You have left the table."
        await call("join", match_id=match_id)
        said = await call("watch", match_id=match_id)
        assert said.startswith(
            f"You have left the table of match {match_id}; `join` returns to it.\nYou watch {match_id}."
        )
        assert f"You sit at seat 1 of match {match_id}." in await call("join", match_id=match_id)
        async with Session(f"127.0.0.1:{at.port}") as session:
            match = await session.get(match_id)
        assert [seat.player for seat in match.seats[:2]] == ["Claude (agent)", f"{'N' * 16} (agent)"]
        assert match.status == lobby_pb2.MATCH_STATUS_RUNNING


async def test_agent_returns_to_its_seat_in_another_process(tmp_path: Path) -> None:
    """Of the same name, when nobody plays it any more; as long as somebody does, the seat is not taken away."""
    async with server(tmp_path) as at:
        async with agent(at) as call:
            await call("create", players=TWO, board="tiny")
            match_id = (await call("matches")).split()[0]
            async with agent(at) as beside:
                assert "taken" in await beside.refused("join", match_id=match_id)
        async with Session(f"127.0.0.1:{at.port}") as session:
            await until_connected(session, match_id, 1, False)
        async with agent(at, "Ada") as other, agent(at) as call:
            assert "taken" in await other.refused("join", match_id=match_id)
            assert f"You sit at seat 1 of match {match_id}." in await call("join", match_id=match_id)
            assert "It is your move." in await call("act", actions=["take 1"]) + await call("wait", seconds=30)
            assert "take" in await call("look", part="log")


def test_seats_of_agents_that_sit_down_at_once_are_all_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each adds its seat to those that others have saved before it."""
    monkeypatch.setenv(home.HOME, str(tmp_path))
    matches = [f"match{number}" for number in range(100)]
    with ThreadPoolExecutor(8) as pool:
        for match_id in matches:
            pool.submit(own_seats.save, "localhost", "Ada", match_id, (1, "token"))
    assert [own_seats.find("localhost", "Ada", match_id) for match_id in matches] == [(1, "token")] * 100


async def test_vp_on_a_civilization_are_told(tmp_path: Path) -> None:
    """The line of a civilization tells its price and the VP that lie on it."""
    position = "tiny; round 0; seat 1; seat 2; seat 3; market AGR+FOR:2 AST+SPI LIV+REN HER+MOU GEN+SLA MED+MES"
    async with server(tmp_path) as at, agent(at) as call:
        async with Session(f"127.0.0.1:{at.port}") as session:
            request = lobby_pb2.CreateMatchRequest(position=position, start_when_full=True)
            match_id = (await session.create(request)).match.match_id
            for seat in (2, 3):
                await session.join(match_id, f"Player {seat}", seat)
        await call("join", match_id=match_id, seat=1)
        first, second, *_others = re.findall(r"^take .*", await call("look"), re.MULTILINE)
        assert re.fullmatch(r"take 1: Agriculture\+Forts, \d+ pawns, 0 VP, 4 VP lie on it", first)
        assert re.fullmatch(r"take 2: Astronomy\+Spies, \d+ pawns, 2 VP", second)


async def test_survivors_are_placed_as_suggested(tmp_path: Path) -> None:
    """A plain `redeploy` places as suggested; the placements that are possible are listed before."""
    request = lobby_pb2.CreateMatchRequest(position=REDEPLOY, start_when_full=True)
    async with server(tmp_path) as at, agent(at) as call:
        async with Session(f"127.0.0.1:{at.port}") as session:
            match_id = (await session.create(request)).match.match_id
            for seat in (1, 3):
                await session.join(match_id, f"Player {seat}", seat)
        await call("join", match_id=match_id, seat=2)
        looked = (await call("look")).splitlines()[-1]
        assert re.fullmatch(r"redeploy (\w{3}=\d ?)+: as suggested; 3 pawns in ERB, HAM", looked), looked
        assert "You place survivors: " in await call("act", actions=["redeploy"])


async def test_provinces_that_lent_pawns_cannot_hold_are_told_before_a_conquest(tmp_path: Path) -> None:
    """Of two provinces one can be held if only one pawn is left when those of General leave."""
    lent = "tiny; turn 1 conquer; seat 1 | GEN+MIL reserve=7 ARA=1; seat 2 | BAR+CUR COL=2; seat 3 | AST+SLA reserve=15"
    async with server(tmp_path) as at, agent(at) as call:
        async with Session(f"127.0.0.1:{at.port}") as session:
            match_id = (
                await session.create(lobby_pb2.CreateMatchRequest(position=lent, start_when_full=True))
            ).match.match_id
            for seat in (2, 3):
                await session.join(match_id, f"Player {seat}", seat)
        await call("join", match_id=match_id, seat=1)
        await call("wait", seconds=30)
        (conquest, *_) = re.findall(r"^(x [A-Z]{3}):", await call("look"), re.MULTILINE)
        said = await call("why", action=conquest)
        assert "You could hold only 1 of 2 provinces at the end of the turn" in said
        assert "VP now" not in await call("why", action="hold")


async def test_unknown_match_and_lost_server_are_told(tmp_path: Path) -> None:
    """As text that says what to do, in an error of the protocol."""
    async with server(tmp_path) as at, agent(at) as call:
        assert "nowhere1" in await call.refused("join", match_id="nowhere1")
        assert "3" in await call.refused("create", players=["human"])
        assert 'one of the players must be "human"' in await call.refused("create", players=["dummy"] * 3)
        said = await call.refused("create", players=[*TWO, "hard"])
        assert "no computer player 'hard'; it was started without --bots" in said
        assert "no matches" in await call("matches")
        await call("create", players=TWO, board="tiny")
        match_id = (await call("matches")).split()[0]
        assert "/nowhere/x cannot be written" in await call.refused("record", match_id=match_id, file="/nowhere/x")
        assert "/nowhere/x" in await call.refused("replay", file="/nowhere/x")
        await call("watch", match_id=match_id)
        for tool, given in (("act", {"actions": ["decline"]}), ("suggest", {}), ("undo", {}), ("why", {"action": "x"})):
            assert "you only look on" in await call.refused(tool, **given)


def test_words_for_agents_replace_texts_that_exist() -> None:
    """Each is a text of the catalogues with the same fields, and tells no word that is typed at a terminal."""
    with (FOLDER / "fr" / "LC_MESSAGES" / "vinci.po").open("rb") as file:
        catalogue = read_po(file)
    known = {text for message in catalogue for text in (message.id if isinstance(message.id, tuple) else (message.id,))}
    assert set(WORDS) <= known
    for text, told in WORDS.items():
        assert set(re.findall(r"{\w+", told)) <= set(re.findall(r"{\w+", text))
        assert not re.search(r"\bvinci |\bType\b|\bquit\b", told)


@pytest.mark.parametrize(("given", "status"), [(b"Bearer secret", 200), (b"Bearer other", 401), (b"", 401)])
async def test_token_lets_in(given: bytes, status: int) -> None:
    """Requests without it are refused before the application sees them."""
    sent: list[Any] = []

    async def app(scope: Any, receive: Any, send: Callable[[Any], Any]) -> None:
        await send({"type": "http.response.start", "status": 200})

    async def send(message: Any) -> None:
        sent.append(message)

    await guarded(app, "secret")({"type": "http", "headers": [(b"authorization", given)]}, None, send)
    assert sent[0]["status"] == status


def test_arguments_are_checked_before_slow_imports() -> None:
    """Others on the network need a token, the port must be free and the address one: all of this is told at once."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for words, said in (
            (("--http", "0", "--http-host", "0.0.0.0"), "set VINCI_MCP_TOKEN to a secret"),
            (("--http", port), f"127.0.0.1:{port}: Address already in use"),
            (("localhost:far",), "localhost:far"),
        ):
            command = [sys.executable, "-X", "importtime", "-m", "vinci_cli", "mcp", *words]
            told = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False).stderr
            assert said in told
            assert not re.search(r"\| +(mcp|pydantic|vinci_cli\.agent)\b", told)


@asynccontextmanager
async def by_http(address: str) -> AsyncIterator[str]:
    """Run `vinci mcp --http`; yield its address for agents."""
    process = await asyncio.create_subprocess_exec(
        *processes.COMMAND, "mcp", address, "--http", "0", stderr=asyncio.subprocess.PIPE
    )
    try:
        assert process.stderr is not None
        yield (await process.stderr.readline()).decode().split()[-1]
    finally:
        process.terminate()
        await process.wait()


async def test_agents_connect_by_http(unanswered: str) -> None:
    """The tools are the same."""
    async with by_http(unanswered) as url, Client(url) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert {"create", "act", "wait", "review"} <= names
        assert "`matches` tries again" in await Agent(client).refused("matches")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_agents_at_one_address_have_their_own_seats(tmp_path: Path, mode: Any) -> None:
    """Two play a match to its end by one process, each under its name, whether the protocol has sessions or not."""
    async with (
        server(tmp_path) as at,
        by_http(f"127.0.0.1:{at.port}") as url,
        Client(f"{url}?agent=Ada", mode=mode) as one,
        Client(f"{url}?agent=Bo", mode=mode) as other,
    ):
        ada, bo = Agent(one), Agent(other)
        await ada("create", players=["human", "human", "dummy"], board="tiny", target=15, seed="two")
        listed = await ada("matches")
        assert "Ada (agent), open, dummy" in listed
        assert "You sit at seat 2" in await bo("join", match_id=listed.split()[0])
        assert all("The game is over." in said for said in await asyncio.gather(played(ada), played(bo)))
        assert "over  Ada (agent), Bo (agent), dummy" in await bo("matches")

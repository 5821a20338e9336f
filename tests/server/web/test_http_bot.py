"""Bots over HTTP: the sample bot plays a whole game; what `Listen` and `Send` refuse."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import grpc

from tests.support.paths import PROJECT
from tests.support.server.in_process import SOON, address
from tests.support.server.in_process import bearer as metadata
from tests.support.server.over_http import Web, bearer, web_server
from vinci.v1 import bot_pb2
from vinci.v1.bot_pb2_grpc import BotServiceStub
from vinci.v1.game_pb2 import Action

BOT = PROJECT / "bots" / "http" / "bot.py"


def with_bot(**fields: object) -> dict[str, object]:
    """Return the request for a match of one bot and two dummies."""
    seats = [{"kind": "SEAT_KIND_BOT", "bot": "hermit"}, *[{"kind": "SEAT_KIND_DUMMY"}] * 2]
    return {"board": "tiny", "seats": seats, "startWhenFull": True, "seed": "http", **fields}


async def test_sample_bot_plays_a_whole_game(database: Path) -> None:
    """The bot of the docs, a process with the standard library alone, plays a game to its end."""
    async with web_server(database) as (_, web):
        match_id = (await web.ok("LobbyService/CreateMatch", with_bot()))["match"]["matchId"]
        bot = await asyncio.create_subprocess_exec(
            sys.executable,
            "-I",
            str(BOT),
            f"http://127.0.0.1:{web.port}",
            "hermit",
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(SOON):
            out, err = await bot.communicate()
        assert (bot.returncode, err) == (0, b"")
        match = (await web.ok("LobbyService/GetMatch", {"matchId": match_id}))["match"]
        assert match["status"] == "MATCH_STATUS_OVER"
        assert out.decode().strip() == f"ranks {match['ranks']}, VP {match['vp']}"
        record = await web.ok("MatchService/GetRecord", {"matchId": match_id})
        assert len(record["lines"]) > 20


async def test_bot_is_refused_as_over_grpc(web: Web) -> None:
    """A wrong answer is refused in the stream, with its reason and the tries left; the decision stands."""
    match_id = (await web.ok("LobbyService/CreateMatch", with_bot()))["match"]["matchId"]
    listening = web.lines("BotService/Listen", {"hello": {"name": "hermit", "position": True}})
    first = await anext(listening)
    assert first["response"]["welcome"]["wanted"]["names"] == ["hermit"]
    token = bearer(first["token"])
    said = [await anext(listening) for _ in range(3)]
    assert [next(iter(one["response"])) for one in said] == ["ping", "seated", "decision"]
    decision = said[-1]["response"]["decision"]
    assert decision["position"].startswith("tiny")
    answer = {"matchId": match_id, "seat": 1, "revision": decision.get("revision", 0)}
    for actions, reason in (([], "BAD_ACTION"), ([{"notation": "hold"}], "")):
        await web.ok("BotService/Send", {"requests": [{"answer": {**answer, "actions": actions}}]}, **token)
        refused = (await anext(listening))["response"]["refused"]
        assert refused["refusal"]["reason"] == reason or not reason
    assert refused["triesLeft"] == 1
    await web.ok("BotService/Send", {"requests": [{"answer": {**answer, "actions": [{"take": {"slot": 1}}]}}]}, **token)
    following = (await anext(listening))["response"]["decision"]
    assert int(following["revision"]) > int(decision.get("revision", 0))
    await listening.aclose()


async def test_second_hello_ends_the_stream(web: Web) -> None:
    """A second hello ends the stream, as in Play, and is refused by Send."""
    listening = web.lines("BotService/Listen", {"hello": {"name": "hermit"}})
    token = bearer((await anext(listening))["token"])
    refused = await web.call("BotService/Send", {"requests": [{"hello": {"name": "hermit"}}]}, **token)
    assert refused.reason == "MALFORMED"
    *_, last = [line async for line in listening]
    assert last["error"]["details"][0]["debug"]["reason"] == "MALFORMED"


async def test_bot_that_is_gone(database: Path) -> None:
    """The seat of a bot that breaks its connection is free, and its token is no longer known."""
    async with web_server(database) as (_, web):
        await web.ok("LobbyService/CreateMatch", with_bot())
        listening = web.lines("BotService/Listen", {"hello": {"name": "hermit"}})
        token = bearer((await anext(listening))["token"])
        await anext(listening)
        await listening.aclose()
        await eventually_refused(web, token)
        again = web.lines("BotService/Listen", {"hello": {"name": "hermit"}})
        kinds = [next(iter((await anext(again))["response"])) for _ in range(4)]
        assert kinds == ["welcome", "ping", "seated", "decision"]
        await again.aclose()


async def eventually_refused(web: Web, token: dict[str, str]) -> None:
    """Wait until a token of a bot is refused."""
    async with asyncio.timeout(SOON):
        while (answer := await web.call("BotService/Send", {}, **token)).status == 200:
            await asyncio.sleep(0.02)
    assert answer.reason == "BAD_TOKEN"


async def test_bot_over_grpc_without_streams_both_ways(database: Path) -> None:
    """Listen and Send are also calls of gRPC, and a bot answers there what it was asked over HTTP."""
    async with web_server(database) as (server, web), grpc.aio.insecure_channel(address(server)) as channel:
        match_id = (await web.ok("LobbyService/CreateMatch", with_bot()))["match"]["matchId"]
        stub: Any = BotServiceStub(channel)
        stream = stub.Listen(bot_pb2.ListenRequest(hello=bot_pb2.Hello(name="hermit")))
        token = (await stream.read()).token
        while not (said := (await stream.read()).response).HasField("decision"):
            pass
        revision = said.decision.revision
        answer = bot_pb2.Answer(match_id=match_id, seat=1, revision=revision, actions=[Action(notation="take 1")])
        requests = [bot_pb2.PlayRequest(answer=answer)]
        await stub.Send(bot_pb2.SendRequest(requests=requests), metadata=metadata(token))
        while not (said := (await stream.read()).response).HasField("decision"):
            pass
        assert said.decision.revision > revision
        stream.cancel()


async def test_send_needs_a_token(web: Web) -> None:
    """Send without a token, and with one of nobody, is refused."""
    assert (await web.call("BotService/Send")).reason == "NO_TOKEN"
    assert (await web.call("BotService/Send", **bearer("bot.x"))).reason == "BAD_TOKEN"
    listening = web.lines("BotService/Listen", {"hello": {}})
    assert (await anext(listening))["error"]["details"][0]["debug"]["reason"] == "BAD_NAME"

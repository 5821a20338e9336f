"""`vinci serve --web` as a process: its page, a kill in the middle of a game, and its end."""

import asyncio
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.network.namespaces import two_machines
from tests.support.processes.vinci_process import Vinci, fails, server, until
from tests.support.server.over_http import Web, bearer

LINK = re.compile(r'(?:src|href)="(/[^"]+)"')
INLINE = re.compile(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=")
LISTENER = """
import sys
from urllib.request import Request, urlopen
hello = Request(sys.argv[1], b'{"hello": {"name": "hermit"}}', {"Content-Type": "application/json"})
for line in urlopen(hello):
    print(line.decode(), flush=True)
"""
HUMANS = {"board": "tiny", "seats": [{"kind": "SEAT_KIND_HUMAN"}] * 3, "startWhenFull": True}


def web_of(address: str) -> Web:
    """Return the web server at an address."""
    return Web(int(address.rpartition(":")[2]))


async def test_page_of_the_package(tmp_path: Path) -> None:
    """The page that is shipped has all of its files, and nothing in it that its policy forbids."""
    with server(tmp_path, "--web", "0") as (process, _):
        web = web_of(await asyncio.to_thread(process.line, "web on "))
        index = (await web.get("/")).body.decode()
        assert not INLINE.search(index)
        links = LINK.findall(index)
        assert any(link.endswith(".js") for link in links)
        for link in links:
            answer = await web.get(link)
            assert (answer.status, "immutable" in answer.headers["cache-control"]) == (200, True)
        await asyncio.to_thread(process.expect, f"  http://localhost:{web.port}/\n")
        process.send(signal.SIGINT)
        assert await asyncio.to_thread(process.ended) == 0


async def test_port_in_use(tmp_path: Path) -> None:
    """A port that is taken is one line of error, with what to do."""
    with server(tmp_path, "--web", "0") as (process, _):
        web = web_of(await asyncio.to_thread(process.line, "web on "))
        taken = ("--port", "0", "--web", str(web.port), "--db", str(tmp_path / "other.db"))
        error = await asyncio.to_thread(fails, tmp_path, "serve", *taken)
    assert f"cannot listen on 127.0.0.1:{web.port}: " in error
    assert error.endswith("; choose another --web, or 0 for any")


async def act(web: Web, match_id: str, tokens: list[str], revision: int) -> None:
    """Take a civilization with the token of the seat to act."""
    request = {"matchId": match_id, "expectedRevision": revision, "actions": [{"notation": "take 1"}]}
    for token in tokens:
        answer = await web.call("MatchService/Act", {**request, "requestId": f"r{revision}"}, **bearer(token))
        if answer.status == 200:
            return
    raise AssertionError(answer.body)


async def test_watch_goes_on_after_a_kill(tmp_path: Path) -> None:
    """After kill -9 a page watches on from the next revision: none is lost, none comes twice."""
    with server(tmp_path, "--web", "0") as (process, _):
        web = web_of(await asyncio.to_thread(process.line, "web on "))
        match_id = (await web.ok("LobbyService/CreateMatch", HUMANS))["match"]["matchId"]
        joined = [await web.ok("LobbyService/JoinMatch", {"matchId": match_id}) for _ in range(3)]
        tokens = [one["seatToken"] for one in joined]
        watching = web.lines("MatchService/Watch", {"matchId": match_id, "fromRevision": 0})
        await act(web, match_id, tokens, 0)
        async for line in watching:
            if line.get("update", {}).get("revision") == "1":
                break
        process.kill()
        broken = False
        try:
            async for _ in watching:
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            broken = True
        assert broken, "the stream of a server that was killed has no end that looks right"

    with server(tmp_path, "--web", str(web.port)) as (process, _):
        await asyncio.to_thread(process.line, "web on ")
        watching = web.lines("MatchService/Watch", {"matchId": match_id, "fromRevision": 2})
        assert (await anext(watching))["match"]["status"] == "MATCH_STATUS_RUNNING"
        await act(web, match_id, tokens, 1)
        while "update" not in (line := await anext(watching)):
            pass
        assert line["update"]["revision"] == "2"
        await watching.aclose()


@pytest.mark.slow
def test_bot_on_a_dead_network_is_gone(tmp_path: Path) -> None:
    """A bot whose machine is cut off without a word loses its seat after about half a minute, as over gRPC."""
    with two_machines("10.7.0.{}/24") as (here, there):
        options = ("--host", "10.7.0.1", "--port", "0", "--web", "0", "--db", str(tmp_path / "server.db"))
        with Vinci(tmp_path, "serve", *options, "--no-announce", under=here) as process:
            address = process.line("web on ")
            url = f"http://{address}/vinci.v1.BotService/Listen"
            with subprocess.Popen([*there, sys.executable, "-c", LISTENER, url], stdout=subprocess.PIPE) as bot:
                assert bot.stdout is not None
                assert b"welcome" in bot.stdout.readline()
                subprocess.run([*here, "ip", "link", "set", "left", "down"], check=True)
                cut = time.monotonic()
                until(lambda: "bot disconnected" in process.err, "the server notices")
                assert 10 < time.monotonic() - cut < 80
                bot.kill()

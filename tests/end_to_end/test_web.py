"""`vinci serve --web` as a process: its page, a kill in the middle of a game, and its end."""

import asyncio
import re
import signal
from pathlib import Path

from tests.support.processes.vinci_process import fails, server
from tests.support.server.over_http import Web, bearer

LINK = re.compile(r'(?:src|href)="(/[^"]+)"')
INLINE = re.compile(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=")
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

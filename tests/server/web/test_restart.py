"""A web server that is killed and started again: what was played is there, and watching goes on where it broke."""

import asyncio
import os
import sys
from pathlib import Path

from tests.support.paths import PROJECT
from tests.support.server.in_process import SOON
from tests.support.server.over_http import Web, bearer

PATHS = os.pathsep.join(str(PROJECT / folder) for folder in (".", "proto", "server", "clients", "bots"))


async def start(database: Path, port: int) -> tuple[asyncio.subprocess.Process, int]:
    """Start a server as a process; return it and the port of its web server."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.support.processes.web_process",
        str(database),
        str(port),
        cwd=PROJECT,
        env=os.environ | {"PYTHONPATH": PATHS},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    async with asyncio.timeout(SOON):
        return process, int(await process.stdout.readline())


async def act(web: Web, match_id: str, tokens: list[str], text: str, revision: int) -> None:
    """Play an action of the seat to act, which is found by its token."""
    request = {
        "matchId": match_id,
        "requestId": f"request {revision}",
        "expectedRevision": revision,
        "actions": [{"notation": text}],
    }
    for token in tokens:
        if (await web.call("MatchService/Act", request, **bearer(token))).status == 200:
            return
    raise AssertionError(f"nobody could play {text}")


async def test_watch_goes_on_after_a_kill(database: Path) -> None:
    """After kill -9 a page watches on from the next revision: none is lost, none comes twice."""
    process, port = await start(database, 0)
    try:
        web = Web(port)
        seats = {"board": "tiny", "seats": [{"kind": "SEAT_KIND_HUMAN"}] * 3, "startWhenFull": True}
        match_id = (await web.ok("LobbyService/CreateMatch", seats))["match"]["matchId"]
        joined = [await web.ok("LobbyService/JoinMatch", {"matchId": match_id}) for _ in range(3)]
        tokens = [one["seatToken"] for one in joined]
        watching = web.lines("MatchService/Watch", {"matchId": match_id, "fromRevision": 0})
        await act(web, match_id, tokens, "take 1", 0)
        seen = 0
        while seen < 1:
            line = await anext(watching)
            seen = int(line.get("update", {}).get("revision", 0))
        process.kill()
        ended = False
        try:
            async for _ in watching:
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            ended = True
        assert ended, "the stream of a killed server ends without its end"
        await process.wait()

        process, again = await start(database, port)
        assert again == port
        again_watching = web.lines("MatchService/Watch", {"matchId": match_id, "fromRevision": seen + 1})
        assert (await anext(again_watching))["match"]["status"] == "MATCH_STATUS_RUNNING"
        await act(web, match_id, tokens, "take 1", seen)
        while "update" not in (line := await anext(again_watching)):
            pass
        assert int(line["update"]["revision"]) == seen + 1
        await again_watching.aclose()
        assert process.stdin is not None
        process.stdin.close()
        async with asyncio.timeout(SOON):
            assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()

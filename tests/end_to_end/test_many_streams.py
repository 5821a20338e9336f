"""Very many streams opened at once at a busy server: gRPC lets a few fail, and all succeed in the end."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
from contextlib import ExitStack
from pathlib import Path

from tests.support.processes.matches import only_match
from tests.support.processes.vinci_process import Vinci, server
from vinci_client.session import Session

GAME = (
    "--players",
    "random,random,random,random",
    "--option",
    "max_rounds=1000",
    "--seed",
    "crowd",
    "--limit",
    "max_rounds=1000",
)
CROWD = 500
UPDATES = 3
BUSY = 100
"""Revisions after which the bots are under way."""


async def test_hundreds_of_concurrent_streams_miss_nothing(tmp_path: Path) -> None:
    with ExitStack() as stack:
        process, address = stack.enter_context(server(tmp_path, *GAME, "--option", "target=10000"))
        for _ in range(2):
            stack.enter_context(Vinci(tmp_path, "bot", "random", address, "--at-once", "2"))
        async with Session(address) as session, asyncio.timeout(90):
            match_id = await only_match(session)

            async def watch(first: int, number: int) -> list[int]:
                revisions = []
                async for response in session.watch(match_id, from_revision=first):
                    if response.HasField("update"):
                        revisions.append(response.update.revision)
                        if len(revisions) == number:
                            break
                return revisions

            await watch(0, BUSY)
            revisions = await asyncio.gather(*(watch(BUSY, UPDATES) for _ in range(CROWD)))
        assert revisions == [list(range(BUSY, BUSY + UPDATES))] * CROWD
        assert process.lives
        assert "Traceback" not in process.err

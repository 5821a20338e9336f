"""Players and watchers over HTTP, beside the same over gRPC, on the same server; and the page in Chromium."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from vinci_client.session import Session

from .figures import Figure, Target
from .load import new_match
from .processes import load, megabytes, vinci_with_web

ROUNDS: Final = 3
MATCHES: Final = 8
WATCHERS: Final = 200
_MEMORY: Final = Target(20, at_most=True)
LIMITS: Final = ("cpu_milliseconds_per_second=100000", "calls_per_second=100000", "bytes_per_second=100000000")
"""For a load from one host that stands for many players."""
PAGE: Final = Path(__file__).parents[1] / "clients" / "web"
CHROMIUM: Final = os.environ.get("CHROMIUM", "/usr/bin/chromium")


def figures() -> Iterator[Figure]:
    """Decisions a second, round trips of a player while many watch, memory for those; and the page."""
    yield from _decisions()
    yield _watched()
    yield Figure(f"web.watchers.{WATCHERS}.memory", _memory(over_web=True), "MB", _memory(over_web=False), _MEMORY)
    yield from _page()


def _decisions() -> Iterator[Figure]:
    """Bots that answer at once: over HTTP, where each answer is a call, and over gRPC, where all is one stream."""
    found: dict[bool, list[dict[str, float]]] = {True: [], False: []}
    for number in range(ROUNDS):
        for over_web, results in found.items():
            _progress(f"{MATCHES} matches, round {number + 1} of {ROUNDS}, {'HTTP' if over_web else 'gRPC'}")
            with (
                vinci_with_web(*LIMITS) as (_, address, web),
                load("decisions", address, matches=MATCHES, web=web if over_web else "") as loading,
            ):
                results.append(loading.found())

    def figure(name: str, key: str, unit: str, target: Target) -> Figure:
        ours, theirs = (median(one[key] for one in results) for results in found.values())
        return Figure(name, ours, unit, theirs, target)

    yield figure(f"web.decisions.{MATCHES}", "rate", "decisions/s", Target(0.6, of_ratio=True))


def _watched() -> Figure:
    """Round trips of a player over HTTP every tenth of a second, without and with watchers over HTTP."""
    _progress(f"{WATCHERS} watchers")
    with vinci_with_web(*LIMITS) as (_, address, web):
        match = asyncio.run(_match(address))
        alone = _played(address, web, match)
        with load("spectators", address, web=web, match=match, streams=WATCHERS, seconds=4) as watching:
            watching.line()
            watched = _played(address, web, match)
            watching.line()
    most = Target(2, at_most=True, of_ratio=True)
    return Figure(f"web.watchers.{WATCHERS}.roundtrip", watched["p50"], "ms", alone["p50"], most)


def _memory(*, over_web: bool) -> float:
    """MB that the server needs for watchers of a match."""
    with vinci_with_web(*LIMITS) as (process, address, web):
        match = asyncio.run(_match(address))
        _played(address, web, match)
        before = megabytes(process.pid)
        options = {"web": web} if over_web else {}
        with load("spectators", address, match=match, streams=WATCHERS, seconds=1, **options) as watching:
            watching.line()
            _played(address, web, match)
            return megabytes(process.pid) - before


def _page() -> Iterator[Figure]:
    """First board with an empty cache, CPU time of an update on a crowded board, memory.

    The references are what the browser needs for a page of 2026-11-30 as HTML without scripts: to show it, and to draw
    its board anew. They stay when the page changes. The targets stand for 1,000 and 16 ms on the machine of
    docs/performance.md.
    """
    if shutil.which("npm") is None or not Path(CHROMIUM).exists() or not (PAGE / "node_modules").exists():
        _progress(f"the page is not measured: that needs npm, Chromium at {CHROMIUM} and clients/web/node_modules")
        return
    _progress("the page in Chromium")
    with TemporaryDirectory() as folder:
        result = Path(folder, "result.json")
        environment = {
            "RESULT": str(result),
            "CHROMIUM": CHROMIUM,
            "VINCI": str(Path(sys.executable).with_name("vinci")),
        }
        command = ["npm", "run", "--silent", "measure"]
        subprocess.run(command, cwd=PAGE, env=os.environ | environment, check=True, stdout=subprocess.DEVNULL)
        found = json.loads(result.read_text())
    for name, key, unit, target in (
        ("first_board", "firstBoard", "ms", Target(2, at_most=True, of_ratio=True)),
        ("update", "update", "ms", Target(0.35, at_most=True, of_ratio=True)),
        ("memory", "memory", "MB", Target(100, at_most=True)),
    ):
        value, reference = found[key]
        yield Figure(f"web.page.{name}", value, unit, reference, target)


async def _match(address: str) -> str:
    async with Session(address) as session:
        return (await session.create(new_match("load0"))).match.match_id


def _played(address: str, web: str, match: str) -> dict[str, Any]:
    with load("decisions", address, web=web, match=match, pause=0.1, seconds=3.0) as loading:
        return loading.found()


def _progress(text: str) -> None:
    print(f"# {text}", file=sys.stderr, flush=True)

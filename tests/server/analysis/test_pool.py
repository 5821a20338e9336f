"""The worker processes of the analysis service: reproducible answers, fairness between hosts, crashes, time limits."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import pytest

from tests.support.processes.vinci_process import is_running
from tests.support.server.in_process import SOON
from vinci_rules import notation, position
from vinci_rules.board import load_board
from vinci_rules.chance import FairChance
from vinci_rules.editions import options
from vinci_rules.engine import new_game
from vinci_rules.playout import Tally
from vinci_server.analysis.playouts import PolicyName, Question, candidates, openings, part
from vinci_server.analysis.pool import Pool, WorkerLost

SHORT: Final = "tiny; rules standard max_rounds=2; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA"
LONG: Final = position.write(
    new_game(load_board("europe"), options((False,) * 6, max_rounds=10_000, target=10_000), FairChance("long"))
)
"""Its playouts take minutes."""
MANY: Final = 3000
"""Playouts of SHORT that keep all workers busy for a while."""
GOLDEN: Final[dict[PolicyName, list[tuple[str, list[int]]]]] = {
    "random": [
        ("x COL", [67, -73, -87]),
        ("x BOS", [64, -70, -84]),
        ("x FEN", [53, -65, -70]),
        ("abandon ARA", [49, -71, -60]),
        ("hold ARA=10", [27, -37, -44]),
        ("decline", [-8, -37, -21]),
    ],
    "advice": [
        ("abandon ARA", [49, -49, -56]),
        ("x BOS", [49, -49, -56]),
        ("x COL", [49, -49, -56]),
        ("x FEN", [49, -49, -56]),
        ("decline", [14, -14, -21]),
        ("hold ARA=10", [14, -14, -21]),
    ],
}
"""Margins after seven playouts of each action in version 0.1, where one process played them."""


def asked(text: str, seed: str = "golden", *, policy: PolicyName = "random", compares: bool = False) -> Question:
    """Return a question about a position."""
    return Question(text, policy, seed, compares)


def free(_seconds: float) -> bool:
    """Grant a host unlimited CPU time."""
    return True


@asynccontextmanager
async def workers(most: int) -> AsyncIterator[Pool]:
    """Yield a pool; check that none of its processes outlives it."""
    pool = Pool(most)
    try:
        async with asyncio.timeout(3 * SOON):
            yield pool
    finally:
        pids = pool.pids
        await pool.stop()
        assert not [pid for pid in pids if is_running(pid)]


async def until_working(pool: Pool, number: int) -> None:
    """Wait for that many workers."""
    while len(pool.pids) < number:
        await asyncio.sleep(0.01)


def sums(tallies: dict[int, Tally]) -> dict[int, tuple[int, list[int], list[int], list[int]]]:
    """Return all that tallies have counted."""
    return {place: (tally.playouts, tally.vp, tally.margins, tally.wins) for place, tally in tallies.items()}


@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("policy", ["random", "advice"])
async def test_answers_are_the_same_with_any_number_of_workers(most: int, policy: PolicyName) -> None:
    """The results for a seed are also those of earlier versions."""
    state = position.read(SHORT)
    tried = candidates(state)
    async with workers(most) as pool:
        tally = await pool.compute("a", asked(SHORT, policy=policy, compares=True), 7 * len(tried), 30, free)
        margins = [(notation.write(tried[place], state.board), tally[place].margins) for place in sorted(tally)]
        assert sorted(margins) == sorted(GOLDEN[policy])
        whole = await pool.compute("a", asked(SHORT, policy=policy), 300, 30, free)
        alone = part(state, asked(SHORT, policy=policy), [None], 0, 300, lambda: False)
        assert sums(whole) == sums(alone)


def test_parts_of_a_comparison_add_up() -> None:
    """However a comparison is divided, the numbers of playouts of the openings differ by at most one."""
    state, question = position.read(SHORT), asked(SHORT, compares=True)
    tried = openings(state, question)
    whole = part(state, question, tried, 0, 20, lambda: False)
    assert {tally.playouts for tally in whole.values()} == {3, 4}
    first, rest = (part(state, question, tried, start, count, lambda: False) for start, count in ((0, 11), (11, 9)))
    for place, tally in rest.items():
        first[place].join(tally)
    assert sums(first) == sums(whole)


async def test_host_with_many_calls_does_not_delay_others() -> None:
    """Hosts take turns, whatever the number of their calls."""
    async with workers(1) as pool:
        ended: list[str] = []

        async def call(host: str, number: int) -> None:
            await pool.compute(host, asked(SHORT), number, 60, free)
            ended.append(host)

        many = [asyncio.create_task(call("many", 3000)) for _ in range(6)]
        await until_working(pool, 1)
        await asyncio.gather(call("one", 100), *many)
        assert ended[0] == "one"
        assert ended.count("many") == 6


@pytest.mark.parametrize("most", [1, 2])
async def test_killed_worker_is_replaced(most: int) -> None:
    """If it dies during a computation nothing is lost; if idle, the next call works."""
    async with workers(most) as pool:
        expected = sums(await pool.compute("a", asked(SHORT), 300, 60, free))
        long = sums(await pool.compute("a", asked(SHORT), MANY, 60, free))
        call = asyncio.create_task(pool.compute("a", asked(SHORT), MANY, 60, free))
        await asyncio.sleep(0.05)
        assert not call.done()
        killed = set(pool.pids)
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        assert sums(await call) == long
        await until_working(pool, 1)
        assert not killed & set(pool.pids)
        os.kill(pool.pids[0], signal.SIGKILL)
        assert sums(await pool.compute("a", asked(SHORT), 300, 60, free)) == expected


async def test_call_that_kills_workers_fails() -> None:
    """The call ends with an error instead of waiting for ever; the next one works."""
    async with workers(1) as pool:
        call = asyncio.create_task(pool.compute("a", asked(LONG), 1, 60, free))
        while not call.done():
            await asyncio.sleep(0.01)
            for pid in pool.pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        with pytest.raises(WorkerLost, match="ended with status -9"):
            await call
        assert (await pool.compute("a", asked(SHORT), 3, 60, free))[0].playouts == 3


async def test_failed_worker_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every call gets the error until a worker starts again."""
    async with workers(2) as pool:
        with monkeypatch.context() as patch:
            patch.setattr(sys, "executable", "/nowhere/python")
            calls = [pool.compute("a", asked(SHORT), 3, 60, free) for _ in range(3)]
            errors = await asyncio.gather(*calls, return_exceptions=True)
            assert all("does not start" in str(one) for one in errors), errors
        assert (await pool.compute("a", asked(SHORT), 3, 60, free))[0].playouts == 3


async def test_error_in_a_worker_is_returned() -> None:
    """The worker continues."""
    async with workers(1) as pool:
        with pytest.raises(RuntimeError, match="PositionError"):
            await pool.compute("a", asked("nowhere"), 3, 60, free)
        (pid,) = pool.pids
        assert (await pool.compute("a", asked(SHORT), 3, 60, free))[0].playouts == 3
        assert pool.pids == [pid]


async def test_endless_playout_ends_with_its_time() -> None:
    """The unfinished playout does not count."""
    async with workers(2) as pool:
        assert await pool.compute("a", asked(LONG), 5, 0.2, free) == {}
        assert (await pool.compute("a", asked(SHORT), 3, 60, free))[0].playouts == 3


async def test_cancelled_call_frees_its_worker() -> None:
    """The worker is free at once, not at the end of its playout."""
    async with workers(1) as pool:
        call = asyncio.create_task(pool.compute("a", asked(LONG), 5, 3600, free))
        await until_working(pool, 1)
        await asyncio.sleep(0.1)
        call.cancel()
        assert (await pool.compute("b", asked(SHORT), 3, 60, free))[0].playouts == 3


async def test_host_above_its_quota_gets_partial_results() -> None:
    """The CPU time of all workers is counted as it is used."""
    used: list[float] = []

    def spend(seconds: float) -> bool:
        used.append(seconds)
        return len(used) < 4

    async with workers(1) as pool:
        actual = await pool.compute("a", asked(SHORT), 10_000, 60, spend)
        assert len(used) == 4
        assert sum(used) > 0
        assert 0 < actual[0].playouts < 10_000


async def test_closing_pool_returns_partial_results() -> None:
    """Calls that arrive during the closing end, too."""
    async with workers(1) as pool:
        calls = [asyncio.create_task(pool.compute("a", asked(text), 10_000, 60, free)) for text in (SHORT, LONG)]
        await until_working(pool, 1)
        await asyncio.sleep(0.3)
        pool.close()
        actual, nothing = await asyncio.gather(*calls)
        assert 0 < actual[0].playouts < 10_000
        assert nothing == {}
        assert await pool.compute("a", asked(SHORT), 3, 60, free) == {}


async def test_workers_start_on_demand() -> None:
    """No call starts no worker, one playout one, and many playouts all."""
    async with workers(3) as pool:
        assert pool.pids == []
        await pool.compute("a", asked(SHORT), 1, 60, free)
        assert len(pool.pids) == 1
        begin = time.monotonic()
        while len(pool.pids) < 3:
            assert time.monotonic() < begin + SOON
            await pool.compute("a", asked(SHORT), 50, 60, free)

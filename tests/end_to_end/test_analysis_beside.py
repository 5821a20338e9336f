"""The analysis service, started by `vinci serve --analysis` or by `vinci analysis`."""

import asyncio
import os
import signal
from pathlib import Path
from typing import Final

import psutil

from tests.support.processes.vinci_process import Vinci, children, fails, is_running, server, until
from vinci.v1 import analysis_pb2 as pb
from vinci_client.access import OPEN, Access
from vinci_client.errors import ServerGone, ServerRefused
from vinci_client.session import Session

QUESTION: Final = pb.RunPlayoutsRequest(
    position="tiny; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA",
    playouts=5,
    milliseconds=5000,
    seed="e2e",
)


async def ask(address: str, access: Access = OPEN) -> pb.RunPlayoutsResponse:
    """Request five playouts."""
    async with Session(address, access) as session:
        return await session.call(session.analysis.RunPlayouts, QUESTION)


async def whereabouts(address: str, access: Access = OPEN) -> str:
    """Return the address of the analysis service that a server announces."""
    async with Session(address, access) as session:
        return await session.analysis_address()


def answers(address: str, access: Access) -> bool:
    """Whether an analysis service answers at this address."""
    try:
        return asyncio.run(ask(address, access)).playouts == 5
    except (ServerGone, ServerRefused):
        return False


def test_analysis_is_restarted_and_ends_with_the_server(tmp_path: Path) -> None:
    """The service has the code and certificate of the server, and is restarted at the same port if it dies."""
    with server(tmp_path, "--tls", "--analysis", "0") as (process, address):
        where = process.line("analysis on ")
        access = Access(process.line(" --code "))
        assert asyncio.run(whereabouts(address, access)) == where
        assert asyncio.run(ask(where, access)) == asyncio.run(ask(where, access))
        beside, *workers = children(process.pid)
        assert workers
        os.kill(beside, signal.SIGKILL)
        until(lambda: answers(where, access), "another analysis")
        assert not set(workers) & set(children(process.pid))
        beside, *workers = children(process.pid)
        process.kill()
        until(lambda: not any(map(is_running, (beside, *workers))), "the end of the analysis")


def test_stopped_server_stops_its_analysis(tmp_path: Path) -> None:
    """SIGTERM to the server stops its analysis; without the option there is none."""
    with server(tmp_path, "--analysis", "0") as (process, address):
        assert asyncio.run(whereabouts(address)) == process.line("analysis on ")
        (beside,) = children(process.pid)  # and no workers before the first playout
        process.send(signal.SIGTERM)
        assert process.ended() == 0
        assert not is_running(beside)
    with server(tmp_path) as (process, address):
        assert asyncio.run(whereabouts(address)) == ""
        assert children(process.pid) == []


def test_analysis_alone_ends_when_its_standard_input_closes(tmp_path: Path) -> None:
    """The command prints its address and ends when its standard input closes."""
    with Vinci(tmp_path, "analysis", "--port", "0", "--with-stdin", typed=True) as process:
        assert asyncio.run(ask(process.line("listening on "))).playouts == 5
        workers = children(process.pid)
        assert workers
        process.hang_up()
        assert process.ended() == 0
        assert not any(map(is_running, workers))
    assert not (tmp_path / "server.db").exists()


LONG: Final = pb.RunPlayoutsRequest(
    position="europe; rules standard max_rounds=10000 target=10000; round 0; seat 1; seat 2; seat 3",
    policy=pb.POLICY_RANDOM,
    milliseconds=5000,
)
"""Playouts of hundreds of milliseconds each."""
MOST_SECONDS: Final = 1.0
"""CPU time that a worker may use after the end of its analysis; other work on the machine does not add to it."""


def seconds_used(worker: psutil.Process) -> float | None:
    """Return the CPU time that a process has used; None if it has ended."""
    try:
        times = worker.cpu_times()
        return None if worker.status() == psutil.STATUS_ZOMBIE else times.user + times.system
    except psutil.NoSuchProcess:
        return None


async def computing(address: str, analysis: int) -> list[psutil.Process]:
    """Return the workers of an analysis process; they compute for a caller who is gone without a word."""
    async with Session(address) as session:
        call = asyncio.ensure_future(session.analysis.RunPlayouts(LONG))
        while len(workers := children(analysis)) < 2:
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)
        assert not call.done()
        found = [psutil.Process(worker) for worker in workers]
        os.kill(analysis, signal.SIGKILL)
        return found


def test_no_worker_outlives_its_analysis(tmp_path: Path) -> None:
    """Killed while playouts run or a worker starts, it leaves nobody behind who goes on computing."""
    with Vinci(tmp_path, "analysis", "--port", "0", "--workers", "2") as process:
        workers = asyncio.run(computing(process.line("listening on "), process.pid))
        before = [seconds_used(worker) or 0.0 for worker in workers]

        def have_ended() -> bool:
            used = [seconds_used(worker) for worker in workers]
            assert all(now is None or now - then < MOST_SECONDS for now, then in zip(used, before, strict=True))
            return used == [None] * len(workers)

        until(have_ended, "the end of the workers")


def test_port_in_use_is_reported(tmp_path: Path) -> None:
    """The server does not start if its analysis cannot."""
    with server(tmp_path) as (_, address):
        port = address.rpartition(":")[2]
        assert "Address already in use" in fails(tmp_path, "analysis", "--port", port)
        other = str(tmp_path / "other.db")
        with Vinci(tmp_path, "serve", "--port", "0", "--db", other, "--analysis", port) as process:
            assert process.ended() == 1
            assert "Address already in use" in process.err
            assert "analysis has not started" in process.err

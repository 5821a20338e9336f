"""Suggestions with reasons in matches: within the allowance of the host, without delay for others."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest

from tests.support.processes.vinci_process import is_running
from tests.support.server.in_process import LAST_TURN, Table, address, refused, table, within
from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client.session import Session
from vinci_server.analysis import adviser
from vinci_server.app import Server
from vinci_server.limits import USUAL, Limits

LAST = "tiny; rules standard max_rounds=2; round 2; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA"
"""The last round, in which seat 1 can conquer or decline for nothing."""


@asynccontextmanager
async def advising(database: Path, workers: int = 1, limits: Limits = USUAL) -> AsyncIterator[tuple[Server, Session]]:
    """Start a server that gives advice and open a session; check that no worker outlives it."""
    server = await Server.start("127.0.0.1", 0, database, limits=limits, advice_workers=workers)
    try:
        async with Session(address(server)) as session:
            yield server, session
    finally:
        pids = server.adviser.pids
        await server.stop()
        assert not [pid for pid in pids if is_running(pid)]


async def suggestion(session: Session, at: Table, compared: str = "") -> match_pb2.SuggestResponse:
    """Ask for a suggestion with reasons."""
    request = match_pb2.SuggestRequest(match_id=at.match_id, reasons=True)
    if compared:
        request.compare.CopyFrom(game_pb2.Action(notation=compared))
    return await session.match.Suggest(request)


async def test_the_suggestion_is_the_first_action_of_the_best_plan(database: Path) -> None:
    """Reasons come with the plan and compare an action; without being asked for, they are left out."""
    async with advising(database) as (_, session):
        at = await table(session, LAST)
        answer = await suggestion(session, at, "decline")
        assert answer.revision == 0
        assert answer.notation == answer.advice.plan[0]
        assert not (await at.act(1, answer.notation, validate_only=True)).HasField("refusal")
        assert answer.advice.seat == 1
        assert answer.advice.comparison.plan[0] == "decline"
        assert answer.advice.comparison.margin.mean < 0
        assert answer.advice.decline.gain.mean < 0
        plain = await session.match.Suggest(match_pb2.SuggestRequest(match_id=at.match_id))
        assert not plain.HasField("advice")
        assert (await refused(suggestion(session, at, "x HAM"))).reason == "ILLEGAL_ACTION"


async def test_others_are_served_while_a_worker_searches(database: Path) -> None:
    """The event loop answers other calls long before the advice comes."""
    async with advising(database) as (_, session):
        at = await table(
            session, "europe; seat 1 | BAR+CUR reserve=7 ALP=1 LOM=1; seat 2 | DIP+REN BOH=3; seat 3 | WEA+MIL"
        )
        searching = asyncio.create_task(suggestion(session, at))
        for _ in range(5):
            await session.lobby.GetMatch(lobby_pb2.GetMatchRequest(match_id=at.match_id))
        assert not searching.done()
        assert (await searching).HasField("advice")


async def test_without_allowance_or_workers_there_are_no_reasons(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is then the same as without reasons, and nothing that is kept makes room for it."""
    async with advising(database, limits=Limits(analysis_seconds_per_minute=1)) as (server, session):
        at = await table(session, LAST)
        plain = await session.match.Suggest(match_pb2.SuggestRequest(match_id=at.match_id))
        first = await suggestion(session, at)
        assert first.HasField("advice")
        assert await suggestion(session, at, "decline") == first  # which is kept
        monkeypatch.setattr(adviser, "MOST_KEPT", len(server.adviser.plans()))
        other = await table(session, LAST.replace("reserve=9", "reserve=8"))
        assert not (await suggestion(session, other)).HasField("advice")
        assert await suggestion(session, at) == first
        assert (await suggestion(session, other)).notation == plain.notation
        assert len(server.adviser.pids) == 1
    async with advising(database, workers=0) as (server, session):
        assert await session.match.Suggest(match_pb2.SuggestRequest(match_id=at.match_id, reasons=True)) == plain
        assert not server.adviser.pids


async def test_the_advice_of_a_position_stays(database: Path) -> None:
    """A question asked again is answered as before, one about another action with the same plan."""
    async with advising(database) as (_, session):
        at = await table(
            session, "europe; seat 1 | BAR+CUR reserve=7 ALP=1 LOM=1; seat 2 | DIP+REN BOH=3; seat 3 | WEA+MIL"
        )
        first = await suggestion(session, at)
        declined = await suggestion(session, at, "decline")
        assert declined.advice.plan == first.advice.plan
        assert declined.advice.vp == first.advice.vp
        assert declined.advice.comparison.plan[0] == "decline"
        assert await suggestion(session, at) == first
        assert await suggestion(session, at, "decline") == declined
        same = await suggestion(session, at, first.notation)
        assert same.advice.comparison.plan == same.advice.plan == first.advice.plan


async def test_the_next_suggestions_follow_the_plan(database: Path) -> None:
    """Each is the rest of the plan with the same result to expect."""
    async with advising(database) as (_, session):
        at = await table(session, LAST)
        first = (await suggestion(session, at)).advice
        plan = first.plan
        assert len(plan) > 2
        for place, planned in enumerate(plan[:-1]):
            found = (await suggestion(session, at)).advice
            assert (list(found.plan), found.vp, found.margin) == (list(plan[place:]), first.vp, first.margin)
            assert not (await at.act(1, planned, request_id=planned)).HasField("refusal")


async def test_a_worker_that_dies_is_replaced(database: Path) -> None:
    """The search begins again in another process."""
    async with advising(database) as (server, session):
        at = await table(session, LAST)
        assert (await suggestion(session, at)).HasField("advice")
        (killed,) = server.adviser.pids
        os.kill(killed, signal.SIGKILL)
        assert (await suggestion(session, at, "decline")).advice.HasField("comparison")
        assert killed not in server.adviser.pids


async def test_a_stop_does_not_wait_for_long_searches(database: Path) -> None:
    """The call in progress ends with the server."""
    async with advising(database) as (server, session):
        at = await table(session, "europe; seat 1 | BAR+CUR reserve=7 ALP=1; seat 2 | DIP+REN BOH=3; seat 3 | WEA+MIL")
        searching = asyncio.create_task(suggestion(session, at))
        while not server.adviser.pids:
            await asyncio.sleep(0.01)
        await within(server.stop())
        (ended,) = await asyncio.gather(searching, return_exceptions=True)
        assert isinstance(ended, match_pb2.SuggestResponse | grpc.aio.AioRpcError)


async def test_a_match_without_advice_suggests_nothing(database: Path) -> None:
    """With and without reasons the call is refused, also after a restart; others are not concerned."""
    async with advising(database) as (_, session):
        at = await table(session, LAST_TURN, no_advice=True)
        assert (await at.get()).no_advice
        assert (await refused(suggestion(session, at))).reason == "NO_ADVICE"
    async with advising(database, workers=0) as (_, session):
        plain = match_pb2.SuggestRequest(match_id=at.match_id)
        error = await refused(session.match.Suggest(plain))
        assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NO_ADVICE")
        other = await table(session, LAST)
        assert not (await other.get()).no_advice
        assert (await session.match.Suggest(match_pb2.SuggestRequest(match_id=other.match_id))).notation

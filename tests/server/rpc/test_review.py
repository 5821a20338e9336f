"""Reviews of games by the server: who may ask, the queue, and what happens if a caller or the process is gone."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any, Final

import grpc
import psutil
import pytest

from tests.support.processes.vinci_process import is_running
from tests.support.server.in_process import EASY, LAST_TURN, address, refused, table, within
from vinci.v1 import lobby_pb2
from vinci.v1 import match_pb2 as pb
from vinci_client.session import Session
from vinci_players import review, review_lines
from vinci_rules import notation, position, record
from vinci_rules.chance import FastChance
from vinci_rules.engine import play
from vinci_server.analysis import reviewer
from vinci_server.analysis.reviewer import Reviewer
from vinci_server.app import Server
from vinci_server.errors import ServiceError

DATA: Final = Path(__file__).parents[2] / "data"
RECORD: Final = (DATA / "record-WEB.jsonl").read_text(encoding="utf-8").splitlines()
OTHER: Final = RECORD[:-3]
"""A record of its own: that of the game before its end."""
FIRST: Final = "ipv4:192.0.2.1:1000"
SECOND: Final = "ipv4:192.0.2.2:1000"


@pytest.fixture(autouse=True)
def few_simulations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let reviews take seconds."""
    monkeypatch.setattr(reviewer, "SIMULATIONS", 4)


@asynccontextmanager
async def serving(
    database: Path, analysis_port: int = 1, advice_workers: int = 0
) -> AsyncIterator[tuple[Server, Session]]:
    """Start a server that reviews games and open a session; check that no process outlives it."""
    server = await Server.start("127.0.0.1", 0, database, analysis_port=analysis_port, advice_workers=advice_workers)
    try:
        async with Session(address(server)) as session:
            yield server, session
    finally:
        pids = server.reviewer.pids
        await server.stop()
        assert not [pid for pid in pids if is_running(pid)]


@pytest.fixture
async def reviews() -> AsyncIterator[Reviewer]:
    """Return a reviewer without a server."""
    found = Reviewer(dict, enabled=True)
    yield found
    await found.stop()
    assert not found.pids


def asked(session: Session, lines: Sequence[str] = (), match_id: str = "") -> Any:
    """Ask for a review."""
    return session.match.Review(pb.ReviewRequest(match_id=match_id, lines=lines))


async def whole(stream: Any) -> list[pb.ReviewResponse]:
    """Return all parts of a review."""
    return [part async for part in stream]


def results(parts: Sequence[pb.ReviewResponse]) -> list[pb.ReviewResponse]:
    """Return the parts that are no progress."""
    return [part for part in parts if not part.HasField("progress")]


async def until_turn(stream: Any, number: int = 1) -> list[pb.ReviewResponse]:
    """Return the parts up to that many turns."""
    parts: list[pb.ReviewResponse] = []
    while len(results(parts)) < number:
        parts.append(await anext(stream))
    return parts


async def test_a_match_is_reviewed_when_it_is_over(database: Path) -> None:
    """Anybody who may watch it may ask; while it runs, the refusal says when."""
    async with serving(database) as (_, session):
        info = await session.lobby.GetServerInfo(lobby_pb2.GetServerInfoRequest())
        assert info.reviews
        at = await table(session, LAST_TURN)
        running = await refused(whole(asked(session, match_id=at.match_id)))
        assert (running.code, running.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NO_REVIEW")
        assert "when it is over" in running.message
        await at.act(3, "hold HAM=5")
        turn, summary = results(await whole(asked(session, match_id=at.match_id)))
        assert not turn.turn.suggested
        assert (turn.turn.seat, list(turn.turn.played.actions)) == (3, ["hold HAM=5"])
        assert [player.seat for player in summary.summary.players] == [1, 2, 3]
        assert (await refused(whole(asked(session, match_id="none")))).reason == "UNKNOWN_MATCH"


async def test_what_was_suggested_is_marked(database: Path) -> None:
    """A turn that follows the plan of a suggestion is marked, one that departs from it is not."""
    async with serving(database, advice_workers=1) as (_, session):
        for follows in (True, False):
            at = await table(session, LAST_TURN)
            question = pb.SuggestRequest(match_id=at.match_id, reasons=True)
            plan = list((await session.match.Suggest(question)).advice.plan)
            played = plan if follows else ["hold HAM=5"]
            assert (played == plan) == follows
            for action in played:
                await at.act(3, action, request_id=action)
            turn, _ = results(await whole(asked(session, match_id=at.match_id)))
            assert (list(turn.turn.played.actions), turn.turn.suggested) == (played, follows)


@pytest.mark.parametrize("follows", [True, False])
async def test_each_action_that_was_suggested_counts(*, follows: bool) -> None:
    """Also if another plan was suggested in the course of the turn; another process is told the same."""
    turn = next(turn for turn in review.turns(OTHER) if len(turn.actions) > 2)
    first, *rest = (notation.write(action, turn.start.board) for action in turn.actions)
    after = turn.start.copy()
    play(after, turn.actions[0], FastChance(0))
    suggested = {position.write(turn.start): [first, "hold"]}
    for left in range(len(rest)):
        suggested[position.write(after)] = rest[left:]
        play(after, turn.actions[left + 1], FastChance(0))
    if not follows:
        suggested.popitem()
    asked = [suggested]
    reviewer = Reviewer(lambda: asked.pop(), enabled=True)
    try:
        async with aclosing(reviewer.review(FIRST, OTHER)) as stream:
            begun = await until_turn(stream)
            (killed,) = reviewer.pids
            os.kill(killed, signal.SIGKILL)
            turns = [part.turn for part in results(begun + await whole(stream))]
    finally:
        await reviewer.stop()
    assert [found.first for found in turns if found.suggested] == ([turn.first] if follows else [])


async def test_a_server_without_analysis_reviews_nothing(database: Path) -> None:
    """It says so to those who ask, and does not offer it."""
    async with serving(database, analysis_port=0) as (_, session):
        info = await session.lobby.GetServerInfo(lobby_pb2.GetServerInfoRequest())
        assert not info.reviews
        failure = await refused(whole(asked(session, RECORD)))
        assert failure.reason == "NO_REVIEW"
        assert "--analysis" in failure.message


async def test_a_match_without_a_turn_has_no_review(database: Path) -> None:
    """Neither one that was over before its first turn, nor such a record."""
    async with serving(database) as (_, session):
        at = await table(session, EASY)
        lines = await at.record()
        failure = await refused(whole(asked(session, lines)))
        assert (failure.reason, failure.message) == (
            "NO_REVIEW",
            "no turn was played in this game, so there is nothing to review",
        )


async def test_a_review_has_the_figures_of_the_command(database: Path) -> None:
    """Turns come in order with their progress, and are those of `vinci review` with the same seed."""
    turns = review.turns(RECORD)
    head, *lines, end = review_lines.lines(turns, record.last_hash(RECORD), 4, "1")
    async with serving(database) as (server, session):
        parts = await whole(asked(session, RECORD))
        progress = [(part.progress.done, part.progress.turns) for part in parts if part.HasField("progress")]
        assert progress == sorted(progress)
        assert progress[-1] == (len(turns), len(turns))
        *found, last = results(parts)
        assert [(part.turn.first, part.turn.seat, part.turn.choices) for part in found] == [
            (line["first"], line["seat"], line["choices"]) for line in lines
        ]
        assert [part.turn.loss.mean for part in found] == [line["loss"][0] for line in lines]
        assert [list(part.turn.preferred.actions) for part in found] == [
            line.get("preferred", {"actions": []})["actions"] for line in lines
        ]
        assert [player.accuracy for player in last.summary.players] == [
            (player["accuracy"] or [0])[0] for player in end["players"]
        ]
        assert list(last.summary.wins) == [wins[0] for wins in head["wins"]]
        again = await whole(asked(session, RECORD))
        assert again == [*found, last], "kept, so that it comes at once and without progress"
        assert not server.reviewer.pids


async def test_a_wrong_record_is_refused_with_its_line(database: Path) -> None:
    """As by ReplayRecord; the next review is not concerned."""
    async with serving(database) as (_, session):
        lines = list(RECORD)
        lines[5] = lines[5].replace('"seat":', '"seat":1')
        failure = await refused(whole(asked(session, lines)))
        assert (failure.reason, failure.facts["line"]) == ("BAD_RECORD", "6")
        await until_turn(aiter(asked(session, RECORD)))


async def test_equal_records_are_reviewed_once(reviews: Reviewer) -> None:
    """Both callers get all parts; that one of them leaves does not end it."""
    async with aclosing(reviews.review(FIRST, RECORD)) as first, aclosing(reviews.review(SECOND, RECORD)) as second:
        begun = await until_turn(second)
        async with aclosing(reviews.review(SECOND, RECORD)) as third:
            await anext(third)
        assert len(reviews.pids) == 1
        assert results(begun + await whole(second)) == results(await whole(first))


async def test_reviews_wait_for_each_other(reviews: Reviewer) -> None:
    """The one behind is told how many are ahead, and comes next when the first caller leaves."""
    async with aclosing(reviews.review(SECOND, OTHER)) as behind:
        async with aclosing(reviews.review(FIRST, RECORD)) as first:
            await until_turn(first)
            (process,) = reviews.pids
            waiting = await anext(behind)
            assert (waiting.progress.ahead, waiting.progress.turns) == (1, 0)
        parts = await until_turn(behind)
        assert next(part.progress.ahead for part in parts) == 0
        assert not is_running(process)
        assert process not in reviews.pids


async def test_an_address_has_one_review_at_a_time(reviews: Reviewer, monkeypatch: pytest.MonkeyPatch) -> None:
    """And only so many wait in all; the refusals say so."""
    async with aclosing(reviews.review(FIRST, RECORD)) as first:
        await anext(first)
        with pytest.raises(ServiceError, match="another game is being reviewed for your address"):
            await anext(reviews.review(FIRST, OTHER))
        monkeypatch.setattr(reviewer, "MOST_WAITING", 1)
        with pytest.raises(ServiceError, match="1 games wait for a review already; try again in 5 seconds"):
            await anext(reviews.review(SECOND, OTHER))
    async with aclosing(reviews.review(FIRST, OTHER)) as other:
        assert await until_turn(other)


async def test_a_caller_that_leaves_ends_its_review(database: Path) -> None:
    """The process is gone, and a new call begins again."""
    async with serving(database) as (server, session):
        call = asked(session, RECORD)
        await until_turn(aiter(call))
        (pid,) = server.reviewer.pids
        call.cancel()
        async with asyncio.timeout(30):
            while is_running(pid):
                await asyncio.sleep(0.01)
        assert results(await until_turn(aiter(asked(session, OTHER))))


async def test_a_killed_process_is_replaced(reviews: Reviewer) -> None:
    """The parts are the same, each once; after the last try the call fails."""
    async with aclosing(reviews.review(FIRST, RECORD)) as stream:
        begun = await until_turn(stream, 3)
        (killed,) = reviews.pids
        os.kill(killed, signal.SIGKILL)
        found = results(begun + await whole(stream))
    head, *lines, _end = review_lines.lines(review.turns(RECORD), record.last_hash(RECORD), 4, "1")
    assert head["turns"] == len(found) - 1
    assert [part.turn.last for part in found[:-1]] == [line["last"] for line in lines]
    assert [part.turn.loss.mean for part in found[:-1]] == [line["loss"][0] for line in lines]


async def test_a_process_that_does_not_start_fails_the_call(reviews: Reviewer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The failure is not kept: the next call tries again."""
    with monkeypatch.context() as broken:
        broken.setattr("vinci_server.analysis.pool.WORKER", "vinci_server.analysis.none")
        with pytest.raises(RuntimeError, match="has ended with status"):
            await whole(reviews.review(FIRST, OTHER))
    async with aclosing(reviews.review(FIRST, OTHER)) as again:
        assert await until_turn(again)


@pytest.mark.skipif(os.name == "nt", reason="priorities of POSIX")
async def test_the_process_has_the_lowest_priority(reviews: Reviewer) -> None:
    """So it gets what games and suggestions leave."""
    async with aclosing(reviews.review(FIRST, RECORD)) as stream:
        await until_turn(stream)
        assert [psutil.Process(pid).nice() for pid in reviews.pids] == [19]


async def test_only_so_many_reviews_are_kept(reviews: Reviewer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that was asked for last stays."""
    monkeypatch.setattr(reviewer, "MOST_KEPT", 1)
    short, shorter = RECORD[:9], RECORD[:8]
    for lines in (short, shorter):
        assert (await whole(reviews.review(FIRST, lines)))[0].HasField("progress")
    assert not (await whole(reviews.review(SECOND, shorter)))[0].HasField("progress")
    assert (await whole(reviews.review(SECOND, short)))[0].HasField("progress")


async def test_a_stop_does_not_wait_for_reviews(database: Path) -> None:
    """Calls end with the server."""
    async with serving(database) as (server, session):
        stream = aiter(asked(session, RECORD))
        await until_turn(stream)
        await within(server.stop())
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await whole(stream)
        assert ended.value.code() == grpc.StatusCode.UNAVAILABLE

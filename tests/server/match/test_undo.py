"""Undo over gRPC: a new revision with an earlier position, and the right to request it."""

from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.support.server.in_process import Table, bearer, refused, serving, table, updates
from vinci.v1 import match_pb2
from vinci_client.session import Session
from vinci_rules import record


async def undo(at: Table, seat: int, request_id: str = "undo", **fields: Any) -> match_pb2.UndoResponse:
    """Take back actions of a seat, counted from 1."""
    request = match_pb2.UndoRequest(match_id=at.match_id, request_id=request_id, **fields)
    response: match_pb2.UndoResponse = await at.session.match.Undo(request, metadata=bearer(at.tokens[seat - 1]))
    return response


async def test_an_undo_takes_back_the_last_action(session: Session) -> None:
    """The revision goes on, the position goes back, and everybody is told."""
    at = await table(session)
    await at.act(1, "x FEN", "x COL")
    answer = await undo(at, 1)
    assert answer.revision == 3
    assert (answer.update.undo_to, answer.update.by, answer.update.seat) == (1, "player", 1)
    start, first, _, undone = await updates(at.watch(0, position=True), 4)
    assert undone.position == first.position != start.position
    assert not undone.HasField("action")
    assert undone.HasField("undo_to")


async def test_an_undo_goes_back_to_the_start_of_the_turn_at_most(session: Session) -> None:
    """And says what it could go back to when asked for more."""
    at = await table(session)
    await at.act(1, "x FEN", "x COL", "x BOS")
    assert (await undo(at, 1, to_revision=0)).update.undo_to == 0
    failure = await refused(undo(at, 1, "again"))
    assert (failure.reason, failure.facts["revisions"]) == ("CANNOT_UNDO", "none")


async def test_after_an_undo_the_game_goes_on_from_there(session: Session) -> None:
    """Check that another action can be played after an undo."""
    at = await table(session)
    await at.act(1, "x FEN")
    await undo(at, 1)
    assert (await at.act(1, "x COL", request_id="other", revision=2)).revision == 3


async def test_only_whose_turn_it_is_can_undo(session: Session) -> None:
    """Not another seat, not after one's turn, not for somebody who acted before."""
    at = await table(session)
    await at.act(1, "x FEN")
    assert (await refused(undo(at, 2))).reason == "NOT_YOUR_TURN"
    await at.act(1, "hold ARA=8 FEN=2", request_id="end")
    assert (await refused(undo(at, 1))).reason == "NOT_YOUR_TURN"
    assert (await refused(undo(at, 2))).reason == "CANNOT_UNDO"


async def test_an_undo_for_another_revision_does_nothing(session: Session) -> None:
    """As with an action."""
    at = await table(session)
    await at.act(1, "x FEN")
    assert (await refused(undo(at, 1, expected_revision=0))).reason == "STALE_REVISION"
    assert (await at.get()).revision == 1


async def test_an_undo_that_is_asked_for_twice_happens_once(database: Path) -> None:
    """After a restart too."""
    async with serving(database) as (_, session):
        at = await table(session)
        await at.act(1, "x FEN", "x COL")
        first = await undo(at, 1)
        again = await undo(at, 1)
        assert again.repeated_request
        assert again.update == first.update
    async with serving(database) as (_, session):
        at = Table(session, at.match_id, at.host, at.tokens)
        assert (await undo(at, 1)).revision == first.revision == (await at.get()).revision


async def test_an_undo_survives_a_restart_and_what_came_before_can_still_be_taken_back(database: Path) -> None:
    """The log has it as a row."""
    async with serving(database) as (_, session):
        at = await table(session)
        await at.act(1, "x FEN", "x COL")
        await undo(at, 1)
        told = await updates(at.watch(0, position=True), 4)
    async with serving(database) as (_, session):
        at = Table(session, at.match_id, at.host, at.tokens)
        assert await updates(at.watch(0, position=True), 4) == told
        assert (await undo(at, 1, "more")).update.undo_to == 0


async def test_the_record_of_a_match_with_an_undo_replays(session: Session) -> None:
    """Line by line, the undo as one of them."""
    at = await table(session)
    await at.act(1, "x FEN", "x COL")
    await undo(at, 1)
    steps = [step.undo for step in record.replay(await at.record())]
    assert steps == [None, None, None, 1]


@pytest.mark.parametrize("request_id", ["", "ü", "a#b"])
async def test_an_undo_needs_a_request_id(session: Session, request_id: str) -> None:
    """As an act does."""
    at = await table(session)
    assert (await refused(undo(at, 1, request_id))).reason == "BAD_REQUEST_ID"


async def test_an_undo_needs_a_token(session: Session) -> None:
    """Of a seat of the match."""
    at = await table(session)
    failure = await refused(session.match.Undo(match_pb2.UndoRequest(match_id=at.match_id, request_id="r")))
    assert failure.code is grpc.StatusCode.UNAUTHENTICATED


async def test_an_answer_that_is_asked_for_again_says_if_it_was_undone_since(database: Path) -> None:
    """Wholly or in part, after a restart too; what was done since is not meant."""
    async with serving(database) as (_, session):
        at = await table(session)
        assert not (await at.act(1, "x FEN")).undone
        await at.act(1, "x COL", "x BOS", request_id="two")
        assert not (await at.act(1, "x COL", request_id="two")).undone
        await undo(at, 1)
        assert (await at.act(1, "x BOS", request_id="other")).revision == 5
    async with serving(database) as (_, session):
        at = Table(session, at.match_id, at.host, at.tokens)
        asked = [await at.act(1, "x FEN", request_id=request) for request in ("request", "two", "other")]
        assert [(one.repeated_request, one.undone) for one in asked] == [(True, False), (True, True), (True, False)]


async def test_an_undo_needs_a_request_id_of_its_own(session: Session) -> None:
    """The answer would be that to an action, and nothing would be taken back; and the other way round."""
    at = await table(session)
    await at.act(1, "x FEN", request_id="same")
    assert (await refused(undo(at, 1, "same"))).reason == "BAD_REQUEST_ID"
    await undo(at, 1, "other")
    assert (await refused(at.act(1, "x FEN", request_id="other"))).reason == "BAD_REQUEST_ID"

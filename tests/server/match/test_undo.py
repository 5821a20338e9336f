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
    """Undo actions of a seat, counted from 1."""
    request = match_pb2.UndoRequest(match_id=at.match_id, request_id=request_id, **fields)
    response: match_pb2.UndoResponse = await at.session.match.Undo(request, metadata=bearer(at.tokens[seat - 1]))
    return response


async def test_undo_of_the_last_action(session: Session) -> None:
    """A new revision has the earlier position, and every watcher gets it."""
    at = await table(session)
    await at.act(1, "x FEN", "x COL")
    answer = await undo(at, 1)
    assert answer.revision == 3
    assert (answer.update.undo_to, answer.update.by, answer.update.seat) == (1, "player", 1)
    start, first, _, undone = await updates(at.watch(0, position=True), 4)
    assert undone.position == first.position != start.position
    assert not undone.HasField("action")
    assert undone.HasField("undo_to")


async def test_undo_is_limited_to_the_current_turn(session: Session) -> None:
    """An undo of more is refused with the revisions that are possible."""
    at = await table(session)
    await at.act(1, "x FEN", "x COL", "x BOS")
    assert (await undo(at, 1, to_revision=0)).update.undo_to == 0
    failure = await refused(undo(at, 1, "again"))
    assert (failure.reason, failure.facts["revisions"]) == ("CANNOT_UNDO", "none")


async def test_game_continues_after_an_undo(session: Session) -> None:
    """Another action can be played after an undo."""
    at = await table(session)
    await at.act(1, "x FEN")
    await undo(at, 1)
    assert (await at.act(1, "x COL", request_id="other", revision=2)).revision == 3


async def test_only_the_seat_to_move_can_undo(session: Session) -> None:
    """Another seat cannot undo, nor the own one after its turn or for actions of others."""
    at = await table(session)
    await at.act(1, "x FEN")
    assert (await refused(undo(at, 2))).reason == "NOT_YOUR_TURN"
    await at.act(1, "hold ARA=8 FEN=2", request_id="end")
    assert (await refused(undo(at, 1))).reason == "NOT_YOUR_TURN"
    assert (await refused(undo(at, 2))).reason == "CANNOT_UNDO"


async def test_undo_with_a_stale_revision_is_refused(session: Session) -> None:
    """An undo has an expected revision, as an action has."""
    at = await table(session)
    await at.act(1, "x FEN")
    assert (await refused(undo(at, 1, expected_revision=0))).reason == "STALE_REVISION"
    assert (await at.get()).revision == 1


async def test_repeated_undo_happens_once(database: Path) -> None:
    """This holds after a restart too."""
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


async def test_undo_survives_a_restart(database: Path) -> None:
    """The log has the undo as a row, and earlier actions can still be undone."""
    async with serving(database) as (_, session):
        at = await table(session)
        await at.act(1, "x FEN", "x COL")
        await undo(at, 1)
        history = await updates(at.watch(0, position=True), 4)
    async with serving(database) as (_, session):
        at = Table(session, at.match_id, at.host, at.tokens)
        assert await updates(at.watch(0, position=True), 4) == history
        assert (await undo(at, 1, "more")).update.undo_to == 0


async def test_record_with_an_undo_replays(session: Session) -> None:
    """The undo is a line of the record."""
    at = await table(session)
    await at.act(1, "x FEN", "x COL")
    await undo(at, 1)
    steps = [step.undo for step in record.replay(await at.record())]
    assert steps == [None, None, None, 1]


@pytest.mark.parametrize("request_id", ["", "ü", "a#b"])
async def test_undo_needs_a_request_id(session: Session, request_id: str) -> None:
    """As an action does."""
    at = await table(session)
    assert (await refused(undo(at, 1, request_id))).reason == "BAD_REQUEST_ID"


async def test_undo_needs_a_seat_token(session: Session) -> None:
    """The token has to be of a seat of the match."""
    at = await table(session)
    failure = await refused(session.match.Undo(match_pb2.UndoRequest(match_id=at.match_id, request_id="r")))
    assert failure.code is grpc.StatusCode.UNAUTHENTICATED


async def test_repeated_answer_says_whether_it_was_undone(database: Path) -> None:
    """The answer says whether all or some of its actions were undone since, after a restart too."""
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


async def test_undo_and_action_cannot_share_a_request_id(session: Session) -> None:
    """Otherwise the answer to the action would be returned and nothing undone, or the other way round."""
    at = await table(session)
    await at.act(1, "x FEN", request_id="same")
    assert (await refused(undo(at, 1, "same"))).reason == "BAD_REQUEST_ID"
    await undo(at, 1, "other")
    assert (await refused(at.act(1, "x FEN", request_id="other"))).reason == "BAD_REQUEST_ID"

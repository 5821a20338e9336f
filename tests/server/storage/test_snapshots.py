"""Snapshots of positions: a match is loaded without replaying it, and continues under changed rules."""

# ruff: noqa: D103  # the name of each test says what it checks

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.support.server.in_process import (
    EASY,
    LAST_TURN,
    Table,
    all_updates,
    bearer,
    bot_seat,
    bot_stream,
    create,
    refused,
    serving,
    table,
    updates,
)
from vinci.v1 import lobby_pb2, match_pb2
from vinci_client.session import Session
from vinci_rules import ENGINE_VERSION, dummy, notation, position
from vinci_rules.engine import apply
from vinci_rules.playout import random_action
from vinci_server.app import Server
from vinci_server.match import match
from vinci_server.match.log import batch, history, ledger
from vinci_server.storage.store import Snapshot


@pytest.fixture
def other_rules(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that changes the rules of the server: each action scores a point for its actor."""

    def generous(state: Any, *more: Any) -> None:
        actor = state.actor
        apply(state, *more)
        state.vp[actor] += 1

    def change() -> None:
        for module in (history, match):
            monkeypatch.setattr(module, "ENGINE_VERSION", "99.0")
        monkeypatch.setattr(history, "apply", generous)
        monkeypatch.setattr(batch, "play", generous)

    return change


async def test_match_is_loaded_without_a_replay(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(database) as (_, session):
        at = await table(session)
        await at.act(1, "x FEN", "x BOS")
        before = await at.get(), await at.record()

    def fail(*_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(history.GameReplay, "replay", fail)
    async with serving(database) as (_, session):
        at = Table(session, at.match_id, at.host, at.tokens)
        assert (await at.get(), await at.record()) == before
        assert (await at.act(1, "hold ARA=4 BOS=3 FEN=3", request_id="2")).revision == 3


async def test_snapshot_is_that_of_the_last_commit(database: Path) -> None:
    async with serving(database) as (server, session):
        at = await table(session)
        for number, text in enumerate(["x FEN", "x BOS"], start=1):
            await at.act(1, text, request_id=text)
            latest = (await updates(at.watch(position=True), 1))[0].position
            stored = await server._store.load(at.match_id)
            assert stored.snapshot == Snapshot(len(stored.rows), ENGINE_VERSION, latest)
            assert stored.rows[-1].text == text
            assert number == (await at.get()).revision


@pytest.mark.parametrize("timing", [{"decision_seconds": 900}, {"bank_seconds": 900, "increment_seconds": 7}, {}])
async def test_snapshot_and_log_give_equal_ledgers(server: Server, session: Session, timing: dict[str, Any]) -> None:
    """The ledgers are compared after each request of a game with several actions at once, undos, proposals and chat."""
    chance = random.Random(7)
    at = await table(session, timing=lobby_pb2.Timing(**timing))
    while True:
        match = await at.get()
        state = position.read((await updates(at.watch(position=True), 1))[0].position)
        actor = state.actor + 1
        if chance.random() < 0.1:
            proposed = match_pb2.ProposeRequest(
                match_id=at.match_id, kind=lobby_pb2.PROPOSAL_KIND_PAUSE, withdraw=chance.random() < 0.5
            )
            await session.match.Propose(proposed, metadata=bearer(at.tokens[0]))
            await session.match.Chat(match_pb2.ChatRequest(match_id=at.match_id, name="Eve", text="hm"))
        if chance.random() < 0.2:
            undo = match_pb2.UndoRequest(match_id=at.match_id, request_id=f"u{match.revision}")
            with suppress(grpc.aio.AioRpcError):
                await session.match.Undo(undo, metadata=bearer(at.tokens[actor - 1]))
                continue
        texts = [notation.write(random_action(state, chance), state.board)]
        if chance.random() < 0.3:
            suggestion = dummy.advise(state)
            texts = [notation.write(suggestion, state.board), "take 1"]
        with suppress(grpc.aio.AioRpcError):
            await at.act(actor, *texts, request_id=f"a{match.revision}")
        stored = await server._store.load(at.match_id)
        quick, slow = (ledger.Ledger.read(at.match_id, each) for each in (stored, stored._replace(snapshot=None)))
        for name in ("state", "requests", "sitters", "setup", "substituted", "paused", "proposals", "said", "revision"):
            assert getattr(quick, name) == getattr(slow, name), name
        assert quick.clocks.left == slow.clocks.left
        assert list(quick.game.record_lines(quick.names())) == list(slow.game.record_lines(slow.names()))
        if match.revision > 60 or match.status == lobby_pb2.MATCH_STATUS_OVER:
            break
    histories = [[played.position for played in each.game.revisions(0, each.revision)] for each in (quick, slow)]
    assert histories[0] == histories[1]
    assert any(row.kind == "undo" for row in stored.rows)


async def test_match_continues_under_changed_rules(database: Path, other_rules: Callable[[], None]) -> None:
    async with serving(database) as (_, session):
        at = await table(session)
        await at.act(1, "x FEN", "x BOS")
        before = await at.get(), await at.record()
        latest = await updates(at.watch(state=True, position=True), 1)
    other_rules()
    async with serving(database) as (_, session):
        at = Table(session, at.match_id, at.host, at.tokens)
        assert (await at.get(), await at.record()) == before
        stream = at.watch(state=True, position=True)
        (received,) = await updates(stream, 1)
        assert not received.events
        assert (received.revision, received.notation, received.state, received.position) == (
            2,
            "x BOS",
            latest[0].state,
            latest[0].position,
        )
        answer = await at.act(1, "hold ARA=4 BOS=3 FEN=3", request_id="2")
        assert answer.revision == 3
        (seen,) = await updates(stream, 1)
        assert seen.events
        assert position.read(seen.position).vp[0] > position.read(received.position).vp[0]


async def test_history_that_differs_under_changed_rules_is_refused(
    database: Path, other_rules: Callable[[], None]
) -> None:
    async with serving(database) as (_, session):
        at = await table(session)
        await at.act(1, "x FEN", "x BOS", request_id="first")
    other_rules()
    async with serving(database) as (_, session):
        at = Table(session, at.match_id, at.host, at.tokens)
        error = await refused(all_updates(at.watch(0)))
        assert error.reason == "HISTORY_UNREADABLE"
        assert error.facts.keys() == {"revision", "error", "then", "now"}
        assert error.facts["revision"] == "2"
        assert "revision 1 is not as it was played (the match began with rules" in error.message
        repeated = await at.act(1, "x FEN", "x BOS", request_id="first")
        assert (repeated.revision, repeated.repeated_request, list(repeated.updates)) == (2, True, [])
        assert (await at.get()).revision == 2
        assert [update.revision for update in await updates(at.watch(2), 1)] == [2]


async def test_history_that_is_illegal_under_changed_rules_is_refused(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(database) as (_, session):
        over = await table(session, LAST_TURN)
        await over.act(3, "hold HAM=5")

    def broken(*_: Any) -> None:
        raise KeyError("no such thing any more")

    monkeypatch.setattr(history, "apply", broken)
    async with serving(database) as (_, session):
        at = Table(session, over.match_id, over.host, over.tokens)
        assert (await refused(all_updates(at.watch(0)))).reason == "HISTORY_UNREADABLE"
        assert [update.revision for update in await all_updates(at.watch())] == [1]


async def test_bot_with_updates_continues_under_changed_rules(database: Path, other_rules: Callable[[], None]) -> None:
    async with serving(database) as (server, session):
        await create(session, *[bot_seat("ada")] * 3, position=EASY, start_when_full=True)
        async with bot_stream(server) as ada:
            await ada.hello("ada", games=3)
            while not (received := await ada.next()).HasField("decision"):
                pass
            await ada.answer(received.decision, "x FEN")
            await ada.decision()
    other_rules()
    async with serving(database) as (server, session), bot_stream(server) as ada:
        await ada.hello("ada", games=3, updates=True)
        while not (received := await ada.next()).HasField("decision"):
            pass
        assert (received.decision.revision, list(received.decision.updates)) == (1, [])
        await ada.answer(received.decision, "x BOS")
        decision = await ada.decision()
        assert [update.revision for update in decision.updates] == [2]

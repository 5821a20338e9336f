"""Bots with refused answers: their number of tries, and the policy of the match afterwards."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.server.in_process import (
    DUMMY,
    EASY,
    HUMAN,
    BotStream,
    Table,
    bearer,
    bot_seat,
    bot_stream,
    create,
    join,
    refused,
    serving,
    table,
    updates,
)
from tests.support.server.match_calls import take_back, until_substituted
from tests.support.server.transfer import export, take_in
from vinci.v1 import bot_pb2, lobby_pb2, match_pb2
from vinci_client.session import Session
from vinci_rules import record
from vinci_rules.state import Seat
from vinci_server.app import Server
from vinci_server.match.log.entries import Create, decode, encode
from vinci_server.match.seats.setup import Mistakes, from_request

DEFAULT, SUBSTITUTE, FORFEIT = (
    lobby_pb2.TIMEOUT_POLICY_DEFAULT_ACTION,
    lobby_pb2.TIMEOUT_POLICY_SUBSTITUTE,
    lobby_pb2.TIMEOUT_POLICY_FORFEIT,
)


def after(policy: lobby_pb2.TimeoutPolicy.ValueType, tries: int = 1) -> lobby_pb2.Mistakes:
    """Return a policy with this number of tries."""
    return lobby_pb2.Mistakes(tries=tries, after=policy)


@asynccontextmanager
async def playing(
    server: Server, session: Session, *, with_token: bool, **fields: Any
) -> AsyncIterator[tuple[Table, BotStream, bot_pb2.Decision]]:
    """Start a match whose first seat the bot ada plays, with or without its token; return her first decision too."""
    made = await create(session, bot_seat("ada"), HUMAN, HUMAN, position=EASY, start_when_full=True, **fields)
    match_id = made.match.match_id
    own = (await join(session, match_id, 1)).seat_token if with_token else ""
    tokens = (own, *[(await join(session, match_id)).seat_token for _ in range(2)])
    async with bot_stream(server) as ada:
        await ada.hello("ada", tokens=[own] if with_token else [])
        assert (await ada.next()).HasField("seated")
        yield Table(session, match_id, made.host_token, tokens), ada, await ada.decision()


async def wrong(bot: BotStream, decision: bot_pb2.Decision) -> bot_pb2.Refused:
    """Answer a decision with an illegal action and return the refusal."""
    await bot.answer(decision, "x ZZZ")
    refusal: bot_pb2.Refused = (await bot.next()).refused
    return refusal


async def others_play(at: Table, *, until: int = 1) -> None:
    """Play suggestions for the other seats until a seat is to move."""
    async for response in at.watch(state=True):
        if response.HasField("update"):
            seat, revision = response.update.state.seat_to_act, response.update.revision
            if seat == until:
                return
            if seat != 1:
                suggested = await at.session.match.Suggest(match_pb2.SuggestRequest(match_id=at.match_id))
                await at.act(seat, suggested.notation, request_id=f"r{revision}", revision=revision)


async def test_match_reports_its_policy_for_refused_answers(session: Session) -> None:
    """The default is three tries, then the default action."""
    usual = (await create(session, HUMAN, DUMMY, DUMMY)).match.mistakes
    assert usual == lobby_pb2.Mistakes(tries=3, after=DEFAULT)
    asked = (await create(session, HUMAN, DUMMY, DUMMY, mistakes=after(FORFEIT, 100))).match.mistakes
    assert asked == after(FORFEIT, 100)


@pytest.mark.parametrize(
    ("mistakes", "word"),
    [
        (lobby_pb2.Mistakes(tries=101), "at most 100"),
        (lobby_pb2.Mistakes(after=9), "values are 1 to 3"),  # type: ignore[arg-type]  # what a client may send
    ],
)
async def test_invalid_policy_is_refused(session: Session, mistakes: lobby_pb2.Mistakes, word: str) -> None:
    """The refusal names the invalid value."""
    failure = await refused(create(session, HUMAN, DUMMY, DUMMY, mistakes=mistakes))
    assert failure.reason == "BAD_MISTAKES"
    assert word in failure.message


@pytest.mark.parametrize("with_token", [False, True])
async def test_default_action_after_the_last_try(server: Server, session: Session, with_token: bool) -> None:
    """The next decision has all tries again."""
    mistakes = lobby_pb2.Mistakes(tries=2)
    async with playing(server, session, with_token=with_token, mistakes=mistakes) as (at, ada, decision):
        assert [(await wrong(ada, decision)).tries_left for _ in range(2)] == [1, 0]
        assert (await updates(at.watch(0), 2))[1].by == "default"
        await others_play(at)
        assert (await wrong(ada, await ada.decision())).tries_left == 1


@pytest.mark.parametrize("with_token", [False, True])
async def test_bot_out_of_tries_forfeits(server: Server, session: Session, with_token: bool) -> None:
    """It gets no more decisions, but the end of the game; the record has the reason and is verified."""
    fields = {"mistakes": after(FORFEIT), "seed": "7"}
    async with playing(server, session, with_token=with_token, **fields) as (at, ada, decision):
        assert (await wrong(ada, decision)).tries_left == 0
        forfeit = (await updates(at.watch(0), 2))[1]
        assert (forfeit.seat, forfeit.by, forfeit.notation) == (1, "refused", "forfeit 1")
        refusal = await wrong(ada, decision)
        assert (refusal.refusal.reason, refusal.tries_left) == ("STALE_REVISION", 0)
        await at.act(2, "forfeit 2", request_id="two")
        assert (await ada.next()).finished.ranks
        lines = await at.record()
        assert json.loads(lines[1])["by"] == "refused"
        assert list(record.replay(lines))[-1].state.forfeited == (Seat(0), Seat(1))


async def test_bot_with_the_seat_token_is_substituted(server: Server, session: Session) -> None:
    """It is asked again, with all tries, once the seat is taken back; answers before are ignored."""
    async with playing(server, session, with_token=True, mistakes=after(SUBSTITUTE, 2)) as (at, ada, decision):
        for _ in range(2):
            await wrong(ada, decision)
        await until_substituted(at, 1)
        await others_play(at, until=2)
        revision = (await at.get()).revision
        decision = bot_pb2.Decision(match_id=at.match_id, seat=1, revision=revision)
        for _ in range(4):
            assert (await wrong(ada, decision)).refusal.reason == "BAD_ACTION"
        assert (await at.get()).revision == revision
        await take_back(at, 1)
        await others_play(at)
        assert (await wrong(ada, await ada.decision())).tries_left == 1


async def test_named_bot_loses_its_seat_to_the_substitute(server: Server, session: Session) -> None:
    """It does not get this seat again, but one that waits in another match."""
    async with playing(server, session, with_token=False, mistakes=after(SUBSTITUTE)) as (at, ada, decision):
        other = (await create(session, bot_seat("ada"), HUMAN, HUMAN)).match.match_id
        await wrong(ada, decision)
        assert (await updates(at.watch(0), 2))[1].by == "substitute"
        assert (await ada.next()).seated.match.match_id == other
        await ada.answer(decision, "x FEN")
        assert (await ada.next()).refused.refusal.reason == "NOT_YOUR_SEAT"
        assert (await at.get()).seats[0].substituted


async def test_substitute_out_of_tries_plays_the_default_action(server: Server, session: Session) -> None:
    """The policy of the match does not apply to a substitute."""
    async with bot_stream(server) as deputy:
        await deputy.hello("deputy")
        timing = lobby_pb2.Timing(decision_seconds=1, on_timeout=SUBSTITUTE, substitute="deputy")
        at = await table(session, timing=timing, mistakes=after(FORFEIT))
        assert (await deputy.next()).HasField("seated")
        assert (await wrong(deputy, await deputy.decision())).tries_left == 0
        assert (await updates(at.watch(0), 2))[1].by == "default"
        assert (await at.get()).seats[0].substituted


async def test_bot_whose_time_is_up_is_substituted_by_the_server(server: Server, session: Session) -> None:
    """The bot gets no more decisions for the seat."""
    timing = lobby_pb2.Timing(decision_seconds=1, on_timeout=SUBSTITUTE)
    async with playing(server, session, with_token=False, timing=timing) as (at, ada, decision):
        assert (await updates(at.watch(0), 2))[1].by == "substitute"
        await ada.answer(decision, "x FEN")
        assert (await ada.next()).refused.refusal.reason == "NOT_YOUR_SEAT"


@pytest.mark.parametrize("policy", [DEFAULT, SUBSTITUTE, FORFEIT])
@pytest.mark.parametrize("is_there", [True, False])
async def test_seat_token_can_forfeit_for_the_bot(
    server: Server, session: Session, policy: lobby_pb2.TimeoutPolicy.ValueType, is_there: bool
) -> None:
    """This works with the bot connected or not; a connected bot gets the end of the game."""
    async with playing(server, session, with_token=True, mistakes=after(policy)) as (at, ada, _):
        if not is_there:
            ada.cancel()
        await at.act(1, "forfeit 1", request_id="one")
        assert (await updates(at.watch(0), 2))[1].by == "player"
        await at.act(2, "forfeit 2", request_id="two")
        if is_there:
            assert (await ada.next()).HasField("finished")
    assert (await at.get()).status == lobby_pb2.MATCH_STATUS_OVER


async def test_rematch_keeps_the_policy_for_refused_answers(session: Session) -> None:
    """All settings of the match apply to its rematch."""
    made = await create(session, bot_seat(), HUMAN, DUMMY, start_when_full=True, mistakes=after(FORFEIT, 7))
    token = (await join(session, made.match.match_id)).seat_token
    bot = (await join(session, made.match.match_id, 1)).seat_token
    at = Table(session, made.match.match_id, made.host_token, (bot, token))
    for seat in (1, 2):
        await at.act(seat, f"forfeit {seat}", request_id=f"r{seat}")
    request = lobby_pb2.JoinRematchRequest(match_id=at.match_id)
    again = await session.lobby.JoinRematch(request, metadata=bearer(token))
    assert again.match.mistakes == after(FORFEIT, 7)


async def test_policy_survives_restart_export_and_import(database: Path, tmp_path: Path) -> None:
    """So does the reason of a forfeit."""
    async with serving(database) as (server, session):
        async with playing(server, session, with_token=True, mistakes=after(FORFEIT)) as (at, ada, decision):
            await wrong(ada, decision)
            await updates(at.watch(0), 2)
        lines = await at.record()
    await asyncio.to_thread(take_in, await export(database), tmp_path / "other.db")
    for path in (database, tmp_path / "other.db"):
        async with serving(path) as (_, session):
            at = Table(session, at.match_id, at.host, at.tokens)
            assert (await at.get()).mistakes == after(FORFEIT)
            assert await at.record() == lines


def test_stored_match_without_a_policy_has_the_default() -> None:
    """Databases of earlier versions can be read."""
    row = encode(Create(from_request(lobby_pb2.CreateMatchRequest(seats=[DUMMY] * 3), "")), 1, 0.0)
    setup = json.loads(row.text)
    del setup["mistakes"]
    entry = decode(row._replace(text=json.dumps(setup)))
    assert isinstance(entry, Create)
    assert entry.setup.mistakes == Mistakes(3, "default")

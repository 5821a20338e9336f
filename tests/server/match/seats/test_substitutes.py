"""Absent players: substitution, its conditions, and return to the seat."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.server.in_process import (
    DUMMY,
    EASY,
    HUMAN,
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
    within,
)
from tests.support.server.match_calls import SUBSTITUTE, propose, take_back, until_substituted
from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client.session import Session
from vinci_server.app import Server


async def present(at: Table, seat: int) -> Any:
    """Watch a match as a seat, until the server knows of it."""
    stream = at.watch(token=at.tokens[seat - 1])
    assert (await within(stream.read())).HasField("match")
    return stream


async def replaced(at: Table) -> None:
    """Let seats 2 and 3 agree on a substitute for seat 1."""
    await propose(at, 2, SUBSTITUTE, about=1)
    await propose(at, 3, SUBSTITUTE, about=1)


async def test_substitute_for_an_absent_player_needs_all_others(session: Session) -> None:
    """The substitute plays when all others agree, and every action names its author."""
    at = await table(session)
    match = await propose(at, 2, SUBSTITUTE, about=1)
    assert [(list(one.agreed), list(one.missing)) for one in match.proposals] == [([2], [1, 3])]
    assert not match.seats[0].substituted
    match = await propose(at, 3, SUBSTITUTE, about=1)
    assert match.seats[0].substituted
    assert not match.proposals
    played = (await updates(at.watch(0), 2))[1]
    assert (played.seat, played.by) == (1, "substitute")


async def test_present_player_cannot_be_substituted(session: Session) -> None:
    """A seat with a connected watcher is present and cannot be substituted."""
    at = await table(session)
    await present(at, 1)
    failure = await refused(propose(at, 2, SUBSTITUTE, about=1))
    assert failure.reason == "BAD_PROPOSAL"
    assert "2, 3" in failure.message


async def test_player_returns_within_a_turn(server: Server, session: Session) -> None:
    """The seat token takes the seat back; actions of the substitute stay and cannot be undone."""
    async with bot_stream(server) as bot:
        await bot.hello("deputy")
        at = await table(session, timing=lobby_pb2.Timing(substitute="deputy"))
        await replaced(at)
        assert (await bot.next()).seated.seat == 1
        await bot.answer(await bot.decision(), "x FEN")
        assert (await bot.decision()).revision == 1
        assert not (await take_back(at, 1)).seats[0].substituted
        undo = match_pb2.UndoRequest(match_id=at.match_id, request_id="undo")
        failure = await refused(session.match.Undo(undo, metadata=bearer(at.tokens[0])))
        assert failure.reason == "CANNOT_UNDO"
        assert (await at.act(1, "x COL", revision=1)).revision == 2
        _, first, second = await updates(at.watch(0), 3)
        assert (first.by, second.by) == ("substitute", "player")


async def test_substitute_bot_is_released_when_the_player_returns(server: Server, session: Session) -> None:
    """Its later answers for the seat are refused, and it can play another game."""
    async with bot_stream(server) as bot:
        await bot.hello("deputy")
        at = await table(session, timing=lobby_pb2.Timing(substitute="deputy"))
        await replaced(at)
        assert (await bot.next()).HasField("seated")
        decision = await bot.decision()
        await take_back(at, 1)
        await bot.answer(decision, "x FEN")
        assert (await bot.next()).refused.refusal.reason == "NOT_YOUR_SEAT"
        other = await table(session, timing=lobby_pb2.Timing(substitute="deputy"))
        await replaced(other)
        assert (await bot.next()).seated.match.match_id == other.match_id


async def test_server_replaces_a_substitute_bot_that_disconnects(server: Server, session: Session) -> None:
    """The match does not wait for the bot."""
    at = await table(session, timing=lobby_pb2.Timing(substitute="deputy"))
    async with bot_stream(server) as bot:
        await bot.hello("deputy")
        await replaced(at)
        assert (await bot.next()).HasField("seated")
        await bot.decision()
    assert (await updates(at.watch(0), 2))[1].by == "substitute"


async def test_substituted_player_can_only_return_or_forfeit(server: Server, session: Session) -> None:
    """Any other action is refused with what to do first."""
    async with bot_stream(server) as bot:
        await bot.hello("deputy")
        at = await table(session, timing=lobby_pb2.Timing(substitute="deputy"))
        await replaced(at)
        failure = await refused(at.act(1, "x FEN"))
        assert failure.reason == "SUBSTITUTED"
        assert "take it back" in failure.message
        assert (await at.act(1, "forfeit 1", request_id="out")).updates[0].by == "player"


async def test_substitution_does_not_stop_the_clock_of_another_seat(session: Session) -> None:
    """Substitutions at other seats do not stop the clock of the seat to move."""
    at = await table(session, timing=lobby_pb2.Timing(decision_seconds=1000))
    await asyncio.sleep(0.5)
    await propose(at, 1, SUBSTITUTE, about=2)
    await propose(at, 3, SUBSTITUTE, about=2)
    await take_back(at, 2)
    await at.act(1, "x FEN")
    (decision,) = (await session.match.GetTimes(match_pb2.GetTimesRequest(match_id=at.match_id))).times
    assert decision.think + decision.network >= 500


async def test_take_back_needs_a_substitute(session: Session) -> None:
    """Without a substitute the request is refused with this reason."""
    at = await table(session)
    assert (await refused(take_back(at, 1))).reason == "NOT_SUBSTITUTED"


async def test_player_absent_for_too_long_is_substituted(session: Session) -> None:
    """The match has to allow it, and another player has to be present."""
    at = await table(session, timing=lobby_pb2.Timing(absence_seconds=1))
    await present(at, 2)
    await until_substituted(at, 1)
    assert (await updates(at.watch(0), 2))[1].by == "substitute"


async def test_no_substitution_while_all_are_absent(session: Session) -> None:
    """A match that everybody has left waits."""
    at = await table(session, timing=lobby_pb2.Timing(absence_seconds=1))
    await asyncio.sleep(1.3)
    assert not any(seat.substituted for seat in (await at.get()).seats)
    await present(at, 2)
    assert not any(seat.substituted for seat in (await at.get()).seats)


async def test_return_in_time_resets_the_absence(session: Session) -> None:
    """A new absence is measured from its own beginning."""
    at = await table(session, timing=lobby_pb2.Timing(absence_seconds=1))
    streams = [await present(at, seat) for seat in (1, 2, 3)]
    streams[0].cancel()
    await asyncio.sleep(0.5)
    await present(at, 1)
    await asyncio.sleep(1)
    assert not (await at.get()).seats[0].substituted


async def test_substitutes_survive_a_restart(database: Path) -> None:
    """A substitution, and the right to return, survive a restart."""
    async with serving(database) as (_, session):
        at = await table(session)
        await replaced(at)
        await updates(at.watch(0), 2)
    async with serving(database) as (_, session):
        at = Table(session, at.match_id, at.host, at.tokens)
        assert (await at.get()).seats[0].substituted
        await take_back(at, 1)
        assert not (await at.get()).seats[0].substituted


async def test_substitute_plays_to_the_end(session: Session) -> None:
    """It plays by the rules of the seat, against dummies, to the end."""
    made = await create(session, HUMAN, HUMAN, DUMMY, start_when_full=True, seed="1")
    tokens = [(await join(session, made.match.match_id)).seat_token for _ in range(2)]
    at = Table(session, made.match.match_id, made.host_token, tuple(tokens))
    await propose(at, 2, SUBSTITUTE, about=1)
    stream = at.watch(from_revision=0, state=True)
    by = set()
    async with asyncio.timeout(60):
        async for response in stream:
            if response.HasField("update"):
                update = response.update
                by.add((update.seat, update.by))
                if update.state.seat_to_act == 2 and update.state.phase != game_pb2.PHASE_OVER:
                    suggestion = await session.match.Suggest(match_pb2.SuggestRequest(match_id=at.match_id))
                    request = f"r{update.revision}"
                    await at.act(2, suggestion.notation, request_id=request, revision=update.revision)
    assert {(1, "substitute"), (2, "player"), (3, "dummy")} <= by
    assert (1, "player") not in by


@pytest.mark.parametrize("seat", [0, 3, 9])
async def test_substitute_needs_a_human_seat(session: Session, seat: int) -> None:
    """A bot's seat, or one that does not exist, cannot be substituted."""
    made = await create(session, HUMAN, HUMAN, bot_seat(), position=EASY, start_when_full=True)
    tokens = [(await join(session, made.match.match_id)).seat_token for _ in range(2)]
    at = Table(session, made.match.match_id, made.host_token, tuple(tokens))
    assert (await refused(propose(at, 1, SUBSTITUTE, about=seat))).reason == "BAD_PROPOSAL"


async def test_absence_of_a_late_player_begins_with_the_game(session: Session) -> None:
    """A player who joins last, long after the others, is not absent at the start."""
    timing = lobby_pb2.Timing(absence_seconds=1)
    made = await create(session, HUMAN, HUMAN, HUMAN, position=EASY, start_when_full=True, timing=timing)
    tokens = [(await join(session, made.match.match_id)).seat_token for _ in range(2)]
    at = Table(session, made.match.match_id, made.host_token, tuple(tokens))
    await present(at, 2)
    await asyncio.sleep(1.2)
    at = replace(at, tokens=(*tokens, (await join(session, made.match.match_id)).seat_token))
    await asyncio.sleep(0.3)
    await present(at, 3)
    assert not any(seat.substituted for seat in (await at.get()).seats)
    await until_substituted(at, 1)
    assert not (await at.get()).seats[2].substituted


async def test_absence_begins_anew_after_take_back(session: Session) -> None:
    """There is time to watch, or to take the seat back and act."""
    at = await table(session, timing=lobby_pb2.Timing(absence_seconds=1))
    await present(at, 2)
    await until_substituted(at, 3)
    await take_back(at, 3)
    await asyncio.sleep(0.3)
    assert not (await at.get()).seats[2].substituted


async def test_pause_does_not_count_as_absence(session: Session) -> None:
    """Absence is measured anew when the game resumes."""
    at = await table(session, timing=lobby_pb2.Timing(absence_seconds=1))
    for seat in (1, 2, 3):
        await propose(at, seat, lobby_pb2.PROPOSAL_KIND_PAUSE)
    await present(at, 2)
    await asyncio.sleep(1.2)
    for seat in (1, 2, 3):
        await propose(at, seat, lobby_pb2.PROPOSAL_KIND_RESUME)
    await asyncio.sleep(0.3)
    assert not any(seat.substituted for seat in (await at.get()).seats)


async def test_bot_with_the_seat_token_makes_its_player_present(server: Server, session: Session) -> None:
    """No substitute can be proposed while the bot is connected."""
    at = await table(session, timing=lobby_pb2.Timing(absence_seconds=1))
    await present(at, 2)
    async with bot_stream(server) as bot:
        await bot.hello("own", tokens=[at.tokens[0]])
        assert (await bot.next()).HasField("seated")
        assert (await at.get()).seats[0].connected
        await until_substituted(at, 3)
        await asyncio.sleep(0.3)
        assert not (await at.get()).seats[0].substituted
        assert (await refused(propose(at, 2, SUBSTITUTE, about=1))).reason == "BAD_PROPOSAL"
    await until_substituted(at, 1)


async def test_bot_of_a_substituted_player_is_not_asked(server: Server, session: Session) -> None:
    """The player's own bot is not asked during the substitution, and is again after the return."""
    timing = lobby_pb2.Timing(bank_seconds=1, on_timeout=lobby_pb2.TIMEOUT_POLICY_SUBSTITUTE)
    at = await table(session, timing=timing)
    async with bot_stream(server) as bot:
        await bot.hello("own", tokens=[at.tokens[0]])
        assert (await bot.next()).HasField("seated")
        assert (await bot.decision()).revision == 0
        assert (await within(updates(at.watch(0), 2)))[1].by == "substitute"


async def test_late_answer_of_a_substitute_is_dropped(server: Server, session: Session) -> None:
    """An answer of the substitute that waits behind the player's return is not played."""
    async with bot_stream(server) as bot:
        await bot.hello("deputy")
        at = await table(session, timing=lobby_pb2.Timing(substitute="deputy"))
        await replaced(at)
        await bot.next()
        decision = await bot.decision()
        match = server.lobby.find(at.match_id)
        assert match is not None
        held = asyncio.Event()
        holding = asyncio.create_task(match.queue.run(held.wait()))
        await asyncio.sleep(0)
        back = asyncio.create_task(take_back(at, 1))
        await asyncio.sleep(0.2)
        await bot.answer(decision, "x FEN")
        await asyncio.sleep(0.2)
        held.set()
        await holding
        await back
        assert (await bot.next()).refused.refusal.reason == "NOT_SUBSTITUTED"
        assert (await at.get()).revision == 0


async def test_second_terminal_does_not_restart_the_absence_of_others(session: Session) -> None:
    """Only the first connection starts the time for absent players."""
    at = await table(session, timing=lobby_pb2.Timing(absence_seconds=1))
    streams = []
    for _ in range(4):
        streams.append(await present(at, 2))
        await asyncio.sleep(0.4)
    assert (await at.get()).seats[2].substituted

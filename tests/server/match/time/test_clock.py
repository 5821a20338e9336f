"""Clocks over gRPC: time charged to seats, timeouts, and persistence."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tests.support.server.in_process import (
    DUMMY,
    EASY,
    HUMAN,
    SOON,
    Table,
    bearer,
    bot_seat,
    bot_stream,
    create,
    eventually,
    join,
    refused,
    serving,
    table,
    updates,
    within,
)
from tests.support.server.match_calls import SUBSTITUTE, clocks, propose, take_back
from vinci.v1 import admin_pb2, bot_pb2, game_pb2, lobby_pb2, match_pb2
from vinci_client.session import Session
from vinci_rules.state import Seat
from vinci_server.app import Server
from vinci_server.match.match import Match
from vinci_server.match.seats.tokens import ADMIN_FILE
from vinci_server.match.time import timekeeper
from vinci_server.match.time.clock import Clocks, Timing, network_seconds
from vinci_server.match.time.timekeeper import RoundTrip, reading_seconds
from vinci_server.rpc.bots.connected_bot import Line

SECOND = lobby_pb2.Timing(decision_seconds=1)
LONG = lobby_pb2.Timing(decision_seconds=1000)
FOUR = EASY + "; seat 4 | MIN+SPI"
BANK = lobby_pb2.Timing(bank_seconds=100, increment_seconds=7)


Pass: TypeAlias = Callable[[float], None]
"""Lets seconds pass."""


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Pass:
    """Return a function that sets the monotonic clock, which the event loop has as well, forward by seconds."""
    monotonic, passed = time.monotonic, [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: monotonic() + sum(passed))
    return passed.append


def clocked(seconds: int, policy: lobby_pb2.TimeoutPolicy.ValueType) -> lobby_pb2.Timing:
    """Return a timing with seconds for each decision and a policy for the timeout."""
    return lobby_pb2.Timing(decision_seconds=seconds, on_timeout=policy)


async def times(at: Table) -> list[match_pb2.DecisionTime]:
    """Return the times of the decisions of a match."""
    return list((await at.session.match.GetTimes(match_pb2.GetTimesRequest(match_id=at.match_id))).times)


def test_bank_pays_for_thinking_and_gets_its_increment() -> None:
    """Thinking time is deducted from the bank and the increment added at the end of a turn."""
    clocks = Clocks(Timing(bank=60, increment=5), 3)
    assert clocks.left == [60, 60, 60]
    assert clocks.after(Seat(1), 12.5, turn_ended=False) == 47.5
    assert clocks.after(Seat(1), 12.5, turn_ended=True) == 52.5
    assert clocks.after(Seat(1), 100, turn_ended=True) == 5


def test_time_per_decision_is_not_accumulated() -> None:
    """Unlike a bank, the time per decision starts anew for each decision."""
    clocks = Clocks(Timing(decision=30), 3)
    clocks.left[1] = 2.0
    clocks.start_decision(Seat(1))
    assert clocks.left == [30, 30, 30]


@pytest.mark.parametrize(
    ("waited", "round_trip", "think", "network"),
    [(2.0, 0.0, 2.0, 0.0), (2.0, 0.2, 1.8, 0.2), (2.0, 9.0, 1.5, 0.5), (0.1, 0.3, 0.0, 0.1)],
)
def test_network_time_is_deducted_up_to_half_a_second(
    waited: float, round_trip: float, think: float, network: float
) -> None:
    """Network time is deducted up to half a second, and never more than the time waited."""
    deducted = network_seconds(waited, round_trip)
    assert (waited - deducted, deducted) == pytest.approx((think, network))


def test_round_trip_needs_an_open_ping() -> None:
    """A stamp that was never sent, or was answered already, measures nothing."""
    round_trip = RoundTrip()
    stamp = round_trip.ping().stamp
    round_trip.pong(stamp ^ 1)
    assert round_trip.seconds == 0
    round_trip.pong(stamp)
    took = round_trip.seconds
    assert took > 0
    round_trip.pong(stamp)
    assert round_trip.seconds == took


def test_late_pongs_do_not_increase_the_round_trip(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shortest measured round trip counts."""
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    round_trip = RoundTrip()
    for took in (0.02, *[0.45] * 25):
        stamp = round_trip.ping().stamp
        now[0] += took
        round_trip.pong(stamp)
        assert round_trip.seconds == pytest.approx(0.02)


@pytest.mark.parametrize(
    ("timing", "word"),
    [
        (lobby_pb2.Timing(decision_seconds=5, bank_seconds=5), "either"),
        (lobby_pb2.Timing(increment_seconds=5), "bank"),
        (lobby_pb2.Timing(bank_seconds=99_999_999), "month"),
        (lobby_pb2.Timing(on_timeout=lobby_pb2.TIMEOUT_POLICY_FORFEIT), "on_timeout needs a clock"),
        (lobby_pb2.Timing(decision_seconds=5, on_timeout=77), "77"),  # type: ignore[arg-type]  # what a client may send
    ],
)
async def test_invalid_timing_is_refused(session: Session, timing: lobby_pb2.Timing, word: str) -> None:
    """The refusal names the invalid value."""
    failure = await refused(create(session, DUMMY, DUMMY, HUMAN, timing=timing))
    assert failure.reason == "BAD_TIMING"
    assert word in failure.message


async def test_match_reports_its_timing(session: Session) -> None:
    """A match reports the requested time control."""
    made = await create(session, HUMAN, DUMMY, DUMMY, timing=BANK)
    assert made.match.timing.bank_seconds == 100
    assert made.match.timing.increment_seconds == 7
    assert made.match.timing.on_timeout == lobby_pb2.TIMEOUT_POLICY_DEFAULT_ACTION


async def test_match_without_clocks_sends_none(session: Session) -> None:
    """The stream of a match without clocks has none."""
    at = await table(session)
    stream = at.watch()
    first = [await within(stream.read()) for _ in range(2)]
    assert [response.WhichOneof("kind") for response in first] == ["match", "update"]


async def test_only_the_clock_of_the_seat_to_act_runs(session: Session) -> None:
    """The clocks of other seats stand still."""
    at = await table(session, timing=BANK)
    shown = await clocks(at)
    assert shown.running == 1
    assert shown.left[0] < 100_000
    assert list(shown.left[1:]) == [100_000, 100_000]


async def test_end_of_a_turn_adds_the_increment(session: Session) -> None:
    """All watchers get the new clocks, with that of the next seat running."""
    at = await table(session, timing=BANK)
    stream = at.watch()
    await at.act(1, "hold ARA=10")
    while (shown := (await within(stream.read())).clocks).running != 2:
        pass
    assert 106_000 < shown.left[0] < 107_000
    assert shown.revision == 1


async def test_watchers_get_clocks_when_one_starts_or_stops(session: Session) -> None:
    """Clocks are sent at the start of the game, and at the beginning and end of a pause."""
    made = await create(session, HUMAN, DUMMY, DUMMY, timing=BANK, start_when_full=True)
    stream = session.watch(made.match.match_id)

    async def running() -> bool:
        while True:
            response = await within(anext(stream))
            if response.HasField("clocks"):
                return bool(response.clocks.running)

    assert not await running()
    token = (await join(session, made.match.match_id)).seat_token
    while not await running():
        pass
    await session.propose(made.match.match_id, token, lobby_pb2.PROPOSAL_KIND_PAUSE)
    while await running():
        pass
    await session.propose(made.match.match_id, token, lobby_pb2.PROPOSAL_KIND_RESUME)
    assert await running()


async def test_several_actions_in_one_call_are_one_decision(session: Session) -> None:
    """Several actions in one call count as one decision with one time."""
    at = await table(session, timing=LONG)
    await at.act(1, "x FEN", "x COL")
    await at.act(1, "x BOS", request_id="next")
    assert [time.revision for time in await times(at)] == [1, 3]


@pytest.mark.parametrize(
    ("policy", "by", "notation"),
    [
        (lobby_pb2.TIMEOUT_POLICY_UNSPECIFIED, "default", "hold ARA=10"),
        (lobby_pb2.TIMEOUT_POLICY_DEFAULT_ACTION, "default", "hold ARA=10"),
        (lobby_pb2.TIMEOUT_POLICY_FORFEIT, "clock", "forfeit 1"),
    ],
)
async def test_timeout_policy_is_applied(
    session: Session, policy: lobby_pb2.TimeoutPolicy.ValueType, by: str, notation: str
) -> None:
    """The server plays the default action or lets the seat forfeit when its time is up."""
    at = await table(session, timing=clocked(1, policy))
    _, played = await updates(at.watch(0), 2)
    assert (played.by, played.notation, played.seat) == (by, notation, 1)
    assert (await times(at))[0].left == 0 or by == "clock"


async def test_timeout_can_bring_a_substitute(session: Session) -> None:
    """The substitute plays by the rules of the seat until the player returns."""
    at = await table(session, timing=clocked(1, lobby_pb2.TIMEOUT_POLICY_SUBSTITUTE))
    _, played = await updates(at.watch(0), 2)
    assert (played.by, played.seat) == ("substitute", 1)
    assert (await at.get()).seats[0].substituted


async def test_action_in_time_stops_the_clock(session: Session) -> None:
    """An action in time prevents the default action."""
    at = await table(session, timing=SECOND)
    await at.act(1, "hold ARA=10")
    _, first, second = await updates(at.watch(0), 3)
    assert (first.by, second.by, second.seat) == ("player", "default", 2)


async def test_bot_gets_its_time_left_and_times_out(server: Server, session: Session) -> None:
    """A bot that does not answer does not stop its match."""
    async with bot_stream(server) as bot:
        await bot.hello()
        made = await create(session, bot_seat(), HUMAN, HUMAN, position=EASY, start_when_full=True, timing=SECOND)
        tokens = [(await join(session, made.match.match_id)).seat_token for _ in range(2)]
        assert (await bot.next()).HasField("seated")
        decision = await bot.decision()
        assert 0 < decision.left <= 1000
        at = Table(session, made.match.match_id, made.host_token, ("", *tokens))
        assert (await updates(at.watch(0), 2))[1].by == "default"


async def test_network_time_of_a_bot_is_deducted(
    server: Server, session: Session, monkeypatch: pytest.MonkeyPatch, later: Pass
) -> None:
    """The round trip measured by pings is deducted from the time of a decision if the connection takes as long."""
    monkeypatch.setattr(Line, "_measured", lambda _self, _descriptor: 0.2)
    async with bot_stream(server) as bot:
        await bot.send(bot_pb2.PlayRequest(hello=bot_pb2.Hello(name="far")))
        assert (await within(bot._call.read())).HasField("welcome")
        ping = (await within(bot._call.read())).ping
        later(0.1)  # the way
        await bot.send(bot_pb2.PlayRequest(pong=bot_pb2.Pong(stamp=ping.stamp)))
        made = await create(session, bot_seat(), HUMAN, HUMAN, position=EASY, start_when_full=True, timing=LONG)
        for _ in range(2):
            await join(session, made.match.match_id)
        assert (await bot.next()).HasField("seated")
        decision = await bot.decision()
        later(0.15)
        await bot.answer(decision, "hold ARA=10")
        at = Table(session, made.match.match_id, made.host_token, ())
        await updates(at.watch(0), 2)
        assert (await times(at))[0].network >= 100


async def test_network_time_of_a_player_is_deducted(session: Session, later: Pass) -> None:
    """The round trip measured for a watcher with a seat token is deducted."""
    at = await table(session, timing=LONG)
    stream = at.watch(token=at.tokens[0])
    assert (await within(stream.read())).HasField("match")
    stamp = (await within(stream.read())).ping.stamp
    later(0.1)  # the way
    await session.match.Pong(match_pb2.PongRequest(match_id=at.match_id, stamp=stamp), metadata=bearer(at.tokens[0]))
    later(0.15)
    await at.act(1, "hold ARA=10")
    assert (await times(at))[0].network >= 100


async def test_clocks_stop_while_the_server_is_down(database: Path, later: Pass) -> None:
    """After a restart clocks show the same time as before."""
    timing = lobby_pb2.Timing(bank_seconds=100)
    async with serving(database) as (_, session):
        at = await table(session, timing=timing)
        await at.act(1, "hold ARA=10")
        before = await clocks(at)
    later(1.1)
    async with serving(database) as (_, session):
        after = await clocks(Table(session, at.match_id, at.host, at.tokens))
    assert after.running == before.running == 2
    assert after.left[0] == before.left[0]
    assert before.left[1] - after.left[1] < 1000


async def test_stop_of_the_server_keeps_the_time_used(database: Path, later: Pass) -> None:
    """A running clock is stored when the server stops."""
    async with serving(database) as (_, session):
        at = await table(session, timing=lobby_pb2.Timing(bank_seconds=100))
        later(0.5)
    async with serving(database) as (_, session):
        assert (await clocks(Table(session, at.match_id, at.host, at.tokens))).left[0] <= 99_500


async def test_timeout_takes_effect_after_a_restart(database: Path, later: Pass) -> None:
    """The default action is played although nobody is connected."""
    async with serving(database) as (_, session):
        at = await table(session, timing=lobby_pb2.Timing(decision_seconds=2))
        later(0.2)
    async with serving(database) as (_, session):
        stream = Table(session, at.match_id, at.host, at.tokens).watch(0)
        async with asyncio.timeout(SOON):
            played: game_pb2.Update = (await updates(stream, 2))[1]
    assert played.by == "default"


@pytest.mark.parametrize("is_awaited", [True, False])
async def test_clock_of_a_bot_waits_for_its_return_after_a_restart(
    database: Path, monkeypatch: pytest.MonkeyPatch, is_awaited: bool, later: Pass
) -> None:
    """The absence of the server costs a bot no time: neither the next bot to act, nor one after it."""
    async with serving(database) as (server, session):
        made = await create(session, *[bot_seat()] * 3, position=EASY, timing=LONG, start_when_full=True)
        async with bot_stream(server) as ada:
            await ada.hello("ada")
            await ada.next()
            await ada.decision()
    if not is_awaited:
        monkeypatch.setattr(timekeeper, "RETURN_SECONDS", 0.0)
    async with serving(database) as (server, session):
        match = await server.lobby.get(made.match.match_id)
        before = match.timekeeper.left(Seat(0))
        later(0.02)
        assert (match.timekeeper.left(Seat(0)) == before) == is_awaited
        async with bot_stream(server) as ada:
            await ada.hello("ada")
            assert (await ada.next()).seated.seat == 1
            decision = await ada.decision()
            later(0.02)
            assert match.timekeeper.left(Seat(0)) < before
            await ada.answer(decision, "hold ARA=10")
            await eventually(lambda: match.ledger.to_act() == 1)
            later(0.02)
            assert (match.timekeeper.left(Seat(1)) == 1000) == is_awaited


async def test_clock_of_an_own_bot_waits_while_it_is_started_again(
    server: Server, session: Session, later: Pass
) -> None:
    """A pause of a league, which stops its own bots, costs them no time; that of the others goes on."""
    made = await create(session, HUMAN, bot_seat(), bot_seat(), position=EASY, timing=LONG, start_when_full=True)
    match = await server.lobby.get(made.match.match_id)
    token = (await join(session, match.match_id)).seat_token
    async with bot_stream(server) as far:
        await far.hello("far", games=2)
        async with bot_stream(server) as own:
            await own.hello("own", tokens=[token])
            await own.next()
            await own.decision()
            later(0.3)
            server.await_own_bots()
            whole = match.timekeeper.left(Seat(0))
        later(5.0)
        assert match.timekeeper.left(Seat(0)) == whole
        async with bot_stream(server) as own:
            await own.hello("own", tokens=[token])
            await own.next()
            decision = await own.decision()
            later(0.2)
            assert match.timekeeper.left(Seat(0)) < whole
            await own.answer(decision, "hold ARA=10")
            await eventually(lambda: match.ledger.to_act() == 1)
            assert [200 <= each.think < 5000 for each in await session.times(match.match_id)] == [True]
            later(0.3)
            server.await_own_bots()
            assert match.timekeeper.left(Seat(1)) <= whole - 0.3


async def test_events_of_other_seats_do_not_change_the_running_clock(
    session: Session, database: Path, later: Pass
) -> None:
    """Forfeits, absences and returns of others neither stop nor restart the clock, nor count as a decision."""
    for timing in (lobby_pb2.Timing(bank_seconds=100), lobby_pb2.Timing(decision_seconds=100)):
        at = await four_seats(session, timing)
        later(0.5)
        await at.act(2, "forfeit 2", request_id="out")
        await propose(at, 1, SUBSTITUTE, about=3)
        await propose(at, 4, SUBSTITUTE, about=3)
        await take_back(at, 3)
        token = (database.parent / ADMIN_FILE).read_text().strip()
        await session.admin.KickSeat(admin_pb2.KickSeatRequest(match_id=at.match_id, seat=3), metadata=bearer(token))
        await join(session, at.match_id, 3)
        assert (await clocks(at)).left[0] <= 99_500
        await at.act(1, "forfeit 1", request_id="too")
        assert [(time.revision, time.think >= 500) for time in await times(at)] == [(2, True)]


async def four_seats(session: Session, timing: lobby_pb2.Timing) -> Table:
    """Start a match of four people; seat 1 is to act."""
    made = await create(session, HUMAN, HUMAN, HUMAN, HUMAN, position=FOUR, start_when_full=True, timing=timing)
    tokens = [(await join(session, made.match.match_id)).seat_token for _ in range(4)]
    return Table(session, made.match.match_id, made.host_token, tuple(tokens))


async def test_storing_a_clock_does_not_stop_it(
    server: Server, session: Session, monkeypatch: pytest.MonkeyPatch, later: Pass
) -> None:
    """The clock runs on while its reading is written to the log."""
    at = await table(session, EASY, timing=LONG)
    match = await server.lobby.get(at.match_id)
    append = match.append

    async def slowly(_match: Match, *entries: Any) -> None:
        later(0.4)
        await append(*entries)

    before = match.timekeeper.left(Seat(0))
    monkeypatch.setattr(Match, "append", slowly)
    await match.queue.run(match.timekeeper.read())
    assert before - match.timekeeper.left(Seat(0)) >= 0.3


async def test_undo_gives_no_additional_time(database: Path, later: Pass) -> None:
    """Neither an undo nor repeating the undone action gives time; later decisions are new, also after a restart."""
    async with serving(database) as (_, session):
        at = await table(session, timing=lobby_pb2.Timing(decision_seconds=100))
        await at.act(1, "x FEN")
        later(0.3)
        for number in range(2):
            undo = match_pb2.UndoRequest(match_id=at.match_id, request_id=f"undo {number}")
            await session.match.Undo(undo, metadata=bearer(at.tokens[0]))
            assert (await clocks(at)).left[0] <= 99_700
            await at.act(1, "x FEN", request_id=f"again {number}")
            assert (await clocks(at)).left[0] <= 99_700
    async with serving(database) as (_, session):
        at = Table(session, at.match_id, at.host, at.tokens)
        assert (await clocks(at)).left[0] <= 99_700
        await at.act(1, "x COL", request_id="new")
        assert (await clocks(at)).left[0] > 99_700


async def test_bot_gets_the_same_time_left_after_a_pause(server: Server, session: Session, later: Pass) -> None:
    """The pause itself does not count."""
    async with bot_stream(server) as bot:
        await bot.hello()
        timing = lobby_pb2.Timing(bank_seconds=100)
        made = await create(session, bot_seat(), HUMAN, HUMAN, position=EASY, start_when_full=True, timing=timing)
        tokens = [(await join(session, made.match.match_id)).seat_token for _ in range(2)]
        at = Table(session, made.match.match_id, made.host_token, ("", *tokens))
        assert (await bot.next()).HasField("seated")
        await bot.decision()
        for kind in (lobby_pb2.PROPOSAL_KIND_PAUSE, lobby_pb2.PROPOSAL_KIND_RESUME):
            await propose(at, 2, kind)
            await propose(at, 3, kind)
            later(0.6 if kind == lobby_pb2.PROPOSAL_KIND_PAUSE else 0)
        assert (await bot.decision()).left > 99_500


def test_long_clock_is_stored_less_often() -> None:
    """Otherwise a day for a decision would make thousands of rows, which a restart has to read."""
    assert [reading_seconds(left) for left in (0, 60, 1000, 86_400)] == [10, 10, 10, 864]


async def test_default_action_after_an_undo_starts_a_new_decision(session: Session) -> None:
    """A default action after an undo leaves time for the decision that follows."""
    landless = EASY.replace("reserve=9 ARA", "reserve=10")
    at = await table(session, landless, timing=lobby_pb2.Timing(decision_seconds=1))
    await at.act(1, (await session.match.Suggest(match_pb2.SuggestRequest(match_id=at.match_id))).notation)
    undo = match_pb2.UndoRequest(match_id=at.match_id, request_id="undo")
    await session.match.Undo(undo, metadata=bearer(at.tokens[0]))
    default = (await updates(at.watch(0), 4))[3]
    assert (default.by, default.action.WhichOneof("kind")) == ("default", "conquer")
    assert (await clocks(at)).left[0] > 500

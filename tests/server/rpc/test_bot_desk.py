"""Bots over gRPC: several games in one stream, decisions, refusals and the assignment of seats."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
from collections.abc import Iterable
from typing import Any

import grpc
import pytest

from tests.support.server.in_process import (
    DUMMY,
    EASY,
    HUMAN,
    LAST_TURN,
    address,
    bot_seat,
    bot_stream,
    create,
    join,
    refused,
    table,
    updates,
)
from vinci.v1 import bot_pb2, game_pb2, lobby_pb2
from vinci.v1.bot_pb2_grpc import BotServiceStub
from vinci_client.session import Session
from vinci_rules import position
from vinci_server.app import Server
from vinci_server.match.seats import consensus
from vinci_server.rpc.services import bot_service

ADA = (bot_seat("ada"), HUMAN, HUMAN)


async def test_bot_gets_welcome_seat_and_decision(server: Server, session: Session) -> None:
    made = await create(session, *[bot_seat("ada")] * 3, position=EASY, start_when_full=True)
    async with bot_stream(server) as ada:
        await ada.hello("ada", games=1, position=True)
        seated = (await ada.next()).seated
        assert (seated.match.match_id, seated.seat) == (made.match.match_id, 1)
        decision = await ada.decision()
        assert (decision.match_id, decision.seat, decision.revision) == (made.match.match_id, 1, 0)
        assert decision.position == position.write(position.read(EASY))
        assert list(decision.legal.conquer) == ["BOS", "COL", "FEN"]
        assert decision.state.seat_to_act == 1
        match = (await session.lobby.GetMatch(lobby_pb2.GetMatchRequest(match_id=made.match.match_id))).match
        assert [(seat.taken, seat.player) for seat in match.seats] == [(True, "ada"), (False, "ada"), (False, "ada")]


async def test_connected_bot_is_told_a_new_notice_once(server: Server, session: Session) -> None:
    server.tell_bots(lambda name: f"{name} waits")
    async with bot_stream(server) as ada, bot_stream(server) as eve:
        assert [(await bot.hello(name)).notice for bot, name in ((ada, "ada"), (eve, "eve"))] == [
            "ada waits",
            "eve waits",
        ]
        await asyncio.gather(ada.pinged(), eve.pinged())
        for notice in ("ada waits", "ada is out", "ada is out", "", "ada is out"):
            server.tell_bots({"ada": notice, "eve": "eve waits"}.__getitem__)
        assert [(await ada.next()).notice.text for _ in range(2)] == ["ada is out"] * 2
        await create(session, bot_seat("eve"), bot_seat("ada"), HUMAN)
        assert (await ada.next()).HasField("seated")
        assert (await eve.next()).HasField("seated")


async def test_bots_that_take_seats_are_listed(server: Server, session: Session) -> None:
    async with bot_stream(server) as ada, bot_stream(server) as eve:
        await ada.hello("ada", games=1)
        await eve.hello("eve", games=2)
        info = lobby_pb2.GetServerInfoRequest()
        assert (await session.lobby.GetServerInfo(info)).bots == ["ada", "eve"]
        await create(session, *ADA)
        await ada.next()  # it has a seat, and room for no other
        assert (await session.lobby.GetServerInfo(info)).bots == ["eve"]


async def test_bot_gets_only_the_requested_details(server: Server, session: Session) -> None:
    await create(session, bot_seat(), bot_seat(), bot_seat(), position=EASY, start_when_full=True)
    async with bot_stream(server) as ada:
        await ada.hello("ada", without_state=True, updates=True)
        await ada.next()
        decision = await ada.decision()
        assert not decision.HasField("state")
        assert decision.position == ""
        assert [update.revision for update in decision.updates] == [0]
        await ada.answer(decision, "x FEN", "x BOS")
        assert [update.revision for update in (await ada.decision()).updates] == [1, 2]


async def test_one_stream_plays_many_whole_games(server: Server, session: Session) -> None:
    matches = {
        (await create(session, HUMAN, HUMAN, bot_seat("ada"), position=LAST_TURN, start_when_full=True)).match.match_id
        for _ in range(3)
    }
    for match_id in matches:
        await join(session, match_id)
        await join(session, match_id)
    async with bot_stream(server) as ada:
        await ada.hello("ada", games=3)
        decisions = {}
        for _ in range(6):
            response = await ada.next()
            if response.HasField("decision"):
                decisions[response.decision.match_id] = response.decision
        assert set(decisions) == matches
        finished = {}
        for decision in reversed(decisions.values()):
            await ada.answer(decision, "hold HAM=5")
            over = (await ada.next()).finished
            finished[over.match_id] = list(over.ranks)
        assert finished == {match_id: [2, 2, 1] for match_id in matches}


async def test_bot_gets_its_next_seat_when_a_game_is_over(server: Server, session: Session) -> None:
    for _ in range(2):
        match_id = (
            await create(session, HUMAN, HUMAN, bot_seat("ada"), position=LAST_TURN, start_when_full=True)
        ).match.match_id
        await join(session, match_id)
        await join(session, match_id)
    async with bot_stream(server) as ada:
        await ada.hello("ada", games=1)
        for _ in range(2):
            assert (await ada.next()).HasField("seated")
            await ada.answer(await ada.decision(), "hold HAM=5")
            assert (await ada.next()).HasField("finished")
        await ada.done()
        assert await ada.next() is grpc.aio.EOF


async def test_seats_are_distributed_evenly_among_bots_of_a_name(server: Server, session: Session) -> None:
    async with bot_stream(server) as ada, bot_stream(server) as bob:
        await ada.hello("ada", games=9)
        await bob.hello("bob", games=9)
        await create(session, bot_seat("bob"), bot_seat(), bot_seat("cid"))
        assert (await bob.next()).seated.seat == 1
        assert (await ada.next()).seated.seat == 2


async def test_illegal_answer_is_refused_and_asked_again(server: Server, session: Session) -> None:
    await create(session, *[bot_seat()] * 3, position=EASY, start_when_full=True)
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        await ada.next()
        decision = await ada.decision()
        await ada.answer(decision, "x GOR")
        refused = (await ada.next()).refused
        assert (refused.played, refused.tries_left) == (0, 2)
        assert (refused.refusal.rule, refused.refusal.reason) == ("R-CONQ-1", "OutOfReach")
        assert refused.refusal.facts["reachable"] == "BOS COL FEN"
        await ada.answer(decision, "x ZZZ")
        refused = (await ada.next()).refused
        assert (refused.tries_left, refused.refusal.rule, refused.refusal.reason) == (1, "", "BAD_ACTION")
        await ada.answer(decision, "x FEN")
        assert (await ada.decision()).revision == 1


async def test_default_action_after_three_refused_answers(server: Server, session: Session) -> None:
    made = await create(session, bot_seat("ada"), HUMAN, HUMAN, position=EASY, start_when_full=True)
    for _ in range(2):
        await join(session, made.match.match_id)
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        await ada.next()
        decision = await ada.decision()
        for left in (2, 1, 0):
            await ada.answer(decision)
            refused = (await ada.next()).refused
            assert (refused.tries_left, refused.refusal.reason) == (left, "BAD_ACTION")
        async for response in session.watch(made.match.match_id, from_revision=1):
            if response.HasField("update"):
                assert (response.update.by, response.update.notation) == ("default", "hold ARA=10")
                break


async def test_reconnected_bot_keeps_its_number_of_tries(server: Server, session: Session) -> None:
    made = await create(session, bot_seat("ada"), HUMAN, HUMAN, position=EASY, start_when_full=True)
    for _ in range(2):
        await join(session, made.match.match_id)
    for left in (2, 1, 0):
        async with bot_stream(server) as ada:
            await ada.hello("ada")
            await ada.next()
            await ada.answer(await ada.decision())
            assert (await ada.next()).refused.tries_left == left
    async for response in session.watch(made.match.match_id, from_revision=1):
        if response.HasField("update"):
            assert (response.update.by, response.update.notation) == ("default", "hold ARA=10")
            break


async def test_partly_played_answer_reports_its_progress(server: Server, session: Session) -> None:
    await create(session, *[bot_seat()] * 3, position=EASY, start_when_full=True)
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        await ada.next()
        await ada.answer(await ada.decision(), "x FEN", "x GOR")
        assert (await ada.decision()).revision == 1
        refused = (await ada.next()).refused
        assert (refused.revision, refused.played, refused.refusal.reason) == (0, 1, "OutOfReach")


async def test_second_answer_to_a_decision_is_stale_and_uses_no_try(server: Server, session: Session) -> None:
    await create(session, *[bot_seat()] * 3, position=EASY, start_when_full=True)
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        await ada.next()
        decision = await ada.decision()
        await ada.answer(decision, "x FEN")
        following = await ada.decision()
        await ada.answer(decision, "x BOS")
        assert (await ada.next()).refused.refusal.reason == "STALE_REVISION"
        await ada.answer(following, "x GOR")
        assert (await ada.next()).refused.tries_left == 2


async def test_answer_for_another_seat_is_refused(server: Server, session: Session) -> None:
    at = await table(session)
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        for seat in (0, 1, 2**32 - 1):
            await ada.answer(bot_pb2.Decision(match_id=at.match_id, seat=seat), "x FEN")
            assert (await ada.next()).refused.refusal.reason == "NOT_YOUR_SEAT"
    assert (await at.get()).revision == 0


async def test_game_waits_for_a_disconnected_bot_or_another_one(server: Server, session: Session) -> None:
    made = await create(session, *[bot_seat("ada")] * 3, position=EASY, start_when_full=True)
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        await ada.next()
        await ada.answer(await ada.decision(), "x FEN")
        await ada.decision()
    async with bot_stream(server) as ada:
        await ada.hello("ada", games=3)
        seats = {(await ada.next()).seated.seat for _ in range(2)}
        decision = await ada.decision() if len(seats) < 2 else None
        while decision is None:
            response = await ada.next()
            decision = response.decision if response.HasField("decision") else None
        assert (decision.match_id, decision.revision) == (made.match.match_id, 1)


async def test_whole_game_of_two_bots_and_dummies(server: Server, session: Session) -> None:
    options = game_pb2.Options(settings={"target": "30"})
    await create(session, bot_seat("ada"), DUMMY, bot_seat("bob"), DUMMY, options=options, start_when_full=True)

    async def play(name: str) -> bot_pb2.Finished:
        async with bot_stream(server) as bot:
            await bot.hello(name)
            while True:
                response = await bot.next()
                if response.HasField("finished"):
                    finished: bot_pb2.Finished = response.finished
                    return finished
                if response.HasField("decision"):
                    await bot.answer(response.decision, simple(response.decision.legal))

    ada, bob = await asyncio.gather(play("ada"), play("bob"))
    assert (ada.seat, bob.seat) == (1, 3)
    assert list(ada.vp) == list(bob.vp)
    assert max(ada.vp) >= 30


async def test_bot_with_a_seat_token_plays_only_that_seat(server: Server, session: Session) -> None:
    at = await table(session)
    await create(session, *ADA)
    async with bot_stream(server) as ada:
        await ada.hello("ada", games=5, tokens=[at.tokens[0]])
        seated = (await ada.next()).seated
        assert (seated.match.match_id, seated.seat) == (at.match_id, 1)
        await ada.answer(await ada.decision(), "hold ARA=10")
        await ada.done()
        assert await ada.next() is grpc.aio.EOF


async def test_bot_is_told_of_a_game_that_ended_while_it_was_away(server: Server, session: Session) -> None:
    at = await table(session, LAST_TURN)
    await at.act(3, "hold HAM=5")
    async with bot_stream(server) as ada:
        await ada.hello("ada", tokens=[at.tokens[2]])
        assert (await ada.next()).HasField("seated")
        assert list((await ada.next()).finished.ranks) == [2, 2, 1]


async def test_wrong_seat_token_ends_the_stream(server: Server, session: Session) -> None:
    at = await table(session)
    async with bot_stream(server) as ada, bot_stream(server) as cid:
        await ada.hello("ada", tokens=[at.tokens[0]])
        await ada.next()
        await cid.hello("cid", tokens=[at.tokens[0], f"{at.match_id}.wrong"])
        assert (await refused(cid.next())).reason == "BAD_TOKEN"
        await ada.answer(await ada.decision(), "x FEN")
        assert (await ada.decision()).revision == 1


async def test_last_stream_with_a_seat_token_plays_the_seat(server: Server, session: Session) -> None:
    """The server may not have noticed yet that the earlier stream is cut off."""
    at = await table(session)
    async with bot_stream(server) as ada, bot_stream(server) as again:
        await ada.hello("ada", tokens=[at.tokens[0]])
        await ada.next()
        await ada.decision()
        await again.hello("ada", tokens=[at.tokens[0]])
        assert (await refused(ada.next())).reason == "SEAT_TAKEN"
        assert (await again.next()).HasField("seated")
        await again.answer(await again.decision(), "x FEN")
        assert (await again.decision()).revision == 1


@pytest.mark.parametrize("revision", [None, 0, 2, 6])
async def test_answer_to_an_unknown_revision_uses_a_try(server: Server, session: Session, revision: int | None) -> None:
    """An answer with a missing or unknown revision uses a try and gets the decision again; the last one the default action."""
    at = await table(session)
    await at.act(1, "x FEN")
    async with bot_stream(server) as ada:
        await ada.hello("ada", tokens=[at.tokens[0]])
        await ada.next()
        stray = bot_pb2.Answer(match_id=at.match_id, seat=1, revision=revision)
        for tries_left in (2, 1, 0):
            assert (await ada.decision()).revision == 1
            await ada.send(bot_pb2.PlayRequest(answer=stray))
            refusal = (await ada.next()).refused
            assert (refusal.refusal.reason, refusal.tries_left) == ("STALE_REVISION", tries_left)
        assert (await updates(at.watch(2), 1))[0].by == "default"


@pytest.mark.parametrize("has_presence", [True, False])
async def test_one_late_answer_to_revision_0_uses_no_try(server: Server, session: Session, has_presence: bool) -> None:
    """Older clients leave out a revision of 0, so one such answer counts as late."""
    at = await table(session)
    async with bot_stream(server) as ada:
        await ada.hello("ada", tokens=[at.tokens[0]])
        await ada.next()
        late = bot_pb2.Answer(match_id=at.match_id, seat=1, revision=0 if has_presence else None)
        late.actions.add(notation="x FEN")
        await ada.decision()
        for tries_left in (None, 3, 3 if has_presence else 2):
            await ada.send(bot_pb2.PlayRequest(answer=late))
            if tries_left is None:
                assert (await ada.decision()).revision == 1
            else:
                refusal = (await ada.next()).refused
                assert (refusal.refusal.reason, refusal.tries_left) == ("STALE_REVISION", tries_left)


async def test_bot_gets_a_waiting_seat_after_the_end_of_its_game(server: Server, session: Session) -> None:
    first = (await create(session, bot_seat("ada"), DUMMY, DUMMY, start_when_full=True)).match.match_id
    second = (await create(session, bot_seat("ada"), DUMMY, DUMMY, start_when_full=True)).match.match_id
    async with bot_stream(server) as ada:
        await ada.hello("ada", games=1)
        seated = (await ada.next()).seated.match.match_id
        assert seated in (first, second)
        await ada.answer(await ada.decision(), "forfeit 1")
        while not (received := await ada.next()).HasField("seated"):
            if received.HasField("decision"):
                await ada.answer(received.decision, "forfeit 1")
        assert {seated, received.seated.match.match_id} == {first, second}


async def test_bot_that_does_not_read_is_disconnected(
    server: Server, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stream ends with a reason; its seats are free at once."""
    monkeypatch.setattr("vinci_server.rpc.bots.connected_bot.MOST_UNREAD", 20)
    match_id = (await create(session, bot_seat(), DUMMY, DUMMY, start_when_full=True)).match.match_id
    async with bot_stream(server) as ada, bot_stream(server) as bob:
        await ada.hello("ada")
        await bob.hello("bob")

        async def flood() -> None:
            while True:
                await ada.answer(bot_pb2.Decision(match_id="x" * 60, seat=1), "hold")

        flooding = asyncio.create_task(flood())
        assert (await bob.next()).seated.match.match_id == match_id
        flooding.cancel()
        await asyncio.gather(flooding, return_exceptions=True)


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        (bot_pb2.PlayRequest(), "MALFORMED"),
        (bot_pb2.PlayRequest(answer=bot_pb2.Answer()), "MALFORMED"),
        (bot_pb2.PlayRequest(hello=bot_pb2.Hello()), "BAD_NAME"),
        (bot_pb2.PlayRequest(hello=bot_pb2.Hello(name="x" * 33)), "BAD_NAME"),
        (bot_pb2.PlayRequest(hello=bot_pb2.Hello(name="ada", seat_tokens=["none.x"])), "UNKNOWN_MATCH"),
    ],
)
async def test_stream_without_hello_is_refused(server: Server, first: bot_pb2.PlayRequest, reason: str) -> None:
    async with bot_stream(server) as stream:
        await stream.send(first)
        if reason == "UNKNOWN_MATCH":
            assert (await stream.next()).HasField("welcome")
        assert (await refused(stream.next())).reason == reason


async def test_second_hello_ends_the_stream(server: Server) -> None:
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        await ada.send(bot_pb2.PlayRequest(hello=bot_pb2.Hello(name="ada")))
        assert (await refused(ada.next())).reason == "MALFORMED"


async def test_half_closed_stream_ends_normally(server: Server) -> None:
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        await ada.done()
        assert await ada.next() is grpc.aio.EOF


def simple(legal: game_pb2.Legal) -> str:
    """Return a legal action as text."""
    if legal.take:
        return f"take {legal.take[0]}"
    if legal.HasField("redeploy"):
        return placed("redeploy", legal.redeploy.suggestion.provinces, legal.redeploy.suggestion.pawns)
    if legal.conquer:
        return f"x {legal.conquer[0]}"
    if legal.decline:
        return "decline"
    return placed("hold", legal.hold.suggestion.provinces, legal.hold.suggestion.pawns)


def placed(word: str, provinces: Iterable[str], pawns: Iterable[int]) -> str:
    """Return a reorganisation or redeployment as text."""
    return " ".join([word, *(f"{code}={number}" for code, number in zip(provinces, pawns, strict=True))])


async def test_waiting_bot_gets_pings(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ping is sent every 20 seconds, because the docs tell bots to reconnect after 45 seconds without one."""
    assert bot_service.PING_SECONDS == 20
    monkeypatch.setattr(bot_service, "PING_SECONDS", 0.05)
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        assert len({(await ada.ping()).stamp for _ in range(4)}) == 4


async def test_work_that_is_cancelled_before_it_begins(server: Server, recwarn: pytest.WarningsRecorder) -> None:
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        await ada.pinged()
        [bot] = server._desk.connected
        server._desk.set_games(bot, 2)
        server._desk.close()
        await server._desk._tasks.settle()
    assert not [str(one.message) for one in recwarn if "never awaited" in str(one.message)]


@pytest.mark.slow
async def test_bot_may_send_http2_pings_every_ten_seconds(server: Server) -> None:
    pinging = [("grpc.keepalive_time_ms", 10_500), ("grpc.http2.max_pings_without_data", 0)]
    async with grpc.aio.insecure_channel(address(server), pinging) as channel:
        call: Any = BotServiceStub(channel).Play()
        await call.write(bot_pb2.PlayRequest(hello=bot_pb2.Hello(name="ada")))

        async def listen() -> None:
            async for _ in call:
                pass

        with pytest.raises(TimeoutError):  # pings that come too soon end the stream at the fourth
            await asyncio.wait_for(listen(), 45)


async def test_seat_of_a_bot_is_kept_during_a_lost_connection(server: Server, session: Session) -> None:
    made = await create(session, *ADA, position=EASY, start_when_full=True)
    match_id = made.match.match_id
    await join(session, match_id)
    await join(session, match_id)
    async with bot_stream(server) as ada:
        await ada.hello("ada")
        await ada.next()
        await ada.answer(await ada.decision(), "x FEN")
        await ada.decision()
    match = lobby_pb2.GetMatchRequest(match_id=match_id)
    while (await session.lobby.GetMatch(match)).match.seats[0].connected:
        await asyncio.sleep(0.01)
    assert (await session.lobby.GetMatch(match)).match.seats[0].taken
    error = await refused(join(session, match_id, 1))
    assert (error.reason, error.facts) == ("SEAT_TAKEN", {"which": "BOT", "seat": "1"})
    async with bot_stream(server) as other, bot_stream(server) as again:
        await other.hello("eve")
        await again.hello("ada")
        assert (await again.next()).seated.seat == 1
        assert (await again.decision()).revision == 1


def played(match_id: str, seat: int) -> bot_pb2.PlayedSeat:
    """Return a seat that a bot had before."""
    return bot_pb2.PlayedSeat(match_id=match_id, seat=seat)


async def test_named_bot_gets_the_results_of_its_earlier_seats(server: Server, session: Session) -> None:
    over = await create(session, *[bot_seat("ada")] * 3, position=LAST_TURN, start_when_full=True)
    async with bot_stream(server) as ada:
        await ada.hello("ada", games=3)
        for _ in range(3):
            await ada.next()
        await ada.answer(await ada.decision(), "hold HAM=5")
        ends = [await ada.next() for _ in range(3)]
    running = await create(session, *[bot_seat("ada")] * 3, position=EASY, start_when_full=True)
    others = await create(session, *[bot_seat("eve")] * 3, position=EASY, start_when_full=True)
    over_id, running_id, others_id = (one.match.match_id for one in (over, running, others))
    async with bot_stream(server) as ada:
        places = [(over_id, 3), (over_id, 1), (running_id, 2), (others_id, 1), ("nothere", 1), (over_id, 9), ("", 0)]
        await ada.hello("ada", games=3, playing=[played(*place) for place in [*places, (over_id, 3)]])
        heard = [await ada.next() for _ in range(10)]
        assert [one.seated.match.match_id for one in heard if one.HasField("seated")] == [running_id] * 3
        assert [one for one in heard if one.HasField("finished")] == [ends[2], ends[0]]
        refused = [one.request_refused for one in heard if one.HasField("request_refused")]
        assert [(one.match_id, one.seat, one.refusal.reason) for one in refused] == [
            (others_id, 1, "NOT_YOUR_SEAT"),
            ("nothere", 1, "UNKNOWN_MATCH"),
            (over_id, 9, "BAD_SEAT"),
            ("", 0, "UNKNOWN_MATCH"),
        ]


async def test_finishing_bot_gets_its_running_games_after_a_reconnection(server: Server, session: Session) -> None:
    made = [await create(session, bot_seat("ada"), DUMMY, DUMMY, start_when_full=True) for _ in range(3)]
    places = [(one.match.match_id, 1) for one in made]
    async with bot_stream(server) as ada:
        playing = [played(*place) for place in [*places, ("nothere", 1)]]
        await ada.send(bot_pb2.PlayRequest(hello=bot_pb2.Hello(name="ada", playing=playing)))
        await ada.send(bot_pb2.PlayRequest(set_games=bot_pb2.SetGames(games=0)))
        heard = [await ada.next() for _ in range(8)]
        seated = [one.seated for one in heard if one.HasField("seated")]
        assert sorted((one.match.match_id, one.seat) for one in seated) == sorted(places)
        assert [one.request_refused.match_id for one in heard if one.HasField("request_refused")] == ["nothere"]
        for match_id, _seat in places:
            await consensus.end(await server.lobby.get(match_id), "late")
        assert [(await ada.next()).HasField("finished") for _ in places] == [True] * 3
        assert await ada.next() is grpc.aio.EOF
    async with bot_stream(server) as ada:
        earlier_seats = [played("nothere", 1)]
        await ada.send(bot_pb2.PlayRequest(hello=bot_pb2.Hello(name="ada", playing=earlier_seats)))
        await ada.send(bot_pb2.PlayRequest(set_games=bot_pb2.SetGames(games=0)))
        assert [(await ada.next()).WhichOneof("kind") for _ in range(2)] == ["welcome", "request_refused"]
        assert await ada.next() is grpc.aio.EOF


async def test_seats_of_ended_matches_are_reported_with_the_reason(server: Server, session: Session) -> None:
    made = await create(session, *[bot_seat("ada")] * 3, position=EASY, start_when_full=True)
    await consensus.end(await server.lobby.get(made.match.match_id), "late")
    async with bot_stream(server) as ada:
        await ada.hello("ada", playing=[played(made.match.match_id, 2)])
        finished = (await ada.next()).finished
        assert (finished.match_id, finished.seat, finished.ended) == (made.match.match_id, 2, "late")
        assert not finished.ranks

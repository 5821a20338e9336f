"""The bot stream of the client: answers, refused answers, and reconnection."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from random import Random

import pytest

from tests.support.network.cuttable_proxy import proxy
from tests.support.server.in_process import (
    EASY,
    HUMAN,
    LAST_TURN,
    SOON,
    Table,
    address,
    bot_seat,
    create,
    join,
    serving,
    table,
)
from vinci.v1 import bot_pb2, game_pb2, lobby_pb2
from vinci_client import bot
from vinci_client.access import OPTIONS
from vinci_client.errors import ServerGone, ServerRefused
from vinci_client.session import Session
from vinci_rules.state import Seat
from vinci_server.app import Server
from vinci_server.match.seats import consensus
from vinci_server.rpc import listener
from vinci_server.rpc.bots.desk import BotDesk

HOLD = [game_pb2.Action(notation="hold HAM=5")]


def saying(*answers: list[game_pb2.Action]) -> Callable[[bot_pb2.Decision], Awaitable[list[game_pb2.Action]]]:
    """Return a bot that gives these answers, one after the other."""
    left = list(answers)

    async def choose(_decision: bot_pb2.Decision) -> list[game_pb2.Action]:
        return left.pop(0)

    return choose


async def test_bot_ends_after_the_requested_games(database: Path) -> None:
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        tables = [await table(session, LAST_TURN) for _ in range(2)]
        tokens = [at.tokens[2] for at in tables]
        events: list[str] = []
        hello = bot_pb2.Hello(name="ada", games=2, seat_tokens=tokens)
        played = await bot.play(address(server), hello, saying(HOLD, HOLD), games=2, on_event=events.append)
        assert played == 2
        assert sum("is over: rank 1 of 3" in text for text in events) == 2
        for at in tables:
            assert (await at.get()).status == lobby_pb2.MATCH_STATUS_OVER


async def test_refused_answer_is_chosen_again(database: Path) -> None:
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        at = await table(session, LAST_TURN)
        events: list[str] = []
        hello = bot_pb2.Hello(name="ada", seat_tokens=[at.tokens[2]])
        illegal = [game_pb2.Action(notation="x ARA")]
        await bot.play(address(server), hello, saying(illegal, [], HOLD), games=1, on_event=events.append)
        assert any("OutOfReach" in text for text in events)
        assert '"by":"bot"' in (await at.record())[1]


async def test_bot_with_refused_answers_does_not_stop_the_game(database: Path) -> None:
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        at = await table(session, LAST_TURN)
        hello = bot_pb2.Hello(name="ada", seat_tokens=[at.tokens[2]])
        await bot.play(address(server), hello, saying(*[[]] * 3), games=1)
        assert '"by":"default"' in (await at.record())[1]


async def test_bot_reconnects_when_the_server_is_back(database: Path) -> None:
    first = await Server.start("127.0.0.1", 0, database)
    deciding, events = asyncio.Event(), list[str]()

    async def choose(decision: bot_pb2.Decision) -> list[game_pb2.Action]:
        if decision.revision == 0 and not deciding.is_set():
            deciding.set()
            await asyncio.sleep(0.2)  # the server stops before the answer
        return HOLD

    hello = bot_pb2.Hello(name="ada")
    playing = asyncio.create_task(bot.play(address(first), hello, choose, games=1, on_event=events.append))
    async with asyncio.timeout(SOON):
        async with Session(address(first)) as session:
            made = await create(session, HUMAN, HUMAN, bot_seat("ada"), position=LAST_TURN, start_when_full=True)
            for _ in range(2):
                await join(session, made.match.match_id)
        await deciding.wait()
        await first.stop()
        async with serving(database, first.port):
            assert await playing == 1
    assert sum("Trying again" in text for text in events) == 1
    assert sum("connected to a server" in text for text in events) == 2


async def test_end_of_a_game_arrives_although_the_next_connection_broke_early(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(database) as (server, session), proxy(server.port) as between, asyncio.timeout(SOON):
        made = await create(session, *[bot_seat("ada")] * 3, position=EASY, start_when_full=True)
        events: list[str] = []
        offer = BotDesk._welcome_back

        async def offers_nothing(*_: object) -> None:
            return None

        async def hear(response: bot_pb2.PlayResponse) -> None:
            events.append(response.WhichOneof("kind") or "")
            if events.count("seated") == 3 and events.count("welcome") == 1 and events[-1] == "decision":
                monkeypatch.setattr(BotDesk, "_welcome_back", offers_nothing)
                between.cut()
            elif events.count("welcome") == 2 and events[-1] == "welcome":
                between.deaf = True
                await consensus.end(await server.lobby.get(made.match.match_id), "late")
                monkeypatch.setattr(BotDesk, "_welcome_back", offer)
                between.cut()
                between.deaf = False

        async def never(_decision: bot_pb2.Decision) -> list[game_pb2.Action]:
            await asyncio.Event().wait()
            return []

        hello = bot_pb2.Hello(name="ada", games=3)
        assert await bot.play(f"127.0.0.1:{between.port}", hello, never, games=3, on_message=hear) == 3


async def test_every_end_of_a_game_arrives_once_over_a_bad_connection(database: Path) -> None:
    chance, games = Random(3), 12
    async with serving(database) as (server, session), proxy(server.port) as between, asyncio.timeout(2 * SOON):
        ends: list[tuple[str, int]] = []
        seats: defaultdict[str, set[int]] = defaultdict(set)

        async def hear(response: bot_pb2.PlayResponse) -> None:
            if response.HasField("seated"):
                seats[response.seated.match.match_id].add(response.seated.seat)
            if response.HasField("finished"):
                ends.append((response.finished.match_id, response.finished.seat))

        async def choose(decision: bot_pb2.Decision) -> list[game_pb2.Action]:
            await asyncio.sleep(0.05 * chance.random())
            while len(seats[decision.match_id]) < 3:  # else forfeits end the game before it knows of all
                await asyncio.sleep(0.01)
            return [game_pb2.Action(notation=f"forfeit {decision.seat}")]

        async def spoil() -> None:
            for _ in range(40):  # not for ever: a slow machine may need longer to connect than the line lasts
                await asyncio.sleep(0.05 + 0.2 * chance.random())
                between.deaf = chance.random() < 0.5
                await asyncio.sleep(0.05 * chance.random())
                between.cut()
                between.deaf = False

        made = [
            (await create(session, *[bot_seat("ada")] * 3, position=EASY, start_when_full=True)).match.match_id
            for _ in range(games)
        ]
        spoiling = asyncio.create_task(spoil())
        hello = bot_pb2.Hello(name="ada", games=6)
        played = await bot.play(f"127.0.0.1:{between.port}", hello, choose, games=3 * games, on_message=hear)
        spoiling.cancel()
        assert played == 3 * games
        assert sorted(ends) == sorted((match_id, seat) for match_id in made for seat in (1, 2, 3))


async def test_end_of_a_game_missed_while_away_is_counted(database: Path) -> None:
    async with serving(database) as (server, session), proxy(server.port) as between, asyncio.timeout(SOON):
        events: list[str] = []
        heard: list[bot_pb2.PlayResponse] = []

        async def hear(response: bot_pb2.PlayResponse) -> None:
            heard.append(response)

        async def choose(_decision: bot_pb2.Decision) -> list[game_pb2.Action]:
            between.deaf = True
            return HOLD

        hello = bot_pb2.Hello(name="ada")
        through = f"127.0.0.1:{between.port}"
        playing = asyncio.create_task(
            bot.play(through, hello, choose, games=1, on_event=events.append, on_message=hear)
        )
        made = await create(session, HUMAN, HUMAN, bot_seat("ada"), position=LAST_TURN, start_when_full=True)
        for _ in range(2):
            await join(session, made.match.match_id)
        async for _ in session.watch(made.match.match_id):
            pass
        between.cut()
        between.deaf = False
        assert await playing == 1
    assert events[-1] == f"match {made.match.match_id} is over; it ended while the connection was lost"
    assert [response.WhichOneof("kind") for response in heard] == [
        "welcome",
        "seated",
        "decision",
        "welcome",
        "finished",
    ]
    assert list(heard[-1].finished.ranks)[2] == 1


async def test_refused_hello_raises_the_reason(database: Path) -> None:
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        at = await table(session, EASY)
        for hello, reason in (
            (bot_pb2.Hello(), "BAD_NAME"),
            (bot_pb2.Hello(name="ada", seat_tokens=[f"{at.match_id}.wrong"]), "BAD_TOKEN"),
        ):
            with pytest.raises(ServerRefused) as caught:
                await bot.play(address(server), hello, saying())
            assert caught.value.reason == reason


async def test_bot_is_asked_again_after_a_pause(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer during a pause is refused once and not repeated; the decision is asked again when the game resumes."""
    refused: asyncio.Queue[str] = asyncio.Queue()
    chosen: list[int] = []

    async def spied(source: AsyncIterator[bot_pb2.PlayResponse]) -> AsyncIterator[bot_pb2.PlayResponse]:
        async for response in source:
            yield response
            if response.HasField("refused"):
                refused.put_nowait(response.refused.refusal.reason)

    async with serving(database) as (server, session), asyncio.timeout(SOON):
        at = await table(session, LAST_TURN)

        async def agree(kind: lobby_pb2.ProposalKind.ValueType) -> None:
            for token in at.tokens:
                await session.propose(at.match_id, token, kind)

        async def choose(decision: bot_pb2.Decision) -> list[game_pb2.Action]:
            chosen.append(decision.revision)
            if len(chosen) == 1:
                await agree(lobby_pb2.PROPOSAL_KIND_PAUSE)
            return HOLD

        monkeypatch.setattr(bot, "read_ahead", spied)
        hello = bot_pb2.Hello(name="ada", seat_tokens=[at.tokens[2]])
        playing = asyncio.create_task(bot.play(address(server), hello, choose, games=1))
        assert await refused.get() == "PAUSED"
        await agree(lobby_pb2.PROPOSAL_KIND_RESUME)
        assert await playing == 1
        assert chosen == [0, 0]
        assert refused.empty()


async def test_bot_answers_pings_while_it_thinks(database: Path) -> None:
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        at = await table(session, LAST_TURN)
        ways = (await server.lobby.get(at.match_id)).timekeeper.round_trips

        async def choose(_decision: bot_pb2.Decision) -> list[game_pb2.Action]:
            while not ways[Seat(2)].seconds:
                await asyncio.sleep(0.01)
            return HOLD

        hello = bot_pb2.Hello(name="ada", seat_tokens=[at.tokens[2]])
        assert await bot.play(address(server), hello, choose, games=1) == 1


def test_ping_timeout_is_that_of_the_keepalive() -> None:
    """Both sides set `ping_timeout_ms`, whose default is a minute, because gRPC uses the longer of the two timeouts."""
    for options in (listener.OPTIONS, OPTIONS):
        set_to = dict(options)
        assert set_to["grpc.keepalive_time_ms"] == 20_000
        assert set_to["grpc.keepalive_timeout_ms"] == set_to["grpc.http2.ping_timeout_ms"] == 10_000


@pytest.mark.slow
async def test_silent_connection_is_replaced_within_35_seconds(database: Path) -> None:
    """The bot reconnects by then, and gets the seat that the server has freed."""
    seated = asyncio.Semaphore(0)

    def hear(text: str) -> None:
        if text.startswith("seat 1"):
            seated.release()

    async with serving(database) as (server, session), proxy(server.port) as between, asyncio.timeout(60):
        await create(session, bot_seat("ada"), HUMAN, HUMAN)
        hello = bot_pb2.Hello(name="ada")
        playing = asyncio.create_task(bot.play(f"127.0.0.1:{between.port}", hello, saying(), on_event=hear))
        await seated.acquire()
        between.silence()
        silent = time.monotonic()
        await seated.acquire()
        assert time.monotonic() - silent < 35
        playing.cancel()


async def test_aborted_match_counts_as_a_game(database: Path) -> None:
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        at = await table(session, LAST_TURN)
        events: list[str] = []

        async def choose(_decision: bot_pb2.Decision) -> list[game_pb2.Action]:
            await consensus.end(await server.lobby.get(at.match_id), "the hall closes")
            return HOLD

        hello = bot_pb2.Hello(name="ada", seat_tokens=[at.tokens[2]])
        assert await bot.play(address(server), hello, choose, games=1, on_event=events.append) == 1
        assert events[-1] == f"match {at.match_id} was ended: the hall closes"


async def test_decision_of_an_aborted_match_is_cancelled(database: Path) -> None:
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        at = await table(session, LAST_TURN)
        thinking, stopped = asyncio.Event(), asyncio.Event()

        async def choose(_decision: bot_pb2.Decision) -> list[game_pb2.Action]:
            thinking.set()
            try:
                await asyncio.Event().wait()
            finally:
                stopped.set()
            raise AssertionError

        hello = bot_pb2.Hello(name="ada", seat_tokens=[at.tokens[2]])
        playing = asyncio.create_task(bot.play(address(server), hello, choose))
        await thinking.wait()
        await consensus.end(await server.lobby.get(at.match_id), "the hall closes")
        await stopped.wait()
        playing.cancel()


async def test_decisions_of_several_games_are_concurrent(database: Path) -> None:
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        tables = [await table(session, LAST_TURN) for _ in range(3)]
        asked = asyncio.Barrier(3)

        async def choose(_decision: bot_pb2.Decision) -> list[game_pb2.Action]:
            await asked.wait()
            return HOLD

        hello = bot_pb2.Hello(name="ada", seat_tokens=[at.tokens[2] for at in tables])
        assert await bot.play(address(server), hello, choose, games=3) == 3


async def test_bot_stops_retrying_after_its_patience(database: Path) -> None:
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        at = await table(session, LAST_TURN)

        async def choose(_decision: bot_pb2.Decision) -> list[game_pb2.Action]:
            await server.stop()
            return HOLD

        hello = bot_pb2.Hello(name="ada", seat_tokens=[at.tokens[2]])
        with pytest.raises(ServerGone):
            await bot.play(address(server), hello, choose, patience=0.1)


async def test_exception_of_the_chooser_ends_the_play(database: Path) -> None:
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        at = await table(session, LAST_TURN)
        hello = bot_pb2.Hello(name="ada", seat_tokens=[at.tokens[2]])
        with pytest.raises(IndexError, match="pop from empty list"):
            await bot.play(address(server), hello, saying())


async def test_bot_takes_further_seats_and_ends_after_their_games(database: Path) -> None:
    """Seats are added on an open stream; a wrong token is reported and changes nothing else."""
    async with serving(database) as (server, session), asyncio.timeout(SOON):
        tables = [await table(session, LAST_TURN) for _ in range(3)]
        events: list[str] = []
        control = bot.Control()
        hello = bot_pb2.Hello(name="ada", seat_tokens=[tables[0].tokens[2]])
        await control.take_seats([tables[1].tokens[2]])  # before there is a connection
        playing = bot.play(address(server), hello, saying(HOLD, HOLD, HOLD), on_event=events.append, control=control)
        task = asyncio.create_task(playing)
        for at in tables[:2]:
            await _until_over(at)
        await control.take_seats([f"{tables[2].match_id}.wrong"])
        await control.take_seats([tables[2].tokens[2]])
        await control.set_games(0)
        assert await task == 3
        assert any(re.fullmatch(r"refused: \w.*\(BAD_TOKEN\)", text) for text in events)


async def _until_over(at: Table) -> None:
    while (await at.get()).status != lobby_pb2.MATCH_STATUS_OVER:
        await asyncio.sleep(0.01)


async def test_added_seat_and_finish_survive_a_lost_connection(database: Path) -> None:
    """A seat added later, and the request to end, survive a reconnection during a game by name."""
    async with serving(database) as (server, session), proxy(server.port) as between, asyncio.timeout(SOON):
        at = await table(session, LAST_TURN)
        control, seated, may_end = bot.Control(), asyncio.Semaphore(0), asyncio.Event()

        def hear(text: str) -> None:
            if text.startswith("seat "):
                seated.release()

        async def choose(decision: bot_pb2.Decision) -> list[game_pb2.Action]:
            await may_end.wait()
            return HOLD if decision.match_id == at.match_id else [game_pb2.Action(notation="forfeit 1")]

        named = await create(session, bot_seat("ada"), HUMAN, HUMAN, position=EASY, start_when_full=True)
        for _ in range(2):
            await join(session, named.match.match_id)
        hello = bot_pb2.Hello(name="ada")
        through = f"127.0.0.1:{between.port}"
        task = asyncio.create_task(bot.play(through, hello, choose, on_event=hear, control=control))
        await seated.acquire()
        await control.take_seats([at.tokens[2]])
        await seated.acquire()
        await control.set_games(0)
        between.cut()
        for _ in range(2):
            await seated.acquire()
        may_end.set()
        await _until_over(at)
        await consensus.end(await server.lobby.get(named.match.match_id), "the hall closes")
        assert await task == 2

"""Proposals of players: pauses, chat, and the early end of a match."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.server.in_process import (
    DUMMY,
    EASY,
    HUMAN,
    Table,
    address,
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
from tests.support.server.match_calls import clocks, propose, say
from vinci.v1 import lobby_pb2, match_pb2
from vinci_client.session import Session
from vinci_server.app import Server
from vinci_server.errors import ServiceError
from vinci_server.limits import USUAL, Limits
from vinci_server.lobby import Lobby
from vinci_server.match.seats import consensus
from vinci_server.match.seats.names import check_name
from vinci_server.metrics import Metrics
from vinci_server.rpc.access import OPEN
from vinci_server.rpc.admission import Admission
from vinci_server.rpc.services.match_service import MatchService
from vinci_server.storage.store import Store

PAUSE, RESUME = lobby_pb2.PROPOSAL_KIND_PAUSE, lobby_pb2.PROPOSAL_KIND_RESUME


async def paused(at: Table) -> None:
    """Let all players agree on a pause."""
    for seat in (1, 2, 3):
        match = await propose(at, seat, PAUSE)
    assert match.paused


async def test_match_is_paused_when_all_agree(session: Session) -> None:
    """During a pause only forfeits are accepted, until all agree to resume."""
    at = await table(session)
    assert not (await propose(at, 1, PAUSE)).paused
    assert not (await propose(at, 3, PAUSE)).paused
    assert (await propose(at, 2, PAUSE)).paused
    assert (await refused(at.act(1, "x FEN"))).reason == "PAUSED"
    for seat in (3, 1, 2):
        match = await propose(at, seat, RESUME)
    assert not match.paused
    assert (await at.act(1, "x FEN")).revision == 1


async def test_agreement_can_be_withdrawn(session: Session) -> None:
    """A withdrawn proposal has to be made again."""
    at = await table(session)
    await propose(at, 1, PAUSE)
    assert not (await propose(at, 1, PAUSE, withdraw=True)).proposals
    await propose(at, 2, PAUSE)
    assert not (await propose(at, 3, PAUSE)).paused


@pytest.mark.parametrize("kind", [0, 9, RESUME])
async def test_invalid_proposals_are_refused(session: Session, kind: int) -> None:
    """No kind, an unknown one, or resuming without a pause is refused."""
    at = await table(session)
    failure = await refused(propose(at, 1, kind))  # type: ignore[arg-type]  # what a client may send
    assert failure.reason == "BAD_PROPOSAL"


async def test_clocks_stop_during_a_pause(session: Session) -> None:
    """After the pause the clock goes on from the same time."""
    at = await table(session, timing=lobby_pb2.Timing(bank_seconds=100))
    await paused(at)
    before = await clocks(at)
    assert before.running == 0
    await asyncio.sleep(0.3)
    assert await clocks(at) == before
    for seat in (1, 2, 3):
        await propose(at, seat, RESUME)
    after = await clocks(at)
    assert after.running == 1
    assert after.left[0] <= before.left[0]


async def test_pause_survives_a_restart(database: Path) -> None:
    """A pause and open proposals survive a restart of the server."""
    async with serving(database) as (_, session):
        at = await table(session)
        await paused(at)
        await propose(at, 2, RESUME)
    async with serving(database) as (_, session):
        match = await Table(session, at.match_id, at.host, at.tokens).get()
    assert match.paused
    assert [list(proposal.agreed) for proposal in match.proposals] == [[2]]


async def test_bot_is_asked_again_after_a_pause(server: Server, session: Session) -> None:
    """An answer of the bot during the pause is refused without using up a try."""
    async with bot_stream(server) as bot:
        await bot.hello()
        made = await create(session, bot_seat(), HUMAN, HUMAN, position=EASY, start_when_full=True)
        tokens = [(await join(session, made.match.match_id)).seat_token for _ in range(2)]
        at = Table(session, made.match.match_id, made.host_token, ("", *tokens))
        assert (await bot.next()).HasField("seated")
        decision = await bot.decision()
        for seat in (2, 3):
            await propose(at, seat, PAUSE)
        await bot.answer(decision, "x FEN")
        answer = (await bot.next()).refused
        assert (answer.refusal.reason, answer.tries_left) == ("PAUSED", 3)
        for seat in (2, 3):
            await propose(at, seat, RESUME)
        await bot.answer(await bot.decision(), "x FEN")
        assert (await bot.decision()).revision == 1


async def test_chat_of_a_player_reaches_everybody(session: Session) -> None:
    """Players and spectators get the line with seat, name and time."""
    at = await table(session)
    player, spectator = at.watch(token=at.tokens[1]), at.watch()
    for stream in (player, spectator):
        await updates(stream, 1)
    line = await say(at, 1, "  good   luck ")
    assert (line.seat, line.text) == (1, "good luck")
    for stream in (player, spectator):
        assert (await next_chat(stream)) == line


@pytest.mark.parametrize("text", ["👨\u200d👩\u200d👧", "❤\ufe0f\u200d🔥 👩🏽\u200d🚀"])
async def test_joined_emoji_are_chat_and_no_names(session: Session, text: str) -> None:
    """The joiner is accepted between emoji of the chat alone."""
    at = await table(session)
    assert (await say(at, 1, text)).text == text
    for wrong in ("a\u200db", "\u200d", f"{text}\u200d"):
        assert (await refused(say(at, 1, wrong))).reason == "BAD_CHAT"
    with pytest.raises(ServiceError):
        check_name(f"Ann {text}")


async def next_chat(stream: object) -> match_pb2.ChatLine:
    """Return the next chat line of a stream."""
    while True:
        response = await within(stream.read())  # type: ignore[attr-defined]  # a call of grpc.aio
        if response.HasField("chat"):
            line: match_pb2.ChatLine = response.chat
            return line


async def test_chat_of_a_spectator_reaches_spectators_only(session: Session) -> None:
    """Players get these lines when the game is over."""
    at = await table(session)
    player, spectator = at.watch(token=at.tokens[1]), at.watch()
    for stream in (player, spectator):
        await updates(stream, 1)
    secret = await say(at, 0, "seat 1 should take COL", name="Eve")
    public = await say(at, 2, "hm")
    assert await next_chat(spectator) == secret
    assert await next_chat(player) == public


async def test_earlier_chat_is_sent_to_later_watchers(database: Path) -> None:
    """Earlier lines are sent from a given number on, so that none is repeated, after a restart too."""
    async with serving(database) as (_, session):
        at = await table(session)
        first = await say(at, 1, "one")
        await say(at, 0, "hidden", name="Eve")
        second = await say(at, 2, "two")
    async with serving(database) as (_, session):
        at = Table(session, at.match_id, at.host, at.tokens)
        assert await heard(at, at.tokens[0], 0) == [first, second]
        assert await heard(at, at.tokens[0], first.number) == [second]
        assert [line.text for line in await heard(at, "", 0)] == ["one", "hidden", "two"]


async def heard(at: Table, token: str, after: int) -> list[match_pb2.ChatLine]:
    """Return the chat lines that a new watcher receives before the first update."""
    request = match_pb2.WatchRequest(match_id=at.match_id, chat_after=after)
    stream: Any = at.session.match.Watch(request, metadata=bearer(token) if token else ())
    lines = []
    while not (response := await within(stream.read())).HasField("update"):
        if response.HasField("chat"):
            lines.append(response.chat)
    return lines


@pytest.mark.parametrize("text", ["", "   ", "x" * 301, "a\x1b[2Jb"])
async def test_invalid_chat_is_refused(session: Session, text: str) -> None:
    """Empty lines, lines that are too long, and control characters are refused."""
    at = await table(session)
    assert (await refused(say(at, 1, text))).reason == "BAD_CHAT"


async def test_ended_match_is_final(database: Path) -> None:
    """Watchers get the reason, actions are refused, and a restart changes nothing."""
    store = Store(database)
    lobby = Lobby(store)
    made, _ = await lobby.create(lobby_pb2.CreateMatchRequest(position=EASY))
    await consensus.end(made, "the pub closes")
    await lobby.close()
    store.close()
    async with serving(database) as (_, session):
        at = Table(session, made.match_id, "", ())
        match = await at.get()
        assert (match.status, match.ended) == (lobby_pb2.MATCH_STATUS_ENDED, "the pub closes")
        stream = at.watch(0)
        match.spectators = 1  # this stream
        assert (await within(stream.read())).match == match
        joining = lobby_pb2.JoinMatchRequest(match_id=made.match_id)
        failure = await refused(session.lobby.JoinMatch(joining))
        assert (failure.reason, "the pub closes" in failure.message) == ("MATCH_ENDED", True)


async def test_forfeited_seat_does_not_block_a_proposal(session: Session) -> None:
    """The proposal takes effect when the other seats confirm their agreement."""
    at = await table(session)
    await paused(at)
    await propose(at, 2, RESUME)
    await propose(at, 3, RESUME)
    await at.act(1, "forfeit 1")
    assert not (await propose(at, 3, RESUME)).paused


async def test_agreed_proposal_takes_effect_after_a_kill(database: Path) -> None:
    """The log may hold the last vote but not its effect."""
    async with serving(database) as (_, session):
        at = await table(session)
        await propose(at, 1, PAUSE)
        await propose(at, 2, PAUSE)
    text = '{"kind": "pause", "seat": null, "agrees": true}'
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(
            "INSERT INTO log SELECT match, MAX(sequence) + 1, 'propose', 3, '', NULL, ?, chance, time, '', '' FROM log",
            (text,),
        )
    async with serving(database) as (_, session):
        at = Table(session, at.match_id, at.host, at.tokens)
        assert not (await at.get()).paused
        assert (await propose(at, 3, PAUSE)).paused


async def test_chat_line_during_the_start_of_a_watch_arrives_once(server: Server, session: Session) -> None:
    """The line is not sent both as an earlier and as a new one."""
    at = await table(session)
    context: Any = SimpleNamespace(invocation_metadata=dict, peer=str)
    request = match_pb2.WatchRequest(match_id=at.match_id, chat_after=0)
    stream = MatchService(server.lobby, Admission(OPEN, USUAL, Metrics())).watch(request, context)
    assert (await anext(stream)).HasField("match")
    await say(at, 1, "hello")
    await say(at, 1, "bye")
    events: list[str] = []
    async for response in stream:
        if response.HasField("update"):
            await say(at, 1, "end")
        if response.HasField("chat"):
            events.append(response.chat.text)
        if "end" in events:
            break
    assert events == ["hello", "bye", "end"]


async def test_chat_of_spectators_has_its_own_limit(server: Server, session: Session) -> None:
    """Lines of spectators do not displace lines of players."""
    at = await table(session)
    match = await server.lobby.get(at.match_id)
    await say(at, 1, "hello")
    for number in range(250):
        await consensus.say(match, None, "10.0.0.1", "", f"line {number}")
    await say(at, 1, "bye")
    request = match_pb2.WatchRequest(match_id=at.match_id, chat_after=0)
    lines = []
    async for response in session.match.Watch(request, metadata=bearer(at.tokens[1])):
        if response.HasField("chat"):
            lines.append(response.chat.text)
        if response.HasField("update"):
            break
    assert lines == ["hello", "bye"]


async def test_objection_never_accepts_a_proposal(session: Session) -> None:
    """This holds even if no other seat can vote."""
    made = await create(session, HUMAN, DUMMY, DUMMY, start_when_full=True)
    token = (await join(session, made.match.match_id)).seat_token
    at = Table(session, made.match.match_id, made.host_token, (token,))
    match = await propose(at, 1, lobby_pb2.PROPOSAL_KIND_SUBSTITUTE, about=1, withdraw=True)
    assert not match.seats[0].substituted


async def test_chat_is_limited_by_seat_host_and_spectators(
    server: Server, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consensus, "MOST_LINES", 3)
    monkeypatch.setattr(consensus, "MOST_SPECTATOR_LINES", 5)
    at = await table(session)
    for number in range(3):
        await say(at, 1, f"{number}")
        await say(at, 0, f"{number}")
    error = await refused(say(at, 1, "more"))
    assert (error.reason, error.facts) == ("TOO_MUCH_CHAT", {"which": "SEAT", "seat": "1", "most": "3"})
    error = await refused(say(at, 0, "more"))
    assert (error.reason, error.facts) == ("TOO_MUCH_CHAT", {"which": "SPECTATORS", "most": "3"})
    await say(at, 2, "hello")
    match = await server.lobby.get(at.match_id)
    for _ in range(2):
        await consensus.say(match, None, "10.0.0.2", "", "hello")
    with pytest.raises(ServiceError) as caught:
        await consensus.say(match, None, "10.0.0.3", "", "hello")
    assert caught.value.facts == {"which": "SPECTATORS", "most": "5"}


async def test_chat_lines_of_a_host_need_an_interval(database: Path) -> None:
    server = await Server.start("127.0.0.1", 0, database, limits=Limits(chat_lines_per_minute=12))
    try:
        async with Session(address(server)) as session:
            at = await table(session)
            for _ in range(2):
                await say(at, 1, "hello")
            error = await refused(say(at, 2, "hello"))
            assert (error.reason, error.facts["limit"]) == ("RATE_LIMITED", "chat_lines_per_minute")
            assert 3 < float(error.facts["retry_after"]) <= 5
    finally:
        await server.stop()


async def test_emoji_in_chat_are_stored_unchanged(server: Server, session: Session) -> None:
    at = await table(session)
    assert (await say(at, 1, "\N{FOX FACE}" * 300)).text == "\N{FOX FACE}" * 300
    stored = await server._store.load(at.match_id)
    assert len(stored.rows[-1].text.encode()) < 1300


async def test_spectator_cannot_use_the_name_of_a_player(session: Session) -> None:
    made = await create(session, HUMAN, HUMAN, DUMMY)
    at = Table(session, made.match.match_id, "", ())
    await join(session, at.match_id, player="Ann")
    names = [(await say(at, 0, "hm", name)).name for name in ("Ann", "ann", "Eve", "")]
    assert names == ["Ann (2)", "ann (2)", "Eve", "spectator"]
    for name, which in (("dummy", "KEPT"), ("\u0410nn", "ALIKE")):
        assert (await refused(say(at, 0, "hm", name))).facts["which"] == which

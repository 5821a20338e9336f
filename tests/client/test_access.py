"""Access of a client to a server, and its behaviour at rate limits."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic

import grpc
import pytest

from tests.support.server.in_process import EASY, HUMAN, SOON, Table, address, bot_seat, table, within
from vinci.v1 import bot_pb2, game_pb2, lobby_pb2
from vinci_client import bot
from vinci_client.access import Access, BadAccess
from vinci_client.errors import ServerRefused, retry_after
from vinci_client.session import Session
from vinci_server.app import Server
from vinci_server.limits import Limits
from vinci_server.rpc import access as of_server
from vinci_server.rpc import certificate

CODE = "k3f9-xa2m"
FINGERPRINT = "0123-4567-89ab-cdef"
INFO = lobby_pb2.GetServerInfoRequest()
SMALL = lobby_pb2.CreateMatchRequest(seats=[HUMAN] * 3, board="tiny")


@asynccontextmanager
async def limited(
    database: Path, access: of_server.ServerAccess = of_server.OPEN, **numbers: int
) -> AsyncIterator[Server]:
    """Start a server with these limits; yield it with a session."""
    server = await Server.start("127.0.0.1", 0, database, access=access, limits=Limits(**numbers))
    try:
        yield server
    finally:
        await server.stop()


async def exhausted(call: Callable[[], Awaitable[object]]) -> None:
    """Make concurrent calls until one is refused by the rate limit."""
    with contextlib.suppress(grpc.aio.AioRpcError):
        while True:
            await call()


@pytest.mark.parametrize("typed", [CODE, "K3F9XA2M", "k3f9 xa2m", " K3F9-xa2m-"])
def test_code_ignores_case_and_separators(typed: str) -> None:
    assert Access(typed).metadata() == (("vinci-access", "k3f9xa2m"),)
    assert not Access(typed).fingerprint


def test_similar_letters_of_a_code_are_equal() -> None:
    assert Access("oOiI-lL01").metadata() == Access("0011-1101").metadata()


def test_fingerprint_of_a_code_is_not_sent() -> None:
    access = Access(f"{CODE}-{FINGERPRINT}")
    assert access.metadata() == (("vinci-access", "k3f9xa2m"),)
    assert access.fingerprint == "0123456789abcdef"


@pytest.mark.parametrize(
    "code", ["abc", "k3f9-xa2", "k3f9-xa2m-0123", f"{CODE}-{FINGERPRINT}-0", "k3f9-xa2u", "k3f9-xä2m", "-", "x" * 9999]
)
def test_malformed_code_is_refused_with_an_example(code: str) -> None:
    with pytest.raises(BadAccess, match="k3f9-xa2m") as caught:
        Access(code)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("password", ["schön", "x" * 65, " x"])
def test_invalid_password_is_refused(password: str) -> None:
    with pytest.raises(BadAccess, match="printable ASCII"):
        Access(password=password)


def test_code_and_password_exclude_each_other() -> None:
    with pytest.raises(BadAccess, match="leave out one"):
        Access(CODE, "secret")


async def test_file_without_certificates_is_named(tmp_path: Path) -> None:
    (tmp_path / "junk").write_text("junk", encoding="utf-8")
    for name, expected in (("junk", "junk contains no certificates"), ("none", "none cannot be read")):
        with pytest.raises(BadAccess, match=expected):
            async with Session("127.0.0.1:1", Access(tls=str(tmp_path / name))):
                pass


async def test_session_waits_as_long_as_told_and_retries(database: Path) -> None:
    async with limited(database, calls_per_second=2) as server, Session(address(server)) as session:
        await exhausted(lambda: session.lobby.GetServerInfo(INFO))
        assert (await within(session.call(session.lobby.GetServerInfo, INFO))).version


async def test_delayed_match_is_created_once(database: Path) -> None:
    async with limited(database, matches_per_minute=60) as server, Session(address(server)) as session:
        await exhausted(lambda: session.lobby.CreateMatch(SMALL))
        listed = lobby_pb2.ListMatchesRequest(page_size=1)
        newest = (await session.lobby.ListMatches(listed)).matches[0].match_id
        made = await within(session.create(SMALL))
        page = (await session.lobby.ListMatches(lobby_pb2.ListMatchesRequest(page_size=2))).matches
        assert [match.match_id for match in page] == [made.match.match_id, newest]


async def test_delayed_action_is_played_once(database: Path) -> None:
    async with limited(database, calls_per_second=2) as server, Session(address(server)) as session:
        at = await rested(session)
        await exhausted(at.get)
        answer = await within(session.act(at.match_id, at.tokens[0], [game_pb2.Action(notation="x FEN")], 0))
        assert (answer.revision, answer.repeated_request) == (1, False)
        await asyncio.sleep(1)
        assert (await at.get()).revision == 1


async def rested(session: Session) -> Table:
    """Return a table on a server with few calls a second, after a pause in which some calls were saved up."""
    at = await table(session, EASY)
    await asyncio.sleep(1)
    return at


async def test_delayed_watch_misses_nothing(database: Path) -> None:
    async with limited(database, calls_per_second=2) as server, Session(address(server)) as session:
        at = await rested(session)
        await session.act(at.match_id, at.tokens[0], [game_pb2.Action(notation="x FEN")], 0)
        await exhausted(at.get)
        revisions = []
        async with asyncio.timeout(SOON):
            async for response in session.watch(at.match_id, from_revision=0):
                if response.HasField("update"):
                    revisions.append(response.update.revision)
                    if response.update.revision == 1:
                        break
        assert revisions == [0, 1]


async def test_delayed_bot_plays(database: Path) -> None:
    async def choose(_decision: bot_pb2.Decision) -> list[game_pb2.Action]:
        return []

    async with limited(database, calls_per_second=2) as server, Session(address(server)) as session:
        await session.create(lobby_pb2.CreateMatchRequest(seats=[bot_seat("ada")] * 3, board="tiny"))
        await exhausted(lambda: session.lobby.GetServerInfo(INFO))
        events: list[str] = []
        playing = asyncio.create_task(
            bot.play(address(server), bot_pb2.Hello(name="ada", games=3), choose, on_event=events.append)
        )
        async with asyncio.timeout(SOON):
            while not any("seat 1 of match" in text for text in events):
                await asyncio.sleep(0.02)
        playing.cancel()
    assert "limited to 2 calls a second" in events[0]


async def test_too_long_wait_raises_the_refusal(database: Path) -> None:
    async with limited(database, matches_per_minute=1) as server, Session(address(server)) as session:
        await session.create(SMALL)
        start = monotonic()
        with pytest.raises(ServerRefused) as caught:
            await session.create(SMALL)
        assert float(caught.value.facts["retry_after"]) > 30
        assert retry_after(caught.value) is None
        assert monotonic() - start < 30


async def test_permanent_refusal_is_not_retried(database: Path) -> None:
    async with limited(database, matches=1) as server, Session(address(server)) as session:
        await session.create(SMALL)
        with pytest.raises(ServerRefused) as caught:
            await session.create(SMALL)
        assert (caught.value.reason, retry_after(caught.value)) == ("TOO_MANY_MATCHES", None)


async def test_bot_and_watch_reconnect_over_tls_after_a_restart(database: Path) -> None:
    own = certificate.own(database)
    code = of_server.join_code(database, own)
    door = of_server.ServerAccess(code=code, certificate=own)
    first = await Server.start("127.0.0.1", 0, database, access=door)
    connections: list[bool] = []
    events: list[str] = []

    async def choose(_decision: bot_pb2.Decision) -> list[game_pb2.Action]:
        await asyncio.Event().wait()
        return []

    playing = asyncio.create_task(
        bot.play(address(first), bot_pb2.Hello(name="ada"), choose, access=Access(code), on_event=events.append)
    )
    async with Session(address(first), Access(code)) as session, asyncio.timeout(SOON):
        made = await session.create(lobby_pb2.CreateMatchRequest(seats=[bot_seat("ada"), HUMAN, HUMAN], board="tiny"))
        stream = session.watch(made.match.match_id, on_connection=connections.append)
        await anext(stream)
        while not events:
            await asyncio.sleep(0.02)
        await first.stop()
        again = await Server.start(
            "127.0.0.1",
            first.port,
            database,
            access=of_server.ServerAccess(code=code, certificate=certificate.own(database)),
        )
        while connections != [False, True]:
            await anext(stream)
        while sum("connected to a server" in text for text in events) < 2:
            await asyncio.sleep(0.02)
    playing.cancel()
    await again.stop()


async def test_bot_without_the_right_code_raises_the_refusal(database: Path) -> None:
    own = certificate.own(database)
    door = of_server.ServerAccess(code=of_server.join_code(database, own), certificate=own)

    async def choose(_decision: bot_pb2.Decision) -> list[game_pb2.Action]:
        return []

    async with limited(database, access=door) as server:
        secret = of_server.join_code(database, None)
        for key, reason in (
            (Access(), "NEEDS_TLS"),
            (Access(f"{secret}-{FINGERPRINT}"), "WRONG_SERVER"),
            (Access(f"0000-0000-{own.fingerprint()}"), "BAD_ACCESS"),
        ):
            with pytest.raises(ServerRefused) as caught:
                await within(bot.play(address(server), bot_pb2.Hello(name="ada"), choose, access=key))
            assert caught.value.reason == reason

"""A server in this process on a free local port, and helpers for its calls."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import grpc
import pytest

from vinci.v1 import bot_pb2, game_pb2, lobby_pb2, match_pb2
from vinci.v1.bot_pb2_grpc import BotServiceStub
from vinci_client.errors import ServerRefused, from_rpc
from vinci_client.session import Session
from vinci_server.app import Server

T = TypeVar("T")

SOON: Final = 60.0
"""Seconds after which a test gives up waiting for what should come at once."""

HUMAN: Final = lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_HUMAN)
DUMMY: Final = lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_DUMMY)

EASY: Final = "tiny; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR; seat 3 | AST+SLA"
"""Seat 1 is to move: FEN and COL cost 2, BOS 3, all else is out of reach; `hold ARA=10` ends its turn."""

LAST_TURN: Final = (
    "tiny; rules standard max_rounds=1; turn 3 start; "
    "seat 1 | WEA+MIL ARA=9; seat 2 | BAR+CUR COL=5; seat 3 | AST+SLA reserve=4 HAM"
)
"""Seat 3 is to move, and `hold HAM=5` ends the game."""


def bot_seat(name: str = "") -> lobby_pb2.SeatSetup:
    """Return a seat for a bot of this name."""
    return lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_BOT, bot=name)


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """Return the metadata with a token."""
    return (("authorization", f"Bearer {token}"),)


def address(server: Server) -> str:
    """Return the address of a server."""
    return f"127.0.0.1:{server.port}"


@asynccontextmanager
async def serving(database: Path, port: int = 0) -> AsyncIterator[tuple[Server, Session]]:
    """Start a server with this database and open a session with it."""
    server = await Server.start("127.0.0.1", port, database)
    try:
        async with Session(address(server)) as session:
            yield server, session
    finally:
        await server.stop()


async def refused(call: Awaitable[object]) -> ServerRefused:
    """Return the refusal of a call; fail if it succeeds or lacks our ErrorInfo."""
    with pytest.raises((grpc.aio.AioRpcError, ServerRefused)) as caught:
        async with asyncio.timeout(SOON):
            await call
    failure = from_rpc(caught.value, "") if isinstance(caught.value, grpc.aio.AioRpcError) else caught.value
    assert isinstance(failure, ServerRefused), caught.value
    assert failure.message
    return failure


@dataclass(frozen=True)
class Table:
    """A match with its tokens; `tokens[0]` is that of seat 1."""

    session: Session
    match_id: str
    host: str
    tokens: tuple[str, ...]

    async def act(
        self,
        seat: int,
        *texts: str,
        request_id: str = "request",
        revision: int | None = None,
        validate_only: bool = False,
    ) -> match_pb2.ActResponse:
        """Play actions of a seat, counted from 1."""
        request = match_pb2.ActRequest(
            match_id=self.match_id,
            request_id=request_id,
            expected_revision=revision,
            actions=[game_pb2.Action(notation=text) for text in texts],
            validate_only=validate_only,
        )
        response: match_pb2.ActResponse = await self.session.match.Act(request, metadata=bearer(self.tokens[seat - 1]))
        return response

    async def get(self) -> lobby_pb2.Match:
        """Return the public state of the match."""
        response = await self.session.lobby.GetMatch(lobby_pb2.GetMatchRequest(match_id=self.match_id))
        return response.match

    def watch(self, from_revision: int | None = None, token: str = "", **detail: bool) -> Any:
        """Return a stream of the match."""
        request = match_pb2.WatchRequest(match_id=self.match_id, from_revision=from_revision, **detail)
        return self.session.match.Watch(request, metadata=bearer(token) if token else ())

    async def record(self) -> list[str]:
        """Return the lines of the record."""
        request = match_pb2.GetRecordRequest(match_id=self.match_id)
        return list((await self.session.match.GetRecord(request)).lines)


async def create(session: Session, *setups: lobby_pb2.SeatSetup, **fields: Any) -> lobby_pb2.CreateMatchResponse:
    """Create a match with these seats, on the tiny board by default."""
    request = lobby_pb2.CreateMatchRequest(seats=setups, **({"board": "tiny"} | fields))
    response: lobby_pb2.CreateMatchResponse = await session.lobby.CreateMatch(request)
    return response


async def join(session: Session, match_id: str, seat: int = 0, **fields: Any) -> lobby_pb2.JoinMatchResponse:
    """Join a match."""
    request = lobby_pb2.JoinMatchRequest(match_id=match_id, seat=seat, **fields)
    response: lobby_pb2.JoinMatchResponse = await session.lobby.JoinMatch(request)
    return response


async def table(session: Session, position: str = EASY, **fields: Any) -> Table:
    """Start a match from a position, with a person at every seat without a dummy."""
    made = await create(session, position=position, start_when_full=True, **fields)
    tokens = [
        (await join(session, made.match.match_id, seat.seat)).seat_token
        if seat.kind == lobby_pb2.SEAT_KIND_HUMAN
        else ""
        for seat in made.match.seats
    ]
    return Table(session, made.match.match_id, made.host_token, tuple(tokens))


async def updates(stream: Any, number: int) -> list[game_pb2.Update]:
    """Return the next updates of a stream."""
    result: list[game_pb2.Update] = []
    async with asyncio.timeout(SOON):
        while len(result) < number:
            response = await stream.read()
            assert response is not grpc.aio.EOF, f"the stream ended after {len(result)} updates"
            if response.HasField("update"):
                result.append(response.update)
    return result


async def all_updates(stream: Any) -> list[game_pb2.Update]:
    """Return all updates of a stream until it ends."""
    result = []
    async with asyncio.timeout(SOON):
        while (response := await stream.read()) is not grpc.aio.EOF:
            if response.HasField("update"):
                result.append(response.update)
    return result


def multiply(database: Path, number: int) -> list[str]:
    """Copy the matches of a database, which no server has open, that many times; return their ids."""
    copies = [f"copy{place}" for place in range(number)]
    connection = sqlite3.connect(database)
    originals = [row[0] for row in connection.execute("SELECT id FROM match")]
    for table_, key in (("match", "id"), ("log", "match"), ("snapshot", "match")):
        columns = ", ".join(row[1] for row in connection.execute(f"PRAGMA table_info({table_})") if row[1] != key)
        connection.executemany(
            f"INSERT INTO {table_} ({key}, {columns}) SELECT ?, {columns} FROM {table_} WHERE {key} = ?",
            [(copy, originals[place % len(originals)]) for place, copy in enumerate(copies)],
        )
    connection.commit()
    connection.close()
    return copies


class BotStream:
    """A bot's stream, one message at a time."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._call: Any = BotServiceStub(channel).Play()

    async def hello(self, name: str = "ada", *, tokens: Sequence[str] = (), **fields: Any) -> bot_pb2.Welcome:
        """Send the hello message; return the welcome."""
        await self.send(bot_pb2.PlayRequest(hello=bot_pb2.Hello(name=name, seat_tokens=tokens, **fields)))
        response = await self.next()
        assert response.HasField("welcome")
        welcome: bot_pb2.Welcome = response.welcome
        return welcome

    async def pinged(self) -> None:
        """Wait for a ping, which the server sends when it counts the bot as connected: after the welcome."""
        async with asyncio.timeout(SOON):
            while not (await self._call.read()).HasField("ping"):
                pass

    async def send(self, request: bot_pb2.PlayRequest) -> None:
        """Send a message."""
        await self._call.write(request)

    async def answer(self, decision: bot_pb2.Decision, *texts: str) -> None:
        """Answer a decision."""
        answer = bot_pb2.Answer(
            match_id=decision.match_id,
            seat=decision.seat,
            revision=decision.revision,
            actions=[game_pb2.Action(notation=text) for text in texts],
        )
        await self.send(bot_pb2.PlayRequest(answer=answer))

    async def next(self) -> Any:
        """Return the next message other than a ping, or EOF at the end."""
        async with asyncio.timeout(SOON):
            while True:
                response = await self._call.read()
                if response is grpc.aio.EOF or not response.HasField("ping"):
                    return response

    async def ping(self) -> match_pb2.Ping:
        """Return the next ping; messages before it are dropped."""
        async with asyncio.timeout(SOON):
            while not (response := await self._call.read()).HasField("ping"):
                pass
        result: match_pb2.Ping = response.ping
        return result

    async def decision(self) -> bot_pb2.Decision:
        """Return the next message, which must be a decision."""
        response = await self.next()
        assert response.HasField("decision"), response
        result: bot_pb2.Decision = response.decision
        return result

    async def done(self) -> None:
        """Half-close the stream."""
        await self._call.done_writing()

    def cancel(self) -> None:
        """Break the stream."""
        self._call.cancel()


@asynccontextmanager
async def bot_stream(server: Server) -> AsyncIterator[BotStream]:
    """Open a bot stream with its own channel."""
    async with grpc.aio.insecure_channel(address(server)) as channel:
        stream = BotStream(channel)
        yield stream
        stream.cancel()


async def eventually(holds: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(SOON):
        while not holds():
            await asyncio.sleep(0.02)


async def until_connected(session: Session, match_id: str, seat: int, connected: bool) -> None:
    """Wait until the player of a seat is connected, or is not; a lobby sends no events."""
    async with asyncio.timeout(SOON):
        while (await session.get(match_id)).seats[seat - 1].connected != connected:
            await asyncio.sleep(0.02)


@asynccontextmanager
async def played(session: Session, match_id: str, seat: int, token: str) -> AsyncIterator[None]:
    """Be connected as the player of a seat as long as this is entered."""

    async def follow() -> None:
        async for _ in session.watch(match_id, token):
            pass

    following = asyncio.create_task(follow())
    try:
        await until_connected(session, match_id, seat, True)
        yield
    finally:
        following.cancel()
    await until_connected(session, match_id, seat, False)


async def within(call: Awaitable[T]) -> T:
    """Return the result of an awaitable that should be quick."""
    async with asyncio.timeout(SOON):
        return await call

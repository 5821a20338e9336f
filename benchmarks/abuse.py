"""A process that abuses a server from another address of this machine, and a pair of players who should not notice.

The abuser writes HTTP/2 by hand, because a library would not send what is wrong. Rates are limited, and it is niced.
Started as a program, it takes an address, seconds and names of attacks, and prints how often each was made.
"""

import asyncio
import json
import os
import random
import socket
import struct
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from time import perf_counter
from typing import Any, Final

import grpc

from vinci.v1 import lobby_pb2, match_pb2
from vinci_client.session import Session

from .figures import Figure, Target
from .load import choose
from .processes import Process, vinci

ABUSER: Final = "127.0.0.2"
LOW: Final = 19
"""Niceness: the abuser stands for other machines, which take no time of this one."""
BURST: Final = 50
"""Streams, frames or messages that are sent at once."""
HELD_SECONDS: Final = 12.0
"""Longer than the server waits for a first message."""

DATA, HEADERS, RST_STREAM, SETTINGS, PING, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 8, 9
END_STREAM, END_HEADERS = 1, 4
CANCEL: Final = struct.pack(">I", 8)
WATCH: Final = "/vinci.v1.MatchService/Watch"
CALLS: Final = (WATCH, "/vinci.v1.MatchService/Act", "/vinci.v1.LobbyService/GetMatch", "/vinci.v1.BotService/Play")


ROUNDS: Final = 5
CONTROL_SECONDS: Final = 15.0
ABUSE_SECONDS: Final = 60.0
THINKING_SECONDS: Final = 0.03


def figures() -> Iterator[Figure]:
    """Calls of a pair of players that failed, and their round trips, while another address abuses the server."""
    with vinci() as (_, address):
        calm, abused = asyncio.run(_rounds(address))
    for failure, number in Counter(abused.failed).items():
        _progress(f"{number} x {failure}")
    yield Figure("abuse.failed", len(abused.failed), "calls", len(abused.took), Target(0, at_most=True))
    own, reference = (sorted(pair.took)[len(pair.took) * 99 // 100] for pair in (abused, calm))
    yield Figure("abuse.roundtrip.p99", own, "ms", reference, Target(3, at_most=True, of_ratio=True))


async def _rounds(address: str) -> tuple["Pair", "Pair"]:
    """Return what a pair found without and with abuse, which take turns."""
    pairs = Pair(address), Pair(address)
    for number in range(ROUNDS):
        for pair, seconds in zip(pairs, (CONTROL_SECONDS, ABUSE_SECONDS), strict=True):
            _progress(
                f"round {number + 1} of {ROUNDS}, {seconds:.0f} s {'of abuse' if pair is pairs[1] else 'without'}"
            )
            playing = asyncio.create_task(pair.play())
            if pair is pairs[1]:
                with Process("benchmarks.abuse", address, str(seconds)) as abuser:
                    _progress(await asyncio.to_thread(abuser.line))
            else:
                await asyncio.wait([playing], timeout=seconds)
            playing.cancel()
            with suppress(asyncio.CancelledError):
                await playing
    return pairs


def _progress(text: str) -> None:
    print(f"# {time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def frame(kind: int, stream: int = 0, payload: bytes = b"", flags: int = 0) -> bytes:
    """Return a frame of HTTP/2."""
    return struct.pack(">I", len(payload))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + payload


PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS)


def block(path: str) -> bytes:
    """Return the headers of a call as literals without compression."""
    names = ((":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "vinci"))
    return b"".join(
        b"\0" + b"".join(bytes([len(text)]) + text.encode() for text in pair)
        for pair in (*names, ("te", "trailers"), ("content-type", "application/grpc"))
    )


def call(stream: int, path: str = "") -> bytes:
    """Return the beginning of a call, of any one without a path."""
    return frame(HEADERS, stream, block(path or random.choice(CALLS)), END_HEADERS)


def message(stream: int, data: bytes, flags: int = END_STREAM) -> bytes:
    """Return a message of a call, its last one unless `flags` is 0."""
    return frame(DATA, stream, b"\0" + struct.pack(">I", len(data)) + data, flags)


@dataclass
class Line:
    """A connection of the abuser; what the server sends is thrown away."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    streams: Iterator[int] = field(default_factory=lambda: count(1, 2))

    async def send(self, data: bytes) -> None:
        """Send bytes."""
        self.writer.write(data)
        await self.writer.drain()

    async def rest(self, seconds: float) -> None:
        """Read for a while. Raises OSError if the server has closed the connection."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while await self.reader.read(65536):
                    pass
                raise ConnectionResetError


Attack = Callable[[Line], Awaitable[int]]
"""Does something wrong over a connection; returns how often."""


async def connections(_line: Line) -> int:
    """Connect and leave at once."""
    return 1


async def resets(line: Line) -> int:
    """Begin calls and cancel them at once (CVE-2023-44487)."""
    streams = [next(line.streams) for _ in range(BURST)]
    await line.send(b"".join(call(stream) + frame(RST_STREAM, stream, CANCEL) for stream in streams))
    return BURST


async def half_open(line: Line) -> int:
    """Begin calls and send nothing more."""
    await line.send(b"".join(call(next(line.streams)) for _ in range(BURST)))
    await line.rest(HELD_SECONDS)
    return BURST


async def malformed(line: Line) -> int:
    """Send messages of random bytes."""
    for _ in range(BURST):
        stream = next(line.streams)
        await line.send(call(stream) + message(stream, random.randbytes(200)))
    return BURST


async def unknown(line: Line) -> int:
    """Call what there is not."""
    streams = [next(line.streams) for _ in range(BURST)]
    await line.send(b"".join(call(stream, "/vinci.v1.Nothing/Here") + message(stream, b"") for stream in streams))
    return BURST


async def calls(line: Line) -> int:
    """Make calls that are refused by the rate."""
    streams = [next(line.streams) for _ in range(BURST)]
    await line.send(b"".join(call(stream) + message(stream, b"\n\1x") for stream in streams))
    return BURST


async def slow(line: Line) -> int:
    """Send a message a byte at a time."""
    stream = next(line.streams)
    await line.send(call(stream) + frame(DATA, stream, b"\0\0\0\1\0"))
    for _ in range(BURST):
        await line.send(frame(DATA, stream, b"x"))
        await line.rest(0.1)
    return 1


async def frames(line: Line) -> int:
    """Send pings, settings and windows."""
    await line.send((frame(PING, payload=bytes(8)) + frame(SETTINGS)) * BURST)
    return BURST


async def wrong_frames(line: Line) -> int:
    """Break the protocol: data and resets of no stream, a block that never ends, a window of nothing."""
    stream = next(line.streams)
    await line.send(
        random.choice(
            (
                frame(DATA, 0, b"x"),
                frame(RST_STREAM, 99, CANCEL) * BURST,
                frame(HEADERS, stream, b"\0") + frame(CONTINUATION, stream, b"\1x" * 100) * BURST,
                frame(WINDOW_UPDATE, 0, bytes(4)),
                frame(SETTINGS, payload=b"x"),
                frame(77, stream, b"x"),
                frame(HEADERS, stream, b"\xff" * 100, END_HEADERS),
                random.randbytes(100),
            )
        )
    )
    return 1


async def unread(line: Line) -> int:
    """Begin calls with a window of nothing, so that their answers cannot be sent."""
    await line.send(frame(SETTINGS, payload=struct.pack(">HI", 4, 0)))
    streams = [next(line.streams) for _ in range(BURST)]
    await line.send(b"".join(call(stream, WATCH) + message(stream, b"\n\1x") for stream in streams))
    await line.rest(HELD_SECONDS)
    return BURST


async def breaks(line: Line) -> int:
    """Begin calls and break the connection, without a word to the server."""
    await line.send(b"".join(call(next(line.streams)) for _ in range(BURST)))
    line.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return BURST


ATTACKS: Final[dict[Attack, float]] = {
    connections: 500,
    resets: 40,
    half_open: 7,
    malformed: 2,
    unknown: 10,
    calls: 10,
    slow: 8,
    frames: 10,
    wrong_frames: 50,
    unread: 2,
    breaks: 5,
}
"""Beginnings of each attack in a second."""
MOST_LINES: Final = 200
"""Connections that an attack has at the same time."""


async def abuse(address: str, seconds: float, names: Sequence[str]) -> Counter[str]:
    """Abuse a server for a while by attacks of these names, all if there are none; returns how often."""
    os.setpriority(os.PRIO_PROCESS, 0, LOW)
    host, _, port = address.rpartition(":")
    done: Counter[str] = Counter()

    async def attack(one: Attack) -> None:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection(host, int(port), local_addr=(ABUSER, 0))
            try:
                line = Line(reader, writer)
                await line.send(PREFACE)
                done[one.__name__] += await one(line)
            finally:
                writer.close()

    async def repeat(one: Attack, rate: float) -> None:
        limit = asyncio.Semaphore(MOST_LINES)
        async with asyncio.TaskGroup() as group:
            for number in count():
                await asyncio.sleep(begin + number / rate - perf_counter())
                await limit.acquire()
                group.create_task(attack(one)).add_done_callback(lambda _: limit.release())

    begin = perf_counter()
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds), asyncio.TaskGroup() as group:
            for one, rate in ATTACKS.items():
                if not names or one.__name__ in names:
                    group.create_task(repeat(one, rate))
    return done


@dataclass
class Pair:
    """Two people and a dummy who play one game after another, each with a connection and a watch.

    No call is repeated by the library: what fails is counted, then repeated as docs/errors.md says.
    """

    address: str
    took: list[float] = field(default_factory=list)
    """Milliseconds of each `Act` that was answered."""
    failed: list[str] = field(default_factory=list)
    """Calls and watches that ended without their result."""

    async def play(self) -> None:
        """Play until cancelled."""
        while True:
            async with Session(self.address) as first, Session(self.address) as second:
                human, dummy = lobby_pb2.SEAT_KIND_HUMAN, lobby_pb2.SEAT_KIND_DUMMY
                seats = [lobby_pb2.SeatSetup(kind=kind) for kind in (human, human, dummy)]
                request = lobby_pb2.CreateMatchRequest(seats=seats, start_when_full=True)
                match_id = (await first.create(request)).match.match_id
                joined = [(one, await one.join(match_id)) for one in (first, second)]
                async with asyncio.TaskGroup() as group:
                    for session, seat in joined:
                        group.create_task(self._follow(session, match_id, seat.seat, seat.seat_token))

    async def _follow(self, session: Session, match_id: str, seat: int, token: str) -> None:
        random_ = random.Random(seat)
        metadata = (("authorization", f"Bearer {token}"),)
        request = match_pb2.WatchRequest(match_id=match_id, state=True, legal=True, from_revision=0)
        while True:
            try:
                async for response in session.match.Watch(request, metadata=metadata):
                    if not response.HasField("update"):
                        continue
                    update = response.update
                    request.from_revision = update.revision + 1
                    if update.state.seat_to_act == seat:
                        await asyncio.sleep(THINKING_SECONDS)
                        act = match_pb2.ActRequest(
                            match_id=match_id,
                            request_id=f"{seat}-{update.revision}",
                            expected_revision=update.revision,
                            actions=[choose(update.legal, random_)],
                        )
                        await self._act(session, act, metadata)
            except grpc.aio.AioRpcError as error:
                self.failed.append(f"Watch {error.code().name} {error.details()}")
                await asyncio.sleep(0.3)
            else:
                return

    async def _act(self, session: Session, request: match_pb2.ActRequest, metadata: Any) -> None:
        while True:
            start = perf_counter()
            try:
                await session.match.Act(request, metadata=metadata, timeout=20)
            except grpc.aio.AioRpcError as error:
                self.failed.append(f"Act {error.code().name} {error.details()}")
                await asyncio.sleep(0.3)
            else:
                self.took.append(1000 * (perf_counter() - start))
                return


if __name__ == "__main__":
    print(json.dumps(asyncio.run(abuse(sys.argv[1], float(sys.argv[2]), sys.argv[3:]))), flush=True)

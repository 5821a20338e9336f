"""Random requests: none makes the server fail, and nothing of them is left."""

import asyncio
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
import structlog

from tests.support.server.in_process import SOON, eventually
from tests.support.server.over_http import JSON, web_server
from vinci.v1 import bot_pb2, lobby_pb2, match_pb2
from vinci_server.limits import Limits

ROUNDS, AT_ONCE = 40, 16
UNLIMITED = Limits(calls_per_second=1_000_000, cpu_milliseconds_per_second=1_000_000, wrong_codes_per_minute=1_000_000)
SERVICES = (lobby_pb2, match_pb2, bot_pb2)
CALLS = [
    f"/{service.full_name}/{method.name}"
    for module in SERVICES
    for service in module.DESCRIPTOR.services_by_name.values()
    for method in service.methods
]
PATHS = [*CALLS, "/", "/qr", "/m/x", "/%00", "//", "/vinci.v1.LobbyService/", "/a?b#c"]
NAMES = (
    "matchId",
    "hello",
    "name",
    "requests",
    "answer",
    "seats",
    "actions",
    "match_id",
    "revision",
    "seat",
    "kind",
    "x",
)
TYPES = (JSON, JSON, "application/proto", "application/connect+json", "application/connect+proto", "text/plain", "")
HEADERS = (
    *("authorization", "connect-timeout-ms", "content-encoding", "connect-content-encoding", "accept-encoding"),
    *("connect-protocol-version", "connection", "upgrade", "x-forwarded-for", "range", "if-none-match", "origin"),
)
VALUES = ("Bearer x", "gzip", "1", "0", "-5", "99999999999", "upgrade", "websocket", "close", "\xff\xfe", "")


def value(chance: Random, depth: int = 0) -> Any:
    """Return a random JSON value."""
    kind = chance.random()
    if depth > 3 or kind < 0.3:
        return chance.choice([None, 1, -1, 2**70, 1.5, True, "x", "", "\ud800", [], {}])
    if kind < 0.6:
        return [value(chance, depth + 1) for _ in range(chance.randrange(4))]
    return {chance.choice(NAMES): value(chance, depth + 1) for _ in range(chance.randrange(5))}


def body(chance: Random, match_id: str) -> bytes:
    """Return a random body, which may be a message, an envelope or neither."""
    known = json.dumps({"matchId": match_id}).encode()
    given = [json.dumps(value(chance)).encode(), chance.randbytes(40), b"", known]
    return chance.choice([*given, b"\0\0\0\0\x02{}", b"\x80\xff\xff\xff\xff", b"\1\0\0\0\0"])


@pytest.mark.parametrize("seed", [1, 2])
async def test_random_requests(database: Path, seed: int) -> None:
    """Every POST is answered or opens a stream; no answer is an internal error, and no stream is left."""
    chance = Random(seed)
    statuses = set()

    async with web_server(database, limits=UNLIMITED) as (server, web):
        seats = {"board": "tiny", "seats": [{"kind": "SEAT_KIND_HUMAN"}] * 3}
        match_id = (await web.ok("LobbyService/CreateMatch", seats))["match"]["matchId"]

        async def one() -> None:
            headers = {
                "host": chance.choice(["localhost"] * 8 + ["evil.example", ""]),
                "content-type": chance.choice(TYPES),
            }
            if chance.random() < 0.3:
                headers[chance.choice(HEADERS)] = chance.choice(VALUES)
            path, sent = chance.choice(PATHS), body(chance, match_id)
            async with web.wire() as wire, asyncio.timeout(SOON):
                wire.send("POST", path, sent, headers)
                status, _ = await wire.head()
                statuses.add(status)

        with structlog.testing.capture_logs() as logs:
            for _ in range(ROUNDS):
                await asyncio.gather(*(one() for _ in range(AT_ONCE)))
        assert [line for line in logs if line["log_level"] == "error" or line["event"] == "call ended early"] == []
        assert {200, 400, 403, 404} <= statuses <= {200, 400, 401, 403, 404, 405, 409, 412, 415, 429, 501, 504}
        await eventually(lambda: not server.admission.traffic.streams)
        assert await web.ok("LobbyService/ListMatches")

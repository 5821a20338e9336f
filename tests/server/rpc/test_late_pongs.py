"""The credit for network delay: a bot that answers pings late gains no time to think."""

import sys
from pathlib import Path

import pytest

from tests.support.server.in_process import bot_stream, eventually, serving, table
from vinci.v1 import bot_pb2
from vinci_rules.state import Seat
from vinci_server.match.time.timekeeper import RoundTrip
from vinci_server.rpc.bots.connected_bot import SLACK_SECONDS, Line

LATE = 0.45


async def credit(database: Path, monkeypatch: pytest.MonkeyPatch) -> float:
    """Return the seconds that a bot of this machine is credited when it has answered a ping late."""
    monkeypatch.setattr(RoundTrip, "answered", lambda _self, _stamp: LATE)
    async with serving(database) as (server, session), bot_stream(server) as ada:
        at = await table(session)
        await ada.hello(tokens=[at.tokens[1]])
        stamp = (await ada.ping()).stamp  # it comes when the bot has its seat
        way = (await server.lobby.get(at.match_id)).timekeeper.round_trips[Seat(1)]
        await ada.send(bot_pb2.PlayRequest(pong=bot_pb2.Pong(stamp=stamp)))
        await eventually(lambda: way.seconds > 0)
        return way.seconds


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the round trip of a connection")
async def test_late_pong_counts_as_the_connection_explains(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot answers at the other end of this machine, whenever it answers."""
    assert SLACK_SECONDS < await credit(database, monkeypatch) < LATE / 2


async def test_late_pong_counts_where_the_connection_is_unknown(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind a proxy, or on another system, there is no better measurement."""
    monkeypatch.setattr(Line, "_find", lambda _self: -1)
    assert await credit(database, monkeypatch) == LATE

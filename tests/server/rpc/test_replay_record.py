"""ReplayRecord: a record that a caller sends becomes the positions of the game; a wrong one breaks off with the line."""

import json
import random
from pathlib import Path

import pytest

from tests.support.server.in_process import refused
from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client.session import Session
from vinci_rules import record
from vinci_server.errors import ServiceError
from vinci_server.match.recorded import replayed

RECORD = (Path(__file__).parents[2] / "data" / "record-WEB.jsonl").read_text(encoding="utf-8").splitlines()


async def stream(session: Session, lines: list[str]) -> list[match_pb2.ReplayRecordResponse]:
    """Return what the server streams for a record."""
    return [one async for one in session.match.ReplayRecord(match_pb2.ReplayRecordRequest(lines=lines))]


async def test_record_becomes_match_and_positions(session: Session) -> None:
    """Each line but the result is an update with the state after it."""
    first, *rest = await stream(session, RECORD)
    assert (first.match.status, first.match.match_id) == (lobby_pb2.MATCH_STATUS_OVER, "")
    assert first.match.options.edition == "WEB"
    assert first.match.revision == len(RECORD) - 2
    updates = [one.update for one in rest]
    assert [update.revision for update in updates] == list(range(len(RECORD) - 1))
    assert [update.notation for update in updates[1:]] == [json.loads(line).get("do", "") for line in RECORD[1:-1]]
    assert updates[-1].state.phase == game_pb2.PHASE_OVER
    assert [seat.vp for seat in updates[-1].state.seats] == json.loads(RECORD[-1])["result"]["vp"]


async def test_changed_line_ends_the_stream_after_what_was_right(session: Session) -> None:
    """The refusal names the line; the updates before it came."""
    lines = list(RECORD)
    lines[5] = lines[5].replace('"seat":', '"seat":1')
    received = []

    async def read() -> None:
        async for one in session.match.ReplayRecord(match_pb2.ReplayRecordRequest(lines=lines)):
            received.append(one)  # noqa: PERF401  # those before the refusal are kept

    failure = await refused(read())
    assert (failure.reason, failure.facts["line"]) == ("BAD_RECORD", "6")
    assert [one.update.revision for one in received[1:]] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("lines", [[], ["{}"], ["no JSON"], ["[]"], ['{"vinci":1}'], RECORD[1:]])
async def test_no_record_is_refused(session: Session, lines: list[str]) -> None:
    """Other files are refused at once."""
    assert (await refused(stream(session, lines))).reason == "BAD_RECORD"


def match_of(lines: list[str]) -> lobby_pb2.Match:
    """Return the match of a record."""
    first = next(replayed(lines))
    assert isinstance(first, match_pb2.ReplayRecordResponse)
    return first.match


def test_unfinished_game_has_ended() -> None:
    """A record without its result is one of a game that was not played to its end."""
    assert match_of(RECORD[:20]).status == lobby_pb2.MATCH_STATUS_ENDED


def test_names_are_printable() -> None:
    """Names are not hashed, so anything can be in them."""
    start = json.loads(RECORD[0])
    for names, shown in (
        ([" Ann ", "a\nb"], ["Ann", "a b"]),
        ("Ann", ["", ""]),
        ([7], ["", ""]),
        (["\x1b[1m", "x" * 99], ["", ""]),
    ):
        line = record.dump(start | {"names": names})
        match = match_of([line, *RECORD[1:]])
        players = [seat.player for seat in match.seats if seat.kind == lobby_pb2.SEAT_KIND_HUMAN]
        assert players == shown


def test_any_damage_is_a_refusal_that_names_a_line() -> None:
    """Whatever a record holds, the rest of the server sees an update or this refusal."""
    chance = random.Random(7)
    values = [None, -1, 10**30, 1.5, "x", "", [], {}, True, ["x"], {"a": 1}]
    for _ in range(150):
        lines = list(RECORD[:12])
        place = chance.randrange(len(lines))
        line = json.loads(lines[place])
        line[chance.choice(list(line))] = chance.choice(values)
        lines[place] = json.dumps(line)
        for one in replayed(lines):
            if isinstance(one, ServiceError):
                assert one.reason == "BAD_RECORD"
                assert 1 <= int(one.facts["line"]) <= len(lines) + 1

"""Fuzz: whatever is sent to any call, the server answers by the protocol, tells nothing of its insides, and no match is
changed but by a legal act of whoever bears the token."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import os
import random
from collections import Counter
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any, Final

import grpc
import pytest

from tests.support.server.acknowledged import AT_MOST_ONE_ROW, ONE_ROW
from tests.support.server.fuzz_target import ANSWER_SECONDS, CALLS, INSIDES, SENDABLE, Fuzzed
from tests.support.server.in_process import Table, address, refused, serving
from tests.support.server.random_messages import ODD
from vinci.v1 import lobby_pb2
from vinci_client.access import OPTIONS
from vinci_client.session import Session
from vinci_rules import record
from vinci_server.app import Server
from vinci_server.limits import USUAL, Limits
from vinci_server.rpc.access import AccessCheck, ServerAccess

PRINTABLE: Final = "".join(map(chr, range(32, 127)))
UNLIMITED: Final = Limits(**dict.fromkeys(asdict(USUAL), 2**31 - 1))
"""Nothing is too much, so that everything reaches the services."""
ROUND: Final = 5000
"""Messages after which there are new tables, since games come to their end."""
CHANGES: Final = {*ONE_ROW.values(), *chain(*AT_MOST_ONE_ROW.values()), "act", "undo", "rematch", "token"}
"""Log entries that a long fuzz must lead to in some match; without them it would test little."""


async def _snapshot(at: Table) -> tuple[bytes, list[str], str]:
    """Return all public and stored data of a match."""
    match = await at.get()
    snapshot = ""
    if match.status != lobby_pb2.MATCH_STATUS_OPEN:
        stream = at.watch(position=True)
        async with asyncio.timeout(ANSWER_SECONDS):
            assert (await stream.read()).HasField("match")
            while not (response := await stream.read()).HasField("update"):
                pass
            snapshot = response.update.position
        stream.cancel()
    return match.SerializeToString(deterministic=True), await at.record(), snapshot


async def fuzz(database: Path, number: int, seed: int, limits: Limits = UNLIMITED) -> Counter[str]:
    """Send that many messages and compare the matches with the answers; return counts by kind."""
    seed = int(os.environ.get("VINCI_FUZZ_SEED", seed))
    print(f"the same messages again: VINCI_FUZZ_SEED={seed}")  # noqa: T201  # shown when the test fails
    faults: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: faults.append(context))
    server = await Server.start("127.0.0.1", 0, database, limits=limits)
    try:
        async with Session(address(server)) as session:
            fuzzed = Fuzzed(server, session, database.parent, seed)
            await fuzzed.prepare()
            before = [await _snapshot(at) for at in fuzzed.untouched]
            for sent in range(0, number, ROUND):
                await fuzzed.open_tables()
                await fuzzed.send(min(ROUND, number - sent))
            await fuzzed.channel.close()
            for at in fuzzed.in_play:
                if lines := await at.record():
                    assert len(list(record.replay(lines))) == len(lines)
            assert [await _snapshot(at) for at in fuzzed.untouched] == before
    finally:
        await server.stop()
    changes = fuzzed.deeds.check(database)
    assert not any(key.encode() in database.read_bytes() for key in fuzzed.keys)
    print(dict(fuzzed.statuses), dict(changes))  # noqa: T201
    async with serving(database) as (_, session):
        again = [Table(session, at.match_id, at.host, at.tokens) for at in fuzzed.untouched]
        assert [await _snapshot(at) for at in again] == before
    faults = [fault for fault in faults if "PollerCompletionQueue" not in fault["message"]]  # gRPC's, of earlier tests
    assert not faults, faults
    return changes


@pytest.mark.parametrize("limits", [UNLIMITED, USUAL], ids=["unlimited", "usual"])
async def test_random_messages_do_not_harm_the_server(
    database: Path, limits: Limits, capsys: pytest.CaptureFixture[str]
) -> None:
    changes = await fuzz(database, 1500, 3, limits)
    assert changes["act"] > 0
    _check_log(capsys)


@pytest.mark.parametrize("door", [ServerAccess(code="k3f9-xa2m"), ServerAccess(password="sesame")])
async def test_random_metadata_gives_no_access(
    database: Path, door: ServerAccess, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(1)
    printable = ["".join(chance.choices(PRINTABLE, k=chance.randint(1, 300))) for _ in range(50)]
    values: list[tuple[str, Any]] = [("vinci-access", text) for text in (*SENDABLE, *printable, "k" * 6000, "k3f9-xa2")]
    values += [("vinci-access-bin", chance.randbytes(size)) for size in (0, 1, 8, 300, 5000)]
    server = await Server.start("127.0.0.1", 0, database, access=door, limits=UNLIMITED)
    reasons: Counter[str] = Counter()
    async with grpc.aio.insecure_channel(address(server), options=OPTIONS) as channel:
        for value in values:
            for service, method in chance.sample(CALLS, 3):
                many: Any = channel.stream_stream if method.client_streaming else channel.unary_stream
                call = many(f"/{service.full_name}/{method.name}")
                metadata = (value, ("authorization", "Bearer x"))
                error = await refused(
                    (call(metadata=metadata) if many == channel.stream_stream else call(b"", metadata=metadata)).read()
                )
                assert error.reason in ("NO_ACCESS", "BAD_ACCESS"), (value, error)
                assert not INSIDES.search(error.message)
                reasons[error.reason] += 1
    await server.stop()
    assert set(reasons) == {"NO_ACCESS", "BAD_ACCESS"}
    _check_log(capsys)


@pytest.mark.parametrize("door", [ServerAccess(code="k3f9-xa2m"), ServerAccess(password="sesame")])
@pytest.mark.parametrize("text", [*ODD, "k3f9\u2013xa2n", "\udcff\ud800", "\uff4b3f9xa2m", "ses\u0430me", "\u00ff" * 9])
def test_no_unicode_character_passes_as_part_of_a_code_or_password(door: ServerAccess, text: str) -> None:
    class Call:
        def invocation_metadata(self) -> list[tuple[str, str]]:
            return [("vinci-access", text)]

    assert not AccessCheck(door).lets_in(Call())


@pytest.mark.slow
@pytest.mark.timeout(1800)
async def test_hundred_thousand_messages_do_not_harm_the_server(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changes = await fuzz(database, 100_000, random.getrandbits(32))
    assert set(changes) >= CHANGES, changes
    _check_log(capsys)


def _check_log(capsys: pytest.CaptureFixture[str]) -> None:
    written = "".join(capsys.readouterr())
    assert "internal error" not in written
    assert "Traceback" not in written

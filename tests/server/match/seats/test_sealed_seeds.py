"""Sealed seeds: chosen by the creator of a match, secret until the game is over, and checked afterwards."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import hashlib
import json
import urllib.request
from pathlib import Path
from typing import Any, Final

import pytest
from google.protobuf.message import Message

from tests.support.server.in_process import (
    DUMMY,
    HUMAN,
    LAST_TURN,
    SOON,
    Table,
    address,
    all_updates,
    bearer,
    bot_seat,
    bot_stream,
    create,
    join,
    refused,
    serving,
    table,
)
from vinci.v1 import admin_pb2, game_pb2, lobby_pb2, match_pb2
from vinci_client.session import Session
from vinci_rules import record
from vinci_server.app import Server
from vinci_server.match.seats.tokens import ADMIN_FILE

SEED: Final = "5aecc9112da69100beb260b81b860a2d"
SALT: Final = "00112233445566778899aabbccddeeff"
COMMITMENT: Final = hashlib.sha256(f"{SEED}|{SALT}".encode()).hexdigest()
SALTED: Final[dict[str, Any]] = {"seed": SEED, "sealed": True, "salt": SALT}


def is_secret_in(message: object) -> bool:
    """Whether neither the seed nor the salt is in a message or text."""
    data = message.SerializeToString() if isinstance(message, Message) else str(message).encode()
    return SEED.encode() not in data and SALT.encode() not in data


async def test_seed_is_secret_until_the_game_is_over(database: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Players, bots, spectators and the admin get neither seed nor salt from any call, stream, metric or log line."""
    server = await Server.start("127.0.0.1", 0, database, metrics_at=("127.0.0.1", 0))
    received: list[object] = []
    async with Session(address(server)) as session, bot_stream(server) as bot:
        await bot.hello("ada")
        made = await create(session, bot_seat("ada"), HUMAN, DUMMY, **SALTED)
        received += [made, await bot.next()]
        match_id = made.match.match_id
        seated = await join(session, match_id, 2, nonce="n")
        await session.lobby.StartMatch(lobby_pb2.StartMatchRequest(match_id=match_id), metadata=bearer(made.host_token))
        at = Table(session, match_id, made.host_token, ("", seated.seat_token))
        detail: dict[str, Any] = {"state": True, "legal": True, "position": True}
        received += [seated, await at.watch(0, **detail).read(), await at.watch(0, at.tokens[1], **detail).read()]
        received += [await at.get(), await at.record(), await session.lobby.ListMatches(lobby_pb2.ListMatchesRequest())]
        received += [await session.match.Suggest(match_pb2.SuggestRequest(match_id=match_id))]
        admin = bearer((database.parent / ADMIN_FILE).read_text().strip())
        received += [
            await session.admin.InspectMatch(admin_pb2.InspectMatchRequest(match_id=match_id), metadata=admin),
            await session.admin.ListActivity(admin_pb2.ListActivityRequest(), metadata=admin),
        ]
        page = f"http://127.0.0.1:{server.metrics_port}/metrics"
        received += [await asyncio.to_thread(lambda: urllib.request.urlopen(page, timeout=SOON).read().decode())]
    await server.stop()
    received += [*capfd.readouterr()]
    assert made.match.commitment == COMMITMENT
    assert made.match.sealed
    assert [one for one in received if not is_secret_in(one)] == []


async def test_seed_is_revealed_and_verified_at_the_end(database: Path) -> None:
    """This holds after a restart of the server too."""
    async with serving(database) as (_, session):
        at = await table(session, LAST_TURN, **SALTED)
        assert ((await at.get()).seed, (await at.get()).commitment) == ("", COMMITMENT)
    async with serving(database) as (_, session):
        at = Table(session, at.match_id, at.host, at.tokens)
        assert is_secret_in(await at.get())
        await at.act(3, "hold HAM=5")
        match, lines = await at.get(), await at.record()
        assert (match.seed, match.commitment, match.sealed) == (SEED, COMMITMENT, True)
    first, last = json.loads(lines[0]), json.loads(lines[-1])
    assert (first["commitment"], first["sealed"], "seed" in first) == (COMMITMENT, True, False)
    assert last["reveal"] == {"seed": SEED, "salt": SALT}
    assert record.verify_chance(lines) == 0  # nothing is drawn in a last turn
    forged = record.dump(last | {"reveal": {"seed": "another", "salt": SALT}})
    with pytest.raises(record.RecordError, match="the seed revealed is not the one committed to"):
        record.verify_chance([*lines[:-1], forged])


async def test_sealed_game_draws_from_the_chosen_seed_only(session: Session) -> None:
    """The draws are those of an open game with that seed, whatever salt and nonces are."""
    picks, commitments = [], []
    for nonce, fields in (("", {"seed": SEED}), ("one", {"seed": SEED, "sealed": True}), ("two", SALTED)):
        made = await create(session, DUMMY, DUMMY, HUMAN, start_when_full=True, **fields)
        await join(session, made.match.match_id, nonce=nonce)
        first = json.loads((await Table(session, made.match.match_id, "", ()).record())[0])
        picks.append(first["picks"])
        commitments.append(first.get("commitment"))
    assert picks[0] == picks[1] == picks[2]
    assert len(picks[0]) > 12
    assert (commitments[0], commitments[2]) == (None, COMMITMENT)
    assert commitments[1] != COMMITMENT


async def test_games_with_equal_opening_seeds_begin_alike(session: Session) -> None:
    """The opening seed is in the first line of the record; later draws follow from the seed, and both are checked."""
    firsts = []
    for number in ("1", "2"):
        fields = {"seed": f"{SEED}{number}", "sealed": True, "opening_seed": "opening"}
        made = await create(session, DUMMY, DUMMY, DUMMY, start_when_full=True, **fields)
        at = Table(session, made.match.match_id, "", ())
        await all_updates(at.watch(0))
        lines = await at.record()
        firsts.append(json.loads(lines[0]))
        assert record.verify_chance(lines) > 6
    assert firsts[0]["picks"] == firsts[1]["picks"]
    assert firsts[0]["opening_seed"] == "opening"
    assert firsts[0]["commitment"] != firsts[1]["commitment"]


async def test_equal_salts_give_equal_records(session: Session) -> None:
    """All hashes are equal, so that a game of a league can be compared with its replay."""
    hashes = []
    for _ in range(2):
        made = await create(session, DUMMY, DUMMY, DUMMY, start_when_full=True, **SALTED)
        at = Table(session, made.match.match_id, "", ())
        await all_updates(at.watch(0))
        lines = await at.record()
        assert record.verify_chance(lines) > 6
        hashes.append(record.last_hash(lines))
    assert hashes[0] == hashes[1]


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"seed": SEED, "salt": SALT}, "only a sealed seed has a salt"),
        ({"sealed": True, "salt": SALT}, "only a sealed seed has a salt"),
        ({"seed": SEED, "sealed": True, "salt": "a|b"}, "salt 'a|b': use 1 to 128 letters"),
        ({"seed": "a|b", "sealed": True}, "seed 'a|b': use 1 to 128 letters"),
        ({"opening_seed": "1"}, "opening_seed needs a chosen seed"),
        ({"seed": SEED, "opening_seed": "a|b"}, "opening seed 'a|b': use 1 to 128 letters"),
    ],
)
async def test_invalid_salt_is_refused(session: Session, fields: dict[str, Any], named: str) -> None:
    error = await refused(create(session, DUMMY, DUMMY, DUMMY, **fields))
    assert (error.reason, named in error.message) == ("BAD_SEED", True), error.message


async def test_match_without_a_seed_is_always_secret(session: Session) -> None:
    """The server draws the seed, and nonces are mixed in."""
    match = (await create(session, HUMAN, HUMAN, HUMAN, sealed=True)).match
    assert (match.sealed, match.seed, len(match.commitment)) == (False, "", 64)


async def test_rematch_of_a_sealed_game_has_a_new_seed(session: Session) -> None:
    """The revealed seed says nothing about that of the rematch."""
    made = await create(session, HUMAN, HUMAN, HUMAN, start_when_full=True, **SALTED)
    match_id = made.match.match_id
    seated = [await join(session, match_id) for _ in range(3)]
    for seat in seated[:2]:
        await session.act(match_id, seat.seat_token, [game_pb2.Action(notation=f"forfeit {seat.seat}")])
    request = lobby_pb2.JoinRematchRequest(match_id=match_id)
    match = (await session.lobby.JoinRematch(request, metadata=bearer(seated[2].seat_token))).match
    assert (match.sealed, match.seed, len(match.commitment)) == (False, "", 64)
    assert match.commitment != COMMITMENT

"""Nonces by commit and reveal: no participant can choose the draws, even with access to the database."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import hashlib
import json
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.support.server.in_process import DUMMY, HUMAN, bearer, bot_seat, create, join, refused, serving
from vinci.v1 import admin_pb2, game_pb2, lobby_pb2, match_pb2
from vinci_client.session import Session
from vinci_rules import record
from vinci_rules.chance import commitment, nonce_hash
from vinci_server.app import Server
from vinci_server.match import planning
from vinci_server.match.time import timekeeper

OPEN, RUNNING = lobby_pb2.MATCH_STATUS_OPEN, lobby_pb2.MATCH_STATUS_RUNNING
NONCES = ("one", "two", "three")
ROWS = ["create", "join", "join", "join", "reveal", "nonce", "nonce", "nonce", "start"]


class Seats:
    """A match of three people, each with its own nonce."""

    def __init__(self, session: Session, made: lobby_pb2.CreateMatchResponse, tokens: Sequence[str]) -> None:
        self.session, self.made, self.match_id, self.tokens = session, made, made.match.match_id, list(tokens)

    async def get(self) -> lobby_pb2.Match:
        """Return the public state of the match."""
        return await self.session.get(self.match_id)

    async def reveal(self, seat: int, nonce: str = "", **fields: str) -> lobby_pb2.Match:
        """Send the nonce of a seat, or a hash; return the match afterwards."""
        request = lobby_pb2.RevealNonceRequest(match_id=self.match_id, nonce=nonce, **fields)
        answer = await self.session.lobby.RevealNonce(request, metadata=bearer(self.tokens[seat - 1]))
        return answer.match

    async def start(self) -> lobby_pb2.Match:
        """Start the match as its host; return the match afterwards."""
        request = lobby_pb2.StartMatchRequest(match_id=self.match_id)
        return (await self.session.lobby.StartMatch(request, metadata=bearer(self.made.host_token))).match

    async def leave(self, seat: int) -> None:
        """Leave the match."""
        request = lobby_pb2.LeaveMatchRequest(match_id=self.match_id)
        await self.session.lobby.LeaveMatch(request, metadata=bearer(self.tokens[seat - 1]))

    async def end(self) -> list[str]:
        """Let all seats but one forfeit; return the record."""
        for seat, token in enumerate(self.tokens[:2], start=1):
            await self.session.act(self.match_id, token, [game_pb2.Action(forfeit=game_pb2.Forfeit(seat=seat))])
        async with asyncio.timeout(20):
            while (await self.get()).status == RUNNING:
                await self.session.act(
                    self.match_id, self.tokens[2], [game_pb2.Action(forfeit=game_pb2.Forfeit(seat=3))]
                )
        request = match_pb2.GetRecordRequest(match_id=self.match_id)
        return list((await self.session.match.GetRecord(request)).lines)


async def seated(session: Session, nonces: Sequence[str] = NONCES, **fields: Any) -> Seats:
    """Create a match that all have joined with the hashes of these nonces."""
    made = await create(session, HUMAN, HUMAN, HUMAN, **fields)
    joined = [await join(session, made.match.match_id, nonce_hash=nonce_hash(nonce)) for nonce in nonces]
    return Seats(session, made, [one.seat_token for one in joined])


def hashes(match: lobby_pb2.Match) -> list[str]:
    return [seat.nonce_hash for seat in match.seats]


def log_of(database: Path) -> list[tuple[str, str]]:
    """Return kind and text of all rows of the log."""
    with TemporaryDirectory() as folder:  # the server keeps the file itself locked
        for file in database.parent.glob(f"{database.name}*"):
            shutil.copy(file, folder)
        with closing(sqlite3.connect(Path(folder) / database.name)) as connection:
            return list(connection.execute("SELECT kind, text FROM log ORDER BY sequence"))


async def test_game_starts_when_all_nonces_are_revealed(session: Session) -> None:
    seats = await seated(session)
    match = await seats.get()
    assert (match.status, hashes(match), list(match.nonces_due)) == (OPEN, list(map(nonce_hash, NONCES)), [])
    assert list((await seats.start()).nonces_due) == [1, 2, 3]
    for seat, due in ((2, [1, 3]), (3, [1])):
        match = await seats.reveal(seat, NONCES[seat - 1])
        assert (match.status, list(match.nonces_due)) == (OPEN, due)
    match = await seats.reveal(1, "one")
    assert (match.status, list(match.nonces_due), hashes(match)) == (RUNNING, [], list(map(nonce_hash, NONCES)))
    assert (await seats.reveal(1, "one")).status == RUNNING, "a repeated call was refused"
    lines = await seats.end()
    first, last = json.loads(lines[0]), json.loads(lines[-1])
    assert first["nonce_hashes"] == list(map(nonce_hash, NONCES))
    assert last["reveal"]["nonces"] == list(NONCES)
    assert record.verify_chance(lines)


async def test_automatic_start_requests_the_nonces(session: Session) -> None:
    seats = await seated(session, start_when_full=True)
    assert list((await seats.get()).nonces_due) == [1, 2, 3]
    for seat, nonce in enumerate(NONCES, start=1):
        match = await seats.reveal(seat, nonce)
    assert match.status == RUNNING


async def test_last_player_cannot_choose_the_seed_even_with_the_database(database: Path) -> None:
    """Before all hashes are fixed the database has no nonce; afterwards no other nonce is accepted."""
    async with serving(database) as (_, session):
        made = await create(session, HUMAN, HUMAN, HUMAN, start_when_full=True)
        tokens = [
            (await join(session, made.match.match_id, nonce_hash=nonce_hash(nonce))).seat_token for nonce in NONCES[:2]
        ]
        known = json.dumps(log_of(database))
        setup = json.loads(log_of(database)[0][1])
        assert commitment(setup["seed"], setup["salt"]) == made.match.commitment, "the attacker lacks the seed"
        assert not any(nonce in known for nonce in NONCES[:2])
        tokens.append((await join(session, made.match.match_id, nonce_hash=nonce_hash("three"))).seat_token)
        seats = Seats(session, made, tokens)
        for seat in (1, 2):
            await seats.reveal(seat, NONCES[seat - 1])
        assert [json.loads(text)["nonce"] for kind, text in log_of(database) if kind == "nonce"] == ["one", "two"]
        for wish in ("four", "five"):  # each would be another game, known by now
            assert (await refused(seats.reveal(3, wish))).reason == "BAD_NONCE"
            assert (await refused(seats.reveal(3, nonce_hash=nonce_hash(wish)))).reason == "NONCES_DUE"
        await seats.leave(3)
        match = await seats.get()
        assert (match.status, hashes(match), list(match.nonces_due)) == (OPEN, ["", "", ""], [1, 2])
        tokens[2] = (await join(session, made.match.match_id, nonce_hash=nonce_hash("four"))).seat_token
        seats = Seats(session, made, tokens)
        for seat in (1, 2):
            assert (await refused(seats.reveal(seat, NONCES[seat - 1]))).reason == "NONCE_NOT_DUE"
            await seats.reveal(seat, nonce_hash=nonce_hash(f"new {seat}"))
        for seat, nonce in ((1, "new 1"), (2, "new 2"), (3, "four")):
            match = await seats.reveal(seat, nonce)
        assert match.status == RUNNING
        lines = await seats.end()
        assert json.loads(lines[-1])["reveal"]["nonces"] == ["new 1", "new 2", "four"]
        assert record.verify_chance(lines)


async def test_seats_cannot_be_changed_while_nonces_are_due(session: Session) -> None:
    made = await create(session, HUMAN, HUMAN, bot_seat(), start_when_full=True)
    for nonce in NONCES[:2]:
        await join(session, made.match.match_id, nonce_hash=nonce_hash(nonce))
    assert (await refused(join(session, made.match.match_id, 3))).reason == "NONCES_DUE"
    request = lobby_pb2.SetSeatRequest(match_id=made.match.match_id, seat=3, setup=DUMMY)
    assert (await refused(session.lobby.SetSeat(request, metadata=bearer(made.host_token)))).reason == "NONCES_DUE"
    assert list((await session.get(made.match.match_id)).nonces_due) == [1, 2]


async def test_connected_seat_without_reveal_is_emptied(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timekeeper, "NONCE_SECONDS", 0.3)
    seats = await seated(session, start_when_full=True)
    await seats.reveal(1, "one")
    await asyncio.sleep(0.5)
    assert list((await seats.get()).nonces_due) == [2, 3], "whoever is away is waited for"
    error = await refused(_watch_to_the_end(session, seats.match_id, seats.tokens[1]))
    assert error.reason == "TOKEN_CHANGED"
    match = await seats.get()
    assert ([seat.taken for seat in match.seats], list(match.nonces_due)) == ([True, False, True], [1, 3])
    assert hashes(match) == ["", "", ""]


async def _watch_to_the_end(session: Session, match_id: str, token: str) -> None:
    async for _ in session.watch(match_id, token):
        pass


async def test_host_empties_absent_seats_whose_nonce_is_due(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = await seated(session)
    await seats.start()
    await seats.reveal(1, "one")
    error = await refused(seats.start())
    assert (error.reason, error.facts) == ("NONCES_DUE", {"which": "NONCE", "seats": "2, 3"}), "they had no time yet"
    monkeypatch.setattr(timekeeper, "NONCE_SECONDS", 0.0)
    match = await seats.start()
    assert ([seat.taken for seat in match.seats], list(match.nonces_due)) == ([True, False, False], [1])
    assert (await refused(seats.start())).reason == "SEATS_OPEN"


async def test_reconnection_does_not_extend_the_time_for_a_nonce(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time away does not count, but time used up before does."""
    monkeypatch.setattr(timekeeper, "NONCE_SECONDS", 0.5)
    seats = await seated(session, start_when_full=True)
    for seat in (1, 2):
        await seats.reveal(seat, NONCES[seat - 1])
    await asyncio.sleep(0.6)
    connected = 0
    while connected < 10 and (await seats.get()).seats[2].taken:
        connected += 1
        with suppress(TimeoutError):
            async with asyncio.timeout(0.2):
                await refused(_watch_to_the_end(session, seats.match_id, seats.tokens[2]))
    assert 3 <= connected <= 4
    assert list((await seats.get()).nonces_due) == [1, 2]


async def test_host_replaces_a_seat_whose_nonce_is_overdue(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = await seated(session, start_when_full=True)
    await seats.reveal(1, "one")
    request = lobby_pb2.SetSeatRequest(match_id=seats.match_id, seat=3, setup=DUMMY)
    host = bearer(seats.made.host_token)
    assert (await refused(session.lobby.SetSeat(request, metadata=host))).reason == "NONCES_DUE"
    monkeypatch.setattr(timekeeper, "NONCE_SECONDS", 0.0)
    match = (await session.lobby.SetSeat(request, metadata=host)).match
    assert (match.seats[2].kind, list(match.nonces_due)) == (lobby_pb2.SEAT_KIND_DUMMY, [1, 2])
    assert (await refused(seats.leave(3))).reason == "BAD_TOKEN"
    for seat in (1, 2):
        await seats.reveal(seat, nonce_hash=nonce_hash(f"new {seat}"))
    for seat in (1, 2):
        match = await seats.reveal(seat, f"new {seat}")
    assert match.status == RUNNING


async def test_start_waits_for_new_hashes(session: Session) -> None:
    seats = await seated(session)
    await seats.start()
    await seats.leave(3)
    await join(session, seats.match_id)
    error = await refused(seats.start())
    assert (error.reason, error.facts) == ("NONCES_DUE", {"which": "HASH", "seats": "1, 2"})
    for seat in (1, 2):
        await seats.reveal(seat, nonce_hash=nonce_hash(f"new {seat}"))
    assert list((await seats.start()).nonces_due) == [1, 2]


async def test_reveals_continue_after_a_stop_of_the_server(database: Path) -> None:
    async with serving(database) as (_, session):
        seats = await seated(session, start_when_full=True)
        await seats.reveal(2, "two")
        before = await seats.get()
    async with serving(database) as (_, session):
        seats.session = session
        assert await seats.get() == before
        await seats.reveal(1, "one")
        assert (await seats.reveal(3, "three")).status == RUNNING


async def test_reveals_continue_from_every_row_of_the_log(database: Path, tmp_path: Path) -> None:
    """The server may be killed at any moment from the last join to the last nonce."""
    async with serving(database) as (_, session):
        seats = await seated(session, start_when_full=True)
        for seat in (3, 1, 2):
            await seats.reveal(seat, NONCES[seat - 1])
    for kept in range(4, 9):
        cut = tmp_path / f"cut-{kept}.db"
        shutil.copy(database, cut)
        with closing(sqlite3.connect(cut)) as connection, connection:
            assert [kind for (kind,) in connection.execute("SELECT kind FROM log ORDER BY sequence")] == ROWS
            connection.execute("DELETE FROM log WHERE sequence > ?", (kept,))
            connection.execute("DELETE FROM snapshot")
            connection.execute("UPDATE match SET status = 'open'")
        async with serving(cut) as (_, seats.session), asyncio.timeout(20):
            for seat in (match := await seats.get()).nonces_due:
                match = await seats.reveal(seat, NONCES[seat - 1])
            while (match := await seats.get()).status == OPEN:
                await asyncio.sleep(0.01)
            assert hashes(match) == list(map(nonce_hash, NONCES))


async def test_match_starts_after_a_kill_behind_the_last_nonce(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(database) as (_, session):
        seats = await seated(session)
        await seats.start()
        with monkeypatch.context() as patched:
            patched.setattr("vinci_server.match.log.ledger.Ledger.start", _killed)
            for seat, nonce in enumerate(NONCES, start=1):
                with_nonce = seats.reveal(seat, nonce)
                if seat == 3:
                    assert (await refused(with_nonce)).reason == "INTERNAL"
                else:
                    await with_nonce
        assert (await seats.get()).status == OPEN
    async with serving(database) as (_, session):
        seats.session = session
        async with asyncio.timeout(20):
            while (await seats.get()).status == OPEN:
                await asyncio.sleep(0.01)


def _killed(_ledger: object) -> None:
    raise RuntimeError("killed")


async def test_older_client_sends_its_nonce_when_joining(session: Session) -> None:
    made = await create(session, HUMAN, HUMAN, HUMAN, start_when_full=True)
    tokens = [(await join(session, made.match.match_id, nonce="early")).seat_token]
    tokens.append((await join(session, made.match.match_id)).seat_token)
    tokens.append((await join(session, made.match.match_id, nonce_hash=nonce_hash("late"))).seat_token)
    seats = Seats(session, made, tokens)
    match = await seats.get()
    assert (hashes(match), list(match.nonces_due)) == ([nonce_hash("early"), "", nonce_hash("late")], [3])
    assert (await seats.reveal(3, "late")).status == RUNNING
    lines = await seats.end()
    assert json.loads(lines[-1])["reveal"]["nonces"] == ["early", "", "late"]
    assert record.verify_chance(lines)


async def test_older_clients_alone_start_at_once(session: Session) -> None:
    made = await create(session, HUMAN, HUMAN, HUMAN, start_when_full=True)
    for _ in range(3):
        joined = await join(session, made.match.match_id, nonce="early")
    assert joined.match.status == RUNNING


async def test_game_with_a_chosen_seed_takes_no_nonces(session: Session) -> None:
    seats = await seated(session, start_when_full=True, seed="7")
    match = await seats.get()
    assert (match.status, hashes(match)) == (RUNNING, ["", "", ""])
    assert (await refused(seats.reveal(1, "one"))).reason == "ALREADY_STARTED"


async def test_seats_of_bots_and_dummies_have_no_nonce(session: Session) -> None:
    made = await create(session, bot_seat(), DUMMY, HUMAN, start_when_full=True)
    bot = await join(session, made.match.match_id, 1, nonce_hash=nonce_hash("bot"))
    assert hashes(bot.match) == ["", "", ""]
    joined = await join(session, made.match.match_id, 3, nonce_hash=nonce_hash("me"))
    assert list(joined.match.nonces_due) == [3]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"nonce_hash": "ab"}, "BAD_NONCE"),
        ({"nonce_hash": nonce_hash("x").upper()}, "BAD_NONCE"),
        ({"nonce_hash": nonce_hash("x"), "nonce": "x"}, "BAD_NONCE"),
    ],
)
async def test_invalid_hash_is_refused(session: Session, fields: dict[str, Any], reason: str) -> None:
    match_id = (await create(session, HUMAN, HUMAN, HUMAN)).match.match_id
    assert (await refused(join(session, match_id, **fields))).reason == reason
    assert not any(seat.taken for seat in (await session.get(match_id)).seats)


async def test_invalid_reveal_is_refused(session: Session) -> None:
    seats = await seated(session)
    assert (await refused(seats.reveal(1, "one"))).reason == "NONCE_NOT_DUE", "it would be known too early"
    assert (await refused(seats.reveal(1))).reason == "BAD_NONCE"
    await seats.start()
    assert (await refused(seats.reveal(1, "two"))).reason == "BAD_NONCE"
    assert (await refused(seats.reveal(1, "a|b"))).reason == "BAD_SEED"
    other = Seats(session, seats.made, ["wrong"])
    assert (await refused(other.reveal(1, "one"))).reason == "BAD_TOKEN"
    assert list((await seats.get()).nonces_due) == [1, 2, 3]


async def test_replacements_of_hashes_are_limited(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "MOST_CHANGES", 3)
    seats = await seated(session)
    for number in range(2):
        match = await seats.reveal(1, nonce_hash=nonce_hash(f"{number}"))
    assert hashes(match)[0] == nonce_hash("1")
    assert (await refused(seats.reveal(1, nonce_hash=nonce_hash("2")))).reason == "TOO_MANY_CHANGES"
    await seats.start()
    assert list((await seats.reveal(1, "1")).nonces_due) == [2, 3], "the last hash stands"


@pytest.mark.parametrize("nonce", ["", "mine"])
async def test_handed_over_seat_has_the_nonce_of_its_new_terminal(session: Session, nonce: str) -> None:
    seats = await seated(session)
    await seats.start()
    await seats.reveal(1, "one")
    code = (await session.offer_seat(seats.match_id, seats.tokens[1])).code
    promised = nonce_hash(nonce) if nonce else ""
    seats.tokens[1] = (await session.take_over(code, nonce_hash=promised)).seat_token
    match = await seats.get()
    assert (hashes(match), list(match.nonces_due)) == (["", promised, ""], [1, 3])
    for seat in (1, 3):
        await seats.reveal(seat, nonce_hash=nonce_hash(NONCES[seat - 1]))
    await seats.start()
    for seat, own in ((1, "one"), (2, nonce), (3, "three")):
        match = await seats.reveal(seat, own) if own else match
    assert match.status == RUNNING


async def test_kick_voids_revealed_nonces(server: Server, session: Session, database: Path) -> None:
    seats = await seated(session)
    await seats.start()
    await seats.reveal(1, "one")
    token = (database.parent / "admin-token").read_text().strip()
    kick = admin_pb2.KickSeatRequest(match_id=seats.match_id, seat=2)
    match = (await session.admin.KickSeat(kick, metadata=bearer(token))).match
    assert (hashes(match), list(match.nonces_due)) == (["", "", ""], [1, 3])


async def test_rematch_has_its_own_nonces(session: Session) -> None:
    made = await create(session, HUMAN, HUMAN, HUMAN, start_when_full=True)
    tokens = [(await join(session, made.match.match_id)).seat_token for _ in range(3)]
    await Seats(session, made, tokens).end()
    joined = [
        await session.join_rematch(made.match.match_id, token, nonce_hash(nonce))
        for token, nonce in zip(tokens, NONCES, strict=True)
    ]
    assert list((await session.get(joined[0].match.match_id)).nonces_due) == [1, 2, 3]
    joined[2] = await session.join_rematch(made.match.match_id, tokens[2], nonce_hash("three"))  # asks again
    for one, nonce in zip(joined[:2], NONCES[:2], strict=True):  # the change of a seat has made these void
        await session.reveal_nonce(one.match.match_id, one.seat_token, nonce_hash=nonce_hash(nonce))
    for one, nonce in zip(joined, NONCES, strict=True):
        match = await session.reveal_nonce(one.match.match_id, one.seat_token, nonce)
    assert match.status == RUNNING
    given = {one.seat: nonce_hash(nonce) for one, nonce in zip(joined, NONCES, strict=True)}
    assert hashes(match) == [given[seat] for seat in (1, 2, 3)]


def test_hash_of_a_nonce_is_its_sha256() -> None:
    assert nonce_hash("one") == hashlib.sha256(b"one").hexdigest()

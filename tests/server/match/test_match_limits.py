"""Limits of a match: rounds, targets, undos, changes; games of dummies have the lowest priority."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.support.server.event_loop import Rounds
from tests.support.server.in_process import (
    DUMMY,
    EASY,
    HUMAN,
    Table,
    all_updates,
    bearer,
    create,
    join,
    refused,
    serving,
    table,
    within,
)
from tests.support.server.limited import limited
from vinci.v1 import game_pb2, lobby_pb2, match_pb2
from vinci_client.session import Session
from vinci_rules import dummy
from vinci_rules.chance import nonce_hash
from vinci_rules.editions import OptionError, options
from vinci_server.app import Server
from vinci_server.match import planning, slices


def settings(**values: str) -> dict[str, game_pb2.Options]:
    """Return a CreateMatch field that changes an option."""
    return {"options": game_pb2.Options(settings=values)}


async def undo(at: Table, seat: int, request_id: str) -> match_pb2.UndoResponse:
    """Undo the last action."""
    request = match_pb2.UndoRequest(match_id=at.match_id, request_id=request_id)
    response: match_pb2.UndoResponse = await at.session.match.Undo(request, metadata=bearer(at.tokens[seat - 1]))
    return response


async def leave(session: Session, match_id: str, token: str) -> None:
    """Leave the match."""
    await session.lobby.LeaveMatch(lobby_pb2.LeaveMatchRequest(match_id=match_id), metadata=bearer(token))


@pytest.mark.parametrize("number", ["9" * 4301, "9" * 100_000, "1000000000", "1e3", "٣", ""])
async def test_too_long_number_is_refused_and_cut_in_the_message(session: Session, number: str) -> None:
    error = await refused(create(session, HUMAN, HUMAN, HUMAN, **settings(target=number)))
    assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_OPTION")
    assert (error.facts["which"], error.facts["most"]) == ("NUMBER", "10000")
    assert len(error.message) < 100


def test_huge_number_is_refused_as_an_option() -> None:
    with pytest.raises(OptionError, match="whole number"):
        options((False,) * 3, target="9" * 5000)


async def test_games_have_at_most_100_rounds_by_default(session: Session) -> None:
    assert (await create(session, HUMAN, HUMAN, HUMAN, **settings(max_rounds="100", target="10000"))).host_token
    error = await refused(create(session, HUMAN, HUMAN, HUMAN, **settings(max_rounds="101")))
    assert (error.reason, error.facts["limit"], error.facts["number"]) == ("BAD_OPTION", "max_rounds", "100")


@pytest.mark.parametrize("name", ["max_rounds", "target"])
async def test_operator_can_limit_rounds_and_target(database: Path, name: str) -> None:
    most = 170
    async with limited(database, **{name: most}) as (_, session):
        assert (await create(session, HUMAN, HUMAN, HUMAN, **settings(**{name: str(most)}))).host_token
        error = await refused(create(session, HUMAN, HUMAN, HUMAN, **settings(**{name: str(most + 1)})))
        assert (error.reason, error.facts["limit"], error.facts["number"]) == ("BAD_OPTION", name, str(most))
        position = EASY.replace("tiny;", f"tiny; rules standard {name}={most + 1};")
        assert (await refused(create(session, position=position))).facts["limit"] == name


async def test_operator_can_allow_more_rounds(database: Path) -> None:
    async with limited(database, max_rounds=10_000, target=10_000) as (_, session):
        assert (await create(session, HUMAN, HUMAN, HUMAN, **settings(max_rounds="10000", target="10000"))).host_token


async def test_undos_are_limited_per_turn(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "MOST_UNDOS", 3)
    at = await table(session)
    for number in range(3):
        await at.act(1, "x FEN", request_id=f"act {number}")
        await undo(at, 1, f"undo {number}")
    await at.act(1, "x FEN", request_id="last")
    error = await refused(undo(at, 1, "one more"))
    assert (error.reason, error.facts["limit"], error.facts["number"]) == ("CANNOT_UNDO", "undos_per_turn", "3")
    assert (await undo(at, 1, "undo 2")).repeated_request
    await at.act(1, "hold ARA=7 FEN=3", request_id="hold")
    assert (await at.get()).revision == 8


async def test_changes_are_limited_per_player(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "MOST_CHANGES", 3)
    async with serving(database) as (_, session):
        made = await create(session, HUMAN, HUMAN, HUMAN)
        match_id = made.match.match_id
        token = (await join(session, match_id, 1)).seat_token
        for number in range(2):
            await promise(session, match_id, token, f"{number}")
    async with serving(database) as (_, session):
        error = await refused(promise(session, match_id, token, "one more"))
        assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_CHANGES")
        assert error.facts == {"limit": "changes_per_seat", "number": "3", "seat": "1"}
        await promise(session, match_id, (await join(session, match_id, 2)).seat_token, "another's")
        await leave(session, match_id, token)
        await promise(session, match_id, (await join(session, match_id, 1)).seat_token, "the next player's")


async def promise(session: Session, match_id: str, token: str, nonce: str) -> None:
    """Send the hash of another nonce."""
    request = lobby_pb2.RevealNonceRequest(match_id=match_id, nonce_hash=nonce_hash(nonce))
    await session.lobby.RevealNonce(request, metadata=bearer(token))


async def test_joining_and_leaving_does_not_use_up_an_open_seat(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "MOST_CHANGES", 3)
    async with serving(database) as (_, session):
        made = await create(session, HUMAN, HUMAN, HUMAN)
        for _ in range(4):
            await leave(session, made.match.match_id, (await join(session, made.match.match_id, 1)).seat_token)
    async with serving(database) as (_, session):
        for kind in (DUMMY, HUMAN) * 4:
            seat = lobby_pb2.SetSeatRequest(match_id=made.match.match_id, seat=1, setup=kind)
            await session.lobby.SetSeat(seat, metadata=bearer(made.host_token))
        assert (await join(session, made.match.match_id)).seat == 1


async def test_seat_changes_of_a_host_are_limited(database: Path) -> None:
    async with limited(database, matches_per_minute=4) as (_, session):
        made = await create(session, HUMAN, HUMAN, HUMAN)
        match_id = made.match.match_id
        for _ in range(2):
            await leave(session, match_id, (await join(session, match_id, 1)).seat_token)
        seat = lobby_pb2.SetSeatRequest(match_id=match_id, seat=2, setup=DUMMY)
        await session.lobby.SetSeat(seat, metadata=bearer(made.host_token))
        token = (await join(session, match_id, 1)).seat_token
        for call in (
            leave(session, match_id, token),
            session.lobby.SetSeat(seat, metadata=bearer(made.host_token)),
        ):
            error = await refused(call)
            assert (error.reason, error.facts["limit"]) == ("RATE_LIMITED", "matches_per_minute")
        assert (await session.get(match_id)).seats[0].taken


async def test_proposals_and_undos_count_as_changes(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "MOST_CHANGES", 5)
    at = await table(session)
    pause: dict[str, Any] = {"match_id": at.match_id, "kind": lobby_pb2.PROPOSAL_KIND_PAUSE}
    for number in range(4):  # one change was joining
        request = match_pb2.ProposeRequest(**pause, withdraw=number % 2 == 1)
        await session.match.Propose(request, metadata=bearer(at.tokens[0]))
    await at.act(1, "x FEN")
    assert (await refused(undo(at, 1, "undo"))).reason == "TOO_MANY_CHANGES"
    request = match_pb2.ProposeRequest(**pause)
    assert (await refused(session.match.Propose(request, metadata=bearer(at.tokens[0])))).reason == "TOO_MANY_CHANGES"
    await session.match.Propose(request, metadata=bearer(at.tokens[1]))


async def test_games_of_dummies_run_one_slice_per_loop_iteration(
    server: Server, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slices, "SLICE_SECONDS", 0)
    choose = dummy.choose
    async with Rounds() as rounds:

        def counted(*arguments: Any) -> Any:
            rounds.step()
            return choose(*arguments)

        monkeypatch.setattr(dummy, "choose", counted)
        made = await asyncio.gather(
            *(create(session, DUMMY, DUMMY, DUMMY, start_when_full=True, **settings(target="30")) for _ in range(20))
        )
        for one in made:
            await within(all_updates(session.match.Watch(match_pb2.WatchRequest(match_id=one.match.match_id))))
    assert all(match.status == "over" for match in server.lobby.known())
    assert rounds.most == 1

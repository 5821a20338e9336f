"""The list of players: which games count, who is listed, and how they are rated."""

# ruff: noqa: D103  # the name of each test says what it checks

import asyncio
import os
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.server.in_process import DUMMY, HUMAN, LAST_TURN, Table, address, create, join, refused
from tests.support.server.persons import Device
from vinci.v1 import game_pb2
from vinci.v1 import lobby_pb2 as pb
from vinci_client.session import Session
from vinci_ratings.rating_list import Game, ratings
from vinci_server.app import Server
from vinci_server.rpc import players
from vinci_server.storage import results


async def play(devices: Sequence[Device], *others: pb.SeatSetup, guests: int = 0, **fields: Any) -> str:
    """Play a game in which the devices, then guests, forfeit one after the other; return the id of the match."""
    session = devices[0].session
    people = len(devices) + guests
    made = await create(session, *[HUMAN] * people, *others, start_when_full=True, **fields)
    match_id = made.match.match_id
    tokens = [(await device.join(match_id, player=f"name {device.key[:4]}")).seat_token for device in devices]
    tokens += [(await join(session, match_id)).seat_token for _ in range(guests)]
    table = Table(session, match_id, "", tuple(tokens))
    for seat in range(1, people + 1):
        if (await table.get()).status == pb.MATCH_STATUS_RUNNING:
            await table.act(seat, f"forfeit {seat}", request_id=f"forfeit {seat}")
    assert (await table.get()).status == pb.MATCH_STATUS_OVER
    return match_id


async def listed(session: Session, **fields: Any) -> pb.ListPlayersResponse:
    answer: pb.ListPlayersResponse = await session.lobby.ListPlayers(pb.ListPlayersRequest(**fields))
    return answer


async def counted(session: Session, server: Server) -> pb.ListPlayersResponse:
    """Return the list once it has all games that had finished."""
    while (answer := await listed(session)).updating:
        computing = server.players._computing
        assert computing is not None
        await asyncio.wait([computing])
    return answer


async def names(session: Session) -> list[str]:
    return [player.name for player in (await listed(session)).players]


async def about(session: Session, name: str) -> pb.GetPlayerResponse:
    answer: pb.GetPlayerResponse = await session.lobby.GetPlayer(pb.GetPlayerRequest(name=name))
    return answer


@pytest.fixture
async def three(ann: Device, bob: Device, phone: Device) -> list[Device]:
    for device, name in ((ann, "Ann"), (bob, "Bob"), (phone, "Cid")):
        await device.update(name)
    return [ann, bob, phone]


async def test_games_of_persons_are_listed_with_wins_and_ratings(session: Session, three: list[Device]) -> None:
    assert not (await listed(session)).players
    match_id = await play(three)
    ranks = (await session.get(match_id)).ranks
    found = {player.name: player for player in (await listed(session)).players}
    assert set(found) == {"Ann", "Bob", "Cid"}
    assert [found[name].wins for name in ("Ann", "Bob", "Cid")] == [int(rank == 1) for rank in ranks]
    expected = ratings([Game(("Ann", "Bob", "Cid"), tuple(ranks))])
    for name, player in found.items():
        assert (player.games, player.kind) == (1, pb.SEAT_KIND_HUMAN)
        shown = player.rating
        assert (shown.value, shown.low, shown.high, shown.provisional) == expected[name]
        assert shown.provisional
    values = [player.rating.value for player in found.values()]
    assert values == sorted(values, reverse=True)


async def test_one_player_has_results_against_others_and_games_to_replay(session: Session, three: list[Device]) -> None:
    first = await play(three)
    second = await play(three[:2], guests=1, rated=pb.RATED_YES)
    one = await about(session, "Ann")
    assert one.player.games == 2
    assert [game.match_id for game in one.games] == [second, first]
    assert [(seat.name, seat.own) for seat in one.games[1].seats] == [("Ann", True), ("Bob", False), ("Cid", False)]
    assert [seat.name for seat in one.games[0].seats] == ["Ann", "Bob", ""]
    ranks = [(await session.get(match_id)).ranks for match_id in (first, second)]
    bob = next(met for met in one.meetings if met.name == "Bob")
    assert (bob.games, bob.ahead, bob.level) == (
        2, sum(rank[0] < rank[1] for rank in ranks), sum(rank[0] == rank[1] for rank in ranks),
    )  # fmt: skip
    assert {met.name for met in one.meetings} == {"Bob", "Cid"}


def test_seats_of_one_player_are_compared_one_by_one() -> None:
    """A game with three seats of a bot has three pairs with it, as in ratings, and not only that of the best seats."""
    seats = [results.SeatResult("pAnn", 2, 40), *(results.SeatResult("beasy", rank, 30) for rank in (1, 2, 4))]
    (met,) = players._meetings("pAnn", [results.StoredGame("one", 0, seats)], {"beasy": "easy"})
    assert (met.games, met.ahead, met.level) == (1, 0, 0)
    assert (met.pairs, met.pairs_ahead, met.pairs_level) == (3, 1, 1)


@pytest.mark.parametrize(
    ("others", "fields", "counts"),
    [
        ((HUMAN,), {}, False),
        ((DUMMY,), {}, False),
        ((), {"rated": pb.RATED_NO}, False),
        ((), {"position": LAST_TURN}, False),
        ((), {"seed": "chosen", "sealed": True}, False),
        ((), {"seed": "chosen"}, True),
        ((DUMMY,), {"rated": pb.RATED_YES}, True),
        ((HUMAN,), {"options": game_pb2.Options(settings={"rated": "yes"})}, True),
        ((), {"options": game_pb2.Options(settings={"rated": "no"})}, False),
    ],
)
async def test_which_games_count(
    session: Session, three: list[Device], others: Sequence[pb.SeatSetup], fields: dict[str, Any], counts: bool
) -> None:
    dummies = [setup for setup in others if setup == DUMMY]
    await play(three[: 3 - len(others)], *dummies, guests=len(others) - len(dummies), **fields)
    assert bool((await listed(session)).players) is counts


async def test_match_ended_without_a_result_does_not_count(
    session: Session, server: Server, three: list[Device]
) -> None:
    match_id = (await create(session, HUMAN, HUMAN, HUMAN, start_when_full=True)).match.match_id
    for device in three:
        await device.join(match_id)
    assert (await session.get(match_id)).status == pb.MATCH_STATUS_RUNNING
    await server.lobby.end_except((), "enough")
    assert (await session.get(match_id)).status == pb.MATCH_STATUS_ENDED
    assert not (await listed(session)).players


async def test_hidden_persons_are_not_listed(session: Session, three: list[Device]) -> None:
    await play(three)
    await three[0].update(hidden=True)
    assert sorted(await names(session)) == ["Bob", "Cid"]
    assert (await refused(about(session, "Ann"))).facts["which"] == "NO_PLAYER"
    bob = await about(session, "Bob")
    assert [met.name for met in bob.meetings] == ["Cid"]
    assert [seat.name for seat in bob.games[0].seats] == ["", "Bob", "Cid"]
    await three[0].update(hidden=False)
    assert "Ann" in await names(session)


async def test_forgotten_persons_are_not_listed_and_their_games_count(session: Session, three: list[Device]) -> None:
    await play(three)
    before = {player.name: player.rating.value for player in (await listed(session)).players}
    await three[0].forget()
    after = {player.name: player.rating.value for player in (await listed(session)).players}
    assert after == {name: value for name, value in before.items() if name != "Ann"}
    assert "Ann" not in str(await about(session, "Bob"))


async def test_list_follows_renamed_persons_and_new_games(
    session: Session, server: Server, three: list[Device]
) -> None:
    await play(three)
    assert "Ann" in await names(session)
    await three[0].update("Anna")
    assert "Anna" in await names(session)
    await play(three)
    answer = await counted(session, server)
    assert [player.games for player in answer.players] == [2, 2, 2]


async def test_games_of_merged_persons_are_of_one(session: Session, server: Server, three: list[Device]) -> None:
    await play(three)
    ids = {name: (await server.players.persons.named(name)).person_id for name in ("Ann", "Bob")}
    await server.players.persons.reassign(server.lobby, ids["Ann"], ids["Bob"])
    await counted(session, server)
    assert sorted(await names(session)) == ["Bob", "Cid"]


async def test_player_that_is_merged_while_it_is_shown_is_shown_as_before(
    session: Session, server: Server, three: list[Device], monkeypatch: pytest.MonkeyPatch
) -> None:
    await play(three)
    assert "Ann" in await names(session)
    games_of = results.games_of

    def games_and_replace(*given: Any) -> Any:
        server.players._rows = {}
        return games_of(*given)

    monkeypatch.setattr(results, "games_of", games_and_replace)
    assert (await about(session, "Ann")).player.games == 1


async def test_server_without_ratings_refuses(database: Path) -> None:
    server = await Server.start("127.0.0.1", 0, database, with_ratings=False)
    try:
        async with Session(address(server)) as session:
            for call in (listed(session), about(session, "Ann")):
                assert (await refused(call)).reason == "NO_RATINGS"
            assert not (await session.lobby.GetServerInfo(pb.GetServerInfoRequest())).ratings
    finally:
        await server.stop()


async def test_pages_of_the_list(session: Session, three: list[Device]) -> None:
    await play(three)
    first = await listed(session, page_size=2)
    second = await listed(session, page_size=2, page_token=first.next_page_token)
    assert [len(first.players), len(second.players), second.next_page_token] == [2, 1, ""]
    assert [player.name for player in [*first.players, *second.players]] == await names(session)
    assert (await refused(listed(session, page_token="x"))).reason == "BAD_PAGE_TOKEN"


@pytest.mark.skipif(sys.platform == "win32", reason="it has no named pipes among its files")
async def test_server_answers_while_20_000_games_are_rated(
    session: Session, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that rates reads nothing until the server has answered other calls."""
    games = [f"game {number}" for number in range(20_000)]
    rows = [
        (game, number, f"bbot {(number * 7 + seat * (1 + number % 5)) % 40}", (seat + number // 3) % 4 + 1, 30)
        for number, game in enumerate(games)
        for seat in range(4)
    ]

    def fill(connection: sqlite3.Connection) -> None:
        connection.executemany("INSERT INTO match VALUES (?, 1, 'over')", [(game,) for game in games])
        connection.executemany("INSERT INTO result (match, time, player, rank, vp) VALUES (?, ?, ?, ?, ?)", rows)

    await server.players.store.run(fill)
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    program = f"import runpy; open({str(gate)!r}).read(); runpy.run_module('vinci_ratings', run_name='__main__')"
    monkeypatch.setattr(players, "RATER", (sys.executable, "-c", program))
    first = asyncio.create_task(listed(session))
    for _ in range(20):
        await session.lobby.GetServerInfo(pb.GetServerInfoRequest())
    assert not first.done()
    await asyncio.to_thread(gate.write_text, "")
    answer = await first
    assert len(answer.players) == 40
    assert sum(player.games for player in answer.players) == len({(row[0], row[2]) for row in rows})

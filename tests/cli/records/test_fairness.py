"""Clients commit to nonces, check the draws after the game and report the result; with a real server."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any, Final, final

import pytest

from tests.support.server.in_process import LAST_TURN, serving
from vinci.v1 import game_pb2, lobby_pb2
from vinci_cli import home, table_session
from vinci_cli.connection import nonces, saved_seats
from vinci_cli.connection.seating import seat_people
from vinci_cli.line.screen import Candidates
from vinci_cli.line.ui import LineInterface
from vinci_cli.records import fairness
from vinci_cli.text.i18n import choose
from vinci_cli.text.tables import Line, plain
from vinci_client.session import Session
from vinci_rules.chance import FairChance
from vinci_server.app import Server
from vinci_server.match.log.history import GameHistory
from vinci_server.match.log.ledger import Ledger, SeatHolder
from vinci_server.match.seats.setup import Setup

HUMAN: Final = lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_HUMAN)
DUMMY: Final = lobby_pb2.SeatSetup(kind=lobby_pb2.SEAT_KIND_DUMMY)
FIXED: Final = "The draws follow from a secret number that the server fixed before the game"
ONE: Final = FIXED + " and from a random number of this device: nobody could foresee or choose them."
TWO: Final = FIXED + " and from 2 random numbers of this device: nobody could foresee or choose them."
NONE: Final = FIXED + "; no number of this device is in it."
UNKNOWN: Final = (
    "The draws of this game were not checked: this device knew nothing of its seed beforehand, as when another one took "
    "the seat."
)
UNFAIR: Final = "The draws of this game cannot be trusted: "


@final
class Automatic:
    """A user interface that plays suggestions and asks for `rematches` rematches."""

    always_asks: Final = False

    def __init__(self, rematches: int = 0) -> None:
        self.lines: Final[list[str]] = []
        self._rematches = rematches
        self._suggested = False

    def show(self, lines: Iterable[Line | str]) -> None:
        """Remember lines."""
        self.lines.extend(line if isinstance(line, str) else plain(line) for line in lines)

    async def ask(self, prompt: Callable[[], str], _toolbar: Callable[[], str], _candidates: Candidates) -> str | None:
        """Play what is suggested."""
        if "rematch" in prompt():
            self._rematches -= 1
            return "rematch" if self._rematches >= 0 else ""
        self._suggested = not self._suggested
        return "suggest" if self._suggested else "ok"

    def interrupt(self) -> None:
        """Do nothing: there is no prompt to interrupt."""

    def give_back(self, typed: str) -> None:
        """Do nothing."""

    def verdicts(self) -> list[str]:
        """Return the line that was shown about the draws."""
        return [line for line in self.lines if line.startswith("The draws ")]


class Terminal:
    """A terminal with its own folder of saved seats."""

    def __init__(self, session: Session, folder: Path, rematches: int = 0) -> None:
        self.session, self.folder, self.screen = session, folder, Automatic(rematches)

    async def joins(self, match_id: str, *names: str) -> "Terminal":
        """Join a match."""
        self.seat = replace(await seat_people(self.session, match_id, names or ["Ann"]), where="here")
        self.saves()
        return self

    def saves(self) -> None:
        """Save the seats."""
        with home.kept_in(self.folder):
            saved_seats.save(self.seat)

    async def plays(self) -> list[str]:
        """Play to the end of the game; return the lines about the draws."""
        with home.kept_in(self.folder):
            await asyncio.wait_for(
                table_session.stay(
                    LineInterface(self.screen), self.session, self.seat, self.folder, "", fairness.verdict
                ),
                60,
            )
            assert not saved_seats.load()
        return self.screen.verdicts()


async def made(session: Session, *setups: lobby_pb2.SeatSetup, **fields: Any) -> str:
    """Create a match that starts by itself; return its id. It has one last turn unless a position is given."""
    settled: dict[str, Any] = {"position": LAST_TURN, "start_when_full": True} | fields
    request = lobby_pb2.CreateMatchRequest(seats=setups or [HUMAN] * 3, **settled)
    return (await session.create(request)).match.match_id


async def all_play(*terminals: Terminal) -> list[list[str]]:
    """Return the line that each player is shown about the draws."""
    return list(await asyncio.gather(*(terminal.plays() for terminal in terminals)))


@asynccontextmanager
async def seated(folder: Path, names: Sequence[Sequence[str]]) -> AsyncIterator[tuple[Server, str, list[Terminal]]]:
    """Return terminals of these people, who have joined a match of three."""
    async with serving(folder / "games.db") as (server, session):
        match_id = await made(session)
        yield (
            server,
            match_id,
            [
                await Terminal(session, folder / str(number)).joins(match_id, *people)
                for number, people in enumerate(names)
            ],
        )


async def test_every_terminal_reports_that_its_nonces_are_in_the_seed(tmp_path: Path) -> None:
    """Two players share one of the terminals."""
    async with seated(tmp_path, [["Ann", "Ben"], ["Cleo"]]) as (_, _, terminals):
        assert await all_play(*terminals) == [[TWO], [ONE]]


async def test_whole_game_and_rematch_are_checked(tmp_path: Path) -> None:
    """A game on the tiny board with draws of market and dummy is checked, and its rematch too."""
    async with serving(tmp_path / "games.db") as (_, session):
        short = game_pb2.Options(settings={"target": "40"})
        match_id = await made(session, HUMAN, HUMAN, DUMMY, position="", board="tiny", options=short)
        terminals = [await Terminal(session, tmp_path / str(n), rematches=1).joins(match_id) for n in range(2)]
        assert await all_play(*terminals) == [[ONE, ONE], [ONE, ONE]]


async def test_no_report_about_an_open_seed(tmp_path: Path) -> None:
    """An open seed has no commitment, so nothing is reported."""
    async with serving(tmp_path / "games.db") as (_, session):
        match_id = await made(session, seed="7")
        terminals = [await Terminal(session, tmp_path / str(n)).joins(match_id) for n in range(3)]
        assert await all_play(*terminals) == [[], [], []]


async def test_check_survives_restarts_of_server_and_client(tmp_path: Path) -> None:
    """The server stops after the first reveal, while the second client is away."""
    async with serving(tmp_path / "games.db") as (server, session):
        port, match_id = server.port, await made(session)
        terminals = [await Terminal(session, tmp_path / str(n)).joins(match_id) for n in range(3)]
        with home.kept_in(terminals[0].folder):
            first = asyncio.create_task(terminals[0].plays())
            async with asyncio.timeout(20):
                while list((await session.get(match_id)).nonces_due) != [2, 3]:
                    await asyncio.sleep(0.01)
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)
    async with serving(tmp_path / "games.db", port) as (_, session):
        for terminal in terminals:
            terminal.session = session
        assert await all_play(*terminals) == [[ONE]] * 3


async def test_new_nonces_are_sent_after_a_seat_leaves(tmp_path: Path) -> None:
    """If a seat leaves without its reveal, all send new nonces, which the report mentions."""
    async with seated(tmp_path, [["Ann"], ["Ben"], ["Eve"]]) as (_, match_id, (ann, ben, eve)):
        session = ann.session
        playing = [asyncio.create_task(terminal.plays()) for terminal in (ann, ben)]
        async with asyncio.timeout(20):
            while list((await session.get(match_id)).nonces_due) != [3]:
                await asyncio.sleep(0.01)
        leaving = lobby_pb2.LeaveMatchRequest(match_id=match_id)
        await session.call(session.lobby.LeaveMatch, leaving, eve.seat.token)
        cleo = await Terminal(session, tmp_path / "cleo").joins(match_id, "Cleo")
        assert await cleo.plays() == [ONE]
        again = f"{ONE} They were drawn again 1 time since a player's number did not come."
        assert await asyncio.gather(*playing) == [[again], [again]]


@pytest.mark.parametrize("before_start", [True, False])
async def test_seat_taken_over_is_checked_at_its_new_terminal(tmp_path: Path, before_start: bool) -> None:
    """Before the start a handed-over seat gets a new nonce; afterwards the new terminal has none to check."""
    async with serving(tmp_path / "games.db") as (_, session):
        match_id = await made(session, start_when_full=True)
        others = [await Terminal(session, tmp_path / str(n)).joins(match_id) for n in range(2 if before_start else 3)]
        given = others.pop(0)
        playing: list[asyncio.Task[list[str]]] = []
        if not before_start:
            playing = [asyncio.create_task(terminal.plays()) for terminal in others[:1]]
            request = lobby_pb2.GetMatchRequest(match_id=match_id)
            for terminal in (given, others[1]):
                with home.kept_in(terminal.folder):
                    match = (await session.call(session.lobby.GetMatch, request)).match
                    await nonces.send_due(session, match, terminal.seat.seats)
            async with asyncio.timeout(20):
                while (await session.get(match_id)).status == lobby_pb2.MATCH_STATUS_OPEN:
                    await asyncio.sleep(0.01)
        nonce = nonces.new()
        code = (await session.offer_seat(match_id, given.seat.token)).code
        new = Terminal(session, tmp_path / "new")
        new.seat = nonces.seated("here", [(await session.take_over(code, "", nonces.hash_of(nonce)), nonce)])
        new.saves()
        if before_start:
            others.append(await Terminal(session, tmp_path / "last").joins(match_id))
            assert await all_play(new, *others) == [[ONE]] * 3
        else:
            lines = await asyncio.gather(new.plays(), others[1].plays(), *playing)
            assert lines == [[NONE], [ONE], [ONE]]


# Cheating operators.


def other_seed(ledger: Ledger) -> None:
    """Replace the seed by another one with its own commitment, after everybody has joined."""
    ledger.setup = replace(ledger.setup, seed="chosen", salt="later")


def dropped(ledger: Ledger) -> None:
    """Leave out the nonce of seat 1 and its hash."""
    ledger.sitters[0] = SeatHolder(ledger.sitters[0].player, ledger.sitters[0].token_hash)


def replaced(ledger: Ledger) -> None:
    """Replace the nonce of seat 2 by another one whose hash was published after the nonce of seat 1 was known."""
    ledger.sitters[1] = replace(ledger.sitters[1], nonce="chosen", promised=nonces.hash_of("chosen"))


@pytest.mark.parametrize(
    ("cheat", "reason"),
    [
        (other_seed, "it has another commitment than the server had published when you took your seat"),
        (dropped, "it has other hashes of the players' numbers than the server had published before the game"),
        (replaced, "it has other hashes of the players' numbers than the server had published before the game"),
    ],
)
async def test_changed_commitment_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cheat: Callable[[Ledger], None], reason: str
) -> None:
    """The record is complete and verified, but differs from the commitment that the client saved."""
    start = Ledger.start

    def cheated(ledger: Ledger) -> Any:
        cheat(ledger)
        return start(ledger)

    monkeypatch.setattr(Ledger, "start", cheated)
    async with seated(tmp_path, [["Ann"], ["Ben"], ["Cleo"]]) as (_, _, terminals):
        lines = await all_play(*terminals)
    text = f"{UNFAIR}{reason}. Keep its record, and ask whoever runs the server."
    assert lines[0] == [text]


async def test_draws_not_from_the_seed_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that draws freely but reveals the right seed is reported."""
    monkeypatch.setattr(Setup, "chance", lambda _setup, _nonces: FairChance("chosen"))
    async with serving(tmp_path / "games.db") as (_, session):
        short = game_pb2.Options(settings={"target": "40"})
        match_id = await made(session, HUMAN, DUMMY, DUMMY, position="", board="tiny", options=short)
        (line,) = await all_play(await Terminal(session, tmp_path / "ann").joins(match_id))
    assert line[0].startswith(f"{UNFAIR}line 1: picks")


async def finished(folder: Path) -> tuple[saved_seats.SavedSeat, list[str]]:
    """Return the saved entry of a terminal at the end of a game, and the record."""
    async with serving(folder / "games.db") as (_, session):
        match_id = await made(session, HUMAN, DUMMY, DUMMY, position="", board="tiny")
        ann = await Terminal(session, folder / "ann").joins(match_id)
        saved: list[saved_seats.SavedSeat] = []

        def verdict(seat: saved_seats.SavedSeat, lines: Sequence[str], *, over: bool) -> str:
            saved.append(seat)
            return check(seat, lines, over=over)

        with pytest.MonkeyPatch.context() as patched:
            check = fairness.verdict
            patched.setattr(fairness, "verdict", verdict)
            assert await ann.plays() == [ONE]
        record = folder / "ann" / "records" / f"{match_id}.jsonl"
        return saved[0], record.read_text(encoding="utf-8").splitlines()


def forged(lines: Sequence[str], place: int, **fields: Any) -> list[str]:
    """Return the record with changed fields in one line."""
    forged_lines = list(lines)
    forged_lines[place] = json.dumps(json.loads(lines[place]) | fields)
    return forged_lines


async def test_forged_record_is_reported(tmp_path: Path) -> None:
    """Each forgery is reported with its reason; an unreadable record counts as forged."""
    seat, lines = await finished(tmp_path)
    reveal = json.loads(lines[-1])["reveal"]
    cases = {
        "another commitment": forged(lines, 0, commitment="ab"),
        "has not revealed the seed": [*lines[:-1], json.dumps({"result": {}})],
        "is not the one committed to": forged(lines, -1, reveal=reveal | {"seed": "other"}),
        "other hashes": forged(lines, 0, nonce_hashes=["", "", ""]),
        "your number is not in the seed": forged(lines, -1, reveal=reveal | {"nonces": ["mine", "", ""]}),
        "the number of seat 2 is not the one": forged(
            lines, -1, reveal=reveal | {"nonces": [reveal["nonces"][0], "x", ""]}
        ),
        "line 2": forged(lines, 1, picks=["WEA#1", "MIL#1"]),
        "whether its seed was chosen": forged(lines, 0, sealed=True),
        "whether it starts from a position": forged(lines, 0, position=LAST_TURN),
        "line 1: opening_seed": forged(lines, 0, opening_seed="chosen"),
        "line 1: both a seed and a commitment": forged(lines, 0, seed="chosen"),
        "'int' object": forged(lines, -1, reveal=reveal | {"nonces": 7}),
    }
    for reason, record in cases.items():
        verdict_text = fairness.verdict(seat, record, over=True)
        assert verdict_text.startswith(UNFAIR), (reason, verdict_text)
        assert reason in verdict_text, verdict_text
    assert fairness.verdict(seat, lines[:-1], over=False) == "", "a game that is not over has revealed nothing yet"
    other = forged(lines, 0, engine="9.9")
    assert "The draws were not checked" in fairness.verdict(seat, other, over=True)
    choose("fr")
    assert fairness.verdict(seat, lines, over=True).startswith("Les tirages découlent d")
    choose("en")


async def test_seat_of_an_older_client_in_a_sealed_game(tmp_path: Path) -> None:
    """An older client does not know that the match is sealed; its nonce would not be used."""
    seat, lines = await finished(tmp_path)
    old = replace(seat, sealed=None, from_position=None)
    assert fairness.verdict(old, lines, over=True) == ONE
    assert "your number is not in the seed" in fairness.verdict(old, forged(lines, 0, sealed=True), over=True)


@pytest.mark.parametrize("kept", [0, -1])
async def test_game_without_result_is_reported_as_unchecked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    """If a finished game has no record, or one without its last line, it is reported as unchecked."""
    lines = GameHistory.record_lines
    monkeypatch.setattr(GameHistory, "record_lines", lambda *given: list(lines(*given))[:kept])
    async with seated(tmp_path, [["Ann"], ["Ben"], ["Cleo"]]) as (_, _, terminals):
        verdicts = await all_play(*terminals)
    assert verdicts == [["The draws of this game were not checked: the server has given no record with a result."]] * 3


async def test_match_without_commitment_is_reported_as_unchecked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match whose seed is neither open nor committed to is reported as unchecked."""
    monkeypatch.setattr(Setup, "commitment", lambda _setup: "")
    async with seated(tmp_path, [["Ann"], ["Ben"], ["Cleo"]]) as (_, _, terminals):
        assert await all_play(*terminals) == [[UNKNOWN]] * 3


# Saved data.


def test_concurrent_saves_lose_nothing(tmp_path: Path) -> None:
    """All terminals of a user save their nonces at the same moment."""
    seats = [saved_seats.SavedSeat("here", "m", number, f"t{number}") for number in range(1, 7)]

    def renew(seat: saved_seats.SavedSeat) -> None:
        with home.kept_in(tmp_path):
            for void in range(1, 21):
                saved_seats.change("m", [seat.token], lambda kept, void=void: replace(kept, void=void))  # type: ignore[misc]

    with home.kept_in(tmp_path):
        for seat in seats:
            saved_seats.save(seat)
        threads = [Thread(target=renew, args=(seat,)) for seat in seats]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted((seat.seat, seat.void) for seat in saved_seats.load()) == [(number, 20) for number in range(1, 7)]


def test_saved_seats_of_older_clients_are_read(tmp_path: Path) -> None:
    """A file without nonces is read, and its games are reported as unchecked."""
    old = {"where": "here", "match_id": "m", "seat": 2, "token": "t", "bots": [], "access": {}, "others": [[3, "u"]]}
    (tmp_path / "seats.json").write_text(json.dumps([old]), encoding="utf-8")
    with home.kept_in(tmp_path):
        (seat,) = saved_seats.load()
        assert seat == saved_seats.SavedSeat("here", "m", 2, "t", others=((3, "u"),))
        assert saved_seats.find("m", ["u"]) == seat
        assert saved_seats.find("other", ["u"]) is None
        assert fairness.verdict(seat, ["{}"], over=False) == ""
        assert fairness.verdict(seat, ["{}"], over=True) == UNKNOWN


async def test_unknown_hash_is_left_alone(tmp_path: Path) -> None:
    """If the saved nonces are lost, nothing is revealed or replaced."""
    async with seated(tmp_path, [["Ann"], ["Ben"], ["Cleo"]]) as (_, match_id, (ann, *_others)):
        with home.kept_in(tmp_path / "new"):
            saved_seats.save(replace(ann.seat, nonces=()))
            match = await ann.session.get(match_id)
            await nonces.send_due(ann.session, match, ann.seat.seats)
            assert list((await ann.session.get(match_id)).nonces_due) == [1, 2, 3]
            assert [seat.nonces for seat in saved_seats.load()] == [()]

"""The line client with other players: undo, chat, pause, substitutes, clocks, handover, shared terminals."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.support.cli_runner import BORDER
from tests.support.line_client import PreparedUi, Table, table
from tests.support.server.limited import set_limit
from vinci.v1 import lobby_pb2, match_pb2
from vinci_cli.game.client_match import ClientClocks, Ending, History
from vinci_cli.line.client import LineClient
from vinci_client.session import Session

NAMES: Final = ("Ann", "Bob", "Cleo")
SECOND: Final = lobby_pb2.Timing(decision_seconds=1)
LONG: Final = lobby_pb2.Timing(bank_seconds=600, increment_seconds=15)
SOON: Final = 20


@asynccontextmanager
async def sitting(
    here: Table, *seats: int, typed: Sequence[str] = (), leaves: bool = False
) -> AsyncIterator[PreparedUi]:
    """Let people at these seats of one terminal type lines; yield its screen, of those who type nothing once they are here."""
    screen = PreparedUi(typed, leaves=leaves)
    client = await here.client(screen)
    spectators = (await here.session.get(here.match_id)).spectators
    playing = asyncio.create_task(client.play({seat: here.tokens[seat] for seat in seats}))
    try:
        if not typed and not leaves:
            await _are_here(here, seats, spectators + (not seats))
        yield screen
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


async def _are_here(here: Table, seats: Sequence[int], spectators: int) -> None:
    """Wait until the server knows these players and spectators: the notice that they came is told between other lines."""
    async with asyncio.timeout(SOON):
        match = await here.session.get(here.match_id)
        while match.spectators < spectators or not all(match.seats[seat - 1].connected for seat in seats):
            await asyncio.sleep(0.01)
            match = await here.session.get(here.match_id)


async def shows(screen: PreparedUi, text: str) -> None:
    """Wait until a text is shown."""
    async with asyncio.timeout(SOON):
        while text not in " ".join(screen.text().split()):
            await asyncio.sleep(0.01)


async def ends(client: LineClient, seats: dict[int, str]) -> Ending:
    """Play to the end; return how the client ended."""
    return await asyncio.wait_for(client.play(seats), SOON)


async def test_undo_is_shown_to_all_players(tmp_path: Path) -> None:
    """An undo of the last action or to a revision lists the undone actions; a refusal says what is possible."""
    async with table(tmp_path, BORDER, NAMES) as here, sitting(here, 2) as other:
        before = await here.position()
        screen = await here.sits(1, "x FEN", "x DOL", "undo", "undo 0", "undo", "undo it")
        _, _, _, last, all_of_it, refused, what = screen.answers()
        assert "You take back: conquer Dolomite." in last
        assert "You take back: conquer Fen." in all_of_it
        assert "Your turn: x PROVINCE" in all_of_it
        assert "there is nothing to undo now." in " ".join(refused.split())
        assert what.startswith("undo takes back your last action")
        assert await here.position() == before
        await shows(other, "Ann (1) takes back: conquer Fen.")


def test_undo_uses_current_revisions() -> None:
    """An undo creates a new revision, which later undos name."""
    history: History[str] = History()
    for revision, action in ((1, "x ALP"), (2, "x PYR")):
        history.add(revision, action)
    assert history.undo(3, 1) == ["x PYR"]
    history.add(4, "x PRO")
    assert history.undo(5, 3) == ["x PRO"]
    assert history.undo(6, 0) == ["x ALP"]
    assert history.undo(7, 5) == []


async def test_chat(tmp_path: Path) -> None:
    """Chat of players reaches everybody, later players too; chat of spectators reaches spectators only."""
    async with table(tmp_path, BORDER, NAMES) as here, sitting(here, 2) as other, sitting(here) as spectator:
        async with sitting(here, 1, typed=["say  hello  you", "chat again", "say"]) as screen:
            await shows(screen, "Write what: say TEXT.")
            for expected in (screen, other, spectator):
                await shows(expected, "Ann (1): hello you Ann (1): again")
        watching = PreparedUi(["x FEN", "say I look on", "help", "quit"])
        watching.asked.append(("", "", lambda _: ()))  # so that it is asked at once, as at a terminal
        client = await here.client(watching, own_name="Zoe")
        assert await ends(client, {}) == "left"
        async with sitting(here) as late:
            for expected in (other, spectator, late):
                await shows(expected, "Ann (1): hello you")
                await shows(expected, "Ann (1): again")
        await shows(spectator, "Zoe (looking on): I look on")
        assert "You look on. What you can type: help, board" in " ".join(watching.text().split())
        assert "FEN=" not in await here.position()
        async with sitting(here, 3) as late:
            await shows(late, "Ann (1): hello you Ann (1): again")
        assert "Zoe" not in other.text() + late.text()


async def test_pause_needs_all_players(tmp_path: Path) -> None:
    """A pause lists agreed and missing seats and stops the game; a terminal agrees for both of its seats."""
    async with table(tmp_path, BORDER, NAMES) as here:
        async with sitting(here, 1, typed=["pause"]) as first:
            await shows(first, "Ann (1) proposes a pause; missing: Bob (2) and Cleo (3).")
            assert "To agree" not in first.text()
        async with sitting(here, 2, 3, typed=["pause", "resume"]) as pair:
            await shows(pair, "Ann (1) proposes a pause; missing: Bob (2) and Cleo (3). To agree: pause.")
            await shows(pair, "The game is paused; to go on: resume.")
            while [len(one.agreed) for one in (await here.session.get(here.match_id)).proposals] != [2]:
                await asyncio.sleep(0.01)
            assert "missing: ." not in pair.text()
        async with sitting(here, 1, typed=["x FEN", "resume"]) as second:
            await shows(second, "Bob (2) and Cleo (3) propose going on; missing: Ann (1). To agree: resume.")
            await shows(second, "The match is paused; propose to resume it. Type resume.")
            await shows(second, "The game goes on.")
            await shows(second, "Your turn: x PROVINCE")
        assert "FEN=" not in await here.position()


async def test_substitute_is_voted_in_and_replaced_by_the_player(tmp_path: Path) -> None:
    """Everybody sees the substitution; a returning player is told how to take the seat back, through a pipe too."""
    start = BORDER.replace("seat 3", "seat 3 dummy")
    async with table(tmp_path, start, ("Ann", "Bob", "")) as here, sitting(here, 2) as other:
        while not (await here.session.get(here.match_id)).seats[1].connected:  # else it was so when Bob came
            await asyncio.sleep(0.01)
        await here.session.propose(here.match_id, here.tokens[2], lobby_pb2.PROPOSAL_KIND_SUBSTITUTE, 1)
        await shows(other, "A substitute plays for Ann (1) now. A substitute plays for Ann (1).")
        await shows(other, "Round 1: you have")
        assert other.text().count("A substitute plays for Ann (1).") == 1
        async with sitting(here, 1, typed=["x FEN", "back"]) as back:
            await shows(back, "A substitute plays for you now; back takes the seat back.")
            await shows(back, "A substitute plays this seat; take it back first. Type back.")
            await shows(back, "No substitute plays for you any more.")
            assert "a substitute plays for you" in back.asked[0][1]
        await shows(other, "Ann (1) plays again.")


async def test_substitute_needs_an_absent_player(tmp_path: Path) -> None:
    """A proposal needs a seat whose player is absent."""
    async with table(tmp_path, BORDER, NAMES) as here, sitting(here, 2), sitting(here, 3):
        while not all(seat.connected for seat in (await here.session.get(here.match_id)).seats[1:]):
            await asyncio.sleep(0.01)
        _, what, refused = (await here.sits(1, "substitute", "substitute 2")).answers()
        assert what.startswith("Write for whom: substitute 2")
        assert "Only an absent person can get a substitute, and nobody is absent." in " ".join(refused.split())


async def test_maker_gives_the_seat_of_somebody_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To another terminal, to the substitute, to a bot that the server does not know, and back."""
    set_limit(monkeypatch, "absent_seconds", 0)
    async with table(tmp_path, BORDER, NAMES, maker="Mia") as here:
        screen = PreparedUi(["give", "give 2 back", "give 2 nobody-has-this-name", "give 2 back", "give 1", "give 2"])
        client = await here.client(screen, invitation="vinci join 192.168.1.5")
        await ends(client, {1: here.tokens[1]})
        _, what, none, given, back, own, offered = screen.answers()
        assert what.startswith("Write whose seat.")
        assert "No substitute plays seat 2" in none
        assert "A substitute plays for Bob (2) now." in given
        assert "Bob (2) plays again." in back
        assert "The player of seat 1 is here." in own
        assert "To play Bob (2) at another terminal" in offered
        code = offered.split()[-1]
        assert f"vinci join 192.168.1.5 --take {code}" in offered
        async with Session(here.session.address) as other:
            assert (await other.take_over(code, "Zoe")).seat == 2


async def test_only_the_maker_gives_seats(tmp_path: Path) -> None:
    """Others are told who can."""
    async with table(tmp_path, BORDER, NAMES) as here:
        screen = PreparedUi(["give 2 back"])
        await ends(await here.client(screen), {1: here.tokens[1]})
        assert screen.answers()[-1].startswith("Only the host who made the match may do this")


async def test_handed_over_seat_ends_at_the_old_terminal(tmp_path: Path) -> None:
    """The command with the code is shown whole; the old terminal then ends and the new one plays."""
    async with table(tmp_path, BORDER, NAMES) as here:
        screen = PreparedUi(["handover"], leaves=False)
        client = await here.client(screen, invitation="vinci join 192.168.1.5 --code k3f9-xa2m")
        ending = asyncio.create_task(ends(client, {1: here.tokens[1]}))
        await shows(screen, "--take ")
        line = next(line for line in screen.text().splitlines() if "--take" in line)
        assert line.startswith("  vinci join 192.168.1.5 --code k3f9-xa2m --take ")
        taken = await here.session.take_over(line.split()[-1])
        ended = await ending
        assert (ended, dict(client.seats)) == ("lost", {})
        assert "Seat 1 is no longer played here" in screen.text()
        again = PreparedUi(["x FEN"])
        await ends(await here.client(again), {1: taken.seat_token})
        assert "You conquer Fen" in again.text()


async def test_local_game_cannot_be_handed_over(tmp_path: Path) -> None:
    """A game whose server accepts no other clients refuses a handover with the reason."""
    async with table(tmp_path, BORDER, NAMES) as here:
        assert "This game ends with this terminal." in (await here.sits(1, "handover")).text()


async def test_several_people_at_one_terminal(tmp_path: Path) -> None:
    """The prompt names the seat to move, and each action is sent with the token of its seat."""
    async with table(tmp_path, BORDER, NAMES) as here:
        screen = PreparedUi(["hold", "scores", "forfeit"])
        await ends(await here.client(screen), {1: here.tokens[1], 2: here.tokens[2]})
        assert [prompt for prompt, _, _ in screen.asked] == ["Ann (1)> ", "Bob (2)> ", "Bob (2)> ", "Bob (2)> "]
        _, turn, scores, resign = screen.answers()
        assert "Bob (you)" in turn
        assert ">2 Bob (you)" in scores
        assert "for Bob (2)" in " ".join(resign.split())
        match = await here.session.get(here.match_id)
        assert match.revision == 1


async def test_all_players_at_one_terminal_are_present(tmp_path: Path) -> None:
    """The server knows that all are present; one seat can be lost, and the others play on."""
    async with table(tmp_path, BORDER, NAMES) as here:
        screen = PreparedUi(leaves=False)
        client = await here.client(screen)
        playing = asyncio.create_task(client.play({seat: here.tokens[seat] for seat in (2, 1)}))
        async with asyncio.timeout(SOON):
            while [seat.connected for seat in (await here.session.get(here.match_id)).seats][:2] != [True, True]:
                await asyncio.sleep(0.01)
            offer = await here.session.offer_seat(here.match_id, here.tokens[2])
            await here.session.take_over(offer.code)
            await shows(screen, "Seat 2 is no longer played here")
            await here.session.say(here.match_id, "still here?", here.tokens[3])
            await shows(screen, "Cleo (3): still here?")
        assert dict(client.seats) == {1: here.tokens[1]}
        playing.cancel()


async def test_clocks_are_shown_and_low_time_is_announced_once(tmp_path: Path) -> None:
    """Clocks are shown in the toolbar, in scores and by `clock`."""
    async with table(tmp_path, BORDER, NAMES, timing=LONG) as here:
        screen = await here.sits(1, "clock", "scores", "pause")
        _, clock, scores, _ = screen.answers()
        description = (
            "10 minutes for all decisions, and 15 seconds more with each turn; when it is up, the default action is"
        )
        assert " ".join(clock.split()).startswith(f"Clock: {description} played.")
        for shown in (clock, scores):
            assert "Left: >Ann (1) 9:5" in shown
            assert "Bob (2) 10:00, Cleo (3) 10:00." in " ".join(shown.split())
        toolbar = screen.asked[0][1]
        assert " left " in toolbar
        assert len(toolbar) <= 80
        assert "left." not in screen.answers()[0]


async def test_clock_command_without_clocks(tmp_path: Path) -> None:
    """`clock` reports a match without clocks, and scores have no line about them."""
    async with table(tmp_path, BORDER, NAMES) as here:
        _, clock, scores = (await here.sits(1, "clock", "scores")).answers()
    assert clock == "This match has no clock; everybody is waited for."
    assert "Left:" not in scores


async def test_timeout_is_shown_with_the_default_action(tmp_path: Path) -> None:
    """Low time is announced once; at the timeout the client shows that the default action was played."""
    async with table(tmp_path, BORDER, NAMES, timing=SECOND) as here, sitting(here, 1, leaves=False) as screen:
        await shows(screen, "Your time is up: the default action is played. You hold")
        assert screen.text().count("Ann (1) has 1 second left.") == 1


def test_running_clock_counts_down_between_messages() -> None:
    """Only the running clock counts down, to zero at least."""
    now = [100.0]
    clocks = ClientClocks(LONG, lambda: now[0])
    assert clocks.face(1) == ""
    clocks.take(match_pb2.Clocks(left=[600_000, 61_500], running=2))
    now[0] += 2
    assert (clocks.face(1), clocks.face(2)) == ("10:00", "0:59")
    now[0] += 100
    assert clocks.left(2) == 0.0


@pytest.mark.parametrize(
    ("timing", "low"), [(LONG, 60), (lobby_pb2.Timing(decision_seconds=30), 6), (lobby_pb2.Timing(), 0)]
)
def test_low_time_threshold(timing: lobby_pb2.Timing, low: float) -> None:
    """Low time is a fifth of the whole, and at most a minute."""
    assert ClientClocks(timing).low == low


async def test_ended_match_is_shown_with_the_reason(tmp_path: Path) -> None:
    """A player is shown why a match was ended, and the client exits."""
    async with table(tmp_path, BORDER, NAMES) as here:
        screen = PreparedUi(leaves=False)
        client = await here.client(screen)
        ending = asyncio.create_task(ends(client, {2: here.tokens[2]}))
        await here.end("the hall closes")
        assert await ending == "ended"
        assert "The match was ended: the hall closes." in screen.text()

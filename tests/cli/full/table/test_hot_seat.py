"""The full-screen table while the position changes: shared terminals, other players, fast typing."""

import asyncio
from pathlib import Path
from typing import Final

import pytest

from tests.support.cli_runner import BORDER, REDEPLOY, SPIES
from tests.support.full_screen.table_pages import ALONE, DRAFT, TableTerminal, sitting
from vinci.v1 import game_pb2
from vinci_cli import home, settings
from vinci_cli.full.table.messages import Click, MyMove, Typed

LAST_STAND: Final = (
    "tiny; turn 1 conquer; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR ERB=2 HAM=1 COL=2; seat 3 | AST+SLA"
)


async def placing(seen: TableTerminal) -> dict[str, int]:
    """Conquer a province and begin to place pawns, one of them elsewhere; return the planned pawns."""
    seen.there.press("tab", "enter")
    await seen.until_at(1)
    seen.there.press("h")
    await seen.there.until(lambda _: seen.page.ui.plan is not None)
    begun = seen.page.ui.plan
    assert begun is not None
    seen.page.dispatch(Click(f"province {next(iter(begun.pawns))}"))
    seen.there.press("-")
    await seen.there.until(lambda _: seen.page.ui.plan is not None and seen.page.ui.plan.left == 1)
    plan = seen.page.ui.plan
    assert plan is not None
    return dict(plan.pawns)


async def test_second_enter_is_not_played_for_the_next_seat(tmp_path: Path) -> None:
    """After two quick Enters of Ann, Bob at the same terminal still has his choice."""
    async with sitting(tmp_path, DRAFT, 1, 2, 3) as seen:
        seen.there.press("enter", "enter", "enter")
        await seen.until_at(1)
        seen.there.press(":", *"clock", "enter")
        await seen.there.until("This match has no clock")
        assert seen.page.game.revision == 1
        assert seen.page.game.seat == 2


async def test_action_entered_during_a_request_is_played_after_it(tmp_path: Path) -> None:
    """An action entered while another is being sent is played after it, if the turn is the same."""
    async with sitting(tmp_path, BORDER, 1) as seen:
        seen.there.press("tab", "enter", "tab", "enter")
        await seen.until_at(2)
        position = await seen.here.position()
        assert "COL=5" in position
        assert "DOL=2" in position or "FEN=2" in position


async def test_line_typed_for_one_seat_is_not_played_for_another(tmp_path: Path) -> None:
    """Of two lines typed at once, the second is not played if its seat no longer has the move."""
    async with sitting(tmp_path, DRAFT, 1, 2, 3) as seen:
        seen.there.press(":", *"take 1", "enter", ":", *"take 1", "enter")
        await seen.there.until("It is the move of Bob (2)")
        assert seen.page.game.revision == 1


async def test_redeployment_of_the_next_seat_opens_and_stays_open(tmp_path: Path) -> None:
    """After Ann's turn the redeployment of Bob at the same terminal opens and stays open."""
    async with sitting(tmp_path, LAST_STAND, 1, 2) as seen:
        seen.there.press(":", *"x COL", "enter")
        await seen.until_at(1)
        seen.there.press("h")
        await seen.there.until("Enter done")
        seen.there.press("enter")
        await seen.until_at(2)
        await seen.there.until("Place your survivors")
        seen.there.press("/", *"mine", "enter")
        await seen.there.until("mine")
        assert seen.page.ui.plan is not None
        assert seen.page.ui.plan.kind == "redeploy"


async def test_enter_reopens_a_closed_placement(tmp_path: Path) -> None:
    """Escape closes the placement of survivors, and Enter opens it again, as the screen says."""
    async with sitting(tmp_path, REDEPLOY, 2) as seen:
        await seen.there.until("Place your survivors")
        seen.there.press("escape")
        seen.there.press("escape")
        await seen.there.until("Enter opens the")
        seen.there.press("enter")
        await seen.there.until("Place your survivors")
        assert seen.page.game.revision == 0


async def test_placement_survives_unrelated_updates(tmp_path: Path) -> None:
    """Planned pawns stay when another player leaves the game."""
    async with sitting(tmp_path, SPIES, 1) as seen:
        planned = await placing(seen)
        await seen.here.session.act(
            seen.here.match_id, seen.here.tokens[3], [game_pb2.Action(forfeit=game_pb2.Forfeit(seat=3))]
        )
        await seen.until_at(2)
        await seen.there.until("Cleo (3) leaves")
        plan = seen.page.ui.plan
        assert plan is not None
        assert (plan.pawns, plan.left) == (planned, 1)


@pytest.mark.parametrize("what", ["undo", "hold"])
async def test_placement_ends_when_its_position_changes(tmp_path: Path, what: str) -> None:
    """An undo or the end of the turn from elsewhere closes the placement and its preview."""
    async with sitting(tmp_path, SPIES, 1) as seen:
        await placing(seen)
        session, token = seen.here.session, seen.here.tokens[1]
        if what == "undo":
            await session.undo(seen.here.match_id, token)
        else:
            suggested = game_pb2.Action(hold=seen.page.game.legal.hold.suggestion)
            await session.act(seen.here.match_id, token, [suggested])
        await seen.until_at(2)
        await seen.there.until(lambda _: seen.page.ui.plan is None)
        if what == "hold":
            assert seen.page.ui.preview is None


@pytest.mark.parametrize(
    ("alert", "term", "told"),
    [
        ("bell", "xterm", "\x07"),
        ("desktop", "xterm-256color", "\x1b]9;Vinci: Your move: conquer, or decline.\x07\x07"),
        ("desktop", "foot", "\x1b]777;notify;Vinci;Your move: conquer, or decline.\x07\x07"),
        ("off", "xterm", ""),
    ],
)
async def test_move_is_told_as_the_settings_say(
    alert: str, term: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the bell, by a notification too in the form that the terminal takes, or not at all."""
    monkeypatch.setenv(home.HOME, str(tmp_path))
    monkeypatch.delenv("VTE_VERSION", raising=False)
    settings.put("alert", alert)
    async with sitting(tmp_path, BORDER, 1) as seen:
        monkeypatch.setenv("TERM", term)
        seen.there.written.clear()
        seen.page.dispatch(MyMove(True))
        written = "".join(seen.there.written)
    assert written.replace("\x1b[?12l\x1b[?25h", "") == told


async def test_bell_rings_when_a_move_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bell rings once when a move begins, and not at the player's own conquests."""
    rung: list[int] = []
    async with sitting(tmp_path, ALONE, 1) as seen:
        monkeypatch.setattr(seen.page._app, "bell", lambda: rung.append(seen.page.game.revision))
        seen.there.press("enter")
        await seen.there.until("Arrows walk")
        first = seen.page.game.revision
        assert rung == [first]
        seen.there.press("tab", "enter")
        await seen.until_at(first + 1)
        seen.there.press(":", *"clock", "enter")
        await seen.there.until("no clock")
        assert rung == [first]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("undo 99999999999999999999", "undo your own actions"),
        (f"undo {'9' * 5000}", "undo your own actions"),
        ("substitute 99999999999999999999", "Only an absent person"),
    ],
)
async def test_too_large_numbers_are_refused(tmp_path: Path, line: str, answer: str) -> None:
    """Numbers too large for a message are refused by the client, the largest possible one by the server."""
    async with sitting(tmp_path, BORDER, 1) as seen:
        seen.page.dispatch(Typed(line))
        await seen.there.until(answer)


async def test_undecodable_input_is_refused(tmp_path: Path) -> None:
    """Bytes of another encoding are refused as an action, and sent as question marks in the chat."""
    async with sitting(tmp_path, BORDER, 1) as seen:
        seen.there.press(":", "x", " ")
        seen.there.send(b"\xff")
        seen.there.press("enter")
        await seen.there.until("is no province")
        seen.there.press("/", "h")
        seen.there.send(b"\xe9")
        seen.there.press("enter")
        await seen.there.until("Ann (1): h?")


async def test_log_scrolls_to_its_first_entry_only(tmp_path: Path) -> None:
    """After scrolling far back a few keys lead to the end again."""
    async with sitting(tmp_path, BORDER, 1, columns=80, rows=24) as seen:
        for number in range(40):
            seen.page.game.tell(f"number {number}.")
        seen.there.press("l", *["pageup"] * 50)
        await seen.there.until("number 0.")
        seen.there.press(*["pagedown"] * 4)
        await seen.there.until("number 39.")


async def test_waiting_actions_are_dropped_when_the_table_is_left(tmp_path: Path) -> None:
    """Actions that wait for a slow one are not played after the page was left."""
    async with sitting(tmp_path, BORDER, 1) as seen:
        runner = seen.page._runner
        await runner._lock.acquire()
        seen.there.press(":", *"x FEN", "enter")
        await seen.there.until(lambda _: any(task.get_name() == "Command" for task in runner._tasks))
        seen.there.press("q")
        assert await seen.playing == "left"
        runner._lock.release()
        while runner._tasks:
            await asyncio.sleep(0)
        assert "FEN=" not in await seen.here.position()

"""The table in full screen while things change under the hands of the people there: hot seats, others, haste."""

import asyncio
from pathlib import Path
from typing import Final

import pytest

from tests.support.cli_runner import BORDER, REDEPLOY, SPIES
from tests.support.full_screen.table_pages import ALONE, DRAFT, Seen, sitting
from vinci.v1 import game_pb2
from vinci_cli.full.table.messages import Click, Typed

LAST_STAND: Final = (
    "tiny; turn 1 conquer; seat 1 | WEA+MIL reserve=9 ARA; seat 2 | BAR+CUR ERB=2 HAM=1 COL=2; seat 3 | AST+SLA"
)


async def placing(seen: Seen) -> dict[str, int]:
    """Conquer something and begin to place pawns, one of them elsewhere; the pawns as they are planned then."""
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


async def test_a_second_enter_is_not_the_move_of_the_neighbour(tmp_path: Path) -> None:
    """Ann takes a civilization with two quick Enters: Bob at the same terminal still has his choice."""
    async with sitting(tmp_path, DRAFT, 1, 2, 3) as seen:
        seen.there.press("enter", "enter", "enter")
        await seen.until_at(1)
        seen.there.press(":", *"clock", "enter")
        await seen.there.until("This match has no clock")
        assert seen.page.game.revision == 1
        assert seen.page.game.seat == 2


async def test_two_conquests_may_be_pressed_at_once(tmp_path: Path) -> None:
    """Check that an action entered while another is sent is played after it, if the turn is the same."""
    async with sitting(tmp_path, BORDER, 1) as seen:
        seen.there.press("tab", "enter", "tab", "enter")
        await seen.until_at(2)
        position = await seen.here.position()
        assert "COL=5" in position
        assert "DOL=2" in position or "FEN=2" in position


async def test_a_line_typed_for_one_seat_is_not_played_for_another(tmp_path: Path) -> None:
    """Two lines at once, the second one for a seat that is not to move any more: whose move it is is said."""
    async with sitting(tmp_path, DRAFT, 1, 2, 3) as seen:
        seen.there.press(":", *"take 1", "enter", ":", *"take 1", "enter")
        await seen.there.until("It is the move of Bob (2)")
        assert seen.page.game.revision == 1


async def test_survivors_of_a_neighbour_are_placed_in_the_middle_of_the_turn(tmp_path: Path) -> None:
    """Ann ends her turn, and Bob at the same terminal has survivors: their placement opens, and stays open."""
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


async def test_enter_opens_a_placement_that_was_closed(tmp_path: Path) -> None:
    """Escape closes the placement of survivors; the screen says that Enter opens it, and so it does."""
    async with sitting(tmp_path, REDEPLOY, 2) as seen:
        await seen.there.until("Place your survivors")
        seen.there.press("escape")
        seen.there.press("escape")
        await seen.there.until("Enter opens the")
        seen.there.press("enter")
        await seen.there.until("Place your survivors")
        assert seen.page.game.revision == 0


async def test_a_placement_outlives_what_does_not_concern_it(tmp_path: Path) -> None:
    """Somebody leaves the game while pawns are placed: they stay where they were put."""
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
async def test_a_placement_ends_with_the_position_that_it_is_for(tmp_path: Path, what: str) -> None:
    """The conquest before is undone, or the turn is ended, from elsewhere: the placement and its preview are gone."""
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


async def test_the_bell_rings_when_a_move_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once when it becomes one's move; not at every conquest of one's own."""
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
async def test_numbers_that_are_too_large_are_refused(tmp_path: Path, line: str, answer: str) -> None:
    """No message can hold them: the server refuses the largest there is, in words."""
    async with sitting(tmp_path, BORDER, 1) as seen:
        seen.page.dispatch(Typed(line))
        await seen.there.until(answer)


async def test_bytes_that_are_no_text_are_refused_as_any_nonsense(tmp_path: Path) -> None:
    """A terminal of another encoding sends them; they can be said, too, as question marks."""
    async with sitting(tmp_path, BORDER, 1) as seen:
        seen.there.press(":", "x", " ")
        seen.there.send(b"\xff")
        seen.there.press("enter")
        await seen.there.until("is no province")
        seen.there.press("/", "h")
        seen.there.send(b"\xe9")
        seen.there.press("enter")
        await seen.there.until("Ann (1): h?")


async def test_the_log_scrolls_no_farther_than_it_is(tmp_path: Path) -> None:
    """However often one has scrolled back, a few keys lead to the end again."""
    async with sitting(tmp_path, BORDER, 1, columns=80, rows=24) as seen:
        for number in range(40):
            seen.page.game.tell(f"number {number}.")
        seen.there.press("l", *["pageup"] * 50)
        await seen.there.until("number 0.")
        seen.there.press(*["pagedown"] * 4)
        await seen.there.until("number 39.")


async def test_nothing_goes_on_behind_a_table_that_was_left(tmp_path: Path) -> None:
    """Actions that wait for one that takes long are not played any more after the page was left."""
    async with sitting(tmp_path, BORDER, 1) as seen:
        stays = asyncio.Event()

        async def long() -> None:
            await stays.wait()

        seen.page._queue._start(long())
        seen.there.press(":", *"x FEN", "enter")
        await seen.there.until(lambda _: len(seen.page._queue._tasks) == 2)
        seen.there.press("q")
        assert await seen.playing == "left"
        stays.set()
        while seen.page._queue._tasks:
            await asyncio.sleep(0)
        assert "FEN=" not in await seen.here.position()

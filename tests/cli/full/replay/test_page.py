"""Replay in full screen: positions of every step, the timeline, and the page."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.cli_runner import BORDER, is_kept
from tests.support.full_screen.games import text_of
from tests.support.full_screen.records import lines_of, load, played
from tests.support.line_client import table
from tests.support.terminals.emulator import Terminal, terminal
from vinci.v1 import game_pb2
from vinci.v1.bot_pb2 import Note
from vinci_cli.full.replay.page import ReplayPage, happened, look_back, timeline
from vinci_cli.full.replay.summary import summary
from vinci_cli.full.toolkit.app import App
from vinci_cli.full.ui import opened
from vinci_cli.game.interface import SeatedMatch
from vinci_cli.game.loading import fetch
from vinci_cli.game.replay import PlayedGame, ReplayPosition
from vinci_cli.game.statistics import story
from vinci_rules import position, record

SIZES = [(80, 24), (160, 50)]


def test_steps_are_equal_in_both_directions() -> None:
    """A step reached forwards or backwards has the position, log and changes of playing up to it."""
    game = played("standard", 3)
    forward = ReplayPosition(game)
    seen = []
    for step in range(forward.last + 1):
        forward.go(step)
        shown = forward.game
        assert shown.state == game.updates[step].state
        seen.append((shown.revision, list(shown.log), shown.changed))
    for step in reversed(range(forward.last + 1)):
        forward.go(step)
        shown = forward.game
        assert (shown.revision, list(shown.log), shown.changed) == seen[step]
    for step in range(0, forward.last + 1, 40):
        up_to_there = ReplayPosition(load(lines_of("standard", 3)[: step + 1]))
        up_to_there.go(step)
        assert list(up_to_there.game.log) == seen[step][1]


def test_steps_are_limited_to_the_game() -> None:
    """Steps before the first and after the last are the first and the last."""
    replay = ReplayPosition(played("standard", 3))
    replay.go(-5)
    assert replay.step == 0
    replay.go(10_000)
    assert replay.step == replay.last


def test_turns_begin_with_another_seat_or_round() -> None:
    """A turn begins where the seat or the round changes; turns can be skipped in both directions."""
    replay = ReplayPosition(played("standard", 4))
    states = [update.state for update in replay.updates]
    starts = [
        step
        for step in range(1, len(states) - 1)
        if (states[step].round, states[step].turn_seat) != (states[step - 1].round, states[step - 1].turn_seat)
    ]
    assert [turn.step for turn in replay.turns] == [0, *starts]
    visited = []
    while replay.step < replay.last:
        replay.next_turn()
        visited.append(replay.step)
    assert visited == [*starts, replay.last]
    replay.previous_turn()
    assert replay.step == starts[-1]
    replay.go(starts[3] + 1)
    replay.previous_turn()
    assert replay.step == starts[3]
    replay.previous_turn()
    assert replay.step == starts[2]


def test_round_is_found_at_its_first_position() -> None:
    """The step of a round is its first position; a round that was not played has none."""
    replay = ReplayPosition(played("standard", 4))
    for number, step in replay.rounds.items():
        assert replay.updates[step].state.round == number
        assert step == 0 or replay.updates[step - 1].state.round == number - 1
    assert 99 not in replay.rounds


@pytest.mark.parametrize("columns", [40, 80, 300])
def test_timeline_click_leads_to_a_step_marked_there(columns: int) -> None:
    """The step of each cell is marked in this cell or, with few steps, beside it."""
    replay = ReplayPosition(played("standard", 4))
    block = timeline(replay, columns)
    assert all(len(line.rstrip()) <= columns for line in block.text().split("\n"))
    for column in range(columns):
        kind, step = block.at(1, column).split()
        assert kind == "step"
        replay.go(int(step))
        mark = timeline(replay, columns).text().split("\n")[1].index("●")
        assert abs(mark - column) <= max(columns // replay.last, 0) + 1


def test_invalid_line_ends_the_replay() -> None:
    """A record is shown up to its last valid line, followed by the number of the bad line."""
    lines = lines_of("standard", 3)
    replay = ReplayPosition(load((*lines[:20], lines[20][:30])))
    assert replay.last == 19
    replay.go(replay.last)
    text = happened(replay, 120, 5).text()
    assert "line 21: not valid JSON" in text


def test_incomplete_record_is_marked() -> None:
    """A record without its end is no error, but marked as incomplete."""
    replay = ReplayPosition(load(lines_of("standard", 3)[:20]))
    replay.go(replay.last)
    assert "The record ends here; the game does not." in happened(replay, 120, 9).text()


def test_finished_start_position_is_one_step() -> None:
    """A record with nothing but a finished position has one step."""
    text = text_of(3, "over")
    first = record.start_line(position.read(text), start=text)
    lines = (record.dump(first), record.dump(record.result_line(first["hash"], position.read(text))))
    replay = ReplayPosition(load(lines))
    for move in (replay.next_turn, replay.previous_turn):
        move()
        assert replay.step == replay.last == 0
    page = ReplayPage(App(), replay)
    assert page.draw(80, 24, 8).height == 24
    assert summary(story(replay.updates), replay.game.names, 80, 24).height > 10


def test_click_on_a_removed_entry_does_nothing() -> None:
    """A click on a log entry that a step back has removed does nothing."""
    page = ReplayPage(App(), ReplayPosition(played("standard", 3)))
    page.press("end")
    last = len(page._replay.game.log) - 1
    page.press("home")
    page.click(f"log {last}")
    assert page.ui.popup is None


@asynccontextmanager
async def shown(
    there: Terminal, game: PlayedGame, html: Path, *, summary: bool = False
) -> AsyncIterator[asyncio.Task[bool]]:
    """Open a replay page on a stage; yield the stage and the task that ends with the page."""
    async with App() as app:
        task = asyncio.create_task(look_back(app, game, html, summary=summary))
        await there.until("draft" if not summary else "What each civilization earned")
        yield task


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_last_rows_match_the_golden_files(columns: int, rows: int) -> None:
    """The last rows (events, rounds, turns and keys) match the golden files."""
    replay = ReplayPosition(played("standard", 4))
    page = ReplayPage(App(), replay)
    replay.go(61)
    block = page.draw(columns, rows, 24)
    assert block.height == rows
    is_kept(f"full/replay-{columns}x{rows}.txt", "\n".join(block.text().split("\n")[-5:]) + "\n")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_note_of_a_bot_has_a_row_and_a_key(columns: int, rows: int) -> None:
    """The row has the start of the note; its key, or a click on it, shows all of it."""
    game = played("standard", 4)
    noted = replace(game, notes={2: Note(text="worth most " * 40, value=3.5, lines=["x AQU: 3.0"])})
    page = ReplayPage(App(), ReplayPosition(noted))
    for step, has_note in ((2, True), (3, False)):
        page._replay.go(step)
        block = page.draw(columns, rows, 24)
        found = [row for row, line in enumerate(block.text().split("\n")) if line.startswith("n ")]
        assert (bool(found), block.height) == (has_note, rows)
        if found:
            assert " notes: 3.5  worth most " in block.text()
            assert block.at(found[0], 9) == "key n"
        page.press("n")
        assert (page.ui.popup is not None) == has_note
        if page.ui.popup is not None:
            assert page.ui.popup[1].endswith("\n  x AQU: 3.0")
            page.press("escape")
    without = ReplayPage(App(), ReplayPosition(game))
    without.press("n")
    assert without.ui.popup is None


def test_damaged_notes_are_told() -> None:
    """The replay opens with what is wrong, until the first key."""
    page = ReplayPage(App(), ReplayPosition(replace(played("standard", 3), doubt="game.notes.json: 1 line")))
    assert "game.notes.json: 1 line" in page.draw(80, 24, 24).text()
    page.press("right")
    assert "game.notes.json: 1 line" not in page.draw(80, 24, 24).text()


async def test_keys_move_through_steps_turns_and_rounds(tmp_path: Path) -> None:
    """Keys move by step, by turn, to both ends and to a typed round."""
    replay = ReplayPosition(played("standard", 4))
    last = replay.last
    with terminal() as there:
        async with shown(there, played("standard", 4), tmp_path / "game.html") as task:
            await there.until(f" 0 of {last}")
            there.press("right", "right", "left")
            await there.until(f" 1 of {last}")
            there.press("down", "down")
            await there.until(f" {replay.turns[3].step} of {last}")
            there.press("pageup")
            await there.until(f" {replay.turns[2].step} of {last}")
            there.press("end")
            await there.until(f" {last} of {last}")
            there.press("home")
            await there.until(f" 0 of {last}")
            there.press("g", "5", "enter")
            await there.until(f" {replay.rounds[5]} of {last}")
            there.press("g", "7", "7", "enter")
            await there.until("There is no round 77")
            there.press("q")
            assert await task is False


async def test_keys_show_rule_and_help(tmp_path: Path) -> None:
    """r shows the rule of the last event, ? explains the selection and the keys; any key closes them."""
    with terminal() as there:
        async with shown(there, played("standard", 4), tmp_path / "game.html"):
            there.press("r")
            await there.until("R-SETUP-5")
            there.press("escape")
            await there.until(lambda text: "R-SETUP-5" not in text)
            there.press("z")  # the whole map, not a part of it
            await there.until(lambda text: "CAS" in text or "Castile" in text)
            there.click("Castile" if "Castile" in there.text() else "CAS")
            await there.until("Castile")
            there.press("?")
            await there.until("a step back, a step on")
            there.press("x")
            await there.until(lambda text: "a step back, a step on" not in text)
            there.press("l")
            await there.until("Log")


async def test_mouse_moves_through_the_game(tmp_path: Path) -> None:
    """A click on the timeline goes there, the wheel moves by steps, and keys can be clicked."""
    replay = ReplayPosition(played("standard", 4))
    with terminal() as there:
        async with shown(there, played("standard", 4), tmp_path / "game.html"):
            there.click("●", right=40)
            step = round(40 * replay.last / 79)
            await there.until(f" {step} of {replay.last}")
            there.turn_wheel("draft", up=True)
            await there.until(f" {step - 1} of {replay.last}")
            there.turn_wheel("draft", up=False)
            await there.until(f" {step} of {replay.last}")
            there.click("→ step")
            await there.until(f" {step + 1} of {replay.last}")


async def test_autoplay_stops_at_the_end_or_by_a_key(tmp_path: Path) -> None:
    """Autoplay runs to the end of the game and stops there, or earlier at a key."""
    game = load(lines_of("standard", 3)[:30])
    with terminal() as there:
        async with shown(there, game, tmp_path / "game.html"):
            there.press(*">>>>>")
            await there.until("0.1 s")
            there.press("space")
            await there.until("▶ 0.1 s  3 of 29")
            there.press("home")
            await there.until("‖ 0.1 s  0 of 29")
            there.press("space")
            await there.until("‖ 0.1 s  29 of 29")


async def test_key_switches_between_summary_and_replay(tmp_path: Path) -> None:
    """A key leads from replay to summary and back; leaving the first page leaves both."""
    with terminal() as there:
        async with shown(there, played("standard", 4), tmp_path / "game.html") as task:
            there.press("s")
            await there.until("What each civilization earned")
            there.press("r")
            await there.until("0 of ")
            there.press("s")
            await there.until("Esc back")
            there.press("escape")
            await there.until("0 of ")
            there.press("q")
            assert await task is False


async def test_replay_after_a_game_returns_to_the_summary(tmp_path: Path) -> None:
    """Leaving a replay returns to the summary, which still offers a rematch."""
    with terminal() as there:
        async with App() as app:
            game = played("standard", 4)
            task = asyncio.create_task(look_back(app, game, tmp_path / "game.html", summary=True, can_rematch=True))
            await there.until("another game")
            there.press("r")
            await there.until("0 of ")
            there.press("q")
            await there.until("another game")
            there.press("m")
            assert await task is True


async def test_wish_of_others_for_another_game_stays_below_the_summary(tmp_path: Path) -> None:
    """News stay below the summary, also after a key."""

    @asynccontextmanager
    async def news(tell: Callable[[str], None]) -> AsyncIterator[None]:
        tell("Ben wants another game.")
        yield

    with terminal() as there:
        async with App() as app:
            task = asyncio.create_task(look_back(app, played("standard", 4), None, summary=True, news=news))
            await there.until("Ben wants another game.")
            there.press("down")
            await there.until("Ben wants another game.")
            there.press("q")
            assert await task is False


async def test_spectator_of_a_finished_match_gets_its_replay(tmp_path: Path) -> None:
    """The replay of a finished match has undone actions and decision times."""
    async with table(tmp_path, BORDER) as there:
        session = there.session
        token = there.tokens[1]
        await session.act(there.match_id, token, [game_pb2.Action(notation="x COL")])
        await session.undo(there.match_id, token)
        await session.act(there.match_id, token, [game_pb2.Action(notation="x DOL")])
        await there.end("it is late")
        game = await fetch(session, there.match_id)
        assert [update.notation for update in game.updates] == ["", "x COL", "", "x DOL"]
        assert game.updates[2].undo_to == 0
        assert game.updates[2].state == game.updates[0].state
        assert story(game.updates, game.times).thought[1].decisions == 2
        match = await session.get(there.match_id)
        with terminal() as screen:
            async with opened() as face:
                looking = asyncio.create_task(face.play(SeatedMatch(session, match, game.names, {})))
                await screen.until(" 0 of 3")
                screen.press("end")
                await screen.until(f"conquers {game.names.province('DOL')}")
                await screen.until(" 3 of 3")
                screen.press("q")
                assert await looking == "left"
                looking = asyncio.create_task(face.play(SeatedMatch(session, match, game.names, {}, from_revision=2)))
                await screen.until(" 2 of 3")
                screen.press("q")
                assert await looking == "left"

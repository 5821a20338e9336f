"""Reviews in a process of their own: on the summary, in the replay, in the line client."""

import asyncio
import os
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import psutil
import pytest

from tests.support.line_client import PreparedUi
from tests.support.recorded import recorded
from tests.support.terminals.emulator import terminal
from vinci.v1 import lobby_pb2
from vinci_cli.full.replay.page import look_back
from vinci_cli.full.toolkit.app import App
from vinci_cli.game.interface import SeatedMatch
from vinci_cli.line.ui import LineInterface
from vinci_cli.records import loader
from vinci_cli.review import process, words
from vinci_cli.review.model import path_of

LATE = (
    "tiny; rules standard target=12; round 3 reached; seat 1 vp=12 | BAR+CUR reserve=9; seat 2 | DIP+REN reserve=5; "
    "seat 3 | WEA+MIL reserve=5"
)
"""A position in the last round, whose simulations are short."""


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Write a record of two turns, whose review takes a second or two; return its path."""
    path = tmp_path / "game.jsonl"
    lines = recorded(LATE, ["x GOR", "hold GOR=9", "x FEN", "hold FEN=5"])
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def workers() -> list[psutil.Process]:
    """Return the processes that this one has started, with theirs."""
    found = psutil.Process(os.getpid()).children(recursive=True)
    return [one for one in found if one.status() != psutil.STATUS_ZOMBIE]


async def test_a_review_tells_its_progress_and_is_kept(record: Path) -> None:
    """The turns are counted, and the review lies beside the record afterwards."""
    told: list[tuple[int, int]] = []
    found = await process.review(record, lambda done, number: told.append((done, number)))
    assert len(found.turns) == 2
    assert told == [(0, 2), (1, 2), (2, 2), (2, 2)]
    assert loader.load(record).review == found


async def test_a_review_that_fails_tells_why(tmp_path: Path) -> None:
    """The error is that of the command."""
    with pytest.raises(process.NoReview, match=r"none\.jsonl cannot be read"):
        await process.review(tmp_path / "none.jsonl", lambda _done, _number: None)


async def test_the_summary_starts_a_review_and_the_replay_shows_it(record: Path, tmp_path: Path) -> None:
    """v starts it once; then the summary has a table, the HTML page too, and turns of the replay have remarks."""
    with terminal(columns=120, rows=40) as there:
        async with App() as app:
            played, html = loader.load(record), tmp_path / "game.html"
            task = asyncio.create_task(look_back(app, played, html, summary=True, record=record))
            await there.until("v review")
            there.press("v")
            await there.until("turns reviewed")
            there.press("end")
            await there.until("Luck of draws")
            there.press("h")
            await there.until("page for browsers")
            assert "<h2>Review</h2>" in html.read_text(encoding="utf-8")
            there.press("end")
            await there.until(lambda text: "v review" not in text)
            there.press("r")
            await there.until("0 of 4")
            there.press("end")
            found = loader.load(record).review
            assert found is not None
            turn = found.turns[-1]
            await there.until(words.remark(turn, played.names)[:60])
            there.press("q")
            await there.until("r replay")
            there.press("q")
            assert await task is False


async def test_leaving_ends_a_review_that_is_under_way(record: Path) -> None:
    """The process and its workers end, and nothing is kept."""
    with terminal() as there:
        async with App() as app:
            before = {one.pid for one in workers()}
            task = asyncio.create_task(look_back(app, loader.load(record), None, summary=True, record=record))
            await there.until("v review")
            there.press("v")
            await there.until("being reviewed")
            while not {one.pid for one in workers()} - before:
                await asyncio.sleep(0.02)
            there.press("q")
            await task
            async with asyncio.timeout(20):
                while {one.pid for one in workers()} - before:
                    await asyncio.sleep(0.02)
    assert not path_of(record).exists()


async def test_a_failure_is_shown_below_the_summary(record: Path) -> None:
    """And another try is offered."""
    played = loader.load(record)
    with terminal() as there:
        async with App() as app:
            record.unlink()
            task = asyncio.create_task(look_back(app, played, None, summary=True, record=record))
            await there.until("v review")
            there.press("v")
            await there.until("There is no review")
            await there.until("v review")
            there.press("q")
            await task


async def test_without_a_record_none_is_offered(record: Path) -> None:
    """As over SSH; v does nothing there."""
    with terminal() as there:
        async with App() as app:
            task = asyncio.create_task(look_back(app, loader.load(record), None, summary=True))
            await there.until("r replay")
            assert "v review" not in there.text()
            there.press("v")
            there.press("q")
            assert await task is False


@pytest.mark.parametrize(("last", "wanted"), [("rematch", True), ("", False)])
async def test_the_line_client_prints_a_review(record: Path, last: str, wanted: bool) -> None:
    """`review` prints it, then another game is still offered."""
    played = loader.load(record)
    match = lobby_pb2.Match()
    match.CopyFrom(played.match)
    table = SeatedMatch(cast(Any, None), match, played.names, {1: "token"})
    screen = PreparedUi(["review", last])
    screen.asked.append(("", "", lambda _typed: []))  # a person at a terminal, who has been asked before
    again = await LineInterface(screen).wants_rematch(table, record, "", possible=True)
    assert again is wanted
    text = "\n".join("".join(part for _style, part in line) for line in screen.lines)
    assert "Luck of draws" in text
    assert "Accuracy is 100" in text
    assert "Round 3" in text
    assert "review" in screen.asked[1][0]
    assert "review" not in screen.asked[2][0]


async def test_a_typo_after_the_game_does_not_leave(record: Path) -> None:
    """A word that is none of those proposed is refused, and the question asked again."""
    played = loader.load(record)
    table = SeatedMatch(cast(Any, None), played.match, played.names, {1: "token"})
    screen = PreparedUi(["rematsch", "rematch"])
    screen.asked.append(("", "", lambda _typed: []))  # a person at a terminal, who has been asked before
    assert await LineInterface(screen).wants_rematch(table, record, "", possible=True) is True
    assert "'rematsch' is not one of the words." in screen.text()
    screen = PreparedUi(["quit", "rematch"])
    screen.asked.append(("", "", lambda _typed: []))
    assert await LineInterface(screen).wants_rematch(table, record, "", possible=True) is False


async def test_a_program_at_a_pipe_is_not_asked(record: Path) -> None:
    """Neither for a review nor, alone, for another game."""
    played = loader.load(record)
    table = SeatedMatch(cast(Any, None), replace(played).match, played.names, {1: "token"})
    screen = PreparedUi(leaves=False)
    assert await LineInterface(screen).wants_rematch(table, record, "", possible=True) is False
    assert not screen.asked

"""The summary of a game at every window size."""

import asyncio
from pathlib import Path

import pytest

from tests.support.cli_runner import is_kept
from tests.support.full_screen.records import played
from tests.support.terminals.emulator import terminal
from vinci_cli.full.replay.page import look_back
from vinci_cli.full.replay.summary import summary
from vinci_cli.full.toolkit.app import App
from vinci_cli.full.toolkit.block import width
from vinci_cli.full.toolkit.plot import plot
from vinci_cli.game.statistics import story
from vinci_cli.game.summary import headline, leads, margin


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (160, 50)])
def test_summary_matches_its_golden_file(columns: int, rows: int) -> None:
    """Ranking, VP over time and earnings of civilizations match the golden files."""
    game = played("standard", 4)
    is_kept(
        f"full/summary-{columns}x{rows}.txt",
        summary(story(game.updates), game.names, columns, rows).text() + "\n",
    )


@pytest.mark.parametrize("seats", [3, 6])
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (100, 30), (160, 50), (300, 90)])
def test_summary_fits_every_window(seats: int, columns: int, rows: int) -> None:
    """No line is wider than the window."""
    game = played("standard", seats)
    block = summary(story(game.updates), game.names, columns, rows)
    assert max(map(width, block.lines)) <= columns


def test_curves_are_ordered_by_vp() -> None:
    """The number of a seat with more VP is not below that of a seat with less."""
    block = plot({1: [0, 10, 80], 2: [0, 30, 40], 3: [0, 5, 10]}, 0, 100, 40, 20)
    rows = block.text().split("\n")[:18]
    ends = {seat: min(number for number, row in enumerate(rows) if row.endswith(seat)) for seat in "123"}
    assert ends["1"] < ends["2"] < ends["3"]
    assert len(block.lines) == 20


def test_headline_names_all_winners() -> None:
    """The headline names all seats that share the first rank."""
    game = played("standard", 4)
    statistics = story(game.updates)
    statistics.ranks = (1, 3, 1, 4)
    assert headline(statistics, game.names).startswith("random (1) and Dummy (3) share the first place")


def test_margin_and_changes_of_the_lead() -> None:
    """The margin is that to the second seat, and rounds with several leaders change no lead."""
    game = played("standard", 4)
    statistics = story(game.updates)
    statistics.ranks, statistics.rounds = (2, 1, 3, 4), [0, 1, 2, 3]
    statistics.vp = {1: [10, 20, 30, 40], 2: [10, 20, 35, 55], 3: [10, 25, 26, 30], 4: [0, 0, 0, 0]}
    assert margin(statistics, game.names) == "15 VP ahead of random (1)."
    assert leads(statistics, game.names) == "Changes of the lead: Dummy (3) from round 1, random (2) from round 2."
    statistics.ranks = (1, 1, 3, 4)
    assert margin(statistics, game.names) == ""


async def test_summary_scrolls_and_saves_the_page(tmp_path: Path) -> None:
    """Keys and the wheel scroll; h writes the HTML page and a the animated picture, and each shows its path."""
    html = tmp_path / "records" / "game.html"
    with terminal() as there:
        async with App() as app:
            task = asyncio.create_task(look_back(app, played("standard", 4), html, summary=True))
            await there.until("1. ")
            there.press("end")
            await there.until("The biggest turns")
            there.turn_wheel("The biggest turns", up=True)
            there.press("home")
            await there.until("1. ")
            there.press("h")
            await there.until("page for browsers")
            assert html.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
            there.press("a")
            await there.until("animated picture for browsers")
            assert "<svg" in html.with_suffix(".svg").read_text(encoding="utf-8")
            there.press("q")
            assert await task is False


async def test_verdict_on_the_draws_is_shown_below_the_summary(tmp_path: Path) -> None:
    """The verdict on the draws is shown until a key is pressed."""
    fair = (
        "The draws follow from a secret number that the server fixed before the game and from a random number of this "
        "device: nobody could foresee or choose them."
    )
    with terminal(columns=100) as there:
        async with App() as app:
            game = played("standard", 4)
            task = asyncio.create_task(look_back(app, game, None, summary=True, notice=fair))
            await there.until(lambda text: fair in " ".join(text.split()))
            there.press("end")
            await there.until(lambda text: fair not in " ".join(text.split()))
            there.press("q")
            assert await task is False


async def test_failed_save_is_reported(tmp_path: Path) -> None:
    """A folder that is a file is named in the error."""
    (tmp_path / "records").write_text("", encoding="utf-8")
    with terminal() as there:
        async with App() as app:
            html = tmp_path / "records" / "game.html"
            task = asyncio.create_task(look_back(app, played("standard", 4), html, summary=True))
            await there.until("1. ")
            there.press("h")
            await there.until("cannot be written")
            there.press("q")
            assert await task is False

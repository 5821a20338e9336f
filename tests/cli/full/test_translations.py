"""Whole screens in French, Dutch and German: no English words, and important rows fit 80 columns."""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.support.full_screen import games, lobbies
from tests.support.full_screen.games import PHASES, game, text_of
from tests.support.full_screen.records import played
from tests.support.full_screen.table_pages import ALONE, BlankMap, play, sitting, views
from vinci.v1 import game_pb2
from vinci_cli.full.lobby.create import making
from vinci_cli.full.lobby.form import Form
from vinci_cli.full.map.symbols import DRAWN
from vinci_cli.full.replay.summary import summary
from vinci_cli.full.table import layout
from vinci_cli.full.table.panes import footer, market, status
from vinci_cli.full.table.panes.help import help_text
from vinci_cli.full.table.ui_state import UiState
from vinci_cli.full.toolkit.block import Block, Depth, cells
from vinci_cli.full.toolkit.menu import drawn
from vinci_cli.full.toolkit.text import Row
from vinci_cli.full.tutorial.steps import steps
from vinci_cli.game.client_match import ClientMatch
from vinci_cli.game.statistics import story
from vinci_cli.text import i18n
from vinci_cli.text.i18n import choose

OTHERS: Final = [code for code in i18n.LANGUAGES if code != "en"]
ENGLISH: Final = re.compile(
    r"\b(the|and|to|for|with|by|from|your?|are|has|not|more|nothing|pawns?|turn|round|VP|seats?|conquers?|costs?|worth|"
    r"takes|holds|declined|price|left|leave|choose|who|match|none|space|suggest|next)\b"
)
"""Frequent words, and those of the game, that stand in no text of another language."""


@pytest.fixture(params=OTHERS)
def spoken(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Select a language for the test; names and chat lines are without English words."""
    monkeypatch.setattr(games, "PLAYERS", ("Ann", "Bea", "黄河清", "D", "Élodie", "Ferdinand von und zu"))
    choose(request.param)
    return str(request.param)


def english(text: str) -> list[str]:
    """Return the lines with an English-only word."""
    return [line for line in text.split("\n") if ENGLISH.search(line)]


def quiet(phase: str) -> ClientMatch:
    """Return a game with four seats without English chat lines."""
    return game(text_of(4, phase), chat=("黄河", "…!"))


def row_text(row: Row) -> str:
    """Return a row without its styles."""
    return "".join(part.text for part in row)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (160, 50)])
def test_table_has_no_english_text(spoken: str, columns: int, rows: int, phase: str) -> None:
    """Panes, previews, refusals, placements, help, start and lost connection have no English text."""
    here = quiet(phase)
    for ui in views(here):
        if not ui.popup and not ui.notice:  # those of this test are English
            assert english(layout.draw(here, ui, BlankMap(), columns, rows, 24).text()) == []
        assert english(help_text(here, ui, 24)) == []
    here.connected = False
    assert english(layout.draw(here, UiState(), BlankMap(), columns, rows, 24).text()) == []


@pytest.mark.parametrize("phase", PHASES)
def test_top_row_fits_80_columns(spoken: str, phase: str) -> None:
    """The top row with prompt and end of the game is not cut at 80 columns."""
    row = row_text(status.status(quiet(phase), 80))
    assert "…" not in row
    assert cells(row) == 80


@pytest.mark.parametrize("phase", PHASES)
def test_keys_fit_80_columns(spoken: str, phase: str) -> None:
    """All keys of the current phase fit the last row at 80 columns."""
    here = quiet(phase)
    for ui in (UiState(), UiState(province="ALP"), UiState(tab="market", slot=1)):
        row = row_text(footer.footer(here, ui, 80, 2)[0])
        assert [label for _key, label in footer.actions(here, ui) if label not in row.replace("\u00a0", " ")] == []


@pytest.mark.parametrize("phase", PHASES)
def test_keys_are_left_out_only_without_room(spoken: str, phase: str) -> None:
    """At 80 columns the most important general key that is left out fits neither row."""
    here = quiet(phase)
    for ui in (UiState(), UiState(province="ALP"), UiState(tab="market", slot=1)):
        rows = footer.footer(here, ui, 80, 2)
        shown = {part.target for row in rows for part in row}
        widths = [cells(row_text(row).rstrip()) for row in rows]
        room = 80 - min(widths) - len("  ")
        assert max(widths) <= 80
        left_out = [label for key, label in footer.general() if f"key {key}" not in shown]
        assert all(cells(label) + 2 > room for label in left_out[:1])


def test_prices_fit_their_column(spoken: str) -> None:
    """The words for prices stand in columns."""
    state = quiet("draft").state
    assert state is not None
    rows = [row_text(market._terms(state.market, slot, "")) for slot in range(1, len(state.market) + 1)]
    assert len({cells(row) for row in rows}) == 1
    assert all(re.match(r" +\d+ +\S", row) for row in rows)


@pytest.mark.parametrize("code", i18n.LANGUAGES)
def test_form_for_a_match_fits_80_columns(code: str) -> None:
    """Every field and value of the form is readable at 80 columns."""
    choose(code)

    def form() -> Form:
        return Form(lobbies.INFO, ["human", "dummy", "greedy", "any bot"], {"names": "Ann"})

    pages = [(form(), choice.target or "make") for choice in making(form(), "", "make").choices]
    for described in lobbies.INFO.match_fields:
        for value in described.values if described.rule else ():
            pages.append((form(), described.text.code))
            pages[-1][0].put(described.text.code, value.code)
    for page, selected in pages:
        for rows in (24, 100):  # with an explanation of the selection, and with all fields
            picture = drawn(making(page, "", selected), 80, rows).text()
            assert [line for line in picture.split("\n") if "…" in line] == []
            assert code == "en" or english(picture) == []


def test_tutorial_steps_are_about_as_long_as_in_english(spoken: str) -> None:
    """No step is much longer than in English, so that the smallest window has room for it."""
    lengths = [len(step.text) for step in steps(DRAWN)]
    assert (
        english("\n".join(f"{step.title}\n{step.text}\n{step.hint}".replace("vinci play", "") for step in steps(DRAWN)))
        == []
    )
    choose("en")
    assert max(lengths) < 1.3 * max(len(step.text) for step in steps(DRAWN))


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (160, 50)])
def test_summary_has_no_english_text(spoken: str, columns: int, rows: int) -> None:
    """Ranking, VP over time, earnings and biggest turns have no English text."""
    replayed = played("standard", 4)
    assert english(summary(story(replayed.updates), replayed.names, columns, rows).text()) == []


async def test_whole_game_has_no_english_text(spoken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No screen of a whole game by keys, in 80 columns, has English text."""
    pictures = []
    async with sitting(tmp_path, ALONE, 1, columns=80, rows=24) as seen:
        draw = seen.page.draw

        def kept(columns: int, rows: int, depth: Depth) -> Block:
            picture = draw(columns, rows, depth)
            pictures.append(picture.text())
            return picture

        monkeypatch.setattr(seen.page, "draw", kept)
        await play(seen, press=True)
        assert seen.page.game.state is not None
        assert seen.page.game.state.phase == game_pb2.PHASE_OVER
    assert len(set(pictures)) > 20
    assert [line for picture in pictures for line in english(picture)] == []

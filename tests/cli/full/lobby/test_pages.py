"""The pages of the lobby compared with golden files; `VINCI_UPDATE=1` writes those of tests/data/lobby anew."""

from dataclasses import replace
from pathlib import Path

import pytest
from prompt_toolkit.utils import get_cwidth

from tests.support.cli_runner import is_kept
from tests.support.full_screen.lobbies import SEAT, page, sheets
from vinci_cli.full.lobby.menu import ENTRIES, LATEST, Waiting, menu
from vinci_cli.full.lobby.records import recorded
from vinci_cli.full.toolkit.block import Block
from vinci_cli.full.toolkit.menu import boxed, drawn, place_of
from vinci_cli.text import i18n

SIZES = ((80, 24), (160, 50))
NAMES = sorted(sheets())


@pytest.mark.parametrize("columns", [columns for columns, _rows in SIZES])
@pytest.mark.parametrize("name", NAMES)
def test_page_matches_its_golden_file(name: str, columns: int) -> None:
    """Each page in a small and a large window matches its golden file."""
    rows = dict(SIZES)[columns]
    picture = page(name, columns, rows)
    is_kept(f"lobby/{name}-{columns}x{rows}.txt", f"{picture.text()}\n")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("columns", "rows"), [(20, 5), (40, 12), (79, 23), (80, 24), (109, 30), (110, 30), (151, 44), (300, 90)]
)
def test_page_fills_any_window(name: str, columns: int, rows: int) -> None:
    """Every line is exactly as wide as the window, and clickable targets lie within it."""
    picture = page(name, columns, rows)
    assert [sum(get_cwidth(text) for _style, text in line) for line in picture.lines] == [columns] * rows
    assert all(0 <= hit.start < hit.stop <= columns and 0 <= hit.row < rows for hit in picture.hits)


@pytest.mark.parametrize("name", NAMES)
def test_selected_line_is_marked_without_colour(name: str) -> None:
    """The selected line has a mark besides its colour, and clickable lines are named."""
    sheet = sheets()[name]
    picture = page(name, 80, 24)
    lines = picture.text().splitlines()
    if sheet.chosen:
        row = next(number for number, line in enumerate(lines) if "│▸ " in line.replace("│ ▸", "│▸"))
        assert picture.at(row, 40) in (sheet.chosen, f"less {sheet.chosen}", f"more {sheet.chosen}")
        assert sheet.choices[place_of(sheet)].target == sheet.chosen
    keys = [hit.target for hit in picture.hits if hit.target.startswith("key ")]
    assert keys == [f"key {key}" for key, _what in sheet.keys]


def test_invitation_fits_one_line_of_a_small_window() -> None:
    """The command to join is shown whole in one line, because it is typed elsewhere."""
    picture = drawn(sheets()["room"], 80, 24)
    assert " vinci join 192.168.100.100:7654 --code xt93-82zj-f8xf-gadz-30tn-d003" in picture.text().splitlines()


@pytest.mark.parametrize("code", i18n.LANGUAGES)
def test_every_page_is_drawn_in_every_language(code: str) -> None:
    """Every page can be drawn in every language."""
    i18n.choose(code)
    for name, sheet in sheets().items():
        assert drawn(sheet, 80, 24).height == 24, name


@pytest.mark.parametrize("last", ['{"result": {"vp": 5}}', '{"result": {"vp": ["many"]}}', '{"result": []}', "[]"])
def test_list_of_records_skips_invalid_files(tmp_path: Path, last: str) -> None:
    """Files that are not records are left out, and control characters in names are not printed."""
    (tmp_path / "odd.jsonl").write_text('{"names": ["a"]}\n' + last, encoding="utf-8")
    (tmp_path / "fine.jsonl").write_text('{"names": ["\\u001b[31mAnn"]}\n{"result": {"vp": [7]}}', encoding="utf-8")
    assert [(listed.path.stem, listed.names, listed.vp) for listed in recorded(tmp_path)] == [
        ("fine", ["[31mAnn"], [7])
    ]


def test_title_screen_has_room_for_everything_beside_many_games() -> None:
    """In the smallest window the latest games, how many more there are, and all other entries are in sight."""
    waiting = [Waiting(replace(SEAT, match_id=f"match{n}")) for n in range(LATEST)]
    text = boxed(menu(waiting, "quick", is_at_home=True, more=13), Block(), 80, 24).text()
    assert text.count("Continue: ") == LATEST
    assert "13 more …" in text
    assert all(title in text for title, _about in ENTRIES.values())

"""The board as an image in a terminal that knows the graphics protocol of kitty."""

import base64
import re
import sys
import zlib
from collections import Counter
from pathlib import Path

import pytest
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding import KeyPress

from tests.support.cli_runner import BORDER
from tests.support.full_screen.table_pages import sitting
from vinci_cli.full.toolkit import picture
from vinci_cli.full.toolkit.display import PICTURE_QUESTIONS, Answers, Display
from vinci_cli.graphics import symbols

KITTY = "\x1b_Gi=31;OK\x1b\\"
PIXELS = "\x1b[4;480;800t"
LAST = "\x1b[?62;4;c"


def colours_of(png: bytes) -> tuple[int, int, Counter[str]]:
    """Return width, height and the number of pixels of each colour of a PNG with 8 bits for red, green, blue, alpha."""
    wide, high = picture.size_of(png)
    assert png[24:29] == bytes((8, 6, 0, 0, 0))
    data, place = b"", 8
    while place < len(png):
        size = int.from_bytes(png[place : place + 4], "big")
        if png[place + 4 : place + 8] == b"IDAT":
            data += png[place + 8 : place + 8 + size]
        place += size + 12
    data, before, colours = zlib.decompress(data), bytearray(4 * wide), Counter[str]()
    for row in range(high):
        start = row * (4 * wide + 1)
        kind, line = data[start], bytearray(data[start + 1 : start + 1 + 4 * wide])
        for at in range(4 * wide):
            left, above, corner = (line[at - 4], before[at], before[at - 4]) if at > 3 else (0, before[at], 0)
            paeth = min((left, above, corner), key=lambda value: abs(left + above - corner - value))
            line[at] = (line[at] + (0, left, above, (left + above) // 2, paeth)[kind]) % 256
        colours.update(f"#{line[at : at + 3].hex()}" for at in range(0, 4 * wide, 4))
        before = line
    return wide, high, colours


async def test_board_is_shown_as_an_image_until_a_key(tmp_path: Path) -> None:
    """`i` asks the terminal, then writes the board as PNG in chunks; any key deletes it and does nothing else."""
    async with sitting(tmp_path, BORDER, 1) as seen:
        there = seen.there
        there.press("i")
        await there.until(lambda _: PICTURE_QUESTIONS in "".join(there.written))
        there.press(KITTY, PIXELS, LAST)
        await there.until("any key returns")
        await there.until(lambda _: "m=0;" in "".join(there.written))
        assert "Collis" not in there.text()
        written = "".join(there.written)
        sequences = re.findall(r"\x1b_G([^;\x1b]*m=[01]);([^\x1b]*)\x1b\\", written)
        assert [keys for keys, _data in sequences] == [
            "a=T,f=100,q=2,C=1,m=1", *["m=1"] * (len(sequences) - 2), "m=0"
        ]  # fmt: skip
        assert all(len(data) == picture.CHUNK for _keys, data in sequences[:-1])
        wide, high, colours = colours_of(base64.b64decode("".join(data for _keys, data in sequences)))
        rows = there.screen.lines
        assert high == 480 * (rows - 1) // rows
        assert 300 < wide <= 800
        assert picture.DELETE not in written
        assert colours[symbols.SEATS[1]] > 20
        assert colours[symbols.SEATS[2]] > 20
        there.press("q")
        await there.until("Collis")
        await there.until(lambda _: picture.DELETE in "".join(there.written))
        assert seen.page.ui.province == ""


@pytest.mark.parametrize(("answer", "told"), [(LAST, "This terminal shows"), (KITTY + LAST, "Images need resvg-py:")])
async def test_what_is_missing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, told: str) -> None:
    """A terminal without images says so, and one without resvg-py what to install."""
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    async with sitting(tmp_path, BORDER, 1) as seen:
        seen.there.press("i")
        await seen.there.until(lambda _: PICTURE_QUESTIONS in "".join(seen.there.written))
        seen.there.press(answer)
        await seen.there.until(told)
        assert "\x1b_Ga=T" not in "".join(seen.there.written)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 1000])
def test_answers_about_pictures_are_no_keys(size: int) -> None:
    """However they are cut into reads, they tell protocol and size, and only keys are pressed."""
    keys: list[KeyPress] = []
    display, text = Display(), f"a{KITTY}b{PIXELS}c{LAST}d"
    answers = Answers(Vt100Parser(keys.append), display, lambda: None)
    for start in range(0, len(text), size):
        answers.feed(text[start : start + size])
    assert [press.key for press in keys] == ["a", "b", "c", "d"]
    assert display.shows_pictures
    assert display.pixels == (800, 480)

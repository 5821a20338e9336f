"""Pictures in terminals that know the graphics protocol of kitty. Sixel is not written."""

import base64
import importlib
from typing import Final

DELETE: Final = "\x1b_Ga=d,d=A,q=2\x1b\\"
"""Deletes all pictures."""

CHUNK: Final = 4096
"""Most characters of base64 in a sequence."""

CELL: Final = (10, 20)
"""Width and height in pixels of a cell of a terminal that does not tell its size."""


def png(svg: str, width: int, height: int) -> bytes:
    """Return a drawing as PNG, as large as fits. Raises ImportError without resvg-py, the extra `picture`."""
    resvg = importlib.import_module("resvg_py")
    drawn: bytes = resvg.svg_to_bytes(svg_string=svg, width=width, height=height, serif_family="DejaVu Serif")
    return bytes(drawn)


def size_of(drawn: bytes) -> tuple[int, int]:
    """Return width and height of a PNG in pixels."""
    return int.from_bytes(drawn[16:20], "big"), int.from_bytes(drawn[20:24], "big")


def kitty(drawn: bytes, column: int, row: int) -> str:
    """Return the sequences that show a PNG with its corner in a cell, both from 0, and leave the cursor where it is."""
    text = base64.b64encode(drawn).decode()
    chunks = [text[start : start + CHUNK] for start in range(0, len(text), CHUNK)]
    parts = []
    for number, chunk in enumerate(chunks):
        first = "a=T,f=100,q=2,C=1," if number == 0 else ""
        parts.append(f"\x1b_G{first}m={int(number + 1 < len(chunks))};{chunk}\x1b\\")
    return f"\x1b7\x1b[{row + 1};{column + 1}H{''.join(parts)}\x1b8"

"""Notes of bots about their answers: how long they may be, and the lines of the file beside a record that has them."""

import json
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Final, NamedTuple

from google.protobuf.json_format import MessageToDict

from vinci.v1.bot_pb2 import Note

SUFFIX: Final = ".notes.json"
"""Suffix of the file with the notes of a game, in place of that of its record."""
MOST_NOTED: Final = 500
"""Characters of a text in a note; the rest is cut."""
MOST_LINES: Final = 10
"""Lines of a note; the rest is left out."""


class NotedDecision(NamedTuple):
    """A note with the number of the first action of its answer in the record, and the seat, both from 1."""

    number: int
    seat: int
    note: Note


def path_of(record: Path) -> Path:
    """Return the path of the notes of a record."""
    return record.with_suffix(SUFFIX)


def bounded(text: str = "", value: float | None = None, lines: Sequence[str] = ()) -> Note:
    """Return a note about an answer, cut where it is too long, and without a value that is no number."""
    cut = [line[:MOST_NOTED] for line in lines[:MOST_LINES]]
    return Note(text=text[:MOST_NOTED], value=value if value is not None and isfinite(value) else None, lines=cut)


def line(number: int, seat: int, note: Note) -> str:
    """Return the line of a note, cut where it is too long; empty for an empty note."""
    own = bounded(note.text, note.value if note.HasField("value") else None, note.lines)
    parts = MessageToDict(own)
    return json.dumps({"n": number, "seat": seat, "note": parts}, ensure_ascii=False) + "\n" if parts else ""


def read(text: bytes) -> NotedDecision:
    """Read a line. Raises ValueError."""
    try:
        parts = json.loads(text)
        note, lines = parts["note"], parts["note"].get("lines", [])
        value = note.get("value")
        own = bounded(str(note.get("text", "")), None if value is None else float(value), [str(one) for one in lines])
        return NotedDecision(int(parts["n"]), int(parts["seat"]), own)
    except (KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise ValueError(f"no note: {error}") from None

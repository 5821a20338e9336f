"""Lines of the file with notes of bots: their bounds, and what is no note."""

# ruff: noqa: D103  # the name of each test says what it checks

import json

import pytest

from vinci.v1.bot_pb2 import Note
from vinci_codec import notes


def test_line_is_read_as_it_was_written() -> None:
    note = Note(text="worth\nmost", value=-2.5, lines=["x AQU: 3.0"])
    line = notes.line(12, 3, note)
    assert json.loads(line) == {
        "n": 12,
        "seat": 3,
        "note": {"text": "worth\nmost", "value": -2.5, "lines": ["x AQU: 3.0"]},
    }
    assert (line.count("\n"), notes.read(line.encode())) == (1, notes.NotedDecision(12, 3, note))


def test_note_is_cut_where_it_is_written_and_where_it_is_read() -> None:
    long = Note(text="é" * 600, lines=["l" * 600] * 12)
    short = Note(text="é" * 500, lines=["l" * 500] * 10)
    assert notes.read(notes.line(1, 1, long).encode()).note == short
    parts = {"text": "é" * 600, "lines": ["l" * 600] * 12}
    assert notes.read(json.dumps({"n": 1, "seat": 1, "note": parts}).encode()).note == short


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_value_that_is_no_number_is_left_out(value: float) -> None:
    assert notes.line(1, 1, Note(value=value)) == ""
    assert json.loads(notes.line(1, 1, Note(text="x", value=value)))["note"] == {"text": "x"}


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b"null",
        b'{"n":1',
        b'{"n":1,"seat":1}',
        b'{"n":1,"seat":1,"note":"x"}',
        b'{"n":1,"seat":null,"note":{}}',
        b'{"n":1e400,"seat":1,"note":{}}',
        b'{"n":1,"seat":1,"note":{"value":"high"}}',
        b'{"n":1,"seat":1,"note":{"lines":3}}',
        b'{"n":1,"seat":1,"note":{"text":"\\ud800"}}',
        b'{"n":1,"seat":1,"note":{"text":"\xff"}}',
        b"[" * 100_000,
    ],
)
def test_other_lines_are_refused(line: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # of json and protobuf, too
        notes.read(line)

"""Matches as text: JSON, one value a line. Rows hold hashes of tokens and no tokens.

The first line is an object with the format and the number of matches. A match is an object with its snapshot and the
number of its rows, then a list for each row, columns as in `LogRow`.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, cast

from vinci_rules import ENGINE_VERSION
from vinci_rules.record import read_json

from ..errors import ServiceError
from ..match.audience.watchers import Detail
from ..match.log.entries import Chat, Create, Join, Start, decode
from ..match.log.ledger import Ledger
from ..match.match import Match, MatchObserver
from ..match.seats import consensus, reassignment
from ..storage.database import VERSION
from ..storage.store import LogRow, MatchEntry, Snapshot, Store, Stored
from .validation import check_first, check_match_id, check_row, check_time

FORMAT: Final = 1
SCHEMAS: Final = range(2, VERSION + 1)
"""Versions of the tables in which matches are kept as they are now."""
TYPES: Final = (int, str, int, str, (str, type(None)), str, str, float, str, str)
"""Of the columns of a row."""


class BadLine(ValueError):
    """A text that cannot be imported; `line` is the number of the first wrong line, from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line: Final = line
        self.reason: Final = reason


def first_line(count: int) -> str:
    """Return the first line of a text with `count` matches."""
    return _json({"vinci": "export", "format": FORMAT, "schema": VERSION, "matches": count})


def lines(entry: MatchEntry, stored: Stored) -> Iterator[str]:
    """Yield the lines of a match."""
    head = {"created": entry.created, "status": entry.status, "snapshot": stored.snapshot, "rows": len(stored.rows)}
    yield _json({"match": entry.match_id, **head})
    yield from map(_json, stored.rows)


def count(text: Sequence[str]) -> int:
    """Return the number of matches that a text announces. Raises BadLine if it is no export."""
    first = _parsed(text, 1, dict)
    if first.get("vinci") != "export" or not isinstance(first.get("matches"), int):
        raise BadLine(1, 'no export: it would start with {"vinci":"export", ...}')
    if first.get("format") != FORMAT or first.get("schema") not in SCHEMAS:
        version = f"format {first.get('format')}, schema {first.get('schema')}"
        known = f"format {FORMAT}, schema {SCHEMAS[0]} to {VERSION}"
        raise BadLine(1, f"{version}; this program reads {known}. Use the one that wrote it")
    return int(first["matches"])


def matches(text: Sequence[str]) -> Iterator[tuple[MatchEntry, Stored]]:
    """Yield the matches of a text, each replayed and compared with its hashes. Raises BadLine."""
    number = 2
    seen = set()
    for _ in range(count(text)):
        entry, stored, length = _head(text, number)
        if entry.match_id in seen:
            raise BadLine(number, f"match {entry.match_id} comes for the second time")
        seen.add(entry.match_id)
        stored.rows.extend(_row(text, number + place, place) for place in range(1, length + 1))
        _check(number, entry, stored)
        yield entry, stored
        number += 1 + length
    if number <= len(text):
        raise BadLine(number, "all matches that the first line tells of have ended")


def _head(text: Sequence[str], number: int) -> tuple[MatchEntry, Stored, int]:
    """Return a match without its rows, and their number, from its line."""
    line = _parsed(text, number, dict)
    try:
        entry = MatchEntry(line["match"], line["created"], line["status"])
        length, snapshot = line["rows"], line["snapshot"]
        snapshot = None if snapshot is None else Snapshot(*snapshot)
    except (KeyError, TypeError) as error:
        raise BadLine(number, f"missing or of the wrong type: {error}") from None
    types = [(entry, (str, float, str)), ((length,), (int,)), (snapshot or (), (int, str, str) if snapshot else ())]
    if not all(_are(values, kinds) for values, kinds in types) or length < 1:
        raise BadLine(number, "no match: a value has the wrong type")
    return entry, Stored([], snapshot), length


def _row(text: Sequence[str], number: int, sequence: int) -> LogRow:
    values = _parsed(text, number, list)
    if not _are(values, TYPES) or values[0] != sequence:
        raise BadLine(number, f"no row {sequence} of a log: {', '.join(LogRow._fields)}")
    return _of_guests(LogRow(*values))


def _of_guests(row: LogRow) -> LogRow:
    """Return a row without the id of a person, which is that of somebody else on another server."""
    try:
        entry = decode(row)
    except Exception:  # `_check` says what is wrong with it
        return row
    match entry:
        case Create(setup) if setup.maker:
            return reassignment.changed(row, 0, "")
        case Join(person=person) | Chat(person=person) if person:
            return reassignment.changed(row, 0, "")
    return row


def _check(number: int, entry: MatchEntry, stored: Stored) -> None:
    """Raises BadLine unless the rows lead where they led when written; `number` is the match's line."""
    about = f"match {entry.match_id}"
    ledger = Ledger(entry.match_id)
    with _refusing(number, ""):
        check_match_id(entry.match_id)
        check_time(entry.created)
    seats = 0
    for row in stored.rows:
        with _refusing(number + row.sequence, f"{about}: "):
            check_row(row, seats)
            seats = seats or check_first(row)
    try:
        for row in stored.rows:
            ledger.fold(row)
            ledger.game.check()
    except Exception as error:
        if not _is_by_other_rules(stored):
            raise BadLine(number + row.sequence, f"{about}: {error}") from None
    with _refusing(number, f"{about}, its snapshot: "):
        ledger = Ledger.read(entry.match_id, stored)
    if stored.snapshot is not None and not 0 < stored.snapshot.sequence <= len(stored.rows):
        raise BadLine(number, f"{about}: the snapshot is of row {stored.snapshot.sequence}")
    if ledger.status != entry.status:
        raise BadLine(number, f"{about} is said to be {entry.status}, and is {ledger.status}")
    with _refusing(number, f"{about} cannot be told: "):
        _build_messages(ledger)


@contextmanager
def _refusing(line: int, about: str) -> Iterator[None]:
    """Turn any error into a BadLine."""
    try:
        yield
    except Exception as error:
        raise BadLine(line, f"{about}{error}") from None


def _build_messages(ledger: Ledger) -> None:
    """Build all messages about a match once. Raises some exception where one cannot be built."""
    match = Match(ledger, cast(Store, None), MatchObserver())
    match.message()
    match.timekeeper.message()
    consensus.heard(match, None, 0)
    for _ in (*ledger.game.times(), *ledger.game.record_lines(ledger.names())):
        pass
    try:
        for played in ledger.game.revisions(0, ledger.revision):
            played.message(Detail(state=True, legal=True, position=True))
    except ServiceError as error:
        if error.reason != "HISTORY_UNREADABLE":  # played by other rules
            raise


def _is_by_other_rules(stored: Stored) -> bool:
    """Whether a match was played by other rules, at its start or last, and continues from its snapshot."""
    if stored.snapshot is None:
        return False
    starts = [entry.line["engine"] for entry in map(decode, stored.rows) if isinstance(entry, Start)]
    return any(engine != ENGINE_VERSION for engine in (*starts, stored.snapshot.engine))


def _are(values: Sequence[Any], kinds: Sequence[Any]) -> bool:
    """Whether values are of these types, one each; a truth value is no number."""
    if len(values) != len(kinds) or any(isinstance(value, bool) for value in values):
        return False
    return all(isinstance(value, kind) for value, kind in zip(values, kinds, strict=True))


def _parsed(text: Sequence[str], number: int, kind: type[Any]) -> Any:
    if number > len(text):
        raise BadLine(number, "the text ends before its last match does")
    try:
        value = read_json(text[number - 1])
    except ValueError as error:
        raise BadLine(number, f"not valid JSON: {error}") from None
    if not isinstance(value, kind):
        raise BadLine(number, f"not a JSON {'object' if kind is dict else 'list'}")
    return value


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

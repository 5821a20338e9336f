"""A recorded game that a caller sends: the match, and its revisions as they were played."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from vinci.v1 import lobby_pb2, match_pb2
from vinci_codec import recorded
from vinci_rules import record

from ..errors import ServiceError
from .seats.names import LONGEST_NAME, one_line

LONGEST_WORD: Final = 16
"""Longest text in a line for who acted, such as substitute."""


def replayed(lines: Sequence[str]) -> Iterator[match_pb2.ReplayRecordResponse | ServiceError]:
    """Yield the match of a record, then its revisions, up to the refusal of a line that is wrong."""
    steps = record.replay(lines)
    try:
        first = next(steps)
        yield match_pb2.ReplayRecordResponse(match=_match(lines, first))
        yield _update(first)
        for step in steps:
            if step.action is not None or step.undo is not None:
                yield _update(step)
    except record.RecordError as error:
        yield ServiceError("BAD_RECORD", line=error.line, error=str(error).partition(": ")[2])


def _update(step: record.Step) -> match_pb2.ReplayRecordResponse:
    return match_pb2.ReplayRecordResponse(update=recorded.step(step, one_line(step.by, LONGEST_WORD) or ""))


def _match(lines: Sequence[str], first: record.Step) -> lobby_pb2.Match:
    """Return the match of a record; it is over if the last line holds a result."""
    start = record.read_json(lines[0])
    names = start.get("names")
    players = [_name(name) for name in names] if isinstance(names, list) else []
    match = recorded.match(start, first, players, lobby_pb2.SEAT_KIND_HUMAN)
    is_over = '"result"' in lines[-1]
    match.status = lobby_pb2.MATCH_STATUS_OVER if is_over else lobby_pb2.MATCH_STATUS_ENDED
    match.revision = len(lines) - 1 - is_over
    return match


def _name(name: Any) -> str:
    """Return the name of a player; names are not hashed, so they may be anything."""
    return one_line(name, LONGEST_NAME) or "" if isinstance(name, str) else ""

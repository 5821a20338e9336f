"""A recorded game that a caller sends: the match, and its revisions as they were played."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from vinci.v1 import lobby_pb2, match_pb2
from vinci_codec import catalogue
from vinci_rules import record

from ..errors import ServiceError
from .audience.watchers import Detail, Revision
from .seats.names import LONGEST_NAME, one_line

WITH_STATE: Final = Detail(state=True)
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
    by = one_line(step.by, LONGEST_WORD) or ""
    played = Revision(step.line - 1, step.seat, by, step.action, step.events, step.state, step.undo)
    return match_pb2.ReplayRecordResponse(update=played.message(WITH_STATE))


def _match(lines: Sequence[str], first: record.Step) -> lobby_pb2.Match:
    """Return the match as its first line describes it; it is over if the last line holds a result."""
    start, options = record.read_json(lines[0]), first.state.options
    is_over = '"result"' in lines[-1]
    return lobby_pb2.Match(
        status=lobby_pb2.MATCH_STATUS_OVER if is_over else lobby_pb2.MATCH_STATUS_ENDED,
        board=first.state.board.name,
        options=catalogue.options(options),
        seats=[
            lobby_pb2.MatchSeat(
                seat=seat,
                kind=lobby_pb2.SEAT_KIND_DUMMY if is_dummy else lobby_pb2.SEAT_KIND_HUMAN,
                player=_name(start, seat) or "dummy" * is_dummy,
                taken=True,
            )
            for seat, is_dummy in enumerate(options.dummies, 1)
        ],
        revision=len(lines) - 1 - is_over,
        from_position="position" in start,
    )


def _name(start: dict[str, Any], seat: int) -> str:
    """Return the name of a player; names are not hashed, so they may be anything."""
    names = start.get("names")
    name = names[seat - 1] if isinstance(names, list) and len(names) >= seat else ""
    return one_line(name, LONGEST_NAME) or "" if isinstance(name, str) else ""

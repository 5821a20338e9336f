"""Validates imported rows as strictly as requests."""

import re
from dataclasses import replace
from math import isfinite
from typing import Any, Final

from vinci_rules.board import board_names
from vinci_rules.record import read_json

from ..match.audience.messages import PROPOSALS
from ..match.log import entries as log
from ..match.log.entries import Times, decode
from ..match.parsing import HASH, nonce, promised, request_id
from ..match.seats.consensus import LONGEST_LINE, LONGEST_REASON
from ..match.seats.names import LONGEST_NAME, one_line
from ..match.seats.setup import (
    KIND_CODES,
    MOST_SETTINGS,
    RATED,
    SeatSetup,
    Setup,
    check_seats,
    mistakes_message,
    read_mistakes,
    read_position,
    read_timing,
    timing_message,
)
from ..match.seats.tokens import is_match_id
from ..storage.store import LogRow

LATEST: Final = 253_402_300_799.0
"""The last second of the year 9999."""
TWO_BLANKS: Final = re.compile(r"  (\(\d+\))\Z")
TIMES: Final = frozenset(Times._fields)
MOST_MILLISECONDS: Final = 2**53


def check_match_id(text: str) -> None:
    """Raises ValueError unless this can be the id of a match."""
    if not is_match_id(text):
        raise ValueError(f"{text!r} is no id of a match: 1 to 64 small letters and digits")


def check_time(seconds: float) -> None:
    """Raises ValueError unless this is a time between 1970 and 9999."""
    if not (isfinite(seconds) and 0 <= seconds <= LATEST):
        raise ValueError(f"{seconds} is no time in seconds since 1970")


def check_first(row: LogRow) -> int:
    """Return the number of seats of a match from its first row. Raises ValueError if that is of another kind."""
    entry = decode(row, _object)
    if not isinstance(entry, log.Create):
        raise ValueError(f"the first row of a match is create, not {row.kind}")
    return len(entry.setup.seats)


def check_row(row: LogRow, seats: int) -> None:  # noqa: C901  # one case for each kind of entry
    """Raises ValueError or ServiceError for a row that this server would not write in a match with `seats` seats."""
    check_time(row.time)
    if not 0 <= row.seat <= seats:
        raise ValueError(f"seat {row.seat}: the match has seats 1 to {seats}")
    _line(row.actor, LONGEST_NAME, "actor")
    if row.request is not None:
        wanted, _, number = row.request.partition("#")
        request_id(wanted)
        if number and not number.isdecimal():
            raise ValueError(f"{row.request!r} is no id of a request")
    if row.times:
        _check_times(row.times)
    match decode(row, _object):
        case log.Create(setup):
            _check_setup(setup)
        case log.Join(_, player, token_hash, first_nonce, promise):
            if not HASH.fullmatch(token_hash):
                raise ValueError("token_hash is no SHA-256 in hexadecimal digits")
            _name(player, "the name of a player")
            nonce(first_nonce)
            promised(promise)
        case log.GiveNonce(_, given, new_promise):
            nonce(given)
            if new_promise is not None:
                promised(new_promise)
        case log.ChangeSeat(_, seat_setup):
            _check_seat(seat_setup)
        case log.Start(line, nonces):
            _line(line["engine"], LONGEST_NAME, "engine")
            for mixed in nonces:
                nonce(mixed)
        case log.Propose() as proposed:
            _check_proposal(proposed, seats)
        case log.Chat(_, name, text):
            _name(name, "name")
            if not _line(text, LONGEST_LINE, "text"):
                raise ValueError("a line of the chat is empty")
        case log.Rematch(match_id):
            check_match_id(match_id)
        case log.End(reason):
            _line(reason, LONGEST_REASON, "reason")


def _check_setup(setup: Setup) -> None:
    texts = (setup.board, setup.edition, setup.seed, setup.salt, setup.position, setup.host_hash)
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("board, edition, seed, salt, position and host_hash are texts")
    if not all(isinstance(given, bool) for given in (setup.start_when_full, setup.sealed, setup.no_advice)):
        raise ValueError("start_when_full, sealed and no_advice are true or false")
    if setup.rated not in ("", *RATED.values()):
        raise ValueError("rated is yes, no or nothing")
    if setup.board not in board_names():
        raise ValueError(f"unknown board {setup.board!r}; known: {', '.join(board_names())}")
    if len(setup.settings) > MOST_SETTINGS:
        raise ValueError(f"more than {MOST_SETTINGS} options")
    check_seats(len(setup.seats))
    for seat in setup.seats:
        _check_seat(seat)
    promised(setup.host_hash)
    setup.options()
    setup.chance([])
    if setup.position and read_position(setup.position).options.dummies != setup.options().dummies:
        raise ValueError("dummies sit where the position says so")
    timing = replace(setup.timing, substitute="")
    _line(setup.timing.substitute, LONGEST_NAME, "the name of a substitute")
    numbers = (timing.decision, timing.bank, timing.increment, timing.absence, setup.mistakes.tries)
    if any(type(number) is not int for number in numbers):  # true is none
        raise ValueError("times and tries are whole numbers")
    if read_timing(timing_message(timing)) != timing:
        raise ValueError("timing is not as a request can set it")
    if read_mistakes(mistakes_message(setup.mistakes)) != setup.mistakes:
        raise ValueError("mistakes are not as a request can set them")


def _check_seat(seat: SeatSetup) -> None:
    if seat.kind not in KIND_CODES:
        raise ValueError(f"a seat of kind {seat.kind!r}; known: {', '.join(KIND_CODES)}")
    _line(seat.bot, LONGEST_NAME, "the name of a bot")  # names were less restricted once
    promised(seat.reserved)


def _check_proposal(proposed: log.Propose, seats: int) -> None:
    kind, about = proposed.kind, proposed.about
    if kind not in PROPOSALS.values():
        raise ValueError(f"a proposal of kind {kind!r}; known: {', '.join(PROPOSALS.values())}")
    if (kind == "substitute") != (type(about) is int and 0 <= about < seats) or (
        kind != "substitute" and about is not None
    ):
        raise ValueError(f"a proposal to {kind} seat {about}")
    if not isinstance(proposed.agrees, bool):
        raise ValueError("agrees is true or false")


def _check_times(text: str) -> None:
    times = _object(text)
    if not times.keys() <= TIMES:
        raise ValueError(f"times of {', '.join(times)}; known: {', '.join(sorted(TIMES))}")
    for value in times.values():
        if type(value) is not int or not 0 <= value <= MOST_MILLISECONDS:
            raise ValueError(f"{value!r} is no time in milliseconds")


def _line(text: str, longest: int, field: str) -> str:
    if not isinstance(text, str) or one_line(text, longest) != text:
        raise ValueError(f"{field} has at most {longest} printable characters")
    return text


def _name(text: str, field: str) -> None:
    """Check a name as `_line` does, but allow two blanks before a number in brackets: names were shortened so once."""
    _line(TWO_BLANKS.sub(r" \1", text) if isinstance(text, str) else text, LONGEST_NAME, field)


def _object(text: str) -> dict[str, Any]:
    value = read_json(text)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value

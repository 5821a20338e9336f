"""Acknowledged calls of clients, compared with the log of the server."""

import sqlite3
from collections import Counter, defaultdict
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

from vinci.v1 import lobby_pb2
from vinci_server.match.log.entries import WITHHELD

ONE_ROW: Final = {
    "CreateMatch": "create",
    "JoinMatch": "join",
    "JoinRematch": "join",
    "LeaveMatch": "leave",
    "SetSeat": "seat",
    "Chat": "chat",
    "RotateSeatToken": "join",
    "KickSeat": "leave",
    "EndMatch": "end",
}
"""Calls each of which is one row of this kind in the log."""
AT_MOST_ONE_ROW: Final = {
    "CreateMatch": ("start",),
    "JoinMatch": ("start", "return", "reveal"),
    "JoinRematch": ("create", "start", "reveal"),
    "RevealNonce": ("nonce", "start", "reveal"),
    "SetSeat": ("start", "reveal"),
    "StartMatch": ("start", "reveal"),
    "Propose": ("propose", "pause", "resume", "substitute"),
    "TakeBack": ("return",),
    "PauseMatch": ("pause",),
    "ResumeMatch": ("resume",),
    "KickSeat": ("substitute",),
    "SubstituteSeat": ("substitute", "return"),
}
"""Calls that can be the reason of one row of each of these kinds."""
OF_A_SEAT: Final = {"join", "token", "leave", "seat", "chat", "propose", "substitute", "return", "nonce"}
SEAT_CALLS: Final = {
    "Act",
    "Undo",
    "Propose",
    "TakeBack",
    "Pong",
    "OfferSeat",
    "LeaveMatch",
    "JoinRematch",
    "RevealNonce",
}
HOST_CALLS: Final = {"SetSeat", "StartMatch", "SubstituteSeat"}
SEAT_IN_REQUEST: Final = {"SetSeat", "KickSeat", "RotateSeatToken", "SubstituteSeat"}
HOST: Final = 0
"""In place of a seat."""


class LoggedRow(NamedTuple):
    """A row of a match other than an action or undo; seat 0 if it concerns no seat."""

    match_id: str
    kind: str
    seat: int


class AcknowledgedCalls:
    """Collects what was answered.

    Attributes:
        held: the newest token of each seat, by match. bears: match and seat of each token that was ever told.
        played: kind, seat and text of actions and undos, by match and revision.
    """

    def __init__(self) -> None:
        self.held: Final[defaultdict[str, dict[int, str]]] = defaultdict(dict)
        self.bears: Final[dict[str, tuple[str, int]]] = {}
        self.played: Final[dict[tuple[str, int], tuple[str, int, str]]] = {}
        self._done: Final[Counter[LoggedRow]] = Counter()
        self._possible: Final[Counter[LoggedRow]] = Counter()
        self._before: Final[dict[str, int]] = {}

    def know(self, match_id: str, rows: int) -> None:
        """Add a match made for the test; its first rows do not count."""
        self._before[match_id] = rows

    def give(self, match_id: str, seat: int, token: str) -> None:
        """Record a token that the server issued."""
        self.held[match_id][seat] = token
        self.bears[token] = (match_id, seat)

    def answered(self, method: str, request: Any, token: str, answer: Any) -> None:
        """Record the effect of a call that was not refused."""
        of, seat = self.bears.get(token, ("", HOST))
        match_id = request.match_id if hasattr(request, "match_id") else ""
        if method == "OfferSeat" and request.seat:
            assert (of, seat) == (match_id, HOST), ("done with a wrong token", method, request, token)
        elif method in SEAT_CALLS:
            assert (of, seat) == (match_id, seat or -1), ("done with a wrong token", method, request, token)
        if method in HOST_CALLS:
            assert of, ("done with a wrong token", method, request, token)
            assert seat == HOST
        if method in ("Act", "Undo"):
            self._answered_play(method, request, seat, answer)
            return
        if method == "JoinRematch":
            self._possible[LoggedRow(match_id, "rematch", 0)] += 1
        if isinstance(match := getattr(answer, "match", None), lobby_pb2.Match):
            match_id = match.match_id
        if method in SEAT_IN_REQUEST:
            seat = request.seat
        seat = getattr(answer, "seat", seat)
        if method == "ResumeSeats":
            for own in answer.seats:
                self._resumed(own.match.match_id, own.seat, own.seat_token)
        if method == "JoinMatch" and answer.resumed:
            self._resumed(match_id, seat, answer.seat_token)
            return
        if method in ONE_ROW:
            self._done[_done(match_id, ONE_ROW[method], seat)] += 1
        for kind in AT_MOST_ONE_ROW.get(method, ()):
            self._possible[_done(match_id, kind, request.seat if kind == "substitute" else seat)] += 1
        if method == "CreateMatch":
            self.give(match_id, HOST, answer.host_token)
        elif hasattr(answer, "seat_token"):
            self.give(match_id, seat, answer.seat_token)

    def _resumed(self, match_id: str, seat: int, token: str) -> None:
        self._possible[LoggedRow(match_id, "token", seat)] += 1
        self.give(match_id, seat, token)

    def _answered_play(self, method: str, request: Any, seat: int, answer: Any) -> None:
        if answer.repeated_request or getattr(request, "validate_only", False):
            return
        for update in answer.updates if method == "Act" else [answer.update]:
            place = (request.match_id, update.revision)
            assert place not in self.played, "two answers for one revision"
            assert update.seat == seat
            self.played[place] = (method.lower(), seat, update.notation if method == "Act" else str(update.undo_to))

    def check(self, log: Path) -> Counter[str]:
        """Check that the log has exactly the acknowledged rows and the server's own actions; return counts by kind."""
        counts: Counter[str] = Counter()
        played = {}
        for match_id, rows in _rows(log).items():
            revision = 0
            for number, (kind, seat, actor, text) in enumerate(rows):
                revision += kind in ("act", "undo")
                if number < self._before.get(match_id, 0) or _is_of_the_server(kind, actor, text):
                    continue
                counts[kind] += 1
                if kind in ("act", "undo"):
                    assert actor == "player"
                    played[match_id, revision] = (kind, seat, text)
                else:
                    row = _done(match_id, kind, seat)
                    assert self._done[row] + self._possible[row] > 0, ("nobody was told of it", row, text)
                    (self._done if self._done[row] else self._possible)[row] -= 1
        assert played == self.played
        assert not +self._done, "what was answered is not in the log"
        return counts


def _done(match_id: str, kind: str, seat: int) -> LoggedRow:
    return LoggedRow(match_id, kind, seat if kind in OF_A_SEAT else 0)


def _is_of_the_server(kind: str, actor: str, text: str) -> bool:
    """Whether a row was made by a clock, an absence, a dummy, a bot or a substitute."""
    return kind == "clock" or actor not in ("", "player") or text in ("clock", "absence", WITHHELD)


def _rows(log: Path) -> dict[str, list[tuple[str, int, str, str]]]:
    """Return kind, seat, actor and text of each row, by match."""
    result = defaultdict(list)
    with closing(sqlite3.connect(log)) as connection:
        for match_id, *row in connection.execute("SELECT match, kind, seat, actor, text FROM log ORDER BY 1, sequence"):
            result[match_id].append(tuple(row))
    return result

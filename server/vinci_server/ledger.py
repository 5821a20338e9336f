"""What the log of a match adds up to: setup, sitters, position, record. No input or output; `Match` is its shell."""

import json
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, final

from vinci_rules import ENGINE_VERSION, notation, position, record
from vinci_rules.actions import Action
from vinci_rules.chance import Chance, Recorded, Recording
from vinci_rules.engine import apply
from vinci_rules.events import Event
from vinci_rules.state import Seat, State

from . import tokens
from .errors import ServiceError
from .setup import SeatSetup, Setup
from .store import Row, Snapshot, Stored
from .watching import Played

NO_CHANCE: Final = '{"picks": [], "rolls": []}'
RECENT: Final = 32
"""Revisions kept in memory, for bots and watchers that come back soon."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who has joined a seat: a name, the hash of the seat's token, and a nonce for the seed. Empty if nobody has."""

    player: str = ""
    token_hash: str = ""
    nonce: str = ""


class Answered(NamedTuple):
    """Who made an earlier request, and the revisions that it produced, both included."""

    seat: Seat
    first: int
    last: int


@final
class Ledger:
    """The rows of one match, folded one by one.

    Attributes:
        setup, sitters: who is to sit at each seat, and who does.
        state, chance: the position and its source of draws; None before the start.
        requests: what earlier requests produced, by request id.
    """

    def __init__(self, match_id: str, snapshot: Snapshot | None = None) -> None:
        self.match_id: Final = match_id
        self.setup: Setup
        self.created = 0.0
        self.sitters: list[Sitter] = []
        self.state: State | None = None if snapshot is None else position.read(snapshot.position)
        self.chance: Chance | None = None
        self.requests: dict[str, Answered] = {}
        self._recent: deque[Played] = deque(maxlen=RECENT)
        self._snapshot: Final = snapshot
        self._length = 0
        self._acts: list[Row] = []
        self._start_line: record.Line = {}
        self._nonces: list[str] = []

    @classmethod
    def read(cls, match_id: str, stored: Stored) -> "Ledger":
        """The ledger of all that is stored of a match; rows up to the snapshot are not played again.

        Raises ValueError if the log does not lead to the position that it led to when it was written.
        """
        ledger = cls(match_id, stored.snapshot)
        for row in stored.rows:
            ledger.fold(row)
        ledger.check()
        return ledger

    def check(self) -> None:
        """Raises ValueError if the log does not lead to the position that it led to when it was written."""
        if self.state is not None and not self._fits(self.revision, position.write(self.state)):
            raise ValueError(f"revision {self.revision} is not as it was played")

    @property
    def revision(self) -> int:
        """Number of actions played."""
        return len(self._acts)

    @property
    def status(self) -> str:
        """`open`, `running` or `over`."""
        if self.state is None:
            return "open"
        return "over" if self.state.phase == "over" else "running"

    def kind(self, seat: Seat) -> str:
        """Who is to sit at a seat: `human`, `dummy` or `bot`."""
        return self.setup.seats[seat].kind

    def name(self, seat: Seat) -> str:
        """Who sits at a seat, or is to sit there."""
        return self.sitters[seat].player or self.setup.seats[seat].bot or self.kind(seat)

    def is_open(self, seat: Seat) -> bool:
        """Whether a seat can be joined."""
        return self.kind(seat) != "dummy" and not self.sitters[seat].token_hash

    def missing(self) -> list[Seat]:
        """Human seats that nobody has joined."""
        return [seat for seat in self.seats() if self.kind(seat) == "human" and self.is_open(seat)]

    def seats(self) -> list[Seat]:
        """All seats."""
        return [Seat(place) for place in range(len(self.sitters))]

    def seat_of(self, token: str) -> Seat:
        """The seat that a token is for. Raises ServiceError."""
        for seat in self.seats():
            if tokens.fits(token, self.sitters[seat].token_hash):
                return seat
        raise ServiceError("BAD_TOKEN", "this token is for no seat of the match")

    # Reading the log.

    def fold(self, row: Row, played: Played | None = None) -> None:
        """Take the next row into account; `played`, if known, spares playing its action again."""
        if row.sequence != self._length + 1:
            raise ValueError(f"row {self._length + 1} is missing")
        seat = Seat(row.seat - 1)
        match row.kind:
            case "create":
                self.setup = Setup.from_json(row.text)
                self.created = row.time
                self.sitters = [Sitter() for _ in self.setup.seats]
            case "join":
                self.sitters[seat] = Sitter(**json.loads(row.text))
            case "leave":
                self.sitters[seat] = Sitter()
            case "seat":
                self.setup = self.setup.with_seat(seat, SeatSetup(**json.loads(row.text)))
            case "start":
                self._fold_start(row)
            case "act":
                self._fold_act(row, played)
            case kind:
                raise ValueError(f"row {row.sequence} is of unknown kind {kind!r}; use the server that wrote it")
        self._length += 1

    def _fold_start(self, row: Row) -> None:
        start = json.loads(row.text)
        self._start_line, self._nonces = start["line"], start["nonces"]
        if row.hash != self._hash(0):
            raise ValueError("the start is not as it was written")
        self.chance = self.setup.chance(self._nonces)
        if not self._is_known(row):
            opening = self._opening()
            self.state = opening.after
            self._recent.append(opening)

    def _fold_act(self, row: Row, played: Played | None) -> None:
        self._acts.append(row)
        if not self._is_known(row):
            assert self.state is not None
            if played is None:  # the match is read from the store, and will perhaps sleep: only the last is kept
                played = _replay(self.state, self.revision, row)
                self._recent.clear()
            self.state = played.after
            self._recent.append(played)
        if row.request is not None:
            request, _, _ = row.request.partition("#")
            first = self.requests[request].first if request in self.requests else self.revision
            self.requests[request] = Answered(Seat(row.seat - 1), first, self.revision)

    def _is_known(self, row: Row) -> bool:
        """Whether the snapshot holds what a row led to."""
        return self._snapshot is not None and row.sequence <= self._snapshot.sequence

    def _opening(self) -> Played:
        """Revision 0."""
        events: list[Event] = []
        state = self.setup.new_state(Recorded(self._start_line.get("picks", [])), events)
        return Played(0, None, "", None, events, state)

    def _hash(self, revision: int) -> str:
        """The hash of the record up to a revision."""
        return self._acts[revision - 1].hash if revision else str(self._start_line["hash"])

    def _fits(self, revision: int, after: str) -> bool:
        """Whether a revision led to this position, as text, when it was played."""
        if revision == 0:
            return record.hashed(self._start_line, "", after) == self._hash(0)
        line = _line(revision, self._acts[revision - 1])
        return record.hashed(line, self._hash(revision - 1), after) == self._hash(revision)

    def history(self, first: int, last: int) -> list[Played]:
        """The revisions from first to last, both included; old ones are played again from the log.

        Raises ServiceError if these rules play them otherwise than the ones they were played by. The latest revision
        alone can always be told, then without events.
        """
        if self.state is None:
            return []
        if self._recent and first >= self._recent[0].revision:
            return [played for played in self._recent if first <= played.revision <= last]
        try:
            found = [played for played in self._replayed(last) if played.revision >= first]
        except Exception as error:  # rules that are not those of then can fail in any way
            if first < self.revision:
                then, now = self._start_line["engine"], ENGINE_VERSION
                raise ServiceError(
                    "HISTORY_UNREADABLE",
                    f"revisions before {self.revision} cannot be told, since replaying leads elsewhere: {error}"
                    f" (the match began with rules {then}, these are {now}); watch from revision {self.revision}",
                    {"revision": str(self.revision)},
                ) from None
            row = self._acts[-1]
            action = notation.read(row.text, self.state.board)
            found = [Played(self.revision, Seat(row.seat - 1), row.actor, action, [], self.state)]
        if last == self.revision:
            self._recent = deque(found, RECENT)
        return found

    def _replayed(self, last: int) -> Iterator[Played]:
        """Play again up to a revision. Raises some exception where that leads elsewhere than it did."""
        played = self._opening()
        state = played.after.copy()
        for revision in range(last + 1):
            if revision:
                played = _replay(state, revision, self._acts[revision - 1])
                played = Played(revision, played.seat, played.by, played.action, played.events, state.copy())
            if not self._fits(revision, position.write(state)):
                raise ValueError(f"revision {revision} is not as it was played")
            yield played

    def record_lines(self) -> list[str]:
        """The record of the game so far, docs/record.md; empty before the start."""
        if self.state is None:
            return []
        lines = [self._start_line | {"names": [self.name(seat) for seat in self.seats()]}]
        for number, row in enumerate(self._acts, start=1):
            lines.append(_line(number, row) | {"hash": row.hash})
        if self.status == "over":
            lines.append(record.result_line(lines[-1]["hash"], self.state, self._reveal()))
        return [record.dump(line) for line in lines]

    # Writing the log.

    def row(self, kind: str, seat: Seat | None, text: str) -> Row:
        """The next row, for anything but an action."""
        number = 0 if seat is None else seat + 1
        return Row(self._length + 1, kind, number, "", None, text, _chance_text((), ()), time.time(), "")

    def start_row(self) -> tuple[Row, Snapshot]:
        """The next row, which starts the game: its draws are made here, from a seed that is settled now."""
        nonces = [sitter.nonce for sitter in self.sitters]
        drawn = Recording(self.setup.chance(nonces))
        state = self.setup.new_state(drawn)
        line = self._first_line(state, drawn.picks)
        row = self.row("start", None, json.dumps({"line": line, "nonces": nonces}))
        row = row._replace(chance=_chance_text(drawn.picks, ()), hash=line["hash"])
        return row, Snapshot(row.sequence, ENGINE_VERSION, position.write(state))

    def batch(self, chance: Chance | None = None) -> "Batch":
        """Actions to be played in one go, from the position as it is. Only for a match that has started.

        With `chance` they draw from that instead of the game's own: to look at what might happen.
        """
        assert self.state is not None
        assert self.chance is not None
        return Batch(self.state.copy(), chance or self.chance, self.revision, self._length, self._hash(self.revision))

    def _first_line(self, state: State, picks: Sequence[str]) -> record.Line:
        if self.setup.position:
            return record.start_line_from(self.setup.position, state)
        seed = "" if self.setup.salt else self.setup.seed
        return record.start_line(state, picks, seed=seed, commitment=self.setup.commitment())

    def _reveal(self) -> dict[str, Any] | None:
        if not self.setup.salt:
            return None
        return {"seed": self.setup.seed, "salt": self.setup.salt, "nonces": self._nonces}


@final
class Batch:
    """Actions played on a copy of the position, with the rows that make them durable.

    Attributes:
        state: the position after them.
        played, rows: a revision and a row for each action.
    """

    def __init__(self, state: State, chance: Chance, revision: int, sequence: int, previous_hash: str) -> None:
        self.state: Final = state
        self.chance: Final = chance
        self.played: Final[list[Played]] = []
        self.rows: Final[list[Row]] = []
        self._revision: Final = revision
        self._sequence: Final = sequence
        self._hash = previous_hash
        self._position = ""

    @property
    def snapshot(self) -> Snapshot:
        """The position after them as text; only if there are any."""
        return Snapshot(self.rows[-1].sequence, ENGINE_VERSION, self._position)

    def play(
        self, seat: Seat, by: str, action: Action, *, rolls: Sequence[str] = (), request: str | None = None
    ) -> None:
        """Play a legal action; `by` says who made it, `rolls` what a dummy drew for it."""
        number = len(self.rows) + 1
        happened: list[Event] = []
        drawn = Recording(self.chance)
        apply(self.state, action, drawn, happened)
        text = notation.write(action, self.state.board)
        revision = self._revision + number
        line = record.action_line(revision, seat, by, text, drawn.picks, rolls)
        self._position = position.write(self.state)
        self._hash = record.hashed(line, self._hash, self._position)
        if request is not None and number > 1:
            request = f"{request}#{number}"
        chance = _chance_text(drawn.picks, rolls)
        self.rows.append(
            Row(self._sequence + number, "act", seat + 1, by, request, text, chance, time.time(), self._hash)
        )
        self.played.append(Played(revision, seat, by, action, happened, self.state.copy()))


def _replay(state: State, revision: int, row: Row) -> Played:
    """Play the action of a row; `state` moves on and becomes the state after it."""
    happened: list[Event] = []
    action = notation.read(row.text, state.board)
    drawn = Recorded(json.loads(row.chance)["picks"])
    apply(state, action, drawn, happened)
    drawn.finish()
    return Played(revision, Seat(row.seat - 1), row.actor, action, happened, state)


def _line(revision: int, row: Row) -> record.Line:
    """The line of the record that a row makes, without its hash."""
    chance = json.loads(row.chance)
    seat = Seat(row.seat - 1)
    return record.action_line(revision, seat, row.actor, row.text, chance["picks"], chance["rolls"], row.time)


def first_row(setup: Setup) -> Row:
    """The row that makes a match."""
    return Row(1, "create", 0, "", None, setup.to_json(), _chance_text((), ()), time.time(), "")


def _chance_text(picks: Sequence[str], rolls: Sequence[str]) -> str:
    return json.dumps({"picks": list(picks), "rolls": list(rolls)}) if picks or rolls else NO_CHANCE

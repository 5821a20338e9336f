"""What the log of a match adds up to: setup, sitters, position, record. No input or output; `Match` is its shell."""

import json
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Final, NamedTuple, final

from vinci.v1 import match_pb2
from vinci_rules import ENGINE_VERSION, notation, position, record
from vinci_rules.chance import Chance, RecordedChance, RecordingChance, nonce_hash
from vinci_rules.events import Event
from vinci_rules.state import Seat, State
from vinci_rules.takeback import OWN

from ..errors import ServiceError
from ..storage.store import LogRow, Snapshot, Stored
from .batch import Batch, times_text
from .replay import NO_CHANCE, GameReplay, chance_text, line
from .seats import tokens
from .seats.setup import SeatSetup, Setup
from .time.clock import Clocks
from .watchers import Revision

CHAT_KEPT: Final = 200
"""Lines of the players' chat that are kept in memory for whoever comes later, and as many of the spectators'."""
CHANGES: Final = frozenset({"join", "nonce", "propose", "return", "undo"})
"""Kinds of rows that players can write at any time; the number of each seat is limited (`planning.MOST_CHANGES`)."""
EMPTYING: Final = frozenset({"leave", "seat"})
"""Kinds of rows that open a seat: its changes are counted from 0 again, for its next player."""
RECENT: Final = 32
"""Revisions kept in memory, for bots and watchers that come back soon."""


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """The player of a seat: name, hash of the seat's token, and nonce for the seed. All empty if nobody has joined.

    `promised` is the hash of a nonce that is or will be revealed; `owes_hash` says that a new one is due.
    """

    player: str = ""
    token_hash: str = ""
    nonce: str = ""
    promised: str = ""
    owes_hash: bool = False

    @property
    def nonce_hash(self) -> str:
        """Return the public hash of the nonce; empty for none."""
        return self.promised or (nonce_hash(self.nonce) if self.nonce else "")


class Answered(NamedTuple):
    """Who made an earlier request, the revisions that it produced, both included, and their kind of row."""

    seat: Seat
    first: int
    last: int
    kind: str


class ChatEntry(NamedTuple):
    """A line of the chat: the number of its row, the seat (None for a spectator), a name, the text, when."""

    number: int
    seat: Seat | None
    name: str
    text: str
    time: float


class Proposed(NamedTuple):
    """Something that players agree upon: `pause`, `resume`, or `substitute` for a seat."""

    kind: str
    seat: Seat | None = None


@final
class Ledger:
    """The rows of one match, folded one by one.

    Attributes:
        setup, sitters: who is to sit at each seat, and who does.
        state, chance: the position and its source of draws; None before the start.
        requests: what earlier requests produced, by request id.
        clocks: what each seat has left.
        substituted: whether a substitute plays, by seat.
        proposals: what is proposed, and the seats that are for it.
        chat: what was said last, by players (True) and by spectators (False).
        said: how many lines each seat said, and under None spectators.
        changes: how many rows of the kinds in CHANGES each seat has since the last one of EMPTYING.
        revealing: whether the promised nonces are due, since all seats are taken and the game is to start.
        bot_played: seats that a bot without a seat token has played; only bots may play them unless a substitute does.
        ended: why the match was ended before the game was over. rematch: id of the match that follows.
    """

    def __init__(self, match_id: str, snapshot: Snapshot | None = None) -> None:
        self.match_id: Final = match_id
        self.setup: Setup
        self.created = 0.0
        self.sitters: list[SeatHolder] = []
        self.state: State | None = None if snapshot is None else position.read(snapshot.position)
        self.chance: Chance | None = None
        self.requests: dict[str, Answered] = {}
        self.clocks: Clocks
        self.substituted: list[bool] = []
        self.revealing = False
        self.bot_played: set[Seat] = set()
        self.paused = False
        self.proposals: dict[Proposed, set[Seat]] = {}
        self.chat: dict[bool, deque[ChatEntry]] = {by_seat: deque(maxlen=CHAT_KEPT) for by_seat in (True, False)}
        self.said: Counter[Seat | None] = Counter()
        self.changes: Counter[Seat] = Counter()
        self.ended = ""
        self.rematch = ""
        self._course: GameReplay | None = None
        self._snapshot: Final = snapshot
        self._recent: deque[Revision] = deque(maxlen=RECENT)
        self._length = 0
        self._renewed = True
        self._acts: list[LogRow] = []
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
        if self.state is not None:
            self._check(self.revision, self.position)

    @property
    def revision(self) -> int:
        """Number of actions played and undone."""
        return len(self._acts)

    @property
    def status(self) -> str:
        """`open`, `running`, `over`, or `ended` if it was ended before."""
        if self.ended:
            return "ended"
        if self.state is None:
            return "open"
        return "over" if self.state.phase == "over" else "running"

    @property
    def position(self) -> str:
        """The position as text, which the hash of the last action has needed; empty before the start."""
        if self._recent:
            return self._recent[-1].position
        return "" if self.state is None else position.write(self.state)

    def kind(self, seat: Seat) -> str:
        """Who is to sit at a seat: `human`, `dummy` or `bot`."""
        return self.setup.seats[seat].kind

    def name(self, seat: Seat) -> str:
        """Who sits at a seat, or is to sit there."""
        return self.sitters[seat].player or self.setup.seats[seat].bot or self.kind(seat)

    def names(self) -> list[str]:
        """Return the name of each seat's player; of a seat without one the expected bot, or the kind."""
        return [self.name(seat) for seat in self.seats()]

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
        raise ServiceError("BAD_TOKEN")

    def to_act(self) -> Seat | None:
        """The seat that is to act, if the game goes on."""
        running = self.state is not None and self.status == "running" and not self.paused
        return self.state.actor if running and self.state is not None else None

    def people(self) -> list[Seat]:
        """The seats whose players have a say: people who sit there, play themselves and have not forfeited."""
        gone = () if self.state is None else self.state.forfeited
        return [
            seat
            for seat in self.seats()
            if self.kind(seat) == "human"
            and self.sitters[seat].token_hash
            and not self.substituted[seat]
            and seat not in gone
        ]

    def due(self) -> list[Seat]:
        """Return the seats that must send a nonce, or the hash of a new one, before the game starts."""
        if self.state is not None:
            return []
        return [
            seat
            for seat in self.seats()
            if (sitter := self.sitters[seat]).owes_hash or (self.revealing and sitter.promised and not sitter.nonce)
        ]

    def nonce_hashes(self) -> list[str]:
        """The hash of each seat's nonce, seat 1 first; empty for a seat without one."""
        if self.state is None and self.setup.mixes_nonces:
            return [sitter.nonce_hash for sitter in self.sitters]
        return self._start_line.get("nonce_hashes") or [""] * len(self.sitters)

    def has_revealed(self, seat: Seat, nonce: str) -> bool:
        """Whether a seat has revealed this nonce, before the start or for it."""
        return nonce == (self.sitters[seat].nonce if self.state is None else self._nonces[seat])

    def wanted_bot(self, seat: Seat) -> str | None:
        """Name of the bot that may play a seat, empty for any; None if no bot may."""
        if self.substituted[seat]:
            return self.setup.timing.substitute or None
        return self.setup.seats[seat].bot if self.kind(seat) == "bot" and self.is_open(seat) else None

    # Reading the log.

    def fold(self, row: LogRow, played: Revision | None = None) -> None:
        """Take the next row into account; `played`, if known, spares playing its action again."""
        if row.sequence != self._length + 1:
            raise ValueError(f"row {self._length + 1} is missing")
        seat = Seat(row.seat - 1)
        if row.kind in CHANGES:
            self.changes[seat] += 1
        elif row.kind in EMPTYING:
            self.changes[seat] = 0
        match row.kind:
            case "create":
                self.setup = Setup.from_json(row.text)
                self.created = row.time
                self.sitters = [SeatHolder() for _ in self.setup.seats]
                self.substituted = [False for _ in self.setup.seats]
                self.clocks = Clocks(self.setup.timing, len(self.setup.seats))
            case "join":
                self._void_nonces()
                self.sitters[seat] = SeatHolder(**json.loads(row.text))
            case "leave":
                self._void_nonces()
                self.sitters[seat] = SeatHolder()
                self.bot_played.discard(seat)
            case "reveal":
                self.revealing = True
            case "nonce":
                self.sitters[seat] = replace(self.sitters[seat], owes_hash=False, **json.loads(row.text))
            case "seat":
                self.setup = self.setup.with_seat(seat, SeatSetup(**json.loads(row.text)))
            case "start":
                self._fold_start(row, played)
            case "act" | "undo":
                self._fold_act(row, played)
            case "clock":
                self._fold_times(row)
            case _:
                self._fold_agreement(row, seat)
        self._length += 1

    def _void_nonces(self) -> None:
        """Ask for new nonces where some may be known: a seat changes while they are revealed."""
        if self.revealing and self.state is None:
            self.revealing = False
            self.sitters = [
                replace(sitter, nonce="", promised="", owes_hash=True) if sitter.promised else sitter
                for sitter in self.sitters
            ]

    def _fold_agreement(self, row: LogRow, seat: Seat) -> None:
        """A row that is about the people rather than the game."""
        match row.kind:
            case "substitute" | "return":
                self.substituted[seat] = row.kind == "substitute"
                self.proposals.clear()
                self._fold_times(row)
            case "pause" | "resume":
                self.paused = row.kind == "pause"
                self.proposals.clear()
            case "propose":
                text = json.loads(row.text)
                proposed = Proposed(text["kind"], None if text["seat"] is None else Seat(text["seat"]))
                agreed = self.proposals.setdefault(proposed, set())
                (agreed.add if text["agrees"] else agreed.discard)(seat)
                if not agreed:
                    del self.proposals[proposed]
            case "chat":
                text = json.loads(row.text)
                who = seat if row.seat else None
                self.chat[who is not None].append(ChatEntry(row.sequence, who, text["name"], text["text"], row.time))
                self.said[who] += 1
            case "rematch":
                self.rematch = row.text
            case "end":
                self.ended = row.text
            case kind:
                raise ValueError(f"row {row.sequence} is of unknown kind {kind!r}; use the server that wrote it")

    def _fold_start(self, row: LogRow, opening: Revision | None) -> None:
        start = json.loads(row.text)
        self._start_line, self._nonces = start["line"], start["nonces"]
        if row.hash != self._hash(0):
            raise ValueError("the start is not as it was written")
        self.chance = self.setup.chance(self._nonces)
        if not self._is_known(row):
            opening = opening or self._opening()
            self.state = opening.after
            self._course = GameReplay(opening)
            self._recent.append(opening)

    def _opening(self) -> Revision:
        """Revision 0."""
        events: list[Event] = []
        state = self.setup.new_state(RecordedChance(self._start_line.get("picks", [])), events)
        return Revision(0, None, "", None, events, state)

    def _fold_act(self, row: LogRow, played: Revision | None) -> None:
        self._acts.append(row)
        seat = Seat(row.seat - 1)
        was_to_act = True
        if not self._is_known(row):
            was_to_act = self.state is not None and self.state.actor == seat  # else it gave up
            self._play(row, played)
        elif self._renewed or row.seat != self._acts[-2].seat:
            self.clocks.start_decision(seat)
        self._fold_times(row)
        if row.actor == "bot" and self.is_open(seat):
            self.bot_played.add(seat)
        is_new = self.clocks.acted(seat, self.revision, int(row.text) if row.kind == "undo" else None)
        self._renewed = is_new or row.actor not in OWN
        is_now = not self._is_known(row, before=True)
        if self.state is not None and is_now and was_to_act and (self._renewed or self.state.actor != seat):
            self.clocks.start_decision(self.state.actor)
        if row.request is not None:
            request, _, _ = row.request.partition("#")
            first = self.requests[request].first if request in self.requests else self.revision
            self.requests[request] = Answered(seat, first, self.revision, row.kind)

    def undos(self, seat: Seat) -> int:
        """Return the number of undos of a seat since another seat acted."""
        own = takewhile(lambda row: row.seat == seat + 1, reversed(self._acts))
        return sum(row.kind == "undo" for row in own)

    def is_undone(self, last: int) -> bool:
        """Whether actions up to a revision, at least the last one, were taken back since."""
        return any(row.kind == "undo" and int(row.text) < last for row in self._acts[last:])

    def _play(self, row: LogRow, played: Revision | None) -> None:
        """An action or undo that the snapshot knows nothing of."""
        if played is not None:
            if self._course is not None:
                self._course.follow(row, played)
        elif self._course is None:
            raise ValueError(f"the snapshot is older than row {row.sequence}")
        else:  # the match is read from the store, and will perhaps sleep: only the last is kept
            played = self._course.replay(self.revision, row)
            self._recent.clear()
        self.state = played.after
        self._recent.append(played)

    def _fold_times(self, row: LogRow) -> None:
        left = json.loads(row.times).get("left") if row.times else None
        if left is not None:
            self.clocks.left[row.seat - 1] = left / 1000

    def _is_known(self, row: LogRow, *, before: bool = False) -> bool:
        """Whether the snapshot holds what a row led to; or also what came after it."""
        return self._snapshot is not None and row.sequence + before <= self._snapshot.sequence

    def _hash(self, revision: int) -> str:
        """The hash of the record up to a revision."""
        return self._acts[revision - 1].hash if revision else str(self._start_line["hash"])

    def _check(self, revision: int, after: str) -> None:
        """Raises ValueError unless a revision led to this position, as text, when it was played."""
        if revision == 0:
            found = record.hashed(self._start_line, "", after)
        else:
            found = record.hashed(line(revision, self._acts[revision - 1]), self._hash(revision - 1), after)
        if found != self._hash(revision):
            raise ValueError(f"revision {revision} is not as it was played")

    def history(self, first: int, last: int) -> Iterator[Revision]:
        """The revisions from first to last, both included; old ones are played again from the log, one at a time.

        Raises ServiceError where these rules play one otherwise than the ones it was played by. The latest revision
        alone can always be told, then without events.
        """
        if self.state is None:
            return
        if self._recent and first >= self._recent[0].revision:
            yield from [played for played in self._recent if first <= played.revision <= last]
            return
        recent: deque[Revision] = deque(maxlen=RECENT)
        try:
            for _, played in self._replay(last):
                if played.revision >= first:
                    recent.append(played)
                    yield played
        except Exception as error:  # rules that are not those of then can fail in any way
            if first < self.revision:
                then, now = self._start_line["engine"], ENGINE_VERSION
                raise ServiceError(
                    "HISTORY_UNREADABLE", revision=self.revision, error=error, then=then, now=now
                ) from None
            recent.append(self._latest(self.state))
            yield recent[-1]
        if last == self.revision:
            self._recent = recent

    def _replay(self, last: int) -> Iterator[tuple[GameReplay, Revision]]:
        """Play again up to a revision, one at a time. Raises some exception where one leads elsewhere than it did."""
        played = self._opening()
        course = GameReplay(played)
        self._check(0, played.position)
        yield course, played
        for revision, row in enumerate(self._acts[:last], start=1):
            played = course.replay(revision, row)
            self._check(revision, played.position)
            yield course, played

    def learn_course(self) -> Iterator[None]:
        """Find out, one revision at a time, what can be undone: nothing before now under other rules.

        Only for a match that has started. Nothing may be folded meanwhile.
        """
        if self._course is not None:
            return
        assert self.state is not None
        try:
            for replayed, _ in self._replay(self.revision):
                course = replayed
                yield
        except Exception:  # as in `history`
            course = GameReplay(self._latest(self.state))
        self._course = course

    def _latest(self, state: State) -> Revision:
        """The latest revision without its events."""
        if not self._acts:
            return Revision(0, None, "", None, [], state)
        row = self._acts[-1]
        seat = Seat(row.seat - 1)
        if row.kind == "undo":
            return Revision(self.revision, seat, row.actor, None, [], state, int(row.text))
        return Revision(self.revision, seat, row.actor, notation.read(row.text, state.board), [], state)

    def record_lines(self) -> Iterator[str]:
        """The lines of the record of the game so far, docs/record.md; none before the start."""
        if self.state is None:
            return
        yield record.dump(self._start_line | {"names": self.names()})
        for number, row in enumerate(self._acts, start=1):
            yield record.dump(line(number, row, timed=True) | {"hash": row.hash})
        if self.status == "over":
            yield record.dump(
                record.result_line(self._hash(self.revision), self.state, self.setup.reveal(self._nonces))
            )

    def times(self) -> Iterator[match_pb2.DecisionTime]:
        """How long each decision took, as messages."""
        for revision, row in enumerate(self._acts, start=1):
            if row.times and row.kind == "act":
                yield match_pb2.DecisionTime(revision=revision, seat=row.seat, by=row.actor, **json.loads(row.times))

    # Writing the log.

    def row(self, kind: str, seat: Seat | None, text: str = "", *, after: int = 0, left: float | None = None) -> LogRow:
        """The row after so many others to come, for anything but an action; `left` is what the seat's clock shows."""
        number = 0 if seat is None else seat + 1
        times = "" if left is None else times_text(left=left)
        return LogRow(self._length + 1 + after, kind, number, "", None, text, NO_CHANCE, time.time(), "", times)

    def undo(self, seat: Seat, by: str, to: int | None, request: str) -> tuple[Revision, LogRow]:
        """The next row, which takes back actions: to a revision, by default only the last one. Raises ServiceError."""
        for _ in self.learn_course():
            pass
        assert self._course is not None
        positions = self._course.positions()
        possible = ", ".join(map(str, positions)) or "none"
        to = max(positions, default=0) if to is None else to
        if to not in positions:
            raise ServiceError("CANNOT_UNDO", "" if positions else "NOTHING", revisions=possible)
        played = Revision(self.revision + 1, seat, by, None, [], positions[to], to)
        undone = record.undo_line(played.revision, seat, by, to)
        hashed = record.hashed(undone, self._hash(self.revision), played.position)
        return played, self.row("undo", seat, str(to))._replace(actor=by, request=request, hash=hashed)

    def start(self) -> tuple[Revision, LogRow]:
        """Revision 0 and its row, which starts the game: its draws are made here, from a seed that is settled now."""
        nonces = [sitter.nonce for sitter in self.sitters]
        drawn = RecordingChance(self.setup.opening_chance(nonces))
        events: list[Event] = []
        state = self.setup.new_state(drawn, events)
        first = self._first_line(state, drawn.picks)
        row = self.row("start", None, json.dumps({"line": first, "nonces": nonces}))
        row = row._replace(chance=chance_text(drawn.picks, ()), hash=first["hash"])
        return Revision(0, None, "", None, events, state), row

    def batch(self, chance: Chance | None = None) -> Batch:
        """Actions to be played in one go, from the position as it is. Only for a match that has started.

        With `chance` they draw from that instead of the game's own: to look at what might happen.
        """
        assert self.state is not None
        assert self.chance is not None
        previous = self._hash(self.revision)
        return Batch(self.state, chance or self.chance, self.revision, self._length, previous)

    def _first_line(self, state: State, picks: Sequence[str]) -> record.Line:
        about: dict[str, Any] = {
            "seed": self.setup.open_seed,
            "commitment": self.setup.commitment(),
            "sealed": self.setup.sealed,
            "nonce_hashes": self.nonce_hashes(),
        }
        if self.setup.position:
            return record.start_line_from(self.setup.position, state, **about)
        return record.start_line(state, picks, opening_seed=self.setup.opening_seed, **about)

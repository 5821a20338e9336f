"""The game of one match in its log: start, actions, hashes. Replays revisions and the record."""

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final, final

from vinci.v1 import match_pb2
from vinci_rules import ENGINE_VERSION, notation, position, record
from vinci_rules.chance import Chance, RecordedChance
from vinci_rules.engine import apply
from vinci_rules.events import Event
from vinci_rules.state import Seat, State
from vinci_rules.takeback import Takeback

from ...errors import ServiceError
from ...storage.store import Snapshot
from ..audience.watchers import Revision
from ..seats.setup import Setup
from .entries import Act, Start, Undo


@final
class GameReplay:
    """Follows a game from revision 0, by replaying entries or by noting revisions that were played."""

    def __init__(self, opening: Revision) -> None:
        self.takeback: Final = Takeback(opening.revision, opening.after)
        self._state = opening.after

    def replay(self, revision: int, entry: Act | Undo) -> Revision:
        """Replay the next entry."""
        if isinstance(entry, Undo):
            self._state = self.takeback.back(revision, entry.to)
            return Revision(revision, entry.seat, entry.by, None, [], self._state, entry.to)
        picks = entry.picks
        action = notation.read(entry.action, self._state.board)
        events: list[Event] = []
        drawn = RecordedChance(picks)
        self._state = self._state.copy()
        apply(self._state, action, drawn, events)
        drawn.finish()
        self.takeback.note(revision, entry.seat, entry.by, picks, self._state)
        return Revision(revision, entry.seat, entry.by, action, events, self._state)

    def follow(self, entry: Act | Undo, played: Revision) -> None:
        """Note the next entry, which was played already."""
        if isinstance(entry, Undo):
            self.takeback.back(played.revision, entry.to)
        else:
            self.takeback.note(played.revision, entry.seat, entry.by, entry.picks, played.after)
        self._state = played.after


def line(revision: int, entry: Act | Undo, time: float | None = None) -> record.Line:
    """Return the line of the record for an entry, without its hash."""
    if isinstance(entry, Undo):
        return record.undo_line(revision, entry.seat, entry.by, entry.to, time)
    return record.action_line(revision, entry.seat, entry.by, entry.action, entry.picks, entry.rolls, time)


RECENT: Final = 32
"""Revisions kept in memory, for bots and watchers that come back soon."""


@final
class GameHistory:
    """The start of a game, its actions and undos, and the position that they lead to.

    With a snapshot, entries up to its row are replayed only on demand. `state` and `chance` are None before the start,
    and `start_line`, of the record, is empty. `nonces` are those mixed into the seed, seat 1 first.
    """

    def __init__(self, snapshot: Snapshot | None) -> None:
        self.state: State | None = None if snapshot is None else position.read(snapshot.position)
        self.chance: Chance | None = None
        self.acts: Final[list[Act | Undo]] = []
        self.start_line: record.Line = {}
        self.nonces: Sequence[str] = ()
        self._setup: Setup
        self._played_at: Final[list[float]] = []
        self._recent: deque[Revision] = deque(maxlen=RECENT)
        self._replay: GameReplay | None = None
        self._known: Final = 0 if snapshot is None else snapshot.sequence

    @property
    def position(self) -> str:
        """The position as text; empty before the start."""
        if self._recent:
            return self._recent[-1].position
        return "" if self.state is None else position.write(self.state)

    # Adding entries.

    def is_known(self, sequence: int) -> bool:
        """Whether the snapshot contains what a row led to."""
        return sequence <= self._known

    def start(self, entry: Start, setup: Setup, sequence: int, opening: Revision | None = None) -> None:
        """Start the game. `opening` is revision 0, if it was built already. Raises ValueError if a hash differs."""
        self.start_line, self.nonces, self._setup = entry.line, entry.nonces, setup
        if entry.hash != self.hash(0):
            raise ValueError("the start is not as it was written")
        self.chance = setup.chance(self.nonces)
        if not self.is_known(sequence):
            opening = opening or self._opening()
            self.state = opening.after
            self._replay = GameReplay(opening)
            self._recent.append(opening)

    def add(self, entry: Act | Undo, sequence: int, time: float, played: Revision | None = None) -> None:
        """Add an action or undo. `played` is the revision, if it was built already; else the entry is played."""
        self.acts.append(entry)
        self._played_at.append(time)
        if self.is_known(sequence):
            return
        if played is not None:
            if self._replay is not None:
                self._replay.follow(entry, played)
        elif self._replay is None:
            raise ValueError(f"the snapshot is older than row {sequence}")
        else:  # the match is read from the store and will probably sleep: keep only the last revision
            played = self._replay.replay(len(self.acts), entry)
            self._recent.clear()
        self.state = played.after
        self._recent.append(played)

    # Hashes.

    def hash(self, revision: int) -> str:
        """Return the hash of the record up to a revision."""
        return self.acts[revision - 1].hash if revision else str(self.start_line["hash"])

    def check(self) -> None:
        """Raises ValueError if the log does not lead to the same position as when it was written."""
        if self.state is not None:
            self._check(len(self.acts), self.position)

    def _check(self, revision: int, after: str) -> None:
        """Raises ValueError unless a revision leads to this position, as text, according to its hash."""
        if revision == 0:
            actual = record.hashed(self.start_line, "", after)
        else:
            actual = record.hashed(line(revision, self.acts[revision - 1]), self.hash(revision - 1), after)
        if actual != self.hash(revision):
            raise ValueError(f"revision {revision} is not as it was played")

    # Undoing.

    def undos(self, seat: Seat) -> int:
        """Return the number of undos of a seat since another seat acted."""
        own = takewhile(lambda entry: entry.seat == seat, reversed(self.acts))
        return sum(isinstance(entry, Undo) for entry in own)

    def is_undone(self, last: int) -> bool:
        """Whether actions up to a revision, at least the last one, were taken back since."""
        return any(isinstance(entry, Undo) and entry.to < last for entry in self.acts[last:])

    def undo(self, seat: Seat, by: str, to: int | None, request: str) -> tuple[Revision, Undo]:
        """Build the entry that takes back actions: to a revision, or only the last one. Raises ServiceError."""
        for _ in self.learn_undo_positions():
            pass
        assert self._replay is not None
        positions = self._replay.takeback.positions()
        possible = ", ".join(map(str, positions)) or "none"
        to = max(positions, default=0) if to is None else to
        if to not in positions:
            raise ServiceError("CANNOT_UNDO", "" if positions else "NOTHING", revisions=possible)
        last = len(self.acts)
        played = Revision(last + 1, seat, by, None, [], positions[to], to)
        undone = record.undo_line(played.revision, seat, by, to)
        return played, Undo(seat, by, request, to, record.hashed(undone, self.hash(last), played.position))

    def learn_undo_positions(self) -> Iterator[None]:
        """Find the positions for undo, one revision at a time; nothing may be added meanwhile."""
        if self._replay is not None:
            return
        assert self.state is not None
        try:
            for replayed, _ in self._replayed(len(self.acts)):
                replay = replayed
                yield
        except Exception:  # as in `revisions`
            replay = GameReplay(self._latest(len(self.acts), self.state))
        self._replay = replay

    # Replaying.

    def revisions(self, first: int, last: int) -> Iterator[Revision]:
        """Yield the revisions from first to last, both included; old ones are replayed from the log one at a time.

        Raises ServiceError where these rules lead elsewhere than those of then. The latest revision alone can always be
        built, then without events.
        """
        if self.state is None:
            return
        if self._recent and first >= self._recent[0].revision:
            yield from [played for played in self._recent if first <= played.revision <= last]
            return
        latest, state = len(self.acts), self.state  # more may be added while this is iterated
        recent: deque[Revision] = deque(maxlen=RECENT)
        try:
            for _, played in self._replayed(last):
                if played.revision >= first:
                    recent.append(played)
                    yield played
        except Exception as error:  # other rules can fail in any way
            if first < latest:
                then, now = self.start_line["engine"], ENGINE_VERSION
                raise ServiceError("HISTORY_UNREADABLE", revision=latest, error=error, then=then, now=now) from None
            recent.append(self._latest(latest, state))
            yield recent[-1]
        if last == len(self.acts):
            self._recent = recent

    def record_lines(self, names: Sequence[str]) -> Iterator[str]:
        """Yield the lines of the record of the game so far (docs/record.md); none before the start."""
        if self.state is None:
            return
        yield record.dump(self.start_line | {"names": list(names)})
        times: list[float] = []
        for revision, (entry, time) in enumerate(zip(self.acts, self._played_at, strict=True), start=1):
            written = line(revision, entry, time)
            times.append(written["time"])
            yield record.dump(written | {"hash": entry.hash})
        if self.state.phase == "over":
            revealed = self._setup.reveal(self.nonces)
            yield record.dump(record.result_line(self.hash(len(self.acts)), self.state, revealed, times))

    def times(self) -> Iterator[match_pb2.DecisionTime]:
        """Yield the times of each decision as messages."""
        for revision, entry in enumerate(self.acts, start=1):
            if isinstance(entry, Act) and entry.times is not None:
                yield match_pb2.DecisionTime(
                    revision=revision, seat=entry.seat + 1, by=entry.by, **entry.times._asdict()
                )

    def _opening(self) -> Revision:
        """Return revision 0."""
        events: list[Event] = []
        state = self._setup.new_state(RecordedChance(self.start_line.get("picks", [])), events)
        return Revision(0, None, "", None, events, state)

    def _replayed(self, last: int) -> Iterator[tuple[GameReplay, Revision]]:
        """Replay up to a revision, one at a time. Raises some exception where one leads elsewhere than before."""
        played = self._opening()
        replay = GameReplay(played)
        self._check(0, played.position)
        yield replay, played
        for revision, entry in enumerate(self.acts[:last], start=1):
            played = replay.replay(revision, entry)
            self._check(revision, played.position)
            yield replay, played

    def _latest(self, revision: int, state: State) -> Revision:
        """Return the revision that led to a state, without its events."""
        if revision == 0:
            return Revision(0, None, "", None, [], state)
        entry = self.acts[revision - 1]
        if isinstance(entry, Undo):
            return Revision(revision, entry.seat, entry.by, None, [], state, entry.to)
        return Revision(revision, entry.seat, entry.by, notation.read(entry.action, state.board), [], state)

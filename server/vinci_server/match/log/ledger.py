"""The state of one match: the sum of the entries of its log, without input or output."""

from collections import Counter, deque
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, assert_never, final

from vinci_rules import record
from vinci_rules.chance import Chance, RecordingChance, nonce_hash
from vinci_rules.events import Event
from vinci_rules.state import Seat, State
from vinci_rules.takeback import OWN

from ...errors import ServiceError
from ...storage.store import LogRow, Snapshot, Stored
from ..audience.watchers import Revision
from ..seats import tokens
from ..seats.setup import Setup
from ..time.clock import Clocks
from . import entries as log
from .batch import Batch
from .history import GameHistory

CHAT_KEPT: Final = 200
"""Lines of the players' chat kept in memory for later watchers; the same number of the spectators' chat."""
CHANGES: Final = (log.Join, log.GiveNonce, log.Propose, log.Return, log.Undo)
"""Entries that players can cause at any time; the number of each seat is limited (`planning.MOST_CHANGES`)."""
EMPTYING: Final = (log.Leave, log.ChangeSeat)
"""Entries that open a seat: its changes are counted from 0 again, for its next player."""


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """The player of a seat, the hash of its token, and its nonce for the seed; all empty if nobody has joined.

    `promised` is the hash of a nonce that is or will be revealed; `owes_hash` says that a new one is due. `person` is
    the id of the person who plays, 0 for a guest, `since` the number of the row by which the seat was taken, and `more`
    are hashes of tokens of other devices.
    """

    player: str = ""
    token_hash: str = ""
    nonce: str = ""
    promised: str = ""
    owes_hash: bool = False
    person: int = 0
    since: int = 0
    more: tuple[str, ...] = ()

    def knows(self, token: str) -> bool:
        """Whether a token is one of this player."""
        return any(tokens.fits(token, stored) for stored in (self.token_hash, *self.more))

    @property
    def nonce_hash(self) -> str:
        """Return the public hash of the nonce; empty for none."""
        return self.promised or (nonce_hash(self.nonce) if self.nonce else "")


class Answered(NamedTuple):
    """An earlier request: its seat, first and last revision, and the kind of its rows."""

    seat: Seat
    first: int
    last: int
    kind: str


class ChatEntry(NamedTuple):
    """A line of the chat; `number` is that of its row, `seat` None for a spectator."""

    number: int
    seat: Seat | None
    name: str
    text: str
    time: float


class Proposed(NamedTuple):
    """A proposal to vote on: `pause`, `resume`, or `substitute` for a seat."""

    kind: str
    seat: Seat | None = None


class MatchSummary(NamedTuple):
    """The facts about a match that stay in memory while it sleeps, as in `Ledger`."""

    revision: int
    status: str
    open_seats: int
    counts_absence: bool


@final
class Ledger:
    """The sum of the rows of one match.

    Attributes:
        setup, sitters: the setup of each seat, and its player.
        game: the position, the actions that led to it, and the record.
        requests: the outcomes of earlier requests, by id.
        substituted: whether a substitute plays, by seat.
        deputies: the bots that play as substitutes in place of that of the match, by seat.
        proposals: the seats that agree to each proposal.
        chat: the last lines of players (True) and spectators (False).
        said: the number of lines of each seat, and of all spectators (None).
        changes: the number of CHANGES of each seat since it was last emptied.
        revealing: whether the promised nonces are due, since all seats are taken.
        bot_played: seats that a bot without a seat token has played; only bots may play them unless a substitute does.
        ended: the reason why the match was ended before the game was over; empty if it was not.
        length: the number of rows.
    """

    def __init__(self, match_id: str, snapshot: Snapshot | None = None) -> None:
        self.match_id: Final = match_id
        self.setup: Setup
        self.created = 0.0
        self.sitters: list[SeatHolder] = []
        self.game: Final = GameHistory(snapshot)
        self.requests: dict[str, Answered] = {}
        self.clocks: Clocks
        self.substituted: list[bool] = []
        self.deputies: dict[Seat, str] = {}
        self.played_time = 0.0
        """Time of the last action, or of the end of the match, in seconds since 1970."""
        self.revealing = False
        self.bot_played: set[Seat] = set()
        self.paused = False
        self.proposals: dict[Proposed, set[Seat]] = {}
        self.chat: dict[bool, deque[ChatEntry]] = {by_seat: deque(maxlen=CHAT_KEPT) for by_seat in (True, False)}
        self.said: Counter[Seat | None] = Counter()
        self.changes: Counter[Seat] = Counter()
        self.ended = ""
        self.rematch = ""
        self.length = 0
        self._renewed = True

    @classmethod
    def read(cls, match_id: str, stored: Stored) -> "Ledger":
        """Return the ledger of a stored match. Raises ValueError if the log leads elsewhere than it did."""
        ledger = cls(match_id, stored.snapshot)
        for row in stored.rows:
            ledger.fold(row)
        ledger.game.check()
        return ledger

    @property
    def state(self) -> State | None:
        """The position; None before the start."""
        return self.game.state

    @property
    def revision(self) -> int:
        """Number of actions played and undone."""
        return len(self.game.acts)

    @property
    def status(self) -> str:
        """`open`, `running`, `over`, or `ended` if it was ended before."""
        if self.ended:
            return "ended"
        state = self.game.state
        if state is None:
            return "open"
        return "over" if state.phase == "over" else "running"

    @property
    def open_seats(self) -> int:
        """Number of human seats that nobody has joined."""
        return len(self.missing())

    @property
    def counts_absence(self) -> bool:
        """Whether a substitute replaces a player who is absent for long."""
        return self.setup.timing.absence > 0

    def summary(self) -> MatchSummary:
        """Return the facts that stay in memory while the match sleeps."""
        return MatchSummary(self.revision, self.status, self.open_seats, self.counts_absence)

    def kind(self, seat: Seat) -> str:
        """Return the kind of a seat: `human`, `dummy` or `bot`."""
        return self.setup.seats[seat].kind

    def name(self, seat: Seat) -> str:
        """Return the name of the player or expected bot of a seat."""
        return self.sitters[seat].player or self.setup.seats[seat].bot or self.kind(seat)

    def names(self) -> list[str]:
        """Return the name of each seat."""
        return [self.name(seat) for seat in self.seats()]

    def is_open(self, seat: Seat) -> bool:
        """Whether a seat can be joined."""
        return self.kind(seat) != "dummy" and not self.sitters[seat].token_hash

    def is_of_a_bot(self, seat: Seat, *, is_connected: bool) -> bool:
        """Whether a bot without a seat token has a bot seat (`is_connected`), or has played it and was not replaced."""
        if self.kind(seat) != "bot" or not self.is_open(seat) or self.substituted[seat]:
            return False
        return is_connected or seat in self.bot_played

    def missing(self) -> list[Seat]:
        """Return the human seats that nobody has joined."""
        return [seat for seat in self.seats() if self.kind(seat) == "human" and self.is_open(seat)]

    def seats(self) -> list[Seat]:
        """Return all seats."""
        return [Seat(place) for place in range(len(self.sitters))]

    def seat_of(self, token: str) -> Seat:
        """Return the seat of a token. Raises ServiceError."""
        for seat in self.seats():
            if self.sitters[seat].knows(token):
                return seat
        raise ServiceError("BAD_TOKEN")

    def seats_of_person(self, person: int) -> list[Seat]:
        """Return the seats of a person, that whose turn it is first; several only if persons were merged."""
        seats = [seat for seat in self.seats() if person and self.sitters[seat].person == person]
        return sorted(seats, key=lambda seat: not self.is_turn(seat))

    def seat_of_person(self, person: int) -> Seat | None:
        """Return the first of `seats_of_person`; None if there is none."""
        return next(iter(self.seats_of_person(person)), None)

    def to_act(self) -> Seat | None:
        """Return the seat that is to act, unless the game is paused or finished."""
        state = self.game.state
        if state is None or state.phase == "over" or self.paused or self.ended:
            return None
        return state.actor

    def is_turn(self, seat: Seat | None) -> bool:
        """Return whether the player of a seat is to act, not a substitute; False for no seat."""
        return seat is not None and seat == self.to_act() and not self.substituted[seat]

    def people(self) -> list[Seat]:
        """Return the seats that may vote: people who play for themselves and have not forfeited."""
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
        """Return the hash of each seat's nonce, seat 1 first; empty for a seat without one."""
        if self.state is None and self.setup.mixes_nonces:
            return [sitter.nonce_hash for sitter in self.sitters]
        return self.game.start_line.get("nonce_hashes") or [""] * len(self.sitters)

    def has_revealed(self, seat: Seat, nonce: str) -> bool:
        """Whether a seat has revealed this nonce, before the start or for it."""
        return nonce == (self.sitters[seat].nonce if self.state is None else self.game.nonces[seat])

    def wanted_bot(self, seat: Seat) -> str | None:
        """Return the name of the bot that may play a seat, empty for any; None if no bot may."""
        if self.substituted[seat]:
            return self.deputies.get(seat) or self.setup.timing.substitute or None
        return self.setup.seats[seat].bot if self.kind(seat) == "bot" and self.is_open(seat) else None

    # Adding entries.

    def fold(  # noqa: C901  # one case for each kind of entry
        self, row: LogRow, entry: log.Entry | None = None, played: Revision | None = None
    ) -> None:
        """Add the next row. `entry` is its decoded form, and `played` the revision of an action, if known already."""
        if row.sequence != self.length + 1:
            raise ValueError(f"row {self.length + 1} is missing")
        entry = log.decode(row) if entry is None else entry
        match entry:
            case log.Act() | log.Undo():
                self.played_time = row.time
                self._fold_act(row, entry, played)
            case log.Create(setup):
                self.setup = setup
                self.created = row.time
                self.sitters = [SeatHolder() for _ in setup.seats]
                self.substituted = [False for _ in setup.seats]
                self.clocks = Clocks(setup.timing, len(setup.seats))
            case log.Join(seat, player, token_hash, nonce, promised, person):
                self._void_nonces()
                holder = SeatHolder(player, token_hash, nonce, promised, person=person, since=row.sequence)
                self.sitters[seat] = holder
            case log.AddToken(seat, token_hash):
                sitter = self.sitters[seat]
                self.sitters[seat] = replace(sitter, more=(*sitter.more, token_hash))
            case log.Leave(seat):
                self._void_nonces()
                self.sitters[seat] = SeatHolder()
                self.bot_played.discard(seat)
            case log.ChangeSeat(seat, seat_setup):
                self.setup = self.setup.with_seat(seat, seat_setup)
            case log.RevealNonces():
                self.revealing = True
            case log.GiveNonce(seat, nonce, promise):
                sitter = self.sitters[seat]
                promised = sitter.promised if promise is None else promise
                self.sitters[seat] = replace(sitter, owes_hash=False, nonce=nonce, promised=promised)
            case log.Start():
                self.game.start(entry, self.setup, row.sequence, played)
            case log.ReadClock(seat, left):
                self.clocks.set(seat, left)
            case log.Substitute(seat, _, left) | log.Return(seat, left):
                self.substituted[seat] = isinstance(entry, log.Substitute)
                self.deputies[seat] = entry.bot if isinstance(entry, log.Substitute) else ""
                self.proposals.clear()
                self.clocks.set(seat, left)
            case log.Pause() | log.Resume():
                self.paused = isinstance(entry, log.Pause)
                self.proposals.clear()
            case log.Propose(seat, kind, about, agrees):
                agreed = self.proposals.setdefault(Proposed(kind, about), set())
                (agreed.add if agrees else agreed.discard)(seat)
                if not agreed:
                    del self.proposals[Proposed(kind, about)]
            case log.Chat(speaker, name, text):
                self.chat[speaker is not None].append(ChatEntry(row.sequence, speaker, name, text, row.time))
                self.said[speaker] += 1
            case log.Rematch(match_id):
                self.rematch = match_id
            case log.End(reason):
                self.played_time = row.time
                self.ended = reason
            case _:
                assert_never(entry)
        if isinstance(entry, CHANGES):
            self.changes[entry.seat] += 1
        elif isinstance(entry, EMPTYING):
            self.changes[entry.seat] = 0
        self.length += 1

    def reassign(self, person: int, to: int, name: str, rows: Collection[int]) -> None:
        """Let the seats of a person be those of another, 0 for nobody; a name replaces that in its seats and rows."""
        if self.setup.maker == person:
            self.setup = replace(self.setup, maker=to)
        for seat in self.seats():
            if self.sitters[seat].person == person:
                self.sitters[seat] = replace(self.sitters[seat], person=to, player=name or self.sitters[seat].player)
        for lines in self.chat.values():
            for place in range(len(lines)):
                if name and lines[place].number in rows:
                    lines[place] = lines[place]._replace(name=name)

    def _void_nonces(self) -> None:
        """Ask for new nonces if a seat changes while they are revealed: some may be known."""
        if self.revealing and self.state is None:
            self.revealing = False
            self.sitters = [
                replace(sitter, nonce="", promised="", owes_hash=True) if sitter.promised else sitter
                for sitter in self.sitters
            ]

    def _fold_act(self, row: LogRow, entry: log.Act | log.Undo, played: Revision | None) -> None:
        seat, game, clocks = entry.seat, self.game, self.clocks
        is_known = game.is_known(row.sequence)
        was_to_act = is_known or (game.state is not None and game.state.actor == seat)  # else it has forfeited
        if is_known and (self._renewed or seat != game.acts[-1].seat):
            clocks.start_decision(seat)
        game.add(entry, row.sequence, row.time, played)
        undo_to = None
        if isinstance(entry, log.Undo):
            undo_to = entry.to
            clocks.set(seat, entry.left)
        elif entry.times is not None:
            clocks.set(seat, entry.times.left)
        if entry.by == "bot" and self.is_open(seat):
            self.bot_played.add(seat)
        is_new = clocks.acted(seat, self.revision, undo_to)
        self._renewed = is_new or entry.by not in OWN
        state = game.state
        is_now = not game.is_known(row.sequence + 1)
        if state is not None and is_now and was_to_act and (self._renewed or state.actor != seat):
            clocks.start_decision(state.actor)
        if entry.request is not None:
            request, _, _ = entry.request.partition("#")
            first = self.requests[request].first if request in self.requests else self.revision
            self.requests[request] = Answered(seat, first, self.revision, row.kind)

    # Building entries.

    def start(self) -> tuple[Revision, log.Start]:
        """Build revision 0 and the entry that starts the game; makes the draws of the opening."""
        nonces = [sitter.nonce for sitter in self.sitters]
        drawn = RecordingChance(self.setup.opening_chance(nonces))
        events: list[Event] = []
        state = self.setup.new_state(drawn, events)
        line = record.start_line(
            state,
            drawn.picks,
            start=self.setup.position,
            seed=self.setup.open_seed,
            commitment=self.setup.commitment(),
            sealed=self.setup.sealed,
            nonce_hashes=self.nonce_hashes(),
            opening_seed=self.setup.opening_seed,
        )
        entry = log.Start(line, nonces, log.chance_text(drawn.picks), line["hash"])
        return Revision(0, None, "", None, events, state), entry

    def batch(self, chance: Chance | None = None) -> Batch:
        """Start a batch of actions from the position of a started match; `chance` replaces the game's own."""
        state, chance = self.game.state, chance or self.game.chance
        assert state is not None
        assert chance is not None
        return Batch(state, chance, self.revision, self.game.hash(self.revision))

"""The entries of a match's log: a type for each kind of row, and its conversion to and from `LogRow`.

No other module knows the stored format. Databases and exports of earlier versions are read with it, so a field may be
added, with a default, but never renamed or removed.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, Final, NamedTuple, TypeAlias, assert_never

from vinci_rules import record
from vinci_rules.state import Seat

from ...storage.store import LogRow
from ..seats.setup import Mistakes, SeatSetup, Setup
from ..time.clock import Timing

NO_CHANCE: Final = '{"picks": [], "rolls": []}'
WITHHELD: Final = '{"nonce": "withheld"}'
"""Text of the row that empties a seat which did not reveal its nonce."""
NOT_WITHHELD: Final = "{}"


class Times(NamedTuple):
    """Duration of a decision and the seat's clock after it, in milliseconds; `left` is None without clocks."""

    think: int = 0
    queue: int = 0
    network: int = 0
    left: int | None = None


class Create(NamedTuple):
    """The match is created."""

    setup: Setup


class Join(NamedTuple):
    """A player takes a seat, or gets a new token for it. `promised` is the hash of a nonce that is still secret.

    `person` is the id of the person who plays, 0 for a guest.
    """

    seat: Seat
    player: str
    token_hash: str
    nonce: str = ""
    promised: str = ""
    person: int = 0


class AddToken(NamedTuple):
    """Another device of the person at a seat gets a token, too."""

    seat: Seat
    token_hash: str


class Leave(NamedTuple):
    """A seat becomes empty; `withheld` if the server emptied it because its nonce was due for too long."""

    seat: Seat
    withheld: bool = False


class ChangeSeat(NamedTuple):
    """The host changes who may join a seat."""

    seat: Seat
    setup: SeatSetup


class RevealNonces(NamedTuple):
    """All seats are taken: the promised nonces are due."""


class GiveNonce(NamedTuple):
    """A seat reveals its nonce, or promises another one by its hash; None leaves the hash as it is."""

    seat: Seat
    nonce: str
    promised: str | None = None


class Start(NamedTuple):
    """The game starts, with the first line of its record. `chance` is as in `Act`."""

    line: record.Line
    nonces: Sequence[str]
    chance: str
    hash: str


class Act(NamedTuple):
    """A seat plays an action, in notation; `by` says who decided it; `chance` stays JSON to save memory."""

    seat: Seat
    by: str
    request: str | None
    action: str
    chance: str
    hash: str
    times: Times | None = None

    @property
    def picks(self) -> list[str]:
        """The draws of the rules."""
        return self._drawn("picks")

    @property
    def rolls(self) -> list[str]:
        """The draws of a dummy that chose the action."""
        return self._drawn("rolls")

    def _drawn(self, name: str) -> list[str]:
        return [] if self.chance == NO_CHANCE else json.loads(self.chance)[name]


class Undo(NamedTuple):
    """A seat takes back its actions after the revision `to`; `left` is its clock in milliseconds."""

    seat: Seat
    by: str
    request: str | None
    to: int
    hash: str
    left: int | None = None


class ReadClock(NamedTuple):
    """A reading of a running clock, in milliseconds, so that a restart does not give the time back."""

    seat: Seat
    left: int | None


class Substitute(NamedTuple):
    """A substitute plays a seat from now on; `left` is the seat's clock in milliseconds.

    `bot` is the name of a bot in place of the substitute of the match, empty for that.
    """

    seat: Seat
    reason: str
    left: int | None
    bot: str = ""


class Return(NamedTuple):
    """The player of a seat plays again instead of the substitute; `left` is the seat's clock in milliseconds."""

    seat: Seat
    left: int | None


class Pause(NamedTuple):
    """The game stops; `by` is `players` or `admin`."""

    by: str


class Resume(NamedTuple):
    """A paused game continues; `by` as in `Pause`."""

    by: str


class Propose(NamedTuple):
    """A player agrees to a proposal, or withdraws. `about` is the seat that a substitute is proposed for."""

    seat: Seat
    kind: str
    about: Seat | None
    agrees: bool


class Chat(NamedTuple):
    """A player, or a spectator if `seat` is None, writes a line. `person` is as in `Join`."""

    seat: Seat | None
    name: str
    text: str
    person: int = 0


class Rematch(NamedTuple):
    """The id of the match that follows is settled."""

    match_id: str


class End(NamedTuple):
    """The match ends before its game is over."""

    reason: str


AboutSeat: TypeAlias = Join | AddToken | Leave | ChangeSeat | GiveNonce | Propose
AboutClock: TypeAlias = ReadClock | Substitute | Return
AboutMatch: TypeAlias = Create | RevealNonces | Start | Pause | Resume | Chat | Rematch | End
Entry: TypeAlias = Act | Undo | AboutSeat | AboutClock | AboutMatch


def milliseconds(seconds: float) -> int:
    """Convert seconds to whole milliseconds."""
    return round(1000 * seconds)


def chance_text(picks: Sequence[str], rolls: Sequence[str] = ()) -> str:
    """Return the JSON for draws of the rules and of a dummy."""
    return json.dumps({"picks": list(picks), "rolls": list(rolls)}) if picks or rolls else NO_CHANCE


def encode(entry: Entry, sequence: int, time: float) -> LogRow:  # noqa: C901  # one case for each kind of entry
    """Return the row that stores an entry, with its number in the log and the time in seconds since 1970."""
    if isinstance(entry, Act):  # first, because most entries are actions
        seat, by, request, action, chance, hashed, times = entry
        measured = _times_text(times) if times else ""
        return LogRow(sequence, "act", seat + 1, by, request, action, chance, time, hashed, measured)

    def row(kind: str, seat: Seat | None = None, text: str = "", left: int | None = None) -> LogRow:
        times = "" if left is None else json.dumps({"left": left})
        return LogRow(sequence, kind, 0 if seat is None else seat + 1, "", None, text, NO_CHANCE, time, "", times)

    match entry:
        case Undo(seat, by, request, to, hashed, left):
            return row("undo", seat, str(to), left)._replace(actor=by, request=request, hash=hashed)
        case Create(setup):
            fields = asdict(setup)
            for later in ("no_advice", "maker", "rated"):
                if not fields[later]:
                    del fields[later]  # so that servers before it read the row
            return row("create", text=json.dumps(fields))
        case Join(seat, player, token_hash, nonce, promised, person):
            fields = {"player": player, "token_hash": token_hash, "nonce": nonce}
            more = {"promised": promised, "person": person}
            return row("join", seat, json.dumps(fields | {name: value for name, value in more.items() if value}))
        case AddToken(seat, token_hash):
            return row("token", seat, token_hash)
        case Leave(seat, withheld):
            return row("leave", seat, WITHHELD if withheld else NOT_WITHHELD)
        case ChangeSeat(seat, seat_setup):
            return row("seat", seat, json.dumps({"kind": seat_setup.kind, "bot": seat_setup.bot}))
        case RevealNonces():
            return row("reveal")
        case GiveNonce(seat, nonce, promise):
            return row("nonce", seat, json.dumps({"nonce": nonce} | ({} if promise is None else {"promised": promise})))
        case Start(line, nonces, chance, hashed):
            text = json.dumps({"line": line, "nonces": list(nonces)})
            return row("start", text=text)._replace(chance=chance, hash=hashed)
        case ReadClock(seat, left):
            return row("clock", seat, left=left)
        case Substitute(seat, reason, left, bot):
            return row("substitute", seat, reason, left)._replace(actor=bot)
        case Return(seat, left):
            return row("return", seat, left=left)
        case Pause(by):
            return row("pause", text=by)
        case Resume(by):
            return row("resume", text=by)
        case Propose(seat, kind, about, agrees):
            return row("propose", seat, json.dumps({"kind": kind, "seat": about, "agrees": agrees}))
        case Chat(speaker, name, text, person):
            said = {"name": name, "text": text} | ({"person": person} if person else {})
            return row("chat", speaker, json.dumps(said, ensure_ascii=False))
        case Rematch(match_id):
            return row("rematch", text=match_id)
        case End(reason):
            return row("end", text=reason)
        case _:
            assert_never(entry)


def decode(row: LogRow, loads: Callable[[str], Any] = json.loads) -> Entry:  # noqa: C901  # one case for each kind of entry
    """Return the entry that a row stores; `loads` reads JSON. Raises some exception for a row that is malformed."""
    seat = Seat(row.seat - 1)
    match row.kind:
        case "act":
            times = Times(**loads(row.times)) if row.times else None
            return Act(seat, row.actor, row.request, row.text, row.chance, row.hash, times)
        case "undo":
            return Undo(seat, row.actor, row.request, int(row.text), row.hash, _left(row, loads))
        case "create":
            return Create(_setup(loads(row.text)))
        case "join":
            return Join(seat, **loads(row.text))
        case "token":
            return AddToken(seat, row.text)
        case "leave":
            return Leave(seat, row.text == WITHHELD)
        case "seat":
            return ChangeSeat(seat, SeatSetup(**loads(row.text)))
        case "reveal":
            return RevealNonces()
        case "nonce":
            return GiveNonce(seat, **loads(row.text))
        case "start":
            fields = loads(row.text)
            return Start(fields["line"], fields["nonces"], row.chance, row.hash)
        case "clock":
            return ReadClock(seat, _left(row, loads))
        case "substitute":
            return Substitute(seat, row.text, _left(row, loads), row.actor)
        case "return":
            return Return(seat, _left(row, loads))
        case "pause":
            return Pause(row.text)
        case "resume":
            return Resume(row.text)
        case "propose":
            fields = loads(row.text)
            about = None if fields["seat"] is None else Seat(fields["seat"])
            return Propose(seat, fields["kind"], about, fields["agrees"])
        case "chat":
            return Chat(seat if row.seat else None, **loads(row.text))
        case "rematch":
            return Rematch(row.text)
        case "end":
            return End(row.text)
        case kind:
            raise ValueError(f"row {row.sequence} is of unknown kind {kind!r}; use the server that wrote it")


def _times_text(times: Times) -> str:
    """Return the JSON for times, of numbers alone."""
    left = "" if times.left is None else f', "left": {times.left}'
    return f'{{"think": {times.think}, "queue": {times.queue}, "network": {times.network}{left}}}'


def _left(row: LogRow, loads: Callable[[str], Any]) -> int | None:
    return Times(**loads(row.times)).left if row.times else None


def _setup(fields: dict[str, Any]) -> Setup:
    """Return the setup of a match; those of earlier versions have fewer fields."""
    seats = tuple(SeatSetup(**seat) for seat in fields["seats"])
    timing, mistakes = Timing(**fields.get("timing", {})), Mistakes(**fields.get("mistakes", {}))
    return Setup(**fields | {"seats": seats, "timing": timing, "mistakes": mistakes})

"""The setup of a match: seats, rules, seed. Read from a request, stored in the first entry of its log."""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final

from vinci.v1 import lobby_pb2 as pb
from vinci_codec import catalogue, match_fields
from vinci_refusals import clock
from vinci_refusals.clock import MOST_SECONDS, Clock
from vinci_refusals.wording import Refused
from vinci_rules import position
from vinci_rules.board import DEFAULT_BOARD, load_board
from vinci_rules.chance import Chance, FairChance, checked, commitment, mixed_seed
from vinci_rules.editions import FEWEST_SEATS, MOST_SEATS, Options, Setting, options
from vinci_rules.engine import new_game
from vinci_rules.events import Log
from vinci_rules.position import PositionError
from vinci_rules.state import State

from ...errors import ServiceError, refusing
from ..time.clock import Timing
from .names import check_name

LONGEST_SEED: Final = 128
LONGEST_POSITION: Final = 4096
"""Several times what a position needs."""
MOST_SETTINGS: Final = 64
KINDS: Final = {pb.SEAT_KIND_HUMAN: "human", pb.SEAT_KIND_DUMMY: "dummy", pb.SEAT_KIND_BOT: "bot"}
KIND_CODES: Final = {name: code for code, name in KINDS.items()}
STATUSES: Final = {
    pb.MATCH_STATUS_OPEN: "open",
    pb.MATCH_STATUS_RUNNING: "running",
    pb.MATCH_STATUS_OVER: "over",
    pb.MATCH_STATUS_ENDED: "ended",
}
STATUS_CODES: Final = {name: code for code, name in STATUSES.items()}
POLICIES: Final = {
    pb.TIMEOUT_POLICY_UNSPECIFIED: "default",
    pb.TIMEOUT_POLICY_DEFAULT_ACTION: "default",
    pb.TIMEOUT_POLICY_SUBSTITUTE: "substitute",
    pb.TIMEOUT_POLICY_FORFEIT: "forfeit",
}
RATED: Final = {code: name for name, code in match_fields.RATED.items()}
POLICY_CODES: Final = {name: code for code, name in POLICIES.items()}
"""A month, for anything that is timed."""
MOST_TRIES: Final = 100


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """A seat's kind (`human`, `dummy` or `bot`), required name of its bot, and hash of the token that may join."""

    kind: str
    bot: str = ""
    reserved: str = ""


@dataclass(frozen=True, slots=True)
class Mistakes:
    """Number of wrong answers that a bot may give to one decision, and the policy after them."""

    tries: int = 3
    after: str = "default"


@dataclass(frozen=True, slots=True)
class Setup:
    """The setup of a match, final once it starts; `position` is empty for a usual start.

    With `salt` the seed is secret, else the game is open. A `sealed` seed is secret and was chosen: the game draws from
    it alone, without nonces. `opening_seed`, if any, gives the draws before the first decision. With `no_advice` the
    server suggests no actions. `maker` is the id of the person who made the match, 0 for a guest. `rated`, "yes" or
    "no", says whether it counts for ratings; else that depends on its seats.
    """

    board: str
    edition: str
    settings: dict[str, Setting]
    seats: tuple[SeatSetup, ...]
    seed: str
    salt: str
    position: str
    start_when_full: bool
    host_hash: str
    timing: Timing = field(default_factory=Timing)
    mistakes: Mistakes = field(default_factory=Mistakes)
    sealed: bool = False
    opening_seed: str = ""
    no_advice: bool = False
    maker: int = 0
    rated: str = ""

    def with_seat(self, place: int, seat: SeatSetup) -> "Setup":
        """Return a copy with another setup for one seat, counted from 0."""
        return replace(self, seats=(*self.seats[:place], seat, *self.seats[place + 1 :]))

    def rotated(self, token_hashes: Sequence[str]) -> "Setup":
        """Return the setup of a rematch: reserved seats, one further on for each player, and another secret seed."""
        seats = [replace(seat, reserved=held) for seat, held in zip(self.seats, token_hashes, strict=True)]
        secret = bool(self.salt)
        return replace(
            self,
            seats=(seats[-1], *seats[:-1]),
            seed=secrets.token_hex(16) if secret else f"{self.seed[-LONGEST_SEED + 1 :]}.",
            salt=secrets.token_hex(16) if secret else "",
            start_when_full=True,
            sealed=False,
            opening_seed="",
        )

    def options(self) -> Options:
        """Return the rules of the game. Raises OptionError."""
        return options(tuple(seat.kind == "dummy" for seat in self.seats), self.edition, **self.settings)

    def commitment(self) -> str:
        """Return the published commitment to a secret seed; empty for an open game."""
        return commitment(self.seed, self.salt) if self.salt else ""

    @property
    def open_seed(self) -> str:
        """Return the seed if it is public from the start, else an empty text."""
        return "" if self.salt else self.seed

    @property
    def mixes_nonces(self) -> bool:
        """Whether the players' nonces are mixed into the seed."""
        return bool(self.salt) and not self.sealed

    def reveal(self, nonces: Sequence[str]) -> dict[str, Any] | None:
        """Return the fields with which the record's last line reveals a secret seed; None for an open game."""
        if not self.salt:
            return None
        return {"seed": self.seed, "salt": self.salt} | ({"nonces": nonces} if self.mixes_nonces else {})

    def chance(self, nonces: Sequence[str]) -> Chance:
        """Return the chance of the game, given the players' nonces in seat order."""
        return FairChance(mixed_seed(self.seed, self.salt, nonces) if self.mixes_nonces else self.seed)

    def opening_chance(self, nonces: Sequence[str]) -> Chance:
        """Return the chance of the draws before the first decision."""
        return FairChance(self.opening_seed) if self.opening_seed else self.chance(nonces)

    def new_state(self, chance: Chance, log: Log = None) -> State:
        """Return the position in which the game starts."""
        if self.position:
            return position.read(self.position)
        return new_game(load_board(self.board), self.options(), chance, log)


def from_request(request: pb.CreateMatchRequest, host_hash: str, maker: int = 0) -> Setup:
    """Return the setup that a request asks for. Raises ServiceError, with the field of a form as a fact."""
    if len(request.options.settings) > MOST_SETTINGS:
        raise ServiceError("BAD_OPTION", "MANY", most=MOST_SETTINGS)
    with of_field("options"), refusing():
        request = match_fields.spread(request)
    with of_field("seats"):
        if len(request.seats) > MOST_SEATS:
            check_seats(len(request.seats))
        seats = tuple(seat_setup(seat) for seat in request.seats)
    edition, settings = catalogue.settings(request.options)
    board = request.board or DEFAULT_BOARD
    if request.position:
        start = read_position(request.position)
        board, edition = start.board.name, start.options.edition
        settings = dict(start.options.changed)
        seats = _seats_of_position(start, seats)
    with of_field("seats"):
        check_seats(len(seats))
    with of_field("board"), refusing():
        load_board(board)
    secret, sealed = not request.seed, bool(request.seed and request.sealed)
    if request.salt and not sealed:
        raise ServiceError("BAD_SEED", "SALT")
    if request.opening_seed and (secret or request.position):
        raise ServiceError("BAD_SEED", "OPENING")
    setup = Setup(
        board=board,
        edition=edition,
        settings=dict(settings),
        seats=seats,
        seed=secrets.token_hex(16) if secret else request.seed,
        salt=request.salt or (secrets.token_hex(16) if secret or sealed else ""),
        position=request.position,
        start_when_full=request.start_when_full,
        host_hash=host_hash,
        timing=read_timing(request.timing),
        mistakes=read_mistakes(request.mistakes),
        sealed=sealed,
        opening_seed=request.opening_seed,
        no_advice=request.no_advice,
        rated=RATED.get(request.rated, ""),
        maker=maker,
    )
    with of_field("edition"), refusing():
        setup.options()
    with of_field("seed"), refusing():
        setup.chance([])
        for name, text in (("salt", setup.salt), ("opening seed", setup.opening_seed)):
            if text:
                checked(text, name)
    return setup


@contextmanager
def of_field(code: str) -> Iterator[None]:
    """Add to a refusal, as the fact `field`, the option that it names, else this field."""
    try:
        yield
    except Refused as error:
        error.facts.setdefault("field", error.facts.get("option", code).partition("=")[0])
        raise


def read_position(text: str) -> State:
    """Return the position of a request. Raises ServiceError, which names every fault."""
    if len(text) > LONGEST_POSITION:
        raise ServiceError("BAD_POSITION", "LONG", most=LONGEST_POSITION)
    try:
        return position.read(text)
    except PositionError as error:
        raise ServiceError("BAD_POSITION", faults=error) from None


def check_seats(seats: int) -> None:
    """Raises ServiceError unless a match can have this number of seats."""
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise ServiceError("BAD_SEAT", "NUMBER", seats=seats, fewest=FEWEST_SEATS, most=MOST_SEATS)


def seat_setup(message: pb.SeatSetup) -> SeatSetup:
    """Return the setup of one seat. Raises ServiceError."""
    if message.kind not in KINDS:
        raise ServiceError("BAD_SEAT", "KIND")
    return SeatSetup(KINDS[message.kind], check_name(message.bot))


def timing_message(timing: Timing) -> pb.Timing:
    """Return the time control as a message."""
    return pb.Timing(
        decision_seconds=timing.decision,
        bank_seconds=timing.bank,
        increment_seconds=timing.increment,
        on_timeout=POLICY_CODES[timing.on_timeout] if timing.has_clock else pb.TIMEOUT_POLICY_UNSPECIFIED,
        absence_seconds=timing.absence,
        substitute=timing.substitute,
    )


def read_timing(message: pb.Timing) -> Timing:
    """Read the time control from a message. Raises ServiceError for invalid values."""
    with of_field("clock"):
        decision, bank, increment = _read_clock(message)
    with of_field("absence"):
        if message.absence_seconds > MOST_SECONDS:
            raise ServiceError("BAD_TIMING", "LONG", seconds=message.absence_seconds, most=MOST_SECONDS)
    with of_field("timeout"):
        if message.on_timeout not in POLICIES:
            raise ServiceError("BAD_TIMING", "POLICY", number=message.on_timeout, most=max(POLICIES))
        if message.on_timeout and not (decision or bank):
            raise ServiceError("BAD_TIMING", "NO_CLOCK")
    with of_field("substitute"):
        substitute = check_name(message.substitute)
    return Timing(
        decision=decision,
        bank=bank,
        increment=increment,
        on_timeout=POLICIES[message.on_timeout],
        absence=message.absence_seconds,
        substitute=substitute,
    )


def _read_clock(message: pb.Timing) -> Clock:
    given = Clock(message.decision_seconds, message.bank_seconds, message.increment_seconds)
    if message.clock and any(given):
        raise ServiceError("BAD_TIMING", "TWICE")
    if max(given) > MOST_SECONDS:
        raise ServiceError("BAD_TIMING", "LONG", seconds=max(given), most=MOST_SECONDS)
    if given.decision and (given.bank or given.increment):
        raise ServiceError("BAD_TIMING", "BOTH")
    if given.increment and not given.bank:
        raise ServiceError("BAD_TIMING", "NO_BANK")
    with refusing():
        return clock.read(message.clock) if message.clock else given


def mistakes_message(mistakes: Mistakes) -> pb.Mistakes:
    """Return the limit of a bot's wrong answers as a message."""
    return pb.Mistakes(tries=mistakes.tries, after=POLICY_CODES[mistakes.after])


def read_mistakes(message: pb.Mistakes) -> Mistakes:
    """Read the limit of a bot's wrong answers and the policy after it. Raises ServiceError for invalid values."""
    with of_field("tries"):
        if message.tries > MOST_TRIES:
            raise ServiceError("BAD_MISTAKES", tries=message.tries, most=MOST_TRIES)
    with of_field("refused"):
        if message.after not in POLICIES:
            raise ServiceError("BAD_MISTAKES", "POLICY", number=message.after, most=max(POLICIES))
    return Mistakes(message.tries or Mistakes().tries, POLICIES[message.after])


def _seats_of_position(start: State, seats: tuple[SeatSetup, ...]) -> tuple[SeatSetup, ...]:
    dummies = start.options.dummies
    if not seats:
        return tuple(SeatSetup("dummy" if is_dummy else "human") for is_dummy in dummies)
    if tuple(seat.kind == "dummy" for seat in seats) != dummies:
        raise ServiceError("BAD_SEAT", "DUMMIES")
    return seats

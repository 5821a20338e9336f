"""A connected bot: its seats, and the messages that wait to be sent to it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, final

from vinci.v1 import bot_pb2 as pb
from vinci_codec import states
from vinci_rules.engine import ranks
from vinci_rules.state import Seat

from ...errors import ServiceError
from ...match.audience.watchers import Detail, Revision
from ...match.match import Match
from ...match.time.timekeeper import RoundTrip
from ..gate import Payer

MOST_UNDER_WAY: Final = 64
"""Answers of one bot that are played at the same time; more wait."""
MOST_UNREAD: Final = 1000
"""Messages that a bot may leave unread before its stream is ended."""
MOST_GAMES: Final = 1000
"""Games that one bot plays at the same time, whatever it asks for."""


@dataclass(slots=True)
class BotSeat:
    """A seat that a bot plays as `bot` or `substitute`; with the seat token, empty if it was given the seat by name.

    `told` is the revision of the decision that it was sent last, `telling` of the one that is sent next, `asked` has
    those of all of them on this stream.
    """

    match: Match
    seat: Seat
    by: str
    token: str = ""
    told: int = -1
    telling: int = -1
    asked: set[int] = field(default_factory=set)

    def is_late(self, answer: pb.Answer) -> bool:
        """Whether an answer is to an earlier decision, and not to one that never was.

        No revision counts as 0 once: clients from before the field had presence leave out a 0.
        """
        if answer.HasField("revision"):
            return answer.revision in self.asked
        was_asked = 0 in self.asked
        self.asked.discard(0)
        return was_asked


@final
class ConnectedBot:
    """A connected bot: what it asked for, its games, and what is to be sent to it."""

    def __init__(self, hello: pb.Hello, name: str, payer: Payer) -> None:
        self.hello: Final = hello
        self.name: Final = name
        self.payer: Final = payer
        self.capacity = 0 if hello.seat_tokens else min(max(hello.games, 1), MOST_GAMES)
        """Games that it is given by its name at the same time."""
        self.is_leaving = False
        self.games: Final[dict[tuple[str, Seat], BotSeat]] = {}
        self.own = 0
        """Number of its games that it plays with a seat token."""
        self.outgoing: Final[asyncio.Queue[pb.PlayResponse | ServiceError | None]] = asyncio.Queue()
        self.under_way: Final = asyncio.Semaphore(MOST_UNDER_WAY)
        self.way: Final = RoundTrip()
        self.is_connected = False
        self.unsettled: Final = dict.fromkeys((seat.match_id, seat.seat) for seat in hello.playing[:MOST_GAMES])
        """Seats that it had before and was not told about, by match and number."""

    def end(self, error: ServiceError) -> None:
        """Send nothing more but why the stream ends."""
        while not self.outgoing.empty():
            self.outgoing.get_nowait()
        self.outgoing.put_nowait(error)

    def set_games(self, games: int) -> None:
        """Let the bot play this many games at once; with 0 it leaves after those that it plays."""
        self.capacity, self.is_leaving = min(games, MOST_GAMES), games == 0

    def check_reads(self) -> None:
        """Raises ServiceError if the bot leaves too many messages unread."""
        if self.outgoing.qsize() > MOST_UNREAD:
            raise ServiceError("SLOW_WATCHER", "BOT", most=MOST_UNREAD)

    @property
    def is_done(self) -> bool:
        """Whether it wants no more games, has none left, and was told about all that it had before."""
        return self.is_leaving and not self.games and not self.unsettled

    def takes(self, wanted: str, match_id: str, seat: Seat) -> bool:
        """Whether a seat that asks for this name may be given to the bot; one that it had before needs no room."""
        had = (match_id, seat + 1) in self.unsettled and not self.hello.seat_tokens
        return wanted in ("", self.name) and (had or self.has_room())

    def has_room(self) -> bool:
        """Whether it can be given another game; seats that it had before keep their room until they are settled."""
        given = len(self.games) - self.own + len(self.unsettled)
        return given < self.capacity


def finished(match: Match, seat: Seat) -> pb.PlayResponse:
    """The end of a match, for the bot of a seat."""
    state = match.ledger.state
    finished = pb.Finished(match_id=match.match_id, seat=seat + 1, ended=match.ledger.ended)
    if state is not None:
        finished.vp.extend(state.vp)
        finished.ranks.extend(ranks(state) if state.phase == "over" else ())
    return pb.PlayResponse(finished=finished)


def send_decision(bot: ConnectedBot, game: BotSeat, updates: Sequence[Revision] = ()) -> None:
    """Send a bot the decision that it is to make."""
    decision = _decision(bot, game)
    decision.updates.extend(played.message(Detail()) for played in updates)
    bot.outgoing.put_nowait(pb.PlayResponse(decision=decision))
    game.told = game.telling
    game.asked.add(game.told)


def _decision(bot: ConnectedBot, game: BotSeat) -> pb.Decision:
    ledger, hello = game.match.ledger, bot.hello
    state = ledger.state
    assert state is not None
    decision = pb.Decision(
        match_id=game.match.match_id, seat=game.seat + 1, revision=ledger.revision, legal=states.legal(state)
    )
    if not hello.without_state:
        decision.state.CopyFrom(states.state(state))
    if ledger.setup.timing.has_clock:
        decision.left = round(1000 * game.match.timekeeper.left(game.seat))
    if hello.position:
        decision.position = ledger.game.position
    return decision

"""A connected bot: its seats, and the messages that wait to be sent to it."""

import asyncio
import math
import socket
import struct
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any, Final, final
from urllib.parse import unquote

from vinci.v1 import bot_pb2 as pb
from vinci_codec import states
from vinci_rules.engine import ranks
from vinci_rules.state import Seat

from ...blocklist import tcp_sockets
from ...errors import ServiceError
from ...limits import host_of
from ...match.audience.watchers import Detail, Revision
from ...match.match import Match
from ...match.time.timekeeper import RoundTrip
from ..admission import Payer

SLACK_SECONDS: Final = 0.02
"""Longest time that a bot may need for a pong beside the round trip of its connection."""
_MIN_RTT: Final = 148
"""Offset of `tcpi_min_rtt`, in microseconds, in Linux's `struct tcp_info`."""


@final
class Line:
    """A connection by the address of its other end, as gRPC writes it."""

    def __init__(self, address: str) -> None:
        host, _, port = unquote(address.partition(":")[2]).rpartition(":")
        self._end: Final = (_plain(host.strip("[]")), port)
        self._descriptor: int | None = None

    async def longest(self) -> float:
        """Return the longest credible time of a pong in seconds; infinite where the system does not tell."""
        if self._descriptor is None:
            self._descriptor = await asyncio.to_thread(self._find)
        return self._measured(self._descriptor) or math.inf

    def _find(self) -> int:
        """Return the descriptor of the connection in this process, which gRPC does not tell; -1 if there is none."""
        return next((descriptor for descriptor, own in tcp_sockets() if self._credible(own)), -1)

    def _measured(self, descriptor: int) -> float:
        """Return the longest credible time if a descriptor is that of the connection, else 0."""
        return next((self._credible(own) for _descriptor, own in tcp_sockets((descriptor,))), 0.0)

    def _credible(self, own: socket.socket) -> float:
        """Return the longest credible time if a socket is that of the connection, else 0."""
        with suppress(OSError, struct.error):  # it was closed, or the system is too old
            end: Any = own.getpeername()
            if (_plain(end[0]), str(end[1])) == self._end:
                microseconds: int
                info = own.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
                (microseconds,) = struct.unpack_from("I", info, _MIN_RTT)
                return microseconds / 1e6 + SLACK_SECONDS
        return 0.0


def _plain(host: str) -> str:
    """Return an address in the form that all kinds of sockets share."""
    with suppress(ValueError):
        ip = ip_address(host)
        return str(getattr(ip, "ipv4_mapped", None) or ip)
    return host


MOST_UNDER_WAY: Final = 64
"""Answers of one bot that are played at the same time; more wait."""
MOST_UNREAD: Final = 1000
"""Messages that a bot may leave unread before its stream is ended."""
MOST_GAMES: Final = 1000
"""Games that one bot plays at the same time, whatever it asks for."""


@final
class ConnectedBot:
    """A connected bot: its hello, its games, and the messages that are to be sent to it."""

    def __init__(self, hello: pb.Hello, name: str, payer: Payer, address: str, *, has_key: bool = False) -> None:
        self.hello: Final = hello
        self.name: Final = name
        self.host: Final = host_of(address)
        self.has_key: Final = has_key
        """Whether it has shown the key of its name."""
        self.payer: Final = payer
        self.capacity = 0 if hello.seat_tokens else min(max(hello.games, 1), MOST_GAMES)
        """Games that it is given by its name at the same time."""
        self.is_leaving = False
        self.games: Final[dict[tuple[str, Seat], BotSeat]] = {}
        self.own = 0
        """Number of its games that it plays with a seat token."""
        self.outgoing: Final[asyncio.Queue[pb.PlayResponse | ServiceError | None]] = asyncio.Queue()
        self.under_way: Final = asyncio.Semaphore(MOST_UNDER_WAY)
        self.round_trip: Final = RoundTrip()
        self._line: Final = Line(address)
        self.is_connected = False
        self.in_vain = 0
        """Number of answers that were refused since the last one that was played."""
        self.last_refusal: ServiceError | None = None
        self.told = ""
        """The last notice that it was sent; empty if there is none now."""
        self.unsettled: Final = dict.fromkeys((seat.match_id, seat.seat) for seat in hello.playing[:MOST_GAMES])
        """Seats that it had before and has not been notified of, by match and number."""
        self.missed: Final[set[tuple[str, int]]] = set()
        """Those of them that it may never have heard of."""

    async def pong(self, stamp: int) -> None:
        """Take the answer to a ping. One that comes later than the connection explains counts as if it had not."""
        seconds = self.round_trip.answered(stamp)
        if SLACK_SECONDS < seconds < math.inf:
            begin = time.perf_counter()
            seconds = min(seconds, await self._line.longest())
            self.payer.charge(time.perf_counter() - begin)
        self.round_trip.took(seconds)

    def end(self, error: ServiceError) -> None:
        """End the stream with an error in place of all messages that wait."""
        while not self.outgoing.empty():
            self.outgoing.get_nowait()
        self.outgoing.put_nowait(error)

    def check_reads(self) -> None:
        """Raises ServiceError if the bot leaves too many messages unread."""
        if self.outgoing.qsize() > MOST_UNREAD:
            raise ServiceError("SLOW_WATCHER", "BOT", most=MOST_UNREAD)

    @property
    def is_done(self) -> bool:
        """Whether it wants no more games, has none left, and was notified of all that it had before."""
        return self.is_leaving and not self.games and not self.unsettled

    def end_if_done(self) -> None:
        """End the stream once its messages are sent, if the bot is done."""
        if self.is_done:
            self.outgoing.put_nowait(None)

    def takes(self, wanted: str, match_id: str, seat: Seat) -> bool:
        """Whether a seat that asks for this name may be given to the bot; one that it had before needs no room."""
        had = (match_id, seat + 1) in self.unsettled and not self.hello.seat_tokens
        return wanted in ("", self.name) and (had or self.has_room())

    def has_room(self) -> bool:
        """Whether it can be given another game; seats that it had before keep their room until they are settled."""
        given = len(self.games) - self.own + len(self.unsettled)
        return given < self.capacity


@dataclass(frozen=True, slots=True)
class AbsentBot:
    """The bot that had a seat last, which is kept for it until `timer` rings."""

    name: str
    host: str
    timer: asyncio.TimerHandle

    def is_back(self, bot: ConnectedBot) -> bool:
        """Whether a bot is this one: by its name, and by the key of the name or the host."""
        return bot.name == self.name and (bot.has_key or bot.host == self.host)


@dataclass(slots=True)
class BotSeat:
    """A seat that a bot plays as `bot` or `substitute`; with the seat token, empty if it was given the seat by name.

    `sent` is the revision of the last decision sent, `sending` that of the next; `asked` has all of this stream.
    """

    bot: ConnectedBot
    match: Match
    seat: Seat
    by: str
    token: str = ""
    sent: int = -1
    sending: int = -1
    asked: set[int] = field(default_factory=set)

    @property
    def is_replaced(self) -> bool:
        """Whether a substitute plays in place of a bot that has the seat token."""
        return self.match.ledger.substituted[self.seat] and bool(self.token)

    def is_late(self, answer: pb.Answer) -> bool:
        """Whether an answer is to an earlier decision; older clients leave out revision 0, which counts once."""
        if answer.HasField("revision"):
            return answer.revision in self.asked
        was_asked = 0 in self.asked
        self.asked.discard(0)
        return was_asked

    def forget_decision(self) -> None:
        """Let the present decision be sent again."""
        self.sent = self.sending = -1

    def send_decision(self, updates: Sequence[Revision] = ()) -> None:
        """Send the bot the decision that it is to make."""
        ledger, hello = self.match.ledger, self.bot.hello
        state = ledger.state
        assert state is not None
        response = pb.PlayResponse()
        decision = response.decision
        decision.match_id, decision.seat, decision.revision = self.match.match_id, self.seat + 1, ledger.revision
        states.write_legal(state, decision.legal)
        if not hello.without_state:
            decision.state.CopyFrom(states.state(state))
        if ledger.setup.timing.has_clock:
            decision.left = self.match.timekeeper.left_ms(self.seat)
        if hello.position:
            decision.position = ledger.game.position
        if updates:
            decision.updates.extend([played.message(Detail()) for played in updates])
        self.bot.outgoing.put_nowait(response)
        self.sent = self.sending
        self.asked.add(self.sent)

    def send_finished(self) -> None:
        """Send the bot the end of the match."""
        ledger = self.match.ledger
        state = ledger.state
        finished = pb.Finished(match_id=self.match.match_id, seat=self.seat + 1, ended=ledger.ended)
        if state is not None:
            finished.vp.extend(state.vp)
            finished.ranks.extend(ranks(state) if state.phase == "over" else ())
        self.bot.outgoing.put_nowait(pb.PlayResponse(finished=finished))

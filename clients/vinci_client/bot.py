"""The connection of a bot: one stream for many games, opened again when it breaks.

Example:
    >>> async def first(decision: pb.Decision) -> list[Action]:
    ...     return [Action(notation="take 1" if decision.legal.take else "hold")]
    >>> await play("localhost", pb.Hello(name="first"), first, games=1)
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, final

import grpc

from vinci.v1 import bot_pb2 as pb
from vinci.v1.bot_pb2_grpc import BotServiceStub
from vinci.v1.game_pb2 import Action

from .access import OPEN, Access, explained, open_channel
from .address import with_port
from .errors import ServerGone, ServerRefused, backoff, from_rpc, retry_after
from .incoming import clean, read_ahead
from .refusals import told

TOKENS_AT_ONCE: Final = 64
"""Most seat tokens that a server takes in one message."""
STORE_SECONDS: Final = 1.0
"""Seconds before an answer that the server could not store is sent again."""

NOT_ASKED: Final = ("STALE_REVISION", "NOT_YOUR_SEAT", "PAUSED", "SUBSTITUTED", "MATCH_ENDED", "GAME_OVER")
"""Refusals after which the decision is void; the server asks again when the bot is to act."""

Choose: TypeAlias = Callable[[pb.Decision], Awaitable[list[Action] | tuple[list[Action], pb.Note]]]
"""Returns the actions for a decision, perhaps with a note. It is cancelled when the decision is void."""

Hear: TypeAlias = Callable[[pb.PlayResponse], Awaitable[None]]
"""Takes a message of the server; the next one waits for it."""

_Write: TypeAlias = Callable[[pb.PlayRequest], Awaitable[None]]
_Place: TypeAlias = tuple[str, int]
"""A match and the number of a seat."""

Tell: TypeAlias = Callable[[pb.Refused], str]
"""Returns why an answer was refused, in words."""


async def _nothing(_response: pb.PlayResponse) -> None:
    """Ignore a message."""


@final
class Control:
    """Requests of a bot to its server while `play` runs, for use in the same event loop."""

    def __init__(self) -> None:
        self.games: int | None = None
        """The number of games to play at once, None unless it was changed; 0 ends when the games are over."""
        self._tokens: Final[list[str]] = []
        self._write: _Write | None = None

    async def take_seats(self, tokens: Sequence[str]) -> None:
        """Also play further seats, until their games are over; they are kept over a lost connection.

        Args:
            tokens: the tokens of the seats.
        """
        self._tokens.extend(tokens)
        for start in range(0, len(tokens), TOKENS_AT_ONCE):
            await self._send(pb.PlayRequest(take_seats=pb.TakeSeats(tokens=tokens[start : start + TOKENS_AT_ONCE])))

    async def set_games(self, games: int) -> None:
        """Change the number of games to play at once.

        Args:
            games: the number; with 0, `play` returns when its games are over.
        """
        self.games = games
        await self._send(pb.PlayRequest(set_games=pb.SetGames(games=games)))

    async def _send(self, request: pb.PlayRequest) -> None:
        if self._write is not None:
            await self._write(request)

    async def connected(self, write: "_Write") -> None:
        """Repeat the requests over a new connection; each token by itself, since some may be invalid now."""
        self._write = write
        for token in self._tokens:
            await self._send(pb.PlayRequest(take_seats=pb.TakeSeats(tokens=[token])))
        if self.games is not None:
            await self._send(pb.PlayRequest(set_games=pb.SetGames(games=self.games)))

    def disconnected(self) -> None:
        """Send nothing until the connection is back."""
        self._write = None

    def has_token_of(self, match_id: str) -> bool:
        """Return whether a seat of a match is played by a token."""
        return any(token.partition(".")[0] == match_id for token in self._tokens)

    def finished(self, match_id: str) -> None:
        """Forget the tokens of a match that is over."""
        self._tokens[:] = [token for token in self._tokens if token.partition(".")[0] != match_id]


async def play(
    address: str,
    hello: pb.Hello,
    choose: Choose,
    *,
    access: Access = OPEN,
    games: int | None = None,
    patience: float | None = None,
    on_event: Callable[[str], None] = lambda _text: None,
    on_message: Hear = _nothing,
    control: Control | None = None,
    refusal: Tell = lambda refused: told(refused.refusal),
) -> int:
    """Play seats at a server until enough games are over. Decisions of different games are chosen concurrently.

    Args:
        address: host, or host and port.
        hello: the bot: its name, key, seat tokens and number of games at once.
        choose: returns the actions for a decision.
        access: code, password and certificates that the server asks for.
        games: games to finish; None plays for ever.
        patience: seconds for which a lost connection is retried; None for ever.
        on_event: called with a sentence for each event.
        on_message: called with every message but pings before it is acted upon, also about games that ended while the
            connection was lost.
        control: takes further seats, or changes the number of games, while this runs.
        refusal: returns why an answer was refused, for `on_event`.

    Returns:
        The number of games that are over.

    Raises:
        ServerRefused: the server does not accept the bot.
        ServerGone: the connection was lost for longer than `patience`.
        Exception: whatever `choose` and `on_message` raise.
    """
    address = with_port(address)
    player = _Player(access, hello, choose, games, on_event, on_message, control or Control(), refusal)
    attempt, gone_at = 0, time.monotonic()
    async with AsyncExitStack() as stack:
        channel: grpc.aio.Channel | None = None
        while not player.done:
            player.heard = False
            try:
                if channel is None:
                    channel = await stack.enter_async_context(await open_channel(address, access))
                await player.connect(channel)
                failure: ServerGone | ServerRefused | None = None
            except (grpc.aio.AioRpcError, ServerGone) as error:
                failure = error if isinstance(error, ServerGone) else from_rpc(error, address)
            if player.done:
                break
            if player.heard:
                attempt, gone_at = 0, time.monotonic()
            wait: float | None = 0.0
            if failure is not None:
                if isinstance(failure, ServerGone) and not player.connected and attempt == 0:
                    failure = await explained(failure, address, access)
                wait = 0.0 if isinstance(failure, ServerGone) else retry_after(failure)
                if wait is None or (patience is not None and time.monotonic() - gone_at >= patience):
                    raise failure from None
                if attempt == 0:
                    text = str(failure)
                    on_event(f"{text}{'' if text.endswith(('.', '?')) else '.'} Trying again.")
            await asyncio.sleep((wait or 0) + backoff(attempt))
            attempt += 1
    return player.played


@final
@dataclass(slots=True)
class _Player:
    """The state of a bot over all its connections: its seats and pending decisions.

    `_seats` holds the seats that it plays, by match and number, each with the last decision asked for; `_lost` those
    that it had when the connection broke, until the server tells their fate. Any message sets `heard`, the first one
    `connected`. All games are over and no more are wanted when `_left` is set.
    """

    _access: Access
    _hello: pb.Hello
    _choose: Choose
    _games: int | None
    _on_event: Callable[[str], None]
    _on_message: Hear
    _control: Control
    _refusal: Tell
    played: int = 0
    connected: bool = False
    heard: bool = False
    _left: bool = False
    _seats: dict[_Place, pb.Decision | None] = field(default_factory=dict)
    _lost: dict[_Place, None] = field(default_factory=dict)
    _thinking: dict[_Place, asyncio.Task[None]] = field(default_factory=dict)

    @property
    def done(self) -> bool:
        """Whether enough games are over."""
        return self._left or (self._games is not None and self.played >= self._games)

    async def connect(self, channel: grpc.aio.Channel) -> None:
        """Play over one stream until it ends or all is done. Raises what ends the stream, or what `choose` raises."""
        if not self._hello.seat_tokens:  # with a token the server tells the end again
            self._lost.update(dict.fromkeys(place for place in self._seats if not self._control.has_token_of(place[0])))
        self._left = self.connected and self._control.games == 0 and not (self._seats or self._lost)
        if self.done:
            return
        call: Any = BotServiceStub(channel).Play(metadata=self._access.metadata())
        write = _writer(call)
        try:
            async with asyncio.TaskGroup() as thinking:
                await write(pb.PlayRequest(hello=self._greeting()))
                await self._control.connected(write)
                async for response in read_ahead(_without_pings(call, write)):
                    self.connected = self.heard = True
                    await self._hear(response, write, thinking)
                    if self.done:
                        break
                else:
                    self._left = self._control.games == 0
                for task in self._thinking.values():
                    task.cancel()
        except BaseExceptionGroup as failures:  # the first one is why the others ended
            raise failures.exceptions[0] from None
        finally:
            self._control.disconnected()
            call.cancel()
            self._thinking.clear()

    def _greeting(self) -> pb.Hello:
        """Return the hello of a connection, with the number of games that is wanted now."""
        hello = pb.Hello()
        hello.CopyFrom(self._hello)
        if self._control.games is not None:
            hello.games = self._control.games or max(len(self._lost), 1)
        hello.playing.extend(pb.PlayedSeat(match_id=match_id, seat=seat) for match_id, seat in self._lost)
        return hello

    async def _hear(self, response: pb.PlayResponse, write: _Write, thinking: asyncio.TaskGroup) -> None:
        kind = response.WhichOneof("kind")
        if kind != "decision":  # which is never shown, and its time is the bot's
            clean(response)
        if kind == "finished":
            self._stop_thinking((response.finished.match_id, response.finished.seat))
        await self._on_message(response)
        match kind:
            case "welcome":
                self._seats.clear()  # what is not given again is another bot's
                self._on_event(f"connected to a server of version {response.welcome.version}")
                if response.welcome.notice:
                    self._on_event(response.welcome.notice)
                elif not self._hello.seat_tokens and response.welcome.HasField("wanted"):
                    self._tell_wanted(list(response.welcome.wanted.names))
            case "seated":
                self._seats[response.seated.match.match_id, response.seated.seat] = None
                self._lost.pop((response.seated.match.match_id, response.seated.seat), None)
                self._on_event(f"seat {response.seated.seat} of match {response.seated.match.match_id}")
            case "decision":
                decision = response.decision
                self._seats[decision.match_id, decision.seat] = decision
                self._think(decision, write, thinking)
            case "refused":
                refused = response.refused
                refusal = refused.refusal
                if refusal.reason in NOT_ASKED:
                    return
                self._on_event(f"refused: {self._refusal(refused)}")
                last = self._seats.get((refused.match_id, refused.seat))
                if last and last.revision == refused.revision and not refused.played and refused.tries_left:
                    self._think(last, write, thinking, STORE_SECONDS if refusal.reason == "STORE_FAILED" else 0.0)
            case "request_refused":
                lost = response.request_refused
                self._on_event(f"refused: {told(lost.refusal)}")
                self._stop_thinking((lost.match_id, lost.seat))
                self._seats.pop((lost.match_id, lost.seat), None)
                self._lost.pop((lost.match_id, lost.seat), None)
            case "notice":
                self._on_event(response.notice.text)
            case "finished":
                finished = response.finished
                self._control.finished(finished.match_id)
                self._seats.pop((finished.match_id, finished.seat), None)
                if (finished.match_id, finished.seat) in self._lost:
                    del self._lost[finished.match_id, finished.seat]
                    self._on_event(f"match {finished.match_id} is over; it ended while the connection was lost")
                else:
                    self._on_event(_end(finished))
                self.played += 1

    def _tell_wanted(self, names: list[str]) -> None:
        """Report that no match asks for this bot, since it would wait silently."""
        if self._hello.name not in names and "" not in names:
            demand = f"matches ask for: {', '.join(names)}" if names else "no match has a free bot seat"
            self._on_event(f"no match asks for {self._hello.name!r} now; {demand}. It waits for one.")

    def _think(self, decision: pb.Decision, write: _Write, thinking: asyncio.TaskGroup, wait: float = 0.0) -> None:
        """Answer a decision after `wait` seconds, in place of an earlier one for the same seat."""
        place = (decision.match_id, decision.seat)

        async def answer() -> None:
            await asyncio.sleep(wait)
            chosen = await self._choose(decision)
            actions, note = chosen if isinstance(chosen, tuple) else (chosen, None)
            self._thinking.pop(place, None)  # cancelling a write would break the stream, so it can no longer be stopped
            given = pb.Answer(
                match_id=decision.match_id, seat=decision.seat, revision=decision.revision, actions=actions, note=note
            )
            await write(pb.PlayRequest(answer=given))

        self._stop_thinking(place)
        self._thinking[place] = thinking.create_task(answer())

    def _stop_thinking(self, place: _Place) -> None:
        if place in self._thinking:
            self._thinking.pop(place).cancel()


def _end(finished: pb.Finished) -> str:
    """Describe the end of a game; one that was ended before it was over has no ranks."""
    if not finished.ranks:
        return f"match {finished.match_id} was ended: {finished.ended}"
    rank = finished.ranks[finished.seat - 1]
    return f"match {finished.match_id} is over: rank {rank} of {len(finished.ranks)}"


def _writer(call: Any) -> _Write:
    """Return a function that writes to a stream one message at a time, since several tasks write."""
    line = asyncio.Lock()

    async def write(request: pb.PlayRequest) -> None:
        async with line:
            with contextlib.suppress(asyncio.InvalidStateError):  # the stream has ended; reading on tells why
                await call.write(request)

    return write


async def _without_pings(call: Any, write: _Write) -> AsyncIterator[pb.PlayResponse]:
    """Yield the messages of the server; pings are answered here, also while the bot thinks."""
    async for response in call:
        if response.HasField("ping"):
            await write(pb.PlayRequest(pong=pb.Pong(stamp=response.ping.stamp)))
        else:
            yield response

"""Bots: who is connected, who plays which seat, and whom to tell that it is to act."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, final

import structlog

from vinci.v1 import bot_pb2 as pb
from vinci_codec import states
from vinci_rules.engine import ranks
from vinci_rules.state import Seat

from ..errors import ServiceError
from ..lobby import Lobby
from ..match.ledger import Ledger
from ..match.match import Match, MatchObserver
from ..match.messages import match_message
from ..match.parsing import parse_actions
from ..match.planning import check_revision
from ..match.seats import tokens
from ..match.slices import listed
from ..match.time.timekeeper import RETRY_SECONDS, RoundTrip
from ..match.watchers import Detail, Revision
from ..metrics import Metrics
from .gate import Payer

MOST_UNDER_WAY: Final = 64
"""Answers of one bot that are played at the same time; more wait."""
MOST_UNREAD: Final = 1000
"""Messages that a bot may leave unread before its stream is ended."""
MOST_GAMES: Final = 1000
"""Games that one bot plays at the same time, whatever it asks for."""
REFUSING_SECONDS: Final = 0.0001
"""CPU time of an answer that is refused, about. Those that are played are free."""
MOST_TOKENS: Final = 64
"""Seat tokens of one bot."""
LONGEST_MATCH_ID: Final = 64
MOST_WANTED: Final = 100
"""Names of wanted bots that a bot is told when it comes."""
NO_FAULT: Final = frozenset(
    {"STALE_REVISION", "STORE_FAILED", "PAUSED", "SUBSTITUTED", "NOT_SUBSTITUTED", "MATCH_ENDED"}
)
"""Refusals that cost no try."""

_log = structlog.get_logger()


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
        """Those of its games that it plays with a seat token."""
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


@final
class BotDesk(MatchObserver):
    """Gives free bot seats to connected bots and tells each when it is to act.

    Matches with bot seats that nobody has are `_waiting`, each with the names that it asks for: only these are looked
    at when a bot has room for a game, and woken only for one that fits.
    """

    def __init__(self, lobby: Lobby, metrics: Metrics) -> None:
        self._lobby: Final = lobby
        self._metrics: Final = metrics
        self._bots: Final[list[ConnectedBot]] = []
        self._seated: Final[dict[tuple[str, Seat], ConnectedBot]] = {}
        self._waiting: Final[dict[str, tuple[Match, set[str]]]] = {}
        self._spoilt: Final[dict[str, dict[tuple[Seat, str], tuple[int, int]]]] = {}
        """By match, then seat and role: the revision answered wrongly and the tries left, even when the bot is gone."""
        self._tasks: Final[set[asyncio.Task[Any]]] = set()
        lobby.listener = self

    @property
    def connected(self) -> Sequence[ConnectedBot]:
        """The bots that are connected."""
        return self._bots

    def wanted(self) -> list[str]:
        """The names that free bot seats ask for, at most MOST_WANTED, sorted; an empty one for any bot."""
        names = set[str]()
        for _match, asked in self._waiting.values():
            names |= asked
        return sorted(names)[:MOST_WANTED]

    async def arrive(self, bot: ConnectedBot) -> None:
        """A bot is connected. Raises ServiceError if a seat token of its is wrong."""
        await self._take(bot, set(bot.hello.seat_tokens))
        self._bots.append(bot)
        bot.is_connected = True
        _log.info("bot connected", bot=bot.name, games=bot.capacity)
        bot.outgoing.put_nowait(pb.PlayResponse(ping=bot.way.ping()))
        self._spawn(bot.payer.pay(self._welcome_back(bot)))

    async def _welcome_back(self, bot: ConnectedBot) -> None:
        """Give a bot that has arrived its seats, and tell it what has become of others that it had before."""
        await self._offer([bot], bot.payer.credit)
        lost = list(bot.unsettled)
        for match_id, seat in lost:
            await bot.payer.credit()
            try:
                match = await self._lobby.get(match_id[:LONGEST_MATCH_ID])
                error: ServiceError | None = ServiceError("NOT_YOUR_SEAT", "LATER")
                if seat - 1 not in match.ledger.seats():
                    error = ServiceError("BAD_SEAT", "NONE", seat=seat, seats=len(match.ledger.sitters))
                elif match.is_finished:
                    error = None
            except ServiceError as refused:
                error = refused
            if not bot.is_connected:
                return
            if (match_id, seat) not in bot.unsettled:  # it was given to the bot meanwhile
                continue
            del bot.unsettled[match_id, seat]
            if error is None:
                bot.outgoing.put_nowait(_finished(match, Seat(seat - 1)))
            else:
                self._refuse_request(bot, error, (match_id[:LONGEST_MATCH_ID], seat))
            self._end_if_done(bot)
            await asyncio.sleep(0)
        if lost and bot.is_connected:
            await self._offer([bot], bot.payer.credit)

    async def _take(self, bot: ConnectedBot, given: set[str]) -> None:
        """Seat a bot at the seats of these tokens. Raises ServiceError, and seats it nowhere, if one is wrong."""
        if len(given) > MOST_TOKENS:
            raise ServiceError("BAD_TOKEN", "TOO_MANY", number=len(given), most=MOST_TOKENS)
        wanted = []
        for token in given:
            match = await self._lobby.get(tokens.match_of(token))
            seat = match.ledger.seat_of(token)
            wanted.append((match, seat, token))
        for match, seat, _token in wanted:
            if self._seated.get((match.match_id, seat)) is bot:
                raise ServiceError("SEAT_TAKEN", "OWN", seat=seat + 1, match=match.match_id)
        for match, seat, token in wanted:
            earlier = self._seated.get((match.match_id, seat))
            if earlier is not None:  # perhaps cut off without our knowing: who comes last plays
                error = ServiceError("SEAT_TAKEN", "STREAM", seat=seat + 1)
                self._lose(earlier, earlier.games[match.match_id, seat], error)
            self._seat(bot, match, seat, token)
        for match in {match for match, _seat, _token in wanted}:
            self.on_turn(match)

    def _lose(self, bot: ConnectedBot, game: BotSeat, error: ServiceError) -> None:
        """Take away a seat whose token a bot had: its stream ends if it came with it, else it is told."""
        self._free(bot, game)
        if game.token in bot.hello.seat_tokens:
            bot.end(error)
        elif game.token:
            self._refuse_request(bot, error, (game.match.match_id, game.seat + 1))
            self._end_if_done(bot)

    async def take_seats(self, bot: ConnectedBot, given: Sequence[str]) -> None:
        """Seat a connected bot at further seats; what is wrong is sent to it. Raises ServiceError as `answer` does."""
        self._check_reads(bot)
        try:
            if not given:
                raise ServiceError("BAD_TOKEN", "NONE")
            await bot.payer.pay(self._take(bot, set(given)))
        except ServiceError as error:
            self._refuse_request(bot, error)

    def set_games(self, bot: ConnectedBot, games: int) -> None:
        """Let a bot play so many games at once from now on; with 0 its stream ends after those that it plays."""
        bot.capacity, bot.is_leaving = min(games, MOST_GAMES), games == 0
        self._end_if_done(bot)
        if bot.is_connected:
            self._spawn(bot.payer.pay(self._offer([bot], bot.payer.credit)))

    def _refuse_request(self, bot: ConnectedBot, error: ServiceError, lost: tuple[str, int] = ("", 0)) -> None:
        self._metrics.refused(error.reason)
        refused = pb.RequestRefused(refusal=error.refusal(), match_id=lost[0], seat=lost[1])
        bot.outgoing.put_nowait(pb.PlayResponse(request_refused=refused))

    def _end_if_done(self, bot: ConnectedBot) -> None:
        if bot.is_done:
            bot.outgoing.put_nowait(None)

    def depart(self, bot: ConnectedBot) -> None:
        """A bot is gone; its seats are free for another of the same name."""
        if bot in self._bots:
            self._bots.remove(bot)
            bot.is_connected = False
            _log.info("bot disconnected", bot=bot.name)
        games = list(bot.games.values())
        for game in games:
            self._free(bot, game)
        if games:
            self._spawn(self._go_on([game.match for game in games]))

    async def _go_on(self, matches: Sequence[Match]) -> None:
        """Let matches go on whose bot is gone; others are served after each."""
        for match in matches:
            with suppress(ServiceError):  # it cannot be read, which is logged
                await match.wake()
                if not match.closing:
                    self.on_seats(match)
                    match.go_on()
            await asyncio.sleep(0)

    def _spawn(self, work: Coroutine[Any, Any, object]) -> None:
        """Begin something that ends with the desk at the latest."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, ServiceError):
            _log.error("internal error", exc_info=error)

    def close(self) -> None:
        """End the streams of all bots: the server stops."""
        for task in self._tasks:
            task.cancel()
        for bot in self._bots:
            bot.outgoing.put_nowait(ServiceError("SHUTTING_DOWN"))

    def on_turn(self, match: Match) -> None:
        """Tell whose move it is, or that the match is over."""
        if match.is_finished:
            self._finish(match)
        else:
            self._tell(match)

    def on_seats(self, match: Match) -> None:
        """Give seats to bots, and take them away, as the match wants it now."""
        if match.is_finished:
            return
        freed = self._clear(match)
        self._fill(match, self._bots)
        for seat in match.ledger.seats():
            bot = self._seated.get((match.match_id, seat))
            if bot is not None and (match.ledger.paused or _is_replaced(bot, match, seat)):
                game = bot.games[match.match_id, seat]
                game.told = game.telling = -1  # what it answers now is refused: tell it again afterwards
        self._tell(match)
        if freed:
            self._spawn(self._offer(freed))

    def _tell(self, match: Match) -> None:
        """Send the decision to the bot whose move it is, unless it was sent already."""
        ledger = match.ledger
        seat = ledger.to_act()
        if seat is None:
            return
        bot = self._seated.get((match.match_id, seat))
        if bot is not None and not _is_replaced(bot, match, seat):
            game = bot.games[match.match_id, seat]
            if ledger.revision in (game.told, game.telling):
                return
            game.telling = ledger.revision
            if bot.hello.updates:
                self._spawn(bot.payer.pay(self._tell_updates(bot, game, ledger)))
            else:
                _send(bot, game)

    async def _tell_updates(self, bot: ConnectedBot, game: BotSeat, ledger: Ledger) -> None:
        """Send the decision with what happened since the last one, unless the match has gone on meanwhile."""
        revision = game.telling
        missed: list[Revision] = []
        with suppress(ServiceError):  # played by other rules: the state tells what it has come to
            missed = await listed(ledger.history(game.told + 1, revision), bot.payer.credit)
        is_playing = bot.games.get((game.match.match_id, game.seat)) is game
        if is_playing and game.telling == revision == game.match.revision:
            _send(bot, game, missed)

    def resume(self) -> None:
        """Seat bots again after draining."""
        self._spawn(self._offer(self._bots))

    async def _offer(self, bots: Sequence[ConnectedBot], credit: Callable[[], Awaitable[None]] | None = None) -> None:
        """Give bots that have room for games what matches wait for; others are served after each match."""
        for match, names in list(self._waiting.values()):
            willing = [bot for bot in bots if bot.is_connected and (bot.has_room() or bot.unsettled)]
            if not willing:
                return
            if not any(name in ("", bot.name) for bot in willing for name in names):
                continue
            if credit is not None:
                await credit()
            with suppress(ServiceError):  # it cannot be read, which is logged
                await match.wake()
                willing = [bot for bot in willing if bot.is_connected]
                if match.match_id in self._waiting and self._fill(match, willing):
                    self._tell(match)
            await asyncio.sleep(0)

    def _finish(self, match: Match) -> None:
        """Tell the bots of a match that it is over, and give them what other matches wait for."""
        self._waiting.pop(match.match_id, None)
        self._spoilt.pop(match.match_id, None)
        bots = [(seat, bot) for seat in match.ledger.seats() if (bot := self._seated.get((match.match_id, seat)))]
        for seat, bot in bots:
            self._free(bot, bot.games[match.match_id, seat])
            bot.outgoing.put_nowait(_finished(match, seat))
            self._end_if_done(bot)
        if bots:
            self._spawn(self._offer(list(dict.fromkeys(bot for _, bot in bots))))

    async def answer(self, bot: ConnectedBot, answer: pb.Answer) -> None:
        """Take a bot's answer; what becomes of it is sent to it. Waits while the bot has many answers under way.

        Raises ServiceError if the bot does not read what it is sent.
        """
        self._check_reads(bot)
        if len(answer.match_id) > LONGEST_MATCH_ID:
            answer.match_id = ""
        await bot.under_way.acquire()
        game = bot.games.get((answer.match_id, Seat(answer.seat - 1)))
        if game is None:
            bot.under_way.release()
            self._refuse(bot, answer, ServiceError("NOT_YOUR_SEAT", "BOT"), 0)
            return
        task = game.match.spawn(self._answer(bot, game, answer))
        task.add_done_callback(lambda _: bot.under_way.release())

    def _check_reads(self, bot: ConnectedBot) -> None:
        if bot.outgoing.qsize() > MOST_UNREAD:
            raise ServiceError("SLOW_WATCHER", "BOT", most=MOST_UNREAD)

    async def _answer(self, bot: ConnectedBot, game: BotSeat, answer: pb.Answer) -> None:
        try:
            check_revision(game.match.ledger, answer.revision)
            actions = parse_actions(answer.actions, game.match)
            outcome = await game.match.act(game.seat, game.by, actions, expected_revision=answer.revision)
        except ServiceError as error:
            revision = answer.revision
            stands = error.reason == "STALE_REVISION" and game.told == game.match.revision
            is_stray = stands and not game.is_late(answer)
            if is_stray:  # no new decision is on its way, so the one that stands is sent again, or the bot would wait
                revision = game.told
            is_fault = is_stray or error.reason not in NO_FAULT
            tries_left = max(self._tries_left(game, revision) - is_fault, 0)
            if is_fault:
                self._spoilt.setdefault(answer.match_id, {})[game.seat, game.by] = revision, tries_left
            self._refuse(bot, answer, error, tries_left)
            if is_stray and tries_left:
                game.told = game.telling = -1
                self._tell(game.match)
            if is_fault and not tries_left:
                _log.warning(
                    "bot out of tries", bot=bot.name, match=answer.match_id, seat=answer.seat, revision=revision
                )
                self._spawn(self._go_on_without(game, revision))
            return
        if outcome.refused is not None:
            tries = game.match.ledger.setup.mistakes.tries
            self._refuse(bot, answer, outcome.refused, tries, len(outcome.played))

    def _tries_left(self, game: BotSeat, revision: int) -> int:
        spoilt, left = self._spoilt.get(game.match.match_id, {}).get((game.seat, game.by), (-1, 0))
        return left if spoilt == revision else game.match.ledger.setup.mistakes.tries

    def _refuse(
        self, bot: ConnectedBot, answer: pb.Answer, error: ServiceError, tries_left: int, played: int = 0
    ) -> None:
        bot.payer.charge(REFUSING_SECONDS)
        self._metrics.refused(error.reason)
        refused = pb.Refused(
            match_id=answer.match_id,
            seat=answer.seat,
            revision=answer.revision,
            tries_left=tries_left,
            played=played,
            refusal=error.refusal(),
        )
        bot.outgoing.put_nowait(pb.PlayResponse(refused=refused))

    async def _go_on_without(self, game: BotSeat, revision: int) -> None:
        while True:
            try:
                await game.match.out_of_tries(game.seat, game.by, revision)
                return
            except ServiceError as error:
                if error.reason != "STORE_FAILED":
                    return  # the match cannot be read, which is logged
            await asyncio.sleep(RETRY_SECONDS)

    def _clear(self, match: Match) -> list[ConnectedBot]:
        """Take seats away from bots that no longer fit what is to sit there; these bots."""
        freed = []
        for seat in match.ledger.seats():
            bot = self._seated.get((match.match_id, seat))
            if bot is None:
                continue
            game = bot.games[match.match_id, seat]
            if game.token:
                fits = tokens.fits(game.token, match.ledger.sitters[seat].token_hash)
            else:
                fits = match.ledger.wanted_bot(seat) in ("", bot.name) and game.by == _role(match, seat, "")
            if not fits:
                error = ServiceError("TOKEN_CHANGED", seat=seat + 1)
                self._lose(bot, game, error)
                freed.append(bot)
        return freed

    def _fill(self, match: Match, bots: list[ConnectedBot]) -> bool:
        """Give the bot seats that nobody has to some of these bots; whether any was given.

        A server that drains lets bots come back to games that run, and seats none at others.
        """
        given, left = False, set[str]()
        may_sit = match.ledger.state is not None or not self._lobby.draining
        for seat in match.ledger.seats():
            wanted = match.ledger.wanted_bot(seat)
            if wanted is None or (match.match_id, seat) in self._seated:
                continue
            willing = [bot for bot in bots if bot.takes(wanted, match.match_id, seat)] if may_sit else []
            if willing:
                self._seat(min(willing, key=lambda bot: len(bot.games)), match, seat)
                given = True
            else:
                left.add(wanted)
        if left:
            self._waiting[match.match_id] = match, left
        else:
            self._waiting.pop(match.match_id, None)
        return given

    def _seat(self, bot: ConnectedBot, match: Match, seat: Seat, token: str = "") -> None:
        bot.unsettled.pop((match.match_id, seat + 1), None)
        bot.games[match.match_id, seat] = BotSeat(match, seat, _role(match, seat, token), token)
        bot.own += bool(token)
        self._seated[match.match_id, seat] = bot
        match.seat_bot(seat, bot.name, bot.way, is_own=bool(token))
        bot.outgoing.put_nowait(pb.PlayResponse(seated=pb.Seated(match=match_message(match), seat=seat + 1)))

    def _free(self, bot: ConnectedBot, game: BotSeat) -> None:
        del bot.games[game.match.match_id, game.seat]
        bot.own -= bool(game.token)
        del self._seated[game.match.match_id, game.seat]
        game.match.unseat_bot(game.seat)


def _finished(match: Match, seat: Seat) -> pb.PlayResponse:
    """The end of a match, for the bot of a seat."""
    state = match.ledger.state
    finished = pb.Finished(match_id=match.match_id, seat=seat + 1, ended=match.ledger.ended)
    if state is not None:
        finished.vp.extend(state.vp)
        finished.ranks.extend(ranks(state) if state.phase == "over" else ())
    return pb.PlayResponse(finished=finished)


def _role(match: Match, seat: Seat, token: str) -> str:
    """As what a bot plays a seat: one with the seat token is nobody's substitute."""
    return "substitute" if match.ledger.substituted[seat] and not token else "bot"


def _is_replaced(bot: ConnectedBot, match: Match, seat: Seat) -> bool:
    """Whether a substitute plays in place of a bot that has the seat token."""
    return match.ledger.substituted[seat] and bool(bot.games[match.match_id, seat].token)


def _send(bot: ConnectedBot, game: BotSeat, updates: Sequence[Revision] = ()) -> None:
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
        decision.position = ledger.position
    return decision

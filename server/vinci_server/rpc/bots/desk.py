"""Seats connected bots, and sends them their decisions."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, ParamSpec, final

import structlog

from vinci.v1 import bot_pb2 as pb
from vinci_rules.state import Seat

from ...errors import ServiceError
from ...lobby import Lobby
from ...match.audience import presence
from ...match.audience.watchers import Revision
from ...match.command_queue import Tasks
from ...match.match import Match, MatchObserver
from ...match.seats import tokens
from ...match.slices import listed
from ...metrics import Metrics
from .answers import LONGEST_MATCH_ID, BotAnswers
from .connected_bot import MOST_GAMES, AbsentBot, BotSeat, ConnectedBot
from .notes import NoteFiles

MOST_TOKENS: Final = 64
"""Seat tokens of one bot."""
MOST_WANTED: Final = 100
"""Names of bots in one answer: wanted ones, for a bot that connects, and available ones, for players."""
KEPT_SECONDS: Final = 60.0
"""Seconds for which a seat is kept for the bot that was given it by name and has lost its connection."""
MISSED_SECONDS: Final = 600.0
"""Seconds for which a bot can still be told of a game that ended, before it played, while its connection was lost."""
P = ParamSpec("P")
_log = structlog.get_logger()


@final
class BotDesk(MatchObserver):
    """Gives free bot seats to connected bots and sends them decisions; `_waiting` are matches with free bot seats.

    `startable` are names of bots that are started beside the server when a seat asks for them. If it is `anonymous`, a
    bot is told no names but its own. `notes` keeps what bots note.
    """

    def __init__(
        self,
        lobby: Lobby,
        metrics: Metrics,
        startable: Sequence[str] = (),
        *,
        anonymous: bool = False,
        notes: NoteFiles | None = None,
    ) -> None:
        self._lobby: Final = lobby
        self._startable: Final = startable
        self._anonymous: Final = anonymous
        self._metrics: Final = metrics
        self._bots: Final[list[ConnectedBot]] = []
        self._seated: Final[dict[tuple[str, Seat], BotSeat]] = {}
        self._absent: Final[dict[tuple[str, Seat], AbsentBot]] = {}
        self._missed: Final[dict[tuple[str, Seat], AbsentBot]] = {}
        """Seats of matches that are over, whose bot has answered nothing and may not have got `seated`."""
        self._waiting: Final[dict[str, tuple[Match, set[str]]]] = {}
        self._tasks: Final = Tasks(_log_error)
        self.answers: Final = BotAnswers(metrics, self._tasks, self._send, notes or NoteFiles(None))
        self._notice: Callable[[str], str] = lambda _name: ""
        self._is_closed = False
        lobby.listener = self

    @property
    def connected(self) -> Sequence[ConnectedBot]:
        """The bots that are connected."""
        return self._bots

    def names(self) -> set[str]:
        """Return the names of the bots that are connected."""
        return {bot.name for bot in self._bots}

    def offered(self) -> Counter[str]:
        """Return how many games the connected bots of each name play at once, if any; for any thread."""
        offered: Counter[str] = Counter()
        for bot in list(self._bots):
            if bot.capacity:
                offered[bot.name] += bot.capacity
        return offered

    def wanted(self) -> list[str]:
        """Return the names that free bot seats ask for, at most MOST_WANTED, sorted; an empty one for any bot."""
        if self._anonymous:
            return []
        return sorted({name for _match, names in self._waiting.values() for name in names})[:MOST_WANTED]

    def available(self) -> list[str]:
        """Return names of bots that take seats: those that are started when asked for, then connected ones."""
        waiting = [] if self._anonymous else sorted(bot.name for bot in self._bots if bot.has_room())
        return list(dict.fromkeys([*self._startable, *waiting]))[:MOST_WANTED]

    def notice(self, bot: ConnectedBot) -> str:
        """Return what a bot that connects is told."""
        bot.told = self._notice(bot.name)
        return bot.told

    def tell_bots(self, notice: Callable[[str], str]) -> None:
        """Tell bots by their names what `notice` returns, when they connect, and now those that do not know it."""
        self._notice = notice
        for bot in self._bots:
            self._tell(bot)

    def _tell(self, bot: ConnectedBot) -> None:
        before = bot.told
        if self.notice(bot) not in ("", before):
            bot.outgoing.put_nowait(pb.PlayResponse(notice=pb.Notice(text=bot.told)))

    async def arrive(self, bot: ConnectedBot) -> None:
        """Add a connected bot. Raises ServiceError if one of its seat tokens is wrong, or the server stops."""
        await self._take(bot, set(bot.hello.seat_tokens))
        if self._is_closed:  # its hello was read after `close`, which ended the streams of the others
            raise ServiceError("SHUTTING_DOWN")
        self._bots.append(bot)
        bot.is_connected = True
        _log.info("bot connected", bot=bot.name, games=bot.capacity)
        bot.outgoing.put_nowait(pb.PlayResponse(ping=bot.round_trip.ping()))
        self._tell(bot)  # what has changed since the welcome
        for (match_id, seat), absent in self._missed.items() if bot.capacity else ():
            if absent.is_back(bot) and (match_id, seat + 1) not in bot.unsettled:
                bot.unsettled[match_id, seat + 1] = None
                bot.missed.add((match_id, seat + 1))
        self._tasks.spawn(_paid(bot, self._welcome_back, bot))

    async def _welcome_back(self, bot: ConnectedBot) -> None:
        """Give seats to a new bot, and notify it of those that it had before and does not get."""
        await self._offer([bot], bot.payer.credit)
        lost = list(bot.unsettled)
        for match_id, seat in lost:
            await bot.payer.credit()
            error: ServiceError | None = ServiceError("NOT_YOUR_SEAT", "LATER")
            try:
                match = await self._lobby.get(match_id[:LONGEST_MATCH_ID])
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
            is_missed = (match_id, seat) in bot.missed
            if error is None:
                if missed := self._missed.pop((match_id, Seat(seat - 1)), None):
                    missed.timer.cancel()
                if is_missed:
                    self._send_seated(bot, match, Seat(seat - 1))
                BotSeat(bot, match, Seat(seat - 1), "bot").send_finished()
            elif not is_missed:
                self._refuse_request(bot, error, (match_id[:LONGEST_MATCH_ID], seat))
            bot.end_if_done()
            await asyncio.sleep(0)
        if lost and bot.is_connected:  # seats that it does not get no longer take its room
            await self._offer([bot], bot.payer.credit)

    async def _take(self, bot: ConnectedBot, given: set[str]) -> None:
        """Seat a bot at the seats of these tokens. Raises ServiceError, and seats it nowhere, if one is wrong."""
        if len(given) > MOST_TOKENS:
            raise ServiceError("BAD_TOKEN", "TOO_MANY", number=len(given), most=MOST_TOKENS)
        wanted = []
        for token in given:
            match = await self._lobby.get(tokens.match_of(token))
            seat = self._lobby.seat_of(match, token)
            wanted.append((match, seat, token))
        for match, seat, _token in wanted:
            if (match.match_id, seat) in bot.games:
                raise ServiceError("SEAT_TAKEN", "OWN", seat=seat + 1, match=match.match_id)
        for match, seat, token in wanted:
            earlier = self._seated.get((match.match_id, seat))
            if earlier is not None:  # its connection may be dead without our knowing: the latest bot plays
                self._lose(earlier, ServiceError("SEAT_TAKEN", "STREAM", seat=seat + 1))
            self._seat(bot, match, seat, token)
        for match in {match for match, _seat, _token in wanted}:
            self.on_turn(match)

    def _lose(self, game: BotSeat, error: ServiceError) -> None:
        """Take a seat from its bot. Its stream ends if it came with the seat's token."""
        bot = game.bot
        self._free(game)
        if game.token in bot.hello.seat_tokens:
            bot.end(error)
        elif game.token:
            self._refuse_request(bot, error, (game.match.match_id, game.seat + 1))
            bot.end_if_done()

    async def take_seats(self, bot: ConnectedBot, given: Sequence[str]) -> None:
        """Seat a connected bot at further seats; refusals are sent to it. Raises ServiceError as `answer` does."""
        bot.check_reads()
        try:
            if not given:
                raise ServiceError("BAD_TOKEN", "NONE")
            await bot.payer.pay(self._take(bot, set(given)))
        except ServiceError as error:
            self._refuse_request(bot, error)

    def set_games(self, bot: ConnectedBot, games: int) -> None:
        """Set how many games a bot plays at once; with 0 its stream ends after those that it plays."""
        bot.capacity, bot.is_leaving = min(games, MOST_GAMES), games == 0
        bot.end_if_done()
        if bot.is_connected:
            self._tasks.spawn(_paid(bot, self._offer, [bot], bot.payer.credit))

    def _refuse_request(self, bot: ConnectedBot, error: ServiceError, lost: tuple[str, int] = ("", 0)) -> None:
        self._metrics.refused(error.reason)
        refused = pb.RequestRefused(refusal=error.refusal(), match_id=lost[0], seat=lost[1])
        bot.outgoing.put_nowait(pb.PlayResponse(request_refused=refused))

    def depart(self, bot: ConnectedBot, *, returns: bool = True) -> None:
        """Remove a bot; if it `returns`, the seats that it was given by name are kept for it."""
        if bot in self._bots:
            self._bots.remove(bot)
            bot.is_connected = False
            _log.info("bot disconnected", bot=bot.name)
        games = list(bot.games.values())
        for game in games:
            self._free(game)
            if returns and game.by == "bot" and not game.token and not game.match.closing:
                self._keep(game)
        if games:
            self._tasks.spawn(self._go_on([game.match for game in games]))

    def _keep(self, game: BotSeat) -> None:
        """Keep a seat for its bot, which has lost its connection."""
        key = game.match.match_id, game.seat
        timer = asyncio.get_running_loop().call_later(KEPT_SECONDS, self._give_up, game.match, game.seat)
        self._absent[key] = AbsentBot(game.bot.name, game.bot.host, timer)
        game.match.audience.kept |= {game.seat}

    def _give_up(self, match: Match, seat: Seat) -> None:
        """Let any bot have a seat whose bot did not come back."""
        self._release(match, seat)
        if not match.closing:
            self._tasks.spawn(self._go_on([match]))

    def _release(self, match: Match, seat: Seat) -> None:
        """Keep a seat no longer."""
        if absent := self._absent.pop((match.match_id, seat), None):
            absent.timer.cancel()
            match.audience.kept -= {seat}

    async def _go_on(self, matches: Sequence[Match]) -> None:
        """Continue matches whose bot is gone; others are served after each."""
        for match in matches:
            with suppress(ServiceError):  # it cannot be read, which is logged
                await match.wake()
                if not match.closing:
                    self.on_seats(match)
                    match.go_on()
            await asyncio.sleep(0)

    def dismiss(self, name: str, error: ServiceError) -> None:
        """End the streams of the bots that are given games by a name."""
        for bot in [bot for bot in self._bots if bot.name == name and bot.capacity]:
            self.depart(bot, returns=False)
            bot.end(error)

    def close(self) -> None:
        """End the streams of all bots; none arrives any more."""
        self._is_closed = True
        self._tasks.cancel()
        for absent in (*self._absent.values(), *self._missed.values()):
            absent.timer.cancel()
        for bot in self._bots:
            bot.outgoing.put_nowait(ServiceError("SHUTTING_DOWN"))

    def on_turn(self, match: Match) -> None:
        """Send the decision to the bot that is to act, or the end of the match to all of its bots."""
        if match.is_finished:
            self._finish(match)
        else:
            self._send(match)

    def on_seats(self, match: Match) -> None:
        """Give seats to bots, and take them away, as the match now requires."""
        if match.is_finished:
            return
        freed = self._clear(match)
        self._fill(match, self._bots)
        for game in self._games(match):
            if match.ledger.paused or game.is_replaced:
                game.forget_decision()  # an answer is refused now: the decision is sent again afterwards
        self._send(match)
        if freed:
            self._tasks.spawn(self._offer(freed))

    def _games(self, match: Match) -> list[BotSeat]:
        """Return the seats of a match that have a bot."""
        return [game for seat in match.ledger.seats() if (game := self._seated.get((match.match_id, seat)))]

    def _send(self, match: Match) -> None:
        """Send the decision to the bot that is to act, unless it was sent already."""
        ledger = match.ledger
        seat = ledger.to_act()
        game = None if seat is None else self._seated.get((match.match_id, seat))
        if game is None or game.is_replaced or ledger.revision in (game.sent, game.sending):
            return
        game.sending = ledger.revision
        if game.bot.hello.updates:
            missed = ledger.game.revisions(game.sent + 1, ledger.revision)
            self._tasks.spawn(_paid(game.bot, self._send_with_updates, game, missed))
        else:
            game.send_decision()

    async def _send_with_updates(self, game: BotSeat, missed: Iterator[Revision]) -> None:
        """Send the decision with what happened since the last one, unless the match has moved on meanwhile."""
        revision = game.sending
        updates: list[Revision] = []
        with suppress(ServiceError):  # other rules cannot replay it: the state includes it
            updates = await listed(missed, game.bot.payer.credit)
        is_playing = game.bot.games.get((game.match.match_id, game.seat)) is game
        if is_playing and game.sending == revision == game.match.revision:
            game.send_decision(updates)

    def await_own(self) -> None:
        """Stop the clocks of bots that came with a seat token, and are stopped now, until they are back."""
        for (_match_id, seat), game in self._seated.items():
            if game.token:
                game.match.timekeeper.await_bot(seat)

    def resume(self) -> None:
        """Seat bots again after draining."""
        self._tasks.spawn(self._offer(self._bots))

    async def _offer(self, bots: Sequence[ConnectedBot], credit: Callable[[], Awaitable[None]] | None = None) -> None:
        """Give seats of waiting matches to bots that have room; others are served after each match."""
        for match, names in list(self._waiting.values()):  # matches come and go while others are served
            # A bot that is back has no room for what it had before, but that may be in this match.
            willing = [bot for bot in bots if bot.is_connected and (bot.has_room() or bot.unsettled)]
            if not willing:
                return
            if not any(name in ("", bot.name) for bot in willing for name in names):
                continue
            if credit is not None:
                await credit()
            with suppress(ServiceError):  # it cannot be read, which is logged
                await match.wake()  # only now: names are known of sleeping matches, too
                willing = [bot for bot in willing if bot.is_connected]
                if match.match_id in self._waiting and self._fill(match, willing):
                    self._send(match)
            await asyncio.sleep(0)

    def _finish(self, match: Match) -> None:
        """Send the bots of a match its end, and give them seats of other matches."""
        self._waiting.pop(match.match_id, None)
        for seat in list(match.audience.kept):
            if seat not in match.ledger.bot_played:
                key = match.match_id, seat
                timer = asyncio.get_running_loop().call_later(MISSED_SECONDS, self._missed.pop, key, None)
                self._missed[key] = replace(self._absent[key], timer=timer)
            self._release(match, seat)
        self.answers.forget(match)
        games = self._games(match)
        for game in games:
            self._free(game)
            game.send_finished()
            game.bot.end_if_done()
        if games:
            self._tasks.spawn(self._offer(list(dict.fromkeys(game.bot for game in games))))

    def _clear(self, match: Match) -> list[ConnectedBot]:
        """Take seats from bots that may no longer play them, and keep none for them; returns those connected."""
        for seat in list(match.audience.kept):
            wanted = match.ledger.wanted_bot(seat)
            if match.ledger.substituted[seat] or wanted not in ("", self._absent[match.match_id, seat].name):
                self._release(match, seat)
        freed = []
        for game in self._games(match):
            seat = game.seat
            if game.token:
                fits = tokens.fits(game.token, match.ledger.sitters[seat].token_hash)
            else:
                fits = match.ledger.wanted_bot(seat) in ("", game.bot.name) and game.by == _role(match, seat, "")
            if not fits:
                self._lose(game, ServiceError("TOKEN_CHANGED", seat=seat + 1))
                freed.append(game.bot)
        return freed

    def _fill(self, match: Match, bots: list[ConnectedBot]) -> bool:
        """Give free bot seats to bots, of running matches only if the server drains; returns whether it gave any."""
        given, left = False, set[str]()
        may_sit = match.ledger.state is not None or not self._lobby.draining
        for seat in match.ledger.seats():
            wanted = match.ledger.wanted_bot(seat)
            if wanted is None or (match.match_id, seat) in self._seated:
                continue
            absent = self._absent.get((match.match_id, seat))
            able = [bot for bot in bots if absent is None or absent.is_back(bot)] if may_sit else []
            willing = [bot for bot in able if bot.takes(wanted, match.match_id, seat)]
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
        self._release(match, seat)
        bot.unsettled.pop((match.match_id, seat + 1), None)
        game = BotSeat(bot, match, seat, _role(match, seat, token), token)
        bot.games[match.match_id, seat] = self._seated[match.match_id, seat] = game
        bot.own += bool(token)
        presence.seat_bot(match, seat, bot.name, bot.round_trip, is_own=bool(token))
        self._send_seated(bot, match, seat)

    def _send_seated(self, bot: ConnectedBot, match: Match, seat: Seat) -> None:
        seated = pb.Seated(match=match.message(), seat=seat + 1)
        for other in seated.match.seats if self._anonymous else ():
            if other.seat != seat + 1:
                other.bot = other.player = ""
        bot.outgoing.put_nowait(pb.PlayResponse(seated=seated))

    def _free(self, game: BotSeat) -> None:
        key = game.match.match_id, game.seat
        del game.bot.games[key], self._seated[key]
        game.bot.own -= bool(game.token)
        presence.unseat_bot(game.match, game.seat)


async def _paid(bot: ConnectedBot, work: Callable[P, Awaitable[None]], *arguments: P.args, **named: P.kwargs) -> None:
    """Do work that the bot's host pays for. It is made here, as a task may be cancelled before it begins."""
    await bot.payer.pay(work(*arguments, **named))


def _log_error(error: BaseException) -> None:
    if not isinstance(error, ServiceError):
        _log.error("internal error", exc_info=error)


def _role(match: Match, seat: Seat, token: str) -> str:
    """Return the role of a bot at a seat; one with the seat token is no substitute."""
    return "substitute" if match.ledger.substituted[seat] and not token else "bot"

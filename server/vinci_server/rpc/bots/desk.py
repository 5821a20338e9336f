"""Bots: who is connected, who plays which seat, and whom to tell that it is to act."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final, final

import structlog

from vinci.v1 import bot_pb2 as pb
from vinci_rules.state import Seat

from ...errors import ServiceError
from ...lobby import Lobby
from ...match.audience import presence
from ...match.audience.watchers import Revision
from ...match.command_queue import Tasks
from ...match.log.ledger import Ledger
from ...match.match import Match, MatchObserver
from ...match.seats import tokens
from ...match.slices import listed
from ...metrics import Metrics
from .answers import LONGEST_MATCH_ID, BotAnswers
from .connected_bot import BotSeat, ConnectedBot, finished, send_decision

MOST_TOKENS: Final = 64
"""Seat tokens of one bot."""
MOST_WANTED: Final = 100
"""Names of wanted bots that are sent to a bot when it connects."""
_log = structlog.get_logger()


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
        self._tasks: Final = Tasks(_log_error)
        self.answers: Final = BotAnswers(metrics, self._tasks, self._tell)
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
        self._tasks.spawn(bot.payer.pay(self._welcome_back(bot)))

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
                bot.outgoing.put_nowait(finished(match, Seat(seat - 1)))
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
        """Take away a seat whose token a bot had. Its stream ends if it came with that token."""
        self._free(bot, game)
        if game.token in bot.hello.seat_tokens:
            bot.end(error)
        elif game.token:
            self._refuse_request(bot, error, (game.match.match_id, game.seat + 1))
            self._end_if_done(bot)

    async def take_seats(self, bot: ConnectedBot, given: Sequence[str]) -> None:
        """Seat a connected bot at further seats; what is wrong is sent to it. Raises ServiceError as `answer` does."""
        bot.check_reads()
        try:
            if not given:
                raise ServiceError("BAD_TOKEN", "NONE")
            await bot.payer.pay(self._take(bot, set(given)))
        except ServiceError as error:
            self._refuse_request(bot, error)

    def set_games(self, bot: ConnectedBot, games: int) -> None:
        """Set how many games a bot plays at once; with 0 its stream ends after those that it plays."""
        bot.set_games(games)
        self._end_if_done(bot)
        if bot.is_connected:
            self._tasks.spawn(bot.payer.pay(self._offer([bot], bot.payer.credit)))

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
            self._tasks.spawn(self._go_on([game.match for game in games]))

    async def _go_on(self, matches: Sequence[Match]) -> None:
        """Let matches go on whose bot is gone; others are served after each."""
        for match in matches:
            with suppress(ServiceError):  # it cannot be read, which is logged
                await match.wake()
                if not match.closing:
                    self.on_seats(match)
                    match.go_on()
            await asyncio.sleep(0)

    def close(self) -> None:
        """End the streams of all bots: the server stops."""
        self._tasks.cancel()
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
            self._tasks.spawn(self._offer(freed))

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
                self._tasks.spawn(bot.payer.pay(self._tell_updates(bot, game, ledger)))
            else:
                send_decision(bot, game)

    async def _tell_updates(self, bot: ConnectedBot, game: BotSeat, ledger: Ledger) -> None:
        """Send the decision with what happened since the last one, unless the match has gone on meanwhile."""
        revision = game.telling
        missed: list[Revision] = []
        with suppress(ServiceError):  # played by other rules: the state tells what it has come to
            missed = await listed(ledger.game.revisions(game.told + 1, revision), bot.payer.credit)
        is_playing = bot.games.get((game.match.match_id, game.seat)) is game
        if is_playing and game.telling == revision == game.match.revision:
            send_decision(bot, game, missed)

    def resume(self) -> None:
        """Seat bots again after draining."""
        self._tasks.spawn(self._offer(self._bots))

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
        self.answers.forget(match)
        bots = [(seat, bot) for seat in match.ledger.seats() if (bot := self._seated.get((match.match_id, seat)))]
        for seat, bot in bots:
            self._free(bot, bot.games[match.match_id, seat])
            bot.outgoing.put_nowait(finished(match, seat))
            self._end_if_done(bot)
        if bots:
            self._tasks.spawn(self._offer(list(dict.fromkeys(bot for _, bot in bots))))

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
        presence.seat_bot(match, seat, bot.name, bot.way, is_own=bool(token))
        bot.outgoing.put_nowait(pb.PlayResponse(seated=pb.Seated(match=match.message(), seat=seat + 1)))

    def _free(self, bot: ConnectedBot, game: BotSeat) -> None:
        del bot.games[game.match.match_id, game.seat]
        bot.own -= bool(game.token)
        del self._seated[game.match.match_id, game.seat]
        presence.unseat_bot(game.match, game.seat)


def _log_error(error: BaseException) -> None:
    if not isinstance(error, ServiceError):
        _log.error("internal error", exc_info=error)


def _role(match: Match, seat: Seat, token: str) -> str:
    """As what a bot plays a seat: one with the seat token is nobody's substitute."""
    return "substitute" if match.ledger.substituted[seat] and not token else "bot"


def _is_replaced(bot: ConnectedBot, match: Match, seat: Seat) -> bool:
    """Whether a substitute plays in place of a bot that has the seat token."""
    return match.ledger.substituted[seat] and bool(bot.games[match.match_id, seat].token)

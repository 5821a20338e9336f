"""Table of the checks of remote bots, and those that only they have."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final, NoReturn, final

import grpc

from vinci.v1.bot_pb2 import PlayResponse
from vinci_client.errors import ServerRefused

from ..bot_under_test import TestedGame
from ..checks import CHECKS as LOCAL
from ..connection import LAST, BrokenStream, SilentConnection
from ..decisions import CHECKS as CHOICES
from ..relay import StreamEnd, Tampering
from ..results import Check, Examine, Fault, NotApplicable
from ..whole_game import game
from .remote_bot import RemoteBot

PONG_SECONDS: Final = 2.0
"""Most seconds by which an answer to a ping may be slower than the quickest one."""
AT_ONCE: Final = 4
"""Most games of the check for several games at once."""
GAMES_OF_RESTART: Final = 2
SECTION: Final = "remote-bots"


@final
class _AtDecision(Tampering):
    """Keep one decision of so many games from the bot, once each had two on average, and let `reached` know."""

    def __init__(self, games: int = 1) -> None:
        self.reached: Final = asyncio.Event()
        self._left = LAST * games

    async def down(self, response: PlayResponse) -> AsyncIterator[PlayResponse]:
        if response.HasField("decision"):
            self._left -= 1
            if self._left == 0:
                self.reached.set()
                return
        yield response


async def handshake(bot: RemoteBot) -> str:
    """Check that the bot connects with the code and says hello with its name and key."""
    seconds = await bot.arrival()
    stream = bot.stream()
    hello = stream.hello if stream else None
    if hello and hello.seat_tokens:
        raise Fault("its hello has seat_tokens: a remote bot is given seats by its name, and to it alone without them")
    offer = "1 game at a time" if bot.offered == 1 else f"{bot.offered} games at once"
    return f"connected after {seconds:.1f} s as {bot.name}; it offers {offer}"


async def whole_game(bot: RemoteBot) -> str:
    """Check that all answers are legal and in time, to the end of the game."""
    return f"{await game(bot)}, the network at most {bot.network:.3f} s"


async def pings(bot: RemoteBot) -> str:
    """Check that the bot answers pings at once, also while it thinks."""
    await bot.whole_game()
    relay = bot.host.relay
    sent, answered = relay.pings, len(relay.pongs)
    if not sent:
        raise Fault("it was asked nothing")
    if not answered or answered < sent - 1:  # the last one may have come too late
        raise Fault(f"it answered {answered} of {sent} pings: send a pong with the same stamp at once")
    quickest, slowest = min(relay.pongs), max(relay.pongs)
    if slowest - quickest > PONG_SECONDS:
        raise Fault(
            f"it answered a ping after {slowest:.1f} s, another one after {quickest:.3f} s: answer them at once, also "
            "while it thinks"
        )
    return f"{answered} of {sent}, the slowest after {slowest:.3f} s"


async def stays(bot: RemoteBot) -> str:
    """Check that the bot stays for the next game."""
    await bot.whole_game()
    streams = len(bot.host.relay.streams)
    played = await bot.play("stays")
    played.must_be_played()
    again = len(bot.host.relay.streams) - streams
    return "played the next game over " + ("a new connection" if again else "the same connection")


async def games_at_once(bot: RemoteBot) -> str:
    """Check that the bot plays several games at once, if it offers them."""
    offered = bot.offered
    number = min(offered, AT_ONCE)
    if number < 2:
        raise NotApplicable("it offers one game at a time: games in its hello")
    for played in await _played_together(bot, Tampering(), number, bot.limits.decision):
        played.must_be_faultless()
    return f"played {number} at once, and offers {offered}"


async def dropped(bot: RemoteBot) -> str:
    """Check that the bot reconnects when its stream ends as UNAVAILABLE, and plays on."""
    cut = StreamEnd(grpc.StatusCode.UNAVAILABLE, "Socket closed")
    began = len(bot.host.relay.streams)
    played = await bot.play("dropped-stream", BrokenStream(cut), seconds=bot.limits.back)
    return _came_back(bot, played, began)


async def cut(bot: RemoteBot) -> str:
    """Check that the bot reconnects when its connection is reset, and plays on."""

    async def disturb() -> None:
        bot.host.proxy.cut()

    began = len(bot.host.relay.streams)
    (played,) = await _disturbed(bot, _AtDecision(), disturb)
    return _came_back(bot, played, began)


async def restart(bot: RemoteBot) -> str:
    """Check that the bot reconnects after a kill and restart of the server, and goes on with its games."""
    began, number = len(bot.host.relay.streams), min(max(bot.offered, 1), GAMES_OF_RESTART)
    games = await _disturbed(bot, _AtDecision(number), bot.host.restart, number)
    texts = [_came_back(bot, played, began) for played in games]
    return texts[0] + (f", {number} games" if number > 1 else "")


async def half_open(bot: RemoteBot) -> str:
    """Check that the bot detects a dead connection that was not closed, opens another one, and plays on."""
    seconds, began, since = bot.limits.silent, len(bot.host.relay.streams), time.monotonic()
    played = await bot.play("half-open", SilentConnection(bot.host.proxy), seconds=seconds)
    if len(bot.host.relay.streams) == began:
        raise Fault(
            f"it did not come back within {seconds} s after its connection had gone silent: set gRPC's keepalive, "
            "or open the stream again when no ping has come for 45 s"
        )
    _came_back(bot, played, began)
    return f"came back and played on, {time.monotonic() - since:.0f} s in all"


async def ended_away(bot: RemoteBot) -> str:
    """Check that the bot plays on with a new game when its game ended while it was not connected."""
    tampering = _AtDecision()

    async def disturb() -> None:
        await bot.host.proxy.close()
        for match_id, talk in bot.host.relay.games.items():
            if talk.tampering is tampering:
                with suppress(ServerRefused):  # it is over
                    await bot.host.end(match_id)
        await bot.host.proxy.open()

    await _disturbed(bot, tampering, disturb)
    (await bot.play("ended-away")).must_be_faultless()
    return "came back and played a new game"


async def _played_together(bot: RemoteBot, tampering: Tampering, games: int, seconds: int) -> list[TestedGame]:
    """Play games that begin at the same time. Raises Fault."""
    others = asyncio.Barrier(games)
    plays = (bot.play("", tampering, seconds=seconds, others=others) for _ in range(games))
    results = await asyncio.gather(*plays, return_exceptions=True)
    failed = [result for result in results if isinstance(result, BaseException)]
    for failure in sorted(failed, key=lambda failure: isinstance(failure, asyncio.BrokenBarrierError)):
        raise failure
    return [result for result in results if isinstance(result, TestedGame)]


async def _disturbed(
    bot: RemoteBot, tampering: _AtDecision, disturb: Callable[[], Awaitable[None]], games: int = 1
) -> list[TestedGame]:
    """Play games at once, and disturb them when the decision that is kept from the bot is reached. Raises Fault."""
    playing = asyncio.create_task(_played_together(bot, tampering, games, bot.limits.back))
    reached = asyncio.create_task(tampering.reached.wait())
    try:
        await asyncio.wait((playing, reached), return_when=asyncio.FIRST_COMPLETED)
        if not playing.done():
            await disturb()
        return await playing
    finally:
        reached.cancel()
        playing.cancel()


def _came_back(bot: RemoteBot, played: TestedGame, began: int) -> str:
    """Return that the bot opened another stream and played to the end. Raises Fault."""
    if not any(stream.is_welcome for stream in bot.host.relay.streams[began:]):
        raise Fault(f"it did not come back within {played.seconds} s: open the stream again, with the same hello")
    played.must_be_played()
    return "came back and played on"


def _skipped(reason: str) -> Examine:
    async def examine(_bot: RemoteBot) -> NoReturn:
        raise NotApplicable(reason)

    return examine


def _locally(name: str, reason: str) -> Check:
    """Return a check of local bots that cannot be made."""
    return replace(next(check for check in LOCAL if check.name == name), examine=_skipped(reason))


FIRST: Final = (
    Check("handshake", "connects with the code and says hello with its name and key", handshake, SECTION),
    Check("game", "plays a whole game, every answer legal and in time", whole_game, SECTION),
    Check("pings", "answers pings at once", pings, SECTION),
    Check("stays", "stays connected after its game and plays the next one", stays, SECTION),
)
"""Checks that are made first, one after the other."""
SHARED: Final = tuple(check for check in LOCAL if check in CHOICES or check.section == "answers-that-come-to-nothing")
"""Checks that local bots have too, several at a time if the bot offers as many games."""
LAST_CHECKS: Final = (
    Check("games-at-once", "plays several games at once, if it offers them", games_at_once, SECTION),
    Check("dropped-stream", "comes back when the stream breaks", dropped, SECTION),
    Check("cut", "comes back when its connection is reset", cut, SECTION),
    Check("restart", "comes back when the server does, and goes on with its games", restart, SECTION),
    Check("ended-away", "plays on when its game ended while it was not connected", ended_away, SECTION),
    Check("half-open", "comes back when its connection is dead but not closed", half_open, SECTION, slow=True),
)
"""Checks of the connection, which all games share; one after the other."""
NOT_MADE: Final = (
    *(_locally(name, "the doctor did not start its process") for name in ("memory", "exit", "children")),
    _locally("two-games", "a remote bot is one process for all games: see games-at-once"),
    _locally("turned-away", "it would end the bot; start it with a wrong key to see that it does not go on trying"),
)
"""Checks that need the process of the bot."""
REMOTE_CHECKS: Final = (*FIRST, *SHARED, *LAST_CHECKS, *NOT_MADE)
"""All checks of remote bots in their order."""

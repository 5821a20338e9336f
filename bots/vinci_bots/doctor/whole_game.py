"""Checks of whole games: handshake, play, pings, several games, and what the process leaves behind."""

from typing import Final

from ..local.process import MEGABYTE
from .relay import CLOSED
from .results import Fault, NotApplicable
from .tested_bot import LocalBot, RemoteBot, TestedBot, played_together

PONG_SECONDS: Final = 2.0
"""Most seconds by which an answer to a ping may be slower than the quickest one."""
AT_ONCE: Final = 4
"""Most games of the check for several games at once."""


async def handshake(bot: LocalBot) -> str:
    """Check that the first message is a hello with the seat token, in time."""
    played = await bot.whole_game()
    streams, forfeit = played.relay.streams, played.forfeit
    hellos = [stream for stream in streams if stream.greeted]
    if not hellos:
        start = f"{forfeit.text}; " if forfeit else ""
        raise Fault(f"{start}it has to open BotService.Play at VINCI_ADDRESS and say hello")
    if not any(stream.hello.seat_tokens for stream in hellos):
        raise Fault("its hello has no seat_tokens: it has to send the one that VINCI_SEAT_TOKEN holds")
    if not played.talk.is_seated():
        ended = next((stream.ended for stream in streams if stream.ended != CLOSED), "")
        raise Fault(f"the server did not want it: {ended}" if ended else "it went before it had its seat")
    return f"hello after {hellos[0].greeted - played.relay.began:.1f} s"


async def arrival(bot: RemoteBot) -> str:
    """Check that the bot connects with the code and says hello with its name and key."""
    seconds = await bot.arrival()
    stream = bot.stream()
    if stream and stream.hello.seat_tokens:
        raise Fault("its hello has seat_tokens: a remote bot is given seats by its name, and to it alone without them")
    offer = "1 game at a time" if bot.offered == 1 else f"{bot.offered} games at once"
    return f"connected after {seconds:.1f} s as {bot.name}; it offers {offer}"


async def game(bot: TestedBot) -> str:
    """Check that all answers are legal and in time, to the end of the game."""
    played = await bot.whole_game()
    played.must_be_faultless()
    thought = played.use.thought
    return f"{len(thought)} decisions, the longest took {max(thought, default=0) / 1000:.3f} s"


async def remote_game(bot: RemoteBot) -> str:
    """Check the same, and tell how far away the bot is."""
    return f"{await game(bot)}, the network at most {(await bot.whole_game()).use.network / 1000:.3f} s"


async def pings(bot: TestedBot) -> str:
    """Check that the bot answers pings, so that network delay does not count as thinking time."""
    relay = (await bot.whole_game()).relay
    sent, answered = relay.pings, len(relay.pongs)
    if not sent:
        raise Fault("it was not connected")
    if not answered or answered < sent - 1:  # the last one may have come too late
        raise Fault(f"it answered {answered} of {sent} pings: send a pong with the same stamp at once")
    return f"{answered} of {sent}"


async def prompt_pings(bot: RemoteBot) -> str:
    """Check that the bot answers pings at once, also while it thinks."""
    answered = await pings(bot)
    quickest, slowest = min(bot.relay.pongs), max(bot.relay.pongs)
    if slowest - quickest > PONG_SECONDS:
        raise Fault(
            f"it answered a ping after {slowest:.1f} s, another one after {quickest:.3f} s: answer them at once, also "
            "while it thinks"
        )
    return f"{answered}, the slowest after {slowest:.3f} s"


async def memory(bot: LocalBot) -> str:
    """Check the memory limit."""
    played = await bot.whole_game()
    if played.forfeit and played.forfeit.reason == "memory":
        raise Fault(played.forfeit.text)
    return f"{played.use.memory // MEGABYTE} MB, {played.use.cpu:.1f} s of CPU"


async def leaving(bot: LocalBot) -> str:
    """Check that the process exits with status 0 soon after its game."""
    status = (await bot.whole_game()).use.status
    if status is None:
        raise Fault(f"it still ran {bot.limits.end:g} s after its game")
    if status != 0:
        raise Fault(f"it ended with status {status}" if status > 0 else f"it was killed by signal {-status}")
    return "status 0"


async def children(bot: LocalBot) -> str:
    """Check that no child process is left behind."""
    use = (await bot.whole_game()).use
    if use.status is None:
        raise NotApplicable("it did not end by itself, and was killed with all that it had started")
    if use.left:
        raise Fault(f"it ended and left these running: {', '.join(use.left)}")
    return "none left"


async def two_games(bot: LocalBot) -> str:
    """Check that two processes of the bot can play at the same time."""
    both = await played_together(bot, 2, "two-games")
    for played in both:
        played.must_be_faultless()
    first, second = ([list(answer.actions) for answer in played.talk.answers()] for played in both)
    return f"plays the same from the same seed: {'yes' if first == second else 'no'}"


async def games_at_once(bot: RemoteBot) -> str:
    """Check that the bot plays several games at once, if it offers them."""
    offered = bot.offered
    number = min(offered, AT_ONCE)
    if number < 2:
        raise NotApplicable("it offers one game at a time: games in its hello")
    for played in await played_together(bot, number, "games-at-once"):
        played.must_be_faultless()
    return f"played {number} at once, and offers {offered}"


async def stays(bot: RemoteBot) -> str:
    """Check that the bot stays for the next game."""
    await bot.whole_game()
    streams = len(bot.relay.streams)
    (await bot.play("stays")).must_be_played()
    again = len(bot.relay.streams) - streams
    return "played the next game over " + ("a new connection" if again else "the same connection")

"""Write a bot in Python as one method or one function. See docs/bots.md.

from vinci_bots.sdk import Bot, run

class First(Bot):
    def choose(self, turn):
        return max(turn.conquests, key=turn.worth, default=turn.advice)

if __name__ == "__main__":
    run(First)
"""

import inspect
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, ClassVar, Final, TypeAlias, final

from vinci.v1 import bot_pb2 as pb
from vinci.v1.game_pb2 import Action
from vinci_client import bot as wire
from vinci_client.access import OPEN, Access
from vinci_client.bot import Control
from vinci_client.errors import ServerGone, ServerRefused

from . import runtime
from .seeds import bot_seed
from .turn import Answer, Game, NoAction, Turn

__all__ = ["Answer", "Bot", "Control", "Game", "NoAction", "Turn", "bot", "play", "run"]

PATIENCE: Final = 30.0
"""Seconds for which a bot that was started for one seat tries to reach the server."""
CLOSED: Final = ("SEAT_TAKEN", "TOKEN_CHANGED")
"""Reasons with which the server closes a stream for good: another client has taken the seat."""


class Bot:
    """Base class of bots. Each game gets its own instance, so `self` holds the state of one game.

    A subclass implements `choose`; `on_start` and `on_end` are optional. All three may be `async`; plain methods run
    one at a time in a single thread, for any number of games.

    Example:
        >>> class Strongest(Bot):
        ...     def choose(self, turn):
        ...         return max(turn.conquests, key=turn.worth, default=turn.advice)
    """

    name: ClassVar[str] = ""
    """Name under which the bot plays; if empty, the class name in lower case."""

    def on_start(self, game: Game) -> Awaitable[None] | None:
        """Handle the start of a game; not called again after a reconnection.

        Args:
            game: the game and the seat in it.
        """
        return None

    def choose(self, turn: Turn) -> Answer | Awaitable[Answer]:
        """Choose the actions for a decision.

        Called again for the same decision if the server refuses the answer; `turn.refused` then says why.

        Args:
            turn: the decision: position, legal actions, clock.

        Returns:
            One action or a list of them, each as a `vinci_rules` action, a message or notation.
        """
        raise NotImplementedError(f"{type(self).__name__} has no choose(self, turn)")

    def on_end(self, game: Game, ranks: Sequence[int], vp: Sequence[int]) -> Awaitable[None] | None:
        """Handle the end of a game.

        Args:
            game: the game that is over.
            ranks: the rank of each seat, seat 1 first; empty if the game was aborted.
            vp: the victory points of each seat, seat 1 first.
        """
        return None


Function: TypeAlias = Callable[[Turn], Answer | Awaitable[Answer]]
"""A function that answers a decision."""


def bot(function: Function) -> type[Bot]:
    """Make a bot of a function, for use as a decorator; state of a game goes into `turn.game.memory`.

    Args:
        function: answers a decision, as `Bot.choose` does; its name becomes the name of the bot.

    Returns:
        A subclass of `Bot`.
    """
    content = {"choose": staticmethod(function), "__doc__": function.__doc__, "__module__": function.__module__}
    return type(function.__name__, (Bot,), content)


def run(kind: type[Bot], arguments: Sequence[str] | None = None) -> None:
    """Run a bot as a program: read the environment (`environment`) or the command line, then play.

    Returns when the games are over, when the server closes the stream for good, when the standard input of a bot that
    a server or league started closes, and after Ctrl-C or SIGTERM.

    Args:
        kind: the class of the bot.
        arguments: the command line without the program; None for `sys.argv`.

    Raises:
        SystemExit: with status 1 and one line on standard error if there is no server or it refuses the bot.
        Exception: an error of the bot, which ends the process with a traceback and status 1.
    """
    start = runtime.read(_name(kind), arguments)
    work = play(
        kind,
        start.address,
        name=start.name,
        at_once=start.at_once,
        games=start.games,
        token=start.token,
        seed=start.seed,
        access=start.access,
        key=start.key,
        patience=PATIENCE if start.token else None,
        on_event=lambda text: print(f"{start.name}: {text}", flush=True),  # noqa: T201  # the log of the bot
    )
    runtime.finish(work, start.name, with_stdin=bool(start.token))


async def play(
    kind: type[Bot],
    address: str,
    *,
    name: str = "",
    at_once: int = 1,
    games: int | None = None,
    token: str = "",
    seed: str = "",
    access: Access = OPEN,
    key: str = "",
    patience: float | None = None,
    on_event: Callable[[str], None] = lambda _text: None,
    control: Control | None = None,
) -> int:
    """Play at a server until enough games are over, or until the stream is closed for good.

    The stream is closed for good when another client has the seat, or after `patience` seconds without the server.

    Args:
        kind: the class of the bot.
        address: the address of the server.
        name: the name of the bot; if it is empty, that of the class.
        at_once: the number of games to play at the same time.
        games: the number of games after which to return; None for no limit (with `token` and no `control`: 1).
        token: the token of a seat to play until its game is over; empty for any games that ask for the bot.
        seed: the seed of the bot's random choices: that of the game with `token`, else games get seeds derived from it.
        access: the code or password and the TLS settings for the server.
        key: the key for the name, on servers where the name is reserved.
        patience: seconds to wait for a server that is gone; None for no limit.
        on_event: is called with a text about each event, such as a lost connection or the end of a game.
        control: takes further seats, and changes the number of games at once, while the bot plays. With it a bot
            without `games` ends by `control.set_games(0)`.

    Returns:
        The number of games that are over.

    Raises:
        ServerRefused: the server refused the bot.
        ServerGone: there was no server at the address.
        Exception: any error of the bot.
    """
    seats = _Seats(kind, seed, own_seed=bool(token and seed))
    hello = pb.Hello(
        name=name or _name(kind),
        games=at_once,
        position=True,
        without_state=True,
        seat_tokens=[token] if token else [],
        key=key,
    )
    try:
        return await wire.play(
            address,
            hello,
            seats.choose,
            access=access,
            games=1 if token and games is None and control is None else games,
            patience=patience,
            on_event=on_event,
            on_message=seats.hear,
            control=control,
        )
    except (ServerGone, ServerRefused) as error:
        if not seats.connected or (isinstance(error, ServerRefused) and error.reason not in CLOSED):
            raise
        on_event(f"{error}. The stream is closed for good.")
        return seats.played


def _name(kind: type[Bot]) -> str:
    return kind.name or kind.__name__.lower()


@final
class _Seats:
    """Seats that a bot plays, each with its own instance of the bot."""

    def __init__(self, kind: type[Bot], seed: str, *, own_seed: bool) -> None:
        self.connected = False
        self.played = 0
        self._kind: Final = kind
        self._seed: Final = seed or secrets.token_hex(16)
        self._own_seed: Final = own_seed
        self._bots: Final[dict[tuple[str, int], tuple[Bot, Game]]] = {}
        self._refused: Final[dict[tuple[str, int], pb.Refused]] = {}
        self._thread: Final = runtime.Thread()

    async def hear(self, response: pb.PlayResponse) -> None:
        """Follow the server: start, refuse and finish games."""
        match response.WhichOneof("kind"):
            case "welcome":
                self.connected = True
            case "seated":
                match, seat = response.seated.match, response.seated.seat
                if (match.match_id, seat) not in self._bots:
                    seed = self._seed if self._own_seed else bot_seed(self._seed, match.match_id)
                    game, player = Game(match, seat, seed), await self._thread.do(self._kind)
                    self._bots[match.match_id, seat] = player, game
                    await self._ask(player.on_start, game)
            case "refused":
                self._refused[response.refused.match_id, response.refused.seat] = response.refused
            case "request_refused":  # may name a seat that was lost meanwhile
                self._bots.pop((response.request_refused.match_id, response.request_refused.seat), None)
            case "finished":
                finished = response.finished
                self.played += 1
                self._refused.pop((finished.match_id, finished.seat), None)
                if (finished.match_id, finished.seat) in self._bots:
                    player, game = self._bots.pop((finished.match_id, finished.seat))
                    await self._ask(player.on_end, game, tuple(finished.ranks), tuple(finished.vp))

    async def choose(self, decision: pb.Decision) -> tuple[list[Action], pb.Note]:
        """Return the bot's answer to a decision, with its note. Raises NoAction, and any error of the bot."""
        place = (decision.match_id, decision.seat)
        player, game = self._bots[place]
        refused = self._refused.get(place)
        stands = refused is not None and refused.revision == decision.revision
        turn = Turn(game, decision, refused if stands else None)
        return turn.messages(await self._ask(player.choose, turn)), turn._note

    async def _ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if inspect.iscoroutinefunction(function):
            return await function(*arguments)
        return await self._thread.do(function, *arguments)

"""Plays games of a league, in a process for that or anywhere else. It writes nothing: what was played goes back."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from vinci_bots.builtin import selfplay
from vinci_bots.seeds import bot_seed
from vinci_rules.board import load_board

from ..definition.league import League
from ..definition.schedule import ScheduledGame
from ..results.game_facts import FactCollector, Facts, facts_of
from ..results.result import ForfeitResult, Result
from . import server_games
from .resource_usage import Costs


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """A game that was played: result, record as text, what bots wrote, each with its seat from 0, if they did.

    `costs` is what they used, if they were processes.
    """

    result: Result
    record: str
    logs: tuple[tuple[int, str], ...] = ()
    costs: Costs | None = None


Play: TypeAlias = Callable[[League, ScheduledGame], GameOutcome]


class GameError(Exception):
    """A game could not be played, by no fault of a bot; the text says which, and why."""


def play_all(play: Play, league: League, games: Sequence[ScheduledGame]) -> list[GameOutcome]:
    """Play games, one after another. Raises GameError at the first that cannot be played."""
    played = []
    for game in games:
        try:
            played.append(play(league, game))
        except Exception as error:  # whatever it is: it may not survive the way to another process
            raise GameError(f"game {game.key} could not be played: {error or type(error).__name__}") from None
    return played


def play(league: League, game: ScheduledGame) -> GameOutcome:
    """Play a game: in this process if all its bots are ours, else among processes at a local server.

    Raises TableError where that could not be done, by no fault of a bot.
    """
    return _here(league, game) if league.is_local(game.bots) else _at_table(league, game)


def _here(league: League, game: ScheduledGame) -> GameOutcome:
    noting = FactCollector(league.seats)
    played = selfplay.play(
        [league.bot(name).policy for name in game.bots],
        load_board(league.board),
        league.rules(game.bots),
        game.seed,
        [bot_seed(game.seed, name) for name in game.bots],
        game.bots,
        noting.before,
        salt=game.salt,
        opening_seed=game.opening_seed,
    )
    return GameOutcome(result_of(game, played.lines, noting.facts(played.end)), _text(played.lines))


def result_of(
    game: ScheduledGame, lines: Sequence[str], facts: Facts, forfeits: Sequence[ForfeitResult] = ()
) -> Result:
    """What a finished record says about a game; who forfeited, and why, is not all in it."""
    last = json.loads(lines[-1])
    return Result(
        block=game.block,
        rotation=game.rotation,
        seed=game.seed,
        bots=game.bots,
        ranks=tuple(last["result"]["ranks"]),
        vp=tuple(last["result"]["vp"]),
        rounds=last["result"]["rounds"],
        actions=len(lines) - 2,
        forfeits=tuple(forfeits),
        civilizations=facts.civilizations,
        attacks=facts.attacks,
        hash=last["hash"],
    )


def _at_table(league: League, game: ScheduledGame) -> GameOutcome:
    at = server_games.play(league, game)
    return GameOutcome(result_of(game, at.lines, facts_of(at.lines), at.forfeits), _text(at.lines), at.logs, at.costs)


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)

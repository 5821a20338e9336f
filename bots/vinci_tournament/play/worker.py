"""Plays games of a league in a worker, on any machine, and returns the outcomes; it writes no files."""

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
    """A finished game: result, record as text, and non-empty outputs of bots with their seats from 0.

    `costs` are the resources used by bots that are processes.
    """

    result: Result
    record: str
    logs: tuple[tuple[int, str], ...] = ()
    costs: Costs | None = None


Play: TypeAlias = Callable[[League, ScheduledGame], GameOutcome]


class GameError(Exception):
    """A game could not be played for a reason other than a bot; the text names the game and the reason."""


def play_all(play: Play, league: League, games: Sequence[ScheduledGame]) -> list[GameOutcome]:
    """Play games, one after another. Raises GameError at the first that cannot be played."""
    played = []
    for game in games:
        try:
            played.append(play(league, game))
        except Exception as error:  # any error, because it may not be picklable
            raise GameError(f"game {game.key} could not be played: {error or type(error).__name__}") from None
    return played


def play(league: League, game: ScheduledGame) -> GameOutcome:
    """Play a game in this process if all its bots are built in, else with processes at a local server.

    Raises TableError if it could not be played for a reason other than a bot.
    """
    return _here(league, game) if league.is_local(game.bots) else _at_table(league, game)


def _here(league: League, game: ScheduledGame) -> GameOutcome:
    collector = FactCollector(league.seats)
    played = selfplay.play(
        [league.bot(name).policy for name in game.bots],
        load_board(league.board),
        league.rules(game.bots),
        game.seed,
        [bot_seed(game.seed, name) for name in game.bots],
        game.bots,
        collector.before,
        salt=game.salt,
        opening_seed=game.opening_seed,
    )
    return GameOutcome(result_of(game, played.lines, collector.facts(played.end)), _text(played.lines))


def result_of(
    game: ScheduledGame, lines: Sequence[str], facts: Facts, forfeits: Sequence[ForfeitResult] = ()
) -> Result:
    """Return the result of a finished record; the reasons of forfeits are not in it, so they are given."""
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

"""Games among policies in one process, with records."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from vinci_rules import notation, record
from vinci_rules.actions import Action
from vinci_rules.board import Board
from vinci_rules.chance import Chance, FairChance, RecordingChance, commitment
from vinci_rules.editions import Options
from vinci_rules.engine import apply, new_game, ranks
from vinci_rules.state import State

from ..seeds import bot_seed, decision_chance
from .policies import POLICIES

Look: TypeAlias = Callable[[State, Action], None]
"""Is shown each action and the position before it."""


@dataclass(frozen=True, slots=True)
class SelfplayGame:
    """A game that was played: its seed, its result, its record and the position at its end.

    `winner` is the seat, from 1, with rank 1; None if several share it.
    """

    seed: str
    players: tuple[str, ...]
    winner: int | None
    ranks: tuple[int, ...]
    vp: tuple[int, ...]
    rounds: int
    actions: int
    lines: tuple[str, ...]
    end: State

    def summary(self) -> dict[str, object]:
        """The game in one JSON object; `hash` is the last one of the record and stands for all of it."""
        return {
            "seed": self.seed,
            "players": list(self.players),
            "winner": self.winner,
            "ranks": list(self.ranks),
            "vp": list(self.vp),
            "rounds": self.rounds,
            "actions": self.actions,
            "hash": record.last_hash(self.lines),
        }


def games(players: Sequence[str], board: Board, options: Options, number: int, seed: str) -> Iterator[SelfplayGame]:
    """So many games of the same line-up, each from a seed of its own: `seed-1`, `seed-2` and so on."""
    for game in range(1, number + 1):
        yield play(players, board, options, f"{seed}-{game}")


def play(
    players: Sequence[str],
    board: Board,
    options: Options,
    seed: str,
    bot_seeds: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    look: Look | None = None,
    salt: str = "",
    opening_seed: str = "",
) -> SelfplayGame:
    """One game. The same seeds give the same record on every machine. Raises KeyError for an unknown policy.

    `bot_seeds` are those of the seats; without, each comes from the seed of the game and the seat. `names` are those
    in the record, if they are not those of the policies. `look` leaves the position as it is. With a `salt` the record
    is that of a game with a sealed seed, else of an open one. `opening_seed` gives the draws before the first decision.
    """
    fair = FairChance(seed)
    policies = [POLICIES[player] for player in players]
    own = bot_seeds or [bot_seed(seed, str(seat)) for seat, _ in enumerate(players, start=1)]
    drawn = RecordingChance(FairChance(opening_seed) if opening_seed else fair)
    state = new_game(board, options, drawn)
    opened = {"commitment": commitment(seed, salt), "sealed": True} if salt else {"seed": seed}
    line = record.start_line(state, drawn.picks, names=names or players, opening_seed=opening_seed, **opened)
    lines = [record.dump(line)]
    actions = 0
    while state.phase != "over":
        seat = state.actor
        chance: Chance = fair if players[seat] == "dummy" else decision_chance(own[seat], actions)
        rolled, drawn = RecordingChance(chance), RecordingChance(fair)
        action = policies[seat](state, rolled)
        if look is not None:
            look(state, action)
        apply(state, action, drawn)
        actions += 1
        by = "dummy" if players[seat] == "dummy" else "bot"
        rolls = rolled.picks if by == "dummy" else ()
        entry = record.action_line(actions, seat, by, notation.write(action, board), drawn.picks, rolls)
        line = record.chained(entry, line["hash"], state)
        lines.append(record.dump(line))
    lines.append(record.dump(record.result_line(line["hash"], state, {"seed": seed, "salt": salt} if salt else None)))
    standing = ranks(state)
    winner = standing.index(1) + 1 if standing.count(1) == 1 else None
    return SelfplayGame(
        seed, tuple(players), winner, standing, tuple(state.vp), state.round, actions, tuple(lines), state
    )

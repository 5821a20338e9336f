"""Recorded games among policies in one process."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from vinci_players.builtin import policy
from vinci_rules import engine, notation, record
from vinci_rules.actions import Action
from vinci_rules.board import Board
from vinci_rules.chance import Chance, FairChance, RecordingChance, commitment
from vinci_rules.editions import Options
from vinci_rules.engine import new_game, ranks
from vinci_rules.state import State

from ..seeds import bot_seed, decision_chance

Look: TypeAlias = Callable[[State, Action], None]
"""Called with the position before each action, and the action."""


@dataclass(frozen=True, slots=True)
class SelfplayGame:
    """A game that was played, with its record (`lines`) and final position (`end`).

    `winner` is the seat with rank 1, from 1; None if several seats share it. `thought` are the CPU times of the
    decisions of each seat, in seconds; none for seats that were not timed.
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
    thought: tuple[tuple[float, ...], ...] = field(default=(), compare=False)

    def summary(self) -> dict[str, object]:
        """Return the game as a JSON object; `hash` is the last hash of the record and identifies it."""
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


def mean_ms(times: Sequence[float]) -> float:
    """Return the mean of times in seconds, in ms; 0 without any."""
    return 1000 * sum(times) / max(len(times), 1)


def games(
    players: Sequence[str], board: Board, options: Options, number: int, seed: str, *, times_dummies: bool = False
) -> Iterator[SelfplayGame]:
    """Play `number` games of one line-up with the seeds `seed-1`, `seed-2` and so on."""
    for game in range(1, number + 1):
        yield play(players, board, options, f"{seed}-{game}", times_dummies=times_dummies)


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
    *,
    times_dummies: bool = False,
) -> SelfplayGame:
    """Play one game. Equal seeds give equal records on every machine. Raises UnknownLevel for an unknown policy.

    `players` are policies by seat, `names` their names in the record (by default the policies). `bot_seeds` are the
    seeds of the bots by seat, by default derived from the seed of the game and the seat. `look` is called before each
    action; it must not change the position. A `salt` makes the seed a sealed one, with a commitment in the record.
    `opening_seed` is the seed of the draws before the first decision, if not `seed`. With `times_dummies` the decisions
    of dummies are timed too, which takes a tenth of their games.
    """
    fair = FairChance(seed)
    policies = [policy(player) for player in players]
    own = bot_seeds or [bot_seed(seed, str(seat)) for seat, _ in enumerate(players, start=1)]
    drawn = RecordingChance(FairChance(opening_seed) if opening_seed else fair)
    state = new_game(board, options, drawn)
    opened = {"commitment": commitment(seed, salt), "sealed": True} if salt else {"seed": seed}
    line = record.start_line(state, drawn.picks, names=names or players, opening_seed=opening_seed, **opened)
    lines = [record.dump(line)]
    is_timed = [times_dummies or player != "dummy" for player in players]
    thought: list[list[float]] = [[] for _ in players]
    actions = 0
    while state.phase != "over":
        seat = state.actor
        chance: Chance = fair if players[seat] == "dummy" else decision_chance(own[seat], actions)
        rolled, drawn = RecordingChance(chance), RecordingChance(fair)
        began = time.process_time() if is_timed[seat] else 0.0
        action = policies[seat](state, rolled)
        if is_timed[seat]:
            thought[seat].append(time.process_time() - began)
        if look is not None:
            look(state, action)
        engine.play(state, action, drawn)  # policies return legal actions
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
        seed=seed,
        players=tuple(players),
        winner=winner,
        ranks=standing,
        vp=tuple(state.vp),
        rounds=state.round,
        actions=actions,
        lines=tuple(lines),
        end=state,
        thought=tuple(map(tuple, thought)),
    )

"""Measures how the characters of computer players differ: games among six characters and a player without one.

Usage: python -m tools.measure_characters --level normal --games 400 --seed 1

Every four of the seven play at one table, each at every seat. Printed with intervals of 95 %, for a seat in a game:
provinces taken from others, from the best of them, and from the one that had attacked it last; declines; provinces held
on average after its turns; share of wins, where a shared first place counts in part: 0.25 is an even share.
docs/players.md has the result.
"""

import argparse
import sys
from collections.abc import Iterator
from itertools import combinations, cycle
from statistics import fmean
from typing import Final, NamedTuple, final

from vinci_bots.builtin import selfplay
from vinci_players.characters import CHARACTERS, NOBODY, attacker
from vinci_players.estimates import estimate
from vinci_rules.actions import Action, Conquer, Decline, Hold
from vinci_rules.board import Provinces, load_board
from vinci_rules.editions import options
from vinci_rules.state import State

SEATS: Final = 4


class Measured(NamedTuple):
    """Counts of what a seat did in a game."""

    attacks: float
    on_best: float
    revenge: float
    declines: float
    provinces: float
    wins: float


@final
class Counts:
    """Counts what one seat does in a game."""

    def __init__(self) -> None:
        self.attacks = self.on_best = self.revenge = self.declines = 0
        self.held: Final[list[int]] = []
        self._own: Provinces = 0
        self._foe = NOBODY

    def before(self, state: State, action: Action) -> None:
        """Count an action of the seat to act, which it is about to play."""
        seat = state.actor
        if self._own:
            self._foe = attacker(state, self._own, self._foe)
        self._own = state.provinces_of(seat)
        if isinstance(action, Conquer):
            self._own |= 1 << action.province
            holder = state.owner(action.province)
            if holder is not None and holder.seat != seat:
                best = max(state.vp[other] for other in state.seats() if other != seat)
                self.attacks += 1
                self.on_best += state.vp[holder.seat] == best
                self.revenge += holder.seat == self._foe
        elif isinstance(action, Decline):
            self.declines += 1
        elif isinstance(action, Hold):
            self.held.append(state.empire().provinces.bit_count())


def measured(players: list[str], seed: str) -> Iterator[tuple[str, Measured]]:
    """Play a game and yield what each player did."""
    counts = [Counts() for _ in players]

    def look(state: State, action: Action) -> None:
        counts[state.actor].before(state, action)

    rules = options((False,) * len(players))
    game = selfplay.play(players, load_board("europe"), rules, seed, look=look)
    for player, rank, count in zip(players, game.ranks, counts, strict=True):
        wins = (rank == 1) / game.ranks.count(1)
        yield (
            player,
            Measured(count.attacks, count.on_best, count.revenge, count.declines, fmean(count.held or [0]), wins),
        )


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", default="normal", help="level with a budget or not")
    parser.add_argument("--games", type=int, default=400, help="least number of games of each character")
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    players = [given.level, *(f"{given.level}:{name}" for name in CHARACTERS)]
    found: dict[str, list[Measured]] = {player: [] for player in players}
    for number, line_up in enumerate(cycle(combinations(players, SEATS))):
        if min(map(len, found.values())) >= given.games:
            break
        for turn in range(SEATS):
            seated = [*line_up[turn:], *line_up[:turn]]
            for player, one in measured(seated, f"{given.seed}-{number}-{turn}"):
                found[player].append(one)
    sys.stdout.write(f"{'':24}{'games':>6}" + "".join(f"{name:>16}" for name in Measured._fields) + "\n")
    for player, games in found.items():
        found_of = map(estimate, zip(*games, strict=True))
        cells = [f"{one.mean:7.2f} ±{one.half:5.2f}" for one in found_of]
        sys.stdout.write(f"{player:24}{len(games):6}" + "".join(f"{cell:>16}" for cell in cells) + "\n")


if __name__ == "__main__":
    main()

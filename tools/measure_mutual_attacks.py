"""Measures how often the report of a league flags pairs of bots that spare each other, and honest ones, in real games.

Usage: python -m tools.measure_mutual_attacks --blocks 3000 --seed 1

Each field of computer players plays so many blocks of four games, which are cut into leagues of several sizes. Printed
for each size: leagues, those in which the pair that spares each other is flagged, and those in which any other pair is,
as shares with intervals of 95 % (Wilson). docs/league-method.md has the result.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Final, NamedTuple

import numpy as np

from vinci_bots.seeds import bot_seed, decision_chance
from vinci_players import policy
from vinci_players.builtin import Policy
from vinci_players.builtin import policy as policy_of
from vinci_rules import dummy
from vinci_rules.actions import Action, Conquer
from vinci_rules.board import load_board
from vinci_rules.chance import Chance, FairChance
from vinci_rules.editions import options
from vinci_rules.engine import legal_actions, new_game, play
from vinci_rules.state import Seat, State
from vinci_tournament.definition.combinations import choices
from vinci_tournament.results.game_facts import FactCollector
from vinci_tournament.stats.bootstrap import Integers
from vinci_tournament.stats.mutual_attacks import mutual_attacks

SEATS: Final = 4
SIZES: Final = (5, 10, 15, 25, 50, 100)
"""Blocks of the leagues."""
Z: Final = 1.96


class Field(NamedTuple):
    """Policies of the bots of a league; two of them spare each other in a share of the cases, by place."""

    policies: tuple[str, ...]
    pair: tuple[int, int] = (0, 0)
    share: float = 0.0


ALIKE: Final = ("normal",) * 6
CHARACTERS: Final = (
    "normal",
    "normal:raider",
    "normal:builder",
    "normal:hermit",
    "normal:turncoat",
    "normal:avenger",
    "normal:kingslayer",
    "normal",
)
FIELDS: Final = {
    "six alike": Field(ALIKE),
    "eight characters": Field(CHARACTERS),
    "strong and weak": Field(("easy", "easy", "normal", "normal", "random", "dummy")),
    "two weak, both after the best": Field(
        ("easy:kingslayer", "easy:kingslayer", "normal", "normal", "normal:hermit", "normal:raider")
    ),
    "five": Field(("normal", "easy", "normal:raider", "normal:hermit", "normal:kingslayer")),
    "six alike, two never attack each other": Field(ALIKE, (0, 1), 1.0),
    "eight characters, two never": Field(CHARACTERS, (0, 7), 1.0),
    "six alike, two spare every other time": Field(ALIKE, (0, 1), 0.5),
    "eight characters, two every other time": Field(CHARACTERS, (0, 7), 0.5),
}


class Played(NamedTuple):
    """Games of a field: bots by seat, provinces taken by attacker and victim, and block of each game."""

    line_ups: Integers
    attacks: Integers
    columns: Integers

    def part(self, first: int, last: int) -> "Played":
        """Return the games of some blocks."""
        return Played(*(of[slice(*np.searchsorted(self.columns, (first, last)))] for of in self))


def sparing(of: Policy, partner: Seat, share: float) -> Policy:
    """Return a policy that replaces this share of its attacks on the partner's pawns by its next best conquest."""

    def choose(state: State, chance: Chance) -> Action:
        action = of(state, chance)
        theirs = state.provinces_of(partner)
        if not isinstance(action, Conquer) or not theirs >> action.province & 1 or not state.garrison[action.province]:
            return action
        percent = round(100 * share)
        if chance.pick("spare", (action.province,), ["no"] * (100 - percent) + ["yes"] * percent) == "no":
            return action
        conquest = policy.trained().conquest
        places, prices = policy.targets(state)
        merits = policy.merits(state, places, prices, conquest)
        stop = conquest[policy.STOP] if state.empire().provinces else -np.inf
        others = [one for one in zip(merits, places, strict=True) if not theirs >> one[1] & 1 and one[0] > stop]
        if others:
            return policy.conquest_of(state, max(others)[1])
        return dummy.advised_hold(state) if state.empire().provinces else legal_actions(state)[0]

    return choose


def attacks_of(field: Field, line_up: Sequence[int], seed: str) -> tuple[tuple[int, ...], ...]:
    """Play a game and return the provinces taken by attacker and victim."""
    names = [field.policies[bot] for bot in line_up]
    policies = [policy_of(name) for name in names]
    one, other = field.pair
    if one != other and one in line_up and other in line_up:
        for bot, partner in ((one, other), (other, one)):
            seat = line_up.index(bot)
            policies[seat] = sparing(policies[seat], Seat(line_up.index(partner)), field.share)
    fair = FairChance(seed)
    state = new_game(load_board("europe"), options(tuple(name == "dummy" for name in names)), fair)
    seeds = [bot_seed(seed, str(bot)) for bot in line_up]
    facts, actions = FactCollector(len(names)), 0
    while state.phase != "over":
        seat = state.actor
        chance: Chance = fair if names[seat] == "dummy" else decision_chance(seeds[seat], actions)
        action = policies[seat](state, chance)
        facts.before(state, action)
        play(state, action, fair)
        actions += 1
    return facts.facts(state).attacks


def played(field: Field, blocks: int, seed: str) -> Played:
    """Play blocks: a line-up in all rotations of the seats, the circle in another order each time."""
    shuffled = np.random.default_rng(list(seed.encode()))
    line_ups, attacks = [], []
    for block, chosen in enumerate(choices(len(field.policies), SEATS, blocks)):
        circle = [int(bot) for bot in shuffled.permutation(chosen)]
        for turn in range(SEATS):
            line_ups.append(circle[turn:] + circle[:turn])
            attacks.append(attacks_of(field, line_ups[-1], f"{seed}-{block}-{turn}"))
    return Played(np.array(line_ups), np.array(attacks), np.repeat(np.arange(blocks), SEATS))


def flagged(games: Played, bots: int) -> set[tuple[int, int]]:
    """Return the pairs of bots that a report flags, by place."""
    names = [f"{bot:02}" for bot in range(bots)]
    return {(int(pair.bot), int(pair.other)) for pair in mutual_attacks(*games, names) if pair.is_flagged}


def share(times: int, of: int) -> str:
    """Return a share with its interval as text, in percent."""
    middle, square = (times + Z**2 / 2) / (of + Z**2), times * (of - times) / of + Z**2 / 4
    reach = Z * sqrt(square) / (of + Z**2)
    return f"{100 * times / of:.1f} % ({100 * (middle - reach):.1f} to {100 * (middle + reach):.1f})"


def rows(field: Field, blocks: int, seed: str) -> Iterator[tuple[int, int, str, str]]:
    """Play a field; yield for each size games and leagues, and how often the pair and another one was flagged."""
    games = played(field, blocks, seed)
    for size in SIZES:
        leagues = [games.part(first, first + size) for first in range(0, blocks - size + 1, size)]
        if leagues:
            found = [flagged(league, len(field.policies)) for league in leagues]
            right, wrong = (sum(field.pair in one for one in found), sum(bool(one - {field.pair}) for one in found))
            is_pair = field.share > 0
            yield (
                size * SEATS,
                len(leagues),
                share(right, len(leagues)) if is_pair else "-",
                share(wrong, len(leagues)),
            )


def main() -> None:
    """Measure all fields and print a table; progress goes to stderr."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=int, default=3000, help="blocks of each field")
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    for number, (name, field) in enumerate(FIELDS.items(), start=1):
        sys.stderr.write(f"field {number} of {len(FIELDS)}: {given.blocks * SEATS} games\n")
        sys.stdout.write(f"{name}\n{'games':>8}{'leagues':>9}{'pair flagged':>26}{'another flagged':>26}\n")
        for games, leagues, right, wrong in rows(field, given.blocks, f"{given.seed}-{number}"):
            sys.stdout.write(f"{games:8}{leagues:9}{right:>26}{wrong:>26}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

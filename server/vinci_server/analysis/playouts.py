"""Playouts of positions within a time limit. Pure: the caller provides the clock."""

import hashlib
from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from typing import Final, TypeAlias, final

from vinci_rules import dummy
from vinci_rules.actions import Action
from vinci_rules.chance import Chance, FastChance
from vinci_rules.engine import legal_actions, open_decision, play, ranks
from vinci_rules.playout import random_action
from vinci_rules.state import Seat, State

Policy: TypeAlias = Callable[[State, Chance, Random], Action]
"""Picks a legal action for the seat to act, with the chance of dummies and that of everybody else."""

IsUp: TypeAlias = Callable[[], bool]
"""Whether the time is up; asked before every action."""


def at_random(state: State, _chance: Chance, random: Random) -> Action:
    """Return a random legal action."""
    return random_action(state, random)


def advised(state: State, chance: Chance, _random: Random) -> Action:
    """Return the choice of a dummy at its seat, and its most likely choice at any other."""
    return dummy.choose(state, chance) if state.options.dummies[state.actor] else dummy.advise(state)


@final
class Tally:
    """The results of `playouts` playouts."""

    def __init__(self, seats: int) -> None:
        self.playouts = 0
        self._vp: Final = [0] * seats
        self._margins: Final = [0] * seats
        self._wins: Final = [0.0] * seats

    def add(self, end: State) -> None:
        """Count a game that is over."""
        self.playouts += 1
        standing = ranks(end)
        for seat, vp in enumerate(end.vp):
            self._vp[seat] += vp
            self._margins[seat] += vp - max(end.vp[:seat] + end.vp[seat + 1 :])
            if standing[seat] == 1:
                self._wins[seat] += 1 / standing.count(1)

    def vp(self) -> list[float]:
        """Return the average score of each seat; empty without playouts."""
        return [total / self.playouts for total in self._vp if self.playouts]

    def wins(self) -> list[float]:
        """Return the share of wins of each seat, ties split; empty without playouts."""
        return [total / self.playouts for total in self._wins if self.playouts]

    def margin(self, seat: Seat) -> float:
        """Return the average lead of a seat over its best opponent in VP. Raises ZeroDivisionError without playouts."""
        return self._margins[seat] / self.playouts


def choose(state: State, policy: Policy, seed: str) -> Action:
    """Return the action of a policy in a position. Raises ValueError when the game is over."""
    random = _luck(seed, 0)
    return policy(state, FastChance(random.getrandbits(64)), random)


def tally(state: State, policy: Policy, playouts: int, seed: str, is_up: IsUp) -> Tally:
    """Play playouts from a position until their number or the time is reached; returns their results."""
    results = Tally(len(state.vp))
    for number in range(playouts):
        end = _end(state, policy, _luck(seed, number), is_up)
        if end is None:
            break
        results.add(end)
    return results


def compare(state: State, policy: Policy, playouts: int, seed: str, is_up: IsUp) -> list[tuple[Action, Tally]]:
    """Play playouts with the same draws after each action; returns tried actions, best for the seat to act first."""
    tallies = [(action, Tally(len(state.vp))) for action in _candidates(state)]
    for number, (action, results) in product(range(playouts), tallies):
        end = _end(state, policy, _luck(seed, number), is_up, action)
        if end is None:
            break
        results.add(end)
    known = [(action, results) for action, results in tallies if results.playouts]
    return sorted(known, key=lambda choice: -choice[1].margin(state.actor))


def _candidates(state: State) -> Iterator[Action]:
    yield from legal_actions(state)
    match open_decision(state):
        case "hold":
            yield dummy.advised_hold(state)
        case "redeploy":
            yield dummy.advise(state)


def _end(state: State, policy: Policy, random: Random, is_up: IsUp, first: Action | None = None) -> State | None:
    """Return the end of one playout, perhaps with a given first action; None if the time is up before."""
    end, chance = state.copy(), FastChance(random.getrandbits(64))
    if first is not None:
        play(end, first, chance)
    while end.phase != "over":
        if is_up():
            return None
        play(end, policy(end, chance, random), chance)
    return end


def _luck(seed: str, number: int) -> Random:
    """Return the random numbers of one playout."""
    return Random(int.from_bytes(hashlib.sha256(f"{seed}|playout|{number}".encode()).digest()[:8], "big"))

"""Fast games from a position to the end or for some rounds, for searches and benchmarks.

By default all listed actions are equally likely, and so is the one that has too many forms to list. Only legal actions
are drawn, so they are played without a check.

Example:
    >>> from vinci_rules import position
    >>> state = position.read("tiny; rules max_rounds=3; seat 1 | BAR+CUR; seat 2 | DIP+REN; seat 3 | WEA+MIL")
    >>> results = playouts(state, 20, "example", advised_action, depth=2)
    >>> results.playouts, len(results.mean_vp()), state.round
    (20, 3, 1)
    >>> playout(state, Random(1)) > 0, state.phase
    (True, 'over')
"""

import hashlib
from collections.abc import Callable
from random import Random
from typing import Final, TypeAlias, final

from . import dummy
from .actions import Action, Hold, Redeploy
from .board import Provinces, members
from .chance import Chance, FastChance
from .cohesion import links
from .engine import legal_actions, open_decision, play, ranks
from .reorganisation import Part, Reorganisation
from .state import Seat, State

Policy: TypeAlias = Callable[[State, Random], Action]
"""Returns a legal action of the seat to act; must not change the state."""

NOISE: Final = 0.1
"""Probability that `advised_action` returns a random legal action instead of the advised one."""
WIN: Final = 60
"""Units of a win in `Tally.wins`, divisible by every number of seats that can share it."""
ACTIONS_PER_LOOK: Final = 16
"""Actions between two calls of `is_up`."""


@final
class Tally:
    """Sums of the results of playouts, independent of their order.

    Attributes:
        playouts: number of playouts.
        vp: VP at the end by seat.
        margins: VP ahead of the best opponent at the end by seat.
        wins: wins by seat in units of 1/WIN; seats that share the first place share the win.
    """

    def __init__(self, seats: int) -> None:
        self.playouts = 0
        self.vp: Final = [0] * seats
        self.margins: Final = [0] * seats
        self.wins: Final = [0] * seats

    def add(self, end: State) -> None:
        """Count the position in which a playout ended."""
        self.playouts += 1
        standing = ranks(end)
        share = WIN // standing.count(1)
        for seat in end.seats():
            self.vp[seat] += end.vp[seat]
            self.margins[seat] += end.lead(seat)
            if standing[seat] == 1:
                self.wins[seat] += share

    def join(self, other: "Tally") -> None:
        """Add the sums of another tally of the same seats."""
        self.playouts += other.playouts
        for own, more in ((self.vp, other.vp), (self.margins, other.margins), (self.wins, other.wins)):
            for seat, number in enumerate(more):
                own[seat] += number

    def mean_vp(self) -> list[float]:
        """Return the mean score of each seat; empty without playouts."""
        return [total / self.playouts for total in self.vp if self.playouts]

    def win_shares(self) -> list[float]:
        """Return the share of wins of each seat, ties split; empty without playouts."""
        return [total / (WIN * self.playouts) for total in self.wins if self.playouts]

    def margin(self, seat: Seat) -> float:
        """Return the mean lead of a seat over its best opponent in VP. Raises ZeroDivisionError without playouts."""
        return self.margins[seat] / self.playouts


def playout(
    state: State, random: Random, policy: Policy | None = None, depth: int | None = None, *, dummies: bool = False
) -> int:
    """Play a game from a position to its end, or to the end of a round.

    Args:
        state: the position; it is changed. After a cut it is the position to evaluate, with the scores in `state.vp`.
        random: the source of all random choices.
        policy: gives a legal action of the seat to act, such as `advised_action`; `random_action` if left out.
        depth: rounds to play, the present one included; None for the whole game. A cut falls between two rounds, where
            all seats have had equally many turns, so that their scores can be compared.
        dummies: whether dummies play by their own rules (section 8) instead of by the policy.

    Returns:
        The number of actions played.
    """
    chance = FastChance(random.getrandbits(64))
    return _play_on(state, random, chance, policy or random_action, depth, dummies, None)


def playouts(
    state: State,
    number: int,
    seed: str,
    policy: Policy | None = None,
    depth: int | None = None,
    *,
    dummies: bool = False,
    action: Action | None = None,
    first: int = 0,
    is_up: Callable[[], bool] | None = None,
) -> Tally:
    """Play several playouts of one position.

    Each playout has a number and draws from the seed and this number alone. So the tally of `number=20` is that of
    `number=12` joined with that of `number=8, first=12`, and two actions are compared with the same draws.

    Args:
        state: the position; it is not changed.
        number: number of playouts.
        seed: any text; the source of all random choices.
        policy, depth, dummies: as for `playout`.
        action: a legal action of the seat to act, played first in every playout.
        first: number of the first playout, from 0.
        is_up: returns whether the time is up; called before each playout and after every ACTIONS_PER_LOOK actions. The
            playout that it ends is not counted.

    Returns:
        The summed results.
    """
    followed = policy or random_action
    results = Tally(len(state.vp))
    for place in range(first, first + number):
        if is_up is not None and is_up():
            break
        random = random_of(seed, place)
        chance = FastChance(random.getrandbits(64))
        end = state.copy()
        if action is not None:
            play(end, action, chance)
        if _play_on(end, random, chance, followed, depth, dummies, is_up) < 0:
            break
        results.add(end)
    return results


def random_of(seed: str, number: int) -> Random:
    """Return the random numbers of a playout of `playouts`, given its number."""
    return Random(int.from_bytes(hashlib.sha256(f"{seed}|playout|{number}".encode()).digest()[:8], "big"))


def _play_on(
    state: State,
    random: Random,
    chance: Chance,
    policy: Policy,
    depth: int | None,
    dummies: bool,
    is_up: Callable[[], bool] | None,
) -> int:
    """Play to the end or through `depth` rounds; returns the number of actions, or -1 if the time is up before."""
    cut = -1 if depth is None else state.round + depth
    by_rules = state.options.dummies if dummies else (False,) * len(state.vp)
    played = 0
    while state.phase != "over" and state.round != cut:
        action = dummy.choose(state, chance) if by_rules[state.actor] else policy(state, random)
        play(state, action, chance)
        played += 1
        if is_up is not None and played % ACTIONS_PER_LOOK == 0 and is_up():
            return -1
    return played


def advice(state: State, _random: Random) -> Action:
    """Return the action that a dummy would most likely play, as a policy without draws."""
    return dummy.advise(state)


def advised_action(state: State, random: Random) -> Action:
    """Return the action that a dummy would most likely play, or with probability NOISE a random legal one.

    Without the noise, all playouts from one position would be equal.

    Args:
        state: the position; it is not changed.
        random: the source of all random choices.

    Returns:
        A legal action of the seat to act.
    """
    return random_action(state, random) if random.random() < NOISE else dummy.advise(state)


def random_action(state: State, random: Random) -> Action:
    """Return a random legal action of the seat to act."""
    actions = legal_actions(state)
    freely = open_decision(state)
    place = int(random.random() * (len(actions) + (freely is not None)))
    if place < len(actions):
        return actions[place]
    return random_hold(state, random) if freely == "hold" else random_redeployment(state, random)


def random_hold(state: State, random: Random) -> Hold:
    """Return a random reorganisation without forts.

    It keeps a random part of the empire, or as many connected provinces of it as there are pawns for.
    """
    limits = Reorganisation(state)
    if not limits.parts:
        return Hold()
    part = limits.parts[int(random.random() * len(limits.parts))]
    kept = members(part.provinces)
    surplus = part.most - len(kept)
    if surplus < 0:
        kept, surplus = members(_random_kept(state, limits, part, random)), 0
    pawns, number, draw = [1] * len(kept), len(kept), random.random
    for _ in range(surplus):
        pawns[int(draw() * number)] += 1
    return Hold(tuple([(p, pawns[place]) for place, p in enumerate(kept)]))


def _random_kept(state: State, limits: Reorganisation, part: Part, random: Random) -> Provinces:
    """Return as many provinces of a part as it has pawns, grown from a random one."""
    linked = links(state.board, state.empire())
    kept = near = 0
    for _ in range(part.most):
        choices = members(near or part.provinces & ~kept)
        p = choices[int(random.random() * len(choices))]
        kept |= 1 << p  # `including` inlined: runs for every province kept in a playout
        if limits.connected:
            near = (near | linked[p]) & part.provinces & ~kept
    return kept


def random_redeployment(state: State, random: Random) -> Redeploy:
    """Return a redeployment of the survivors to random provinces of the empire."""
    held = members(state.empire().provinces)
    pawns = [0] * len(held)
    for _ in range(state.survivors[state.actor]):
        pawns[int(random.random() * len(pawns))] += 1
    return Redeploy(tuple([(p, pawns[place]) for place, p in enumerate(held) if pawns[place]]))

"""Fast random games, for searches that play positions to the end and for benchmarks.

All listed actions are equally likely, and so is the one that has too many forms to list. Only legal actions are
drawn, so they are played without a check.

Example:
    >>> from vinci_rules import position
    >>> state = position.read("tiny; rules max_rounds=3; seat 1 | BAR+CUR; seat 2 | DIP+REN; seat 3 | WEA+MIL")
    >>> playout(state, Random(1)) > 0, state.phase
    (True, 'over')
"""

from collections.abc import Callable
from random import Random
from typing import Final

from . import dummy
from .actions import Action, Hold, Redeploy
from .board import Provinces, members
from .chance import FastChance
from .cohesion import links
from .engine import legal_actions, open_decision, play
from .reorganisation import Part, Reorganisation
from .state import State

NOISE: Final = 0.1
"""Probability that `advised_action` returns a random legal action instead of the advised one."""


def playout(state: State, random: Random, policy: Callable[[State, Random], Action] | None = None) -> int:
    """Play a game from a position to its end.

    Args:
        state: the position; it is changed.
        random: the source of all random choices.
        policy: gives a legal action of the seat to act, such as `advised_action`; `random_action` if left out.

    Returns:
        The number of actions played.
    """
    policy = policy or random_action
    chance = FastChance(random.getrandbits(64))
    played = 0
    while state.phase != "over":
        play(state, policy(state, random), chance)
        played += 1
    return played


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
    return Hold(tuple(zip(kept, pawns, strict=True)))


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
    return Redeploy(tuple((p, number) for p, number in zip(held, pawns, strict=True) if number))

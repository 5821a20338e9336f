"""Playouts of a position, in parts that can be computed in any order. Imported by workers: it knows the rules only."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from vinci_rules import dummy
from vinci_rules.actions import Action
from vinci_rules.chance import FastChance
from vinci_rules.engine import legal_actions, open_decision
from vinci_rules.playout import Policy, Tally, advice, playouts, random_action, random_of
from vinci_rules.state import State

PolicyName: TypeAlias = Literal["random", "advice"]

_POLICIES: Final[dict[PolicyName, tuple[Policy, bool]]] = {"random": (random_action, False), "advice": (advice, True)}
"""The policy of all seats, and whether dummies play by their rules instead."""


@dataclass(frozen=True, slots=True)
class Question:
    """Question that playouts answer about a position.

    Attributes:
        position: its text.
        policy: who plays.
        seed: source of all random choices.
        compares: whether playouts begin with an action, each legal one equally often.
    """

    position: str
    policy: PolicyName
    seed: str
    compares: bool


def choose(state: State, policy: PolicyName, seed: str) -> Action:
    """Return the action of a policy in a position. Raises ValueError when the game is over."""
    random = random_of(seed, 0)
    chance = FastChance(random.getrandbits(64))
    play_next, dummies = _POLICIES[policy]
    if dummies and state.options.dummies[state.actor]:
        return dummy.choose(state, chance)
    return play_next(state, random)


def candidates(state: State) -> list[Action]:
    """Return the actions that playouts compare: the legal ones, and one of those with too many forms to list."""
    match open_decision(state):
        case "hold":
            return [*legal_actions(state), dummy.advised_hold(state)]
        case "redeploy":
            return [dummy.advise(state)]
        case None:
            return list(legal_actions(state))


def openings(state: State, question: Question) -> Sequence[Action | None]:
    """Return the first actions of playouts; None for a playout without one."""
    return candidates(state) if question.compares else (None,)


def part(
    state: State, question: Question, tried: Sequence[Action | None], first: int, number: int, is_up: Callable[[], bool]
) -> dict[int, Tally]:
    """Play a part of the playouts of a question.

    Args:
        state: its position.
        question: what is asked.
        tried: the openings of the position; playouts are counted through all openings before the next of each.
        first: number of the first playout, from 0.
        number: number of playouts.
        is_up: as for `playouts`.

    Returns:
        The sums of the finished playouts by opening, its index in `tried`; none without playouts.
    """
    policy, dummies = _POLICIES[question.policy]
    tallies: dict[int, Tally] = {}
    for count in range(first, first + number):
        round_, place = divmod(count, len(tried))
        one = playouts(state, 1, question.seed, policy, dummies=dummies, action=tried[place], first=round_, is_up=is_up)
        if not one.playouts:
            break
        tallies.setdefault(place, Tally(len(state.vp))).join(one)
    return tallies

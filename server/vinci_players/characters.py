"""Characters of computer players: what a player likes besides VP, as weights of what a turn does.

Example:
    >>> sorted(CHARACTERS)
    ['avenger', 'builder', 'hermit', 'kingslayer', 'raider', 'turncoat']
"""

from functools import cache
from random import Random
from typing import Final, NamedTuple

from vinci_rules.actions import Abandon, Action, Conquer, Decline
from vinci_rules.board import Provinces
from vinci_rules.state import Seat, State

from . import policy, weights
from .policy import Policy

NOBODY: Final = -1
"""Instead of a seat."""


class Character(NamedTuple):
    """Worth of what a turn does, in VP besides those of the game.

    Attributes:
        attack: for each province taken from an empire of another seat.
        leader: more for each of them that is of the best opponent.
        revenge: more for each of them that is of the seat that attacked the player last.
        province: for each province won, and off for each one abandoned.
        decline: for a decline.
    """

    attack: float = 0.0
    leader: float = 0.0
    revenge: float = 0.0
    province: float = 0.0
    decline: float = 0.0


CHARACTERS: Final = {
    "raider": Character(attack=2.0),
    "builder": Character(attack=-1.0, province=2.0, decline=-4.0),
    "hermit": Character(attack=-2.0),
    "turncoat": Character(decline=4.0),
    "avenger": Character(revenge=3.5),
    "kingslayer": Character(leader=4.0),
}
"""Characters by name."""


@cache
def policy_of(character: Character, plain: Policy) -> Policy:
    """Return a policy with the worths of a character; it knows nothing of revenge."""
    conquest = dict(zip(weights.CONQUEST, plain.conquest, strict=True))
    conquest["active"] += character.attack
    conquest["declined"] += character.attack
    conquest["leader"] += character.leader
    conquest["stop"] -= character.province
    decline = [character.decline, *[0.0] * (len(weights.DECLINE) - 1)]
    declines = [weight + more for weight, more in zip(plain.decline, decline, strict=True)]
    return Policy(list(conquest.values()), plain.take, declines)


def choose(state: State, random: Random, character: Character, foe: int, heat: float) -> Action:
    """Return a legal action of the seat to act by the policy with the worths of a character.

    Args:
        state: the position; it is not changed.
        random, heat: as for `policy.choose`.
        character: the character.
        foe: the seat that attacked it last, or NOBODY.

    Raises:
        ValueError: the game is over.
    """
    by = policy_of(character, policy.trained())
    action = policy.choose(state, random, by, heat)
    if foe == NOBODY or not character.revenge or not isinstance(action, Conquer):
        return action
    places, prices = policy.targets(state)
    theirs = state.provinces_of(Seat(foe))
    merits = policy.merits(state, places, prices, by.conquest)
    least = merits[places.index(action.province)] - character.revenge
    avenging = [(merit, p) for merit, p in zip(merits, places, strict=True) if theirs >> p & 1 and merit > least]
    return policy.conquest_of(state, max(avenging)[1]) if avenging else action


def liking(state: State, actions: list[Action], character: Character, foe: int) -> float:
    """Return the worth of a turn to a character, in VP.

    Args:
        state: the position before the turn.
        actions: legal actions of the turn.
        character: the character.
        foe: the seat that attacked it last, or NOBODY.
    """
    seat = state.actor
    best = NOBODY
    others: Provinces = 0
    for other in state.seats():
        if other != seat:
            others |= state.provinces_of(other)
            if best == NOBODY or state.vp[other] > state.vp[best]:
                best = other
    of_best, of_foe = state.provinces_of(Seat(best)), state.provinces_of(Seat(foe)) if foe != NOBODY else 0
    worth = 0.0
    for action in actions:
        if isinstance(action, Conquer):
            bit: Provinces = 1 << action.province
            worth += character.province
            if others & bit:
                worth += character.attack
            if of_best & bit:
                worth += character.leader
            if of_foe & bit:
                worth += character.revenge
        elif isinstance(action, Abandon):
            worth -= character.province
        elif isinstance(action, Decline):
            worth += character.decline
    return worth


def attacker(state: State, own: Provinces, before: int) -> int:
    """Return the seat that attacked the seat to act last.

    Args:
        state: the position.
        own: provinces of the seat to act after its last action.
        before: the answer before; it stays if nothing was lost since.
    """
    last = before
    for other in state.seats_after(state.actor):
        if state.provinces_of(other) & own:
            last = other
    return last

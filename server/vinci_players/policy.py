"""The policy of simulations: decisions by weighted sums of features, with random ties and without search.

Example:
    >>> from random import Random
    >>> from vinci_rules import position
    >>> from vinci_rules.chance import FastChance
    >>> state = position.read("tiny; seat 1 | BAR+CUR reserve=5; seat 2 | DIP+REN; seat 3 | WEA+MIL")
    >>> quick_turn(state, FastChance(1), Random(1), trained())
    [Conquer(province=5, spies=False), Hold(pawns=((5, 5),), forts=())]
"""

from functools import cache
from random import Random
from typing import Final, final

from vinci_rules import dummy, market, reorganisation
from vinci_rules.actions import CONQUER, CONQUER_BY_SPIES, DECLINE, Action, Conquer, Peace, Stay, Take
from vinci_rules.board import Province, Provinces, members
from vinci_rules.chance import Chance
from vinci_rules.conquest import SPIES_COST, campaign_of
from vinci_rules.engine import EXPANSION_PHASES, is_last_round, play, suggestion
from vinci_rules.scoring import land_vp
from vinci_rules.state import Seat, State
from vinci_rules.traits import DIPLOMACY, GENERAL, GENERAL_PAWNS, RENAISSANCE, SPIES, copies_of, strength_of

from . import weights

MOST_ROUNDS: Final = 12.0
"""Rounds left that make a difference; more count as this many."""
SMALLEST_INCOME: Final = 5.0
GROWTH: Final = 1.1
"""A seat's future income by its present one, to estimate the end of the game."""
NEW_STRENGTH: Final = 6.0
"""Pawns of a typical civilization, without extra pawns."""
STOP: Final = weights.CONQUEST.index("stop")
PER_ROUND: Final = 0.1
"""Scale of features that are multiplied by the rounds left."""


@final
class Policy:
    """Weights of the features of conquests, civilizations and declines, in the order of `weights.py`."""

    def __init__(self, conquest: list[float], take: list[float], decline: list[float]) -> None:
        self.conquest: Final = conquest
        self.take: Final = take
        self.decline: Final = decline


@cache
def trained() -> Policy:
    """Return the policy that plays best by itself."""
    return Policy(**weights.read())


@cache
def simulating() -> Policy:
    """Return the policy with which simulations find the best turns."""
    return Policy(**weights.read("simulations"))


def choose(state: State, random: Random, policy: Policy, heat: float) -> Action:
    """Return a legal action of the seat to act.

    Args:
        state: the position; it is not changed.
        random: source of ties and noise.
        policy: the weights.
        heat: size of the noise on merits, in VP; 0 for the best actions only.

    Raises:
        ValueError: the game is over.
    """
    phase = state.phase
    if phase in EXPANSION_PHASES:
        if phase == "start" and (state.actor in state.must_decline or declines(state, random, policy, heat)):
            return DECLINE
        if phase in ("start", "peace") and (named := peace(state)):
            return named
        return conquest(state, random, policy, heat) or dummy.advised_hold(state)
    if phase == "draft":
        return take(state, random, policy, heat)
    if phase == "renaissance":
        return DECLINE if declines(state, random, policy, heat) else Stay()
    if phase == "over":
        raise ValueError("the game is over")
    return suggestion(state)


def quick_turn(state: State, chance: Chance, random: Random, policy: Policy, heat: float = 1.0) -> list[Action]:
    """Play a turn of the seat to act, with the redeployments after it.

    Args:
        state: the position, changed in place.
        chance: draws civilizations.
        random, policy, heat: as for `choose`.

    Returns:
        The actions played.
    """
    turn, current = state.turn, state.round
    played: list[Action] = []
    while state.turn == turn and state.round == current and state.phase != "over":
        action = choose(state, random, policy, heat)
        played.append(action)
        play(state, action, chance)
    return played


def play_on(state: State, chance: Chance, random: Random, policy: Policy, heat: float, until: int = -1) -> None:
    """Play to the end of the game, or to the beginning of the round `until`; dummies play by their rules."""
    while state.phase != "over" and state.round != until:
        play_one(state, chance, random, policy, heat)


def play_one(state: State, chance: Chance, random: Random, policy: Policy, heat: float) -> None:
    """Play one action of the seat to act; dummies play by their rules."""
    by_rules = state.options.dummies[state.actor]
    play(state, dummy.choose(state, chance) if by_rules else choose(state, random, policy, heat), chance)


def rounds_left(state: State) -> float:
    """Return about how many rounds follow this one, from scores and incomes (R-END-1); at most MOST_ROUNDS."""
    if state.target_reached:
        return 0.0
    left = min(float(state.options.max_rounds - state.round), MOST_ROUNDS)
    for seat in state.seats():
        income = land_vp(state.board, state.active[seat]) + land_vp(state.board, state.declined[seat])
        rounds = (state.options.target - state.vp[seat]) / max(income * GROWTH, SMALLEST_INCOME)
        if rounds < left:
            left = rounds
    return max(left, 0.0)


def decline_features(state: State) -> list[float]:
    """Return the features of a decline; their weighted sum is its advantage over going on, in VP."""
    seat, empire = state.actor, state.empire()
    after = state.phase == "renaissance"
    turns = rounds_left(state)
    here = float(land_vp(state.board, empire))
    fading = float(land_vp(state.board, state.declined[seat]))
    pawns = float(empire.reserve - GENERAL_PAWNS * empire.copies[GENERAL])
    if after:
        pawns = float(reorganisation.pawns_in(state, empire.provinces) - empire.provinces.bit_count())
    new = NEW_STRENGTH + state.options.extra_pawns[seat]
    result = [1.0, turns, here, fading, pawns, 1.0 if after else 0.0]
    result += [turns * PER_ROUND * times for times in (here, fading, pawns, new)]
    return result


def declines(state: State, random: Random, policy: Policy, heat: float) -> bool:
    """Return whether to decline now; with Renaissance not before scoring."""
    empire = state.empire()
    if not empire.provinces or (state.phase == "start" and empire.copies[RENAISSANCE]):
        return False
    noise = 3.0 * heat * (random.random() + random.random() - 1.0)
    return _weighted(decline_features(state), policy.decline) + noise > 0.0


def take_features(state: State, slot: int, rounds: float) -> list[float]:
    """Return the features of taking a slot with so many rounds left; their weighted sum is its worth in VP."""
    civilization = state.market[slot]
    turns = rounds * PER_ROUND
    copies = copies_of(civilization.traits)
    strength = float(strength_of(civilization.traits, state.options.strengths))
    result = [float(market.MARKER_VP * civilization.markers - market.price(slot)), strength, strength * turns]
    result += [float(number) for number in copies]
    result += [number * turns for number in copies]
    return result


def take(state: State, random: Random, policy: Policy, heat: float) -> Take:
    """Return the civilization to take."""
    best = 0
    most = -1e9
    rounds = rounds_left(state)
    for slot in market.affordable_slots(state):
        merit = _weighted(take_features(state, slot, rounds), policy.take) + 2.0 * heat * random.random()
        if merit > most:
            best, most = slot, merit
    return Take(best)


def peace(state: State) -> Peace | None:
    """Return peace with the best opponent that has an empire, if Diplomacy still allows one."""
    seat = state.actor
    if len(state.named[seat]) >= state.empire().copies[DIPLOMACY]:
        return None
    best = -1
    most = -1
    for other in state.seats():
        open_to_peace = other != seat and other not in state.named[seat] and other not in state.forfeited
        if open_to_peace and state.active[other] is not None and state.vp[other] > most:
            best, most = other, state.vp[other]
    return Peace(Seat(best)) if best >= 0 else None


def conquest(state: State, random: Random, policy: Policy, heat: float) -> Conquer | None:
    """Return the next conquest, or None to end the conquests."""
    places, prices = targets(state)
    best = -1
    most = policy.conquest[STOP] if state.empire().provinces else -1e9
    for place, merit in enumerate(merits(state, places, prices, policy.conquest)):
        if heat:
            merit += heat * random.random()
        if merit > most:
            best, most = place, merit
    return conquest_of(state, places[best]) if best >= 0 else None


def conquest_of(state: State, target: Province) -> Conquer:
    """Return the conquest of a target, by Spies if they save pawns."""
    cost = campaign_of(state).costs[target] + state.garrison[target]
    spies = cost > SPIES_COST and state.empire().copies[SPIES] > state.spied
    return CONQUER_BY_SPIES[target] if spies else CONQUER[target]


def targets(state: State) -> tuple[list[Province], list[int]]:
    """Return the provinces that the seat to act can conquer, and their prices in pawns."""
    empire, garrison = state.empire(), state.garrison
    places: list[Province] = []
    prices: list[int] = []
    if not empire.reserve:
        return places, prices
    spies = empire.copies[SPIES] > state.spied
    campaign = campaign_of(state)
    for p in members(campaign.reachable):
        price = max(campaign.costs[p] + garrison[p], 0)
        if spies and price > SPIES_COST:
            price = SPIES_COST
        if price <= empire.reserve:
            places.append(p)
            prices.append(price)
    return places, prices


def merits(state: State, places: list[Province], prices: list[int], conquest: list[float]) -> list[float]:
    """Return the merits of targets by the weights of conquests."""
    if not places:
        return []
    seat, own, neighbours = state.actor, state.empire().provinces, state.board.neighbours
    active: Provinces = 0
    declined: Provinces = 0
    leader: Provinces = 0
    best = -1
    for other in state.seats():
        if other != seat:
            foe, fallen = state.active[other], state.declined[other]
            theirs: Provinces = 0 if foe is None else foe.provinces
            active |= theirs
            if fallen is not None:
                declined |= fallen.provinces
                theirs |= fallen.provinces
            if state.vp[other] > best:
                best, leader = state.vp[other], theirs
    vp, price, worthless, of_active, of_leader, of_declined, beside_own, beside_foes, beside_free, _, last = conquest
    per_vp = vp + (last if is_last_round(state) else 0.0)
    result: list[float] = []
    for place, value in enumerate(dummy.values(state, places)):
        bit: Provinces = 1 << places[place]
        near = neighbours[places[place]]
        merit = per_vp * value + price * prices[place]
        if value <= 0:
            merit += worthless
        if active & bit:
            merit += of_active
        if leader & bit:
            merit += of_leader
        if declined & bit:
            merit += of_declined
        merit += beside_own * (near & own).bit_count() + beside_foes * (near & active).bit_count()
        result.append(merit + beside_free * (near & ~active & ~own).bit_count())
    return result


def _weighted(features: list[float], by: list[float]) -> float:
    total = 0.0
    for place, feature in enumerate(features):
        total += feature * by[place]
    return total

"""Whole turns to choose from: samples of the policy, and more and better ones by a beam search, for a few ms."""

from random import Random
from typing import Final, TypeAlias, final

from vinci_rules import dummy, market
from vinci_rules.actions import ABANDON, DECLINE, Action, Conquer, Hold, Peace, Stay, Take
from vinci_rules.board import Province, Provinces, members
from vinci_rules.chance import FastChance
from vinci_rules.conquest import conquests
from vinci_rules.defence import even, lowest
from vinci_rules.engine import legal_actions, open_decision, play, suggestion
from vinci_rules.scoring import land_vp, slavery_vp, worth
from vinci_rules.state import Seat, State
from vinci_rules.traits import DIPLOMACY, MILITIA, RENAISSANCE

from . import policy
from .policy import Policy
from .value import ACTIVE_RISK, at_risk, price_of, reaches

COOL: Final = 1.0
HOT: Final = 3.0
"""Noise of sampled turns, alternately, in VP."""
UNTRIED: Final = -1e9
"""Mean utility of a plan without simulations, which comes after all others."""
EARLY_END: Final = 0.1
"""Probability that every fifth sample ends its conquests before the next one."""
PAWN_VP: Final = 1.2
"""Worth of a pawn in reserve while conquests go on, in VP."""
HIT: Final = 0.5
LEADER_HIT: Final = 0.8
"""Worth of a VP a turn that an opponent loses, and of one that the best opponent loses, in VP."""
BRANCHES: Final = 12
"""Conquests tried after each position; all of them for an empire that enters."""
ABANDONED: Final = 3
"""Provinces of little worth that are tried to abandon, one at a time."""
LAND_VP: Final = 0.5
"""Worth of holding a province for a turn besides its VP, when pawns are placed."""

Result: TypeAlias = tuple[Provinces, Provinces, tuple[int, ...], int]
"""Result of a turn: the provinces of the seat, all forts, all garrisons, and the slot taken or -1."""


@final
class Plan:
    """Actions to the end of a turn, the utilities of the simulations that began with them, and a worth besides."""

    def __init__(self, actions: list[Action]) -> None:
        self.actions: Final = actions
        self.total = 0.0
        self.simulations = 0
        self.liking = 0.0

    def mean(self) -> float:
        """Return the mean utility and the worth besides it; UNTRIED without simulations."""
        return self.total / self.simulations + self.liking if self.simulations else UNTRIED


def plans(state: State, random: Random, weights: Policy, samples: int, width: int = 0) -> list[Plan]:
    """Return turns of the seat to act that lead to different positions.

    Args:
        state: the position; it is not changed.
        random: source of the samples.
        weights: the policy that samples conquests.
        samples: number of expansions to sample. The first one is the best by the policy; then some abandon provinces,
            enter anywhere or end early.
        width: positions kept after each conquest of a beam search for more expansions; three times as many at first for
            an empire that enters. 0 for no such search.

    Returns:
        Each choice of a civilization, each with a decline if one is legal now, and the expansions, each with an even
        defence and one of the frontier, those of the beam search also with one where most is at risk. Never empty.

    Raises:
        ValueError: the game is over.
    """
    match state.phase:
        case "over":
            raise ValueError("the game is over")
        case "draft":
            return [Plan([Take(slot)]) for slot in market.affordable_slots(state)]
        case "renaissance":
            return [Plan([Stay()]), *_declines(state)]
        case "redeploy":
            return [Plan([suggestion(state)])]
    found = _declines(state) if state.phase == "start" else []
    if state.phase == "start" and state.actor in state.must_decline:
        return found
    known: dict[Result, Plan] = {}
    for number in range(samples):
        _sample(state, random, weights, number, known)
    if width:
        _beam(state, width, known)
    return found + list(known.values())


def _declines(state: State) -> list[Plan]:
    return [Plan([DECLINE, Take(slot)]) for slot in market.affordable_slots(state)]


def _sample(state: State, random: Random, weights: Policy, number: int, known: dict[Result, Plan]) -> None:
    """Add an expansion with its reorganisations to the known ones."""
    end, chance = state.copy(), FastChance(number)
    actions: list[Action] = []
    for action in _before_conquests(end, random, number):
        actions.append(action)
        play(end, action, chance)
    while True:
        chosen = _conquest(end, random, weights, number)
        early = number % 5 == 4 and random.random() < EARLY_END
        if chosen is not None and ABANDON[chosen.province] in actions:
            return  # the same without both was cheaper
        if chosen is None or (early and open_decision(end) == "hold"):
            break
        actions.append(chosen)
        play(end, chosen, chance)
    for hold in holds(end):
        _add(end, actions, hold, known)


def _conquest(state: State, random: Random, weights: Policy, number: int) -> Conquer | None:
    """Return the next conquest of a sample: anywhere for an empire that enters, otherwise by the policy with noise."""
    if number and not state.empire().provinces:
        choices = conquests(state)
        if choices:
            return choices[int(random.random() * len(choices))]
    return policy.conquest(state, random, weights, 0.0 if number == 0 else HOT if number % 2 else COOL)


def _before_conquests(state: State, random: Random, number: int) -> list[Action]:
    """Return peace with a seat, if Diplomacy allows it, and for every fourth sample one or two provinces to abandon."""
    first: list[Action] = []
    named = len(state.named[state.actor])
    if state.phase in ("start", "peace") and named < state.empire().copies[DIPLOMACY]:
        others = [action for action in legal_actions(state) if isinstance(action, Peace)]
        best = policy.peace(state)
        if others and number % 3 == 2:
            first.append(others[int(random.random() * len(others))])
        elif best is not None:
            first.append(best)
    held = members(state.empire().provinces)
    if state.phase != "conquer" and number % 4 == 3 and len(held) > 2:
        places = random.sample(range(len(held)), 1 + number // 4 % 2)
        first += [ABANDON[held[place]] for place in places]
    return first


def _add(state: State, actions: list[Action], hold: Hold, known: dict[Result, Plan]) -> None:
    """Add the turn that ends with a reorganisation; with Renaissance also those that decline after it."""
    after, seat = state.copy(), state.actor
    renaissance = state.empire().copies[RENAISSANCE] > 0
    play(after, hold, FastChance(0))
    result = result_of(after, seat)
    if result in known:
        return
    if not renaissance:
        known[result] = Plan([*actions, hold])
        return
    known[result] = Plan([*actions, hold, Stay()])
    for slot in market.affordable_slots(after):
        known[*result[:3], slot] = Plan([*actions, hold, DECLINE, Take(slot)])


def result_of(after: State, seat: Seat) -> Result:
    """Return the result of a turn without a decline."""
    empire = after.active[seat]
    return 0 if empire is None else empire.provinces, after.forts, tuple(after.garrison), -1


def holds(state: State) -> list[Hold]:
    """Return an even defence with the forts of a dummy, and one of the provinces only that foes can reach."""
    plain = dummy.advised_hold(state)
    placed = dict(plain.pawns)
    spare = sum(placed.values()) - len(placed)
    if not spare:
        return [plain]
    reached: Provinces = 0
    for seat, reach in enumerate(reaches(state)):
        if seat != state.actor:
            reached |= reach
    front = [p for p in placed if reached >> p & 1]
    if not front or len(front) == len(placed):
        return [plain]
    pawns = dict(zip(front, even(state, state.actor, front, [1] * len(front), spare, lowest), strict=True))
    return [plain, Hold(tuple((p, pawns.get(p, 1)) for p in placed), plain.forts)]


@final
class Node:
    """A position during the conquests of a turn, the actions that lead to it, and its merit in VP."""

    def __init__(self, state: State, actions: list[Action], hits: float) -> None:
        self.state: Final = state
        self.actions: Final = actions
        self.hits: Final = hits
        empire = state.empire()
        vp = land_vp(state.board, empire) + land_vp(state.board, state.declined[state.actor])
        self.merit: Final = vp + slavery_vp(state, empire) + PAWN_VP * empire.reserve + hits

    def worth(self) -> float:
        """Return the merit, to sort by."""
        return self.merit


def _beam(state: State, width: int, known: dict[Result, Plan]) -> None:
    """Add the expansions of a beam search to the known ones."""
    root, actions = state.copy(), list[Action]()
    while root.phase in ("start", "peace") and (named := policy.peace(root)) is not None:
        actions.append(named)
        play(root, named, FastChance(0))
    nodes = [Node(root, actions, 0.0), *_abandoning(root, actions)]
    wide = width if root.empire().provinces else 3 * width
    leader = max([seat for seat in root.seats() if seat != root.actor], key=root.vp.__getitem__)
    while nodes:
        children: dict[tuple[Provinces, int], Node] = {}
        for node in nodes:
            enters = node.state.empire().provinces == 0
            if not _grow(node, children, len(state.garrison) if enters else BRANCHES, leader) or not enters:
                for hold in [*holds(node.state), *_by_threat(node.state)]:
                    _add(node.state, node.actions, hold, known)
        nodes = sorted(children.values(), key=Node.worth, reverse=True)[:wide]
        wide = max(width, wide - width // 2)


def _abandoning(root: State, actions: list[Action]) -> list[Node]:
    """Return the positions after each of a few provinces of little worth is abandoned."""
    found: list[Node] = []
    held = members(root.empire().provinces)
    if root.phase == "conquer" or len(held) <= ABANDONED:
        return found
    vp = worth(root.board, root.empire().traits)
    for p in sorted(held, key=vp.__getitem__)[:ABANDONED]:
        if vp[p] <= 1:
            after = root.copy()
            play(after, ABANDON[p], FastChance(0))
            found.append(Node(after, [*actions, ABANDON[p]], 0.0))
    return found


def _grow(node: Node, children: dict[tuple[Provinces, int], Node], most: int, leader: Seat) -> bool:
    """Add the positions after each of the best conquests; return whether there are any."""
    state = node.state
    places, prices = policy.targets(state)
    vp = worth(state.board, state.empire().traits)
    ranked: list[tuple[float, int, float]] = []
    for place, p in enumerate(places):
        if ABANDON[p] not in node.actions:
            hit = _hit(state, p, leader)
            ranked.append((vp[p] + hit - PAWN_VP * prices[place], place, hit))
    ranked.sort(reverse=True)
    for _, place, hit in ranked[:most]:
        action, after = policy.conquest_of(state, places[place]), state.copy()
        play(after, action, FastChance(0))
        child = Node(after, [*node.actions, action], node.hits + hit)
        key = (after.empire().provinces, after.spied)
        other_way = children.get(key)
        if other_way is None or other_way.merit < child.merit:
            children[key] = child
    return len(ranked) > 0


def _hit(state: State, province: Province, leader: Seat) -> float:
    """Return the worth of what another seat loses with a province."""
    if not state.garrison[province] or state.neutral >> province & 1:
        return 0.0
    owner = state.owner(province)
    if owner is None or owner.seat == state.actor:
        return 0.0
    empire = state.active[owner.seat] if owner.active else state.declined[owner.seat]
    assert empire is not None
    return worth(state.board, empire.traits)[province] * (LEADER_HIT if owner.seat == leader else HIT)


def _by_threat(state: State) -> list[Hold]:
    """Return the reorganisation that puts each spare pawn where it lowers the VP at risk most, if any is spare."""
    plain = dummy.advised_hold(state)
    kept = [p for p, _ in plain.pawns]
    spare = sum([pawns for _, pawns in plain.pawns]) - len(kept)
    if not spare:
        return []
    reach = [reached for seat, reached in enumerate(reaches(state)) if seat != state.actor]
    empire = state.empire()
    vp, pawns = worth(state.board, empire.traits), [1] * len(kept)
    prices = [price_of(state, p, 1) + empire.copies[MILITIA] + (1 if p in plain.forts else 0) for p in kept]
    for _ in range(spare):
        best = 0
        most = -1.0
        for place, p in enumerate(kept):
            risk = at_risk(p, reach, prices[place], ACTIVE_RISK) - at_risk(p, reach, prices[place] + 1, ACTIVE_RISK)
            if (vp[p] + LAND_VP) * risk > most:
                best, most = place, (vp[p] + LAND_VP) * risk
        prices[best] += 1
        pawns[best] += 1
    return [Hold(tuple([(p, pawns[place]) for place, p in enumerate(kept)]), plain.forts)]

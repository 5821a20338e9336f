"""Conquests: targets in reach, their cost, and the consequences (R-ENTRY, R-CONQ, R-CONTACT).

The cost of a target is its terrain and the pawns on it, plus surcharges (forts, Militia), minus skills of the attacker
(Weapons, Mountaineers), minus the best saving of a route that reaches it (from a mountain or a fort, along a coast).

Example:
    Seat 1 attacks the Alps from a fort in Provence, with one copy each of Galleys and Weapons. The Alps are mountains
    (3) with two pawns (2) and Militia (1); Weapons, the fort, and the coast shared with Provence save 1 each.

    >>> from vinci_rules import position
    >>> state = position.read("europe; seat 1 | GAL+WEA reserve=5 PRO^; seat 2 | MIL+FOR ALP=2; seat 3 | BAR+CUR")
    >>> alps = state.board.index["ALP"]
    >>> dict(cost_items(state, alps))
    {'terrain': 3, 'pawns': 2, 'militia': 1, 'weapons': -1, 'from_fort': -1, 'galleys': -1}
    >>> cost(state, alps)
    3
    >>> conquer(state, Conquer(alps), log=None)
    >>> state.garrison[alps], state.empire().reserve, state.survivors
    (3, 2, [0, 1, 0])
"""

from functools import cache
from typing import Final, TypeAlias

from .actions import CONQUER, CONQUER_BY_SPIES, Conquer
from .board import Board, Province, Provinces, has, including, members
from .campaign import Campaign, Reach, ReachFromEach
from .decline import collapse_if_landless, shrink_declined
from .events import Conquered, Evacuated, Held, Log
from .state import Empire, Seat, State
from .traits import (
    ASTRONOMY,
    GALLEYS,
    HERITAGE,
    MILITIA,
    MOUNTAINEERS,
    REVOLUTION,
    SPIES,
    WEAPONS,
    Copies,
    Traits,
    copies_of,
)
from .violations import AtPeace, InContact, NoSpies, NotEnoughPawns, OutOfReach, OwnHeritage, OwnProvince, Violation

SPIES_COST: Final = 2

CostItem: TypeAlias = tuple[str, int]
"""A part of a cost: its source, and the pawns that it adds or, if negative, saves."""

Route: TypeAlias = tuple[Provinces, int, tuple[CostItem, ...]]
"""A way to attack: the provinces that it reaches, the pawns that it saves, and the parts of this saving."""

Surcharge: TypeAlias = tuple[str, Provinces, int]
"""A part of the cost that does not depend on the route: source, provinces, and pawns for each province."""

_FROM_MOUNTAIN: Final[CostItem] = ("from_mountain", -1)
_FROM_FORT: Final[CostItem] = ("from_fort", -1)
_ALONG_COAST: Final[tuple[CostItem, ...]] = tuple(("galleys", -copies) for copies in range(3))


def campaign_of(state: State) -> Campaign:
    """Return the campaign of the seat to act; the state keeps it until another action than a conquest."""
    if state.campaign is None:
        state.campaign = new_campaign(state)
    return state.campaign


def new_campaign(state: State) -> Campaign:
    """Return the campaign of the seat to act, computed anew."""
    empire, board, forts = state.empire(), state.board, state.forts
    plain, reach_from = _attack(board, empire.traits, state.options.forts_by_sea == "yes")
    defences = _defences(state)
    campaign = Campaign(_raised(plain, defences) if defences else plain, reach_from, _forbidden(state, empire))
    reachable: Provinces = 0
    for base in members(empire.provinces):
        reached, savings = reach_from[forts >> base & 1][base]  # `has` inlined: runs for every province
        reachable |= reached
        if savings:
            campaign.save(savings)
    if not empire.provinces:
        reachable, savings = _entry_reach(board, empire.traits, state.options.galleys_on_entry)
        campaign.save(savings)
    campaign.reachable = reachable & ~campaign.forbidden
    return campaign


def cost(state: State, target: Province) -> int:
    """Return the cost of a reachable province in pawns, without Spies (R-CONQ-3, R-CONQ-4)."""
    return max(campaign_of(state).costs[target] + state.garrison[target], 0)


def cost_items(state: State, target: Province) -> tuple[CostItem, ...]:
    """Return the parts of `cost`, without those of 0 pawns. A negative sum means a cost of 0."""
    empire = state.empire()
    parts: list[CostItem] = [("terrain", state.board.cost[target]), ("pawns", state.garrison[target])]
    surcharges = _defences(state) + _skills(state.board, empire.copies)
    parts += [(source, pawns) for source, provinces, pawns in surcharges if has(provinces, target)]
    _, _, saved = max((route for route in _routes(state, empire) if has(route[0], target)), key=lambda route: route[1])
    return tuple(part for part in (*parts, *saved) if part[1])


def conquests(state: State) -> list[Conquer]:
    """Return every legal conquest of the seat to act."""
    empire, campaign = state.empire(), campaign_of(state)
    costs, garrison, reserve, targets = campaign.costs, state.garrison, empire.reserve, members(campaign.reachable)
    legal = [CONQUER[p] for p in targets if costs[p] + garrison[p] <= reserve]
    if empire.copies[SPIES] > state.spied and reserve >= SPIES_COST:
        legal += [CONQUER_BY_SPIES[p] for p in targets]
    return legal


def may_conquer(state: State) -> bool:
    """Return whether `conquests` lists any."""
    empire, campaign = state.empire(), campaign_of(state)
    costs, garrison, reserve = campaign.costs, state.garrison, empire.reserve
    if empire.copies[SPIES] > state.spied and reserve >= SPIES_COST:
        return campaign.reachable != 0
    return any(costs[p] + garrison[p] <= reserve for p in members(campaign.reachable))


def price(state: State, action: Conquer) -> int:
    """Return the pawns that a conquest places."""
    return SPIES_COST if action.spies else cost(state, action.province)


def refusal(state: State, action: Conquer) -> Violation | None:
    """Return why this conquest is illegal, or None."""
    empire, target, reachable = state.empire(), action.province, campaign_of(state).reachable
    if not has(reachable, target):
        rule = "R-CONQ-1" if empire.provinces else "R-ENTRY-1"
        return _protected(state, target) or OutOfReach(rule, target, reachable)
    if action.spies and empire.copies[SPIES] <= state.spied:
        return NoSpies(empire.copies[SPIES])
    if (needed := price(state, action)) > empire.reserve:
        return NotEnoughPawns("R-CONQ-7" if action.spies else "R-CONQ-3", target, needed, empire.reserve)
    return None


def _protected(state: State, target: Province) -> Violation | None:
    """Return the rule that protects a province from conquest by any route, or None."""
    seat, empire = state.actor, state.empire()
    if has(empire.provinces, target):
        return OwnProvince(target)
    if not has(campaign_of(state).forbidden, target):
        return None
    if (owner := state.owner(target)) and owner.active and state.at_peace(seat, owner.seat):
        return AtPeace(target, owner.seat)
    if empire.copies[HERITAGE]:
        return OwnHeritage(target)
    declined = state.declined[seat]
    assert declined is not None
    return InContact(target, declined.provinces & including(state.board.neighbours[target], target))


def conquer(state: State, action: Conquer, log: Log) -> None:
    """Play a legal conquest (R-CONQ-5 to R-CONQ-7) and empty own declined provinces in contact (R-CONTACT-1)."""
    seat, empire, target = state.actor, state.empire(), action.province
    bit = 1 << target  # the set of the target alone; tested inline, as every playout comes through here
    campaign = campaign_of(state)
    pawns = state.garrison[target]
    placed = price(state, action)
    fort = state.forts & bit
    held: Held = "nobody"
    defender: Seat | None = None
    if state.neutral & bit:
        held = "neutral"
        state.neutral ^= bit
    elif pawns and (owner := state.owner(target)):
        defender = owner.seat
        held = "active" if owner.active else "declined"
    if pawns and defender != seat:
        state.eliminated += 1
    if action.spies:
        state.spied += 1
    state.garrison[target] = placed
    state.forts ^= fort
    if log is not None:
        log.append(
            Conquered(seat, target, placed, action.spies, held, defender, min(pawns, 1), max(pawns - 1, 0), bool(fort))
        )
    if empire.provinces:
        campaign.extend(target)
    else:
        state.campaign = None  # the next conquest is not an entry
    if defender is not None:
        _defeat(state, defender, held, bit, pawns, log)
    state.active[seat] = empire.having(empire.provinces | bit, empire.reserve - placed)
    if state.declined[seat] is not None:
        _evacuate(state, seat, target, log)


def _defeat(state: State, defender: Seat, held: Held, bit: Provinces, pawns: int, log: Log) -> None:
    """Remove a province from its defender; all of its pawns but one survive (R-CONQ-6)."""
    if held == "declined":
        shrink_declined(state, defender, bit, log)
        return
    loser = state.active[defender]
    assert loser is not None
    state.active[defender] = loser.having(loser.provinces ^ bit, loser.reserve)
    state.survivors[defender] += pawns - 1
    collapse_if_landless(state, defender, log)


def _evacuate(state: State, seat: Seat, conquered: Province, log: Log) -> None:
    """Empty own declined provinces in contact with the conquered one, except with Heritage (R-CONTACT-1)."""
    declined, empire = state.declined[seat], state.active[seat]
    assert declined is not None
    assert empire is not None
    touched = state.board.neighbours[conquered] & declined.provinces
    if touched and not empire.copies[HERITAGE]:
        if log is not None:
            log.append(Evacuated(seat, touched))
        for p in members(touched):
            state.garrison[p] = 0
        state.forts &= ~touched
        state.campaign = None  # empty provinces cost less
        shrink_declined(state, seat, touched, log)


def _routes(state: State, empire: Empire) -> tuple[Route, ...]:
    """Return the routes of the seat to act: from its provinces, or by sea and over the edge to enter (R-ENTRY)."""
    board, galleys, astronomy = state.board, empire.copies[GALLEYS], empire.copies[ASTRONOMY]
    if empire.provinces:
        forts_by_sea = state.options.forts_by_sea == "yes"
        return _inland_routes(board, galleys, astronomy, forts_by_sea, empire.provinces, state.forts)
    return _entry_routes(board, empire.copies, state.options.galleys_on_entry)


def _entry_routes(board: Board, copies: Copies, galleys_on_entry: str) -> tuple[Route, ...]:
    """Return the routes by sea and over the edge (R-ENTRY-1 to R-ENTRY-3)."""
    galleys, astronomy = copies[GALLEYS], copies[ASTRONOMY]
    by_sea = board.entry_by_any_sea if astronomy else board.entry_by_sea
    on_foot = board.having["province"] if copies[REVOLUTION] else board.on_edge
    if galleys_on_entry == "no" or (galleys_on_entry == "astronomy" and not astronomy):
        galleys = 0
    return (by_sea, galleys, (_ALONG_COAST[galleys],)), (on_foot, 0, ())


def _inland_routes(
    board: Board, galleys: int, astronomy: int, forts_by_sea: bool, origins: Provinces, forts: Provinces
) -> tuple[Route, ...]:
    """Return the routes from held provinces, by land and, with Astronomy, by sea (R-CONQ-1 to R-CONQ-4)."""
    bases: list[tuple[Provinces, tuple[CostItem, ...]]] = [(origins, ())]
    mountains = origins & board.mountains
    forts &= origins
    if mountains:
        bases.append((mountains, (_FROM_MOUNTAIN,)))
    if forts:
        bases.append((forts, (_FROM_FORT,)))
    if mountains & forts:
        bases.append((mountains & forts, (_FROM_MOUNTAIN, _FROM_FORT)))
    routes = [(board.around(base), len(saved), saved) for base, saved in bases]
    if galleys:
        for base, saved in bases:
            routes.append((board.along_coast(base), len(saved) + galleys, (*saved, _ALONG_COAST[galleys])))
    if astronomy:
        routes.append((board.across_sea(origins), galleys, (_ALONG_COAST[galleys],)))
        if forts_by_sea:
            routes.append((board.across_sea(forts), 1 + galleys, (_FROM_FORT, _ALONG_COAST[galleys])))
    return tuple(routes)


@cache
def _reach_from_each(board: Board, galleys: int, astronomy: int, forts_by_sea: bool) -> ReachFromEach:
    """Return the reach of each province of a board, first without a fort, then with one."""
    without, fortified = (
        tuple(
            _reach(_inland_routes(board, galleys, astronomy, forts_by_sea, 1 << p, fort << p)) for p in board.provinces
        )
        for fort in (0, 1)
    )
    return without, fortified


@cache
def _entry_reach(board: Board, traits: Traits, galleys_on_entry: str) -> Reach:
    """Return the reach of an empire with these traits that enters."""
    return _reach(_entry_routes(board, copies_of(traits), galleys_on_entry))


def _reach(routes: tuple[Route, ...]) -> Reach:
    """Return the provinces that some routes reach, and the best saving for each."""
    reached: Provinces = 0
    savings: dict[Province, int] = {}
    for reaches, saves, _ in routes:
        reached |= reaches
        if saves:
            for p in members(reaches):
                savings[p] = max(saves, savings.get(p, 0))
    return reached, tuple(savings.items())


def _defences(state: State) -> list[Surcharge]:
    """Return the surcharges for every attacker: forts, and Militia of active empires (R-CONQ-3)."""
    militia: list[Surcharge] = [
        ("militia", empire.provinces, empire.copies[MILITIA])
        for empire in state.active
        if empire is not None and empire.copies[MILITIA]
    ]
    return [("fort", state.forts, 1), *militia] if state.forts else militia


def _skills(board: Board, copies: Copies) -> list[Surcharge]:
    """Return the savings of an attacker with these traits on any route (R-CONQ-3)."""
    weapons: Surcharge = ("weapons", board.having["province"], -copies[WEAPONS])
    return [weapons, ("mountaineers", board.mountains, -copies[MOUNTAINEERS])]


def _raised(costs: tuple[int, ...], surcharges: list[Surcharge]) -> tuple[int, ...]:
    """Return the cost of each province with the surcharges added."""
    raised = list(costs)
    for _, provinces, pawns in surcharges:
        for p in members(provinces):
            raised[p] += pawns
    return tuple(raised)


@cache
def _attack(board: Board, traits: Traits, forts_by_sea: bool) -> tuple[tuple[int, ...], ReachFromEach]:
    """Return what traits alone decide of an attack: the cost of each empty province, without routes, and `Reach`."""
    copies = copies_of(traits)
    costs = _raised(board.cost, _skills(board, copies))
    return costs, _reach_from_each(board, copies[GALLEYS], copies[ASTRONOMY], forts_by_sea)


def _forbidden(state: State, empire: Empire) -> Provinces:
    """Return the provinces protected from the seat to act: its own, by peace (R-PEACE-1), and by R-CONTACT."""
    seat = state.actor
    declined = state.declined[seat]
    forbidden = empire.provinces
    if any(named for named in state.named):
        for other in state.seats_after(seat):
            active = state.active[other]
            if active is not None and state.at_peace(seat, other):
                forbidden |= active.provinces
    if declined is not None:
        if empire.copies[HERITAGE]:
            if state.options.heritage_conquest == "forbidden":
                forbidden |= declined.provinces
        elif state.options.own_decline_contact == "forbid":
            forbidden |= declined.provinces | state.board.around(declined.provinces)
    return forbidden

"""The actions of dummies (section 8). Dice and ties come from the `Chance` that is passed in."""

from collections.abc import Sequence
from typing import Final, assert_never, final

from . import redeployment, reorganisation
from .actions import CONQUER, CONQUER_BY_SPIES, Action, Conquer, Decline, Hold, Peace, Redeploy, Stay, Take
from .board import Province, Provinces, has, members
from .chance import Chance, pick_one
from .conquest import SPIES_COST, campaign_of, cost
from .defence import attack_cost
from .scoring import land_vp, worth
from .state import Seat, State
from .traits import DIPLOMACY, FORTS, GALLEYS, GENERAL, GENERAL_PAWNS, HERITAGE, RENAISSANCE, SLAVERY, SPIES

POOR_EMPIRE_VP: Final = 10
MOST_FREE_PAWNS: Final = 5
MOST_FREE_PAWNS_OF_GENERAL: Final = 2
OFF_GENERALS_ROLL: Final = 2
DIE: Final = ("1", "2", "3", "4", "5", "6")


def choose(state: State, chance: Chance) -> Action:
    """Return the action of the seat to act as a dummy in its place; it is legal.

    Raises ValueError when the game is over.
    """
    match state.phase:
        case "draft":
            return Take(0)
        case "start" | "peace" | "abandon" | "conquer":
            return _before_conquests(state, chance) or _conquest(state, chance) or _hold(state, chance)
        case "renaissance":
            free = reorganisation.pawns_in(state, state.empire().provinces) - state.empire().provinces.bit_count()
            return Decline() if _declines(state, free + state.empire().reserve, chance) else Stay()
        case "redeploy":
            return _redeploy(state, chance)
        case "over":
            raise ValueError("the game is over")
        case _:
            assert_never(state.phase)


def advise(state: State, chance: Chance | None = None) -> Action:
    """Return the most likely action of a dummy in the place of any seat; with a chance, dice and ties are drawn.

    It is legal. Raises ValueError when the game is over.
    """
    if chance is not None:
        return choose(state, chance)
    if state.phase == "redeploy":
        return redeployment.suggestion(state, state.actor)
    if state.phase in ("draft", "renaissance", "over"):
        return choose(state, _Likely())
    return _before_conquests(state, _Likely()) or _conquest(state, _Likely()) or advised_hold(state)


def advised_hold(state: State) -> Hold:
    """Return the suggested reorganisation of any seat with the most likely forts of a dummy; it is legal."""
    held = reorganisation.suggestion(state)
    return Hold(held.pawns, _forts(state, _Likely(), [p for p, _ in held.pawns]))


@final
class _Likely:
    """Picks the first candidate, and 4 with the die, so that a decline is advised if it is more likely than not."""

    def pick(self, purpose: str, key: tuple[int, ...], candidates: Sequence[str]) -> str:
        return "4" if purpose == "die" else candidates[0]


def value(state: State, province: Province) -> int:
    """Return the value of a province to the seat to act: VP, plus Slavery, minus lost declined VP (R-DUMMY-3)."""
    return values(state, (province,))[0]


def values(state: State, provinces: Sequence[Province]) -> list[int]:
    """Return the `value` of each of these provinces."""
    board, empire, declined = state.board, state.empire(), state.declined[state.actor]
    vp, slavery = worth(board, empire.traits), empire.copies[SLAVERY]
    if declined is None and not slavery:
        return [vp[p] for p in provinces]
    fading = 0 if declined is None else declined.provinces
    fading_vp = vp if declined is None else worth(board, declined.traits)
    found: list[int] = []
    for p in provinces:
        bit, total = 1 << p, vp[p]
        lost = fading & (bit if empire.copies[HERITAGE] else bit | board.neighbours[p])
        if lost:
            for q in members(lost):
                total -= fading_vp[q]
        if slavery and state.garrison[p] and not lost & bit:
            total += slavery
        found.append(total)
    return found


def _before_conquests(state: State, chance: Chance) -> Decline | Peace | None:
    """Return a decline or a peace, or None to conquer (R-DUMMY-5, R-DUMMY-6)."""
    seat, empire = state.actor, state.empire()
    if state.phase == "start":
        free = empire.reserve - GENERAL_PAWNS * empire.copies[GENERAL]
        if seat in state.must_decline or (not empire.copies[RENAISSANCE] and _declines(state, free, chance)):
            return Decline()
    if state.phase in ("start", "peace") and len(state.named[seat]) < empire.copies[DIPLOMACY]:
        excluded = {seat, *state.named[seat], *state.forfeited}
        seats = [
            str(other + 1) for other in state.seats() if other not in excluded and not state.options.dummies[other]
        ]
        if seats:
            return Peace(Seat(int(pick_one(chance, "peace", (*_place(state), len(state.named[seat])), seats)) - 1))
    return None


def _declines(state: State, free: int, chance: Chance) -> bool:
    """Return whether a poor empire with few free pawns declines, by a die (R-DUMMY-5)."""
    empire, general = state.empire(), state.empire().copies[GENERAL]
    most = MOST_FREE_PAWNS_OF_GENERAL if general else MOST_FREE_PAWNS
    if land_vp(state.board, empire) >= POOR_EMPIRE_VP or not 0 <= free <= most:
        return False
    roll = int(chance.pick("die", _place(state), DIE))
    return roll - (OFF_GENERALS_ROLL if general else 0) > free


def _conquest(state: State, chance: Chance) -> Conquer | None:
    """Return the next conquest, or None without reserve or affordable target (R-DUMMY-3, R-DUMMY-6)."""
    empire, board = state.empire(), state.board
    if not empire.reserve:
        return None
    spies = empire.copies[SPIES] > state.spied
    compared = spies and state.options.dummy_spies == "always"
    prices = _prices(state, compared)
    if spies and not prices and not reorganisation.may_hold(state):  # with `tie`, an entry that is forced (R-ENTRY-4)
        compared = True
        prices = _prices(state, compared)
    choices = list(prices)
    if empire.copies[GALLEYS] and not empire.provinces:
        choices = _prefer(choices, board.open_sea)
    if not choices:
        return None
    choices = _best(state, choices, prices)
    if len(choices) > 1:
        choices = _preferred(state, choices)
    else:
        spies = compared
    key = (*_place(state), empire.provinces.bit_count())
    target = _draw_province(state, chance, "conquest", key, choices)
    return CONQUER_BY_SPIES[target] if spies and cost(state, target) > SPIES_COST else CONQUER[target]


def _prices(state: State, by_spies: bool) -> dict[Province, int]:
    """Return the cost of each affordable province, with Spies at most 2."""
    campaign, garrison, most = campaign_of(state), state.garrison, state.empire().reserve
    prices: dict[Province, int] = {}
    for p in members(campaign.reachable):
        price = max(campaign.costs[p] + garrison[p], 0)
        if by_spies and price > SPIES_COST:
            price = SPIES_COST
        if price <= most:
            prices[p] = price
    return prices


def _best(state: State, choices: list[Province], prices: dict[Province, int]) -> list[Province]:
    """Return the choices with the highest rank: by value and then price, or by the formula of the options."""
    formula = state.options.dummy_preference == "formula"
    best, best_merit, best_price = choices[:0], 0, 0
    for place, merit in enumerate(values(state, choices)):
        price = prices[choices[place]]
        if formula:
            merit = 2 * merit - price
        if not best or merit > best_merit or (merit == best_merit and price < best_price):
            best, best_merit, best_price = [choices[place]], merit, price
        elif merit == best_merit and price == best_price:
            best.append(choices[place])
    return best


def _preferred(state: State, choices: list[Province]) -> list[Province]:
    """Return the choices of equal rank that are preferred (R-DUMMY-6): beside own heritage, then of real players."""
    empire, declined = state.empire(), state.declined[state.actor]
    if empire.copies[HERITAGE] and declined is not None:
        opponents: Provinces = 0
        for seat in state.seats():
            other = state.active[seat]
            if other is not None and seat != state.actor:
                opponents |= other.provinces
        choices = _prefer(choices, state.board.around(declined.provinces) & opponents)
    if state.options.dummy_tie == "real_player":
        real: Provinces = 0
        for seat in state.seats():
            if not state.options.dummies[seat]:
                for held in (state.active[seat], state.declined[seat]):
                    real |= 0 if held is None else held.provinces
        choices = _prefer(choices, real)
    return choices


def _hold(state: State, chance: Chance) -> Hold:
    """Keep the most valuable provinces with an even defence, then build forts (R-DUMMY-4, R-DUMMY-6)."""
    limits = reorganisation.Reorganisation(state)
    if not limits.parts:
        return Hold()
    everything = limits.parts[0]
    kept = list(members(everything.provinces))
    if len(limits.parts) > 1 or (limits.connected and everything.most < len(kept)):  # a seat that is no dummy
        held = reorganisation.suggestion(state, limits)
        return Hold(held.pawns, _forts(state, chance, [p for p, _ in held.pawns]))
    if everything.most < len(kept):
        kept = _to_keep(state, chance, kept, everything.most)

    def pick_tie(step: int, tied: Sequence[Province]) -> Province:
        return _draw_province(state, chance, "defence", (*_place(state), step), tied)

    placed = reorganisation.defended(state, kept, everything.most, pick_tie)
    return Hold(placed, _forts(state, chance, kept))


def _to_keep(state: State, chance: Chance, held: list[Province], number: int) -> list[Province]:
    """Return the provinces to keep with too few pawns: the most valuable, then those with the highest cost."""
    vp = worth(state.board, state.empire().traits)
    merits = {p: (vp[p], attack_cost(state, p)) for p in held}
    kept: list[Province] = []
    while len(kept) < number:
        best = max(merits.values())
        tied = [p for p, merit in merits.items() if merit == best]
        kept.append(_draw_province(state, chance, "keep", (*_place(state), len(kept)), tied))
        del merits[kept[-1]]
    return sorted(kept)


def _forts(state: State, chance: Chance, kept: Sequence[Province]) -> tuple[Province, ...]:
    """Return where to build forts: by foreign and neutral neighbours with pawns, then by the value of these."""
    number = state.empire().copies[FORTS]
    if not number:
        return ()
    exposures = {p: _exposure(state, p) for p in kept if not has(state.forts, p)}
    chosen: list[Province] = []
    while exposures and len(chosen) < number:
        most = max(exposures.values())
        tied = [p for p, exposure in exposures.items() if exposure == most]
        chosen.append(_draw_province(state, chance, "fort", (*_place(state), len(chosen)), tied))
        del exposures[chosen[-1]]
    return tuple(sorted(chosen))


def _exposure(state: State, province: Province) -> tuple[int, int]:
    near = state.board.neighbours[province] & ~state.provinces_of(state.actor)
    others = [p for p in members(near) if state.garrison[p]]
    return len(others), sum(values(state, others))


def _redeploy(state: State, chance: Chance) -> Redeploy:
    attacker = state.order[state.turn]

    def pick_tie(step: int, tied: Sequence[Province]) -> Province:
        key = (state.round, attacker + 1, state.actor + 1, step)
        return _draw_province(state, chance, "redeploy", key, tied)

    return Redeploy(redeployment.spread(state, state.actor, pick_tie))


def _prefer(choices: list[Province], wanted: Provinces) -> list[Province]:
    """Return the choices among the wanted provinces, or all if none is wanted."""
    return [p for p in choices if has(wanted, p)] or choices


def _place(state: State) -> tuple[int, int]:
    """Return the first two numbers of every key: round, and seat from 1."""
    return state.round, state.actor + 1


def _draw_province(
    state: State, chance: Chance, purpose: str, key: tuple[int, ...], tied: Sequence[Province]
) -> Province:
    if len(tied) == 1:
        return tied[0]
    return state.board.index[chance.pick(purpose, key, [state.board.codes[p] for p in tied])]

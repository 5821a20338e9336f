"""The actions of dummies (section 8). Dice and ties come from the `Chance` that is passed in."""

from collections.abc import Callable, Sequence
from typing import Final, assert_never, final

from . import redeployment, reorganisation
from .actions import Action, Conquer, Decline, Hold, Peace, Redeploy, Stay, Take
from .board import Province, has, members
from .chance import Chance, pick_one
from .conquest import SPIES_COST, campaign_of, cost
from .defence import attack_cost, even
from .scoring import land_vp, worth
from .state import Seat, State
from .traits import DIPLOMACY, FORTS, GALLEYS, GENERAL, GENERAL_PAWNS, HERITAGE, RENAISSANCE, SLAVERY, SPIES

POOR_EMPIRE_VP: Final = 10
MOST_FREE_PAWNS: Final = 5
MOST_FREE_PAWNS_OF_GENERAL: Final = 2
OFF_GENERALS_ROLL: Final = 2
DIE: Final = ("1", "2", "3", "4", "5", "6")


def choose(state: State, chance: Chance) -> Action:
    """Return the action of the dummy to act. Raises ValueError when the game is over."""
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


def advise(state: State) -> Action:
    """Return the most likely action of a dummy in the place of any seat; it is legal.

    Raises ValueError when the game is over.
    """
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
    seat, empire = state.actor, state.empire()
    declined, bit = state.declined[seat], 1 << province
    total = worth(state.board, empire.traits)[province]
    lost = 0
    if declined is not None:
        touched = bit if empire.copies[HERITAGE] else bit | state.board.neighbours[province]
        lost = declined.provinces & touched
        total -= sum(worth(state.board, declined.traits)[p] for p in members(lost))
    if state.garrison[province] and not lost & bit:
        total += empire.copies[SLAVERY]
    return total


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
    prices = {p: cost(state, p) for p in members(campaign_of(state).reachable)}
    if spies:
        prices = {p: min(price, SPIES_COST) for p, price in prices.items()}
    choices = [p for p, price in prices.items() if price <= empire.reserve]
    if empire.copies[GALLEYS] and not empire.provinces:
        choices = _prefer(choices, lambda p: has(board.open_sea, p))
    if not choices:
        return None

    def rank(p: Province) -> tuple[int, int]:
        if state.options.dummy_preference == "formula":
            return prices[p] - 2 * value(state, p), prices[p]
        return -value(state, p), prices[p]

    ranks = {p: rank(p) for p in choices}
    choices = [p for p in choices if ranks[p] == min(ranks.values())]
    declined = state.declined[state.actor]
    if empire.copies[HERITAGE] and declined is not None:
        border = board.around(declined.provinces)
        choices = _prefer(choices, lambda p: has(border, p) and _held_by_opponent(state, p))
    if state.options.dummy_tie == "real_player":
        choices = _prefer(choices, lambda p: (owner := state.owner(p)) and not state.options.dummies[owner.seat])
    target = _draw_province(state, chance, "conquest", (*_place(state), empire.provinces.bit_count()), choices)
    return Conquer(target, spies=spies and cost(state, target) > SPIES_COST)


def _hold(state: State, chance: Chance) -> Hold:
    """Keep the most valuable provinces with an even defence, then build forts (R-DUMMY-4, R-DUMMY-6)."""
    limits = reorganisation.Reorganisation(state)
    if not limits.parts:
        return Hold()
    (everything,) = limits.parts
    kept = list(members(everything.provinces))
    if everything.most < len(kept):
        kept = _to_keep(state, chance, kept, everything.most)

    def pick_tie(step: int, tied: Sequence[Province]) -> Province:
        return _draw_province(state, chance, "defence", (*_place(state), step), tied)

    placed = even(state, state.actor, dict.fromkeys(kept, 1), everything.most - len(kept), pick_tie)
    return Hold(reorganisation.placement(placed), _forts(state, chance, kept))


def _to_keep(state: State, chance: Chance, held: list[Province], number: int) -> list[Province]:
    """Return the provinces to keep with too few pawns: the most valuable, then those with the highest cost."""
    vp = worth(state.board, state.empire().traits)
    kept: list[Province] = []
    while len(kept) < number:
        left = [p for p in held if p not in kept]
        best = max((vp[p], attack_cost(state, p)) for p in left)
        tied = [p for p in left if (vp[p], attack_cost(state, p)) == best]
        kept.append(_draw_province(state, chance, "keep", (*_place(state), len(kept)), tied))
    return sorted(kept)


def _forts(state: State, chance: Chance, kept: list[Province]) -> tuple[Province, ...]:
    """Return where to build forts: by foreign and neutral neighbours with pawns, then by the value of these."""
    chosen: list[Province] = []
    while len(chosen) < state.empire().copies[FORTS]:
        ranks = {p: _exposure(state, p) for p in kept if p not in chosen and not has(state.forts, p)}
        if not ranks:
            break
        tied = [p for p in ranks if ranks[p] == max(ranks.values())]
        chosen.append(_draw_province(state, chance, "fort", (*_place(state), len(chosen)), tied))
    return tuple(sorted(chosen))


def _exposure(state: State, province: Province) -> tuple[int, int]:
    seat = state.actor
    own = state.empire().provinces
    declined = state.declined[seat]
    if declined is not None:
        own |= declined.provinces
    others = [p for p in members(state.board.neighbours[province] & ~own) if state.garrison[p]]
    return len(others), sum(value(state, p) for p in others)


def _redeploy(state: State, chance: Chance) -> Redeploy:
    attacker = state.order[state.turn]

    def pick_tie(step: int, tied: Sequence[Province]) -> Province:
        key = (state.round, attacker + 1, state.actor + 1, step)
        return _draw_province(state, chance, "redeploy", key, tied)

    return Redeploy(redeployment.spread(state, state.actor, pick_tie))


def _held_by_opponent(state: State, province: Province) -> bool:
    owner = state.owner(province)
    return owner is not None and owner.active and owner.seat != state.actor


def _prefer(choices: list[Province], wanted: Callable[[Province], object]) -> list[Province]:
    """Return the wanted choices, or all if none is wanted."""
    return [p for p in choices if wanted(p)] or choices


def _place(state: State) -> tuple[int, int]:
    """Return the first two numbers of every key: round, and seat from 1."""
    return state.round, state.actor + 1


def _draw_province(
    state: State, chance: Chance, purpose: str, key: tuple[int, ...], tied: Sequence[Province]
) -> Province:
    return state.board.index[pick_one(chance, purpose, key, [state.board.codes[p] for p in tied])]

"""Comparison of the arms of a study: everything that its report shows, computed from the facts of the games."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias, TypeVar

import numpy as np

from ..stats.values import Estimate
from .effects import CODES, OUTCOMES, OUTCOMES_OF_PAIRS, Effects, effects_of
from .facts import GameFacts, pair_of
from .inference import Effect, Measured, effects, interval, mean_by_block

T = TypeVar("T")

FIGURES: Final[dict[str, Callable[[GameFacts], float]]] = {
    "rounds": lambda game: game.rounds,
    "lead_changes": lambda game: game.lead_changes,
    "lead": lambda game: game.lead,
    "winner_vp": lambda game: max(game.vp),
    "civilizations": lambda game: len(game.takings) / len(game.vp),
}
"""Figures of a game by name."""

BLOCKS: Final = 1_000_000
"""Blocks of tables with one seat more have numbers that are greater by this."""

DIGITS: Final = {"worth": 2, "margin": 2, "win": 4}

ByOutcome: TypeAlias = Mapping[str, Effect]


@dataclass(frozen=True, slots=True)
class TraitReport:
    """A trait in an arm.

    Attributes:
        taken: civilizations with it that were taken.
        share: share of its offers that a seat could pay for at which it was taken.
        cost: mean VP paid for a civilization with it, less the VP that lay on it.
        effects: by outcome; empty with too few games.
    """

    trait: str
    taken: int
    share: Estimate
    cost: Estimate
    effects: ByOutcome = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PairReport:
    """A pair of traits in an arm: times that it was taken, and effects beyond those of its two traits, by outcome."""

    traits: tuple[str, ...]
    taken: int
    effects: ByOutcome


@dataclass(frozen=True, slots=True)
class Difference:
    """An arm compared with the base, by blocks of equal seeds.

    Attributes:
        figures: differences of the figures of a game, by number of seats and name.
        traits: differences of the effects of traits, by trait and outcome.
        pairs: likewise of pairs of traits, such as `AGR+WEA`.
        shares: differences of the shares of offers at which a trait was taken, by trait.
        costs: differences of mean costs, by trait.

    All but `figures` are empty with too few games for effects.
    """

    figures: Mapping[int, Mapping[str, Effect]]
    traits: Mapping[str, ByOutcome]
    pairs: Mapping[str, ByOutcome]
    shares: Mapping[str, Effect]
    costs: Mapping[str, Effect]


@dataclass(frozen=True, slots=True)
class ArmReport:
    """An arm: its games without those with a forfeit, and how many these were.

    `changed` are the traits that it changes. `figures` are means of games by number of seats and name, `wins` the win
    shares by place in the order of play for each number of seats, and `places` how far these are from an even share;
    empty with too few games. `lengths` and `leads` count the games by rounds and
    by the winner's lead in VP.
    """

    name: str
    changed: tuple[str, ...]
    games: int
    blocks: int
    forfeits: int
    figures: Mapping[int, Mapping[str, Estimate]]
    wins: Mapping[int, tuple[Estimate, ...]]
    lengths: Mapping[int, int]
    leads: Mapping[int, int]
    traits: tuple[TraitReport, ...]
    pairs: tuple[PairReport, ...]
    difference: Difference | None = None
    places: Mapping[int, tuple[Effect, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A study with its arms, the base first. `complete` is set when all planned games are played."""

    bots: tuple[str, ...]
    seats: tuple[int, ...]
    board: str
    seed: str
    planned: int
    complete: bool
    engine: str
    arms: tuple[ArmReport, ...]


@dataclass(frozen=True, slots=True)
class ArmGames:
    """The games of an arm: its name, the traits that it changes, games by number of seats, and number of forfeits."""

    name: str
    changed: tuple[str, ...]
    games: Mapping[int, Sequence[GameFacts]]
    forfeits: int = 0


@dataclass(frozen=True, slots=True)
class _Arm:
    """Measurements of an arm that can be compared with those of another one."""

    games: tuple[GameFacts, ...]
    figures: dict[tuple[int, str], Measured]
    shares: Measured
    costs: Measured
    effects: Effects | None


def compare(arms: Sequence[ArmGames]) -> list[ArmReport]:
    """Return the reports of the arms, each compared with the first one."""
    measured = [_measured(arm) for arm in arms]
    reports = []
    for arm, one in zip(arms, measured, strict=True):
        difference = None if one is measured[0] else _difference(one, measured[0], arm.changed)
        reports.append(_report(arm, one, difference))
    return reports


def _measured(arm: ArmGames) -> _Arm:
    games = tuple(replace(game, block=game.block + BLOCKS * seats) for seats, of in arm.games.items() for game in of)
    figures = {
        (seats, name): mean_by_block(
            _by_block([(game.block, figure(game)) for game in games if len(game.vp) == seats]), f"{seats} {name}"
        )
        for seats in arm.games
        for name, figure in FIGURES.items()
    }
    shares: list[Measured] = []
    costs: list[Measured] = []
    offers = _offers(games)
    for code in CODES:
        if offers[code]:
            shares.append(mean_by_block(_by_block([(block, float(taken)) for block, taken, _ in offers[code]]), code))
        if taken := [(block, float(cost)) for block, is_taken, cost in offers[code] if is_taken]:
            costs.append(mean_by_block(_by_block(taken), code))
    return _Arm(games, figures, joined(shares), joined(costs), effects_of(games))


def _offers(games: Sequence[GameFacts]) -> defaultdict[str, list[tuple[int, bool, int]]]:
    """Return for each trait its offers: the block, whether it was taken, and the cost of what was taken."""
    offers: defaultdict[str, list[tuple[int, bool, int]]] = defaultdict(list)
    for game in games:
        for taking in game.takings:
            traits, cost = taking.traits, taking.cost
            for code in {code for pair in taking.offered for code in pair_of(pair)}:
                offers[code].append((game.block, code in traits, cost))
    return offers


def _by_block(values: Sequence[tuple[int, float]]) -> dict[int, list[float]]:
    by_block: defaultdict[int, list[float]] = defaultdict(list)
    for block, value in values:
        by_block[block].append(value)
    return by_block


def joined(parts: Sequence[Measured]) -> Measured:
    """Return several measurements as one; a block that one of them lacks has no influence on it."""
    blocks = tuple(sorted({block for part in parts for block in part.blocks}))
    place = {block: number for number, block in enumerate(blocks)}
    influence, present = np.zeros((len(blocks), len(parts))), np.zeros((len(blocks), len(parts)), dtype=bool)
    for column, part in enumerate(parts):
        rows = [place[block] for block in part.blocks]
        influence[rows, column], present[rows, column] = part.influence[:, 0], part.present[:, 0]
    names = tuple(part.names[0] for part in parts)
    return Measured(names, blocks, np.array([part.value[0] for part in parts]), influence, present)


def _difference(arm: _Arm, base: _Arm, changed: Sequence[str]) -> Difference:
    shared = [key for key in arm.figures if key in base.figures]
    figures = effects(joined([arm.figures[key].minus(base.figures[key]) for key in shared]))
    by_seats = _by_seats({(seats, name): figures[f"{seats} {name}"] for seats, name in shared})
    if arm.effects is None or base.effects is None:
        return Difference(by_seats, {}, {}, {}, {})
    one, other = arm.effects, base.effects
    return Difference(
        figures=by_seats,
        traits=_by_name({name: one.traits[name].minus(other.traits[name]) for name in OUTCOMES}, changed),
        pairs=_by_name({name: one.pairs[name].minus(other.pairs[name]) for name in OUTCOMES_OF_PAIRS}),
        shares=effects(arm.shares.minus(base.shares), 4, changed),
        costs=effects(arm.costs.minus(base.costs), 2, changed),
    )


def _by_name(measured: Mapping[str, Measured], changed: Sequence[str] = ()) -> dict[str, ByOutcome]:
    """Return the effects by name and outcome."""
    found = {outcome: effects(one, DIGITS[outcome], changed) for outcome, one in measured.items()}
    names = next(iter(measured.values())).names
    return {name: {outcome: found[outcome][name] for outcome in found} for name in names}


def _report(arm: ArmGames, measured: _Arm, difference: Difference | None) -> ArmReport:
    singles = {} if measured.effects is None else _by_name(measured.effects.traits)
    pairs = {} if measured.effects is None else _by_name(measured.effects.pairs)
    taken = Counter(code for game in measured.games for taking in game.takings for code in taking.traits)
    together = Counter(taking.traits for game in measured.games for taking in game.takings)
    shares = {name: interval(measured.shares.only(name), 4) for name in measured.shares.names}
    costs = {name: interval(measured.costs.only(name)) for name in measured.costs.names}
    return ArmReport(
        name=arm.name,
        changed=arm.changed,
        games=len(measured.games),
        blocks=len({game.block for game in measured.games}),
        forfeits=arm.forfeits,
        figures=_by_seats({key: interval(figure) for key, figure in measured.figures.items()}),
        wins={seats: _wins(seats, games) for seats, games in arm.games.items()},
        lengths=dict(sorted(Counter(game.rounds for game in measured.games).items())),
        leads=dict(sorted(Counter(game.lead for game in measured.games).items())),
        traits=tuple(
            TraitReport(code, taken[code], shares[code], costs[code], singles.get(code, {}))
            for code in CODES
            if code in costs
        ),
        pairs=tuple(PairReport(pair_of(name), together[pair_of(name)], of) for name, of in pairs.items()),
        difference=difference,
        places={} if measured.effects is None else {seats: _places(seats, games) for seats, games in arm.games.items()},
    )


def _by_seats(values: Mapping[tuple[int, str], T]) -> dict[int, dict[str, T]]:
    by_seats: dict[int, dict[str, T]] = {}
    for (seats, name), value in values.items():
        by_seats.setdefault(seats, {})[name] = value
    return by_seats


def _wins(seats: int, games: Sequence[GameFacts]) -> tuple[Estimate, ...]:
    """Return the win share of each place in the order of play."""
    return tuple(interval(_win_share(games, place), 4) for place in range(seats))


def _places(seats: int, games: Sequence[GameFacts]) -> tuple[Effect, ...]:
    """Return how far the win share of each place in the order of play is from an even one."""
    found = effects(joined([_win_share(games, place, 1 / seats) for place in range(seats)]), 4)
    return tuple(found[str(place)] for place in range(seats))


def _win_share(games: Sequence[GameFacts], place: int, even: float = 0.0) -> Measured:
    return mean_by_block(_by_block([(game.block, _win(game, place) - even) for game in games]), str(place))


def _win(game: GameFacts, place: int) -> float:
    return (game.ranks[game.order[place]] == 1) / game.ranks.count(1)

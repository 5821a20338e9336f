"""Mutual attacks: how often two bots attack each other, compared with what both do in their games with others.

The expected attacks of a bot on another one in a game are the product of the rate of the attacker, of how often the
victim is attacked, and of an effect of the distance between their seats. These factors are fitted without the attacks
between the two bots (quasi-independence). Attacks in a block vary more than a Poisson distribution; how much more is
estimated from all pairs. See docs/league-method.md, Mutual attacks.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np

from .bootstrap import LEVEL, Array, Integers, rounded, t_quantile
from .separation import Flags
from .values import Estimate, MutualAttackFigures

DIGITS: Final = 2
FEWEST_BOTS: Final = 5
"""With four bots, two that spare each other cannot be told from the two others."""
FEWEST_BLOCKS: Final = 5
STEPS: Final = 60
"""Steps of the fit of rates (iterative proportional fitting)."""
KNOWN: Final = 1e-6
"""Smallest share of the information about a ratio that is left when rates are estimated, too."""


class _Units(NamedTuple):
    """Meetings of two bots in a block, all its games together; index 0 is the first bot attacking the second one.

    Attributes:
        pair: number of the pair [units].
        games: games in which both played [units].
        taken: provinces taken [2, units].
        exposure: meetings in these games, weighted by the effect of the distance between the seats [2, units].
    """

    pair: Integers
    games: Array
    taken: Array
    exposure: Array


class _Table(NamedTuple):
    """Totals by attacker and victim.

    Attributes:
        taken: provinces taken [bots, bots].
        exposure: weighted meetings [bots, bots].
    """

    taken: Array
    exposure: Array


class _Pairs(NamedTuple):
    """Attacks of pairs, in three rows: of the first bot, of the second one, of both.

    Attributes:
        taken: provinces taken [3, pairs].
        expected: provinces expected [3, pairs].
        error: relative variance of what is expected, in units of the dispersion; infinite if unknown [3, pairs].
        dispersion: variance of the attacks of a pair in a block, as a multiple of their mean.
        degrees: degrees of freedom of the dispersion.
    """

    taken: Array
    expected: Array
    error: Array
    dispersion: float
    degrees: int


def mutual_attacks(
    line_ups: Integers, attacks: Integers, columns: Integers, bots: Sequence[str]
) -> tuple[MutualAttackFigures, ...]:
    """Return the figures of all pairs of which enough is known, the lowest upper bound first.

    Pairs that are flagged are left out of the rates, one after another, the lowest ratio first: others would seem to
    spare each other if they were in. There are no figures for fewer than FEWEST_BOTS bots or FEWEST_BLOCKS blocks.

    Args:
        line_ups: number of the bot at each seat, in the order of `bots` [games, seats].
        attacks: provinces taken by attacker and victim [games, seats, seats].
        columns: block of each game [games].
        bots: names of the bots.
    """
    if len(bots) < FEWEST_BOTS or len(np.unique(columns)) < FEWEST_BLOCKS or not attacks.any():
        return ()
    names = list(combinations(bots, 2))
    units = _units(line_ups, attacks, columns, len(bots))
    games = np.bincount(units.pair, units.games, len(names)).astype(int).tolist()
    found = np.zeros(len(names), dtype=bool)
    while True:
        pairs = _compared(units, len(bots), found)
        if pairs is None:
            return ()
        figures = [
            MutualAttackFigures(*both, met, *estimates)
            for both, met, estimates in zip(names, games, _estimates(pairs), strict=True)
        ]
        new = [place for place, pair in enumerate(figures) if pair.is_flagged and not found[place]]
        if not new or found.sum() >= len(bots):
            break
        found[min(new, key=lambda place: (figures[place].mutual.high, place))] = True
    told = [pair for pair in figures if np.isfinite([*pair.mutual, *pair.by_bot, *pair.by_other]).all()]
    return tuple(sorted(told, key=lambda pair: (pair.mutual.high, pair.bot, pair.other)))


def _units(line_ups: Integers, attacks: Integers, columns: Integers, bots: int) -> _Units:
    """Return the meetings of pairs by block; seats of the same bot do not meet."""
    seats = line_ups.shape[1]
    first, second = np.triu_indices(seats, 1)
    distance = np.stack([second - first, first - second]) % seats
    taken = np.stack([attacks[:, first, second], attacks[:, second, first]]).astype(float)
    # The effect of a distance is the mean number of provinces that a seat takes from the one so many seats after it.
    meetings = np.bincount(distance.ravel(), minlength=seats) * len(line_ups)
    effect = np.bincount(distance.ravel(), taken.sum(axis=1).ravel(), seats) / np.maximum(meetings, 1)
    weight = np.broadcast_to((effect[distance] / effect[1:].mean())[:, None, :], taken.shape)
    a, b = line_ups[:, first], line_ups[:, second]
    is_turned = a > b
    taken, weight = (np.where(is_turned, of[::-1], of) for of in (taken, weight))
    low, high = np.minimum(a, b), np.maximum(a, b)
    number = np.zeros((bots, bots), dtype=np.int64)
    number[np.triu_indices(bots, 1)] = np.arange(bots * (bots - 1) // 2)
    key = np.broadcast_to(columns[:, None], a.shape) * bots**2 + number[low, high]
    meets = low != high
    is_first = (key[:, :, None] == key[:, None, :]).argmax(axis=2) == np.arange(len(first))
    keys, unit = np.unique(key[meets], return_inverse=True)
    kinds = (is_first.astype(float), *taken, *weight)
    totals = [np.bincount(unit, of[meets], len(keys)).astype(float) for of in kinds]
    games, *others = totals
    return _Units(keys % bots**2, games, np.stack(others[:2]), np.stack(others[2:]))


def _table(units: _Units, bots: int) -> _Table:
    """Return the totals of all blocks."""
    one, other = np.triu_indices(bots, 1)
    tables = []
    for kind in (units.taken, units.exposure):
        table = np.zeros((bots, bots))
        table[one, other], table[other, one] = (np.bincount(units.pair, of, len(one)) for of in kind)
        tables.append(table)
    return _Table(*tables)


def _compared(units: _Units, bots: int, found: Flags) -> _Pairs | None:
    """Compare all pairs with rates that are fitted without those found; None if nothing is left to compare with."""
    one, other = np.triu_indices(bots, 1)
    is_kept = ~found[units.pair]
    kept = _Units(units.pair[is_kept], units.games[is_kept], units.taken[:, is_kept], units.exposure[:, is_kept])
    every, table = _table(units, bots), _table(kept, bots)
    rates = _rates(table)
    expected = table.exposure * rates
    mean = (kept.exposure * np.stack([rates[one, other], rates[other, one]])[:, kept.pair]).sum(axis=0)
    seen = kept.taken.sum(axis=0)
    of_pair: Array = np.bincount(kept.pair, mean, len(one)).astype(float)
    degrees = len(kept.pair) - int((of_pair > 0).sum())
    if degrees < 1 or not expected.any():
        return None
    # Around the ratio of each pair, so that pairs that spare each other do not add to it.
    ratio = np.bincount(kept.pair, seen, len(one)) / _positive(of_pair)
    dispersion = float(((seen - mean * ratio[kept.pair]) ** 2).sum() / seen.sum()) * len(kept.pair) / degrees
    own = _rates_without(table, one, other)
    of_pairs = np.stack([own[0] * every.exposure[one, other], own[1] * every.exposure[other, one]])
    taken = np.stack([every.taken[one, other], every.taken[other, one]])
    return _Pairs(
        np.vstack([taken, taken.sum(axis=0)]),
        np.vstack([of_pairs, of_pairs.sum(axis=0)]),
        _errors(expected, every.exposure * rates, one, other),
        max(dispersion, 1.0),
        degrees,
    )


def _rates(table: _Table) -> Array:
    """Return the rates of attacks by attacker and victim, products of a factor of each."""
    of_victim = np.ones(len(table.taken))
    for _ in range(STEPS):
        of_attacker = table.taken.sum(axis=1) / _positive(table.exposure @ of_victim)
        of_victim = table.taken.sum(axis=0) / _positive(of_attacker @ table.exposure)
    rates: Array = np.outer(of_attacker, of_victim)
    return rates


def _rates_without(table: _Table, one: Integers, other: Integers) -> tuple[Array, Array]:
    """Return the rates of each pair, of one bot attacking the other and in turn, fitted without their own attacks."""
    row = np.arange(len(one))
    forth, back = table.exposure[one, other], table.exposure[other, one]
    by_attacker, by_victim = (np.tile(table.taken.sum(axis=axis), (len(one), 1)) for axis in (1, 0))
    by_attacker[row, one] -= table.taken[one, other]
    by_attacker[row, other] -= table.taken[other, one]
    by_victim[row, other] -= table.taken[one, other]
    by_victim[row, one] -= table.taken[other, one]
    of_victim = np.ones(by_victim.shape)
    for _ in range(STEPS):
        exposed = of_victim @ table.exposure.T
        exposed[row, one] -= forth * of_victim[row, other]
        exposed[row, other] -= back * of_victim[row, one]
        of_attacker = by_attacker / _positive(exposed)
        exposed = of_attacker @ table.exposure
        exposed[row, other] -= forth * of_attacker[row, one]
        exposed[row, one] -= back * of_attacker[row, other]
        of_victim = by_victim / _positive(exposed)
    return of_attacker[row, one] * of_victim[row, other], of_attacker[row, other] * of_victim[row, one]


def _positive(exposed: Array) -> Array:
    positive: Array = np.where(exposed > KNOWN, exposed, np.inf)  # a rate of 0 for what was not seen
    return positive


def _errors(expected: Array, every: Array, one: Integers, other: Integers) -> Array:
    """Return relative variances of expected attacks, see `_Pairs`, from the information about all rates.

    `expected` are the attacks to which rates are fitted, `every` those of all pairs.
    """
    bots, row = len(expected), np.arange(len(one))
    information = np.block([[np.diag(expected.sum(axis=1)), expected], [expected.T, np.diag(expected.sum(axis=0))]])
    inverse = np.linalg.pinv(information, rcond=1e-9, hermitian=True)
    errors = []
    for is_forth, is_back in ((1, 0), (0, 1), (1, 1)):
        forth, back = is_forth * every[one, other], is_back * every[other, one]
        effects = np.zeros((len(one), 2 * bots))
        effects[row, one] = effects[row, bots + other] = forth
        effects[row, other] = effects[row, bots + one] = back
        total = forth + back
        fitted = is_forth * expected[one, other] + is_back * expected[other, one]
        spread = ((effects @ inverse) * effects).sum(axis=1)
        # A pair that is fitted, too, is left out of what it is predicted from (Sherman and Morrison 1950).
        left = np.where(fitted > 0, total - spread, total)
        errors.append(np.where(left > KNOWN * total, spread / _positive(total * left), np.inf))
    return np.stack(errors)


def _estimates(pairs: _Pairs) -> Iterator[tuple[Estimate, Estimate, Estimate]]:
    """Yield the ratios of attacks taken to attacks expected: of both bots, of the first one, of the second one.

    The intervals of both hold for all pairs at once, those of one bot by themselves.
    """
    alone = t_quantile(pairs.degrees)
    together = t_quantile(pairs.degrees, 1 - (1 - LEVEL) / max(pairs.taken.shape[1], 1))
    rows = zip(pairs.taken, pairs.expected, pairs.error, (alone, alone, together), strict=True)
    forth, back, both = (_ratios(*row, pairs.dispersion) for row in rows)
    yield from zip(both, forth, back, strict=True)


def _ratios(taken: Array, expected: Array, error: Array, quantile: float, dispersion: float) -> list[Estimate]:
    """Return ratios with the values that are no farther than the quantile from what was taken (score interval).

    The variance of a ratio is that of its value: a bot that took nothing has an interval, too.
    """
    reach = quantile**2 * dispersion
    estimates = []
    for seen, mean, spread in zip(taken.tolist(), expected.tolist(), error.tolist(), strict=True):
        square = mean**2 * (1 - reach * spread)
        if mean <= 0 or not square > 0:
            estimates.append(Estimate(np.nan, 0.0, np.inf))
            continue
        half = seen * mean + reach * mean / 2
        root = max(half**2 - square * seen**2, 0.0) ** 0.5
        ends = (seen / mean, seen**2 / (half + root), (half + root) / square)
        estimates.append(Estimate(*(rounded(end, DIGITS) for end in ends)))
    return estimates

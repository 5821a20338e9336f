"""Computes the statistics of a league from its results, whatever their order."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import fsum, inf
from operator import attrgetter
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vinci_ratings.plackett_luce import ELO

from ..results.result import Result
from .bootstrap import RESAMPLES, Array, Blocks, Integers, Observed, Shown, rounded
from .mutual_attacks import mutual_attacks
from .rating_estimates import ratings
from .values import (
    AttackFigures,
    BotFigures,
    Estimate,
    LeagueFigures,
    LineUpFigures,
    PairFigures,
    SeatFigures,
    Standings,
    TraitFigures,
)


@dataclass(frozen=True, slots=True)
class Games:
    """Results as arrays, in their order.

    Attributes:
        bots: names of the bots, sorted.
        columns: column of the block of each game, see `Blocks.places` [games].
        line_ups: number of the bot at each seat [games, seats].
        wins: share of the first place, from 0 to 1; ties are split [games, seats].
        ranks: seats that tie share the mean of their ranks [games, seats].
        vp: scores [games, seats].
    """

    bots: tuple[str, ...]
    columns: Integers
    line_ups: Integers
    wins: Array
    ranks: Array
    vp: Integers

    @property
    def margins(self) -> Integers:
        """VP of each seat ahead of the best opponent [games, seats]."""
        ordered = np.sort(self.vp, axis=1)
        best, second = ordered[:, -1:], ordered[:, -2:-1]
        is_alone = (self.vp == best) & ((self.vp == best).sum(axis=1, keepdims=True) == 1)
        margins: Integers = self.vp - np.where(is_alone, second, best)
        return margins


def games_of(results: Sequence[Result], blocks: Blocks) -> Games:
    """Return the arrays of results, at least one, all with the same number of seats."""
    bots = tuple(sorted({bot for result in results for bot in result.bots}))
    number = {bot: place for place, bot in enumerate(bots)}
    ranks = np.array([result.ranks for result in results])
    firsts = ranks == 1
    ties = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    return Games(
        bots,
        blocks.columns(results),
        np.array([[number[bot] for bot in result.bots] for result in results]),
        firsts / np.maximum(firsts.sum(axis=1, keepdims=True), 1),
        ranks + (ties - 1) / 2,
        np.array([result.vp for result in results]),
    )


NOTHING: Final = 1e-12
SHARE: Final = Shown(4, (0, 1))
VP: Final = Shown(2)
EARNED: Final = Shown(2, (0, inf))
PER_GAME: Final = 2
CHUNK: Final = 4096
"""Games whose pairs are compared at a time, to bound memory."""


def figures(
    results: Sequence[Result], resamples: int = RESAMPLES, line_ups: Sequence[tuple[str, ...]] = ()
) -> LeagueFigures:
    """Compute all statistics of a league, with 95 % intervals from `resamples` bootstrap resamples.

    `line_ups` are those that the league names, if it does; those without a result are left out. The statistics do not
    depend on the order of the results. Raises ValueError without results.
    """
    if not results:
        raise ValueError("no results")
    results = sorted(results, key=attrgetter("block", "rotation"))
    clean = [result for result in results if not result.forfeits]
    blocks = Blocks(results, resamples)
    standings = _standings(results, blocks)
    without: Standings | None = standings
    if len(clean) < len(results):
        has_all_blocks = len({result.block for result in clean}) == len(blocks.places)
        without = _standings(clean, blocks if has_all_blocks else Blocks(clean, resamples)) if clean else None
    civilizations = _civilizations(results, blocks)
    bots = [bot.bot for bot in standings.bots]
    number = {bot: place for place, bot in enumerate(bots)}
    seated = np.array([[number[bot] for bot in result.bots] for result in results])
    attacks = np.array([result.attacks for result in results])
    is_clean = np.array([not result.forfeits for result in results])
    return LeagueFigures(
        standings=standings,
        without_forfeits=without,
        traits=_traits(civilizations, blocks, 1),
        trait_pairs=_traits(civilizations, blocks, 2),
        attacks=_attacks(seated, attacks, bots),
        variance_reduction=variance_reduction(results, standings),
        line_ups=tuple(_line_ups(results, blocks, line_ups)),
        mutual_attacks=mutual_attacks(seated[is_clean], attacks[is_clean], blocks.columns(results)[is_clean], bots),
    )


def win_shares(result: Result) -> tuple[float, ...]:
    """Return for each seat its share of the first place, from 0 to 1; ties are split."""
    return tuple((rank == 1) / result.ranks.count(1) for rank in result.ranks)


def _standings(results: Sequence[Result], blocks: Blocks) -> Standings:
    """Compute standings from results that are sorted by key."""
    by_bot, by_seat, differences = ratings(results, blocks)
    games = games_of(results, blocks)
    bots = sorted(_bots(results, games, blocks, by_bot), key=lambda bot: (-bot.rating.value, bot.bot))
    return Standings(
        games=len(results),
        blocks=len(blocks.places),
        bots=tuple(bots),
        seats=_seats(games, blocks, by_seat),
        pairs=_pairs(games, blocks, [bot.bot for bot in bots]),
        differences=differences,
    )


def _bots(
    results: Sequence[Result], games: Games, blocks: Blocks, by_bot: Mapping[str, Estimate]
) -> Iterator[BotFigures]:
    """Compute the statistics of each bot; a bot at several seats counts several times in a game."""
    number = Counter(bot for result in results for bot in set(result.bots))
    forfeits = Counter(result.bots[forfeit.seat] for result in results for forfeit in result.forfeits)
    scores = _scores(games, games.line_ups, len(games.bots), blocks)
    for bot, score in zip(games.bots, scores, strict=True):
        yield BotFigures(bot, number[bot], forfeits[bot], by_bot[bot], *score)


def _scores(
    games: Games, groups: Integers, number: int, blocks: Blocks
) -> Iterator[tuple[Estimate, Estimate, Estimate]]:
    """Yield win share, mean rank and margin of the seats of each group [games, seats]; seats of none have -1."""
    counted = groups >= 0
    place = np.broadcast_to(games.columns[:, None], groups.shape)[counted]
    observed = Observed(place, groups[counted], [kind[counted] for kind in (games.wins, games.ranks, games.margins)])
    rank_shown = Shown(2, (1, groups.shape[1]))
    yield from zip(*blocks.means(observed, number, (SHARE, rank_shown, VP)), strict=True)


def _line_ups(
    results: Sequence[Result], blocks: Blocks, line_ups: Sequence[tuple[str, ...]]
) -> Iterator[LineUpFigures]:
    """Compute the statistics of the first bot of each line-up that was played."""
    played = Counter(tuple(sorted(result.bots)) for result in results)
    wanted = [bots for bots in line_ups if tuple(sorted(bots)) in played]
    if not wanted:
        return
    games = games_of(results, blocks)
    number = {tuple(sorted(bots)): place for place, bots in enumerate(wanted)}
    line_up = np.array([number.get(tuple(sorted(result.bots)), -1) for result in results])
    first = np.array([games.bots.index(bots[0]) for bots in wanted])
    groups = np.where((line_up[:, None] >= 0) & (games.line_ups == first[line_up][:, None]), line_up[:, None], -1)
    for bots, score in zip(wanted, _scores(games, groups, len(wanted), blocks), strict=True):
        yield LineUpFigures(bots, played[tuple(sorted(bots))], *score)


def _seats(games: Games, blocks: Blocks, by_seat: Sequence[Estimate]) -> tuple[SeatFigures, ...]:
    seats = games.wins.shape[1]
    place, seat = np.repeat(games.columns, seats), np.tile(np.arange(seats), len(games.columns))
    (shares,) = blocks.means(Observed(place, seat, [games.wins.ravel()]), seats, [SHARE])
    return tuple(map(SeatFigures, range(seats), by_seat, shares))


def _pairs(games: Games, blocks: Blocks, bots: Sequence[str]) -> tuple[PairFigures, ...]:
    """Compare every two bots that met, the higher rated first; their meetings in one game are averaged."""
    number = {bot: place for place, bot in enumerate(games.bots)}
    pairs = list(combinations(bots, 2))
    group_of = np.full((len(bots), len(bots)), -1)
    for index, (bot, other) in enumerate(pairs):
        group_of[number[bot], number[other]] = index
    several = [_meetings(games, group_of, slice(first, first + CHUNK)) for first in range(0, len(games.vp), CHUNK)]
    place, group, ahead, leads = (np.concatenate(parts) for parts in zip(*several, strict=True))
    met, group = np.unique(group, return_inverse=True)
    shares, differences = blocks.means(Observed(place, group, [ahead, leads]), len(met), (SHARE, VP))
    played = np.bincount(group, minlength=len(met)).tolist()
    return tuple(
        PairFigures(*pairs[pair], *of) for pair, *of in zip(met.tolist(), played, shares, differences, strict=True)
    )


def _meetings(games: Games, group_of: Integers, rows: slice) -> tuple[Integers, Integers, Array, Array]:
    """Return the meetings of pairs in some games: column of the block, group of the pair, share ahead, lead in VP."""
    one, other = _two_seats(games.line_ups.shape[1])
    line_ups = games.line_ups[rows]
    groups = group_of[line_ups[:, one], line_ups[:, other]]
    ranks, vp = games.ranks[rows], games.vp[rows]
    ahead = (ranks[:, one] < ranks[:, other]) + (ranks[:, one] == ranks[:, other]) / 2
    leads = vp[:, one] - vp[:, other]
    # The first meeting of a pair in a game stands for all of them, with their mean.
    same = groups[:, :, None] == groups[:, None, :]
    meetings = same.sum(axis=2)
    is_first = (same.argmax(axis=2) == np.arange(len(one))) & (groups >= 0)
    means = [((same @ values[:, :, None])[:, :, 0] / meetings)[is_first] for values in (ahead, leads)]
    place = np.broadcast_to(games.columns[rows, None], groups.shape)[is_first]
    return place, groups[is_first], means[0], means[1]


def _two_seats(seats: int) -> tuple[Integers, Integers]:
    """Return the first and the second seat of all ordered pairs of seats."""
    first, second = np.nonzero(~np.eye(seats, dtype=bool))
    return first, second


class _Civilizations(NamedTuple):
    """Civilizations that were played.

    Attributes:
        kinds: all combinations of traits that occur.
        place: column of the block of each civilization [civilizations].
        kind: place of its traits in `kinds` [civilizations].
        vp: what it earned [civilizations].
    """

    kinds: list[tuple[str, ...]]
    place: NDArray[np.int32]
    kind: NDArray[np.int32]
    vp: NDArray[np.int32]


def _civilizations(results: Sequence[Result], blocks: Blocks) -> _Civilizations:
    """Return all civilizations as arrays."""
    number = [len(result.civilizations) for result in results]
    place = np.repeat(blocks.columns(results).astype(np.int32), number)
    taken = list(chain.from_iterable(result.civilizations for result in results))
    traits = list(map(attrgetter("traits"), taken))
    kinds = {each: kind for kind, each in enumerate(set(traits))}
    kind = np.fromiter(map(kinds.__getitem__, traits), np.int32, len(place))
    return _Civilizations(list(kinds), place, kind, np.fromiter(map(attrgetter("vp"), taken), np.int32, len(place)))


def _traits(civilizations: _Civilizations, blocks: Blocks, size: int) -> tuple[TraitFigures, ...]:
    """Average the VP of civilizations by combinations of `size` traits, highest first."""
    combined = [list(combinations(sorted(set(traits)), size)) for traits in civilizations.kinds]
    groups = {traits: group for group, traits in enumerate(sorted(set(chain.from_iterable(combined))))}
    if not groups:
        return ()
    most = max(map(len, combined))
    # The combinations of each kind of civilization; those with fewer than others end with -1.
    table = np.array([[groups[traits] for traits in each] + [-1] * (most - len(each)) for each in combined], np.int32)
    group = table[civilizations.kind]
    counted = group >= 0
    observed = Observed(
        np.broadcast_to(civilizations.place[:, None], group.shape)[counted],
        group[counted],
        [np.broadcast_to(civilizations.vp[:, None], group.shape)[counted]],
    )
    played = np.bincount(observed.group, minlength=len(groups)).tolist()
    (means,) = blocks.means(observed, len(groups), [EARNED])
    traits_by_vp = map(TraitFigures, groups, played, means)
    return tuple(sorted(traits_by_vp, key=lambda trait: (-trait.vp.value, trait.traits)))


def _attacks(line_ups: Integers, attacks: Integers, bots: Sequence[str]) -> tuple[AttackFigures, ...]:
    """Count provinces taken for pairs that met, in the order of the bots; a bot at several seats can meet itself."""
    size = len(bots)
    attacker, victim = _two_seats(line_ups.shape[1])
    pair = line_ups[:, attacker] * size + line_ups[:, victim]
    taken = np.bincount(pair.ravel(), attacks[:, attacker, victim].ravel(), size * size)
    is_first = (pair[:, :, None] == pair[:, None, :]).argmax(axis=2) == np.arange(len(attacker))
    games = np.bincount(pair[is_first], minlength=size * size)
    return tuple(
        AttackFigures(bots[pair // size], bots[pair % size], rounded(taken[pair] / games[pair], PER_GAME))
        for pair in np.flatnonzero(games).tolist()
    )


def variance_reduction(results: Sequence[Result], standings: Standings) -> float | None:
    """Return the factor by which independent games would have to outnumber games in blocks for the same precision.

    The games of a block share the opening (in leagues of earlier versions all draws), and every bot has every seat. The
    factor compares the variance of a bot's win share in a game with that of its mean in a block, both around the
    expectation from the ratings, because line-ups are not random. Both are averaged over bots. Returns None if a bot
    has fewer than two complete blocks, if a block is one game, or without variance.
    """
    size = max(Counter(result.block for result in results).values())
    if size == 1:
        return None
    of_games, of_blocks = [], []
    for surprises in _surprises(results, standings):
        whole = [number == size for number in surprises.number]
        means = surprises.mean[whole]
        if len(means) < 2:
            return None
        between = float(means.var(ddof=1))
        every = surprises.value[np.isin(surprises.place, np.flatnonzero(whole))]
        # The mean is estimated from the same games, so its own variance is added back.
        of_games.append(float(every.var()) + between / len(means))
        of_blocks.append(between)
    if fsum(of_blocks) < NOTHING:
        return None
    return rounded(fsum(of_games) / (size * fsum(of_blocks)), 2)


class _Surprises(NamedTuple):
    """Share of the first place of a bot, less the expectation from the ratings.

    Attributes:
        place: block of each game, numbered from 0 among the blocks of the bot [games].
        value: the surprise of each game [games].
        number: games of each block [blocks].
        mean: mean surprise of each block [blocks].
    """

    place: Integers
    value: Array
    number: Integers
    mean: Array


def _surprises(results: Sequence[Result], standings: Standings) -> Iterator[_Surprises]:
    """Yield the surprises of each bot."""
    number = {figures.bot: place for place, figures in enumerate(standings.bots)}
    line_ups = np.array([[number[bot] for bot in result.bots] for result in results])
    firsts = np.array([result.ranks for result in results]) == 1
    blocks = np.array([result.block for result in results])
    worth = np.array([figures.rating.value / ELO for figures in standings.bots])
    seats = np.array([figures.rating.value / ELO for figures in standings.seats])
    chances = np.exp(worth[line_ups] + seats)
    surprises = firsts / firsts.sum(axis=1, keepdims=True) - chances / chances.sum(axis=1, keepdims=True)
    for bot in number.values():
        mine = line_ups == bot
        played = mine.any(axis=1)
        value = (surprises * mine).sum(axis=1)[played] / mine.sum(axis=1)[played]
        _, place = np.unique(blocks[played], return_inverse=True)
        games = np.bincount(place)
        yield _Surprises(place, value, games, np.bincount(place, value) / games)

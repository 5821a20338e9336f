"""Computes the statistics of a league from its results, whatever their order."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from math import inf
from statistics import fmean
from typing import Final, TypeAlias

from ..results.result import Result
from .bootstrap import RESAMPLES, Blocks, Observed, Shown, rounded
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
from .variance_reduction import variance_reduction

SHARE: Final = Shown(4, (0, 1))
VP: Final = Shown(2)
EARNED: Final = Shown(2, (0, inf))
PER_GAME: Final = 2

Pair: TypeAlias = tuple[str, str]


def figures(
    results: Sequence[Result], resamples: int = RESAMPLES, line_ups: Sequence[tuple[str, ...]] = ()
) -> LeagueFigures:
    """Compute all statistics of a league, with 95 % intervals from `resamples` bootstrap resamples.

    `line_ups` are those that the league names, if it does; those without a result are left out. The statistics do not
    depend on the order of the results. Raises ValueError without results.
    """
    if not results:
        raise ValueError("no results")
    results = sorted(results, key=lambda result: (result.block, result.rotation))
    clean = [result for result in results if not result.forfeits]
    blocks = Blocks(results, resamples)
    standings = _standings(results, blocks)
    without: Standings | None = standings
    if len(clean) < len(results):
        without = _standings(clean, Blocks(clean, resamples)) if clean else None
    return LeagueFigures(
        standings=standings,
        without_forfeits=without,
        traits=_traits(results, blocks, 1),
        trait_pairs=_traits(results, blocks, 2),
        attacks=_attacks(results, [bot.bot for bot in standings.bots]),
        variance_reduction=variance_reduction(results, standings),
        line_ups=tuple(_line_ups(results, blocks, line_ups)),
    )


def win_shares(result: Result) -> tuple[float, ...]:
    """Return for each seat its share of the first place, from 0 to 1; ties are split."""
    return tuple((rank == 1) / result.ranks.count(1) for rank in result.ranks)


def _standings(results: Sequence[Result], blocks: Blocks) -> Standings:
    """Compute standings from results that are sorted by key."""
    by_bot, by_seat, differences = ratings(results, blocks)
    bots = sorted(_bots(results, blocks, by_bot), key=lambda bot: (-bot.rating.value, bot.bot))
    return Standings(
        games=len(results),
        blocks=len(blocks.places),
        bots=tuple(bots),
        seats=_seats(results, blocks, by_seat),
        pairs=_pairs(results, blocks, [bot.bot for bot in bots]),
        differences=differences,
    )


def _bots(results: Sequence[Result], blocks: Blocks, by_bot: Mapping[str, Estimate]) -> list[BotFigures]:
    """Compute the statistics of each bot; a bot at several seats counts several times in a game."""
    games = Counter(bot for result in results for bot in set(result.bots))
    forfeits = Counter(result.bots[forfeit.seat] for result in results for forfeit in result.forfeits)
    return [
        BotFigures(bot, games[bot], forfeits[bot], rating, *_scores(bot, results, blocks))
        for bot, rating in by_bot.items()
    ]


def _scores(bot: str, results: Sequence[Result], blocks: Blocks) -> tuple[Estimate, Estimate, Estimate]:
    """Return the win share, mean rank and margin of a bot at all its seats."""
    shares, ranks, margins = (list[Observed]() for _ in range(3))
    for result in results:
        for seat, share in enumerate(win_shares(result)):
            if result.bots[seat] == bot:
                others = result.vp[:seat] + result.vp[seat + 1 :]
                rank = result.ranks[seat] + (result.ranks.count(result.ranks[seat]) - 1) / 2
                shares.append(Observed(result.block, share))
                ranks.append(Observed(result.block, rank))
                margins.append(Observed(result.block, result.vp[seat] - max(others)))
    rank_shown = Shown(2, (1, len(results[0].bots)))
    return blocks.mean(shares, SHARE), blocks.mean(ranks, rank_shown), blocks.mean(margins, VP)


def _line_ups(
    results: Sequence[Result], blocks: Blocks, line_ups: Sequence[tuple[str, ...]]
) -> Iterator[LineUpFigures]:
    """Compute the statistics of the first bot of each line-up that was played."""
    by_line_up = defaultdict[tuple[str, ...], list[Result]](list)
    for result in results:
        by_line_up[tuple(sorted(result.bots))].append(result)
    for bots in line_ups:
        if games := by_line_up.get(tuple(sorted(bots))):
            yield LineUpFigures(bots, len(games), *_scores(bots[0], games, blocks))


def _seats(results: Sequence[Result], blocks: Blocks, by_seat: Sequence[Estimate]) -> tuple[SeatFigures, ...]:
    shares = [(result.block, win_shares(result)) for result in results]
    return tuple(
        SeatFigures(
            seat, rating, blocks.mean([Observed(block, seat_shares[seat]) for block, seat_shares in shares], SHARE)
        )
        for seat, rating in enumerate(by_seat)
    )


def _pairs(results: Sequence[Result], blocks: Blocks, bots: Sequence[str]) -> tuple[PairFigures, ...]:
    """Compare every two bots that met, the higher rated first; their meetings in one game are averaged."""
    ahead, difference = (defaultdict[Pair, list[Observed]](list) for _ in range(2))
    for result in results:
        met = defaultdict[Pair, list[tuple[float, int]]](list)
        for seat, other in permutations(range(len(result.bots)), 2):
            first = (result.ranks[seat] < result.ranks[other]) + (result.ranks[seat] == result.ranks[other]) / 2
            met[result.bots[seat], result.bots[other]].append((first, result.vp[seat] - result.vp[other]))
        for pair, meetings in met.items():
            ahead[pair].append(Observed(result.block, fmean(first for first, _ in meetings)))
            difference[pair].append(Observed(result.block, fmean(vp for _, vp in meetings)))
    return tuple(
        PairFigures(*pair, len(ahead[pair]), blocks.mean(ahead[pair], SHARE), blocks.mean(difference[pair], VP))
        for pair in combinations(bots, 2)
        if pair in ahead
    )


def _traits(results: Sequence[Result], blocks: Blocks, size: int) -> tuple[TraitFigures, ...]:
    """Average the VP of civilizations by combinations of `size` traits, highest first."""
    earned = defaultdict[tuple[str, ...], list[Observed]](list)
    for result in results:
        for civilization in result.civilizations:
            for traits in combinations(sorted(set(civilization.traits)), size):
                earned[traits].append(Observed(result.block, civilization.vp))
    traits_by_vp = [TraitFigures(traits, len(vp), blocks.mean(vp, EARNED)) for traits, vp in earned.items()]
    return tuple(sorted(traits_by_vp, key=lambda trait: (-trait.vp.value, trait.traits)))


def _attacks(results: Sequence[Result], bots: Sequence[str]) -> tuple[AttackFigures, ...]:
    """Count provinces taken for pairs that met, in the order of the bots; a bot at several seats can meet itself."""
    games, taken = Counter[Pair](), Counter[Pair]()
    for result in results:
        meetings = list(permutations(enumerate(result.bots), 2))
        games.update({(attacker, victim) for (_, attacker), (_, victim) in meetings})
        for (attacker_seat, attacker), (other, victim) in meetings:
            taken[attacker, victim] += result.attacks[attacker_seat][other]
    return tuple(
        AttackFigures(attacker, victim, rounded(taken[attacker, victim] / games[attacker, victim], PER_GAME))
        for attacker in bots
        for victim in bots
        if games[attacker, victim]
    )

"""Figures of leagues: small cases by hand, the order of results, forfeits, and degenerate leagues."""

import json
import random
from dataclasses import asdict, replace

import numpy as np
import pytest

from tests.support.tournament.simulated_leagues import World, league, result, schedule
from vinci_tournament.results.result import CivilizationResult, ForfeitResult, Result
from vinci_tournament.stats.standings import figures
from vinci_tournament.stats.values import AttackFigures, LeagueFigures

BLOCK = [
    result(
        0, 0, ["a", "b", "c"], [1, 2, 3], vp=[50, 40, 20],
        civilizations=[CivilizationResult(0, ("MIL", "AST"), 30), CivilizationResult(1, ("MIL", "BAR"), 10)],
        attacks=[[0, 3, 1], [0, 0, 0], [2, 0, 0]],
    ),
    result(
        0, 1, ["b", "c", "a"], [1, 3, 1], vp=[45, 15, 45],
        civilizations=[CivilizationResult(2, ("AST", "MIL"), 20)], attacks=[[0, 0, 1], [0, 0, 0], [1, 0, 0]],
    ),
    result(0, 2, ["c", "a", "b"], [3, 1, 1], vp=[10, 33, 33]),
]  # fmt: skip
"""Three games of one block: a won one, and a and b shared two."""


def text(league_figures: LeagueFigures) -> str:
    """Return figures as a report stores them."""
    return json.dumps(asdict(league_figures))


def simulated(blocks: int = 30, seed: int = 5) -> list[Result]:
    """Simulate a league of five bots with ties, traits, attacks and some forfeits."""
    world = World((-0.8, -0.3, 0.0, 0.4, 0.7), (0.3, 0.1, -0.1, -0.3), seat_luck=0.4, bot_luck=0.1, ties=0.1)
    chance = random.Random(seed)
    collected = []
    for one in league(world, schedule(world, blocks), np.random.default_rng(seed)):
        civilizations = [
            CivilizationResult(seat, tuple(chance.sample("ABCDEF", 2)), chance.randrange(40)) for seat in range(4)
        ]
        table = tuple(tuple(chance.randrange(3) * (one != other) for one in range(4)) for other in range(4))
        last = one.ranks.index(max(one.ranks))
        forfeits = (ForfeitResult(last, "clock", 9, ""),) if one.block % 7 == 0 else ()
        collected.append(replace(one, civilizations=tuple(civilizations), attacks=table, forfeits=forfeits))
    return collected


def test_block_by_hand() -> None:
    """Shares, ranks and margins of three games are compared with values computed by hand."""
    standings = figures(BLOCK).standings
    by_bot = {one.bot: one for one in standings.bots}
    assert [one.bot for one in standings.bots] == ["a", "b", "c"]
    assert (standings.games, standings.blocks) == (3, 1)
    assert [by_bot[bot].win_share.value for bot in "abc"] == [0.6667, 0.3333, 0.0]
    assert [by_bot[bot].mean_rank.value for bot in "abc"] == [1.33, 1.67, 3.0]
    assert [by_bot[bot].margin.value for bot in "abc"] == [3.33, -3.33, -27.67]
    assert [one.win_share.value for one in standings.seats] == [0.5, 0.1667, 0.3333]
    assert [(one.bot, one.other, one.games) for one in standings.pairs] == [("a", "b", 3), ("a", "c", 3), ("b", "c", 3)]
    assert [one.ahead.value for one in standings.pairs] == [0.6667, 1.0, 1.0]
    assert [one.difference.value for one in standings.pairs] == [3.33, 27.67, 24.33]


def test_line_ups_by_hand() -> None:
    """A line-up has the figures of its first bot in its games; one that was not played is left out."""
    others = [result(block, 0, ["a", "c", "c"], [1, 2, 3]) for block in (1, 2)]
    computed = figures([*BLOCK, *others], line_ups=[("c", "a", "b"), ("a", "c", "c"), ("b", "a", "a")])
    in_block, apart = computed.line_ups
    standings = {bot.bot: bot for bot in figures(BLOCK).standings.bots}
    assert (in_block.bots, in_block.games) == (("c", "a", "b"), 3)
    assert in_block.win_share.value == standings["c"].win_share.value
    assert in_block.mean_rank.value == standings["c"].mean_rank.value
    assert in_block.margin.value == standings["c"].margin.value
    assert (apart.games, apart.win_share.value, apart.mean_rank.value) == (2, 1.0, 1.0)
    assert figures(BLOCK).line_ups == ()


def test_traits_and_pairs_of_traits_by_hand() -> None:
    """A trait earns what its civilizations earned; the highest earnings come first, in whatever order traits are."""
    computed = figures(BLOCK)
    assert [(one.traits, one.played, one.vp.value) for one in computed.traits] == [
        (("AST",), 2, 25.0),
        (("MIL",), 3, 20.0),
        (("BAR",), 1, 10.0),
    ]
    assert [(one.traits, one.played, one.vp.value) for one in computed.trait_pairs] == [
        (("AST", "MIL"), 2, 25.0),
        (("BAR", "MIL"), 1, 10.0),
    ]


def test_attacks_by_hand() -> None:
    """Attacks are provinces taken per game that both bots played."""
    assert figures(BLOCK).attacks == (
        AttackFigures("a", "b", 1.33),
        AttackFigures("a", "c", 0.33),
        AttackFigures("b", "a", 0.33),
        AttackFigures("b", "c", 0.0),
        AttackFigures("c", "a", 0.67),
        AttackFigures("c", "b", 0.0),
    )


def test_figures_do_not_depend_on_the_order_of_results() -> None:
    """Shuffled results give the same figures, byte for byte."""
    results = simulated()
    first = text(figures(results, 50))
    for seed in range(3):
        shuffled = random.Random(seed).sample(results, len(results))
        assert text(figures(shuffled, 50)) == first
    assert "-0.0," not in first.replace("-0.0]", "-0.0,")


def test_figures_are_rounded() -> None:
    """Figures need no rounding by a report."""
    report = figures(simulated(), 50)
    for bot in report.standings.bots:
        assert all(round(one, 1) == one for one in bot.rating)
        assert all(round(one, 4) == one for one in bot.win_share)
        assert all(round(one, 2) == one for one in (*bot.mean_rank, *bot.margin))


def test_better_bot_is_above_a_worse_one() -> None:
    """This holds by rating and by every other figure."""
    world = World((-1.5, 0.0, 1.5), (0.0, 0.0, 0.0))
    bots = figures(league(world, schedule(world, 60), np.random.default_rng(1)), 50).standings.bots
    assert [one.bot for one in bots] == ["bot2", "bot1", "bot0"]
    assert bots[0].win_share.low > bots[1].win_share.high
    assert bots[0].mean_rank.high < bots[1].mean_rank.low
    assert bots[0].margin.low > bots[1].margin.high


def test_standings_with_and_without_forfeits() -> None:
    """Forfeits count as the last rank in one table; their games are left out of the other."""
    forfeit = ForfeitResult(2, "exit", 12, "")
    results = [
        *BLOCK,
        result(1, 0, ["a", "b", "c"], [3, 1, 2]),
        result(1, 1, ["b", "c", "a"], [1, 2, 3], forfeits=[forfeit]),
    ]
    computed = figures(results)
    assert computed.without_forfeits is not None
    assert {one.bot: one.forfeits for one in computed.standings.bots} == {"a": 1, "b": 0, "c": 0}
    assert computed.without_forfeits == figures(results[:4]).standings
    assert computed.without_forfeits.games == 4


def test_games_with_forfeits_only_have_no_second_table() -> None:
    """A league of nothing but games with a forfeit has no standings without them."""
    results = [replace(one, forfeits=(ForfeitResult(0, "exit", 1, ""),)) for one in BLOCK]
    assert figures(results).without_forfeits is None


def test_bot_at_several_seats() -> None:
    """Its win share is that of one seat, so an even one stays even; it meets others once a game."""
    results = [
        result(
            block, turn, ["old"] * turn + ["new"] + ["old"] * (3 - turn), [1 + (block + seat) % 4 for seat in range(4)]
        )
        for block in range(8)
        for turn in range(4)
    ]
    computed = figures(results, 50)
    by_bot = {one.bot: one for one in computed.standings.bots}
    assert [by_bot[bot].games for bot in ("new", "old")] == [32, 32]
    assert [by_bot[bot].win_share.value for bot in ("new", "old")] == [0.25, 0.25]
    assert [by_bot[bot].mean_rank.value for bot in ("new", "old")] == [2.5, 2.5]
    assert [(one.games, one.ahead.value) for one in computed.standings.pairs] == [(32, 0.5)]
    assert by_bot["new"].rating.value == by_bot["old"].rating.value == 0.0


def test_league_without_variation() -> None:
    """A bot against itself has even figures, no intervals and no variance."""
    results = [
        result(block, turn, ["a", "b", "a", "b"][turn % 2 :][:2] * 2, [1, 1, 1, 1])
        for block in range(5)
        for turn in range(4)
    ]
    computed = figures(results, 50)
    assert [(one.rating, one.win_share.value) for one in computed.standings.bots] == [((0.0, 0.0, 0.0), 0.25)] * 2
    assert not any(one.win_share.is_told for one in computed.standings.bots)
    assert computed.variance_reduction is None


def test_league_of_one_game() -> None:
    """A league of one game has figures but no intervals."""
    computed = figures(BLOCK[:1])
    assert [one.bot for one in computed.standings.bots] == ["a", "b", "c"]
    assert not any(one.rating.is_told or one.margin.is_told for one in computed.standings.bots)
    assert computed.variance_reduction is None


def test_figures_without_results_are_refused() -> None:
    """Without results there are no figures."""
    with pytest.raises(ValueError, match="no results"):
        figures([])


def test_shared_luck_of_seats_saves_games() -> None:
    """Rotations save games if luck belongs to seats, and cost games if it belongs to bots."""
    saved: list[float] = []
    for shares in ({"seat_luck": 0.9}, {}, {"bot_luck": 0.9}):
        world = World((-0.3, 0.0, 0.1, 0.2), (0.2, 0.0, 0.0, -0.2), **shares)
        configured = figures(league(world, schedule(world, 150), np.random.default_rng(2)), 2)
        assert configured.variance_reduction is not None
        saved.append(configured.variance_reduction)
    assert saved[0] > 2
    assert saved[1] == pytest.approx(1, abs=0.25)
    assert saved[2] < 0.5

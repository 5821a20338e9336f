"""The schedule of a league: blocks, rotations, seeds, and balance of meetings."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from tests.support.tournament.small_leagues import league
from vinci_tournament.definition.combinations import choices
from vinci_tournament.definition.schedule import Plan, ScheduledGame, blocks_of_a_round, circles, games, line_ups


def blocks(scheduled: list[ScheduledGame]) -> list[list[ScheduledGame]]:
    """Return the games of each block."""
    return [[game for game in scheduled if game.block == block] for block in range(scheduled[-1].block + 1)]


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_block_has_every_rotation(seats: int) -> None:
    """Every bot of a block has every seat once with the same neighbours, and each game has its own seed."""
    for block in blocks(games(league(*["random"] * 7, seats=seats, blocks=9))):
        assert [game.rotation for game in block] == list(range(seats))
        assert len({game.seed for game in block} | {game.salt for game in block}) == 2 * seats
        for name in block[0].bots:
            assert sorted(game.bots.index(name) for game in block) == list(range(seats))
            assert len({game.bots[(game.bots.index(name) + 1) % seats] for game in block}) == 1


def test_block_of_dummies_has_one_game() -> None:
    """All dummies are equal, so a block is one game; over the blocks all have every seat equally often."""
    configured = league(*["dummy"] * 4, seats=4, games=12)
    played = games(configured)
    assert [game.key for game in played] == [f"{block}-0" for block in range(12)]
    assert len({game.seed for game in played}) == 12
    seats = Counter((name, seat) for game in played for seat, name in enumerate(game.bots))
    assert set(seats.values()) == {3}
    assert len(games(replace(configured, seeding="block", blocks=3))) == 12
    assert len(games(league("dummy", "dummy", "dummy", "random", blocks=3))) == 12
    assert len(games(league("dummy", "dummy", format="gate", blocks=3))) == 12


@pytest.mark.parametrize(("number", "size", "rounds"), [(4, 3, 2), (5, 3, 1), (6, 4, 3), (7, 6, 2), (3, 3, 5)])
def test_all_combinations_are_played_if_there_are_enough_games(number: int, size: int, rounds: int) -> None:
    """Each combination is played once a round."""
    everybody = sorted(combinations(range(number), size))
    line_ups_of_blocks = choices(number, size, len(everybody) * rounds)
    for start in range(0, len(line_ups_of_blocks), len(everybody)):
        assert sorted(line_ups_of_blocks[start : start + len(everybody)]) == everybody


@pytest.mark.parametrize(("number", "size", "blocks"), [(6, 4, 15), (6, 4, 40), (12, 4, 30), (20, 6, 50), (9, 3, 37)])
def test_games_are_balanced_at_every_block(number: int, size: int, blocks: int) -> None:
    """After any number of blocks the bots' numbers of games differ by at most two, at the end by at most one."""
    line_ups_of_blocks = choices(number, size, blocks)
    assert all(len(set(one)) == size for one in line_ups_of_blocks)
    for end in range(1, len(line_ups_of_blocks) + 1):
        played = Counter(bot for one in line_ups_of_blocks[:end] for bot in one)
        counts = [played[bot] for bot in range(number)]
        assert max(counts) - min(counts) <= (1 if end == blocks else 2), (end, counts)


@pytest.mark.parametrize(("number", "size", "blocks"), [(12, 4, 60), (20, 6, 60), (10, 3, 100)])
def test_pairs_meet_about_equally_often(number: int, size: int, blocks: int) -> None:
    """Pairs meet about equally often (a difference of at most 3) if not all combinations are played."""
    met = Counter(pair for one in choices(number, size, blocks) for pair in combinations(one, 2))
    counts = [met[pair] for pair in combinations(range(number), 2)]
    assert max(counts) - min(counts) <= 3, sorted(counts)


@pytest.mark.parametrize(("seats", "number"), [(3, 1), (4, 3), (5, 12), (6, 60)])
def test_orders_around_a_table_are_distinct(seats: int, number: int) -> None:
    """No order around a table occurs twice, not even reversed."""
    orders = circles(seats)
    turned = {order[turn:] + order[:turn] for order in orders for turn in range(seats)}
    mirrored = {order[::-1] for order in turned}
    assert len(orders) == number
    assert len(turned | mirrored) == 2 * number * seats


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_neighbours_are_balanced(seats: int) -> None:
    """After all circles in both directions everybody sat after everybody else equally often."""
    blocks_of_all = 2 * len(circles(seats))
    after = Counter(
        (game.bots[seat - 1], name)
        for game in games(league(*["random"] * seats, seats=seats, blocks=blocks_of_all))
        for seat, name in enumerate(game.bots)
    )
    assert len(after) == seats * (seats - 1)
    assert len(set(after.values())) == 1


def test_direction_alternates_between_blocks() -> None:
    """Of two consecutive blocks one has the bots in order and the other reversed."""
    configured = blocks(games(league("random", "random", "random", blocks=4)))
    assert [block[0].bots for block in configured] == [("a", "b", "c"), ("a", "c", "b")] * 2


def test_gauntlet_has_the_challenger_in_every_game() -> None:
    """The first bot is in every line-up, the others equally often."""
    configured = line_ups(league(*["dummy"] * 6, format="gauntlet", seats=4, blocks=10))
    assert all(line_up[0] == "a" for line_up in configured)
    assert set(Counter(name for line_up in configured for name in line_up[1:]).values()) == {6}
    assert len(set(configured)) == 10


def test_given_line_ups_are_played_in_turn() -> None:
    """Blocks go round the line-ups, and the first bot of a line-up has every seat once in a block."""
    configured = league("greedy", "random", "dummy", format="line-ups", line_ups=[["a", "b"], ["c", "a"]], blocks=5)
    assert blocks_of_a_round(configured) == 2
    played = blocks(games(configured))
    assert [sorted(block[0].bots) for block in played] == [list("abbb"), list("aaac")] * 2 + [list("abbb")]
    for number, block in enumerate(played):
        assert sorted(game.bots.index("ac"[number % 2]) for game in block) == [0, 1, 2, 3]


@pytest.mark.parametrize("policy", ["random", "dummy"])
def test_blocks_that_are_chosen_one_by_one_have_the_same_games(policy: str) -> None:
    """A plan to which blocks are added, also repeated ones, has the games of a league that was read with all of them."""
    ladder = league(*[policy] * 5, format="ladder", seats=3)
    chosen = tuple(combinations("abcde", 3)) * 2 + (("a", "b", "c"),) * 3
    plan = Plan(ladder)
    for line_up in chosen:
        plan.add([line_up])
    assert plan.line_ups == list(chosen)
    assert plan.games == games(replace(ladder, planned=chosen, blocks=len(chosen)))
    assert len(plan.games) == len({game.seed for game in plan.games}) == len(chosen) * ladder.rotations


def test_gate_is_one_bot_against_copies_of_the_base() -> None:
    """The new bot has every seat once a block; the base has all others."""
    for block in blocks(games(league("greedy", "random", format="gate", seats=4, blocks=3))):
        assert [game.bots.index("a") for game in block] in ([0, 3, 2, 1], [0, 1, 2, 3])
        assert all(Counter(game.bots) == {"a": 1, "b": 3} for game in block)

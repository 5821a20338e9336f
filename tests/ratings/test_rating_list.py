"""Ratings of the players of a server: the method of a league, with intervals for games that share no openings."""

# ruff: noqa: D103  # the name of each test says what it checks

import io
import json
import random
import subprocess
import sys
from collections.abc import Sequence
from math import exp

import numpy as np
import pytest

from tests.support.tournament.simulated_leagues import result
from vinci_ratings import __main__ as rater
from vinci_ratings import plackett_luce, rating_list
from vinci_ratings.rating_list import Game, ratings
from vinci_tournament.stats.bootstrap import Blocks
from vinci_tournament.stats.rating_estimates import ratings as ratings_of_league

STRENGTHS = {"a": 1.0, "b": 0.4, "c": 0.0, "d": -0.4, "e": -1.0}
SEATS = {3: (0.3, 0.0, -0.3), 4: (-0.6, -0.2, 0.2, 0.6)}


def drawn(games: int, seed: int, seats: Sequence[int] = (3, 4)) -> list[Game]:
    """Draw games from the model, with effects of seats that differ between games of 3 and of 4."""
    source = random.Random(seed)
    found = []
    for number in range(games):
        size = seats[number % len(seats)]
        players = source.sample(sorted(STRENGTHS), size)
        chances = {seat: exp(STRENGTHS[player] + SEATS[size][seat]) for seat, player in enumerate(players)}
        ranks = [0] * size
        for rank in range(1, size + 1):
            (seat,) = source.choices(list(chances), list(chances.values()))
            ranks[seat] = rank
            del chances[seat]
        found.append(Game(players, ranks))
    return found


def test_ratings_are_those_of_a_league_with_the_same_results() -> None:
    games = drawn(400, 1, (4,))
    results = [result(block, 0, list(game.bots), list(game.ranks)) for block, game in enumerate(games)]
    of_league = ratings_of_league(results, Blocks(results, 400))
    of_server = ratings(games)
    assert {player: rating.value for player, rating in of_server.items()} == pytest.approx(
        {bot: estimate.value for bot, estimate in of_league.bots.items()}, abs=0.11
    )
    for bot, estimate in of_league.bots.items():  # the bootstrap converges to the curvature if games are independent
        reach = (of_server[bot].high - of_server[bot].low) / 2
        assert reach == pytest.approx((estimate.high - estimate.low) / 2, rel=0.2)


def test_intervals_have_the_true_ratings_in_games_of_three_and_four() -> None:
    strengths = np.array(list(STRENGTHS.values()))
    true = dict(zip(STRENGTHS, (strengths - plackett_luce.centre(strengths)) * plackett_luce.ELO, strict=True))
    hits = [
        rating.low <= true[player] <= rating.high
        for seed in range(60)
        for player, rating in ratings(drawn(120, seed)).items()
    ]
    assert 0.92 <= sum(hits) / len(hits) <= 0.98


def test_who_has_always_won_has_a_wide_interval() -> None:
    games = [*drawn(200, 2), Game(("new", "a", "b"), (1, 2, 3))]
    rating = ratings(games)["new"]
    assert rating.is_provisional
    assert rating.value > ratings(games)["a"].value
    assert rating.high - rating.low > 1000
    assert rating.low < ratings(games)["a"].low


def rows_of(games: Sequence[Game]) -> dict[str, bool]:
    """Return whether the rating of each player is provisional, in the order of the list."""
    seats = [
        [f"{number}", player, rank]
        for number, game in enumerate(games)
        for player, rank in zip(game.bots, game.ranks, strict=True)
    ]
    return {player: rating.is_provisional for player, _, _, rating in rater.listed([json.dumps(seats)])}


def test_winner_of_two_games_is_listed_above_whom_it_beat() -> None:
    """By the lower ends of their intervals, which are wide for the winner, they were the other way round."""
    games = [Game(("won", "lost", "g"), (1, 2, 3)), Game(("won", "g", "lost"), (1, 2, 3))]
    assert ratings(games)["won"].low < ratings(games)["lost"].low
    assert list(rows_of(games).items()) == [("won", True), ("g", True), ("lost", True)]


def test_players_with_few_games_are_provisional_and_follow_the_others() -> None:
    games = [*drawn(200, 2), Game(("new", "a", "b"), (1, 2, 3)), Game(("new", "a", "c"), (1, 2, 3))]
    assert list(rows_of(games).items()) == [*((player, False) for player in "abcde"), ("new", True)]


def test_player_who_wins_all_of_many_games_from_the_same_seat_is_first() -> None:
    games = [*drawn(200, 2), *[Game(("new", *"abcde"[number % 3 :][:3]), (1, 2, 3, 4)) for number in range(20)]]
    assert next(iter(rows_of(games).items())) == ("new", False)
    assert ratings(games)["new"].high - ratings(games)["new"].low > 1000


def test_who_always_wins_needs_no_more_games_than_others() -> None:
    games = [Game(("won", "one", "two"), (1, 2 + number % 2, 3 - number % 2)) for number in range(10)]
    assert set(rows_of(games[:5]).values()) == {True}
    assert list(rows_of(games).items()) == [("won", False), ("one", False), ("two", False)]


def test_games_with_own_names_leave_a_rating_provisional() -> None:
    own = [Game(("cheat", "own 1", "own 2"), (1, 2 + number % 2, 3 - number % 2)) for number in range(60)]
    rows = rows_of([*drawn(200, 2), *own])
    assert list(rows.items())[:6] == [*((player, False) for player in "abcde"), ("cheat", True)]
    assert rows["own 1"]
    assert rows["own 2"]


def test_players_with_few_games_count_as_one_if_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rating_list, "MOST_RATED", 5)
    games = [*drawn(200, 3), Game(("x", "a", "b"), (1, 2, 3)), Game(("y", "a", "b"), (3, 2, 1))]
    assert set(ratings(games)) == set(STRENGTHS)


def test_nobody_is_rated_without_games() -> None:
    assert ratings([]) == {}


@pytest.fixture
def lines() -> list[str]:
    """Return the results of two games, in two lines."""
    return [
        json.dumps([["m", "p1", 1], ["m", "b x", 1], ["m", "p2", 3], ["n", "p1", 1]]),
        json.dumps([["n", "p2", 2], ["n", "p2", 3]]),
    ]


def test_process_counts_games_and_wins_once_for_each_player(lines: list[str]) -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "vinci_ratings"], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    rows = {player: row for player, *row in json.loads(answer.stdout)}
    assert {player: row[:2] for player, row in rows.items()} == {"p1": [2, 2], "b x": [1, 1], "p2": [2, 0]}
    assert all(low <= value <= high for value, low, high, _ in (row[2] for row in rows.values()))


def test_process_lists_players_without_ratings_where_numpy_is_missing(
    lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rater, "HAS_NUMPY", False)
    assert list(rater.listed(io.StringIO("\n".join(lines)))) == [
        ["b x", 1, 1, None], ["p1", 2, 2, None], ["p2", 2, 0, None],
    ]  # fmt: skip

"""Provisional ratings while a league runs, and their history."""

from itertools import pairwise

import pytest

from vinci_tournament.play import live_ratings
from vinci_tournament.play.live_ratings import MOST_POINTS, LiveRatings
from vinci_tournament.results.result import Result


def result(number: int, *bots: str) -> Result:
    """Return a game that the first of these bots won."""
    ranks = tuple(range(1, len(bots) + 1))
    return Result(number, 0, "", bots, ranks, ranks, 5, 50, (), (), (), "")


def test_history_has_few_points_that_are_evenly_spread() -> None:
    """Whatever is told at a time, there are at most MOST_POINTS, and the last one is of all games."""
    live, at_once = LiveRatings("abc"), LiveRatings("abc")
    games = [result(number, *("ab" if number % 3 else "bc")) for number in range(1234)]
    for game in games:
        live.note_many([game])
        history = live.history()
        assert len(history) <= MOST_POINTS
        assert history[-1][0] == game.block + 1
        assert history[-1][1]["b"] == {bot.bot: bot.rating for bot in live.standings()}["b"]
    numbers = [number for number, _ in live.history()]
    assert numbers[0] == 16
    assert {later - earlier for earlier, later in pairwise(numbers[:-1])} == {16}
    at_once.note_many(games)
    assert at_once.history() == live.history()


def test_history_begins_with_the_first_game_of_a_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that enters later has no rating before; games that are only counted are no points."""
    live = LiveRatings("abc")
    assert live.history() == []
    live.note_many([result(0, "a", "b"), result(1, "a", "b"), result(2, "c", "a")])
    assert [(number, sorted(ratings)) for number, ratings in live.history()] == [
        (1, ["a", "b"]),
        (2, ["a", "b"]),
        (3, ["a", "b", "c"]),
    ]
    monkeypatch.setattr(live_ratings, "MOST_RATED", 2)
    late = LiveRatings("abc")
    late.note_many([result(number, "a", "b") for number in range(5)])
    assert [number for number, _ in late.history()] == [4, 5]
    assert {bot.bot: bot.games for bot in late.standings()} == {"a": 5, "b": 5, "c": 0}


def test_bots_without_a_game_come_last() -> None:
    """One that has not come is not ahead of those that lose, although its skill of 0 is above theirs."""
    live = LiveRatings("abc")
    live.note_many([result(number, "b", "c") for number in range(5)])
    standings = live.standings()
    assert [bot.bot for bot in standings] == ["b", "c", "a"]
    assert standings[1].skill < standings[2].skill == 0

"""The games that count: complete blocks in order, up to the deciding one."""

import random
from dataclasses import replace

from tests.support.tournament.small_leagues import league
from vinci_tournament.definition.schedule import games
from vinci_tournament.play import worker
from vinci_tournament.play.progress import LeagueProgress
from vinci_tournament.results.result import Result


def won(results: list[Result], name: str) -> list[Result]:
    """Return the same games, all won by this bot."""
    return [replace(result, ranks=tuple(1 if bot == name else 2 for bot in result.bots)) for result in results]


def test_blocks_count_in_order() -> None:
    """An incomplete block holds up later ones; the order of completion does not matter."""
    configured = league("random", "dummy", "random", blocks=3)
    results = [worker.play(configured, game).result for game in games(configured)]
    course = LeagueProgress(configured, [result for result in results if result.key != "1-2"])
    assert [result.key for result in course.results] == ["0-0", "0-1", "0-2"]
    assert not course.is_decided
    course.note([result for result in results if result.key == "1-2"])
    assert course.results == results
    assert course.is_decided
    random.Random(1).shuffle(shuffled := results[:])
    assert LeagueProgress(configured, shuffled).results == results


def test_gate_ends_at_the_deciding_block() -> None:
    """Games after the deciding block do not count, so the order of completion has no effect."""
    configured = league("random", "dummy", format="gate", seats=3, blocks=40)
    results = won([worker.play(configured, game).result for game in games(configured)], "a")
    course = LeagueProgress(configured, results)
    assert course.verdict is not None
    assert course.verdict.outcome == "pass"
    assert course.is_decided
    assert len(course.results) == 3 * course.verdict.blocks < len(results)
    early = LeagueProgress(configured, results[: 3 * course.verdict.blocks - 1])
    assert not early.is_decided
    early.note(results[3 * course.verdict.blocks - 1 :])
    assert early.results == course.results


def test_league_ends_when_win_shares_are_precise_enough() -> None:
    """With a width that always suffices the league ends at the first look, after a whole round."""
    configured = league("random", "dummy", "random", "dummy", blocks=100, seats=3, stop={"width": 0.99})
    results = [worker.play(configured, game).result for game in games(configured)]
    course = LeagueProgress(configured, results)
    assert course.precision is not None
    assert course.precision.reached
    assert course.is_decided
    assert len(course.results) == 3 * course.precision.blocks < len(results)
    assert course.precision.blocks % 4 == 0

"""The games that count: complete blocks in order, up to the deciding one."""

import random
from dataclasses import replace

import pytest

from tests.support.tournament.small_leagues import league
from vinci_tournament.definition.schedule import games
from vinci_tournament.play import worker
from vinci_tournament.play.progress import GateEvidence, LeagueProgress
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


def test_evidence_of_a_gate() -> None:
    """The evidence is that of the verdict, with its bounds; it is there before the first block, and other leagues have none."""
    configured = league("random", "dummy", format="gate", seats=3, blocks=40)
    results = won([worker.play(configured, game).result for game in games(configured)], "a")
    begun, over = LeagueProgress(configured, results[:6]), LeagueProgress(configured, results)
    before, early, late = LeagueProgress(configured).evidence, begun.evidence, over.evidence
    assert before is not None
    assert early is not None
    assert late is not None
    assert (before.blocks, before.share, before.low, before.high, before.better, before.worse) == (0, None, 0, 1, 1, 1)
    assert str(before) == "evidence for better 1 of 20, for worse 1 of 20"
    assert (early.blocks, early.share) == (2, 1)
    assert early.low < 1 / 3 < early.high
    assert 1 < early.better < early.passes_at == early.fails_at == 20
    assert late.better >= late.passes_at
    assert late.worse < 1
    assert 1 / 3 < late.low < late.high == 1
    assert str(late).startswith(
        f"100.0 % ({100 * late.low:.1f} % to 100.0 %) after {late.blocks} blocks; evidence for better "
    )
    assert LeagueProgress(league("random", "dummy", "random", blocks=3)).evidence is None


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


@pytest.mark.parametrize(
    ("better", "worse", "remaining"),
    [(20.0**0.5, 0.1, 10), (0.5, 20.0**0.25, 30), (1.0, 0.9, None), (20.0, 0.1, 0)],
    ids=["half-way", "quarter", "none", "decided"],
)
def test_remaining_blocks_of_a_gate_follow_from_its_evidence(
    better: float, worse: float, remaining: int | None
) -> None:
    """Evidence is a product: half of the way of its logarithm is half of the blocks."""
    evidence = GateEvidence(10, 0.6, 0.5, 0.7, better, 20.0, worse, 20.0)
    assert evidence.remaining == remaining
    assert ("at this rate about" in str(evidence)) == bool(remaining)
    assert evidence.told()["remaining"] == remaining

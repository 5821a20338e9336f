"""Gates: their decision rules, those of earlier versions, and their reports."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.tournament.small_leagues import league
from vinci_tournament.definition.configuration import LeagueError
from vinci_tournament.definition.league import GATE, League, Stopping
from vinci_tournament.definition.schedule import games
from vinci_tournament.play import worker
from vinci_tournament.play.folder import Folder, FolderError
from vinci_tournament.play.progress import LeagueProgress
from vinci_tournament.report.build import report_of
from vinci_tournament.report.writing import FILES
from vinci_tournament.results.result import Result


def gate(**keys: Any) -> League:
    """Return a gate of two bots."""
    return league("random", "dummy", format="gate", **keys)


def of_earlier_version(league: League) -> League:
    """Return the gate as stored by a version without hypotheses."""
    fields = json.loads(replace(league, stop=Stopping(alpha=league.stop.alpha)).to_json())
    for name in ("score", "elo0", "elo1", "beta"):
        del fields["stop"][name]
    del fields["seeding"]
    return League.from_json(json.dumps(fields))


def ranked(league: League, places: Sequence[int]) -> list[Result]:
    """Return games in which the new bot has these ranks, in order."""
    played = {game.rotation: worker.play(league, game).result for game in games(league) if game.block == 0}
    results = []
    for number, game in enumerate(games(league)):
        rank = places[number % len(places)]
        others = iter([one for one in range(1, league.seats + 1) if one != rank])
        ranks = tuple(rank if bot == league.bots[0].name else next(others) for bot in game.bots)
        results.append(
            replace(played[game.rotation], block=game.block, seed=game.seed, bots=game.bots, ranks=ranks, forfeits=())
        )
    return results


def test_gate_tests_places_between_two_strengths_by_default() -> None:
    """The default is 0 against 60 points by places, within 600 games."""
    outcome = gate()
    assert outcome.stop == GATE == Stopping(score="places", elo0=0, elo1=60)
    assert outcome.blocks * outcome.seats == 600
    assert gate(stop={"score": "wins", "elo0": -30, "elo1": 30}).stop == Stopping(score="wins", elo0=-30, elo1=30)
    assert gate(stop={"margin": 0.05}).stop == Stopping(margin=0.05)
    assert League.from_json(outcome.to_json()) == outcome


@pytest.mark.parametrize(
    ("stop", "expected"),
    [
        ({"score": "vp"}, "stop.score: 'vp' is unknown; known: wins, places"),
        ({"elo0": 60}, "stop.elo1: 60: expected more than elo0, which is 60"),
        ({"elo1": "much"}, "stop.elo1: 'much': expected a number between -2000 and 2000"),
        ({"beta": 0}, "stop.beta: 0: expected a number between 0 and 1"),
        ({"margin": 0.1, "elo1": 30}, "stop.elo1: not with margin"),
        ({"margin": 0.1, "score": "places"}, "stop.score: not with margin"),
        ({"width": 0.1}, "stop.width: unknown; known: score, elo0, elo1, margin, beta, alpha"),
    ],
)
def test_mistakes(stop: dict[str, Any], expected: str) -> None:
    """Each mistake is reported with its key and the valid values."""
    with pytest.raises(LeagueError, match=re.escape(expected)):
        gate(stop=stop)


def test_places_decide_when_wins_do_not() -> None:
    """A bot that is always second of four is ahead in two of three meetings, and wins nothing."""
    by_places, by_wins = gate(seats=4, blocks=60), gate(seats=4, blocks=60, stop={"score": "wins"})
    verdicts = {one.stop.score: LeagueProgress(one, ranked(one, [2])).verdict for one in (by_places, by_wins)}
    assert [one.outcome for one in verdicts.values() if one] == ["pass", "fail"]


def test_gate_of_an_earlier_version_keeps_its_rule() -> None:
    """It counts wins and fails below an even share, however many places are better."""
    old = of_earlier_version(gate(seats=4, blocks=60))
    assert old.stop == Stopping()
    even = LeagueProgress(old, ranked(old, [1, 3, 2, 4, 2, 1, 4, 3]))
    assert even.verdict is not None
    assert even.verdict.outcome == "inconclusive"
    second = LeagueProgress(old, ranked(old, [2]))
    assert second.verdict is not None
    assert (second.verdict.outcome, second.verdict.blocks) == ("fail", 19)


def test_folder_of_an_earlier_version_is_resumed_with_its_rule(tmp_path: Path) -> None:
    """A league file without hypotheses still matches the folder; one with hypotheses is another league."""
    old = replace(of_earlier_version(gate()), blocks=67)
    folder = Folder(tmp_path)
    folder.begin(old)
    folder.keep(
        [replace(worker.play(old, game), result=one) for game, one in zip(games(old), ranked(old, [1]), strict=True)][
            :60
        ]
    )
    folder.begin(gate())
    folder.begin(gate(blocks=67))
    for other in (gate(stop={"elo1": 30}), gate(blocks=68)):
        with pytest.raises(FolderError, match="another league"):
            folder.begin(other)
    report = report_of(folder)
    (verdict,) = report.league.gates
    assert (verdict.outcome, verdict.score, verdict.elo0) == ("pass", "wins", None)
    assert verdict.reason == "It wins more than 25 % of its games, with an error rate of 5 %."
    assert "uses first places only" in " ".join(FILES["report.txt"](report).split())


@pytest.mark.parametrize(
    ("places", "outcome", "reason"),
    [
        (
            [1],
            "pass",
            r"By places: it is ahead of 100\.0 % of its opponents, at least [5-9]\d\.\d %.* more than \+0 points better",
        ),
        (
            [4],
            "fail",
            r"By places: it is ahead of 0\.0 % of its opponents, at most \d+\.\d %.* less than \+60 points better",
        ),
        ([1, 3, 2, 2, 3], "inconclusive", r"after all 4 blocks \d+\.\d to \d+\.\d % are possible: neither above \+0"),
    ],
)
def test_report_names_the_deciding_score(places: list[int], outcome: str, reason: str, tmp_path: Path) -> None:
    """The verdict has its score with the deciding bound, and a note on the difference to the intervals below."""
    league_gate = gate(blocks=4 if outcome == "inconclusive" else 30)
    folder = Folder(tmp_path)
    folder.begin(league_gate)
    played = {game.key: worker.play(league_gate, game) for game in games(league_gate)}
    folder.keep([replace(played[one.key], result=one) for one in ranked(league_gate, places)])
    report = report_of(folder)
    (verdict,) = report.league.gates
    assert verdict.outcome == outcome
    assert re.search(reason, verdict.reason), verdict.reason
    assert verdict.share is not None
    assert verdict.share.low <= verdict.share.value <= verdict.share.high
    for form in ("report.txt", "report.md", "report.html"):
        assert "uses all places" in " ".join(FILES[form](report).split())
    data = json.loads(FILES["report.json"](report))["league"]["gates"][0]
    assert (data["score"], data["elo0"], data["elo1"]) == ("places", 0.0, 60.0)

"""Studies of real games: a trait strengthened by two pawns is detected, and nothing where only the luck differs."""

from dataclasses import replace
from pathlib import Path

import pytest

from vinci_tournament.balance.build import comparison_of
from vinci_tournament.balance.comparison import ArmGames, compare
from vinci_tournament.balance.facts import GameFacts
from vinci_tournament.balance.study import Part, Study, begin
from vinci_tournament.definition.schedule import games
from vinci_tournament.play import runner
from vinci_tournament.play.worker_pool import Processes

STUDY = Study(bots=("normal",), games=400, seed="two-pawns")


def play(study: Study, out: Path) -> list[Part]:
    """Play a study with two processes."""
    parts = begin(study, out)
    for part in parts:
        with part.folder.locked():
            runner.run(part.folder, lambda: Processes(2), 2)
    return parts


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("code", ["WEA", "GAL", "AGR*"])
def test_two_pawns_are_detected(tmp_path: Path, code: str) -> None:
    """In 400 games of each arm the changed trait is worth more, taken more often and dearer, and no other trait changes."""
    study = replace(STUDY, changes=(f"{code}=+2",))
    difference = comparison_of(study, play(study, tmp_path), tmp_path).arms[1].difference
    assert difference is not None
    assert {name for name, effects in difference.traits.items() if effects["worth"].is_found} == {code}
    assert difference.traits[code]["worth"].raw.value > 2
    assert difference.shares[code].is_found
    assert difference.costs[code].is_found
    assert difference.costs[code].raw.value > 0.5


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_other_luck_alone_has_no_effect(tmp_path: Path) -> None:
    """Two halves of the unchanged game, compared as if they were two arms, do not differ in any trait, share or cost."""
    study = replace(STUDY, games=800, seed="unchanged")
    comparison_of(study, play(study, tmp_path), tmp_path)
    [file] = (tmp_path / "facts").iterdir()
    facts = [GameFacts.from_json(line) for line in file.read_text().splitlines()]
    assert len(facts) == len(games(begin(study, tmp_path)[0].folder.league()))
    halves = [[replace(game, block=game.block // 2) for game in facts if game.block % 2 == half] for half in (0, 1)]
    difference = compare([ArmGames(str(number), (), {4: half}) for number, half in enumerate(halves)])[1].difference
    assert difference is not None
    assert not [name for name, effects in difference.traits.items() if effects["worth"].is_found]
    assert not [name for name, effect in [*difference.shares.items(), *difference.costs.items()] if effect.is_found]

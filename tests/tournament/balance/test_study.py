"""Definition of a study: arms, changes, line-ups and seeds."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from vinci_tournament.balance.study import Arm, Change, Study, StudyError, begin, parse_changes, read
from vinci_tournament.definition.schedule import games
from vinci_tournament.play.folder import FolderError

SMALL = Study(bots=("random",), games=12, board="tiny", target=12)


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("WEA=5", (Change("WEA", 5),)),
        ("wea=+2", (Change("WEA", 5),)),
        ("Lasting Agriculture=0", (Change("AGR*", 0),)),
        ("FOR=-1, BAR=7", (Change("FOR", 2), Change("BAR", 7))),
    ],
)
def test_changes(text: str, changes: tuple[Change, ...]) -> None:
    """A number is the new strength; with a sign it is added to that of the table."""
    assert parse_changes(text) == changes


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("WAE=5", "unknown trait 'WAE'; known: AGR AGR"),
        ("WEA", "give the new strength, such as WEA=5"),
        ("WEA=two", "or the difference, such as WEA=[+]2"),
        ("CUR=-1", "from 0 to 20 pawns, and this would be -1"),
        ("WEA=3", "so nothing changes"),
        ("WEA=4,Weapons=5", "once in an arm"),
    ],
)
def test_wrong_changes(text: str, reason: str) -> None:
    """The error names what is wrong and what would be right."""
    with pytest.raises(StudyError, match=reason):
        parse_changes(text)


def test_arms_are_editions_and_changes_of_the_first() -> None:
    """Each change is an arm of its own; a change of several traits is one arm."""
    study = replace(SMALL, editions=("FR", "NL"), changes=("WEA=+2,FOR=+1", "GAL=2"))
    assert study.arms == (
        Arm("FR"),
        Arm("NL"),
        Arm("FR", (Change("WEA", 5), Change("FOR", 4))),
        Arm("FR", (Change("GAL", 2),)),
    )
    assert [arm.name for arm in study.arms][2:] == ["Weapons 3 → 5, Forts 3 → 4", "Galleys 4 → 2"]
    for wrong in (replace(SMALL, editions=("UK",)), replace(SMALL, editions=("FR", "FR"))):
        with pytest.raises(StudyError, match=r"known: standard, FR|two arms are the same"):
            wrong.arms  # noqa: B018


def test_all_arms_have_the_same_seeds(tmp_path: Path) -> None:
    """Games of equal block and rotation have the same seed, opening and bots; only the rules differ."""
    study = replace(SMALL, editions=("standard", "DE"), changes=("WEA=5",), seats=(3, 4))
    parts = begin(study, tmp_path)
    leagues = [part.folder.league() for part in parts]
    assert [(league.edition, league.seats, league.options) for league in leagues] == [
        ("standard", 3, ()),
        ("standard", 4, ()),
        ("DE", 3, ()),
        ("DE", 4, ()),
        ("standard", 3, (("strengths", "WEA:5"),)),
        ("standard", 4, (("strengths", "WEA:5"),)),
    ]
    assert len({league.seed for league in leagues}) == 1
    assert games(leagues[0]) == games(leagues[2]) == games(leagues[4])
    assert begin(read(tmp_path), tmp_path)[0].folder.league() == leagues[0]
    with pytest.raises(FolderError, match="another league"):
        begin(replace(study, games=24), tmp_path)
    with pytest.raises(StudyError, match="holds no study"):
        read(tmp_path / "leagues")


@pytest.mark.parametrize(("bots", "seats"), [(1, 4), (2, 4), (2, 5), (3, 4), (4, 6), (5, 4)])
def test_bots_play_equally_often(bots: int, seats: int) -> None:
    """Fewer bots than seats are repeated; more take turns."""
    study = replace(SMALL, bots=("random",) * bots, seats=(seats,), games=60 * seats)
    [(_, _, league)] = study.leagues()
    played = Counter(name for game in games(replace(league, seed="s")) for name in game.bots)
    assert len(played) == bots
    assert len(set(played.values())) == 1

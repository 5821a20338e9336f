"""Reviews read from JSON: what is in them, and files that are none."""

import json
from math import inf
from pathlib import Path
from typing import Any

import pytest

from tests.support.full_screen.records import played
from vinci_cli.records.loader import names_of
from vinci_cli.review import pages, words
from vinci_cli.review.model import Figure, GameReview, ReviewError, load, parse
from vinci_cli.text.i18n import choose
from vinci_rules.board import load_board

HEAD = {"review": 1, "record": "abc", "simulations": 50, "seed": "1", "turns": 2, "wins": [[0.5, 0.1]] * 4}
NOTHING = [[0, 0]] * 4


def turn(**changes: Any) -> dict[str, Any]:
    """Return a turn of seat 1 of the game of four in tests/data, with changes."""
    return {
        "first": 4,
        "last": 7,
        "round": 1,
        "seat": 1,
        "by": "player",
        "played": {"actions": ["x ALP", "hold ALP=2"]},
        "preferred": {"actions": ["abandon ALP", "peace 2", "x PYR", "hold PYR=2"]},
        "choices": 5,
        "loss": [4.25, 1.5],
        "vp_loss": [3, 1],
        "leads": NOTHING,
        "wins": [[0.25, 0.1]] * 4,
        "luck": [[1.5, 0.5], *NOTHING[1:]],
    } | changes


PLAYER = {
    "seat": 1,
    "turns": 2,
    "accuracy": [81.4, 70.2, 92],
    "loss": [-4, 1],
    "mistakes": 1,
    "draws": [2, 1],
    "dummies": [0, 0],
}
END = {"players": [PLAYER], "turning_points": [{"turn": 1, "seat": 1, "before": 0.5, "after": 0.25}]}
DUMMY = turn(first=7, last=9, seat=2, by="dummy", choices=0, luck=NOTHING)


def lines(*objects: Any) -> list[str]:
    """Return objects as lines of JSON."""
    return [json.dumps(one) for one in objects or (HEAD, turn(), DUMMY, END)]


def review(**changes: Any) -> GameReview:
    """Return a review whose first turn has changes."""
    return parse(lines(HEAD, turn(**changes), DUMMY, END))


def test_turns_are_found_by_revision() -> None:
    """A revision belongs to the turn in which it was made."""
    found = review()
    assert [found.turn_at(revision) for revision in (4, 5, 7, 8, 10)] == [
        None,
        found.turns[0],
        found.turns[0],
        found.turns[1],
        None,
    ]
    assert found.curves()[1] == [50, 25]
    assert found.has_dummies


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "loses 4.2 ± 1.5 VP"),
        ({"loss": [-4.25, 1.5]}, "better by 4.2 ± 1.5 VP"),
        ({"loss": [1.25, 1.5]}, "no clear difference: 1.2 ± 1.5 VP"),
        ({"loss": [0, 0]}, "as good as the preferred turn"),
        ({"preferred": turn()["played"]}, "the search prefers it, too"),
        ({"choices": 1}, "no choice"),
    ],
)
def test_only_a_clear_difference_is_a_loss(changes: dict[str, Any], said: str) -> None:
    """The verdict says whether the interval excludes that nothing was lost."""
    assert words.verdict(review(**changes).turns[0], played("standard", 4).names) == said


def test_turns_are_told_in_words() -> None:
    """The actions, and the better ones; the defence only if nothing else tells them apart."""
    names = played("standard", 4).names
    found = review().turns[0]
    assert words.played_text(found, names) == "conquer the Alps"
    who = names.seat(2)
    assert words.preferred_text(found, names) == f"abandon the Alps; peace with {who}; conquer the Pyrenees"
    held = review(preferred={"actions": ["x ALP", "hold ALP=3"]}).turns[0]
    assert words.preferred_text(held, names) == "conquer the Alps; defend with Alps 3"
    assert words.played_text(held, names) == "conquer the Alps; defend with Alps 2"
    taken = review(played={"actions": ["decline", "take 2"], "takes": ["WEA", "MIL"]}).turns[0]
    assert words.played_text(taken, names) == "decline; take Weapons+Militia"
    assert words.remark(review().turns[1], names) == f"Review: luck of {who}: 0.0 ± 0.0 VP"
    assert words.remark(found, names).startswith(f"Review of {names.seat(1)}: loses 4.2 ± 1.5 VP. Preferred: abandon")


def test_only_a_clearly_better_turn_is_called_preferred() -> None:
    """Others are as good; in reviews kept earlier, a turn that was clearly better stands alone and no sum is negative."""
    names = played("standard", 4).names
    better = "conquer the Pyrenees"
    for loss, told in (([4.25, 1.5], "preferred"), ([1.25, 1.5], "as good"), ([-4.25, 1.5], "")):
        found = review(loss=loss, preferred={"actions": ["x PYR", "hold PYR=2"]})
        lines = [line.strip() for line in pages.turns(found, names)]
        assert [line for line in lines if line.endswith(f": {better}")] == ([f"{told}: {better}"] if told else [])
        remark = words.remark(found.turns[0], names)
        assert remark.partition(". ")[2] == "" if not told else remark.endswith(f". {told.capitalize()}: {better}")
        assert words.cells(found.players[0], found)[2] == "0.0 ± 1.0"


def test_figures_have_a_sign_where_it_matters() -> None:
    """A minus is a hyphen, which every encoding has, and what rounds to 0 has no sign."""
    assert words.luck_text(Figure(1.26, 0.5)) == "+1.3 ± 0.5"
    assert words.luck_text(Figure(-0.04, 0)) == "0.0 ± 0.0"
    found = review()
    assert words.accuracy_text(found.players[0]) == "81 (70\N{EN DASH}92)"
    assert words.accuracy_text(found.players[0]._replace(accuracy=None)) == "\N{EN DASH}"
    names = played("standard", 4).names
    unclear = review(loss=[-2, 3], preferred={"actions": ["x PYR"]}).turns[0]
    assert words.verdict(unclear, names) == "no clear difference: -2.0 ± 3.0 VP"
    who, whom = names.seat(2), names.seat(1)
    point = words.point_text(found.turning_points[0], found, names)
    assert point == f"{whom}: chance to win from 50 % to 25 % (round 1, turn of {who})"
    sure = found.turning_points[0]._replace(before=0.004, after=1)
    assert "from under 1 % to over 99 %" in words.point_text(sure, found, names)


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        ["{"],
        ["1", "2"],
        lines(HEAD, turn(), END),
        lines(HEAD | {"review": 2}, turn(), DUMMY, END),
        lines(HEAD, turn(loss=[1]), DUMMY, END),
        lines(HEAD, turn(first=inf), DUMMY, END),
        lines(HEAD, turn(played={"actions": 5}), DUMMY, END),
        lines(HEAD, turn(wins=[[1, 0]]), DUMMY, END),
        lines(HEAD, turn(luck=[[1, 0]]), DUMMY, END),
        lines(HEAD, turn(seat=9), DUMMY, END),
        lines(HEAD, turn(), DUMMY, END | {"turning_points": [{"turn": 7, "seat": 1, "before": 0, "after": 1}]}),
        ["[" * 100_000],
    ],
)
def test_other_lines_are_refused(wrong: list[str], tmp_path: Path) -> None:
    """They raise ReviewError; a file with them counts as no review."""
    with pytest.raises(ReviewError):
        parse(wrong)
    path = tmp_path / "game.review.json"
    path.write_text("\n".join(wrong), encoding="utf-8")
    assert load(path, "abc") is None


def test_a_review_belongs_to_one_record(tmp_path: Path) -> None:
    """The last hash of the record tells."""
    path = tmp_path / "game.review.json"
    path.write_text("\n".join(lines()), encoding="utf-8")
    assert load(path, "abc") == review()
    assert load(path, "abd") is None
    assert load(tmp_path / "none", "abc") is None


@pytest.mark.parametrize("code", ["en", "fr", "nl", "de"])
def test_the_table_of_players_fits_80_columns(code: str) -> None:
    """Heads take several lines where they are long, as with dummies; of a long name the end is cut."""
    choose(code)
    names = names_of(load_board("europe"), ["Ann", "Bartholomew the Second of Spain", "C", "D"])
    players = [PLAYER | {"seat": seat, "dummies": [-12.5, 10.25]} for seat in (1, 2)]
    found = parse(lines(HEAD, turn(), DUMMY, END | {"players": players}))
    assert found.has_dummies
    *heads, first, second = pages.players(found, names)
    assert all(len(line) <= 80 for line in (*heads, first, second))
    assert len(heads) == (3 if code == "fr" else 2)
    assert first.startswith("Ann (1)")
    assert second.startswith("Bartholomew")

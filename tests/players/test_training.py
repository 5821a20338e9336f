"""The training of the policy: games of variants, and the table that it writes."""

from pathlib import Path
from random import Random

import pytest

from tools import train_players
from tools.train_players import Task, main, results, solo_table, tables, training_table
from vinci_players import weights

KNOWN = [weight for decision in weights.DECISIONS for weight in weights.read()[decision]]


def test_weights_of_all_decisions_are_in_one_list() -> None:
    """Lists are split again as they were put together."""
    assert tables(KNOWN) == weights.read()


def test_training_meets_every_kind_of_table() -> None:
    """The variant is never a dummy; editions, numbers of seats and seats vary."""
    random = Random(1)
    met = [training_table(random) for _ in range(400)]
    assert not any(table.dummies[table.seat] for table in met)
    assert {len(table.dummies) for table in met} == {3, 4, 5, 6}
    assert {table.edition for table in met} == {"standard", "FR", "NL", "DE", "WEB"}
    assert {sum(table.dummies) for table in met if len(table.dummies) == 4} == {0, 1, 2, 3}
    assert [solo_table(number).seat for number in range(5)] == [0, 1, 2, 3, 0]


def test_better_weights_have_better_results() -> None:
    """A variant that always declines loses to dummies by far more than the trained one; equal games have equal results."""
    declining = weights.read() | {"decline": [100.0] + [0.0] * (len(weights.DECLINE) - 1)}
    bad = [weight for decision in weights.DECISIONS for weight in declining[decision]]
    good_utility, good_share = results(Task(KNOWN, KNOWN, 0, 12, is_test=True))
    bad_utility, bad_share = results(Task(bad, KNOWN, 0, 12, is_test=True))
    assert good_utility > bad_utility + 10
    assert good_share >= bad_share
    assert results(Task(KNOWN, KNOWN, 0, 2)) == results(Task(KNOWN, KNOWN, 0, 2))


def test_the_table_tells_its_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two generations of few games give new weights for every feature, the same for the same seed."""
    for name, value in {"VARIANTS": 4, "GAMES": 1, "MATCHES": 4, "PART": 2}.items():
        monkeypatch.setattr(train_players, name, value)
    texts = []
    for out in (tmp_path / "one.csv", tmp_path / "two.csv"):
        monkeypatch.setattr("sys.argv", ["train_players", "--seed", "7", "--generations", "2", "--out", str(out)])
        assert main() == 0
        texts.append(out.read_text(encoding="utf-8"))
    assert texts[0] == texts[1]
    assert "# source: python -m tools.train_players --seed 7 --generations 2; " in texts[0]
    assert "after generation 2" in texts[0]
    monkeypatch.setattr(weights, "DATA", tmp_path)
    assert {name: len(row) for name, row in weights.read.__wrapped__("one").items()} == {
        name: len(features) for name, features in weights.DECISIONS.items()
    }

"""The fit of the value of positions: games of searchers, and the table that it writes."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tools import train_value
from tools.train_value import centred, fitted, game, main, report
from vinci_players import weights
from vinci_rules.editions import options


@pytest.fixture(autouse=True)
def small_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play short games."""
    for name, value in {"DEFAULT_BOARD": "tiny", "SEATS": (3,), "SAMPLES": 1, "SIMULATIONS": 1, "TESTED": 2}.items():
        monkeypatch.setattr(train_value, name, value)
    monkeypatch.setattr(train_value, "options", partial(options, target=25))


def test_rows_are_those_of_every_turn() -> None:
    """A game has a row for each seat at the beginning of each turn; equal tasks have equal rows."""
    rows = game(("a", None))
    assert rows.features.shape == (len(rows.earned), len(weights.VALUE))
    assert np.bincount(rows.position).tolist() == [3] * (len(rows.earned) // 3)
    assert rows.earned[:3].min() > rows.earned[-3:].max() >= 0
    assert (game(("a", None)).features == rows.features).all()
    assert abs(centred(rows).earned.sum()) < 1e-6


def test_a_fit_finds_what_earns_vp() -> None:
    """The fit of games in which a feature alone decides explains nearly all differences between seats."""
    games = [game((f"fit-{number}", None)) for number in range(4)]
    known = np.zeros(len(weights.VALUE))
    known[[place for place, (name, _) in enumerate(weights.VALUE) if name == "active"]] = 3.0
    games = [rows._replace(earned=rows.features @ known) for rows in games]
    assert ": 100% of" in next(report(games, known))
    explained = int(next(report(games, fitted(games))).split(": ")[1].split("%")[0])
    assert explained > 80


def test_the_table_tells_how_it_was_fitted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rounds give a weight for every line, the same for the same seed."""
    texts = []
    for out in (tmp_path / "one.csv", tmp_path / "two.csv"):
        arguments = ["train_value", "--seed", "7", "--games", "2", "--workers", "1", "--out", str(out)]
        monkeypatch.setattr("sys.argv", arguments)
        assert main() == 0
        texts.append(out.read_text(encoding="utf-8"))
    assert texts[0] == texts[1]
    assert "# source: python -m tools.train_value --seed 7 --games 2 --rounds 2; " in texts[0]
    assert "after 4 games; of others: 0 to 100 turns left: " in texts[0]
    monkeypatch.setattr(weights, "DATA", tmp_path)
    assert any(weights.read_value("one"))

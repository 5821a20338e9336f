"""The example of a learner: it gets better, and its bot plays what it has learned."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vinci
from tests.support.paths import PROJECT
from vinci_bots.turn import Turn

FOLDER = PROJECT / "bots" / "learner"


@pytest.fixture
def train(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Import the example as its own folder has it."""
    monkeypatch.syspath_prepend(str(FOLDER))
    yield importlib.import_module("train")
    for name in ("train", "bot"):
        sys.modules.pop(name, None)


def test_learner_gets_better_and_plays(train: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a few steps on the small board it wins more games than before; the games are the same at every run."""
    rules: dict[str, Any] = {"board": "tiny", "target": 40}
    monkeypatch.setattr(train, "BATCH", 8)
    weights = train.train(600, most=3, **rules)
    games = range(10**9, 10**9 + 15)
    before, after = (np.mean(train.play(of, games, False, **rules)[1]) for of in (np.zeros_like(weights), weights))
    assert after > before + 0.1
    np.savez(tmp_path / "weights.npz", weights=weights)
    monkeypatch.setenv("VINCI_WEIGHTS", str(tmp_path / "weights.npz"))
    learner = importlib.import_module("bot").Learner()
    game = vinci.new_game(3, seed="l", **rules)
    while not game.is_over:
        turn = Turn.of(game.state, seed="1")
        game.play(learner.choose(turn))


def test_example_is_short() -> None:
    """It can be read in one go."""
    assert len((FOLDER / "train.py").read_text(encoding="utf-8").splitlines()) <= 150

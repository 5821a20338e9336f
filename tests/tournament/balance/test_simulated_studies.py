"""Simulated studies: what is found where nothing changed, and where a trait became stronger."""

import numpy as np
import pytest

from tests.support.tournament.simulated_studies import study
from vinci_tournament.balance.comparison import ArmReport

STUDIES = 200
BLOCKS = 100
STRONGER = 5.0
"""VP of two pawns: `normal` players gain 4 to 7 in real games."""


def found(report: ArmReport) -> dict[str, set[str]]:
    """Return the names of findings of a comparison by kind."""
    assert report.difference is not None
    of = report.difference
    return {
        "traits": {name for name, effects in of.traits.items() if effects["worth"].is_found},
        "margins": {name for name, effects in of.traits.items() if effects["margin"].is_found},
        "wins": {name for name, effects in of.traits.items() if effects["win"].is_found},
        "pairs": {name for name, effects in of.pairs.items() if effects["worth"].is_found},
        "shares": {name for name, effect in of.shares.items() if effect.is_found},
        "costs": {name for name, effect in of.costs.items() if effect.is_found},
        "figures": {name for name, effect in of.figures[4].items() if effect.is_found},
    }


def test_a_few_studies_find_the_change_and_nothing_else() -> None:
    """Of four studies of 240 games all find a trait worth 10 VP more; of four without a change at most one finds any trait."""
    changed = [found(study(number, 60, {"GAL": 10.0}))["traits"] for number in range(4)]
    assert all("GAL" in names for names in changed)
    unchanged = [found(study(number, 60, {}))["traits"] for number in range(4)]
    assert sum(map(bool, unchanged)) <= 1


def test_small_studies_find_nothing_in_traits() -> None:
    """Of 20 studies of 8 games without a change none finds a trait, an offer or a cost, and at most 3 a figure of games."""
    studies = [found(study(number, 2, {})) for number in range(20)]
    figures = [names.pop("figures") for names in studies]
    assert not any(name for names in studies for name in names.values())
    assert sum(map(bool, figures)) <= 3


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("blocks", [2, 4, 10, 25, 100])
def test_error_rate_where_nothing_changed(blocks: int) -> None:
    """Of 200 studies of 8 to 400 games without a change, each kind has findings in at most about 5 %.

    Intervals of 95 % hold 0 in 95 %.
    """
    kinds: dict[str, list[bool]] = {}
    held = []
    for number in range(STUDIES):
        report = study(number, blocks, {})
        for kind, names in found(report).items():
            kinds.setdefault(kind, []).append(bool(names))
        assert report.difference is not None
        held += [e["worth"].raw.low <= 0 <= e["worth"].raw.high for e in report.difference.traits.values()]
    rates = {kind: float(np.mean(any_found)) for kind, any_found in kinds.items()}
    assert max(rates.values()) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / STUDIES), rates
    assert bool(held) == (blocks >= 25)
    if held:
        assert 0.93 <= np.mean(held) <= 0.98


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_two_pawns_are_detected() -> None:
    """A trait worth 5 VP more is found in at least 90 % of 60 studies of 400 games, with few findings among the others."""
    results = [found(study(number, BLOCKS, {"WEA": STRONGER}))["traits"] for number in range(60)]
    assert np.mean(["WEA" in names for names in results]) >= 0.9
    assert np.mean([bool(names - {"WEA"}) for names in results]) <= 0.15

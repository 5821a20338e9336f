"""Drawing blocks again: how much each counts, and the intervals that this gives."""

from statistics import variance

import numpy as np
import pytest

from tests.support.tournament.simulated_leagues import result
from vinci_tournament.stats.bootstrap import Blocks, Observed, Shown, rounded, t_quantile
from vinci_tournament.stats.values import Estimate


def blocks(*line_ups: str, resamples: int = 20_000) -> Blocks:
    """A block of one game for each line-up."""
    return Blocks(
        [result(place, 0, list(bots), range(1, len(bots) + 1)) for place, bots in enumerate(line_ups)], resamples
    )


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (10, 2.228), (30, 2.042), (1000, 1.962)]
)
def test_quantiles_are_those_of_the_tables(degrees: int, quantile: float) -> None:
    """Student's t for 95 % on both sides."""
    assert t_quantile(degrees) == pytest.approx(quantile, rel=2e-3)


def test_blocks_are_drawn_within_line_ups() -> None:
    """With two blocks or more each, the blocks of a line-up together always count for as many as they are."""
    drawn = blocks("ab", "ab", "cd", "ab", "cd")
    assert drawn.weights[:, [0, 1, 3]].sum(axis=1) == pytest.approx(3)
    assert drawn.weights[:, [2, 4]].sum(axis=1) == pytest.approx(2)
    assert {float(one) for one in drawn.weights[:, 2]} == {0.0, 2.0}


def test_a_line_up_with_one_block_is_drawn_among_all() -> None:
    """Nothing can be drawn from one block, so all are alike."""
    drawn = blocks("ab", "ab", "cd")
    assert drawn.weights.sum(axis=1) == pytest.approx(3)
    assert len(set(drawn.weights[:, 2].tolist())) > 1


def test_the_spread_of_a_mean_is_the_standard_error() -> None:
    """Resampled means vary as the sample's variance by the number of blocks says, with nothing lost to small samples."""
    values = [0.0, 3.0, 4.0, 9.0]
    drawn = blocks(*["ab"] * 4)
    found = drawn.mean([Observed(place, value) for place, value in enumerate(values)], Shown(4))
    reach = t_quantile(3) * (variance(values) / 4) ** 0.5
    assert found.value == 4.0
    assert (found.high - found.low) / 2 == pytest.approx(reach, rel=0.02)


def test_games_weigh_alike() -> None:
    """A block in which more was seen counts for more."""
    assert blocks("ab", "ab").mean([Observed(0, 1), Observed(0, 1), Observed(1, 0)], Shown(4)).value == 0.6667


def test_intervals_stay_within_limits() -> None:
    """A share near 0 reaches further up than down, and not below 0."""
    values = [Observed(place, float(place == 0)) for place in range(12)]
    value, low, high = blocks(*["ab"] * 12).mean(values, Shown(4, (0, 1)))
    assert 0 < low < value < high < 1
    assert high - value > 2 * (value - low)


def test_extreme_intervals_are_the_limits() -> None:
    """Two blocks that say the opposite leave everything possible."""
    found = blocks("ab", "ab").mean([Observed(0, 1), Observed(1, 0.001)], Shown(4, (0, 1)))
    assert found.low < 0.001
    assert found.high > 0.999


@pytest.mark.parametrize("values", [[1.0], [0.25, 0.25, 0.25]])
def test_where_nothing_varies_no_interval_is_told(values: list[float]) -> None:
    """Check that no interval is reported for one block or identical blocks."""
    drawn = blocks(*["ab"] * len(values))
    for shown in (Shown(4), Shown(4, (0, 1))):
        found = drawn.mean([Observed(place, value) for place, value in enumerate(values)], shown)
        assert found == Estimate(values[0], values[0], values[0])
        assert not found.is_told


@pytest.mark.parametrize(("value", "low", "high"), [(1.0, 0.05**0.25, 1.0), (0.0, 0.0, 1 - 0.05**0.25)])
def test_a_share_at_its_limit_has_a_one_sided_interval(value: float, low: float, high: float) -> None:
    """Four blocks in a row are all won with a chance of at most 5 % if the share is the fourth root of that."""
    found = blocks(*["ab"] * 4).mean([Observed(place, value) for place in range(4)], Shown(4, (0, 1)))
    assert found == pytest.approx((value, low, high), abs=1e-4)


def test_a_lower_limit_cuts_an_interval() -> None:
    """The interval of a value that cannot be negative has no negative end; its other end stays."""
    values = [Observed(place, value) for place, value in enumerate((0.0, 1.0, 9.0))]
    cut, whole = (blocks(*["ab"] * 3).mean(values, shown) for shown in (Shown(2, (0, float("inf"))), Shown(2)))
    assert whole.low < 0
    assert cut == (whole.value, 0, whole.high)


def test_nothing_seen_is_refused() -> None:
    """There is no mean of nothing."""
    with pytest.raises(ValueError, match="nothing"):
        blocks("ab").mean([], Shown(2))


def test_resamples_where_a_figure_is_missing_are_left_out() -> None:
    """Check that the interval of a figure seen in few blocks uses only the resamples that contain one of them."""
    found = blocks("ab", "cd", "ef", "gh").mean([Observed(0, 1), Observed(1, 2)], Shown(2))
    assert found.value == 1.5
    assert np.isfinite(found).all()
    assert found.is_told


def test_zero_has_no_sign() -> None:
    """A small negative number is shown as 0."""
    assert str(rounded(-0.0001, 2)) == "0.0"

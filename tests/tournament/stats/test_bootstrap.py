"""Bootstrap by blocks: weights of blocks, and the resulting intervals."""

from statistics import variance

import numpy as np
import pytest

from tests.support.tournament.simulated_leagues import result
from vinci_tournament.stats.bootstrap import Blocks, Observed, Shown, rounded, t_quantile
from vinci_tournament.stats.values import Estimate


def blocks(*line_ups: str, resamples: int = 20_000) -> Blocks:
    """Return a block of one game for each line-up."""
    return Blocks(
        [result(place, 0, list(bots), range(1, len(bots) + 1)) for place, bots in enumerate(line_ups)], resamples
    )


def mean(drawn: Blocks, values: list[tuple[int, float]], shown: Shown) -> Estimate:
    """Return the mean of values, each with the number of its block."""
    place, value = np.array([place for place, _ in values], dtype=int), np.array([value for _, value in values])
    (estimates,) = drawn.means(Observed(place, np.zeros_like(place), [value]), 1, [shown])
    return estimates[0]


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (10, 2.228), (30, 2.042), (1000, 1.962)]
)
def test_quantiles_match_published_tables(degrees: int, quantile: float) -> None:
    """The quantiles are two-sided 95 % of Student's t."""
    assert t_quantile(degrees) == pytest.approx(quantile, rel=2e-3)


def test_blocks_are_resampled_within_line_ups() -> None:
    """The blocks of a line-up with two or more always count for as many as they are."""
    drawn = blocks("ab", "ab", "cd", "ab", "cd")
    assert drawn.weights()[:, [0, 1, 3]].sum(axis=1) == pytest.approx(3)
    assert drawn.weights()[:, [2, 4]].sum(axis=1) == pytest.approx(2)
    assert {float(one) for one in drawn.weights()[:, 2]} == {0.0, 2.0}


def test_line_ups_with_one_block_are_resampled_together() -> None:
    """One block cannot be resampled by itself, so all are resampled together."""
    drawn = blocks("ab", "ab", "cd")
    assert drawn.weights().sum(axis=1) == pytest.approx(3)
    assert len(set(drawn.weights()[:, 2].tolist())) > 1


def test_spread_of_resampled_means_is_the_standard_error() -> None:
    """The variance of resampled means is the sample variance by the number of blocks, without bias for small samples."""
    values = [0.0, 3.0, 4.0, 9.0]
    drawn = blocks(*["ab"] * 4)
    estimate = mean(drawn, [(place, value) for place, value in enumerate(values)], Shown(4))
    reach = t_quantile(3) * (variance(values) / 4) ** 0.5
    assert estimate.value == 4.0
    assert (estimate.high - estimate.low) / 2 == pytest.approx(reach, rel=0.02)


def test_games_have_equal_weights() -> None:
    """A block with more observations has more weight."""
    assert mean(blocks("ab", "ab"), [(0, 1), (0, 1), (1, 0)], Shown(4)).value == 0.6667


def test_intervals_stay_within_limits() -> None:
    """The interval of a share near 0 is longer upwards, and not below 0."""
    values = [(place, float(place == 0)) for place in range(12)]
    value, low, high = mean(blocks(*["ab"] * 12), values, Shown(4, (0, 1)))
    assert 0 < low < value < high < 1
    assert high - value > 2 * (value - low)


def test_extreme_intervals_end_at_the_limits() -> None:
    """Two blocks with opposite results give the interval of all possible values."""
    estimate = mean(blocks("ab", "ab"), [(0, 1), (1, 0.001)], Shown(4, (0, 1)))
    assert estimate.low < 0.001
    assert estimate.high > 0.999


@pytest.mark.parametrize("values", [[1.0], [0.25, 0.25, 0.25]])
def test_no_interval_without_variation(values: list[float]) -> None:
    """One block, or identical blocks, have no interval."""
    drawn = blocks(*["ab"] * len(values))
    for shown in (Shown(4), Shown(4, (0, 1))):
        estimate = mean(drawn, [(place, value) for place, value in enumerate(values)], shown)
        assert estimate == Estimate(values[0], values[0], values[0])
        assert not estimate.is_told


@pytest.mark.parametrize(("value", "low", "high"), [(1.0, 0.05**0.25, 1.0), (0.0, 0.0, 1 - 0.05**0.25)])
def test_share_at_its_limit_has_a_one_sided_interval(value: float, low: float, high: float) -> None:
    """The bound after four won blocks is the fourth root of 5 %: a smaller share wins them all less often."""
    estimate = mean(blocks(*["ab"] * 4), [(place, value) for place in range(4)], Shown(4, (0, 1)))
    assert estimate == pytest.approx((value, low, high), abs=1e-4)


def test_lower_limit_cuts_an_interval() -> None:
    """The interval of a value that cannot be negative starts at 0 or above; its other end stays."""
    values = [(place, value) for place, value in enumerate((0.0, 1.0, 9.0))]
    cut, whole = (mean(blocks(*["ab"] * 3), values, shown) for shown in (Shown(2, (0, float("inf"))), Shown(2)))
    assert whole.low < 0
    assert cut == (whole.value, 0, whole.high)


def test_mean_of_nothing_is_refused() -> None:
    """Without observations there is no mean."""
    with pytest.raises(ValueError, match="nothing"):
        mean(blocks("ab"), [], Shown(2))


def test_resamples_without_the_figure_are_left_out() -> None:
    """The interval of a figure observed in few blocks uses only the resamples that contain one of them."""
    estimate = mean(blocks("ab", "cd", "ef", "gh"), [(0, 1), (1, 2)], Shown(2))
    assert estimate.value == 1.5
    assert np.isfinite(estimate).all()
    assert estimate.is_told


def test_zero_has_no_sign() -> None:
    """A small negative number is shown as 0."""
    assert str(rounded(-0.0001, 2)) == "0.0"

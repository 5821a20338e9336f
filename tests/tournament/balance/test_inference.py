"""Estimates from blocks: p-values, false discoveries, shrinkage, differences."""

import numpy as np
import pytest

from vinci_tournament.balance.inference import (
    Measured,
    adjusted,
    effects,
    interval,
    mean_by_block,
    p_value,
    variance_between,
)


@pytest.mark.parametrize(
    ("value", "degrees", "p"),
    [(2.228, 10, 0.05), (4.144, 10, 0.002), (2.776, 4, 0.05), (1.984, 100, 0.05), (3.390, 100, 0.001)],
)
def test_p_values_are_those_of_students_t(value: float, degrees: int, p: float) -> None:
    """Two-sided quantiles of printed tables, within 3 % of the p-value."""
    assert p_value(value, 1.0, degrees) == pytest.approx(p, rel=0.03)
    assert p_value(-3 * value, 3.0, degrees) == p_value(value, 1.0, degrees)


@pytest.mark.parametrize("base", [0.0, 0.1, 1 / 3])
@pytest.mark.parametrize("blocks", [1, 2, 3])
def test_without_an_interval_nothing_is_found(blocks: int, base: float) -> None:
    """A difference that is the same in all blocks has no known error, whatever is left of it by rounding."""
    one = mean_by_block({block: [base, base + 1.1, base] for block in range(blocks)}, "x")
    other = mean_by_block({block: [base] * 3 for block in range(blocks)}, "x")
    effect = effects(one.minus(other))["x"]
    assert (effect.raw.value, effect.raw.is_told) == (0.37, False)
    assert (effect.p, effect.q, effect.is_found) == (1.0, 1.0, False)


def test_benjamini_and_hochberg_by_hand() -> None:
    """The q-value of rank k of n is the least of n p / k over it and all higher ranks."""
    ps = [0.04, 0.001, 0.3, 0.03, 0.012]
    assert adjusted(ps) == pytest.approx([0.05, 0.005, 0.3, 0.05, 0.03])
    assert adjusted([]) == []


def test_variance_between_estimates() -> None:
    """None beyond the errors gives 0; with equal errors it is the mean square less the variance of an error."""
    errors = np.full(4, 1.0)
    assert variance_between(np.array([1.0, -1.0, 0.5, -0.2]), errors) == 0.0
    assert variance_between(np.array([3.0, -3.0, 1.0, -1.0]), errors) == pytest.approx(5 - 1, abs=1e-6)


def test_a_mean_has_the_error_of_the_means_of_blocks() -> None:
    """With equally many values in each block the jackknife gives their standard deviation by the root of their number."""
    chance = np.random.default_rng(1)
    values = {block: list(chance.normal(5, 2, 4)) for block in range(30)}
    measured = mean_by_block(values, "x")
    means = np.array([np.mean(of) for of in values.values()])
    assert measured.value[0] == pytest.approx(means.mean())
    assert measured.errors[0] == pytest.approx(means.std(ddof=1) / np.sqrt(30))
    assert interval(measured).low < means.mean() < interval(measured).high
    assert not interval(mean_by_block({0: [1.0, 2.0]}, "x")).is_told


def test_luck_that_two_arms_share_cancels() -> None:
    """Paired by block, the difference is far better known than each mean; equal arms differ by exactly 0."""
    chance = np.random.default_rng(2)
    luck = chance.normal(0, 10, 40)
    base = mean_by_block({block: [one] for block, one in enumerate(luck)}, "x")
    other = mean_by_block({block: [one + 1 + chance.normal(0, 0.1)] for block, one in enumerate(luck)}, "x")
    assert base.errors[0] > 1
    assert other.minus(base).errors[0] < 0.05
    assert effects(other.minus(base))["x"].is_found
    same = effects(base.minus(base))["x"]
    assert (same.raw.value, same.p, same.is_found) == (0.0, 1.0, False)


def test_arms_with_other_blocks_are_compared_without_pairs() -> None:
    """The variances of blocks that only one arm has add up."""
    chance = np.random.default_rng(3)
    one = mean_by_block({block: [float(value)] for block, value in enumerate(chance.normal(0, 1, 50))}, "x")
    other = mean_by_block({block + 50: [float(value)] for block, value in enumerate(chance.normal(0, 1, 50))}, "x")
    both = one.minus(other)
    assert both.errors[0] == pytest.approx(np.hypot(one.errors[0], other.errors[0]), rel=0.02)
    assert both.degrees == [99]


def test_expected_changes_are_a_family_of_their_own() -> None:
    """A changed trait is neither drawn towards those that did not change, nor corrected for their number."""
    value = np.array([5.0, 0.1, -0.2, 0.3, 0.0, -0.1])
    influence = np.tile(np.random.default_rng(4).normal(0, 0.2, (30, 1)), (1, 6))
    names = ("WEA", *"abcde")
    measured = Measured(names, tuple(range(30)), value, influence, np.ones((30, 6), dtype=bool))
    together, apart = effects(measured)["WEA"], effects(measured, apart=["WEA"])["WEA"]
    assert together.shrunk.value < apart.shrunk.value < apart.raw.value == together.raw.value
    assert apart.q == apart.p < together.q

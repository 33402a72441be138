"""The guarantee of the closest-pass rule to the printed digit, and against enumeration of ranks."""

from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as peer

from calib import stats

ALPHA = 0.05


def percent(value: float) -> str:
    return f"{100 * value:#.3g}"


@pytest.mark.parametrize(
    ("n", "detectors", "average", "rate"),
    [
        (635, 1, "0.157", "0.471"), (635, 2, "0.314", "0.745"),
        (4, 2, "40.0", "75.1"), (6, 2, "28.6", "58.2"), (4, 1, "20.0", "52.7"), (6, 1, "14.3", "39.3"),
        (7, 2, "25.0", "52.1"), (3, 2, "50.0", "86.5"),
    ],
)  # fmt: skip
def test_average_and_confidence(n: int, detectors: int, average: str, rate: str) -> None:
    assert percent(stats.marginal(n, detectors)) == average
    assert percent(stats.conditional_upper(n, detectors, ALPHA)) == rate


@pytest.mark.parametrize(
    ("ahead", "detectors", "shown"),
    [(100, 1, "13.6"), (100, 2, "25.4"), (48, 2, "13.6"), (72, 2, "19.3"), (1000, 2, "84.9")],
)
def test_a_fire_among_the_next(ahead: int, detectors: int, shown: str) -> None:
    assert percent(stats.at_least_one(635, detectors, ahead)) == shown


def test_a_budget_costs_its_cuts() -> None:
    assert stats.most_cuts("0.01", 635) == 6
    assert f"{100 * stats.conditional_upper(635, 6, ALPHA):.2f}" == "1.65"  # m = 5, or 2 + 2


@pytest.mark.parametrize(
    ("limit", "average_1", "average_2", "before", "chosen"),
    [
        ("0.05", 19, 39, 59, 93),
        ("0.01", 99, 199, 299, 473),
        ("0.005", 199, 399, 598, 947),
        ("0.001", 999, 1999, 2995, 4742),
    ],
)
def test_fewest_passed_units(limit: str, average_1: int, average_2: int, before: int, chosen: int) -> None:
    assert stats.fewest_on_average(limit, 1) == average_1
    assert stats.fewest_on_average(limit, 2) == average_2
    assert stats.further_silent(0, 0, float(limit), ALPHA) == before
    assert stats.further_silent(0, 0, float(limit), ALPHA, detectors=2) == chosen


def test_too_few_units_guarantee_nothing() -> None:
    assert stats.marginal(0, 1) == stats.conditional_upper(0, 1, ALPHA) == stats.at_least_one(0, 1, 1) == 1
    assert stats.conditional_upper(1, 2, ALPHA) == 1
    assert stats.at_least_one(1, 2, 0) == 0


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 3000), st.integers(1, 12), st.floats(1e-5, 0.5))
def test_one_more_fire_for_each_detector_after_the_first(n: int, cuts: int, alpha: float) -> None:
    bound = stats.conditional_upper(n, cuts, alpha)
    if cuts <= n:
        assert bound == pytest.approx(peer.beta.isf(alpha, cuts, n + 1 - cuts), rel=1e-9)
        assert bound == stats.upper(cuts - 1, n, alpha)


@pytest.mark.parametrize(("n", "cuts", "ahead"), [(3, 1, 2), (4, 2, 2), (5, 3, 1), (2, 2, 3)])
def test_ranks_enumerated(n: int, cuts: int, ahead: int) -> None:
    """Among n + N exchangeable peaks the highest `cuts` are all old ones, or a new one tops what was cut away."""
    places = range(n + ahead)
    fires = [set(new) & set(places[-cuts:]) for new in combinations(places, ahead)]
    assert stats.at_least_one(n, cuts, ahead) == pytest.approx(sum(map(bool, fires)) / comb(n + ahead, ahead))

"""What is certified at a declared limit: the comparisons of the specification, and the bound as its second opinion."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as peer

from calib import stats

ALPHA = 0.05


@pytest.mark.parametrize(("limit", "budget"), [(0.005, -1), (0.0075, 0), (0.01, 0), (0.015, 2), (0.02, 3), (0.05, 16)])
def test_largest_certified_budget(limit: float, budget: int) -> None:
    assert stats.largest_budget(635, limit, 2, ALPHA) == (None if budget < 0 else budget)
    certified = [f for f in range(40) if stats.adjusted_upper(f, 635, 2, ALPHA) <= limit]
    assert certified == list(range(budget + 1))  # an initial stretch: certifying more is never easier


PAIRS_OF_THE_PLATEAUS, PAIRS_IN_ALL = 33 * 19, 63 * 64


def test_smallest_rate_certified_without_a_fire() -> None:
    """Fixed before, adjusted, and paying for every pair."""
    rates = [stats.upper(0, 635, ALPHA), stats.adjusted_upper(0, 635, 2, ALPHA)]
    rates += [stats.upper(0, 635, ALPHA / pairs) for pairs in (PAIRS_OF_THE_PLATEAUS, PAIRS_IN_ALL)]
    assert [f"{100 * rate:#.3g}" for rate in rates] == ["0.471", "0.745", "1.48", "1.76"]


@pytest.mark.parametrize(
    ("limit", "before", "adjusted", "every_pair"),
    [(0.005, "0.041", "0.17", "1"), (0.01, "0.0017", "0.0125", "1"), (0.02, "2.7e-06", "3.7e-05", "0.0017")],
)
def test_p_values(limit: float, before: str, adjusted: str, every_pair: str) -> None:
    one, two = stats.p_value(0, 635, limit), stats.p_value(0, 635, limit, 2)
    assert f"{one:.2g}" == before
    assert f"{two:.{3 if limit == 0.01 else 2}g}" == adjusted
    assert f"{min(1, PAIRS_OF_THE_PLATEAUS * one):.2g}" == every_pair


def test_smallest_share_caught_picked_by_eye() -> None:
    assert f"{stats.lower(30, 30, ALPHA):.3f}" == "0.905"  # the closest pass never looks at what it catches
    assert f"{stats.lower(30, 30, ALPHA / stats.minimal_points((63, 64))):.3f}" == "0.788"


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 30), st.integers(1, 4), st.integers(1, 3000), st.floats(1e-4, 0.5))
def test_the_test_and_the_bound_agree(fired: int, detectors: int, n: int, limit: float) -> None:
    p, bound = stats.p_value(fired, n, limit, detectors), stats.adjusted_upper(fired, n, detectors, ALPHA)
    assert (p <= ALPHA) == (bound <= limit)
    if detectors == 1:
        assert p == pytest.approx(peer.binom.cdf(fired, n, limit), rel=1e-9)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 3000), st.integers(1, 4), st.floats(1e-4, 0.9))
def test_no_larger_budget_is_certified(n: int, detectors: int, limit: float) -> None:
    most = stats.largest_budget(n, limit, detectors, ALPHA)
    if most is not None:
        assert stats.adjusted_upper(most, n, detectors, ALPHA) <= limit
    assert stats.adjusted_upper(0 if most is None else most + 1, n, detectors, ALPHA) > limit

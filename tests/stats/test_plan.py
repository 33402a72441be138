"""How many more units decide a limit: the worked figures, and that no fewer would."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib import stats

ALPHA = 0.05


@pytest.mark.parametrize(
    ("fired", "n", "limit", "detectors", "further"),
    [
        (0, 235, 0.01, 1, 64), (0, 235, 0.01, 2, 238), (0, 635, 0.005, 2, 312), (3, 635, 0.01, 1, 138),
        (1, 42, 0.05, 1, 51), (0, 48, 0.05, 1, 11), (0, 0, 0.01, 1, 299), (0, 635, 0.01, 2, 0),
    ],
)  # fmt: skip
def test_plan_for_fires(fired: int, n: int, limit: float, detectors: int, further: int) -> None:
    assert stats.further_silent(fired, n, limit, ALPHA, detectors) == further


@pytest.mark.parametrize(
    ("fired", "n", "limit", "further"), [(30, 30, 0.95, 29), (6, 6, 0.9, 23), (26, 30, 0.9, 59), (59, 59, 0.95, 0)]
)
def test_plan_for_caught(fired: int, n: int, limit: float, further: int) -> None:
    assert stats.further_caught(fired, n, limit, ALPHA) == further


def test_no_plan_reaches_a_limit_of_nothing_or_everything() -> None:
    assert stats.further_silent(0, 635, 0.0, ALPHA) is None
    assert stats.further_caught(30, 30, 1.0, ALPHA) is None


shares = st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@settings(max_examples=60, deadline=None)
@given(shares, st.floats(0.001, 0.5), st.integers(1, 2))
def test_plan_is_the_fewest(share: tuple[int, int], limit: float, detectors: int) -> None:
    fired, n = share
    further = stats.further_silent(fired, n, limit, ALPHA, detectors)
    assert further is not None
    assert stats.adjusted_upper(fired, n + further, detectors, ALPHA) <= limit
    assert further == 0 or stats.adjusted_upper(fired, n + further - 1, detectors, ALPHA) > limit


@settings(max_examples=60, deadline=None)
@given(shares, st.floats(0.001, 0.999))
def test_plan_for_caught_is_the_fewest(share: tuple[int, int], limit: float) -> None:
    fired, n = share
    further = stats.further_caught(fired, n, limit, ALPHA)
    assert further is not None
    assert stats.lower(fired + further, n + further, ALPHA) >= limit
    assert further == 0 or stats.lower(fired + further - 1, n + further - 1, ALPHA) < limit

"""Fires per turn at risk: the worked figure, the chi-square form as the second opinion, and Poisson tails."""

from math import inf

import pytest
import scipy.stats as peer
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.stats.turns import turn_rate, turn_rate_upper

ALPHA = 0.05


def test_none_in_nineteen_turns() -> None:
    assert f"{1000 * turn_rate_upper(0, 19, ALPHA):.0f}" == "158"
    assert turn_rate(0, 19, ALPHA)[0] == 0.0


def test_no_turn_bounds_nothing() -> None:
    assert turn_rate(0, 0, ALPHA) == (0.0, inf)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 200), st.integers(1, 10**6), st.floats(1e-6, 0.5))
def test_agrees_with_the_second_opinion(fired: int, turns: int, alpha: float) -> None:
    low, high = turn_rate(fired, turns, alpha)
    assert high == pytest.approx(peer.chi2.isf(alpha / 2, 2 * fired + 2) / 2 / turns, rel=1e-9)
    assert low == pytest.approx(peer.chi2.ppf(alpha / 2, 2 * fired) / 2 / turns if fired else 0.0, rel=1e-9)
    assert peer.poisson.cdf(fired, turns * turn_rate_upper(fired, turns, alpha)) == pytest.approx(alpha, rel=1e-6)

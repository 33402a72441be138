"""Break-even and horizon: the worked figures, and that the break-even breaks even."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib import stats
from calib.stats.cost import at_least_once, break_even_cost, break_even_prevalence

SAVED, PREVALENCE = 1943 / 44, 15 / 236
RATE = stats.adjusted_upper(0, 635, 2, 0.05)


def test_the_notes_break_even() -> None:
    assert f"{SAVED:.2f}" == "44.16"
    assert round(break_even_cost(PREVALENCE, SAVED, RATE) or 0) == 402
    assert f"{100 * (break_even_prevalence(64, SAVED, RATE) or 0):.2f}" == "1.07"


def test_an_edit_that_goes_on_saves_less_than_a_stop() -> None:
    """Of the 1,943 turns after the fires 221 were used after deletion: the turns after a fire are the most."""
    assert f"{100 * (1943 - 221) / 1943:.1f}" == "88.6"


def test_per_thousand() -> None:
    assert f"{1000 * PREVALENCE:.1f}" == "63.6"
    assert round(1000 * PREVALENCE * SAVED) == 2807
    assert f"{1000 * (1 - PREVALENCE) * RATE:.2f}" == "6.98"


def test_horizon() -> None:
    assert int(1 / RATE) == 134  # on average at least so many passed episodes to a false fire
    assert f"{100 * at_least_once(0.05, 52):.1f}" == "93.1"
    assert at_least_once(1.0, 1) == 1.0
    assert at_least_once(0.0, 100) == at_least_once(1.0, 0) == 0.0


def test_nothing_to_weigh() -> None:
    assert break_even_cost(0.5, 10.0, 0.0) is None
    assert break_even_cost(1.0, 10.0, 0.1) is None
    assert break_even_prevalence(5.0, 0.0, 0.0) is None


@given(st.floats(0.01, 0.99), st.floats(1, 60), st.floats(1e-5, 0.5))
def test_at_break_even_turns_saved_pay_for_false_fires(prevalence: float, saved: float, rate: float) -> None:
    cost = break_even_cost(prevalence, saved, rate)
    assert cost is not None
    assert prevalence * saved == pytest.approx((1 - prevalence) * rate * cost)
    assert break_even_prevalence(cost, saved, rate) == pytest.approx(prevalence)

"""The simulation of the bounds, run small: what is claimed holds, and a bound that is wrong is seen to fail."""

import numpy as np
import pytest

from benchmarks.validity import (
    LAWS,
    Claim,
    Law,
    all_at_once,
    at_risk,
    budget_left_free,
    closest_pass,
    corpora,
    gate,
    new_task,
    picked_by_caught,
    plain,
    worst,
)
from calib import stats

REPEATS = 600
UNRELATED, EITHER_OR, TIED = Law("unrelated", False), Law("either-or", False), Law("unrelated", True)


@pytest.mark.parametrize("law", LAWS, ids=[law.name for law in LAWS])
@pytest.mark.parametrize("budget", [0, 2])
def test_the_adjusted_bound_holds_for_all_points_at_once(law: Law, budget: int) -> None:
    assert all_at_once(stats.adjusted_upper, law, 100, budget, REPEATS).holds


def a_quarter_short(fired: int, n: int, detectors: int, alpha: float) -> float:
    return 0.75 * stats.adjusted_upper(fired, n, detectors, alpha)


@pytest.mark.parametrize("law", [UNRELATED, EITHER_OR], ids=["unrelated", "either-or"])
@pytest.mark.parametrize("wrong", [plain, a_quarter_short])
def test_a_wrong_bound_is_seen_to_fail(law: Law, wrong: object) -> None:
    assert not all_at_once(wrong, law, 100, 0, REPEATS).holds  # type: ignore[arg-type]


def test_budgets_must_be_declared() -> None:
    assert not budget_left_free(UNRELATED, 100, REPEATS).holds


@pytest.mark.parametrize("law", [UNRELATED, EITHER_OR, TIED], ids=["unrelated", "either-or", "ties"])
def test_the_guarantee_of_the_closest_pass_holds(law: Law) -> None:
    new, ahead = closest_pass(law, 100, REPEATS)
    assert new.holds
    assert ahead.holds


def test_a_guarantee_that_forgets_a_detector_is_seen_to_fail() -> None:
    new, ahead = closest_pass(UNRELATED, 100, REPEATS)
    assert not Claim("", new.measured, stats.marginal(100, 1), new.error, new.repeats).holds
    assert not Claim("", ahead.measured, stats.at_least_one(100, 1, 100), ahead.error, ahead.repeats).holds


def test_another_task_keeps_the_bound_of_tasks_and_not_of_episodes() -> None:
    by_episode, by_task = new_task(1.0, 2_000)
    assert by_task.holds
    assert not by_episode.holds


def test_a_point_picked_by_what_it_catches_pays_for_it() -> None:
    assert picked_by_caught(20, 400).holds
    assert not picked_by_caught(1, 1_000).holds


def test_at_risk_bounds_err_less_than_they_say() -> None:
    assert at_risk(1, 400).holds
    assert at_risk(2, 400).holds


@pytest.mark.parametrize(
    ("rate", "n", "passes", "percent"),
    [
        (0.01, 300, True, "4.90"),
        (0.01, 300, False, "3.28"),
        (0.0101, 1000, True, "2.69"),
        (0.0099, 1000, False, "4.45"),
    ],
)
def test_the_gate_errs_seldom(rate: float, n: int, passes: bool, percent: str) -> None:
    claim = gate(rate, n, passes)
    assert f"{100 * claim.measured:.2f}" == percent
    assert claim.holds


@pytest.mark.parametrize("law", [Law(relation, True) for relation in ("unrelated", "either-or", "identical")])
@pytest.mark.parametrize("budget", [0, 1, 3])
def test_the_worst_point_by_trying_all(law: Law, budget: int) -> None:
    """On integer levels the highest rate of any point within the budget, pair by pair."""
    one, two = next(corpora(law, 12, 20, seed=3))
    axis = np.arange(1, int(max(one.max(), two.max())) + 2)
    expected = []
    for a, b in zip(one, two, strict=True):
        within = [(x, y) for x in axis for y in axis if np.count_nonzero((a >= x) | (b >= y)) <= budget]
        expected.append(max(float(law.rate(np.array([x]), np.array([y]))[0]) for x, y in within))
    assert worst(law, one, two, budget) == pytest.approx(expected)

"""Every figure of note 000's comparisons to the printed digit, and scipy.stats as the second opinion."""

from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as peer

from calib.stats.paired import (
    Sides,
    change,
    collapsed,
    least_p,
    mean_difference,
    sides,
    sign_test,
    viability,
    within_spread,
)


@pytest.mark.parametrize(
    ("better", "worse", "p"),
    [
        (43, 0, "2.3e-13"), (21, 0, "9.5e-07"), (22, 0, "4.8e-07"), (20, 0, "1.9e-06"), (3, 0, "0.25"),
        (6, 0, "0.031"), (3, 3, "1"), (15, 0, "6.1e-05"), (16, 0, "3.1e-05"), (5, 0, "0.062"),
    ],
)  # fmt: skip
def test_sign_tests_of_the_note(better: int, worse: int, p: str) -> None:
    found = sign_test(better, worse)
    assert found is not None
    assert f"{found:.2g}" == p


def test_nothing_differs_gives_no_p() -> None:
    assert sign_test(0, 0) is None
    assert Sides(0, 0, 44).p is None


def test_so_few_groups_cannot_give_less() -> None:
    assert [least_p(groups) for groups in (0, 1, 3, 5, 6)] == [1.0, 1.0, 0.25, 0.0625, 0.03125]
    assert Sides(3, 0, 0).p == Sides(3, 0, 0).least_p == 0.25


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 400), st.integers(0, 400))
def test_sign_test_agrees_with_the_second_opinion(better: int, worse: int) -> None:
    found = sign_test(better, worse)
    if better + worse:
        assert found == pytest.approx(peer.binomtest(better, better + worse, 0.5).pvalue, rel=1e-9)
    assert found == sign_test(worse, better)


def test_a_groups_verdict_is_the_sign_of_its_sum() -> None:
    changes = [1, 1, -1, -1, 0, 1, -1]
    groups = ["a", "a", "a", "b", "b", None, None]
    assert collapsed(changes, groups) == [1, -1, 0]
    assert sides(collapsed(changes, groups)) == Sides(1, 1, 1)
    assert sides(changes) == Sides(3, 3, 1)


@pytest.mark.parametrize(
    ("differences", "shown", "spread", "slower", "p"),
    [
        ([57.8, 89.0, 116.0, 133.6, 146.9, 178.1], "+120.2 [75.4, 165.1]", "42.7", 6, 0.03125),
        ([-78.6, -52.3, -15.6, 89.4, 147.1, 194.4], "+47.4 [-70.5, 165.3]", "112.3", 3, 1.0),
    ],
)
def test_paired_loads_of_the_note(differences: list[float], shown: str, spread: str, slower: int, p: float) -> None:
    found = mean_difference(differences, 0.05)
    assert found is not None
    assert f"{found.mean:+.1f} [{found.low:.1f}, {found.high:.1f}]" == shown
    assert f"{stdev(differences):.1f}" == spread
    reach = (found.high - found.mean) / (stdev(differences) / len(differences) ** 0.5)
    assert f"{reach:.4f}" == "2.5706"  # Student's t with 5 degrees of freedom
    assert sum(difference > 0 for difference in differences) == slower
    assert sign_test(slower, 6 - slower) == p


def test_student_needs_two_that_differ() -> None:
    assert mean_difference([3.0], 0.05) is None
    found = mean_difference([3.0, 3.0, 3.0], 0.05)
    assert found is not None
    assert (found.mean, found.low, found.high, found.p) == (3.0, 3.0, 3.0, None)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=40), st.floats(0.01, 0.5))
def test_student_agrees_with_the_second_opinion(values: list[int], alpha: float) -> None:
    if len(set(values)) == 1:
        return
    found = mean_difference(values, alpha)
    result = peer.ttest_rel(values, [0] * len(values))
    interval = result.confidence_interval(1 - alpha)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), rel=1e-7, abs=1e-7)
    assert found.p == pytest.approx(result.pvalue, rel=1e-6)


@pytest.mark.parametrize(
    ("old", "new", "percent"), [(2527, 1772, "-29.9"), (2816, 1862, "-33.9"), (5343, 3634, "-32.0")]
)
def test_seconds_of_the_replay(old: float, new: float, percent: str) -> None:
    found = change([old], [new])
    assert found is not None
    assert f"{100 * found:+.1f}" == percent
    assert f"{3634 / 5343:.3f}" == "0.680"


MEDIUM = [1115.1, 1211.4, 1108.3], [1120.6, 1078.7, 1260.9], [1267.6, 1023.9, 1600.6]
XHIGH = [1422.3, 1278.6, 1442.4], [1439.5, 1358.4, 1377.9], [1491.1, 1729.7, 1581.6]


@pytest.mark.parametrize(
    ("suites", "means", "fixed", "sampled"),
    [
        (MEDIUM, "1144.9 1153.4 1297.4", "+0.739", "+12.482"),
        (XHIGH, "1381.1 1391.9 1600.8", "+0.784", "+15.006"),
    ],
)
def test_suite_times_of_appendix_a(
    suites: tuple[list[float], list[float], list[float]], means: str, fixed: str, sampled: str
) -> None:
    before, greedy, drawn = suites
    assert " ".join(f"{fmean(times):.1f}" for times in suites) == means
    changes = change(before, greedy), change(greedy, drawn)
    assert [f"{100 * (found or 0):+.3f}" for found in changes] == [fixed, sampled]
    assert within_spread(before, greedy)
    assert within_spread(greedy, drawn)


def test_a_change_needs_something_to_change() -> None:
    assert change([], [1.0]) is None
    assert change([0.0], [1.0]) is None
    assert change([1.0, 3.0], [1.0, 2.0]) == -0.25


def test_within_the_spread_of_either_side() -> None:
    assert within_spread([1.0, 1.0], [0.0, 3.0])
    assert not within_spread([1.0, 2.0], [4.0, 4.5])


def test_viability_takes_what_was_not_run_both_ways() -> None:
    assert viability(29, 0, 44, 1) == "FAIL"
    assert viability(43, 0, 44, 1) == "PASS"
    assert viability(4, 5, 15, 1) == "FAIL"  # at best 9 of the 14 needed
    assert viability(9, 5, 15, 1) == "INCONCLUSIVE"
    assert [viability(3, 0, 1, 0, unsure) for unsure in (0, 2, 3)] == ["PASS", "PASS", "INCONCLUSIVE"]
    assert viability(0, 0, 1, 0, 2) == "FAIL"

"""Rates with what could not be observed, on episodes and on tasks, against a slow count."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib import stats
from calib.evidence.rates import Choice, at_risk_upper, rate, rates, status, turn_rate
from calib.point import Point, Trigger, parse_point
from calib.risk import at_point, by_trigger
from calib.selection import group_codes
from calib.statistics import Rates, Status
from calib.sweep import sweep
from tests.evidence import slow
from tests.sweeps import DETECTORS, pencil, scored, sweep_of

ALPHA = 0.05
HERE = Choice(2, 1)


def test_some_of_34_could_not_be_observed() -> None:
    found = rate(30, 4, 34, ALPHA)
    assert (found.least, found.most, found.known_only) == ((30, 34), (34, 34), (30, 30))
    assert found.two_sided is not None
    assert [f"{end:.6f}" for end in found.two_sided] == ["0.725497", "1.000000"]


def test_pencil_false_fires() -> None:
    found = rate(0, 1, 8, ALPHA, triggers=2)
    assert (found.least, found.most, found.known_only) == ((0, 8), (1, 8), (0, 7))
    assert f"{found.one_sided_upper:.6f}" == "0.470679"
    assert found.upper == found.adjusted_upper == stats.adjusted_upper(1, 8, 2, ALPHA)


@pytest.mark.parametrize(("fired", "unknown", "n"), [(0, 0, 0), (0, 5, 5)])
def test_nothing_known_bounds_nothing(fired: int, unknown: int, n: int) -> None:
    found = rate(fired, unknown, n, ALPHA, triggers=2, minimal=63)
    assert (found.two_sided, found.upper, found.lower) == (None, None, None)


def test_a_point_picked_by_eye_pays_on_both_sides() -> None:
    found = rate(30, 0, 30, ALPHA, minimal=63)
    assert f"{found.lower:.3f}" == "0.788"
    assert f"{found.one_sided_lower:.3f}" == "0.905"


@pytest.mark.parametrize(
    ("at", "chosen", "expected"),
    [
        ("", "here", Choice(2, 1)),
        ("search_run@10 | repeated_plan@5", "here", Choice(2, 1)),  # the rule's own point, however it was given
        ("repeated_plan@6 | search_run@10", "here", Choice(2, 16)),  # 16 and 17 thresholds: the shorter axis
        ("repeated_plan@6", "here", Choice(1, 1)),  # on one axis no point is minimal but one
        ("search_run@10", "here", Choice(1, 1)),
        ("repeated_plan@6 | search_run@10", "before", Choice(None, 1)),
    ],
)
def test_what_a_bound_must_pay_for(at: str, chosen: str, expected: Choice) -> None:
    assert Choice.of(sweep_of(pencil(), at=at, chosen=chosen)) == expected  # type: ignore[arg-type]


def test_the_rule_for_some_of_the_detectors_swept() -> None:
    rows = [replace(one, ramps=(*one.ramps, (0, at))) for at, one in enumerate(pencil())]
    names = (*DETECTORS, "same_text")
    assert Choice.of(sweep_of(rows, detectors=names, at="repeated_plan@5 | search_run@10")) == Choice(2, 1)
    assert Choice.of(sweep_of(rows, detectors=names, at="repeated_plan@5 | search_run@9")).minimal == 16


def test_nothing_passed_chose_nothing() -> None:
    rows = [one for one in pencil() if one.label != "passed"]
    assert Choice.of(sweep_of(rows, at="repeated_plan@1 | search_run@1")).minimal == 16


def test_pencil_at_risk_bounds() -> None:
    corpus = scored(pencil())
    triggers = by_trigger(corpus, parse_point("repeated_plan@5 | search_run@10"))
    passed = corpus.labelled("passed")
    point, search = status(at_point(triggers), passed), status(triggers["search_run"], passed)
    assert point == Status(fired=0, at_risk_silent=6, too_short=1, unknown=1, at_risk=6)
    assert search == Status(fired=0, at_risk_silent=4, too_short=4, unknown=0, at_risk=4)
    assert at_risk_upper(point, ALPHA, 2) == stats.adjusted_upper(0, 6, 2, ALPHA)
    assert at_risk_upper(search, ALPHA, None) == stats.upper(0, 4, ALPHA)
    assert at_risk_upper(replace(point, at_risk=0), ALPHA, 2) is None


def slow_units(drawn: list[slow.Row], point: slow.Chosen) -> list[tuple[int, int, int]]:
    """Fired, unknown and all tasks: caught, false fires, other fires."""
    found = []
    for label, every in (("turn_limit", True), ("passed", False), ("failed", False)):
        tasks: dict[str | None, list[slow.Row]] = {}
        for row in slow.labelled(drawn, label):
            tasks.setdefault(row.task, []).append(row)
        fires = unknown = 0
        for rows in tasks.values():
            worst = [row.fires(point) for row in rows]
            best = [row.fires(point) or row.unknown(point) for row in rows]
            join = all if every else any
            fires += join(worst)
            unknown += join(best) and not join(worst)
        found.append((fires, unknown, len(tasks)))
    return found


def counts(found: Rates) -> list[tuple[int, int, int]]:
    return [(one.fired, one.unknown, one.n) for one in (found.caught, found.false_fires, found.other_fires)]


@settings(max_examples=150, deadline=None)
@given(slow.rows(), st.tuples(st.integers(1, 6), st.integers(1, 6)))
def test_agrees_with_a_slow_count(drawn: list[slow.Row], thresholds: tuple[int, int]) -> None:
    corpus = slow.corpus(drawn)
    point = Point(tuple(Trigger(name, k) for name, k in zip(DETECTORS, thresholds, strict=True)))
    standing = at_point(by_trigger(corpus, point))
    labels = {label: corpus.labelled(label) for label in slow.COUNTED}
    episodes = [slow.labelled(drawn, label) for label in slow.COUNTED]
    expected = [
        (sum(row.fires(thresholds) for row in rows), sum(row.unknown(thresholds) for row in rows), len(rows))
        for rows in episodes
    ]
    assert counts(rates(standing, labels, None, HERE, ALPHA)) == expected
    tasks = group_codes(corpus.episodes, "task")[1].to_numpy()
    assert counts(rates(standing, labels, tasks, HERE, ALPHA)) == slow_units(drawn, thresholds)
    alone = np.arange(len(drawn), dtype=np.int32)
    assert rates(standing, labels, alone, HERE, ALPHA) == rates(standing, labels, None, HERE, ALPHA)


def test_the_sweeps_own_unknown_is_the_same() -> None:
    corpus = scored(pencil())
    found = sweep(corpus)
    standing = at_point(by_trigger(corpus, found.point))
    assert found.unknown.passed == status(standing, corpus.labelled("passed")).unknown == 1


def test_per_turn_at_risk_of_the_pencil_corpus() -> None:
    found = turn_rate(0, 19, ALPHA)
    assert found is not None
    assert f"{found.one_sided_upper:.0f}" == "158"
    assert found.two_sided[0] == 0.0
    assert turn_rate(0, 0, ALPHA) is None

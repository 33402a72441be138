"""Cost, baselines and contribution: the pencil corpus by hand, random ones against a slow count."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.evidence.rates import rate
from calib.evidence.worth import against_turn_count, baselines, contribution, cost
from calib.point import Point, Trigger
from calib.risk import by_trigger
from calib.statistics import Baseline, Contribution, Paired
from calib.sweep import sweep
from tests.evidence import slow
from tests.sweeps import DETECTORS, note, pencil, scored, sweep_of


def test_pencil_baselines() -> None:
    found = baselines(sweep_of(pencil()))
    assert found.never == Baseline("never", 0, 0, 0, 0)
    assert found.always == Baseline("always", 5, 8, 1, 95)
    assert found.turn_count == Baseline("turn_count@19", 5, 0, 0, 5)
    assert found.beats_turn_count is True


def test_a_late_point_does_not_beat_turn_count() -> None:
    assert baselines(sweep_of(pencil(), at="search_run@16")).beats_turn_count is False


def test_nothing_passed_gives_no_turn_count() -> None:
    found = baselines(sweep_of([one for one in pencil() if one.label != "passed"]))
    assert (found.turn_count, found.beats_turn_count) == (None, None)


def test_pencil_against_its_turn_count() -> None:
    corpus = scored(pencil())
    swept = sweep(corpus)
    turn_count = baselines(swept).turn_count
    assert turn_count is not None
    found = against_turn_count(corpus, swept.point, turn_count)
    assert found.turn_limit == Paired(0, 0, 5, 0, None, 5, 0, 0, 0.0625)
    assert found.passed == Paired(0, 0, 0, 8, None, 0, 0, 0, None)
    assert found.failed == Paired(1, 0, 0, 0, 1.0, 0, 0, 0, None)


def test_pencil_contributions() -> None:
    corpus = scored(pencil())
    labels = {label: corpus.labelled(label) for label in slow.COUNTED}
    assert contribution(by_trigger(corpus, sweep(corpus).point), labels) == {
        "repeated_plan": Contribution(2, 0, 1, 3, 1),
        "search_run": Contribution(1, 0, 0, 1, 1),
    }


def test_pencil_cost() -> None:
    found = cost(sweep_of(pencil()), rate(0, 1, 8, 0.05, triggers=2), 20)
    assert found is not None
    assert (found.turns_per_turn_limit, found.prevalence) == (9.0, 5 / 13)
    assert found.per_1000.turn_limit == found.per_1000.caught == pytest.approx(1000 * 5 / 13)
    assert found.per_1000.turns_after_fire == pytest.approx(45_000 / 13)
    assert found.break_even_cost == pytest.approx(45 / (8 * found.rate_bound))  # 45 turns against 8 times the bound
    assert found.break_even_prevalence is not None


def test_cost_takes_the_bound_never_the_share_seen() -> None:
    swept = sweep_of(note())
    found = cost(swept, rate(0, 0, 635, 0.05, triggers=2), None)
    assert found is not None
    assert f"{found.rate_bound:.5f}" == "0.00745"
    assert (found.run, found.break_even_prevalence) == (None, None)


def test_cost_needs_both_labels() -> None:
    for label in ("turn_limit", "passed"):
        rows = [one for one in pencil() if one.label != label]
        assert cost(sweep_of(rows), rate(0, 0, 8, 0.05), 20) is None
    assert cost(sweep_of(pencil()), rate(0, 8, 8, 0.05), 20) is None  # not one passed episode was observable


@settings(max_examples=120, deadline=None)
@given(slow.rows(), st.tuples(st.integers(1, 5), st.integers(1, 5)))
def test_contributions_agree_with_dropping_each(drawn: list[slow.Row], thresholds: tuple[int, int]) -> None:
    corpus = slow.corpus(drawn)
    point = Point(tuple(Trigger(name, k) for name, k in zip(DETECTORS, thresholds, strict=True)))
    labels = {label: corpus.labelled(label) for label in slow.COUNTED}
    found = contribution(by_trigger(corpus, point), labels)
    for place, name in enumerate(DETECTORS):
        dropped = tuple(99 if at == place else k for at, k in enumerate(thresholds))
        lost = [
            sum(row.fires(thresholds) and not row.fires(dropped) for row in slow.labelled(drawn, label))
            for label in slow.COUNTED
        ]
        one = found[name]
        assert [one.caught, one.false_fires, one.other_fires] == lost
    caught = [row for row in slow.labelled(drawn, "turn_limit") if row.fires(thresholds)]
    # a plan of the drawing reaches level k at turn k, a search at turn k - 1
    turns = [
        [k + shift if peak >= k else 99 for peak, k, shift in zip(row.peaks, thresholds, (0, -1), strict=True)]
        for row in caught
    ]
    for place, name in enumerate(DETECTORS):
        assert found[name].first_alone == sum(each[place] < each[1 - place] for each in turns)
        assert found[name].tied == sum(each[0] == each[1] for each in turns)

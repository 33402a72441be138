"""Copies of episodes under other names make no bound narrower; a few that look alike change nothing."""

import pytest

from calib import stats
from calib.config import Config, Limits
from calib.evidence import statistics
from calib.evidence.bounded import bounded_line
from calib.gate import judge, rates_of
from calib.point import parse_point
from calib.repeats import contents, repeat
from calib.results import Distinct
from calib.sweep import sweep
from tests.sweeps import Drawn, scored

ALPHA = 0.05
LOOP = Drawn("L", "turn_limit", 20, ((5, 12), (0, 2)), "A", 20)


def passes(n: int, different: int) -> list[Drawn]:
    """Draw passed episodes of which so many differ; the others repeat the first, which alone reaches level 3."""
    each = [Drawn(f"P{at:03}", "passed", 9, ((1, 1), (0, 1)), "A", 20) for at in range(1, different)]
    first = [Drawn(f"P000-{at:03}", "passed", 9, ((1, 3), (0, 4)), "A", 20, "P000") for at in range(n - different + 1)]
    return [*each, *first]


@pytest.mark.parametrize(("n", "different", "counted"), [(480, 1, 1), (40, 37, 37), (40, 38, None), (40, 40, None)])
def test_a_bound_counts_each_content_once_unless_few_look_alike(n: int, different: int, counted: int | None) -> None:
    made = scored([LOOP, *passes(n, different)])
    found = sweep(made)
    once = found.distinct.get("passed")
    assert once == (None if counted is None else Distinct(0, 0, counted))
    numbers, passed = contents(made), made.labelled("passed")
    assert repeat(numbers, passed) == (counted is not None)
    assert len(set(numbers[passed])) == different
    rate = rates_of(found, ALPHA).false_fires
    assert (rate.fired, rate.n) == (0, n)
    assert rate.upper == stats.adjusted_upper(0, counted or n, 2, ALPHA)
    known = statistics(made, found)
    assert known.false_fires == rate
    assert known.guarantee is not None
    assert known.guarantee["episode"].n == (counted or n)
    assert (known.at_risk_turn_rate["point"] is None) == (counted is not None)
    assert known.at_risk_upper["point"] == rate.upper
    line = bounded_line(found, "repeated_plan", ALPHA)
    assert line is not None
    assert line.adjusted[-1] == rate.upper


def test_copies_that_fire_are_one_fire() -> None:
    made = scored([LOOP, *passes(40, 20)])
    low = sweep(made, at=parse_point("repeated_plan@3"))
    assert low.tally.false_fires == 21
    assert low.distinct["passed"] == Distinct(1, 0, 20)
    rate = rates_of(low, ALPHA).false_fires
    assert rate.lower == stats.lower(1, 20, ALPHA)
    assert rate.upper == stats.adjusted_upper(1, 20, 1, ALPHA)


def test_480_copies_of_one_run_pass_no_limit() -> None:
    made = scored([LOOP, *passes(480, 1)])
    found = sweep(made)
    config = Config(limits=Limits(max_false_fire_rate=0.01))
    verdict = judge(found, statistics(made, found), config)
    assert (verdict.verdict, verdict.exit_code) == ("INCONCLUSIVE", 3)
    assert "0 of 480 (1 different), at most 100 %" in verdict.limits[0].found
    assert verdict.certified is not None
    assert (verdict.certified.budget, verdict.certified.n) == (None, 1)
    different = scored([LOOP, *passes(480, 480)])
    again = sweep(different)
    assert judge(again, statistics(different, again), config).verdict == "PASS"


def test_what_is_short_or_of_another_task_repeats_nothing() -> None:
    short = [Drawn(f"E{at}", "passed", at % 3, ((0, 0), (0, 0)), "A", 20, "E") for at in range(9)]
    assert not sweep(scored([LOOP, *short])).distinct
    tasks = [Drawn(f"E{at}", "passed", 5, ((0, 0), (0, 0)), f"task {at}", 20, "E") for at in range(9)]
    assert not sweep(scored([LOOP, *tasks])).distinct
    untold = [Drawn(f"E{at}", "passed", 5, ((0, 0), (0, 0)), None, 20, "E") for at in range(9)]
    assert sweep(scored([LOOP, *untold])).distinct == {"passed": Distinct(0, 0, 1)}

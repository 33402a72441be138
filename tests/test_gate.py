"""Every row of the gate table, the plans, and the words; sweeps are the pencil corpus with other counts."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib import gate
from calib.config import Config, Limits
from calib.errors import ConfigurationError
from calib.evidence import statistics
from calib.gate import decide, rates_of
from calib.point import parse_point
from calib.reports._statistics import certified as spelled
from calib.results import Calibrated, Certified, Counts, Lost, Mix, Plateau, Sweep, Tally, Unknown, Verdict
from calib.sweep import sweep
from tests.sweeps import Drawn, known_of, note, pencil, scored, sweep_of

PENCIL = sweep_of(pencil())
GIVEN = replace(PENCIL, rule="given", chosen="before")
BEFORE = Config(chosen="before")
HERE = Config()
POINT = parse_point("repeated_plan@5 | search_run@10")


def with_counts(
    base: Sweep = PENCIL, *, caught: str = "5/5", false_fires: str = "0/8", other_fires: str = "1/1"
) -> Sweep:
    """Give a sweep with these counts: fired/n, or fired+unknown/n."""
    (c, cu, nt), (f, fu, np), (o, ou, nf) = map(_parts, (caught, false_fires, other_fires))
    return replace(base, counts=Counts(nt, np, nf), tally=Tally(c, nt - c, f, o), unknown=Unknown(cu, fu, ou))


def _parts(share: str) -> tuple[int, int, int]:
    seen, _, n = share.partition("/")
    fired, _, unknown = seen.partition("+")
    return int(fired), int(unknown or 0), int(n)


def judge(found: Sweep, config: Config) -> Verdict:
    """Judge a sweep by its counts."""
    return gate.judge(found, known_of(found, config.each), config)


def judged(found: Sweep, config: Config, **limits: Any) -> str:
    verdict = judge(found, replace(config, limits=Limits(**limits)))
    assert {"PASS": 0, "FAIL": 1, "INCONCLUSIVE": 3, "nothing gated": 0}[verdict.verdict] == verdict.exit_code
    return verdict.verdict


FALSE_FIRES_BEFORE = {
    "PASS": ["0/635 1", "0/635 0.5", "0/72 5", "0+1/635 1"],
    "INCONCLUSIVE": ["0/635 0.47", "0/48 5", "1/42 5", "0/6 1", "10/635 1", "0+3/635 1", "0/0 1", "0+8/8 1"],
    "FAIL": ["12/635 1"],
}
FALSE_FIRES_HERE = {
    "PASS": ["0/635 1", "0/635 0.75"],
    "INCONCLUSIVE": ["0/635 0.7", "1/635 1"],
    "FAIL": ["30/635 1"],
}
CAUGHT = {
    "PASS": ["30/30 90", "59/59 95", "6/6 50"],
    "INCONCLUSIVE": ["30/30 95", "58/58 95", "6/6 90", "26+4/30 90", "0/0 90", "0+5/5 1"],
    "FAIL": ["20/30 90", "1/44 50"],
}


def rows(table: dict[str, list[str]]) -> list[tuple[str, float, str]]:
    return [
        (case.split()[0], float(case.split()[1]) / 100, outcome) for outcome, cases in table.items() for case in cases
    ]


@pytest.mark.parametrize(("share", "limit", "outcome"), rows(FALSE_FIRES_BEFORE))
def test_false_fire_rate_of_a_point_fixed_before(share: str, limit: float, outcome: str) -> None:
    assert judged(with_counts(GIVEN, false_fires=share), BEFORE, max_false_fire_rate=limit) == outcome


@pytest.mark.parametrize(("share", "limit", "outcome"), rows(FALSE_FIRES_HERE))
def test_false_fire_rate_of_a_point_chosen_here(share: str, limit: float, outcome: str) -> None:
    assert judged(with_counts(false_fires=share), HERE, max_false_fire_rate=limit) == outcome


@pytest.mark.parametrize(("share", "limit", "outcome"), rows(FALSE_FIRES_BEFORE))
def test_other_fires_pay_for_no_choice(share: str, limit: float, outcome: str) -> None:
    assert judged(with_counts(other_fires=share), HERE, max_other_fire_rate=limit) == outcome


@pytest.mark.parametrize(("share", "limit", "outcome"), rows(CAUGHT))
def test_caught_rate(share: str, limit: float, outcome: str) -> None:
    assert judged(with_counts(caught=share), HERE, min_caught_rate=limit) == outcome
    assert judged(with_counts(GIVEN, caught=share), BEFORE, min_caught_rate=limit) == outcome


@pytest.mark.parametrize(
    ("share", "limit", "more", "config"),
    [
        ("0/235", 0.01, "64", BEFORE), ("0/235", 0.01, "238", HERE), ("0/635", 0.005, "312", HERE),
        ("3/635", 0.01, "138", BEFORE), ("1/42", 0.05, "51", BEFORE), ("0/48", 0.05, "11", BEFORE),
        ("0/0", 0.01, "299", BEFORE), ("0/0", 0.01, "473", HERE), ("0+3/635", 0.01, "138", BEFORE),
    ],
)  # fmt: skip
def test_plan_for_false_fires(share: str, limit: float, more: str, config: Config) -> None:
    found = with_counts(GIVEN if config is BEFORE else PENCIL, false_fires=share)
    verdict = judge(found, replace(config, limits=Limits(max_false_fire_rate=limit)))
    assert verdict.limits[0].found.endswith(f"; {more} more passed episodes, none of them firing, would decide it")


@pytest.mark.parametrize(("share", "limit", "more"), [("30/30", 0.95, 29), ("6/6", 0.9, 23), ("26+4/30", 0.9, 59)])
def test_plan_for_caught(share: str, limit: float, more: int) -> None:
    verdict = judge(with_counts(caught=share), replace(HERE, limits=Limits(min_caught_rate=limit)))
    assert verdict.limits[0].found.endswith(f"; {more} more turn_limit episodes, all of them caught, would decide it")


@pytest.mark.parametrize(
    ("found", "config", "limits", "line"),
    [
        (with_counts(GIVEN, false_fires="0/235"), BEFORE, {"max_false_fire_rate": 0.01},
         "INCONCLUSIVE max_false_fire_rate 1 %: 0 of 235, at most 1.27 %; "
         "64 more passed episodes, none of them firing, would decide it"),
        (with_counts(false_fires="0/635"), HERE, {"max_false_fire_rate": 0.0075},
         "PASS max_false_fire_rate 0.75 %: 0 of 635, at most 0.745 % "
         "(point chosen on these episodes; 0.471 % had it been fixed before)"),
        (with_counts(GIVEN, false_fires="12/635"), BEFORE, {"max_false_fire_rate": 0.01},
         "FAIL max_false_fire_rate 1 %: 12 of 635, at least 1.09 %"),
        (with_counts(GIVEN, false_fires="10/635"), BEFORE, {"max_false_fire_rate": 0.01},
         "INCONCLUSIVE max_false_fire_rate 1 %: 10 of 635, at most 2.66 %; "
         "more data will not help unless the rate is lower than seen"),
        (with_counts(GIVEN, false_fires="0+1/8"), BEFORE, {"max_false_fire_rate": 0.5},
         "PASS max_false_fire_rate 50 %: between 0 and 1 of 8 (1 not observable), at most 47.1 %"),
        (with_counts(GIVEN, false_fires="0+8/8"), BEFORE, {"max_false_fire_rate": 0.5},
         "INCONCLUSIVE max_false_fire_rate 50 %: between 0 and 8 of 8 (8 not observable): not observable"),
        (with_counts(GIVEN, false_fires="0/0"), BEFORE, {"max_false_fire_rate": 0.01},
         "INCONCLUSIVE max_false_fire_rate 1 %: no passed episode; "
         "299 more passed episodes, none of them firing, would decide it"),
        (with_counts(caught="30/30"), HERE, {"min_caught_rate": 0.9},
         "PASS min_caught_rate 90 %: 30 of 30, at least 90.4 %"),
        (with_counts(caught="26/30"), HERE, {"min_caught_rate": 0.9},
         "INCONCLUSIVE min_caught_rate 90 %: 26 of 30, at least 72.0 %; "
         "more data will not help unless the rate is higher than seen"),
        (with_counts(caught="20/30"), HERE, {"min_caught_rate": 0.9},
         "FAIL min_caught_rate 90 %: 20 of 30, at most 80.7 %"),
        (with_counts(false_fires="0/635"), HERE, {"max_false_fires": 0},
         "PASS max_false_fires 0: 0 of 635 passed episodes, at most 0.745 %"),
        (with_counts(false_fires="2/635"), HERE, {"max_false_fires": 1},
         "FAIL max_false_fires 1: 2 of 635 passed episodes, at most 1.47 %"),
        (with_counts(false_fires="1+1/635"), HERE, {"max_false_fires": 1},
         "INCONCLUSIVE max_false_fires 1: between 1 and 2 of 635 passed episodes (1 not observable), at most 1.47 %"),
        (with_counts(false_fires="0/0"), HERE, {"max_false_fires": 0},
         "INCONCLUSIVE max_false_fires 0: no passed episode"),
        (with_counts(caught="29/30"), HERE, {"min_caught": 29}, "PASS min_caught 29: 29 of 30 turn_limit episodes"),
        (with_counts(caught="29/30"), HERE, {"min_caught": 30}, "FAIL min_caught 30: 29 of 30 turn_limit episodes"),
        (with_counts(caught="28+1/30"), HERE, {"min_caught": 29},
         "INCONCLUSIVE min_caught 29: between 28 and 29 of 30 turn_limit episodes (1 not observable)"),
        (with_counts(caught="0/0"), HERE, {"min_caught": 1}, "INCONCLUSIVE min_caught 1: no turn_limit episode"),
        (PENCIL, HERE, {"min_passed": 8}, "PASS min_passed 8: 8 passed episodes"),
        (PENCIL, HERE, {"min_passed": 9}, "INCONCLUSIVE min_passed 9: 8 passed episodes; 1 more would decide it"),
        (PENCIL, HERE, {"min_turn_limit": 1_000},
         "INCONCLUSIVE min_turn_limit 1,000: 5 turn_limit episodes; 995 more would decide it"),
        (PENCIL, HERE, {"min_plateau_width": {"search_run": 7}},
         "PASS min_plateau_width.search_run 7: 10–16, 7 wide"),
        (PENCIL, HERE, {"min_plateau_width": {"search_run": 8}},
         "FAIL min_plateau_width.search_run 8: 10–16, 7 wide"),
    ],
)  # fmt: skip
def test_words(found: Sweep, config: Config, limits: dict[str, Any], line: str) -> None:
    verdict = judge(found, replace(config, limits=Limits(**limits)))
    assert [limit.line for limit in verdict.limits] == [line]


def test_one_width_is_asked_of_every_detector() -> None:
    verdict = judge(PENCIL, Config(limits=Limits(min_plateau_width=6)))
    assert [(limit.name, limit.verdict) for limit in verdict.limits] == [
        ("min_plateau_width.repeated_plan", "FAIL"),
        ("min_plateau_width.search_run", "PASS"),
    ]


def test_an_open_plateau_is_wide_enough_when_something_could_have_ended_it() -> None:
    open_end = replace(PENCIL, plateaus={"search_run": Plateau(10, None, None)})
    assert judged(open_end, HERE, min_plateau_width=1_000) == "PASS"
    assert judged(with_counts(open_end, caught="0/0"), HERE, min_plateau_width=1) == "INCONCLUSIVE"


def test_a_width_asked_of_a_detector_that_the_point_lacks_is_a_mistake() -> None:
    with pytest.raises(
        ConfigurationError, match=r"^gate\.min_plateau_width: expected detectors of the point .* loop; leave it out"
    ):
        judge(PENCIL, Config(limits=Limits(min_plateau_width={"loop": 3})))


@pytest.mark.parametrize(
    ("limits", "verdict", "code"),
    [
        ({}, "nothing gated", 0),
        ({"min_caught": 5}, "PASS", 0),
        ({"min_caught": 5, "min_passed": 9}, "INCONCLUSIVE", 3),
        ({"min_caught": 6, "min_passed": 9}, "FAIL", 1),
        ({"min_caught": 5, "max_rejected": 0.01}, "PASS", 0),
        ({"min_caught": 5, "max_rejected": 0.009}, "FAIL", 4),
        ({"min_caught": 6, "max_rejected": 0.009}, "FAIL", 4),
        ({"min_passed": 9, "max_rejected": 0}, "FAIL", 4),
    ],
)
def test_together(limits: dict[str, Any], verdict: str, code: int) -> None:
    found = replace(PENCIL, lost=Lost(records=3, bytes=10, of_bytes=1_000))
    answer = judge(found, Config(limits=Limits(**limits)))
    assert (answer.verdict, answer.exit_code) == (verdict, code)
    assert answer.line.startswith(f"verdict: {verdict}")
    assert answer.line.endswith(f"; exit {code})")


def test_last_line() -> None:
    limits = Limits(min_caught=6, min_passed=9)
    assert (
        judge(PENCIL, Config(limits=limits)).line == "verdict: FAIL (1 of 2 limits; 95 % confidence, one check; exit 1)"
    )
    many = judge(PENCIL, Config(limits=limits, checks=30, confidence=0.9)).line
    assert many == "verdict: FAIL (1 of 2 limits; 90 % confidence over 30 checks, 99.6 % in each; exit 1)"
    nothing = "verdict: nothing gated (calib report --init writes limits that hold now; exit 0)"
    assert judge(PENCIL, Config()).line == nothing


@pytest.mark.parametrize(("found", "config", "percent"), [(GIVEN, BEFORE, "1.00"), (PENCIL, HERE, "1.36")])
def test_checks_divide_the_error(found: Sweep, config: Config, percent: str) -> None:
    many = replace(config, checks=30)
    upper = rates_of(with_counts(found, false_fires="0/635"), many.alpha).false_fires.upper
    assert upper is not None
    assert f"{100 * upper:#.3g}" == percent
    assert many.each == pytest.approx(1 - 0.05 / 30)


NEW = Calibrated("f" * 64, "closest_pass", POINT.thresholds, 700, 0, (), None, Mix(5, 8, 1, 13.5))
SOME = replace(NEW, shared=3)
OTHER = replace(NEW, point={"repeated_plan": 5, "search_run": 11})
CLAIMED = "nothing on record says which episodes chose the point; that it was others is only claimed"
GONE = (
    "is missing, so nobody can tell whether these episodes chose the point: bring it back, or write both files again "
    "with --init on the episodes that chose it"
)


@pytest.mark.parametrize(
    ("found", "config", "held", "answer", "why"),
    [
        (PENCIL, HERE, None, "here", ""),
        (GIVEN, BEFORE, None, "before", CLAIMED),
        (PENCIL, BEFORE, None, "here", ""),  # the rule has just chosen it
        (GIVEN, replace(BEFORE, point=POINT), None, "before", CLAIMED),
        (GIVEN, replace(BEFORE, point=POINT), NEW, "before", ""),
        (GIVEN, replace(BEFORE, point=POINT), SOME, "here",
         "3 of these 14 episodes are among those the point was chosen on, go on where one of them "
         "ended, or look exactly like one, as short runs may; --unseen leaves them out"),
        (GIVEN, replace(BEFORE, point=parse_point("search_run@10")), None, "here",
         "the configuration fixed another point before, search_run@10"),
        (GIVEN, replace(BEFORE, point=POINT), OTHER, "here",
         "the record is of another point, repeated_plan@5 | search_run@11: write both again with --init"),
        (GIVEN, replace(BEFORE, calibrated_on="0" * 64), None, "here", f"the record of calibrated_on {GONE}"),
        (GIVEN, replace(BEFORE, calibrated_on="0" * 64, source=Path("a/my.toml")), None, "here",
         f"my.calibrated.json {GONE}"),
        (GIVEN, replace(BEFORE, calibrated_on="0" * 64), NEW, "before", ""),
        (GIVEN, replace(BEFORE, calibrated_on=PENCIL.data), None, "here",
         "these are the data that calibrated_on names: the point was chosen on them"),
        (GIVEN, replace(BEFORE, calibrated_on=PENCIL.data[:12]), NEW, "here",
         "these are the data that calibrated_on names: the point was chosen on them"),
    ],
)  # fmt: skip
def test_fixed_before_is_believed_only_when_it_can_be(
    found: Sweep, config: Config, held: Calibrated | None, answer: str, why: str
) -> None:
    assert found.point == POINT
    assert decide(found, config, held) == (answer, why)


def test_a_point_picked_by_eye_pays_for_caught_too() -> None:
    eye = replace(
        PENCIL,
        rule="given",
        point=parse_point("repeated_plan@6 | search_run@10"),
        tops={"repeated_plan": 63, "search_run": 64},
    )
    low = rates_of(with_counts(eye, caught="30/30"), 0.05).caught.lower
    assert low is not None
    assert f"{low:.3f}" == "0.788"
    verdict = judge(with_counts(eye, caught="30/30"), Config(limits=Limits(min_caught_rate=0.9)))
    assert verdict.limits[0].found.startswith("30 of 30, at least 78.8 % (point picked on these episodes); ")
    closest = rates_of(with_counts(replace(GIVEN, chosen="here"), caught="30/30"), 0.05).caught.lower
    assert closest is not None
    assert f"{closest:.3f}" == "0.905"


def test_nothing_to_count_bounds_nothing() -> None:
    found = rates_of(with_counts(caught="0/0", false_fires="0/0", other_fires="0/0"), 0.05)
    for rate in (found.caught, found.false_fires, found.other_fires):
        assert (rate.n, rate.lower, rate.upper, rate.adjusted_upper, rate.two_sided) == (0, None, None, None, None)


shares = st.integers(0, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@settings(max_examples=100, deadline=None)
@given(shares, st.integers(0, 3), st.floats(0.001, 0.9), st.booleans())
def test_what_cannot_be_seen_never_decides(share: tuple[int, int], hidden: int, limit: float, before: bool) -> None:
    """A verdict with unknown episodes is the one they would give whichever way they turned out, or INCONCLUSIVE."""
    fired, n = share
    hidden = min(hidden, n - fired)
    base, config = (GIVEN, BEFORE) if before else (PENCIL, HERE)

    def outcome(text: str) -> str:
        return judged(with_counts(base, false_fires=text), config, max_false_fire_rate=limit)

    seen = outcome(f"{fired}+{hidden}/{n}")
    either = {outcome(f"{fired + more}/{n}") for more in range(hidden + 1)}
    assert seen == "INCONCLUSIVE" or either == {seen}


def test_a_trigger_that_cannot_fire_is_not_judged() -> None:
    found = sweep_of(pencil(), at="T2@20 | T1@10")  # a turn limit of 20 allows level 19
    known = known_of(found, drawn=pencil())
    with pytest.raises(
        ConfigurationError, match=r"^gate: repeated_plan@20 cannot fire: a turn limit of 20 allows level 19;"
    ):
        gate.judge(found, known, Config(limits=Limits(max_false_fires=1)))
    assert gate.judge(found, known, Config()).verdict == "nothing gated"
    longer = [*pencil(), Drawn("P9", "passed", 30, ((0, 0), (0, 0)), "A", 40)]  # under its limit it can
    swept = sweep_of(longer, at="T2@20 | T1@10")
    assert gate.judge(swept, known_of(swept, drawn=longer), Config(limits=Limits(max_false_fires=1))).verdict == "PASS"


@pytest.mark.parametrize(
    ("limits", "line"),
    [
        ({"max_false_fire_rate": 0.5},
         "INCONCLUSIVE max_false_fire_rate 50 %: between 0 and 1 of 3 tasks (1 not observable), at most 99.2 % "
         "(point chosen on these episodes; 86.5 % had it been fixed before); "
         "9 more tasks with a passed episode, none of them firing, would decide it"),
        ({"min_caught_rate": 0.3}, "PASS min_caught_rate 30 %: 3 of 3 tasks, at least 36.8 %"),
        ({"min_caught": 5}, "PASS min_caught 5: 5 of 5 turn_limit episodes"),
    ],
)  # fmt: skip
def test_rates_are_judged_on_the_declared_unit_and_counts_on_episodes(limits: dict[str, Any], line: str) -> None:
    known = statistics(scored(pencil()), PENCIL, unit="task")
    verdict = gate.judge(PENCIL, known, Config(unit="task", limits=Limits(**limits)))
    assert [limit.line for limit in verdict.limits] == [line]


def test_a_rule_over_tools_that_nobody_calls_passes_no_gate() -> None:
    named = replace(scored(pencil()), called={"search_run": np.zeros(14, np.bool_)})
    found = sweep(named, at=POINT)
    verdict = gate.judge(found, statistics(named, found), Config(limits=Limits(max_false_fires=1, min_caught=5)))
    assert (verdict.verdict, verdict.exit_code) == ("INCONCLUSIVE", 3)
    assert [limit.line for limit in verdict.limits][-1:] == [
        "INCONCLUSIVE can_fire.search_run 10: search_run@10 cannot fire here: no call is one that it looks at "
        "(episodes with a turn limit of 20)"
    ]
    assert gate.judge(found, statistics(named, found), Config(limits=Limits(min_passed=8))).verdict == "PASS"


def test_a_trigger_that_no_episode_is_long_enough_for_is_a_warning_unless_it_is_all_there_is() -> None:
    longer = [replace(one, turn_limit=64) for one in pencil()]
    for point, outcome in (("T2@5 | T1@40", "PASS"), ("T1@40", "INCONCLUSIVE")):
        found = sweep_of(longer, at=point)
        verdict = gate.judge(
            found, known_of(found, drawn=longer), Config(limits=Limits(max_false_fires=1, min_caught=0))
        )
        assert verdict.verdict == outcome, point


@pytest.mark.parametrize(
    ("caught", "limits", "outcome"),
    [
        ("0/5", {"max_false_fires": 0}, "INCONCLUSIVE"), ("0/5", {"max_false_fire_rate": 0.5}, "INCONCLUSIVE"),
        ("0/5", {"max_other_fire_rate": 0.99}, "INCONCLUSIVE"), ("0+2/5", {"max_false_fires": 0}, "INCONCLUSIVE"),
        ("1/5", {"max_false_fires": 0}, "PASS"), ("0/0", {"max_false_fires": 0}, "PASS"),
        ("0/5", {"max_false_fires": 0, "min_caught": 0}, "PASS"),
        ("0/5", {"max_false_fires": 0, "min_caught": 1}, "FAIL"), ("0/5", {"min_passed": 8}, "PASS"),
        ("0/5", {"max_rejected": 0.5}, "PASS"),
    ],
)  # fmt: skip
def test_a_guard_that_catches_nothing_passes_no_limit_on_fires_unless_that_is_meant(
    caught: str, limits: dict[str, Any], outcome: str
) -> None:
    assert judged(with_counts(caught=caught), HERE, **limits) == outcome


def test_the_words_for_a_guard_that_catches_nothing() -> None:
    verdict = judge(with_counts(caught="0+2/5"), replace(HERE, limits=Limits(max_false_fires=0)))
    assert [limit.line for limit in verdict.limits][1:] == [
        "INCONCLUSIVE min_caught 1: 0 of 5 turn_limit episodes (2 not observable): a guard that catches nothing keeps "
        "every limit on fires; min_caught = 0 says that this is meant"
    ]


def certified(found: Sweep, limit: float, config: Config = HERE) -> Certified | None:
    return judge(found, replace(config, limits=Limits(max_false_fire_rate=limit))).certified


NOTE = sweep_of(note())


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        (0.01, "at 1 % (95 %): all points with 0 false fires, 627 pairs around this one"),
        (0.005, "not at 0.5 %: needs 947 passed episodes, has 635"),
        (0.02, "at 2 % (95 %): all points with at most 3 false fires, 627 pairs around this one"),
    ],
)
def test_what_may_be_picked_at_a_limit(limit: float, said: str) -> None:
    found = certified(NOTE, limit)
    assert found is not None
    assert spelled(found, 0.95) == said


def test_only_a_point_chosen_here_is_certified_among_others() -> None:
    assert certified(replace(NOTE, chosen="before", rule="given"), 0.01, BEFORE) is None
    assert judge(NOTE, replace(HERE, limits=Limits(max_false_fires=0))).certified is None
    outside = certified(with_counts(NOTE, false_fires="4/635"), 0.02)
    assert outside is not None
    assert (outside.budget, outside.pairs) == (3, None)


def test_one_unit_is_one() -> None:
    one = [replace(each, task="A") for each in pencil()]
    found = sweep_of(one)
    known = statistics(scored(one), found, "task")
    verdict = gate.judge(found, known, Config(unit="task", limits=Limits(max_false_fire_rate=0.1, max_false_fires=0)))
    assert [limit.found.partition(",")[0] for limit in verdict.limits] == [
        "between 0 and 1 of 8 passed episodes (1 not observable)",
        "between 0 and 1 of 1 task (1 not observable): not observable",
    ]

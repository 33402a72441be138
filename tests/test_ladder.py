"""What each rung says, when it is reached, and what it needs."""

from dataclasses import replace
from typing import Any

import pytest

from calib import gate
from calib.config import Config, Limits
from calib.evidence.rates import rate
from calib.gate._plan import plan_silent
from calib.ladder import climb, guaranteed, idle_triggers
from calib.results import Calibrated, Drift, LimitResult, Mix, Plan, Rung, Sweep, Verdict
from calib.statistics import Reachability
from tests.sweeps import NOTHING, Drawn, known_of, pencil, sweep_of

PENCIL = sweep_of(pencil())
KNOWN = known_of(PENCIL, drawn=pencil())


def rungs(found: Sweep = PENCIL, verdict: Verdict = NOTHING, held: Calibrated | None = None) -> dict[str, Rung]:
    known = replace(KNOWN, chosen=found.chosen)
    return {rung.name: rung for rung in climb(found, known, verdict, held).rungs}


def test_what_the_pencil_corpus_reaches() -> None:
    found = climb(PENCIL, KNOWN, NOTHING, None)
    assert found.rung == 2
    assert [rung.reached for rung in found.rungs] == [True, True, True, False, False, False]
    assert found.next == rungs()["held out"]


def limited(limit: float, outcome: str = "PASS", *more: str) -> Verdict:
    own = [LimitResult(name, 1, "1", "", "INCONCLUSIVE") for name in more]
    result = LimitResult("max_false_fire_rate", limit, "", "", outcome)  # type: ignore[arg-type]
    return replace(NOTHING, limits=(result, *own))


@pytest.mark.parametrize(
    ("found", "verdict", "needs"),
    [
        (PENCIL, NOTHING, "a limit: max_false_fire_rate in calib.toml"),
        (PENCIL, limited(0.01), ""),
        (PENCIL, limited(0.1), ""),
        (PENCIL, limited(0.11), "a limit that assures of something: max_false_fire_rate of 10 % or less"),
        (PENCIL, limited(0.9), "a limit that assures of something: max_false_fire_rate of 10 % or less"),
        (PENCIL, limited(0.01, "FAIL"), "a lower rate of false fires"),
        (PENCIL, limited(0.01, "PASS", "can_fire.search_run"), "episodes in which every trigger could fire"),
        (replace(PENCIL, tally=replace(PENCIL.tally, caught=0)), limited(0.01), "a point that catches something"),
    ],
)  # fmt: skip
def test_a_guarantee_is_a_limit_worth_having_of_a_guard_that_works(found: Sweep, verdict: Verdict, needs: str) -> None:
    rung = rungs(found, verdict)["guarantee"]
    assert (rung.reached, rung.needs) == (not needs, needs)


def test_a_limit_that_is_not_decided_says_what_would_decide_it() -> None:
    verdict = gate.judge(PENCIL, KNOWN, Config(limits=Limits(max_false_fire_rate=0.1)))
    assert rungs(PENCIL, verdict)["guarantee"].needs.endswith("more passed episodes, none of them firing")


NEW = Calibrated("f" * 64, "closest_pass", PENCIL.point.thresholds, 700, 0, (), None, Mix(5, 8, 1, 13.5))


@pytest.mark.parametrize(
    ("drift", "reached", "said"),
    [
        ((Drift("a", 635, 6, 48, 0, 1.0, False),), True,
         "no sign of drift: 0 of 48 later passed episodes above every calibration pass"),
        ((Drift("a", 635, 6, 48, 0, 1.0, False), Drift("b", 635, 6, 30, 0, 1.0, False)), True,
         "no sign of drift: 0 of 48 later passed episodes above every calibration pass for a, 0 of 30 for b"),
        ((Drift("a", 635, 6, 48, 2, 0.00479, True),), False,
         "a: 2 of 48 later passed episodes went higher than every calibration pass (p = 0.0048 if nothing changed): "
         "do not rely on the guarantee"),
        ((Drift("a", 635, 6, 48, 1, 0.0703, False),), True,
         "a: 1 of 48 later passed episodes went higher than every calibration pass (p = 0.070 if nothing changed): "
         "that may be chance"),
        ((), False, ""),
    ],
)  # fmt: skip
def test_later_data(drift: tuple[Drift, ...], reached: bool, said: str) -> None:
    rung = rungs(replace(PENCIL, chosen="before"), held=replace(NEW, drift=drift))["later data"]
    assert (rung.reached, rung.said) == (reached, said)
    assert rung.reached or rung.needs


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("tool never called",
         "run(tool:x)@1 cannot fire here: no call is one that it looks at (episodes with a turn limit of 64)"),
        ("no episode long enough", "run(tool:x)@1: no episode long enough (episodes with a turn limit of 64)"),
        ("reachable", ""),
    ],
)  # fmt: skip
def test_a_trigger_that_is_idle_everywhere_is_said_once(status: Any, said: str) -> None:
    audit = Reachability("run(tool:x)", 1, 64, status, None, 3, 60)
    assert idle_triggers(replace(KNOWN, reachability=(audit, audit))) == ((said,) if said else ())
    there = replace(audit, turn_limit=20, status="reachable")
    assert idle_triggers(replace(KNOWN, reachability=(audit, there))) == ()


def test_without_a_label_there_is_no_rung() -> None:
    unlabelled = [Drawn(one.episode_id, "unlabelled", one.n_turns, one.ramps, one.task, 20) for one in pencil()]
    found = sweep_of(unlabelled)
    ladder = climb(found, known_of(found, drawn=unlabelled), NOTHING, None)
    assert (ladder.rung, ladder.rungs[0].needs) == (-1, "episodes labelled turn_limit or passed")


def test_a_trigger_that_looks_at_calls_nobody_makes_could_have_fired_in_no_episode() -> None:
    def bounds(*names: str) -> Rung:
        audits = tuple(
            replace(each, status="tool never called") if each.detector in names else each for each in KNOWN.reachability
        )
        return climb(PENCIL, replace(KNOWN, reachability=audits), NOTHING, None).rungs[1]

    assert bounds().said.endswith("of 8 passed episodes 6 could have fired, only 4 by search_run")
    assert bounds("repeated_plan").said.endswith("of 8 passed episodes 6 could have fired, none by repeated_plan")
    whole = bounds("repeated_plan", "search_run")
    assert (whole.reached, whole.said) == (False, "no episode could have fired")
    assert whole.needs == "episodes that make a call which the point looks at"


def test_a_single_passed_episode_is_this_one() -> None:
    drawn = [one for one in pencil() if one.episode_id in ("L1", "P1")]
    found = sweep_of(drawn)
    assert guaranteed(found, known_of(found, drawn=drawn)).startswith("if new episodes are like this one, a passed one")


def test_a_claim_without_a_record_is_not_held_out() -> None:
    rung = rungs(replace(PENCIL, chosen="before"))["held out"]
    assert (rung.reached, rung.said) == (False, "that other episodes chose the point is only claimed")
    assert rungs(replace(PENCIL, chosen="before"), held=NEW)["held out"].reached


@pytest.mark.parametrize(
    ("plan", "needs"),
    [
        (plan_silent(rate(0, 3, 3, 0.05), 0.5, 0.05, 1, "passed"), "passed episodes recorded in full"),
        (plan_silent(rate(0, 1, 3, 0.05), 0.5, 0.05, 1, "passed", blind=["T2"]), "passed episodes recorded in full"),
        (Plan("passed", None, "", "more data will not help unless the rate is lower than seen"),
         "a lower rate of false fires"),
        (Plan("passed", 64, "", "64 more passed episodes, none of them firing, would decide it"),
         "64 more passed episodes, none of them firing"),
    ],
)  # fmt: skip
def test_what_a_guarantee_needs_reads_after_needs(plan: Plan, needs: str) -> None:
    verdict = limited(0.01, "INCONCLUSIVE")
    planned = replace(verdict, limits=(replace(verdict.limits[0], plan=plan),))
    assert rungs(PENCIL, planned)["guarantee"].needs == needs


@pytest.mark.parametrize(
    ("why", "needs"),
    [
        ("", "episodes of a second task, or --by another key"),
        ("one model: nothing to hold out", "episodes of a second model, or --by another key"),
        ("no arm recorded: nothing to hold out", "episodes that record their arm, or --by another key"),
        ("no passed episode that every detector could observe: nothing", "passed episodes recorded in full"),
    ],
)
def test_what_other_groups_need_is_said_of_the_key_asked_for(why: str, needs: str) -> None:
    known = replace(KNOWN, leave_one_out=None, why={"leave_one_out": why} if why else {})
    assert climb(PENCIL, known, NOTHING, None).rungs[2].needs == needs

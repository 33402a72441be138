"""How far a number can be trusted, step by step: each rung says what is known there, or what it would need.

0 in sample · 1 exact bounds · 2 other groups · 3 held out · 4 guarantee · 5 later data. The rung reached is the highest
one below which none is missing. A rung says what evidence there is, not that it is good: its figures say that.
"""

from collections.abc import Iterator

from calib.results import Calibrated, Ladder, LimitResult, Rung, Sweep, Verdict
from calib.spelling import UNRECORDED, at_most, can_fire, confidence, count, p_value, plural, units
from calib.statistics import Guarantee, LeaveOneOut, Statistics
from calib.stats import WORTH_HAVING

FEW = 0.2
"""A bound above this says next to nothing."""


def climb(found: Sweep, known: Statistics, verdict: Verdict, held: Calibrated | None) -> Ladder:
    """Say which rung the data of a report reach, and what the next one needs."""
    rungs = (
        _in_sample(found),
        _bounds(found, known),
        _groups(known),
        _held_out(found, known, held),
        _guarantee(found, known, verdict),
        _later(found, held),
    )
    reached = next((at for at, rung in enumerate(rungs) if not rung.reached), len(rungs)) - 1
    return Ladder(reached, rungs)


def _in_sample(found: Sweep) -> Rung:
    counts = found.counts
    if not counts.turn_limit and not counts.passed:
        return Rung("in sample", False, "", "episodes labelled turn_limit or passed")
    if found.chosen == "before":
        said = "better than that: the point was fixed before these episodes, so they do not flatter it"
        return Rung("in sample", True, said, "")
    if found.rule == "published":
        said = "the thresholds are the published ones, for no episode here chose any; bounds are as if they had been"
        return Rung("in sample", True, said, "")
    said = "the point was chosen on the episodes it is judged on, so it looks better than it is"
    return Rung("in sample", True, said, "")


def _bounds(found: Sweep, known: Statistics) -> Rung:
    """Bound what was counted, and count who could have fired."""
    name, missing = "exact bounds", [label for label in ("turn_limit", "passed") if not getattr(found.counts, label)]
    if missing:
        return Rung(name, False, "", f"{' and '.join(missing)} episodes")
    upper, point = known.by_unit["episode"].false_fires.upper, known.partition["passed"]["point"]
    if never_called(known) >= set(found.point.thresholds):
        return Rung(name, False, "no episode could have fired", "episodes that make a call which the point looks at")
    if upper is None:
        return Rung(name, False, "no passed episode could be observed", "passed episodes recorded in full")
    if not point.at_risk:
        return Rung(name, False, "no passed episode could have fired", "longer passed episodes, recorded in full")
    said = f"false fires at most {at_most(upper)}; {_could_fire(known)}"
    return Rung(name, True, said, "")


def _could_fire(known: Statistics) -> str:
    """Say how many passed episodes could have fired at all, and of the trigger that fewest could have."""
    status = known.partition["passed"]
    point = status["point"]
    n = point.at_risk + point.too_short + point.unknown
    said = f"of {units(n, 'passed')} {count(point.at_risk)} could have fired"
    mute = never_called(known)
    could = {name: 0 if name in mute else each.at_risk for name, each in status.items() if name != "point"}
    fewest = min(could, key=lambda name: could[name])
    if could[fewest] < point.at_risk:
        said += f", {f'only {count(could[fewest])}' if could[fewest] else 'none'} by {fewest}"
    return said


def never_called(known: Statistics) -> set[str]:
    """Name the detectors that look at calls of which no episode makes one, under any turn limit."""
    names = {each.detector for each in known.reachability}
    made = {each.detector for each in known.reachability if each.status != "tool never called"}
    return names - made


def _groups(known: Statistics) -> Rung:
    name, folds = "other groups", known.leave_one_out
    if folds is None:
        said = known.why.get("leave_one_out", "")
        return Rung(name, False, said, _missing_groups(said))
    if sum(fold.point is not None and bool(fold.passed or fold.turn_limit) for fold in folds.folds) < 2:
        return Rung(name, False, "no group could be left out", f"passed episodes of more than one {folds.by}")
    return Rung(name, True, left_out(folds), "")


def _missing_groups(why: str) -> str:
    """Say what is needed where nothing could be left out: `one task: nothing to hold out`."""
    if "observe" in why:
        return "passed episodes recorded in full"
    if " recorded:" in why:
        key = why.removeprefix("no ").partition(" recorded:")[0]
        return f"episodes that record their {key}, or --by another key"
    one = why.removeprefix("one ").partition(":")[0] if why.startswith("one ") else "task"
    return f"episodes of a second {one}, or --by another key"


def left_out(folds: LeaveOneOut) -> str:
    """Say how thresholds chosen without a group do on it: `leaving one task out: 5 of 5 caught, 2 of 8 …`."""
    caught, false, before = folds.held_out.caught, folds.held_out.false_fires, folds.in_sample.false_fires
    unchosen = sum(fold.point is None for fold in folds.folds)
    skipped = f"; without {plural(unchosen, 'group')} nothing chooses" if unchosen else ""
    said = [f"{count(caught[0])} of {count(caught[1])} caught"] * (caught[1] > 0)
    if false[1]:
        in_sample = f"(in sample {count(before[0])} of {count(before[1])})"
        said.append(f"{count(false[0])} of {count(false[1])} false fires {in_sample}")
    return f"leaving one {folds.by} out: {', '.join(said)}{skipped}"


def idle_triggers(known: Statistics) -> tuple[str, ...]:
    """Warn of each trigger that under no turn limit of the data can fire and save a turn: why, in one sentence."""
    said = []
    for name in dict.fromkeys(each.detector for each in known.reachability):
        audits = [each for each in known.reachability if each.detector == name]
        if all(each.status != "reachable" for each in audits):
            said.append(can_fire(audits[-1]))
    return tuple(said)


def _held_out(found: Sweep, known: Statistics, held: Calibrated | None) -> Rung:
    if found.chosen != "before":
        first = "" if held is not None else "--init now, "  # a record of the episodes that chose it is there already
        return Rung("held out", False, "", f"episodes that did not choose the point: {first}calib report on new ones")
    if held is None:
        needs = "a record of the episodes that chose the point: calib report --init on those"
        return Rung("held out", False, "that other episodes chose the point is only claimed", needs)
    rate = known.by_unit["episode"].false_fires
    on = f" on {others(held)}"
    bound = f", at most {at_most(rate.upper)}" if rate.upper is not None else ""
    said = f"the point was fixed before{on}: {count(rate.fired)} of {units(rate.n, 'passed')} fired{bound}"
    return Rung("held out", rate.n > 0, said, "" if rate.n else "passed episodes")


def others(held: Calibrated) -> str:
    """Count the episodes that chose the point; copies are said, for the record knows each content once.

    `12 other episodes (10 different)`
    """
    then = held.then
    labelled = then.turn_limit + then.passed + then.failed if then else 0
    if labelled <= held.calibrated:
        return plural(held.calibrated, "other episode")
    return f"{plural(labelled, 'other episode')} ({count(held.calibrated)} different)"


def _guarantee(found: Sweep, known: Statistics, verdict: Verdict) -> Rung:
    """A guarantee is a limit worth having that holds, on the unit that is declared, of a guard that catches some."""
    said = guaranteed(found, known)
    needs = _lacking(found, verdict)
    return Rung("guarantee", not needs, said, needs)


def _lacking(found: Sweep, verdict: Verdict) -> str:
    """Say what a guarantee still needs; nothing where there is one."""
    by_name = {limit.name: limit for limit in verdict.limits}
    limit = by_name.get("max_false_fire_rate")
    if limit is None:
        return "a limit: max_false_fire_rate in calib.toml"
    if limit.verdict != "PASS":
        return _wanting(limit)
    if limit.limit > WORTH_HAVING:
        return f"a limit that assures of something: max_false_fire_rate of {confidence(WORTH_HAVING)} or less"
    if any(name.startswith("can_fire.") for name in by_name):
        return "episodes in which every trigger could fire"
    return "" if found.tally.caught else "a point that catches something"


def _wanting(limit: LimitResult) -> str:
    """Say what a limit that does not hold needs."""
    if limit.plan is None or limit.plan.further is None:
        blind = limit.plan is not None and limit.plan.said.startswith(UNRECORDED)
        return "passed episodes recorded in full" if blind else "a lower rate of false fires"
    return limit.plan.said.removesuffix(", would decide it")


def guaranteed(found: Sweep, known: Statistics) -> str:
    """Say what is promised, and of what: the closest-pass rule on each unit, else the bound of a point fixed before."""
    if known.guarantee:
        (unit, first), *others = known.guarantee.items()
        these = "this one" if first.n == 1 else f"these {count(first.n)}"
        said = (
            f"if new {unit}s are like {these}, a passed one fires with probability at most "
            f"{at_most(first.marginal)}; the rate of this point is at most {at_most(first.conditional_upper)} "
            f"({confidence(known.confidence)})"
        )
        return said + "".join(f"; by {other} ({count(its.n)}) {_pair(its)}" for other, its in others)
    rates = known.by_unit[known.unit].false_fires
    if rates.upper is None:
        return ""
    how = "fixed before" if found.chosen == "before" else "chosen here"
    of = units(rates.n, "passed", known.unit)
    return f"if new {known.unit}s are like these: {count(rates.fired)} of {of}, at most {at_most(rates.upper)}, {how}"


def _pair(its: Guarantee) -> str:
    few = ", too few to say more" if its.conditional_upper > FEW else ""
    return f"{at_most(its.marginal)} and {at_most(its.conditional_upper)}{few}"


def _later(found: Sweep, held: Calibrated | None) -> Rung:
    name, needs = "later data", "passed episodes made later by the harness that will run the guard"
    if found.chosen != "before" or held is None or held.shared or not held.drift:
        return Rung(name, False, "", needs)
    signs = [each for each in held.drift if each.sign]
    return Rung(name, not signs, drift(held), "a new calibration: these episodes are not like those" if signs else "")


def drift(held: Calibrated) -> str:
    """Say how later peaks compare; that nothing was seen is never said to mean that nothing is there."""
    if not held.drift:
        return "no later passed episode to compare"
    if any(each.above for each in held.drift):
        return "; ".join(_above(held))
    first, *others = held.drift
    more = "".join(f", 0 of {count(each.later)} for {each.detector}" for each in others if each.later != first.later)
    of = f" for {first.detector}" if more else ""
    return f"no sign of drift: 0 of {count(first.later)} later passed episodes above every calibration pass{of}{more}"


def _above(held: Calibrated) -> Iterator[str]:
    for each in held.drift:
        if each.above:
            said = (
                f"{each.detector}: {count(each.above)} of {count(each.later)} later passed episodes went higher than "
                f"every calibration pass (p = {p_value(each.p)} if nothing changed)"
            )
            yield f"{said}: do not rely on the guarantee" if each.sign else f"{said}: that may be chance"

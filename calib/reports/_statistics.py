"""The sentences on what a count rests on and what it is worth: short, no jargon, bounds outward, x of n always.

Texts of a dump (groups, ids) pass through `shown`, which only the report knows.
"""

from fractions import Fraction
from math import ceil

from calib.escape import visible
from calib.reports._labels import LISTED, Said, Shown, labels
from calib.results import Certified, Report
from calib.spelling import (
    at_most,
    can_fire,
    confidence,
    count,
    p_value,
    percent_of,
    plural,
    short,
    thresholds,
    units,
)
from calib.statistics import (
    Horizon,
    LeaveOneOut,
    Paired,
    Resampling,
    Statistics,
    Status,
    Transfer,
    TurnRate,
)

NO_GROUP = "(none)"
SURE = 0.9995
"""A probability that spells as 100 %: at most that says nothing."""


def sentences(report: Report, shown: Shown) -> list[tuple[str, str]]:
    """Say what the counts rest on and what they are worth, in the order of the questions a reader has."""
    found = report.statistics
    parts = (
        _at_risk(found),
        _reachable(found),
        _certified(report),
        _groups(found, shown),
        labels(found, shown),
        _worth(found),
        _each(found),
    )
    return [line for part in parts for line in part]


def _at_risk(found: Statistics) -> Said:
    title = "at risk"
    triggers = {each.detector: f"{each.detector}@{each.threshold}" for each in found.reachability}
    for name, its in found.partition["passed"].items():
        if its.at_risk + its.too_short + its.unknown:
            yield title, _status(triggers.get(name, "the point"), its, found.at_risk_upper.get(name))
            title = ""
    rate = found.at_risk_turn_rate.get("point")
    if rate is not None:
        yield title, _per_turn(rate)


def _status(trigger: str, its: Status, bound: float | None) -> str:
    """Say how many could have fired: `of 8 passed episodes 4 were at risk for search_run@10 (4 too short): 0 fired`."""
    n = its.at_risk + its.too_short + its.unknown
    rest = [f"{count(its.too_short)} too short"] * (its.too_short > 0)
    rest += [f"{count(its.unknown)} not observable"] * (its.unknown > 0)
    apart = f" ({', '.join(rest)})" if rest else ""
    were = "was" if its.at_risk == 1 else "were"
    said = f"of {units(n, 'passed')} {count(its.at_risk)} {were} at risk for {trigger}{apart}: {count(its.fired)} fired"
    return said + (f", at most {at_most(bound)} of such" if bound is not None else "")


def _per_turn(its: TurnRate) -> str:
    """Say what that is per turn: `0 fires in 39 turns at risk for the point: at most 76.9 per 1,000, if …`."""
    said = f"{plural(its.fired, 'fire')} in {plural(its.turns, 'turn')} at risk for the point"
    return f"{said}: at most {_up(its.one_sided_upper)} per 1,000 turns, if fires come at a constant rate"


def _reachable(found: Statistics) -> Said:
    for at, said in enumerate(dict.fromkeys(map(can_fire, found.reachability))):
        yield "" if at else "can it fire", said


def _certified(report: Report) -> Said:
    its = report.verdict.certified
    if its is not None:
        yield "certified", certified(its, report.statistics.confidence)


def certified(its: Certified, level: float) -> str:
    """Say which points keep a declared limit: `at 1 % (95 %): all points with 0 false fires, 627 pairs around …`."""
    limit, unit = confidence(its.limit), "" if its.unit == "episode" else f" by {its.unit}"
    if its.budget is None:
        needed = "" if its.needed is None else f": needs {units(its.needed, 'passed', its.unit)}, has {count(its.n)}"
        return f"not at {limit}{unit}{needed}"
    most = f"at most {plural(its.budget, 'false fire')}" if its.budget else "0 false fires"
    around = "" if its.pairs is None else f", {plural(its.pairs, 'pair')} around this one"
    return f"at {limit} ({confidence(level)}){unit}: all points with {most}{around}"


def _groups(found: Statistics, shown: Shown) -> Said:
    title = "other groups"
    if found.leave_one_out is not None:
        moved = _moved(found.leave_one_out, shown)
        yield title, moved
        title = ""
    elif "leave_one_out" in found.why:
        yield title, found.why["leave_one_out"]
    if found.resampling is not None:
        yield title, _resampled(found.resampling)
    if found.transfer is not None and (worst := _transferred(found.transfer, shown)):
        yield "", worst


def _moved(its: LeaveOneOut, shown: Shown) -> str:
    """Say which group's absence would choose other thresholds, and what that does to it."""
    by, points = visible(its.by), [fold.point for fold in its.folds if fold.point is not None]
    if not points:
        return f"no {by} can be left out: the others choose nothing"
    whole = {name: max(point[name] for point in points) for name in points[0]}
    others = [fold for fold in its.folds if fold.point is not None and fold.point != whole]
    if not others:
        return f"each {by} left out in turn: the same thresholds every time"
    said = [
        f"{shown(NO_GROUP if fold.group is None else fold.group)} ({short(thresholds(fold.point or {}))}, "
        f"then {count(fold.false_fires or 0)} of its {count(fold.passed)} passed fire)"
        for fold in others[:LISTED]
    ]
    more = f" and {plural(len(others) - LISTED, 'other')}" if len(others) > LISTED else ""
    return f"other thresholds without the {by} {', '.join(said)}{more}"


def _transferred(its: Transfer, shown: Shown) -> str:
    """Say how the thresholds of one group do at worst on another: `chosen on C alone, 1 of 2 passed of A fire`."""
    cells = [
        (Fraction(*cell.false_fires), row.group, other, cell.false_fires)
        for row in its.rows
        for other, cell in zip(its.groups, row.cells, strict=row.point is not None)
        if other != row.group and cell.false_fires[1]
    ]
    if not cells:
        return ""
    share, chosen, judged, (fired, n) = max(cells, key=lambda cell: cell[0])  # of equals the first in order
    if not share:
        return f"chosen on one {visible(its.by)} alone, no passed episode of another fires"
    names = [shown(NO_GROUP if each is None else each) for each in (chosen, judged)]
    return (
        f"chosen on {names[0]} alone, {count(fired)} of {count(n)} passed of {names[1]} fire: the worst of such pairs"
    )


def _resampled(its: Resampling) -> str:
    ranges = ", ".join(f"{name} {each.p05}/{each.p50}/{each.p95}" for name, each in its.percentiles.items())
    same = its.probability_unchanged
    kept = f"; all unchanged in {percent_of(same)} of draws" if same is not None else ""
    groups = f"{visible(its.by)}s" if its.by in ("task", "model", "arm") else f"groups by {visible(its.by)}"
    return f"{count(its.groups)} {groups} drawn anew from these give {ranges} (5, 50, 95 %){kept}"


def _worth(found: Statistics) -> Said:
    cost = found.cost
    if cost is not None:
        per = cost.per_1000
        yield (
            "per 1,000",
            (
                f"{per.turn_limit:.3g} episodes run out of turns, {per.caught:.3g} are caught, which saves "
                f"{per.turns_after_fire:,.0f} turns at most; up to {_up(per.false_fires)} good ones are stopped"
            ),
        )
        if not per.turns_after_fire:
            yield "", "saves no turn, so it does not pay"
        elif cost.break_even_cost is not None and cost.break_even_cost < 1:
            yield "", "pays only where a false fire costs less than a turn"
        elif cost.break_even_cost is not None:
            yield "", f"pays as long as a false fire costs less than {plural(int(cost.break_even_cost), 'turn')}"
    for each in found.horizon or ():
        if each.unit == found.unit and each.ahead[0].at_least_one < SURE:
            yield "ahead", _ahead(each)


def _up(bound: float) -> str:
    """Spell an upper bound of a count of 1,000, with three digits, rounded up."""
    return f"{ceil(bound):,}" if bound >= 100 else at_most(bound / 100).removesuffix(" %")


def _ahead(its: Horizon) -> str:
    """Say how likely a false fire is among so many to come."""
    first, *others = its.ahead
    said = f"chance of a false fire among the next {units(first.units, 'passed', its.unit)}: at most "
    bounds = [f"among {count(each.units)}: {at_most(each.at_least_one)}" for each in others]
    return said + ", ".join([at_most(first.at_least_one), *bounds])


def _each(found: Statistics) -> Said:
    title, caught = "each trigger", count(found.by_unit["episode"].caught.fired)
    rates = found.by_unit["episode"]
    fires = rates.caught.fired + rates.false_fires.fired + rates.other_fires.fired
    several = found.contribution if found.contribution and len(found.contribution) > 1 else {}  # alone it is the point
    for name, its in several.items() if fires else ():
        lost = f"{count(its.caught)} of {caught} caught" if its.caught else "no catch"
        false = plural(its.false_fires, "false fire") if its.false_fires else "no false fire"
        yield title, f"dropping {name} loses {lost} and {false}; it is first alone in {count(its.first_alone)}"
        title = ""
    base = found.baselines
    if base is not None and base.turn_count is not None and rates.caught.n:  # else nothing could be saved
        beats = "beats" if base.beats_turn_count else "does not beat plain turn count"
        saved = plural(base.turn_count.turns_after_fire, "turn")
        paired = found.paired_with_turn_count
        earlier = _earlier(paired.turn_limit) if paired is not None else ""
        yield "turn count", f"{beats} {base.turn_count.point}, which saves {saved}{earlier}"


def _earlier(its: Paired) -> str:
    if not its.both:
        return ""
    p = f" (p = {p_value(its.p_earlier)})" if its.p_earlier is not None else ""
    return f"; of {count(its.both)} that both catch, earlier on {count(its.earlier)}, later on {count(its.later)}{p}"

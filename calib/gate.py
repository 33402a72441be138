"""Judge a sweep against limits: a pure function to a verdict and its exit code.

A rate limit passes or fails only when its exact one-sided bound says so; between the two it is
INCONCLUSIVE, and says how many more episodes would decide it. Episodes that could not be observed count
against the limit when it is to pass and for it when it is to fail. Any FAIL makes the verdict FAIL (exit 1),
else any INCONCLUSIVE makes it INCONCLUSIVE (exit 3), else it is PASS (exit 0). More input lost than
`max_rejected` allows is a FAIL with exit 4, before any other: nothing judged on such data holds.
"""

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any, Literal

from calib import stats
from calib.config import Config, Limits
from calib.errors import ConfigurationError, Exit
from calib.results import Bound, Chosen, LimitResult, Sweep, Verdict
from calib.spelling import at_least, at_most, count, plural
from calib.spelling import confidence as declared

Outcome = Literal["PASS", "FAIL", "INCONCLUSIVE"]
Judged = Iterator[tuple[str, Outcome, str]]
"""The detector a limit is for (empty: the point), the outcome, and what was found."""

EXITS: dict[Outcome, Exit] = {
    "FAIL": Exit.GATE_FAILED, "INCONCLUSIVE": Exit.INCONCLUSIVE, "PASS": Exit.FINE,
}  # fmt: skip
"""The gravest outcome first."""


def chosen(found: Sweep, config: Config) -> Chosen:
    """Tell whether the point counts as chosen on these episodes or as fixed before, without them.

    `before` must be claimed, for the very point that is judged, and the data it was calibrated on must not
    be these.
    """
    claimed = config.chosen == "before" and found.rule == "given" and config.point in (None, found.point)
    return "before" if claimed and not _same_data(found, config) else "here"


def _same_data(found: Sweep, config: Config) -> bool:
    return bool(config.calibrated_on) and found.data.startswith(config.calibrated_on)


def bounds(found: Sweep, config: Config) -> dict[str, Bound]:
    """Bound `caught`, `false_fires` and `other_fires`, each end with the error that the configuration allows.

    False fires of a point chosen here get the adjusted bound. Other fires never do, for no rule looks at
    failed episodes; caught does when the point was picked by another rule than the closest pass.
    """
    tally, unknown, counts, alpha = found.tally, found.unknown, found.counts, config.alpha
    here = chosen(found, config) == "here"
    false_fires = _bound(tally.false_fires, unknown.passed, counts.passed, alpha)
    if here and counts.passed:
        most = tally.false_fires + unknown.passed
        adjusted = stats.adjusted_upper(most, counts.passed, len(found.point.triggers), alpha)
        false_fires = replace(false_fires, upper=adjusted, upper_if_before=false_fires.upper)
    caught = _bound(tally.caught, unknown.turn_limit, counts.turn_limit, alpha)
    if here and counts.turn_limit:
        caught = replace(caught, lower=stats.lower(tally.caught, counts.turn_limit, alpha / _choices(found)))
    other_fires = _bound(tally.other_fires, unknown.failed, counts.failed, alpha)
    return {"caught": caught, "false_fires": false_fires, "other_fires": other_fires}


def _bound(fired: int, unknown: int, n: int, alpha: float) -> Bound:
    return Bound(fired, unknown, n, *(stats.bounds_with_unknown(fired, unknown, n, alpha) if n else (None, None)))


def _choices(found: Sweep) -> float:
    """Count the minimal points that a choice by looking at caught could have wrongly certified."""
    if _is_closest_pass(found):
        return 1.0
    axes = [max(found.tops.get(name, 1), threshold) for name, threshold in found.point.thresholds.items()]
    return float(stats.minimal_points(axes))


def _is_closest_pass(found: Sweep) -> bool:
    """Tell whether the closest-pass rule gives this very point, which then was chosen without a look at caught."""
    if found.rule == "closest_pass":
        return True
    rule = {point.spelling for point in found.operating_points if point.name == "closest_pass"}
    return any(set(spelling.split(" | ")) == set(map(str, found.point.triggers)) for spelling in rule)


def judge(found: Sweep, config: Config) -> Verdict:
    """Judge a sweep by every limit that the configuration sets; the exit code follows from the verdict.

    No limit: `nothing gated`, exit 0. Raises ConfigurationError for a limit on a detector the point lacks.
    """
    limits = tuple(_judged(found, config))
    if not limits:
        return Verdict("nothing gated", Exit.FINE, "verdict: nothing gated")
    outcomes = [limit.verdict for limit in limits]
    outcome = next(each for each in EXITS if each in outcomes)
    lost = any(limit.name == "max_rejected" and limit.verdict == "FAIL" for limit in limits)
    code = Exit.TOO_MUCH_LOST if lost else EXITS[outcome]
    checks = "one check" if config.checks == 1 else f"one of {count(config.checks)} checks"
    of = f"{count(outcomes.count(outcome))} of {plural(len(limits), 'limit')}"
    line = f"verdict: {outcome} ({of}; {declared(config.confidence)} confidence, {checks}; exit {code:d})"
    return Verdict(outcome, code, line, limits)


def _judged(found: Sweep, config: Config) -> Iterator[LimitResult]:
    bound = bounds(found, config)
    for each in fields(Limits):
        limit = getattr(config.limits, each.name)
        if limit is None:
            continue
        for detector, outcome, words in JUDGES[each.name](found, config, bound, limit):
            asked = limit[detector] if isinstance(limit, dict) else limit
            name = f"{each.name}.{detector}" if detector else each.name
            written = count(asked) if isinstance(asked, int) else declared(asked)
            yield LimitResult(name, asked, written, words, outcome)


def _outcome(passes: bool, fails: bool) -> Outcome:
    return "PASS" if passes else "FAIL" if fails else "INCONCLUSIVE"


def _seen(bound: Bound, of: str = "") -> str:
    """Say x of n, or between which two x lies."""
    if not bound.unknown:
        return f"{count(bound.fired)} of {count(bound.n)}{of}"
    least, most = count(bound.fired), count(bound.fired + bound.unknown)
    return f"between {least} and {most} of {count(bound.n)}{of} ({count(bound.unknown)} not observable)"


def _max_false_fires(found: Sweep, config: Config, bound: dict[str, Bound], limit: int) -> Judged:
    false_fires = bound["false_fires"]
    if false_fires.upper is None:
        yield "", "INCONCLUSIVE", "no passed episode"
        return
    outcome = _outcome(false_fires.fired + false_fires.unknown <= limit, false_fires.fired > limit)
    yield "", outcome, f"{_seen(false_fires, ' passed episodes')}, at most {at_most(false_fires.upper)}"


def _min_caught(found: Sweep, config: Config, bound: dict[str, Bound], limit: int) -> Judged:
    caught = bound["caught"]
    if not caught.n:
        yield "", "INCONCLUSIVE", "no turn_limit episode"
        return
    outcome = _outcome(caught.fired >= limit, caught.fired + caught.unknown < limit)
    yield "", outcome, _seen(caught, " turn_limit episodes")


def _min_plateau_width(found: Sweep, config: Config, bound: dict[str, Bound], limit: int | dict[str, int]) -> Judged:
    for name in limit if isinstance(limit, dict) else found.plateaus:
        if name not in found.plateaus:
            raise ConfigurationError(
                f"gate.min_plateau_width: expected detectors of the point {found.point}, found {name}"
            )
        plateau, least = found.plateaus[name], limit[name] if isinstance(limit, dict) else limit
        if plateau.width is not None:
            words = f"{plateau.low}–{plateau.high}, {count(plateau.width)} wide"
            yield name, _outcome(plateau.width >= least, plateau.width < least), words
        elif not found.counts.turn_limit:
            yield name, "INCONCLUSIVE", f"from {plateau.low} on; no turn_limit episode could end it"
        else:
            yield name, "PASS", f"from {plateau.low} on, no upper end"


def _at_least(label: str) -> Callable[..., Judged]:
    def judged(found: Sweep, config: Config, bound: dict[str, Bound], limit: int) -> Judged:
        n = getattr(found.counts, label)
        more = f"; {count(limit - n)} more would decide it" if n < limit else ""
        yield "", _outcome(n >= limit, False), f"{plural(n, f'{label} episode')}{more}"

    return judged


def _max_rate(name: str, label: str) -> Callable[..., Judged]:
    def judged(found: Sweep, config: Config, bound: dict[str, Bound], limit: float) -> Judged:
        share = bound[name]
        here = name == "false_fires" and chosen(found, config) == "here"
        plan = _plan_silent(share, limit, config.alpha, len(found.point.triggers) if here else 1, label)
        if share.lower is None or share.upper is None:
            yield "", "INCONCLUSIVE", f"no {label} episode; {plan}"
            return
        outcome = _outcome(share.upper <= limit, share.lower > limit)
        if outcome == "FAIL":
            yield "", outcome, f"{_seen(share)}, at least {at_least(share.lower)}"
            return
        words = f"{_seen(share)}, at most {at_most(share.upper)}{_choice(share, found, config)}"
        yield "", outcome, words if outcome == "PASS" else f"{words}; {plan}"

    return judged


def _choice(share: Bound, found: Sweep, config: Config) -> str:
    """Say that a bound pays for the choice of the point."""
    if share.upper_if_before is None:
        return ""
    named = ", the data that calibrated_on names" if config.chosen == "before" and _same_data(found, config) else ""
    return f" (point chosen on these episodes{named}; {at_most(share.upper_if_before)} had it been fixed before)"


def _plan_silent(share: Bound, limit: float, alpha: float, detectors: int, label: str) -> str:
    if share.n and share.unknown == share.n:
        return "not observable"
    if share.n and share.fired / share.n >= limit:
        return "more data will not help unless the rate is lower than seen"
    more = stats.further_silent(share.fired + share.unknown, share.n, limit, alpha, detectors)
    return _plan(more, label, "none of them firing")


def _plan(more: int | None, label: str, condition: str) -> str:
    if more is None:
        return f"over {count(stats.MOST_UNITS)} more episodes would be needed"
    return f"{count(more)} more {label} episodes, {condition}, would decide it"


def _min_caught_rate(found: Sweep, config: Config, bound: dict[str, Bound], limit: float) -> Judged:
    share = bound["caught"]
    alpha = config.alpha / _choices(found) if chosen(found, config) == "here" else config.alpha
    plan = _plan(stats.further_caught(share.fired, share.n, limit, alpha), "turn_limit", "all of them caught")
    if share.lower is None or share.upper is None:
        yield "", "INCONCLUSIVE", f"no turn_limit episode; {plan}"
        return
    outcome = _outcome(share.lower >= limit, share.upper < limit)
    if outcome == "FAIL":
        yield "", outcome, f"{_seen(share)}, at most {at_most(share.upper)}"
        return
    picked = " (point picked on these episodes)" if alpha < config.alpha else ""
    words = f"{_seen(share)}, at least {at_least(share.lower)}{picked}"
    if share.unknown == share.n:
        plan = "not observable"
    elif (share.fired + share.unknown) / share.n <= limit:
        plan = "more data will not help unless the rate is higher than seen"
    yield "", outcome, words if outcome == "PASS" else f"{words}; {plan}"


def _max_rejected(found: Sweep, config: Config, bound: dict[str, Bound], limit: float) -> Judged:
    lost = found.lost
    outcome = _outcome(lost.rate <= limit, lost.rate > limit)
    yield "", outcome, f"{count(lost.bytes)} of {plural(lost.of_bytes, 'byte')} of input rejected"


JUDGES: dict[str, Callable[[Sweep, Config, dict[str, Bound], Any], Judged]] = {
    "max_false_fires": _max_false_fires,
    "min_caught": _min_caught,
    "min_plateau_width": _min_plateau_width,
    "min_passed": _at_least("passed"),
    "min_turn_limit": _at_least("turn_limit"),
    "max_false_fire_rate": _max_rate("false_fires", "passed"),
    "max_other_fire_rate": _max_rate("other_fires", "failed"),
    "min_caught_rate": _min_caught_rate,
    "max_rejected": _max_rejected,
}

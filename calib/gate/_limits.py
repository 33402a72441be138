"""One judge for each limit: what was found, and what follows from it."""

from collections.abc import Callable, Iterator
from typing import Any, Literal

from calib import stats
from calib.config import Config
from calib.errors import ConfigurationError
from calib.gate._bounds import choices
from calib.results import Bound, Sweep
from calib.spelling import at_least, at_most, count, plural

Outcome = Literal["PASS", "FAIL", "INCONCLUSIVE"]
Judged = Iterator[tuple[str, Outcome, str]]
"""The detector a limit is for (empty: the point), the outcome, and what was found."""


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
        here = name == "false_fires" and found.chosen == "here"
        plan = _plan_silent(share, limit, config.alpha, len(found.point.triggers) if here else 1, label)
        if share.lower is None or share.upper is None:
            yield "", "INCONCLUSIVE", f"no {label} episode; {plan}"
            return
        outcome = _outcome(share.upper <= limit, share.lower > limit)
        if outcome == "FAIL":
            yield "", outcome, f"{_seen(share)}, at least {at_least(share.lower)}"
            return
        words = f"{_seen(share)}, at most {at_most(share.upper)}{_choice(share)}"
        yield "", outcome, words if outcome == "PASS" else f"{words}; {plan}"

    return judged


def _choice(share: Bound) -> str:
    """Say that a bound pays for the choice of the point."""
    if share.upper_if_before is None:
        return ""
    return f" (point chosen on these episodes; {at_most(share.upper_if_before)} had it been fixed before)"


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
    alpha = config.alpha / choices(found)
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

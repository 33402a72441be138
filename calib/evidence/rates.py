"""What each share could be, on any unit, with what could not be observed carried through every bound (Manski 2003)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from calib import stats
from calib.evidence.sample import Flags
from calib.levels import Integers
from calib.results import Distinct, Sweep
from calib.risk import Standing
from calib.statistics import Rate, Rates, Seen, Status, TurnRate


@dataclass(frozen=True)
class Choice:
    """How the point came about, as far as a bound must pay for it.

    `triggers` is None for a point fixed before: plain bounds. `minimal` divides the error of a lower bound on what is
    caught: 1 for a rule that never looks at it.
    """

    triggers: int | None
    minimal: int

    @classmethod
    def of(cls, found: Sweep) -> "Choice":
        """Tell how the point of a sweep was chosen."""
        if found.chosen == "before":
            return cls(None, 1)
        axes = [max(found.tops.get(name, 1), threshold) for name, threshold in found.point.thresholds.items()]
        return cls(len(axes), 1 if _by_the_rule(found) else stats.minimal_points(axes))


def _by_the_rule(found: Sweep) -> bool:
    """Tell whether the closest-pass rule gives this very point, which then was chosen without a look at caught."""
    if found.rule == "closest_pass":
        return True
    if not found.counts.passed:
        return False
    return all(found.curves[each.detector].closest_pass == each.threshold for each in found.point.triggers)


def rates(
    standing: Standing,
    labels: dict[str, Flags],
    units: Integers | None,
    choice: Choice,
    alpha: float,
    distinct: Mapping[str, Distinct] | None = None,
) -> Rates:
    """Bound the three shares at the point; `units` says which unit each episode belongs to, None: episodes are units.

    One false fire makes a unit a false fire; one miss keeps it from being caught. `distinct` is what bounds count of
    episodes that repeat others.
    """
    seen = {label: _counts(standing, labels[label], units) for label in ("passed", "failed")}
    seen["turn_limit"] = _counts(standing, labels["turn_limit"], units, every=True)
    return rates_of(seen, choice, alpha, distinct or {})


def rates_of(seen: Mapping[str, Seen], choice: Choice, alpha: float, once: Mapping[str, Distinct]) -> Rates:
    """Bound the three shares of what was seen of each label.

    False fires of a point chosen here get the adjusted bound. Other fires never do, for no rule looks at
    failed episodes; caught does when the point was picked by another rule than the closest pass.
    """
    return Rates(
        caught=rate(*seen["turn_limit"], alpha, minimal=choice.minimal, distinct=once.get("turn_limit")),
        false_fires=rate(*seen["passed"], alpha, triggers=choice.triggers, distinct=once.get("passed")),
        other_fires=rate(*seen["failed"], alpha, distinct=once.get("failed")),
    )


def rate(
    fired: int,
    unknown: int,
    n: int,
    alpha: float,
    triggers: int | None = None,
    minimal: int = 1,
    distinct: Distinct | None = None,
) -> Rate:
    """Bound a share of which some units are unknown; see `Rate` for what is None.

    `distinct` is what the bounds count where units repeat others.

    >>> rate(30, 4, 34, 0.05).two_sided[0]
    0.725496...
    """
    known = unknown < n
    once = (distinct.fired, distinct.unknown, distinct.n) if distinct else None
    sure, hidden, size = once or (fired, unknown, n)
    most = sure + hidden
    return Rate(
        n=n,
        fired=fired,
        unknown=unknown,
        least=(fired, n),
        most=(fired + unknown, n),
        known_only=(fired, n - unknown),
        two_sided=stats.bounds_with_unknown(sure, hidden, size, alpha / 2) if known else None,
        one_sided_lower=stats.lower(sure, size, alpha) if known else None,
        one_sided_upper=stats.upper(most, size, alpha) if known else None,
        adjusted_upper=stats.adjusted_upper(most, size, triggers, alpha) if known and triggers else None,
        adjusted_lower=stats.lower(sure, size, alpha / minimal) if known and minimal > 1 else None,
        distinct=once,
    )


def _counts(standing: Standing, among: Flags, units: Integers | None, every: bool = False) -> Seen:
    """Count fired, unknown and all units that have a marked episode.

    A unit fires when one of its episodes does, or, asked for `every`, when all do; else it is unknown when the unknown
    ones among them could decide it.
    """
    if units is None:
        return tuple(int(np.count_nonzero(each & among)) for each in (standing.fired, standing.unknown, among))  # type: ignore[return-value]
    size = int(units.max(initial=-1)) + 1
    fired, unknown, n = (
        np.bincount(units[each & among], minlength=size) for each in (standing.fired, standing.unknown, among)
    )
    fires = (fired == n) & (n > 0) if every else fired > 0
    hidden = (fired + unknown == n) & (n > 0) if every else unknown > 0
    return tuple(int(np.count_nonzero(each)) for each in (fires, hidden & ~fires, n > 0))  # type: ignore[return-value]


def status(standing: Standing, among: Flags) -> Status:
    """Count where the marked episodes stand."""
    fired, silent, short, unknown = (
        int(np.count_nonzero(each & among))
        for each in (standing.fired, standing.silent, standing.too_short, standing.unknown)
    )
    return Status(fired, silent, short, unknown, fired + silent)


def at_risk_upper(passed: Status, alpha: float, triggers: int | None) -> float | None:
    """Bound the false-fire rate of episodes long and well enough recorded to fire; None when there is none.

    Its error was simulated at below `alpha`, not proved: a description, never gated. `triggers` as in `Choice`.
    """
    if not passed.at_risk:
        return None
    return stats.adjusted_upper(passed.fired, passed.at_risk, triggers or 1, alpha)


def turn_rate(fired: int, turns: int, alpha: float) -> TurnRate | None:
    """Describe fires per 1,000 turns at risk; None when there is no such turn."""
    if not turns:
        return None
    low, high = stats.turn_rate(fired, turns, alpha)
    return TurnRate(fired, turns, (1000 * low, 1000 * high), 1000 * stats.turn_rate_upper(fired, turns, alpha))

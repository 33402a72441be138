"""What further episodes would decide a limit: the fewest, and what they have to do for that."""

from collections.abc import Sequence

from calib import stats
from calib.config import Config
from calib.evidence.rates import rate
from calib.results import Chosen, Outlook, Plan, Planned, Sweep
from calib.spelling import UNRECORDED, count, units
from calib.statistics import Rate, Unit

SILENT, CAUGHT = "none of them firing", "all of them caught"
Counted = tuple[int, int, int]
"""How many episodes of a label fired, how many could not be observed, and how many there are."""


def plan_silent(
    share: Rate,
    limit: float,
    alpha: float,
    detectors: int,
    label: str,
    unit: Unit = "episode",
    blind: Sequence[str] = (),
) -> Plan:
    """Plan for an upper limit; `detectors` above 1 for a point that is chosen on the episodes.

    `blind` names triggers that none of the episodes shows: each further one of their kind counts as if it had fired.
    """
    fired, unknown, n = share.counted
    if blind or (n and share.unknown == share.n):
        return _hopeless(label, blind)
    if n and fired / n >= limit:
        return Plan(label, None, "", "more data will not help unless the rate is lower than seen")
    more = stats.further_silent(fired + unknown, n, limit, alpha, detectors)
    return _plan(more, label, unit, SILENT)


def plan_caught(
    share: Rate, limit: float, alpha: float, label: str, unit: Unit = "episode", blind: Sequence[str] = ()
) -> Plan:
    """Plan for a lower limit; `blind` names the triggers where none of the episodes shows any of the point's."""
    fired, unknown, n = share.counted
    if blind or (n and share.unknown == share.n):
        return _hopeless(label, blind)
    if n and (fired + unknown) / n <= limit:
        return Plan(label, None, "", "more data will not help unless the rate is higher than seen")
    return _plan(stats.further_caught(fired, n, limit, alpha), label, unit, CAUGHT)


def all_blind(found: Sweep, label: str) -> list[str]:
    """List the triggers of the point when no episode of a label shows any of them, else none: one suffices to catch."""
    blind = found.blind(label)
    return blind if len(blind) == len(found.point.triggers) else []


def _hopeless(label: str, blind: Sequence[str]) -> Plan:
    """Say that more of the same kind decide nothing."""
    what = f"what {' and '.join(blind)} needs" if blind else "what the point needs"
    return Plan(label, None, "", f"{UNRECORDED} {what} is recorded: it is in no {label} episode")


def outlook(
    counted: Counted, triggers: int, limits: Sequence[float], config: Config, blind: Sequence[str] = ()
) -> Outlook:
    """Plan for limits on false fires, of what was `counted` among the passed episodes."""
    alpha = config.alpha
    share = rate(*counted, alpha, triggers)
    ways: list[tuple[Chosen, int]] = [("before", 1), ("here", triggers)]
    planned = [
        Planned(limit, chosen, plan_silent(share, limit, alpha, detectors, "passed", blind=blind))
        for limit in limits
        for chosen, detectors in ways
    ]
    return Outlook("passed", config.each, share, triggers, tuple(planned))


def outlook_caught(
    counted: Counted, triggers: int, limits: Sequence[float], config: Config, blind: Sequence[str] = ()
) -> Outlook:
    """Plan for limits on the caught, `counted` among the turn_limit episodes at a point of the closest-pass rule."""
    share = rate(*counted, config.alpha)
    planned = [
        Planned(limit, "before", plan_caught(share, limit, config.alpha, "turn_limit", blind=blind)) for limit in limits
    ]
    return Outlook("turn_limit", config.each, share, triggers, tuple(planned))


def _plan(more: int | None, label: str, unit: Unit, condition: str) -> Plan:
    if more is None:
        return Plan(label, None, condition, f"over {count(stats.MOST_UNITS)} more would be needed")
    if more == 0:
        return Plan(label, 0, condition, "decided already")
    return Plan(label, more, condition, f"{units(more, label, unit, 'more ')}, {condition}, would decide it")

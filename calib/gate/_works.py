"""Did the guard show that it works? One that cannot fire, or catches nothing, keeps every limit on false fires.

What is found here is INCONCLUSIVE, never FAIL: these episodes do not show that the guard is useless either.
"""

from collections.abc import Iterator, Sequence

from calib.config import Limits
from calib.results import LimitResult, Sweep
from calib.spelling import can_fire, count, units
from calib.statistics import Reachability

SILENT = ("not observable", "tool never called", "cannot fire", "no episode long enough")
"""Nothing could fire there."""
MEANT = "min_caught = 0 says that this is meant"


def shown(found: Sweep, audited: Sequence[Reachability], limits: Limits) -> Iterator[LimitResult]:
    """Give a result for each reason why limits that are kept say nothing of this guard; none where nothing is missing.

    A trigger none of whose calls is ever made, whatever else the point holds: its tools may be misspelled, or another
    harness's. A point that cannot fire at all. A point that catches none of the turn_limit episodes, where a limit
    asks for few fires and none for catches: `min_caught = 0` says that this is meant.
    """
    few = (limits.max_false_fires, limits.max_false_fire_rate, limits.max_other_fire_rate)
    catches = (limits.min_caught, limits.min_caught_rate)
    if any(limit is not None for limit in (*few, *catches, limits.min_plateau_width)):
        yield from _can_fire(audited)
    if all(limit is None for limit in few) or any(limit is not None for limit in catches):
        return
    positives = found.counts.turn_limit
    if positives and not found.tally.caught:
        hidden = f" ({count(found.unknown.turn_limit)} not observable)" if found.unknown.turn_limit else ""
        said = f"0 of {units(positives, 'turn_limit')}{hidden}: a guard that catches nothing keeps every limit on fires"
        yield LimitResult("min_caught", 1, "1", f"{said}; {MEANT}", "INCONCLUSIVE")


def _can_fire(audited: Sequence[Reachability]) -> Iterator[LimitResult]:
    audits = {name: [each for each in audited if each.detector == name] for name in _names(audited)}
    mute = {name for name, each in audits.items() if all(one.status in SILENT for one in each)}
    for name, each in audits.items():
        never = [one for one in each if one.status == "tool never called"]
        if name in mute and (never or len(mute) == len(audits)):
            one = (never or each)[-1]
            yield LimitResult(f"can_fire.{name}", one.threshold, count(one.threshold), can_fire(one), "INCONCLUSIVE")


def _names(audited: Sequence[Reachability]) -> list[str]:
    return list(dict.fromkeys(each.detector for each in audited))

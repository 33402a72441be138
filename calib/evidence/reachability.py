"""Can each threshold fire at all, under each turn limit? Shipped guards of others could not, and nobody was told."""

from collections.abc import Iterator

import numpy as np

from calib.point import Point
from calib.risk import NEVER, ceiling, earliest_turn
from calib.score import Scored
from calib.statistics import Reachability, Reachable


def reachability(scored: Scored, point: Point) -> tuple[Reachability, ...]:
    """Audit every trigger of a point, in order, under each turn limit of the counted episodes, the lowest first.

    Episodes without a recorded limit are judged by the longest of them. Where no label is known, all episodes count.
    `tool never called`: no episode makes a call that the rule looks at, such as those of the tools that it names.
    """
    return tuple(_audit(scored, point))


def _audit(scored: Scored, point: Point) -> Iterator[Reachability]:
    counted = np.logical_or.reduce([scored.labelled(label) for label in ("turn_limit", "passed", "failed")])
    counted = counted if counted.any() else np.ones(len(counted), np.bool_)
    limits = scored.episodes["turn_limit"].fill_null(-1).to_numpy()
    for name, threshold in point.thresholds.items():
        for limit in np.unique(limits[counted]).tolist():
            here = counted & (limits == limit)
            longest = int(scored.turns[here].max(initial=0))
            allowed = longest if limit < 0 else limit
            earliest = earliest_turn(name, threshold, scored.own)
            highest = ceiling(name, scored.own)
            seen = bool((scored.observable[name] & here).any())
            calls = scored.called.get(name)
            silent = calls is not None and not (calls & here).any()
            status = _status(seen, silent, earliest, longest, allowed, limit >= 0)
            said = highest is not None and status in ("reachable", "last turn only", "no episode long enough")
            yield Reachability(
                detector=name,
                threshold=threshold,
                turn_limit=None if limit < 0 else limit,
                status=status,
                highest_level=None if highest is None else highest(allowed),
                earliest_fire_turn=earliest if said else None,
                turns_left=max(allowed - 1 - earliest, 0) if said else None,
            )


def _status(seen: bool, never_called: bool, earliest: int, longest: int, allowed: int, limited: bool) -> Reachable:
    """Give the first that applies; `allowed` turns are the limit, or the longest episode where none is recorded."""
    if not seen:
        return "not observable"
    if never_called:
        return "tool never called"
    if earliest == NEVER or (limited and earliest >= allowed):
        return "cannot fire"
    if longest <= earliest:
        return "no episode long enough"
    return "last turn only" if allowed - 1 == earliest else "reachable"

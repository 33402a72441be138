"""What each episode can say at a point: fired, silent, too short to fire, or not to be known.

An episode of 12 turns says nothing of threshold 35, and one that did not record what a detector needs says
nothing of it at all; both would read as silence in a plain count.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calib.detectors import Detector, detector
from calib.errors import UsageError
from calib.levels import Integers
from calib.point import Point
from calib.results import Unknown
from calib.score import Scored
from calib.tables import LABELS

Flags = NDArray[np.bool_]
NEVER = int(np.iinfo(np.int32).max)
"""A turn that no episode has."""


Own = Mapping[str, Detector]
"""The detectors of calib.toml by name."""


def ceiling(name: str, own: Own | None = None) -> Callable[[int], int] | None:
    """Give a detector's own word on the highest level that so many turns allow; None when it cannot say."""
    try:
        return detector(name, own).ceiling
    except UsageError:  # neither shipped nor declared
        return None


def earliest_turn(name: str, threshold: int, own: Own | None = None) -> int:
    """Give the first turn at which a detector's level can reach a threshold; 0 when it cannot say, else `NEVER`.

    >>> earliest_turn("repeated_plan", 7), earliest_turn("search_run", 35)
    (7, 34)
    """
    highest = ceiling(name, own)
    if highest is None:
        return 0
    low, high = 0, NEVER  # so many turns do not allow it, and do
    if highest(high) < threshold:
        return NEVER
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if highest(middle) >= threshold else (middle, high)
    return low


@dataclass(frozen=True)
class Standing:
    """Where each episode stands at one trigger, or at the point: one flag an episode in each array.

    Exactly one of `fired`, `silent`, `too_short` and `unknown` holds. `turn` is the fire turn, `NEVER` for none;
    `begins` the first turn at which it could have fired, for what was recorded.
    """

    fired: Flags
    silent: Flags
    too_short: Flags
    unknown: Flags
    turn: Integers
    begins: Integers

    @property
    def at_risk(self) -> Flags:
        """Mark what fired, and what was long enough and recorded well enough to have fired and did not."""
        return self.fired | self.silent

    def turns_at_risk(self, lengths: Integers) -> Integers:
        """Count the turns of each episode from the first that could fire to the fire turn, or the last."""
        end = np.minimum(self.turn, lengths - 1)
        return np.where(self.unknown, 0, np.maximum(end - self.begins + 1, 0)).astype(np.int64)


def by_trigger(scored: Scored, point: Point) -> dict[str, Standing]:
    """Give where each episode stands at each trigger of a point.

    A partly recorded episode that fires has fired. One too short to fire is so also when it was not observable.
    """
    lengths, found = scored.turns, {}
    for name, threshold in point.thresholds.items():
        turns = scored.reach[name].fire_turns(threshold, len(lengths))
        fired, seen = turns >= 0, scored.observable[name]
        earliest = earliest_turn(name, threshold, scored.own)
        long_enough = lengths > earliest
        found[name] = Standing(
            fired=fired,
            silent=~fired & seen & long_enough,
            too_short=~fired & ~long_enough,
            unknown=~fired & ~seen & long_enough,
            turn=np.where(fired, turns, NEVER),
            begins=np.where(seen | fired, earliest, NEVER),
        )
    return found


def at_point(triggers: dict[str, Standing]) -> Standing:
    """Join triggers by "or": one that fires decides, else one that is unknown; too short is so for all of them."""
    each = list(triggers.values())
    fired = np.logical_or.reduce([one.fired for one in each])
    unknown = np.logical_or.reduce([one.unknown for one in each]) & ~fired
    too_short = np.logical_and.reduce([one.too_short for one in each])
    return Standing(
        fired=fired,
        silent=~fired & ~unknown & ~too_short,
        too_short=too_short,
        unknown=unknown,
        turn=np.minimum.reduce([one.turn for one in each]),
        begins=np.minimum.reduce([one.begins for one in each]),
    )


def unknown(scored: Scored, its: Standing) -> Unknown:
    """Count what did not fire, was long enough to, and could not have been seen to."""
    return Unknown(*(int(np.count_nonzero(its.unknown & scored.labelled(label))) for label in LABELS[:3]))


def standing(scored: Scored, point: Point) -> Standing:
    """Give where each episode stands at a point."""
    return at_point(by_trigger(scored, point))

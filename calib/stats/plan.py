"""How many more units would settle a limit, from plain counts.

A plan names its condition: none of the further units fires, or all of them are caught.
"""

from collections.abc import Callable

from calib.stats.bounds import adjusted_upper, lower

MOST_UNITS = 10**9
"""A plan that needs more units than this is no plan."""


def further_silent(fired: int, n: int, limit: float, alpha: float, detectors: int = 1) -> int | None:
    """Count the fewest further units, none of them firing, until the upper bound is within `limit`.

    `detectors` above 1 plans for a point chosen on the units. None: no number of units will do.

    >>> further_silent(0, 235, 0.01, 0.05), further_silent(0, 235, 0.01, 0.05, detectors=2)
    (64, 238)
    """
    return _fewest(lambda more: adjusted_upper(fired, n + more, detectors, alpha) <= limit)


def further_caught(fired: int, n: int, limit: float, alpha: float) -> int | None:
    """Count the fewest further units, all of them firing, until the lower bound reaches `limit`.

    None: no number of units will do.

    >>> further_caught(30, 30, 0.95, 0.05)
    29
    """
    return _fewest(lambda more: lower(fired + more, n + more, alpha) >= limit)


def _fewest(enough: Callable[[int], bool]) -> int | None:
    """Find the smallest count that is enough, when every larger one is too."""
    high = 1
    while not enough(high):
        high *= 2
        if high > MOST_UNITS:
            return None
    low = high // 2 if high > 1 else -1  # not enough, or not yet asked
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high

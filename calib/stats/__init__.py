"""Exact bounds, guarantees, plans and tests, from plain counts: nothing here knows what was counted."""

from calib.stats.bounds import (
    MOST_UNITS,
    adjusted_upper,
    bounds_with_unknown,
    fewest_on_average,
    further_caught,
    further_silent,
    lower,
    minimal_points,
    two_sided,
    upper,
)

__all__ = [
    "MOST_UNITS",
    "adjusted_upper",
    "bounds_with_unknown",
    "fewest_on_average",
    "further_caught",
    "further_silent",
    "lower",
    "minimal_points",
    "two_sided",
    "upper",
]

"""Exact bounds, guarantees, plans and tests, from plain counts: nothing here knows what was counted.

`paired` compares arms and points, `drift` corpora, `cost` weighs false fires against turns.
"""

from calib.stats.bounds import adjusted_upper, bounds_with_unknown, lower, minimal_points, two_sided, upper
from calib.stats.certify import largest_budget, p_value
from calib.stats.guarantee import WORTH_HAVING, at_least_one, conditional_upper, fewest_on_average, marginal, most_cuts
from calib.stats.plan import MOST_UNITS, further_caught, further_silent
from calib.stats.turns import turn_rate, turn_rate_upper

__all__ = [
    "MOST_UNITS",
    "WORTH_HAVING",
    "adjusted_upper",
    "at_least_one",
    "bounds_with_unknown",
    "conditional_upper",
    "fewest_on_average",
    "further_caught",
    "further_silent",
    "largest_budget",
    "lower",
    "marginal",
    "minimal_points",
    "most_cuts",
    "p_value",
    "turn_rate",
    "turn_rate_upper",
    "two_sided",
    "upper",
]

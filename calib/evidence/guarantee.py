"""What the closest-pass rule guarantees for the point of a sweep, by unit, and the false fires to come."""

from collections.abc import Mapping

import numpy as np

from calib import stats
from calib.evidence.sample import Sample
from calib.levels import Integers
from calib.statistics import Ahead, Guarantee, Horizon, Rates, Unit
from calib.stats.cost import at_least_once

AHEAD = (100, 1_000, 10_000)
"""How many passed units the horizon looks ahead."""


def void(sample: Sample, thresholds: Integers, before: bool) -> str:
    """Say why the guarantee does not hold for these thresholds, or nothing."""
    if before:
        return "the point was fixed before, not chosen by the closest pass; its plain bound holds"
    if sample.rule is None:
        return "no passed episode that every detector could observe: the closest-pass rule chooses nothing"
    if (thresholds < sample.rule).any():
        return "a threshold lies below the one that the closest-pass rule gives"
    return ""


def guarantees(sample: Sample, units: Mapping[Unit, Integers | None], alpha: float) -> dict[Unit, Guarantee]:
    """Give the guarantee of the closest pass, and of any higher thresholds, on each unit.

    It speaks of units that every detector could observe in at least one passed episode.
    """
    known = sample.passed & np.logical_and.reduce(sample.seen, axis=0)
    found: dict[Unit, Guarantee] = {}
    cuts = len(sample.names)
    for unit, codes in units.items():
        n = int(np.count_nonzero(known)) if codes is None else len(np.unique(codes[known]))
        budgets = dict.fromkeys(sample.names, 0)
        bounds = stats.marginal(n, cuts), stats.conditional_upper(n, cuts, alpha)
        found[unit] = Guarantee(n, budgets, cuts, *bounds)
    return found


def horizon(unit: Unit, rates: Rates, guarantee: Guarantee | None) -> Horizon | None:
    """Look ahead: by the guarantee where there is one, else by the bound of the rate; None without a bound."""
    bound = rates.false_fires.upper
    if bound is None:
        return None
    if guarantee:
        ahead = tuple(Ahead(n, stats.at_least_one(guarantee.n, guarantee.M, n)) for n in AHEAD)
    else:
        ahead = tuple(Ahead(n, at_least_once(bound, n)) for n in AHEAD)
    rate = guarantee.conditional_upper if guarantee else bound
    return Horizon(unit, "closest_pass" if guarantee else "bound", ahead, 1 / rate if rate else None)

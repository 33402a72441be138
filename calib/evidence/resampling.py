"""Which thresholds the closest pass would have chosen had other groups of the same kind been drawn: exact, unseeded.

Drawn G times with replacement from G groups, all thresholds stay at or below (x, y, …) with probability (g/G)^G,
g the groups whose own thresholds do. It shows how much hangs on single groups; it is no confidence interval, for
resampling a maximum is inconsistent (Bickel & Freedman 1981; Field & Welsh 2007).
"""

from fractions import Fraction

import numpy as np

from calib.evidence.sample import Groups, Sample
from calib.levels import Integers
from calib.statistics import Percentiles, Resampling

MOST_DETECTORS = 12
"""The probability of no change adds up over the subsets of the detectors."""
MOST_EXACT = 1_000
QUANTILES = Fraction(1, 20), Fraction(1, 2), Fraction(19, 20)


def resampling(sample: Sample, groups: Groups) -> Resampling | None:
    """Resample the groups that have, for each detector, a passed episode seen; None for fewer than two of them."""
    seen = np.stack([groups.count(sample.passed & each) for each in sample.seen])
    kept = (seen > 0).all(axis=0)
    count = int(np.count_nonzero(kept))
    if count < 2 or sample.rule is None:
        return None
    own = 1 + np.stack([groups.highest(peaks, sample.passed) for peaks in sample.peaks])[:, kept]
    points = {name: _percentiles(thresholds) for name, thresholds in zip(sample.names, own, strict=True)}
    return Resampling(groups.by, count, points, _unchanged(own, sample.rule))


def _percentiles(own: Integers) -> Percentiles:
    thresholds, sizes = np.unique(own, return_counts=True)
    groups, below = len(own), np.cumsum(sizes).tolist()
    found = []
    for quantile in QUANTILES:
        enough = next(at for at, g in enumerate(below) if _all_below(g, groups) >= quantile)
        found.append(int(thresholds[enough]))
    return Percentiles(*found)


def _unchanged(own: Integers, rule: Integers) -> float | None:
    """Give the probability that the draw holds, for each detector, a group that owns its threshold."""
    detectors, groups = own.shape
    if detectors > MOST_DETECTORS or (own.max(axis=1) < rule).any():
        return None
    masks = ((own == rule[:, None]) << np.arange(detectors)[:, None]).sum(axis=0).tolist()
    total: Fraction | float = Fraction(0)
    for missing in range(1 << detectors):  # the detectors whose owners are all missed
        without = sum(not mask & missing for mask in masks)
        total += (-1) ** missing.bit_count() * _all_below(without, groups)
    return float(total)


def _all_below(below: int, groups: int) -> Fraction | float:
    """Give the probability that as many draws as there are groups all fall among `below` of them.

    Exact up to 1,000 groups; beyond, the digits of the exact fraction would outgrow their use.
    """
    return Fraction(below, groups) ** groups if groups <= MOST_EXACT else float((below / groups) ** groups)

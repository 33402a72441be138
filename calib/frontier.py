"""Which point to choose for what a false fire costs, without anybody naming a cost (Provost & Fawcett 2001).

At a cost of c turns a false fire, a point is worth its turns after the fire less c times its false fires, on the
episodes at hand. For every c one point is worth most; as c grows it changes at a few exact costs only.
"""

from collections.abc import Sequence
from fractions import Fraction

import polars as pl

from calib.results import CostBand


def cost_bands(surface: pl.DataFrame, axes: Sequence[str]) -> tuple[CostBand, ...]:
    """Give the point worth most in each band of costs, from cost 0 up; `axes` names the columns of the thresholds.

    At equal false fires and turns the lowest thresholds stand for all; at an equal worth the fewer false fires.
    """
    order = ["false_fires", "turns_after_fire", *axes]
    best = surface.select(order).sort(order, descending=[False, True, *(False for _ in axes)])
    best = best.unique("false_fires", keep="first", maintain_order=True)
    hull = _hull(list(zip(best["false_fires"].to_list(), best["turns_after_fire"].to_list(), strict=True)))
    thresholds = best.select(axes).rows(named=True)
    bands, low = [], Fraction(0)
    for place, at in enumerate(reversed(hull)):
        fewer = hull[len(hull) - 2 - place] if place + 1 < len(hull) else None
        fires, turns = int(best["false_fires"][at]), int(best["turns_after_fire"][at])
        high = None
        if fewer is not None:
            high = Fraction(turns - int(best["turns_after_fire"][fewer]), fires - int(best["false_fires"][fewer]))
        ends = (low.numerator, low.denominator), None if high is None else (high.numerator, high.denominator)
        bands.append(CostBand(*ends, dict(thresholds[at]), fires, turns))
        low = high if high is not None else low
    return tuple(bands)


def _hull(points: list[tuple[int, int]]) -> list[int]:
    """List the rising points under which no straight line between others passes, fewest false fires first."""
    kept: list[int] = []
    for at, (fires, turns) in enumerate(points):
        if kept and turns <= points[kept[-1]][1]:
            continue
        while len(kept) > 1:
            (f, t), (g, u) = points[kept[-2]], points[kept[-1]]
            if (u - t) * (fires - g) > (turns - u) * (g - f):
                break
            kept.pop()
        kept.append(at)
    return kept

"""How large the false-fire rate may be at every threshold of one detector, the other detectors held at the point."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from calib import stats
from calib.results import Sweep


@dataclass(frozen=True)
class BoundedLine:
    """False fires of `n` passed episodes at each threshold, and their exact upper bounds.

    A step holds up to the next listed threshold. `plain` is for a threshold fixed before, `adjusted` for one
    chosen on these episodes among all points of the same detectors. Episodes that could not be observed count as
    fired in both where they are silent at the point.
    """

    thresholds: NDArray[np.int64]
    false_fires: NDArray[np.int64]
    plain: NDArray[np.float64]
    adjusted: NDArray[np.float64]
    n: int


def swept(found: Sweep) -> list[str]:
    """List the detectors of the surface."""
    return found.surface.columns[: found.surface.columns.index("caught")]


def held(found: Sweep, *along: str) -> pl.DataFrame | None:
    """Cut the surface through the point along some detectors; where the point is not listed the next lower pair counts.

    None where the surface is of other detectors, or begins above the point.
    """
    if set(swept(found)) != set(found.point.thresholds):
        return None
    rows = found.surface
    for other in swept(found):
        if other not in along:
            rows = rows.filter(rows[other] == rows.filter(rows[other] <= found.point.thresholds[other])[other].max())
    return rows.sort(*along) if len(rows) else None


def bounded_line(found: Sweep, name: str, alpha: float) -> BoundedLine | None:
    """Bound every threshold of a detector; None where no episode passed or the surface does not show the point."""
    n, rows = found.counts.passed, held(found, name)
    if not n or rows is None:
        return None
    fires = rows["false_fires"].to_numpy().astype(np.int64)
    most = np.minimum(fires + found.unknown.passed, n)
    different, back = np.unique(most, return_inverse=True)
    once = found.distinct["passed"].n if "passed" in found.distinct else n  # fires stay as they are: a wider bound
    plain = np.array([stats.upper(int(each), once, alpha) for each in different])
    adjusted = np.array([stats.adjusted_upper(int(each), once, len(swept(found)), alpha) for each in different])
    return BoundedLine(rows[name].to_numpy().astype(np.int64), fires, plain[back], adjusted[back], n)

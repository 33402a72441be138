"""How large the false-fire rate may be at every threshold of one detector, the other detectors held at the point."""

from dataclasses import dataclass

import numpy as np
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


def bounded_line(found: Sweep, name: str, alpha: float) -> BoundedLine | None:
    """Bound every threshold of a detector; None where no episode passed or the surface does not show the point."""
    swept = found.surface.columns[: found.surface.columns.index("caught")]
    n = found.counts.passed
    if not n or set(swept) != set(found.point.thresholds):
        return None
    rows = found.surface
    for other in swept:
        if other != name:
            rows = rows.filter(rows[other] == rows.filter(rows[other] <= found.point.thresholds[other])[other].max())
    if not len(rows):
        return None
    rows = rows.sort(name)
    fires = rows["false_fires"].to_numpy().astype(np.int64)
    most = np.minimum(fires + found.unknown.passed, n)
    different, back = np.unique(most, return_inverse=True)
    plain = np.array([stats.upper(int(each), n, alpha) for each in different])
    adjusted = np.array([stats.adjusted_upper(int(each), n, len(swept), alpha) for each in different])
    return BoundedLine(rows[name].to_numpy().astype(np.int64), fires, plain[back], adjusted[back], n)

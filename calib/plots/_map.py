"""The map of two detectors' thresholds as plain values, cut out of the surface of a sweep."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calib.evidence.bounded import held
from calib.plots._canvas import edges, plateau_ends
from calib.results import Sweep

MOST_CELLS = 400
"""Steps of an axis beyond which those far from the plateau are thinned: a pixel shows no more."""
Flags = NDArray[np.bool_]
Block = tuple[float, float, float, float]
"""left, bottom, right, top"""


@dataclass(frozen=True)
class Values:
    """What the map shows: arrays have the first detector along x. Edges lie half a step below a threshold."""

    names: tuple[str, str]
    x: list[float]
    y: list[float]
    caught: NDArray[np.int64]
    false_fires: NDArray[np.int64]
    same: Flags
    """The pairs around the point with its counts."""
    point: tuple[int, int]
    marked: tuple[list[int], list[int]]
    """The thresholds to tick: the point's and the ends of its plateau."""
    block: Block | None
    """The rectangle of equal counts."""
    most: int
    """Positives there are to catch."""
    idle: bool
    """The point catches none of them: what is equal around it is no plateau that anybody looks for."""


def values(found: Sweep) -> Values | None:
    """Take the map out of a sweep: its first two detectors, any others held at the point.

    None for one detector, without labels, and where nothing is caught or fires falsely at any pair.
    """
    at = found.point.thresholds
    if len(at) < 2 or not (found.counts.turn_limit or found.counts.passed):
        return None
    first, second = list(at)[:2]
    rows = held(found, first, second)
    if rows is None:
        return None
    one, two = (rows[name].unique().sort().to_numpy() for name in (first, second))
    grids = [rows[name].to_numpy().reshape(len(one), len(two)).astype(np.int64) for name in ("caught", "false_fires")]
    if not any(grid.any() for grid in grids):
        return None
    marked = plateau_ends(found, first), plateau_ends(found, second)
    keep_one, keep_two = _telling(grids, 0, one, marked[0]), _telling(grids, 1, two, marked[1])
    caught, false = (grid[np.ix_(keep_one, keep_two)] for grid in grids)
    here = _place(one[keep_one], at[first]), _place(two[keep_two], at[second])
    same = _region((caught == found.tally.caught) & (false == found.tally.false_fires), here)
    x, y = edges(one[keep_one], int(one[-1])), edges(two[keep_two], int(two[-1]))
    point, block, most = (at[first], at[second]), _block(found, x, y), found.counts.turn_limit
    idle = most > 0 and not found.tally.caught
    return Values((first, second), x, y, caught, false, same, point, marked, block, most, idle)


def _place(listed: NDArray[np.int64], threshold: int) -> int:
    """Find the listed threshold whose counts hold at a threshold; -1 below them all."""
    return int(np.searchsorted(listed, threshold, "right")) - 1


def _telling(
    grids: list[NDArray[np.int64]], axis: int, listed: NDArray[np.int64], marked: list[int]
) -> NDArray[np.int64]:
    """Give the places on an axis at which anything changes, thinned away from the plateau where there are too many."""
    changes = np.zeros(len(listed), np.bool_)
    changes[0] = True
    for grid in grids:
        changes[1:] |= (np.diff(grid, axis=axis) != 0).any(axis=1 - axis)
    places = np.flatnonzero(changes)
    if len(places) <= MOST_CELLS:
        return places
    thinned = places[np.linspace(0, len(places) - 1, MOST_CELLS).astype(int)]
    ends = {at + step for at in marked for step in (0, 1)}
    kept = [int(place) for place in (_place(listed, at) for at in ends) if place >= 0]
    return np.unique(np.append(thinned, kept))


def _region(same: Flags, start: tuple[int, int]) -> Flags:
    """Keep the pairs reached from the point by single steps over equal counts."""
    region = np.zeros(same.shape, np.bool_)
    if min(start) < 0:
        return region  # the point lies below the listed thresholds
    region[start] = same[start]
    while True:
        grown = region.copy()
        grown[1:] |= region[:-1]
        grown[:-1] |= region[1:]
        grown[:, 1:] |= region[:, :-1]
        grown[:, :-1] |= region[:, 1:]
        grown &= same
        if (grown == region).all():
            return region
        region = grown


def _block(found: Sweep, x: list[float], y: list[float]) -> Block | None:
    block = found.rectangle
    if block is None:
        return None
    (left, bottom), (right, top) = block.low.values(), block.high.values()
    return left - 0.5, bottom - 0.5, x[-1] if right is None else right + 0.5, y[-1] if top is None else top + 0.5

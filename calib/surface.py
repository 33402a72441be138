"""The surface: what every combination of thresholds does, from one histogram and running sums.

An episode fires at thresholds (a, b, …) unless all its peaks lie below them. So the episodes that stay
silent at every combination are a cumulative histogram of peaks, and what is true at one turn index is the
same histogram of the peaks up to that turn. Cost: events + combinations, never turns × combinations.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl
from numpy.typing import NDArray

from calib.levels import Integers, Reach

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class FireTurnGrid:
    """Fire turns of the episodes that fire, at every combination; nan where none fires."""

    min: NDArray[np.float64]
    median: NDArray[np.float64]
    max: NDArray[np.float64]
    total: Counts
    """Their sum; 0 where none fires."""


def _steps(axis: Integers, levels: Integers) -> Integers:
    """Count the thresholds of a rising axis that each level reaches."""
    return np.searchsorted(axis, levels, side="right").astype(np.int32)


def _silent(cells: Integers, shape: tuple[int, ...], weights: NDArray[np.int64] | None = None) -> Counts:
    """Sum what never fires at each combination; `cells` are flat indices of an array one longer on each axis."""
    size = int(np.prod([n + 1 for n in shape]))
    if weights is None:
        flat = np.bincount(cells, minlength=size)
    else:
        flat = np.zeros(size, np.int64)
        np.add.at(flat, cells, weights)
    return _cumulative(flat.reshape([n + 1 for n in shape]))


def _cumulative(cells: Counts) -> Counts:
    sums = cells
    for axis in range(cells.ndim):
        sums = np.cumsum(sums, axis=axis)
    return sums[tuple(slice(0, -1) for _ in range(cells.ndim))]


def _flat(steps: Sequence[Integers], shape: tuple[int, ...]) -> Integers:
    flat: Integers = np.ravel_multi_index(tuple(steps), [n + 1 for n in shape])
    return flat


def fires(axes: Sequence[Integers], peaks: Sequence[Integers], weights: NDArray[np.int64] | None = None) -> Counts:
    """Count the episodes that fire at every combination of thresholds, or add up their weights.

    `axes` holds one rising array of thresholds a detector, `peaks` one array of peaks a detector. The result
    has one axis a detector.

    >>> fires([np.array([1, 2, 3])], [np.array([0, 2, 2, 3])]).tolist()
    [3, 3, 1]
    """
    shape = tuple(len(axis) for axis in axes)
    cells = _flat([_steps(axis, peak) for axis, peak in zip(axes, peaks, strict=True)], shape)
    total = len(cells) if weights is None else int(weights.sum())
    return total - _silent(cells, shape, weights)


def _moves(axes: Sequence[Integers], reach: Sequence[Reach]) -> tuple[Integers, Integers, Integers]:
    """List every move of an episode from one cell of the peak histogram to another: turn, old, new cell."""
    events = []
    for number, (axis, found) in enumerate(zip(axes, reach, strict=True)):
        reached = _steps(axis, found.level)
        known = np.flatnonzero(reached)
        rises = np.ones(len(known), np.bool_)
        rises[1:] = (np.diff(reached[known]) != 0) | (np.diff(found.episode[known]) != 0)
        rows = known[rises]
        moment = (found.episode[rows].astype(np.int64) << 32) | found.turn[rows]
        events.append((moment, np.full(len(rows), number, np.int8), reached[rows]))
    merged = [np.concatenate(column) for column in zip(*events, strict=True)]
    order = np.argsort(merged[0], kind="stable")
    key, place, steps = (column[order] for column in merged)
    first = np.ones(len(key), np.bool_)
    first[1:] = np.diff(key >> 32) != 0
    ordinal = (np.cumsum(first) - 1) << 32
    state = [
        (np.maximum.accumulate(ordinal | np.where(place == p, steps, 0)) - ordinal).astype(np.int32)
        for p in range(len(axes))
    ]
    new = _flat(state, tuple(len(axis) for axis in axes))
    old = np.roll(new, 1)
    old[first] = 0
    return (key & 0xFFFFFFFF).astype(np.int32), old.astype(np.int32), new.astype(np.int32)


def fire_turns(axes: Sequence[Integers], reach: Sequence[Reach], episodes: int) -> FireTurnGrid:
    """Give the least, median, greatest and summed fire turn at every combination of thresholds.

    `reach` holds the reach of `episodes` episodes, one value a detector. Walks the turn indices once: at
    each, the histogram of peaks so far says how many episodes have fired by then at every combination.
    """
    turn, old, new = _moves(axes, reach)
    order = np.argsort(turn, kind="stable")
    turn, old, new = turn[order], old[order], new[order]
    shape = tuple(len(axis) + 1 for axis in axes)
    start = np.zeros(shape, np.int64)
    start.flat[0] = episodes
    fired = episodes - _cumulative(start + _change(old, new, shape))
    ranks = [np.minimum(fired, 1), (fired + 1) // 2, fired // 2 + 1, fired]
    found = [np.zeros(fired.shape, np.int32) for _ in ranks]  # index into `at` of the rank-th fire
    at, begins = np.unique(turn, return_index=True)
    edges = [*begins.tolist(), len(turn)]
    total = fired * int(at[0]) if len(at) else np.zeros_like(fired)
    for index, (low, high) in enumerate(pairwise(edges)):
        start += _change(old[low:high], new[low:high], shape)
        by_now = episodes - _cumulative(start)
        for rank, place in zip(ranks, found, strict=True):
            place += by_now < rank
        if high < len(turn):
            total = total + (fired - by_now) * int(at[index + 1] - at[index])
    return _as_turns(at, found, fired, total)


def _change(old: Integers, new: Integers, shape: tuple[int, ...]) -> Counts:
    """Sum what moves into each cell of the peak histogram, less what moves out."""
    size = int(np.prod(shape))
    change: Counts = np.bincount(new, minlength=size) - np.bincount(old, minlength=size)
    return change.reshape(shape)


def _as_turns(at: Integers, found: list[Integers], fired: Counts, total: Counts) -> FireTurnGrid:
    turns = np.append(at, 0).astype(np.float64)
    none = fired == 0
    least, lower, upper, most = (np.where(none, np.nan, turns[np.minimum(place, len(at))]) for place in found)
    return FireTurnGrid(least, (lower + upper) / 2, most, total)


def surface_frame(
    axes: dict[str, Integers], by_label: dict[str, dict[str, Reach]], lengths: dict[str, Integers]
) -> pl.DataFrame:
    """Lay the surface out, one row per combination of thresholds, first detector slowest.

    `by_label` and `lengths` hold reach and number of turns of the `turn_limit`, `passed` and `failed` episodes.
    `fire_turn_*` and `turns_after_fire` are over the caught episodes, null and 0 where none is caught.
    """
    grid = list(axes.values())
    fired = {}
    for label, reach in by_label.items():
        fired[label] = fires(grid, [reach[name].peaks(len(lengths[label])) for name in axes])
    positives, turns = by_label["turn_limit"], lengths["turn_limit"]
    when = fire_turns(grid, [positives[name] for name in axes], len(turns))
    left = fires(grid, [positives[name].peaks(len(turns)) for name in axes], turns.astype(np.int64) - 1)
    mesh = np.meshgrid(*grid, indexing="ij")
    columns = [pl.Series(name, values.ravel(), pl.Int32) for name, values in zip(axes, mesh, strict=True)]
    columns += [
        pl.Series("caught", fired["turn_limit"].ravel(), pl.Int64),
        pl.Series("missed", len(turns) - fired["turn_limit"].ravel(), pl.Int64),
        pl.Series("false_fires", fired["passed"].ravel(), pl.Int64),
        pl.Series("other_fires", fired["failed"].ravel(), pl.Int64),
        pl.Series("fire_turn_min", when.min.ravel()).fill_nan(None).cast(pl.Int32),
        pl.Series("fire_turn_median", when.median.ravel()).fill_nan(None),
        pl.Series("fire_turn_max", when.max.ravel()).fill_nan(None).cast(pl.Int32),
        pl.Series("turns_after_fire", (left - when.total).ravel(), pl.Int64),
    ]
    return pl.DataFrame(columns)

"""The families over whole numbers: one row after the other, histories one after the other, no text.

A key is a list of parts; each is one whole number a row, equal where the rows are, -1 without a value, and says
whether two rows without a value are equal. `starts` marks the first row of each history.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from calib.levels import Integers

Flags = NDArray[np.bool_]
Parts = list[tuple[Integers, bool]]
NARROW = 32
"""Windows up to this wide are counted by comparing rows at each distance; wider ones by sorting."""
LARGEST = 2**31 - 1


def runs(extends: Flags, starts: Flags) -> Integers:
    """Count how long the run that ends at each row is.

    >>> t, f = True, False
    >>> runs(np.array([t, f, t, t, t]), np.array([t, f, f, t, f])).tolist()
    [1, 0, 1, 1, 2]
    """
    index = np.arange(len(extends), dtype=np.int32)
    broke = np.where(extends, np.int32(-1), index)
    first = np.flatnonzero(starts)
    broke[first] = np.maximum(broke[first], first - 1)
    return index - np.maximum.accumulate(broke, out=broke)


def equal(parts: Parts, k: int) -> Flags:
    """Tell where a row's key equals that of the row k before; histories are not looked at."""
    size = len(parts[0][0])
    same = np.ones(max(size - k, 0), np.bool_)
    for at, (codes, empty) in enumerate(parts):
        found = codes[k:] == codes[: size - k] if k < size else same
        same = found if at == 0 else same & found
        if not empty:
            same &= codes[k:] >= 0
    whole = np.zeros(size, np.bool_)
    whole[k:] = same
    return whole


def lag(parts: Parts, starts: Flags, k: int) -> Integers:
    """Count the rows in a row, up to each, whose key equals that of the row k before.

    >>> key = [(np.array([0, 1, 0, 1, 0, 5]), False)]
    >>> lag(key, np.array([True, False, False, False, False, False]), 2).tolist()
    [0, 0, 1, 2, 3, 0]
    """
    same = equal(parts, k)
    first = np.flatnonzero(starts)
    for early in range(k):
        rows = first + early
        same[rows[rows < len(same)]] = False
    index = np.arange(len(same), dtype=np.int32)
    broke = np.where(same, np.int32(-1), index)
    return index - np.maximum.accumulate(broke, out=broke)


def cycle(parts: Parts, starts: Flags, low: int, high: int) -> Integers:
    """Count the whole laps that repeat the lap before, for the lap for which they are most.

    >>> cycle([(np.array([0, 1, 0, 1, 0, 1]), False)], np.array([True] + [False] * 5), 1, 3).tolist()
    [0, 0, 0, 1, 1, 2]
    """
    found = lag(parts, starts, low) // low
    for k in range(low + 1, high + 1):
        np.maximum(found, lag(parts, starts, k) // k, out=found)
    return found


def places(starts: Flags) -> Integers:
    """Give each row's place in its history, from 0.

    >>> places(np.array([True, False, True, False, False])).tolist()
    [0, 1, 0, 1, 2]
    """
    index = np.arange(len(starts), dtype=np.int32)
    return index - np.maximum.accumulate(np.where(starts, index, np.int32(0)))


def valued(parts: Parts) -> Flags:
    """Tell which rows have a value."""
    found = np.ones(len(parts[0][0]), np.bool_)
    for codes, empty in parts:
        if not empty:
            found &= codes >= 0
    return found


def occurrences(parts: Parts, starts: Flags, window: int) -> Integers:
    """Count how often each row's key occurs in the last `window` rows of its history, or in all of them (0).

    >>> occurrences([(np.array([0, 1, 0, 0, -1]), False)], np.array([True] + [False] * 4), 3).tolist()
    [1, 1, 2, 2, 0]
    """
    if not 0 < window <= NARROW:
        return _ranks(parts, starts, window)
    found = valued(parts).astype(np.int32)
    place = places(starts)
    for k in range(1, min(window, len(found))):
        found += equal(parts, k) & (place >= k)
    return found


def grouped(codes: list[Integers]) -> tuple[Integers, Flags]:
    """Sort rows by several codes, the first before the others, equal ones in their order; mark where a group begins.

    >>> order, begins = grouped([np.array([0, 0, 0, 1]), np.array([5, -1, 5, 5])])
    >>> order.tolist(), begins.tolist()
    ([1, 0, 2, 3], [True, True, False, True])
    """
    order = np.arange(len(codes[0]), dtype=np.int32)
    for each in codes[::-1]:
        # numpy sorts 16 bits by counting, many times faster than wider numbers
        narrow = (each + 1).astype(np.uint16) if each.max(initial=0) < (1 << 16) - 1 else each
        order = order[np.argsort(narrow[order], kind="stable")]
    begins = np.zeros(len(order), np.bool_)
    begins[:1] = True
    for each in codes:
        begins[1:] |= each[order[1:]] != each[order[:-1]]
    return order, begins


def _ranks(parts: Parts, starts: Flags, window: int) -> Integers:
    size = len(starts)
    histories = (np.cumsum(starts) - 1).astype(np.int32)
    order, changed = grouped([histories, *(codes for codes, _ in parts)])
    rank = places(changed) + 1
    index = np.arange(size, dtype=np.int32)
    far = np.flatnonzero(order - order[index - rank + 1] >= window) if window else index[:0]
    if len(far):
        place = np.cumsum(changed) * (size + window) + order  # rises: group after group, each in order of rows
        rank[far] = far - np.searchsorted(place, place[far] - window, side="right") + 1
    found = np.empty(size, np.int32)
    found[order] = rank
    return np.where(valued(parts), found, np.int32(0))


def holding(holds: Flags, starts: Flags, window: int) -> Integers:
    """Count for how many of the last `window` rows of its history something holds.

    >>> holding(np.array([True, False, True, True]), np.array([True, False, False, False]), 2).tolist()
    [1, 1, 1, 2]
    """
    so_far = sums(holds, starts)
    place = places(starts)
    found = so_far.copy()
    far = np.flatnonzero(place >= window)
    found[far] -= so_far[far - window]
    return found


def sums(numbers: NDArray[Any], starts: Flags) -> Integers:
    """Add up over each history; what passes 31 bits stays at their end.

    >>> sums(np.array([1, 2, 3]), np.array([True, False, True])).tolist()
    [1, 3, 3]
    """
    wide = numbers.astype(np.int64)
    total = np.cumsum(wide)
    first = np.flatnonzero(starts)
    before = np.repeat(total[first] - wide[first], np.diff(np.append(first, len(wide))))
    return np.minimum(total - before, LARGEST).astype(np.int32)

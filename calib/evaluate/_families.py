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
Places = NDArray[np.intp]
NARROW = 32
"""Windows up to this wide are counted by comparing rows at each distance; wider ones by sorting."""
FEW = 16
"""Codes up to this many are sorted by picking the rows of each."""
LARGEST = 2**31 - 1


def runs(extends: Flags, starts: Flags) -> Integers:
    """Count how long the run that ends at each row is.

    >>> t, f = True, False
    >>> runs(np.array([t, f, t, t, t]), np.array([t, f, f, t, f])).tolist()
    [1, 0, 1, 1, 2]
    """
    place = np.arange(1, len(extends) + 1, dtype=np.int32)
    broke = place * ~extends  # a product is many times faster than a choice
    first = np.flatnonzero(starts)
    broke[first] = np.maximum(broke[first], first)
    return place - np.maximum.accumulate(broke, out=broke)


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


def _repeats(parts: Parts, starts: Flags, k: int) -> Flags:
    """Tell where a row's key equals that of the row k before in its history."""
    same = equal(parts, k)
    goes_on = ~starts
    for early in range(min(k, len(same))):
        same[early:] &= goes_on[: len(same) - early]
    return same


def lag(parts: Parts, starts: Flags, k: int) -> Integers:
    """Count the rows in a row, up to each, whose key equals that of the row k before.

    >>> key = [(np.array([0, 1, 0, 1, 0, 5]), False)]
    >>> lag(key, np.array([True, False, False, False, False, False]), 2).tolist()
    [0, 0, 1, 2, 3, 0]
    """
    same = _repeats(parts, starts, k)
    index = np.arange(len(same), dtype=np.int32)
    broke = index * ~same  # no row goes on before the first: 0 is where the count begins
    return index - np.maximum.accumulate(broke, out=broke)


def cycle(parts: Parts, starts: Flags, low: int, high: int) -> Integers:
    """Count the whole laps that repeat the lap before, for the lap for which they are most.

    >>> cycle([(np.array([0, 1, 0, 1, 0, 1]), False)], np.array([True] + [False] * 5), 1, 3).tolist()
    [0, 0, 0, 1, 1, 2]
    """
    found = np.zeros(len(starts), np.int32)
    for k in range(low, high + 1):
        rows = np.flatnonzero(_repeats(parts, starts, k))  # most laps are no laps: only rows that repeat are counted
        run = places(np.diff(rows, prepend=-2) != 1) + 1
        whole = np.flatnonzero(run >= k)
        rows = rows[whole]
        found[rows] = np.maximum(found[rows], run[whole] // k)
    return found


def places(starts: Flags) -> Integers:
    """Give each row's place in its history, from 0.

    >>> places(np.array([True, False, True, False, False])).tolist()
    [0, 1, 0, 1, 2]
    """
    index = np.arange(len(starts), dtype=np.int32)
    return index - np.maximum.accumulate(index * starts)


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


def ordered(codes: list[Integers]) -> Places:
    """Sort rows by several codes, the first before the others; equal ones stay in their order.

    >>> ordered([np.array([0, 1, 0, 0]), np.array([5, 5, -1, 5])]).tolist()
    [2, 0, 3, 1]
    """
    *more, last = codes
    order = _ordered(last)
    for each in more[::-1]:
        order = order[_ordered(each[order])]
    return order


def _ordered(codes: Integers) -> Places:
    """Sort by one code: a few values by picking the rows of each, many as 16 bits, which numpy sorts by counting."""
    highest = int(codes.max(initial=-1))
    if highest < FEW:
        return np.concatenate([np.flatnonzero(codes == value) for value in range(-1, highest + 1)])
    narrow = (codes + 1).astype(np.uint16) if highest < (1 << 16) - 1 else codes
    return np.argsort(narrow, kind="stable")


def changes(codes: list[Integers]) -> Flags:
    """Mark the rows that differ from the row before in some code; the first does.

    >>> changes([np.array([0, 0, 1]), np.array([5, 5, 5])]).tolist()
    [True, False, True]
    """
    found = np.zeros(len(codes[0]), np.bool_)
    found[:1] = True
    for each in codes:
        found[1:] |= each[1:] != each[:-1]
    return found


def _ranks(parts: Parts, starts: Flags, window: int) -> Integers:
    size = len(starts)
    order = ordered([codes for codes, _ in parts])
    histories = np.cumsum(starts, dtype=np.int32)  # equal keys stay in order, so each history's stand together
    changed = changes([histories[order], *(codes[order] for codes, _ in parts)])
    rank = places(changed) + 1
    if window:
        index = np.arange(size, dtype=np.int32)
        far = np.flatnonzero(order - order[index - rank + 1] >= window)
        place = np.cumsum(changed) * (size + window) + order  # rises: group after group, each in order of rows
        rank[far] = far - np.searchsorted(place, place[far] - window, side="right") + 1
    found = np.empty(size, np.int32)
    found[order] = rank
    return found * valued(parts)


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
    if numbers.dtype == np.bool_:
        total = np.cumsum(numbers, dtype=np.int32)
        return total - np.maximum.accumulate((total - numbers) * starts)
    wide = numbers.astype(np.int64)
    total = np.cumsum(wide)
    index = np.arange(len(wide), dtype=np.int64)
    total -= (total - wide)[np.maximum.accumulate(index * starts)]
    return np.minimum(total, LARGEST).astype(np.int32)

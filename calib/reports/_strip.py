"""Thresholds drawn in letters: a strip of one detector, a small map of two.

A strip says at each threshold, the other detectors held at the point, what would differ. Long axes are cut
into bins, more of them where the plateau is, so the axis is to scale only within a stretch between two ticks.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calib.results import Sweep

FALSE, SAME, LOST, POINT, MORE, FEWER = "×", "█", "░", "◆", "+", "-"
SHADES = "▓▒░"
"""Caught episodes lost: some, at least a third, at least two thirds."""
MAP_ROWS, MAP_COLUMNS = 10, 60


def bins(last: int, room: int, breaks: tuple[int, ...] = ()) -> list[int]:
    """Cut thresholds 1 … last into at most `room` bins, given by their first thresholds.

    A bin begins at each of `breaks`; each stretch between two gets a sixth of the room, if it can fill it.

    >>> bins(5, 9), bins(100, 8, (7, 40))
    ([1, 2, 3, 4, 5], [1, 7, 23, 40, 55, 70, 85])
    """
    if last <= room:
        return list(range(1, last + 1))
    starts = sorted({1, *(at for at in breaks if 1 < at <= last)})
    lengths = np.diff([*starts, last + 1])
    least = np.minimum(lengths, max(1, room // 6))
    spare = max(0, room - int(least.sum()))
    given = np.minimum(lengths, least + (spare * lengths // lengths.sum()))
    return [
        start + int(length) * step // int(many)
        for start, length, many in zip(starts, lengths, given, strict=True)
        for step in range(int(many))
    ]


def strip(found: Sweep, name: str, room: int) -> tuple[str, str]:
    """Draw one detector's thresholds, and the ticks under them: 1, the plateau's ends, the last threshold."""
    plateau, threshold = found.plateaus[name], found.point.thresholds[name]
    last = max(found.tops.get(name, 1), threshold, plateau.high or 1)
    after = () if plateau.high is None else (plateau.high + 1,)
    starts = bins(last, room, (plateau.low, *after))
    wide = max(1, min(4, room // len(starts)))
    ends = [*(start - 1 for start in starts[1:]), last]
    drawn = [_mark(found, name, start, end) for start, end in zip(starts, ends, strict=True)]
    line = "".join(_middle(mark, wide) for mark in drawn)
    wanted = [threshold, plateau.low, plateau.high or last, 1, last]
    places = {at: (int(np.searchsorted(starts, at, "right")) - 1) * wide for at in wanted}
    return line, ticks(places, wanted, len(line))


def _middle(mark: str, wide: int) -> str:
    return (SAME * ((wide - 1) // 2) + POINT + SAME * (wide // 2)) if mark == POINT else mark * wide


def _mark(found: Sweep, name: str, start: int, end: int) -> str:
    """Say what thresholds start … end would do, from the plateau and the episodes that end it."""
    plateau, support = found.plateaus[name], found.support.get(name)
    if start <= found.point.thresholds[name] <= end:
        return POINT
    high = end if plateau.high is None else plateau.high
    if start <= high and end >= plateau.low:
        return SAME
    if end < plateau.low:
        closest = support.closest_pass if support else None
        return FALSE if closest and start <= closest.peak else MORE
    loss = support.first_loss if support else None
    return LOST if loss and end > loss.peak else FEWER


def ticks(places: dict[int, int], wanted: list[int], room: int) -> str:
    """Write numbers at their places on one line; the first of `wanted` win where there is no room for all.

    >>> ticks({7: 6, 39: 38, 1: 0}, [7, 39, 1], 39)
    '1     7                              39'
    """
    taken: list[tuple[int, str]] = []
    for number in wanted:
        text = str(number)
        at = max(0, min(places[number], room - len(text)))
        if all(at + len(text) < other or at > other + len(there) for other, there in taken):
            taken.append((at, text))
    line = ""
    for at, text in sorted(taken):
        line = line.ljust(at) + text
    return line


@dataclass(frozen=True)
class Grid:
    """Caught and false fires of two detectors as arrays; `first` and `second` are the listed thresholds."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    caught: NDArray[np.int64]
    false_fires: NDArray[np.int64]

    def at(self, one: int, two: int) -> tuple[int, int]:
        """Look up a pair; between two listed thresholds the lower one's counts hold."""
        row = max(0, int(np.searchsorted(self.first, one, "right")) - 1)
        column = max(0, int(np.searchsorted(self.second, two, "right")) - 1)
        return int(self.caught[row, column]), int(self.false_fires[row, column])


def grid(found: Sweep) -> Grid | None:
    """Give the surface of a sweep of exactly two detectors, the two of the point; else None."""
    names = list(found.point.thresholds)
    swept = found.surface.columns[: found.surface.columns.index("caught")]
    if len(names) != 2 or sorted(names) != sorted(swept) or not len(found.surface):
        return None
    rows = found.surface.sort(names)
    first, second = (rows[name].unique().sort().to_numpy().astype(np.int64) for name in names)
    shape = len(first), len(second)
    caught, false = (rows[name].to_numpy().astype(np.int64).reshape(shape) for name in ("caught", "false_fires"))
    return Grid(first, second, caught, false)


def small_map(found: Sweep, rows: int = MAP_ROWS, columns: int = MAP_COLUMNS) -> list[str]:
    """Draw two detectors' thresholds, the first to the right, the second upwards; nothing for any other number."""
    counts = grid(found)
    if counts is None:
        return []
    (one, k_one), (two, k_two) = found.point.thresholds.items()
    right, up = _axis(found, one, counts.first, columns), _axis(found, two, counts.second, rows)
    margin, wide = len(str(up[-1])), max(1, min(3, columns // len(right)))
    lines = []
    for row in reversed(range(len(up) - 1)):
        held = up[row] <= k_two < up[row + 1]
        marks = [
            POINT if held and right[at] <= k_one < right[at + 1]
            else _shade(found, counts.at(right[at], up[row]), counts.at(right[at + 1] - 1, up[row + 1] - 1))
            for at in range(len(right) - 1)
        ]  # fmt: skip
        lines.append(f"{str(up[row]).rjust(margin)} {''.join(_middle(mark, wide) for mark in marks)}")
    edges = [k_one, _end(found, one), right[0], right[-1] - 1]
    places = {at: (int(np.searchsorted(right[:-1], at, "right")) - 1) * wide for at in edges}
    return [*lines, " " * (margin + 1) + ticks(places, edges, wide * (len(right) - 1))]


def _end(found: Sweep, name: str) -> int:
    plateau = found.plateaus[name]
    return plateau.low if plateau.high is None else plateau.high


def _axis(found: Sweep, name: str, listed: NDArray[np.int64], room: int) -> list[int]:
    """Cut the listed stretch of an axis into bins, with one more number for where the last one ends."""
    low, last = int(listed[0]), int(listed[-1])
    starts = bins(last, room, (found.plateaus[name].low, _end(found, name) + 1))
    inside = sorted({max(low, start) for start in starts})
    return [*inside, last + 1]


def _shade(found: Sweep, lowest: tuple[int, int], highest: tuple[int, int]) -> str:
    """Say the worst of a block: false fires are most in its lowest corner, caught fewest in its highest."""
    if lowest[1] > found.tally.false_fires:
        return FALSE
    lost = found.tally.caught - highest[0]
    return SAME if lost <= 0 else SHADES[min(2, 3 * lost // found.tally.caught)]

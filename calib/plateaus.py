"""Plateaus and the episodes that end them, from peaks alone.

"Counts" are (caught, false fires), so only `turn_limit` and `passed` episodes matter here. Counts can only
fall as a threshold rises; equal counts therefore mean the same episodes. So a step below the point changes
nothing until the highest peak among the silent is reached, and a step above changes nothing until a fired
episode has no detector left that fires.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calib.levels import Integers
from calib.results import NearMiss, Plateau, Rectangle, Region, Support, SupportEpisode, Tally

Flags = NDArray[np.bool_]
STEPS = (1, 2, 3)
"""How far a near miss may be from a change."""


@dataclass(frozen=True)
class Landscape:
    """The counted episodes around one point, in order of id.

    `peaks` has one array a detector of the point; `tops` the threshold from which each never fires.
    """

    ids: Sequence[str]
    positive: Flags
    passed: Flags
    failed: Flags
    peaks: dict[str, Integers]
    thresholds: dict[str, int]
    tops: dict[str, int]

    def fired_by(self, name: str) -> Flags:
        """Mark the episodes in which one detector fires."""
        fired: Flags = self.peaks[name] >= self.thresholds[name]
        return fired

    @property
    def fired(self) -> Flags:
        """Mark the episodes in which any detector fires."""
        fired: Flags = np.logical_or.reduce([self.fired_by(name) for name in self.peaks])
        return fired

    def alone(self, name: str) -> Flags:
        """Mark the episodes in which this detector fires and no other."""
        others = [self.fired_by(other) for other in self.peaks if other != name]
        alone: Flags = self.fired_by(name) & ~np.logical_or.reduce([*others, np.zeros(len(self.ids), np.bool_)])
        return alone

    @property
    def counted(self) -> Flags:
        """Mark the episodes that enter (caught, false fires)."""
        return self.positive | self.passed


def tally(land: Landscape, fired: Flags) -> Tally:
    """Count what fires by label."""
    caught, false, other = (int(np.count_nonzero(fired & label)) for label in (land.positive, land.passed, land.failed))
    return Tally(caught, int(np.count_nonzero(land.positive)) - caught, false, other)


def tally_at(land: Landscape, thresholds: dict[str, int]) -> Tally:
    """Count what fires at other thresholds of the same detectors."""
    fired = [land.peaks[name] >= threshold for name, threshold in thresholds.items()]
    return tally(land, np.logical_or.reduce(fired))


def plateau(land: Landscape, name: str) -> Plateau:
    """Give the longest run of thresholds of one detector around the point's with its counts, others held."""
    peaks = land.peaks[name]
    silent = land.counted & ~land.fired
    low = 1 + int(peaks[silent].max(initial=0))
    lost = land.counted & land.alone(name)
    if not lost.any():
        return Plateau(low, None, None, _gains(land, silent & (peaks == low - 1)) if low > 1 else "")
    high = int(peaks[lost].min())
    below = _gains(land, silent & (peaks == low - 1)) if low > 1 else ""
    return Plateau(low, high, high - low + 1, below, _losses(land, lost & (peaks == high)))


def _words(count: int, one: str, many: str) -> str:
    return f"one {one}" if count == 1 else f"{count} {many}"


def _gains(land: Landscape, fired: Flags) -> str:
    false, caught = np.count_nonzero(fired & land.passed), np.count_nonzero(fired & land.positive)
    said = [_words(int(false), "more false fire", "more false fires")] if false else []
    return " and ".join([*said, *([_words(int(caught), "more caught", "more caught")] if caught else [])])


def _losses(land: Landscape, lost: Flags) -> str:
    caught, false = np.count_nonzero(lost & land.positive), np.count_nonzero(lost & land.passed)
    said = [_words(int(caught), "caught fewer", "caught fewer")] if caught else []
    return " and ".join([*said, *([_words(int(false), "false fire fewer", "false fires fewer")] if false else [])])


def rectangle(land: Landscape) -> Rectangle | None:
    """Give the rectangle of pairs around the point with its counts that holds most pairs.

    Ties: the longer shorter side, then the lower first high end. None unless there are two detectors.

    The low corner is settled by the silent episodes alone: all must stay silent, on each axis by itself.
    Only the high corner has a choice, along the stairs on which a fired episode loses its last detector.
    """
    if len(land.peaks) != 2:
        return None
    low, (highs, seconds) = _low(land), _stairs(land)
    (first, second), best = tuple(land.peaks), None
    for one, two in zip(highs.tolist(), seconds.tolist(), strict=True):
        if one < land.thresholds[first] or two < land.thresholds[second]:
            continue
        sides = one - low[first] + 1, two - low[second] + 1
        rank = (sides[0] * sides[1], min(sides), -one)
        if best is None or rank > best[0]:
            best = rank, {first: one, second: two}
    return None if best is None else Rectangle(low, _ends(land, best[1]), best[0][0])


def _low(land: Landscape) -> dict[str, int]:
    """Give the lowest threshold of each detector at which all that is silent at the point stays silent."""
    silent = land.counted & ~land.fired
    return {name: 1 + int(peaks[silent].max(initial=0)) for name, peaks in land.peaks.items()}


def _ends(land: Landscape, high: dict[str, int]) -> dict[str, int | None]:
    return {name: None if end >= land.tops[name] else end for name, end in high.items()}


def _stairs(land: Landscape) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give the stairs on which a fired episode loses its last detector, of a point of two.

    For each last threshold of the first detector before a step, rising, the highest of the second that loses nothing.
    """
    first, second = land.peaks
    fired = land.counted & land.fired
    one, two = (land.peaks[name][fired].astype(np.int64) for name in (first, second))
    order = np.argsort(one, kind="stable")
    floor = np.minimum.accumulate(np.append(land.tops[second], two[order]))
    highs = np.unique(np.append(one[one >= _low(land)[first]], land.tops[first]))
    return highs, floor[np.searchsorted(one[order], highs)]


def region(land: Landscape) -> Region | None:
    """Give the pairs reached from the point by single steps with its counts. None unless there are two detectors.

    From each such pair steps down on either axis lead to the low corner without a loss, so it is all the pairs
    above the low corner and under the stairs.
    """
    if len(land.peaks) != 2:
        return None
    low, (highs, seconds) = _low(land), _stairs(land)
    first, second = land.peaks
    wide = np.diff(np.append(low[first] - 1, highs))
    tall = np.maximum(seconds - low[second] + 1, 0)
    inside = tall > 0
    ends = {first: int(highs[inside].max()), second: int(seconds.max())}
    return Region(low, _ends(land, ends), sum(w * t for w, t in zip(wide.tolist(), tall.tolist(), strict=True)))


def support(land: Landscape, name: str) -> Support:
    """Name the closest pass below one detector's threshold and the first loss above it."""
    peaks, threshold = land.peaks[name], land.thresholds[name]
    below = land.passed & ~land.fired
    above = land.positive & land.alone(name)
    closest = _extreme(land, name, below, int(peaks[below].max())) if below.any() else None
    loss = _extreme(land, name, above, int(peaks[above].min())) if above.any() else None
    return Support(
        closest,
        loss,
        None if closest is None else threshold - 1 - closest.peak,
        None if loss is None else loss.peak - threshold,
    )


def _extreme(land: Landscape, name: str, among: Flags, peak: int) -> SupportEpisode:
    tied = np.flatnonzero(among & (land.peaks[name] == peak))
    return SupportEpisode(land.ids[int(tied[0])], peak, len(tied))


def near_misses(land: Landscape) -> tuple[NearMiss, ...]:
    """List the episodes one to three steps from a change, on both sides of each threshold."""
    found = []
    silent = ~land.fired
    for name, peaks in land.peaks.items():
        threshold, alone = land.thresholds[name], land.alone(name)
        for steps in STEPS:
            below = silent & (peaks == threshold - steps) & (peaks > 0)
            sides = {
                "false_fire": land.passed & below,
                "catch": land.positive & below,
                "loss": land.positive & alone & (peaks == threshold + steps - 1),
            }
            for kind, flags in sides.items():
                if flags.any():
                    ids = tuple(land.ids[int(row)] for row in np.flatnonzero(flags))
                    found.append(NearMiss(name, kind, steps, ids))  # type: ignore[arg-type]
    return tuple(found)

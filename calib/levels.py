"""Levels and reach: a detector says one whole number per turn, everything else follows from it.

Levels are one after the other for whole episodes, each in order of `turn` from 0.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.signedinteger[Any]]
"""Whole numbers, one a row; 32 bits unless they can pass that."""

CHUNK = 131_072
"""Turns worked on at a time: their columns stay in the processor's cache."""


@dataclass(frozen=True)
class Reach:
    """The turns at which an episode's level rises above all before, in order of episode and turn.

    Three columns of equal length: `episode` (index from 0), `level` (from 1, rising within an episode),
    `turn`. The first turn whose level is at least k is the first row of the episode with level ≥ k.
    """

    episode: Integers
    level: Integers
    turn: Integers

    def peaks(self, episodes: int) -> Integers:
        """Give the highest level of each of `episodes` episodes; 0 for one that has no row."""
        peaks = np.zeros(episodes, np.int32)
        peaks[self.episode] = self.level  # levels rise, so the last row of an episode is its peak
        return peaks

    def fire_turns(self, threshold: int, episodes: int) -> Integers:
        """Give the first turn of level ≥ `threshold` of each episode; -1 for never."""
        fire = np.full(episodes, -1, np.int32)
        high = np.flatnonzero(self.level >= threshold)[::-1]
        fire[self.episode[high]] = self.turn[high]  # backwards: the earliest row is written last
        return fire

    def of(self, kept: Integers) -> "Reach":
        """Keep some episodes, renumbered: `kept` lists old indices in their new order."""
        new = np.full(int(max(self.episode.max(initial=-1), kept.max(initial=-1))) + 1, -1, np.int32)
        new[kept] = np.arange(len(kept), dtype=np.int32)
        episode = new[self.episode]
        rows = np.flatnonzero(episode >= 0)
        rows = rows[np.argsort(episode[rows], kind="stable")]
        return Reach(episode[rows], self.level[rows], self.turn[rows])


def reach(levels: Integers, turns: Integers, first_episode: int = 0, rows: Integers | None = None) -> Reach:
    """Find the record-setting turns of levels that hold whole episodes.

    Levels are one a turn; with `rows` they are those of calls, in order, and `rows` says at which place of `turns` each
    call is: a turn has the highest level of its calls.

    >>> r = reach(np.array([0, 1, 2, 0, 1, 1, 2], np.int32), np.array([0, 1, 2, 3, 4, 0, 1], np.int32))
    >>> r.episode.tolist(), r.level.tolist(), r.turn.tolist()
    ([0, 0, 1, 1], [1, 2, 1, 2], [1, 2, 0, 1])
    >>> r = reach(np.array([1, 2, 3], np.int32), np.array([0, 1, 2], np.int32), rows=np.array([0, 2, 2]))
    >>> r.episode.tolist(), r.level.tolist(), r.turn.tolist()
    ([0, 0], [1, 3], [0, 2])
    """
    episode = np.cumsum(turns == 0) - 1
    at = np.flatnonzero(levels > 0)
    places = at if rows is None else rows[at]
    key = (episode[places] << 32) | levels[at]
    record = np.empty(len(at), np.bool_)
    record[:1] = True
    record[1:] = key[1:] > np.maximum.accumulate(key)[:-1]  # an episode's first key tops all before it
    at, places = at[record], places[record]
    if rows is not None:
        last = np.diff(places, append=-1) != 0  # of the records of a turn its last is the highest
        at, places = at[last], places[last]
    return Reach((episode[places] + first_episode).astype(np.int32), levels[at], turns[places])


def joined(parts: list[Reach]) -> Reach:
    """Put the reach of consecutive stretches of episodes together."""
    empty = np.zeros(0, np.int32)
    columns = [[part.episode for part in parts], [part.level for part in parts], [part.turn for part in parts]]
    return Reach(*(np.concatenate([empty, *column]) for column in columns))


def cuts(turns: Integers, size: int = CHUNK) -> list[int]:
    """Cut turns into stretches of about `size` that hold whole episodes; gives the edges, 0 and the end included.

    >>> cuts(np.array([0, 1, 2, 0, 1, 0], np.int32), 2)
    [0, 3, 5, 6]
    """
    first = np.flatnonzero(turns == 0)
    wanted = np.arange(size, len(turns), size)
    at = np.searchsorted(first, wanted)
    inner = first[at[at < len(first)]]
    return sorted({0, *inner.tolist(), len(turns)})

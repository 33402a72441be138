"""What the turns of a frame do: their actions, counted by their codes and placed by a tools map."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from calib.evaluate._families import Flags
from calib.tools import Map


def placing_of(reads: Map | Sequence[str]) -> Map:
    """Take a map as it is, or names of the tools that read: then no other does."""
    return reads if isinstance(reads, Map) else Map.exactly(reads)


def actions_in(turns: pl.DataFrame) -> dict[str, int]:
    """Count each action of a frame of turns."""
    counts = turns["actions"].explode(empty_as_null=False).value_counts()  # names are counted by their codes
    return dict(counts.select(pl.col("actions").cast(pl.String), "count").drop_nulls().iter_rows())


class Doings:
    """The actions of turns by kind. What the map calls neutral does not count either way."""

    def __init__(self, turns: pl.DataFrame, placing: Map) -> None:
        self._size = len(turns)
        sizes = turns["actions"].list.len().to_numpy().astype(np.int64)
        flat = turns["actions"].explode(empty_as_null=False).cast(pl.Categorical)
        seen = flat.unique().drop_nulls()
        self._names, self._codes = seen.cast(pl.String).to_list(), seen.to_physical().to_numpy()
        self._flat = flat.to_physical().to_numpy()
        self._full = np.flatnonzero(sizes)
        self._first = (np.cumsum(sizes) - sizes)[self._full]
        self._placing = placing

    def counts(self) -> dict[str, int]:
        """Count each action."""
        found = np.bincount(self._flat, minlength=int(self._codes.max(initial=0)) + 1)[self._codes]
        return dict(zip(self._names, found.tolist(), strict=True))

    def reads(self) -> Flags:
        """Tell for each turn whether all that it does is reading, and some of it is."""
        reading, passing = self._placing.reading(self._names), self._placing.passing(self._names)
        kind = self._each([2 if name in reading else 1 if name in passing else 0 for name in self._names])
        found = np.zeros(self._size, np.bool_)
        if len(self._full):
            lowest, highest = np.minimum.reduceat(kind, self._first), np.maximum.reduceat(kind, self._first)
            found[self._full] = (lowest > 0) & (highest == 2)
        return found

    def some(self, kind: str) -> Flags:
        """Tell for each turn whether something that it does is of a kind: `writes`, `tests`."""
        each = self._each([self._placing.kind(name) == kind for name in self._names])
        found = np.zeros(self._size, np.bool_)
        if len(self._full):
            found[self._full] = np.maximum.reduceat(each, self._first) > 0
        return found

    def _each(self, kinds: Sequence[int]) -> NDArray[np.int8]:
        """Spread what is known of each name over all actions."""
        known = np.zeros(int(self._codes.max(initial=0)) + 1, np.int8)
        known[self._codes] = kinds
        spread: NDArray[np.int8] = known[self._flat]
        return spread

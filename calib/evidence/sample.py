"""The counted episodes as the closest-pass rule sees them, and how they fall into groups."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from calib.levels import Integers
from calib.risk import Own, earliest_turn
from calib.score import Scored
from calib.selection import group_codes
from calib.statistics import Thresholds

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Sample:
    """Peaks and observability of some detectors, one row a detector; labels, one flag an episode."""

    names: tuple[str, ...]
    ids: pl.Series
    lengths: Integers
    peaks: Integers
    seen: Flags
    positive: Flags
    passed: Flags
    failed: Flags
    own: Own
    """The detectors of calib.toml, which say themselves how high so many turns reach."""

    @classmethod
    def of(cls, scored: Scored, names: tuple[str, ...]) -> "Sample":
        """Take the episodes of a corpus with the detectors named."""
        count = len(scored.episodes)
        return cls(
            names=names,
            ids=scored.episodes["episode_id"],
            lengths=scored.turns,
            peaks=np.stack([scored.reach[name].peaks(count) for name in names]),
            seen=np.stack([scored.observable[name] for name in names]),
            positive=scored.labelled("turn_limit"),
            passed=scored.labelled("passed"),
            failed=scored.labelled("failed"),
            own=scored.own,
        )

    @cached_property
    def rule(self) -> Integers | None:
        """The closest-pass thresholds, in the order of `names`; None when a detector saw no passed episode."""
        if not np.logical_or.reduce(self.seen & self.passed, axis=1).all():
            return None
        highest: Integers = np.maximum.reduce(self.peaks[:, self.passed], axis=1)
        return 1 + highest.astype(np.int64)

    def fired(self, thresholds: Integers) -> Flags:
        """Mark the episodes that fire; `thresholds` has one row a detector, one column or one for each episode."""
        fired: Flags = np.logical_or.reduce(self.peaks >= thresholds.reshape(len(self.names), -1), axis=0)
        return fired

    def unknown(self, fired: Flags, thresholds: Integers) -> Flags:
        """Mark what did not fire, was long enough to, and was not observable."""
        hidden = np.zeros(len(fired), np.bool_)
        for name, seen, asked in zip(self.names, self.seen, thresholds, strict=True):
            distinct, place = np.unique(asked, return_inverse=True)
            earliest = np.array([earliest_turn(name, int(each), self.own) for each in distinct])[place]
            hidden |= ~seen & (self.lengths > earliest)
        return hidden & ~fired

    def named(self, thresholds: Integers) -> Thresholds:
        """Give thresholds by the name of their detector."""
        return dict(zip(self.names, thresholds.tolist(), strict=True))


@dataclass(frozen=True)
class Groups:
    """The groups of a key that have a passed or turn_limit episode; `codes` says which, -1 none of them."""

    by: str
    names: tuple[str | None, ...]
    codes: Integers

    @classmethod
    def of(cls, scored: Scored, by: str) -> "Groups":
        """Group the episodes by a column or metadata key; raises UsageError for an unknown one."""
        names, series = group_codes(scored.episodes, by)
        codes = series.to_numpy()
        kept = np.unique(codes[scored.labelled("passed") | scored.labelled("turn_limit")])
        place = np.full(len(names), -1, np.int32)
        place[kept] = np.arange(len(kept), dtype=np.int32)
        return cls(by, tuple(names[at] for at in kept.tolist()), place[codes])

    def count(self, among: Flags) -> Integers:
        """Count the marked episodes of each group."""
        inside = among & (self.codes >= 0)
        return np.bincount(self.codes[inside], minlength=len(self.names))

    def highest(self, values: Integers, among: Flags) -> Integers:
        """Give the highest value of the marked episodes of each group; 0 for none."""
        found = np.zeros(len(self.names), np.int64)
        inside = among & (self.codes >= 0)
        np.maximum.at(found, self.codes[inside], values[inside])
        return found

"""One detector per file. A detector counts something at each turn and fires when the count reaches a threshold.

Each module holds `DEFAULT` (the published threshold), `OBSERVES` (`reasoning` or `calls`: what the transcript
must have recorded), `LEVEL` (a polars expression over the integer columns of whole episodes, sorted by episode
and turn), `ceiling` (the highest level that n turns allow), and a docstring under fixed headings.

Besides the columns of the turns table an expression may use `reads_only`: the turn has a call, and every call
is of a tool that only reads.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol, cast

from calib import registry
from calib.point import ALIASES, detector_name
from calib.tools import Map

if TYPE_CHECKING:
    import polars as pl

READS = ("search_files", "read_file")
"""Tools that only read, as named in note 000."""


class Detector(Protocol):
    """What each module of this folder offers."""

    __name__: str
    DEFAULT: int
    OBSERVES: Literal["reasoning", "calls"]
    LEVEL: "pl.Expr"

    def ceiling(self, turns: int) -> int:
        """Give the highest level that an episode of `turns` turns can reach."""
        ...


def names() -> tuple[str, ...]:
    """List the detectors, the note's T2 first."""
    return tuple(sorted(registry.names(__name__), key=lambda name: (name not in ALIASES.values(), name)))


def detector(name: str) -> Detector:
    """Import a detector by its name or the note's label.

    Raises UsageError, with the near names, when there is none.
    """
    return cast(Detector, registry.entry(__name__, detector_name(name)))


def documentation(name: str) -> str:
    """Give the text of a detector: what it counts, when it fires, why, where it is blind."""
    return (registry.entry(__name__, detector_name(name)).__doc__ or "").strip()


def reads_only(turns: "pl.DataFrame", placing: Map) -> "pl.Series":
    """Tell for each turn whether all that it does is reading, and some of it is.

    What `placing` calls neutral does not count either way.
    """
    import numpy as np
    import polars as pl

    sizes = turns["actions"].list.len().to_numpy().astype(np.int64)
    flat = turns["actions"].explode(empty_as_null=False).cast(pl.Categorical)
    seen = flat.unique().drop_nulls()
    names, codes = seen.cast(pl.String).to_list(), seen.to_physical().to_numpy()
    reading, passing = placing.reading(names), placing.passing(names)
    kinds = np.zeros(int(codes.max(initial=0)) + 1, np.int8)  # 0 does something else, 1 passes, 2 reads
    kinds[codes] = [2 if name in reading else 1 if name in passing else 0 for name in names]
    found = np.zeros(len(turns), np.bool_)
    full = np.flatnonzero(sizes)
    if len(full):
        kind = kinds[flat.to_physical().to_numpy()]
        first = (np.cumsum(sizes) - sizes)[full]
        found[full] = (np.minimum.reduceat(kind, first) > 0) & (np.maximum.reduceat(kind, first) == 2)
    return pl.Series("reads_only", found)


def placing_of(reads: "Map | Sequence[str]") -> Map:
    """Take a map as it is, or names of the tools that read: then no other does."""
    return reads if isinstance(reads, Map) else Map.exactly(reads)


def actions_in(turns: "pl.DataFrame") -> dict[str, int]:
    """Count each action of a frame of turns."""
    import polars as pl

    counts = turns["actions"].explode(empty_as_null=False).value_counts()  # names are counted by their codes
    return dict(counts.select(pl.col("actions").cast(pl.String), "count").drop_nulls().iter_rows())

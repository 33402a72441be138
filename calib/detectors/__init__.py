"""One detector per file. A detector counts something at each turn and fires when the count reaches a threshold.

Each module holds `DEFAULT` (the published threshold), `OBSERVES` (`reasoning` or `calls`: what the transcript
must have recorded), `LEVEL` (a polars expression over the integer columns of whole episodes, sorted by episode
and turn), `ceiling` (the highest level that n turns allow), and a docstring under fixed headings.

Besides the columns of the turns table an expression may use `reads_only`: the turn has a call, and every call
is of a tool that only reads.
"""

from collections.abc import Iterable, Sequence
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


def reads_only(placing: Map, actions: Iterable[str]) -> "pl.Expr":
    """Tell whether all that a turn does is reading, and some of it is.

    `actions` are those that occur in the frame. What `placing` calls neutral does not count either way.
    """
    import polars as pl

    seen = list(actions)
    reading, passing = placing.reading(seen), placing.passing(seen)
    action = pl.element().cast(pl.String)
    some = pl.col("actions").list.eval(action.is_in(list(reading))).list.any()
    every = pl.col("actions").list.eval(action.is_in([*reading, *passing])).list.all()
    return some & every


def placing_of(reads: "Map | Sequence[str]") -> Map:
    """Take a map as it is, or names of the tools that read: then no other does."""
    return reads if isinstance(reads, Map) else Map.exactly(reads)


def actions_in(turns: "pl.DataFrame") -> dict[str, int]:
    """Count each action of a frame of turns."""
    import polars as pl

    found = turns.select(pl.col("actions").explode().cast(pl.String)).drop_nulls()
    return dict(found["actions"].value_counts().iter_rows())

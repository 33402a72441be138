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


def reads_only(reads: Sequence[str]) -> "pl.Expr":
    """Tell whether a turn has at least one call and all its calls are of tools in `reads`.

    A call without a tool name does not read.
    """
    import polars as pl

    known = pl.element().cast(pl.String).is_in(list(reads)).fill_null(False)
    return (pl.col("tools").list.len() > 0) & pl.col("tools").list.eval(known).list.all()

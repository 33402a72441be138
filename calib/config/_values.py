"""What a configuration says, as checked values."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from calib.detectors import Detector
from calib.point import Point
from calib.results import Chosen
from calib.tools import Map

if TYPE_CHECKING:
    from calib.statistics import Unit


@dataclass(frozen=True)
class Limits:
    """What the gate demands; None demands nothing. Rates and `max_rejected` are shares, 0.01 for 1 %."""

    max_false_fires: int | None = None
    min_caught: int | None = None
    min_plateau_width: int | Mapping[str, int] | None = None
    min_passed: int | None = None
    min_turn_limit: int | None = None
    max_false_fire_rate: float | None = None
    max_other_fire_rate: float | None = None
    min_caught_rate: float | None = None
    max_rejected: float | None = None


@dataclass(frozen=True)
class Config:
    """A checked configuration; the defaults are those of no file at all."""

    point: Point | None = None
    chosen: Chosen = "here"
    calibrated_on: str = ""
    rule: str = ""
    confidence: float = 0.95
    checks: int = 1
    unit: "Unit" = "episode"
    where: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    tools: Map = field(default_factory=Map)
    """Which calls only read: the shipped map, extended by [tools]."""
    detectors: Mapping[str, Detector] = field(default_factory=dict)
    """Rules by the names that [detectors] gives them."""
    source: Path | None = field(default=None, compare=False)
    """The file that was read; None: there was none."""

    @property
    def alpha(self) -> float:
        """Give the error allowed on one side of one check.

        >>> Config(confidence=0.95, checks=5).alpha
        0.01
        """
        return float(self._alpha)

    @property
    def each(self) -> float:
        """Give the confidence of each bound, so that all checks together have the declared one.

        >>> Config(confidence=0.95, checks=5).each
        0.99
        """
        return float(1 - self._alpha)

    @property
    def _alpha(self) -> Fraction:
        return (1 - Fraction(repr(self.confidence))) / self.checks


def for_point(config: Config, asked: Point | None) -> tuple[Config, tuple[str, ...]]:
    """Leave out the limits on detectors that a point asked for beside the file lacks; a note says which.

    >>> from calib.point import parse_point
    >>> config = Config(limits=Limits(min_plateau_width={"repeated_plan": 16, "search_run": 9}))
    >>> left, notes = for_point(config, parse_point("T2@5"))
    >>> left.limits.min_plateau_width, notes
    ({'repeated_plan': 16}, ('gate.min_plateau_width.search_run is not judged: the point asked for has no search_run',))
    """
    widths = config.limits.min_plateau_width
    if asked is None or not isinstance(widths, Mapping):
        return config, ()
    kept = {name: width for name, width in widths.items() if name in asked.thresholds}
    notes = tuple(
        f"gate.min_plateau_width.{name} is not judged: the point asked for has no {name}"
        for name in widths
        if name not in kept
    )
    return replace(config, limits=replace(config.limits, min_plateau_width=kept or None)), notes

"""What a sweep found: plain values that every report, plot and gate reads and none computes.

A threshold axis runs from 1 to `top`, one above the highest peak of any counted episode, where the
detector never fires. `high` and `width` are None when a plateau reaches `top`: any higher value does
the same.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calib.results._lost import Lost
    from calib.results._report import (
        Calibrated,
        Certified,
        Drift,
        Ladder,
        LimitResult,
        Mix,
        Moved,
        Outlook,
        Plan,
        Planned,
        Report,
        Rung,
        Verdict,
    )
    from calib.results._sweep import (
        Chosen,
        CostBand,
        Counts,
        Curve,
        Distinct,
        FireTurns,
        NearMiss,
        OperatingPoint,
        Plateau,
        Rectangle,
        Region,
        Savings,
        Support,
        SupportEpisode,
        Sweep,
        Tally,
        Unknown,
    )

__all__ = [
    "Calibrated",
    "Certified",
    "Chosen",
    "CostBand",
    "Counts",
    "Curve",
    "Distinct",
    "Drift",
    "FireTurns",
    "Ladder",
    "LimitResult",
    "Lost",
    "Mix",
    "Moved",
    "NearMiss",
    "OperatingPoint",
    "Outlook",
    "Plan",
    "Planned",
    "Plateau",
    "Rectangle",
    "Region",
    "Report",
    "Rung",
    "Savings",
    "Support",
    "SupportEpisode",
    "Sweep",
    "Tally",
    "Unknown",
    "Verdict",
]


def __getattr__(name: str) -> Any:
    """Load what is asked for, and no more: a process that only reads dumps or sweeps starts in half the time."""
    if name in __all__:
        for home in ("_lost", "_sweep", "_report"):
            module = import_module(f"calib.results.{home}")
            if hasattr(module, name):
                return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

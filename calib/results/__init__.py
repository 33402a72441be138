"""What a sweep found: plain values that every report, plot and gate reads and none computes.

A threshold axis runs from 1 to `top`, one above the highest peak of any counted episode, where the
detector never fires. `high` and `width` are None when a plateau reaches `top`: any higher value does
the same.
"""

from typing import TYPE_CHECKING, Any

from calib.results._sweep import (
    Chosen,
    CostBand,
    Counts,
    Curve,
    FireTurns,
    Lost,
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

if TYPE_CHECKING:
    from calib.results._report import (
        Calibrated,
        Certified,
        Drift,
        Ladder,
        LimitResult,
        Moved,
        Outlook,
        Plan,
        Planned,
        Report,
        Rung,
        Verdict,
    )

__all__ = [
    "Calibrated",
    "Certified",
    "Chosen",
    "CostBand",
    "Counts",
    "Curve",
    "Drift",
    "FireTurns",
    "Ladder",
    "LimitResult",
    "Lost",
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
    """Load what only reports need when it is asked for: a sweep by itself starts in half the time without."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from calib.results import _report

    return getattr(_report, name)

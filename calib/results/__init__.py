"""What a sweep found: plain values that every report, plot and gate reads and none computes.

A threshold axis runs from 1 to `top`, one above the highest peak of any counted episode, where the
detector never fires. `high` and `width` are None when a plateau reaches `top`: any higher value does
the same.
"""

from calib.results._report import (
    Calibrated,
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

__all__ = [
    "Calibrated",
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

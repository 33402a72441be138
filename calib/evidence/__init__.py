"""How far the numbers of a sweep can be trusted, from what the detectors saw: no rescoring, no text.

`statistics` makes the whole value that reports and gates read; the modules say one thing each.
"""

from calib.evidence.fired import paired_points
from calib.evidence.whole import statistics

__all__ = ["paired_points", "statistics"]

"""Judge a sweep against limits: a pure function to a verdict and its exit code.

A rate limit passes or fails only when its exact one-sided bound says so; between the two it is
INCONCLUSIVE, and says how many more episodes would decide it. Episodes that could not be observed count
against the limit when it is to pass and for it when it is to fail. Any FAIL makes the verdict FAIL (exit 1),
else any INCONCLUSIVE makes it INCONCLUSIVE (exit 3), else it is PASS (exit 0). More input lost than
`max_rejected` allows is a FAIL with exit 4, before any other: nothing judged on such data holds.
"""

from calib.gate._decide import decide, rates_of
from calib.gate._judge import check_reachable, judge
from calib.gate._plan import all_blind, outlook, outlook_caught

__all__ = ["all_blind", "check_reachable", "decide", "judge", "outlook", "outlook_caught", "rates_of"]

"""Two or more arms of one experiment: who passes, who is slower, and at which level the evidence is independent.

`runs` is what is compared: one run of an arm, from a corpus or a plain table of results. `comparison` pairs them and
counts; the tests are those of `calib.stats.paired`.
"""

from calib.arms.comparison import compare
from calib.arms.findings import Comparison, Flip, Level, Measure, Side, Versus
from calib.arms.runs import Design, LeftOut, Run
from calib.arms.viable import Viability, parse_rule

__all__ = [
    "Comparison", "Design", "Flip", "LeftOut", "Level", "Measure", "Run", "Side", "Versus", "Viability", "compare",
    "parse_rule",
]  # fmt: skip

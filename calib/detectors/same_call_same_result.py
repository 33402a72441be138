"""Same call, same result: the same question with the same answer.

Counts
    Calls in a row whose tool, arguments and result equal those of the call before.

Fires when
    The level reaches 9: the 10th in a row.

Why
    A poll that brings something new, and the next page of an output, are the same call with another result; this
    tells them apart.

Blind spots
    A result with a time in it. A poll that waits for long without news is not told from a loop: the case bank has
    nine in a row in good work.

Differs from
    `hermes_identical_streak`, the same with the threshold of its authors, 4.

Source
    Not published: made for calib from loops that other projects report. The threshold is silent on the good work of
    the open case bank, known false fires aside; it is no measurement.
"""

from calib.rules import parse_rule

DEFAULT = 9
RULE = parse_rule("lag(call+result,1)")

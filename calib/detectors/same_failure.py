"""Same failure: failing the same way, whatever is tried in between.

Counts
    Failing calls in a row with the result of the failing call before; edits, reads and other successes may lie
    between.

Fires when
    The level reaches 3: the 4th such failure.

Why
    Whatever was tried in between did not touch the fault.

Blind spots
    Failures that are not marked as such: not observable where no result says whether it failed. Line numbers and
    times in the message.

Differs from
    `unfixed`, which counts only failures after an edit; `hermes_exact_failure`, which compares the calls and starts
    anew at every successful change.

Source
    Not published: made for calib from loops that other projects report. The threshold is silent on the good work of
    the open case bank, known false fires aside; it is no measurement.
"""

from calib.rules import parse_rule

DEFAULT = 3
RULE = parse_rule("lag(result,1,only=error)")

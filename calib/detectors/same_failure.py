"""Same failure: failing the same way, whatever is tried in between.

Counts
    Failing calls in a row with the result of the failing call before, durations and clock times aside (a table in
    calib/times.py); edits, reads and other successes may lie between.

Fires when
    The level reaches 3: the 4th such failure.

Why
    Whatever was tried in between did not touch the fault.

Blind spots
    Failures that are not marked as such, such as tests piped through `tail`: not observable where no result says
    whether it failed. What else changes in a message about the same fault: line numbers, addresses, temporary folders,
    an order by duration. Failures that are about a time: a wait of 60 seconds and one of 120 fail the same way.

Differs from
    `lag(result,1,only=error)`, which compares every character, and so sees no two runs of a test as the same failure;
    `unfixed`, which counts only failures after an edit; `hermes_exact_failure`, which compares the calls and starts
    anew at every successful change.

Source
    Not published: made for calib from loops that other projects report. The threshold is silent on the good work of
    the open case bank, known false fires aside; it is no measurement.
"""

from calib.rules import parse_rule

DEFAULT = 3
RULE = parse_rule("lag(failure,1,only=error)")

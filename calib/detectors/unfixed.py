"""Unfixed: after each edit the same failure.

Counts
    Failing calls in a row with the result of the one before, durations and clock times aside (a table in
    calib/times.py), of those before which something was written since the last failing call; the first failure counts
    as one to begin with. Failures without a write between are passed over.

Fires when
    The level reaches 3: the 4th such failure, after the 3rd edit that changed nothing about it.

Why
    An edit after which the test fails with the same words did not touch the fault.

Blind spots
    Failures that are not marked as such, such as tests piped through `tail`: not observable where no result says
    whether it failed. What else changes in a message about the same fault: line numbers, which an edit above moves,
    addresses, temporary folders. Failures that are about a time. Edits by tools that the map of tools does not know as
    writing.

Differs from
    `same_failure`, which asks for no edit between: it sees polling and retrying too.
    `lag(result,1,only=failed_anew)`, which compares every character.

Source
    Not published: made for calib from loops that other projects report. The threshold is silent on the good work of
    the open case bank; it is no measurement.
"""

from calib.rules import parse_rule

DEFAULT = 3
RULE = parse_rule("lag(failure,1,only=failed_anew)")

"""Unfixed: after each edit the same failure.

Counts
    Failing calls in a row with the result of the one before, of those before which something was written since the last
    failing call; the first failure counts as one to begin with. Failures without a write between are passed over.

Fires when
    The level reaches 3: the 4th such failure, after the 3rd edit that changed nothing about it.

Why
    An edit after which the test fails with the same words did not touch the fault.

Blind spots
    Failures that are not marked as such: not observable where no result says whether it failed. Line numbers and
    times in the message. Edits by tools that the map of tools does not know as writing.

Differs from
    `same_failure`, which asks for no edit between: it sees polling and retrying too.

Source
    Not published: made for calib from loops that other projects report. The threshold is silent on the good work of
    the open case bank; it is no measurement.
"""

from calib.rules import parse_rule

DEFAULT = 3
RULE = parse_rule("lag(result,1,only=failed_anew)")

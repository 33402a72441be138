"""Same result: whatever is called, the answer is the same.

Counts
    Turns in a row whose results, of all their calls in order, equal those of the turn before. A turn without a
    result ends the run.

Fires when
    The level reaches 10: the 11th in a row.

Why
    Trying another flag, another host, another pattern and getting the same answer is a loop that no comparison of
    calls sees.

Blind spots
    Tools that answer every success with the same word: writing eleven files one by one. A result with a time in it.

Differs from
    `same_call_same_result`, which wants the call to be the same too.

Source
    Not published: made for calib from loops that other projects report. The threshold is silent on the good work of
    the open case bank, known false fires aside; it is no measurement.
"""

from calib.rules import parse_rule

DEFAULT = 10
RULE = parse_rule("lag(results,1)")

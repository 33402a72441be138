"""Empty turns: neither a call nor a text.

Counts
    Turns in a row without a call and without visible text; reasoning does not count.

Fires when
    The level reaches 3.

Why
    A model that says nothing is asked again, for nothing.

Blind spots
    A full stop in place of nothing.

Differs from
    `no_action`, whatever the text.

Source
    Not published: made for calib from loops that other projects report. The threshold is silent on the good work of
    the open case bank, known false fires aside; it is no measurement.
"""

from calib.rules import parse_rule

DEFAULT = 3
RULE = parse_rule("run(empty)")

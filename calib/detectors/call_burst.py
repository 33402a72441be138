"""Call burst: one response makes the same call several times.

Counts
    How often a call's tool and arguments occur in its turn.

Fires when
    The level reaches 3.

Why
    Equal calls in parallel bring nothing that one does not.

Blind spots
    Bursts whose arguments change.

Differs from
    `opencode`, which wants them in a row.

Source
    Not published: made for calib from loops that other projects report. The threshold is silent on the good work of
    the open case bank, known false fires aside; it is no measurement.
"""

from calib.rules import parse_rule

DEFAULT = 3
RULE = parse_rule("count(call,reset=turn)")

"""Always (baseline): fires at the first turn.

Counts
    Turns so far.

Fires when
    The first turn is there.

Why
    The upper end of what can be caught, and of what it costs.

Blind spots
    None: it sees nothing and fires anyway.

Differs from
    `turn_count`: the same level, at its lowest threshold.

Source
    The plain baseline of every table of operating points in calib.
"""

from calib.rules import parse_rule

DEFAULT = 1
RULE = parse_rule("budget(always)")

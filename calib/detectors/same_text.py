"""Same text: the same words to the user turn after turn.

Counts
    Turns in a row whose trimmed visible text, not empty, equals that of the turn before; there may be calls or not.

Fires when
    The level reaches 5: the 6th in a row.

Why
    A model without recorded reasoning shows its plan only here.

Blind spots
    Words that change a little.

Differs from
    `repeated_plan`, the same for reasoning.

Source
    Not published: made for calib from loops that other projects report. The threshold is silent on the good work of
    the open case bank, known false fires aside; it is no measurement.
"""

from calib.rules import parse_rule

DEFAULT = 5
RULE = parse_rule("lag(text,1)")

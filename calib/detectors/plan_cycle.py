"""Plan cycle: two to five plans in turn.

Counts
    Whole laps of two to five turns whose trimmed reasoning, none of it empty, repeats the lap before.

Fires when
    The level reaches 5: the 6th lap.

Why
    `repeated_plan` needs neighbours that are equal: two plans in turn never reach level 1.

Blind spots
    A counter in a plan (`near_duplicate_plan`); laps of six and more.

Differs from
    `repeated_plan`, the lap of one; such a run counts here too, at half its length.

Source
    Not published: made for calib from loops that other projects report. The threshold is silent on the good work of
    the open case bank, known false fires aside; it is no measurement.
"""

from calib.rules import parse_rule

DEFAULT = 5
RULE = parse_rule("cycle(reasoning,2..5)")

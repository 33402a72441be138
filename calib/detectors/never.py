"""Never (baseline): does not fire.

Counts
    Nothing; the level is 0 at every turn.

Fires when
    It does not.

Why
    What happens without any detector.

Blind spots
    Everything.

Differs from
    Everything.

Source
    The plain baseline of every table of operating points in calib.
"""

from calib.rules import parse_rule

DEFAULT = 1
RULE = parse_rule("run(never)")

"""Turn count (baseline): how many turns there have been.

Counts
    Turns of the episode so far, this one included.

Fires when
    The level reaches the threshold: at the last turn that a limit of so many turns allows.

Why
    The rule to beat. A detector that saves no more turns than a lower turn limit with as few false fires has
    learned nothing about loops.

Blind spots
    Everything but length.

Differs from
    A step limit of a harness: the same, but calibrated.

Source
    The plain baseline of every table of operating points in calib; no published threshold, 64 is the turn limit of
    note 000.
"""

from calib.rules import parse_rule

DEFAULT = 64
RULE = parse_rule("budget(always)")

"""Near-duplicate plan: the same plan but for numbers, times, ids and white space.

Counts
    Turns in a row whose masked reasoning, not empty, equals that of the turn before. What is masked is a table in
    calib/mask.py.

Fires when
    The level reaches 12: the 13th in a row.

Why
    One counter in a plan defeats every exact comparison.

Blind spots
    Good work that counts: *Chunk 7.*, *Round 12.* are one plan here, and this fires on them. Plans that are worded
    anew.

Differs from
    `repeated_plan`, exact. `lag(masked_reasoning,1,reset=result|wrote)` starts anew where the work moves, and is silent
    on such good work; on the demo that costs 20 of the 23 loops that this catches. `lag(masked_reasoning+results,1)`
    asks for equal results too.

Source
    Not published: made for calib from loops that other projects report. The threshold is silent on the good work of
    the open case bank, known false fires aside; it is no measurement.
"""

from calib.rules import parse_rule

DEFAULT = 12
RULE = parse_rule("lag(masked_reasoning,1)")

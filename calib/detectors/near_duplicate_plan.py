"""Near-duplicate plan: the same plan but for numbers, times, ids and white space.

Counts
    Turns in a row whose masked reasoning, not empty, equals that of the turn before. What is masked is a table in
    calib/mask.py. A successful write starts it anew, and so does a call that gives another result than the last time
    it was made: then the work moves.

Fires when
    The level reaches 12: the 13th in a row.

Why
    One counter in a plan defeats every exact comparison.

Blind spots
    Good work that counts and only looks: *File 7.*, *File 12.* are one plan here. Plans that are worded anew. Loops
    that write each time.

Differs from
    `repeated_plan`, exact, which nothing starts anew. `lag(masked_reasoning+results,1)` asks for equal results too.

Source
    Not published: made for calib from loops that other projects report. The threshold is silent on the good work of
    the open case bank, known false fires aside; it is no measurement.
"""

from calib.rules import parse_rule

DEFAULT = 12
RULE = parse_rule("lag(masked_reasoning,1,reset=result|wrote)")

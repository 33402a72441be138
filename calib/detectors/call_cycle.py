"""Call cycle: two to five turns of calls in turn, with the same results.

Counts
    Whole laps of two to five turns whose calls and results repeat the lap before.

Fires when
    The level reaches 4: the 5th lap.

Why
    Doing and undoing succeeds each time, so nothing else complains.

Blind spots
    A result with a time in it; laps of six and more; results that were not recorded: there it is not observable.

Differs from
    `gemini_tools`, which does not look at results and so fires where paging or polling brings something new.

Source
    Not published: made for calib from loops that other projects report. The threshold is silent on the good work of
    the open case bank, known false fires aside; it is no measurement.
"""

from calib.rules import parse_rule

DEFAULT = 4
RULE = parse_rule("cycle(calls+results,2..5)")

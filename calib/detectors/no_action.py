"""No action: turn after turn without a call.

Counts
    Turns in a row without a call.

Fires when
    The level reaches 5.

Why
    Where tools are there, talking alone moves nothing, and `search_run` starts anew at every such turn.

Blind spots
    Conversations: there it is the way to work.

Differs from
    `openhands_v1_monologue`, which a user message starts anew, at 3.

Source
    Not published: made for calib from loops that other projects report. The threshold is silent on the good work of
    the open case bank, known false fires aside; it is no measurement.
"""

from calib.rules import parse_rule

DEFAULT = 5
RULE = parse_rule("run(idle)")

"""oh-my-pi, tool loop: the same set of calls turn after turn.

Counts
    Turns in a row that make the calls of the turn before, in any order. A turn whose calls are all of the tools job
    and irc is passed over; a turn without a call starts it anew.

Fires when
    The level reaches 4: the 5th such turn in a row. The model is told, each time.

Why
    A response that makes the same calls as before expects another outcome of the same.

Blind spots
    A batch in which one argument changes; laps of two turns.

Differs from
    `openhands_v1_repeat`, call by call and with results.

Source
    can1357/oh-my-pi, packages/ai/src/utils/tool-call-loop-guard.ts @ 14047da57a8ac4655e6d84687277cd5b1771c60d.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 4
RULE = parse_rule("lag(call_set,1,exempt=job|irc,reset=idle)")
UPSTREAM = Upstream(
    repo="can1357/oh-my-pi",
    path="packages/ai/src/utils/tool-call-loop-guard.ts",
    commit="14047da57a8ac4655e6d84687277cd5b1771c60d",
    fires="5th equal turn in a row",
    when="after",
    fidelity="convention",
    why="the argument in which a call says what it is for is not left out",
)

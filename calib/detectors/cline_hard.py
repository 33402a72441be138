"""Cline, hard limit: the same call again and again.

Counts
    Calls in a row with the same tool and the same arguments, the order of keys aside, as the call before. The first
    counts 0. Calls made in parallel count one by one.

Fires when
    The level reaches 4: the 5th such call in a row. The run is stopped.

Why
    Repeating a call that changed nothing rarely changes something.

Blind spots
    Two calls in turn, a call whose arguments change a little, and polling that is meant: results are not looked at.

Differs from
    `roo`, which stops before the 4th; `gemini_tools`, which sees laps of several calls. A user message starts it
    anew, as a new run does there.

Source
    cline/cline, sdk/packages/core/src/runtime/safety/loop-detection.ts @ 21cb8d2525bcedf1f4b6890b27a74a14fe7451e4.
    The classic extension (f3a3f30db5) leaves out the argument task_progress and counts after execution.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 4
ALSO = {"the notice": 2}
RULE = parse_rule("lag(call,1,reset=user)")
UPSTREAM = Upstream(
    repo="cline/cline",
    path="sdk/packages/core/src/runtime/safety/loop-detection.ts",
    commit="21cb8d2525bcedf1f4b6890b27a74a14fe7451e4",
    fires="5th equal call in a row",
    when="before",
    fidelity="exact",
)

"""opencode, doom loop: three equal calls in one response.

Counts
    Calls of one turn in a row with the same tool and the same arguments, written alike, as the call before. Every turn
    starts anew.

Fires when
    The level reaches 2: the 3rd such call of one response. The user is asked.

Why
    A response that makes one call over and over is stuck in itself.

Blind spots
    The same call turn after turn: one call a response never reaches level 1 (anomalyco/opencode#25254).

Differs from
    `call_burst`, which counts equal calls of a turn anywhere in it.

Source
    anomalyco/opencode, packages/opencode/src/session/processor.ts @ 31e22f65a23c498639b8cef24b90e6ae193cdcb6; the
    same @ 002d98228613564f11f641b36448ba629669281f.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 2
RULE = parse_rule("lag(written_call,1,reset=turn)")
UPSTREAM = Upstream(
    repo="anomalyco/opencode",
    path="packages/opencode/src/session/processor.ts",
    commit="31e22f65a23c498639b8cef24b90e6ae193cdcb6",
    fires="3rd equal call in a row of one response",
    when="before",
    fidelity="convention",
    why=(
        "the order of text and calls inside a response is not recorded; a text or a thought between two calls would "
        "end the run upstream"
    ),
)

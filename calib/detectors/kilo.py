"""Kilo Code, a fork of opencode, doom loop: three equal calls in one response.

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
    Kilo-Org/kilocode, packages/opencode/src/session/processor.ts @
    00fb89850f0c506b24e2180c5988625e46aac3dd. A rule over the last 30 parts of a session, which writes start anew, is
    in loop-detection.ts beside it @ 9b65079630d702cdb3f1f4824d6438473a73b001; this processor does not call it.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 2
RULE = parse_rule("lag(written_call,1,reset=turn)")
UPSTREAM = Upstream(
    repo="Kilo-Org/kilocode",
    path="packages/opencode/src/session/processor.ts",
    commit="00fb89850f0c506b24e2180c5988625e46aac3dd",
    fires="3rd equal call in a row of one response",
    when="before",
    fidelity="convention",
    why=(
        "the order of text and calls inside a response is not recorded; a text or a thought between two calls would "
        "end the run upstream"
    ),
)

"""OpenClaw, ping-pong: two calls in turn with stable results.

Counts
    Calls in a row whose tool, arguments and result equal those of the call before the last.

Fires when
    The level reaches 18: 20 calls in turn are critical. At 8, ten calls, a warning is given.

Why
    Two calls in turn escape a rule that compares neighbours.

Blind spots
    Longer laps; a result with a time in it.

Differs from
    `qwen_alternation`, at six calls and without results.

Source
    openclaw/openclaw, src/agents/tool-loop-detection.ts @ 00655306. Off by default.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 18
ALSO = {"the warning": 8}
RULE = parse_rule("lag(call+result,2)")
UPSTREAM = Upstream(
    repo="openclaw/openclaw",
    path="src/agents/tool-loop-detection.ts",
    commit="00655306",
    fires="20th call in turn",
    when="before",
    fidelity="approximate",
    why=(
        "ids and times that upstream masks in arguments and results stay in them; the warning and the "
        "stop are one rule at two thresholds; the warning does not ask for stable results there"
    ),
)

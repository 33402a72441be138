"""OpenClaw, no progress: the same call with the same result twenty times in a row.

Counts
    Calls in a row whose tool, arguments and result equal those of the call before.

Fires when
    The level reaches 19: the 20th in a row is critical. The breaker at 30, level 29, holds for every tool.

Why
    The same question with the same answer teaches nothing.

Blind spots
    A result with a time in it; laps, which never reach a critical level (openclaw/openclaw#34574).

Differs from
    `hermes_identical_streak`, which stops at the 5th.

Source
    openclaw/openclaw, src/agents/tool-loop-detection.ts @ 00655306. Off by default.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 19
ALSO = {"the poll warning": 9, "the breaker": 29}
RULE = parse_rule("lag(call+result,1)")
UPSTREAM = Upstream(
    repo="openclaw/openclaw",
    path="src/agents/tool-loop-detection.ts",
    commit="00655306",
    fires="20th equal call and result in a row",
    when="before",
    fidelity="approximate",
    why=(
        "ids and times that upstream masks in arguments and results stay in them; the warning and the "
        "stop are one rule at two thresholds"
    ),
)

"""OpenClaw, generic repeat: the same call ten times in the last thirty.

Counts
    How often the call's tool and arguments occur in the last 30 calls.

Fires when
    The level reaches 10: a warning.

Why
    Calls that come back again and again between others make no run.

Blind spots
    Calls whose arguments change; polling that is meant.

Differs from
    `qwen_global`, without a window.

Source
    openclaw/openclaw, src/agents/tool-loop-detection.ts @ 00655306. Off by default.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 10
RULE = parse_rule("count(call,window=30)")
UPSTREAM = Upstream(
    repo="openclaw/openclaw",
    path="src/agents/tool-loop-detection.ts",
    commit="00655306",
    fires="10th equal call of the last 30",
    when="before",
    fidelity="approximate",
    why=(
        "ids and times that upstream masks in arguments and results stay in them; the warning and the "
        "stop are one rule at two thresholds"
    ),
)

"""Qwen Code, global duplicates: the same call six times, anywhere since the user spoke.

Counts
    Calls with the same tool and the same arguments since the last user message, whatever lies between.

Fires when
    The level reaches 6: the 6th such call. The turn ends.

Why
    Calls that come back again and again between others make no run.

Blind spots
    Calls whose arguments change. Honest repetition over a long task, such as running one test command after each
    edit.

Differs from
    `qwen_identical`, which wants them in a row.

Source
    QwenLM/qwen-code, packages/core/src/services/loopDetectionService.ts @ 00aa71b4a0a37df1c392eb9b90e1c53d008fdce5.
    Off there unless skipLoopDetection is false.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 6
RULE = parse_rule("count(call,reset=user)")
UPSTREAM = Upstream(
    repo="QwenLM/qwen-code",
    path="packages/core/src/services/loopDetectionService.ts",
    commit="00aa71b4a0a37df1c392eb9b90e1c53d008fdce5",
    fires="6th equal call since the prompt",
    when="before",
    fidelity="convention",
    why="other names of one tool are not resolved",
)

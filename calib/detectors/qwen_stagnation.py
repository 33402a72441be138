"""Qwen Code, stagnation: one tool eight times in a row.

Counts
    Calls in a row of the tool of the call before, whatever their arguments.

Fires when
    The level reaches 7: the 8th call of one tool in a row. The turn ends.

Why
    Turning one tool's arguments over and over is a loop that no comparison of calls sees.

Blind spots
    Every agent whose only tool is a shell: it fires on all of them. Bulk work with one tool.

Differs from
    `search_run`, which counts what only reads, of whatever tools.

Source
    QwenLM/qwen-code, packages/core/src/services/loopDetectionService.ts @ 00aa71b4a0a37df1c392eb9b90e1c53d008fdce5.
    Off there unless skipLoopDetection is false.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 7
RULE = parse_rule("lag(tool,1,reset=user)")
UPSTREAM = Upstream(
    repo="QwenLM/qwen-code",
    path="packages/core/src/services/loopDetectionService.ts",
    commit="00aa71b4a0a37df1c392eb9b90e1c53d008fdce5",
    fires="8th call of one tool in a row",
    when="before",
    fidelity="exact",
)

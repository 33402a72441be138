"""Qwen Code, alternation: two calls in turn, three times.

Counts
    Calls in a row that equal the call before the last.

Fires when
    The level reaches 4: A B A B A B, six calls. The turn ends.

Why
    Two calls in turn escape a rule that compares neighbours.

Blind spots
    Longer laps, and calls whose arguments change.

Differs from
    `cycle(call,2)`, whole laps. One call over and over counts here too; upstream asks for two calls that differ,
    but there `qwen_identical` has fired before.

Source
    QwenLM/qwen-code, packages/core/src/services/loopDetectionService.ts @ 00aa71b4a0a37df1c392eb9b90e1c53d008fdce5.
    Off there unless skipLoopDetection is false.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 4
RULE = parse_rule("lag(call,2,reset=user)")
UPSTREAM = Upstream(
    repo="QwenLM/qwen-code",
    path="packages/core/src/services/loopDetectionService.ts",
    commit="00aa71b4a0a37df1c392eb9b90e1c53d008fdce5",
    fires="6th call of A B A B A B",
    when="before",
    fidelity="convention",
    why="a run of one call counts too",
)

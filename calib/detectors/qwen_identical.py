"""Qwen Code, identical calls: five in a row.

Counts
    Calls in a row with the same tool and the same arguments as the call before.

Fires when
    The level reaches 4: the 5th such call in a row. The turn ends.

Why
    The model's server refuses histories with such runs.

Blind spots
    Two calls in turn, a call whose arguments change a little, and polling that is meant: results are not looked at.

Differs from
    `gemini_tools`, of which it is the lap of one call, compared whatever the order of keys.

Source
    QwenLM/qwen-code, packages/core/src/services/loopDetectionService.ts @ 00aa71b4a0a37df1c392eb9b90e1c53d008fdce5.
    Always on.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 4
RULE = parse_rule("lag(call,1,reset=user)")
UPSTREAM = Upstream(
    repo="QwenLM/qwen-code",
    path="packages/core/src/services/loopDetectionService.ts",
    commit="00aa71b4a0a37df1c392eb9b90e1c53d008fdce5",
    fires="5th equal call in a row",
    when="before",
    fidelity="convention",
    why=(
        "other names of one tool are not resolved, and task_list, which upstream compares with its "
        "result, is compared like the rest"
    ),
)

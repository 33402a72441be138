"""Qwen Code, chanting: one window of 50 characters of the visible text again and again.

Counts
    How often the window came, at most 10, at a mean distance of at most 75 characters.

Fires when
    The level reaches 10. Off by default upstream.

Why
    A model that chants repeats its sentences word for word.

Blind spots
    Reasoning; code; sentences of more than 75 characters.

Differs from
    `gemini_chanting`, from which it comes.

Source
    QwenLM/qwen-code, packages/core/src/services/loopDetectionService.ts @
    00aa71b4a0a37df1c392eb9b90e1c53d008fdce5.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 10
RULE = parse_rule("scan(qwen_chanting)")
UPSTREAM = Upstream(
    repo="QwenLM/qwen-code",
    path="packages/core/src/services/loopDetectionService.ts",
    commit="00aa71b4a0a37df1c392eb9b90e1c53d008fdce5",
    fires="10th window",
    when="after",
    fidelity="convention",
    why="a visible text is fed whole, so layout in it forgets nothing; in pieces with chunk=N",
)

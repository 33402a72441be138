"""Gemini CLI, chanting: one window of 50 characters of the visible text again and again.

Counts
    How often the window came, at most 10, near each other and with at most 5 different texts between.

Fires when
    The level reaches 10: the turn is ended, after one chance to recover.

Why
    A model that chants repeats its sentences word for word.

Blind spots
    Reasoning; code; all that stands before a list item, heading, table, quote or fence in its piece.

Differs from
    `qwen_chanting`, which wants the copies closer; `gemini_tools`, the rule for calls of the same program.

Source
    google-gemini/gemini-cli, packages/core/src/services/loopDetectionService.ts @
    5411f113cafae26161b4969b0237b8e1e024e2c2.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 10
RULE = parse_rule("scan(gemini_chanting)")
UPSTREAM = Upstream(
    repo="google-gemini/gemini-cli",
    path="packages/core/src/services/loopDetectionService.ts",
    commit="5411f113cafae26161b4969b0237b8e1e024e2c2",
    fires="10th window",
    when="after",
    fidelity="convention",
    why="a visible text is fed whole, so layout in it forgets nothing; in pieces with chunk=N",
)

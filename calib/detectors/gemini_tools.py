"""Gemini CLI, tool cycles: a lap of one to five calls, five times over.

Counts
    Whole laps of one to five calls, each with the tool and the arguments as written, that repeat the lap before; of
    all lengths the one that repeats most.

Fires when
    The level reaches 4: the lap is made for the 5th time in a row. The model is told, at the second time the turn
    ends.

Why
    Loops of several calls escape a rule that compares neighbours only.

Blind spots
    A lap in which one argument changes, and arguments written with keys in another order: they are other calls
    here.

Differs from
    `qwen_alternation`, laps of two only; `hermes_identical_cycle`, which wants equal results too. Only a user's
    prompt starts it anew; texts and thoughts do not.

Source
    google-gemini/gemini-cli, packages/core/src/services/loopDetectionService.ts @
    5411f113cafae26161b4969b0237b8e1e024e2c2. Laps of more than one call since google-gemini/gemini-cli#28429.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 4
RULE = parse_rule("cycle(written_call,1..5,reset=user)")
UPSTREAM = Upstream(
    repo="google-gemini/gemini-cli",
    path="packages/core/src/services/loopDetectionService.ts",
    commit="5411f113cafae26161b4969b0237b8e1e024e2c2",
    fires="5th lap of 1 to 5 equal calls",
    when="before",
    fidelity="exact",
)

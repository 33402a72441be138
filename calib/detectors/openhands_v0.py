"""OpenHands V0, stuck detector: any of its scenarios.

Counts
    The highest of its four scenarios' levels, each divided by its threshold and rounded down:
    `openhands_v0_repeat`, `_error`, `_monologue`, `_alternation`.

Fires when
    The level reaches 1: one of them reaches its threshold. The agent stops; at 2, one reaches twice its threshold.

Why
    Four shapes of standing still, each cheap to see.

Blind spots
    Those of the four. Not observable where one of them is not: errors, results or reasoning were not recorded.

Differs from
    A point of the four, which says who fired; this one has a single threshold to sweep.

Source
    OpenHands/OpenHands, openhands/controller/stuck.py @ d6fab190bfb55f07cc380993b45ec4f781706a92. Ten condensations
    in a row (scenario 5) are not recorded in corpora.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 1
RULE = parse_rule(
    "any(lag(reasoning?+call+result,1)@3 | lag(reasoning?+call,1,breaks=!error)@2 | lag(text,"
    "1,breaks=!idle)@2 | lag(reasoning?+call+result,2)@4)"
)
UPSTREAM = Upstream(
    repo="OpenHands/OpenHands",
    path="openhands/controller/stuck.py",
    commit="d6fab190bfb55f07cc380993b45ec4f781706a92",
    fires="the first scenario that is complete",
    when="after",
    fidelity="convention",
    why=(
        "the turn's reasoning stands for the thought of each of its actions, and results are compared as "
        "recorded: upstream compares of a shell command the command and the exit code, of an edit the "
        "first lines"
    ),
)

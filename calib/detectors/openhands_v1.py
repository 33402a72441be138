"""OpenHands V1, stuck detector: any of its scenarios.

Counts
    The highest of its four scenarios' levels, each divided by its threshold and rounded down:
    `openhands_v1_repeat`, `_error`, `_monologue`, `_alternation`.

Fires when
    The level reaches 1: one of them reaches its threshold. The agent stops; at 2, one reaches twice its threshold.

Why
    Four shapes of standing still, each cheap to see.

Blind spots
    Those of the four. Not observable where one of them is not: errors, results or reasoning were not recorded.

Differs from
    A point of the four, which says who fired; this one has a single threshold to sweep.

Source
    OpenHands/software-agent-sdk, openhands-sdk/openhands/sdk/conversation/stuck_detector.py @
    611629e6999ad398dc49c761721eefe18d5e6bd9. Scenario 5 is switched off there.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 1
RULE = parse_rule(
    "any(lag(reasoning?+call+result,1,reset=user)@3 | lag(reasoning?+call,1,breaks=!error,"
    "reset=user)@3 | run(idle,reset=user)@3 | lag(reasoning?+call+result,2,reset=user)@4)"
)
UPSTREAM = Upstream(
    repo="OpenHands/software-agent-sdk",
    path="openhands-sdk/openhands/sdk/conversation/stuck_detector.py",
    commit="611629e6999ad398dc49c761721eefe18d5e6bd9",
    fires="the first scenario that is complete",
    when="after",
    fidelity="convention",
    why="the turn's reasoning stands for the thought of each of its actions",
)

"""OpenHands V1, scenario 1: the same action with the same observation.

Counts
    Calls in a row, since the last user message, whose reasoning, tool, arguments and result equal those of the call
    before.

Fires when
    The level reaches 3: the 4th such pair in a row.

Why
    The same action with the same outcome again shows that nothing moves.

Blind spots
    A thought that is worded anew each time; polling that is meant (OpenHands/software-agent-sdk#762).

Differs from
    `openhands_v0_repeat`, which a user message does not start anew.

Source
    OpenHands/software-agent-sdk, openhands-sdk/openhands/sdk/conversation/stuck_detector.py @
    611629e6999ad398dc49c761721eefe18d5e6bd9. Only the last 20 events are looked at, which is more than any default
    needs. A user message starts it anew.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 3
RULE = parse_rule("lag(reasoning?+call+result,1,reset=user)")
UPSTREAM = Upstream(
    repo="OpenHands/software-agent-sdk",
    path="openhands-sdk/openhands/sdk/conversation/stuck_detector.py",
    commit="611629e6999ad398dc49c761721eefe18d5e6bd9",
    fires="4th equal pair in a row",
    when="after",
    fidelity="convention",
    why="the turn's reasoning stands for the thought of each of its actions",
)

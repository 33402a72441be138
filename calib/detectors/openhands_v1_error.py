"""OpenHands V1, scenario 2: the same action, and an error each time.

Counts
    Calls in a row, since the last user message, that failed and whose reasoning, tool and arguments equal those of
    the call before.

Fires when
    The level reaches 3: the 4th such failure in a row. At 2 the model is nudged, once.

Why
    The same action with the same outcome again shows that nothing moves.

Blind spots
    Errors that are not marked as such, and thoughts that are worded anew.

Differs from
    `openhands_v0_error`, which stops where this one nudges.

Source
    OpenHands/software-agent-sdk, openhands-sdk/openhands/sdk/conversation/stuck_detector.py @
    611629e6999ad398dc49c761721eefe18d5e6bd9. Only the last 20 events are looked at, which is more than any default
    needs. A user message starts it anew.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 3
ALSO = {"the nudge": 2}
RULE = parse_rule("lag(reasoning?+call,1,breaks=!error,reset=user)")
UPSTREAM = Upstream(
    repo="OpenHands/software-agent-sdk",
    path="openhands-sdk/openhands/sdk/conversation/stuck_detector.py",
    commit="611629e6999ad398dc49c761721eefe18d5e6bd9",
    fires="4th equal failing action in a row",
    when="after",
    fidelity="convention",
    why="the turn's reasoning stands for the thought of each of its actions",
)

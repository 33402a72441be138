"""OpenHands V1, scenario 3: three messages and no action.

Counts
    Turns in a row without a call since the last user message, whatever they say.

Fires when
    The level reaches 3.

Why
    Talking without acting moves nothing.

Blind spots
    Loops that act.

Differs from
    `no_action`, the same with a higher threshold; `openhands_v0_monologue`, which compares them.

Source
    OpenHands/software-agent-sdk, openhands-sdk/openhands/sdk/conversation/stuck_detector.py @
    611629e6999ad398dc49c761721eefe18d5e6bd9. Only the last 20 events are looked at, which is more than any default
    needs. A user message starts it anew.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 3
RULE = parse_rule("run(idle,reset=user)")
UPSTREAM = Upstream(
    repo="OpenHands/software-agent-sdk",
    path="openhands-sdk/openhands/sdk/conversation/stuck_detector.py",
    commit="611629e6999ad398dc49c761721eefe18d5e6bd9",
    fires="3rd message in a row",
    when="after",
    fidelity="convention",
    why="a turn without a call is a message of the agent",
)

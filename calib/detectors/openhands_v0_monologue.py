"""OpenHands V0, scenario 3: the same message three times, and no action.

Counts
    Turns in a row without a call whose visible text equals that of the turn before.

Fires when
    The level reaches 2: the 3rd such message in a row.

Why
    Talking without acting moves nothing.

Blind spots
    Messages worded anew.

Differs from
    `openhands_v1_monologue`, which does not compare them; `same_text`, which lets calls lie between.

Source
    OpenHands/OpenHands, openhands/controller/stuck.py @ d6fab190bfb55f07cc380993b45ec4f781706a92. Headless: a user
    message does not start it anew.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 2
RULE = parse_rule("lag(text,1,breaks=!idle)")
UPSTREAM = Upstream(
    repo="OpenHands/OpenHands",
    path="openhands/controller/stuck.py",
    commit="d6fab190bfb55f07cc380993b45ec4f781706a92",
    fires="3rd equal message in a row",
    when="after",
    fidelity="convention",
    why="a turn without a call is a message of the agent",
)

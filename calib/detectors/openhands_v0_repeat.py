"""OpenHands V0, scenario 1: the same action with the same observation.

Counts
    Calls in a row whose reasoning, tool, arguments and result equal those of the call before.

Fires when
    The level reaches 3: the 4th such pair in a row.

Why
    The same action with the same outcome again shows that nothing moves.

Blind spots
    A thought that is worded anew each time; polling that is meant.

Differs from
    `hermes_identical_streak`, which leaves the thought out.

Source
    OpenHands/OpenHands, openhands/controller/stuck.py @ d6fab190bfb55f07cc380993b45ec4f781706a92. Headless: a user
    message does not start it anew.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 3
RULE = parse_rule("lag(reasoning?+call+result,1)")
UPSTREAM = Upstream(
    repo="OpenHands/OpenHands",
    path="openhands/controller/stuck.py",
    commit="d6fab190bfb55f07cc380993b45ec4f781706a92",
    fires="4th equal pair in a row",
    when="after",
    fidelity="convention",
    why=(
        "the turn's reasoning stands for the thought of each of its actions, and results are compared as "
        "recorded: upstream compares of a shell command the command and the exit code, of an edit the "
        "first lines"
    ),
)

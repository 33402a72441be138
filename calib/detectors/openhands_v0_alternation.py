"""OpenHands V0, scenario 4: two actions in turn.

Counts
    Calls in a row whose reasoning, tool, arguments and result equal those of the call before the last.

Fires when
    The level reaches 4: A B A B A B.

Why
    The same action with the same outcome again shows that nothing moves.

Blind spots
    Laps of three and more; thoughts worded anew.

Differs from
    `qwen_alternation`, which looks at calls alone.

Source
    OpenHands/OpenHands, openhands/controller/stuck.py @ d6fab190bfb55f07cc380993b45ec4f781706a92. Headless: a user
    message does not start it anew.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 4
RULE = parse_rule("lag(reasoning?+call+result,2)")
UPSTREAM = Upstream(
    repo="OpenHands/OpenHands",
    path="openhands/controller/stuck.py",
    commit="d6fab190bfb55f07cc380993b45ec4f781706a92",
    fires="6th pair of A B A B A B",
    when="after",
    fidelity="convention",
    why=(
        "the turn's reasoning stands for the thought of each of its actions, and results are compared as "
        "recorded: upstream compares of a shell command the command and the exit code, of an edit the "
        "first lines"
    ),
)

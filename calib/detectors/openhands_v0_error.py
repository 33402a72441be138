"""OpenHands V0, scenario 2: the same action, and an error each time.

Counts
    Calls in a row that failed and whose reasoning, tool and arguments equal those of the call before; what the
    errors say may differ.

Fires when
    The level reaches 2: the 3rd such failure in a row.

Why
    The same action with the same outcome again shows that nothing moves.

Blind spots
    Errors that are not marked as such, and thoughts that are worded anew.

Differs from
    `same_failure`, which compares what the errors say and not the calls.

Source
    OpenHands/OpenHands, openhands/controller/stuck.py @ d6fab190bfb55f07cc380993b45ec4f781706a92. Headless: a user
    message does not start it anew.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 2
RULE = parse_rule("lag(reasoning?+call,1,breaks=!error)")
UPSTREAM = Upstream(
    repo="OpenHands/OpenHands",
    path="openhands/controller/stuck.py",
    commit="d6fab190bfb55f07cc380993b45ec4f781706a92",
    fires="3rd equal failing action in a row",
    when="after",
    fidelity="convention",
    why=(
        "the turn's reasoning stands for the thought of each of its actions, and results are compared as "
        "recorded: upstream compares of a shell command the command and the exit code, of an edit the "
        "first lines. Three syntax errors of one kind on one line are not looked for"
    ),
)

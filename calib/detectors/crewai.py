"""CrewAI: the call just made, again.

Counts
    Calls in a row with the same tool and the same arguments as the call before. Calls marked as failed count like the
    rest.

Fires when
    The level reaches 1: the 2nd such call in a row is refused with a message to the model.

Why
    The result is known already.

Blind spots
    Two calls in turn, a call whose arguments change a little, and polling that is meant: results are not looked at.
    At 1 it refuses every honest second try.

Differs from
    `roo` and the others of its kind, which tolerate more.

Source
    crewAIInc/crewAI, lib/crewai/src/crewai/tools/tool_usage.py @ 020cf9b584dad901ccade975dc42a29846b2ea9a.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 1
RULE = parse_rule("lag(call,1)")
UPSTREAM = Upstream(
    repo="crewAIInc/crewAI",
    path="lib/crewai/src/crewai/tools/tool_usage.py",
    commit="020cf9b584dad901ccade975dc42a29846b2ea9a",
    fires="2nd equal call in a row",
    when="before",
    fidelity="convention",
    why=(
        "a call that failed counts like the rest; upstream remembers the last call that came back with a result, and "
        "cleans the names of tools before it compares them"
    ),
)

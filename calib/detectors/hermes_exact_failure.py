"""hermes, exact failure: the same call fails again and again.

Counts
    Failures in a row of calls with the same tool and arguments; other calls may lie between. A success of that
    call, a successful change and a user message start it anew.

Fires when
    The level reaches 5: the next such call is refused. At 2 a warning is given.

Why
    A call that failed twice without any change in between will fail a third time.

Blind spots
    Failures that are not marked as such, and calls that change a little.

Differs from
    `hermes_same_tool_failure`, whatever the arguments; `same_failure`, which compares results.

Source
    NousResearch/hermes-agent, agent/tool_guardrails.py @ 06c25ac90be80f38672ba0169814d9620fe8c9fa. Stops are off
    where a person is watching, and on for gateways and scheduled runs; notices are always on.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 5
ALSO = {"the warning": 2}
RULE = parse_rule("run(error,per=call,reset=user|wrote)")
UPSTREAM = Upstream(
    repo="NousResearch/hermes-agent",
    path="agent/tool_guardrails.py",
    commit="06c25ac90be80f38672ba0169814d9620fe8c9fa",
    fires="5th failure of one call; the 6th call is refused",
    when="after",
    fidelity="convention",
    why=(
        "a turn that writes without a failed call is the successful change that starts it anew, by the "
        "tools map; upstream has a list of tools of its own, on which every successful terminal command "
        "is"
    ),
)

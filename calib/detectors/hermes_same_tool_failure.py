"""hermes, same tool failure: one tool fails again and again.

Counts
    Failures in a row of calls of one tool, whatever their arguments; calls of other tools may lie between. A
    success of the tool, a successful change and a user message start it anew. Tools whose failures are ordinary
    work are left out.

Fires when
    The level reaches 8: the run stops. At 3 a warning is given.

Why
    A tool that fails whatever it is asked is broken, or used in the wrong way.

Blind spots
    Failures that are not marked as such; shells and browsers, which are left out.

Differs from
    `hermes_exact_failure`, which wants equal arguments.

Source
    NousResearch/hermes-agent, agent/tool_guardrails.py @ 06c25ac90be80f38672ba0169814d9620fe8c9fa. Stops are off
    where a person is watching, and on for gateways and scheduled runs; notices are always on.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 8
ALSO = {"the warning": 3}
RULE = parse_rule(
    "run(error,per=tool,exempt=terminal|execute_code|process_manage|process|browser_navigate|"
    "web_extract,reset=user|wrote)"
)
UPSTREAM = Upstream(
    repo="NousResearch/hermes-agent",
    path="agent/tool_guardrails.py",
    commit="06c25ac90be80f38672ba0169814d9620fe8c9fa",
    fires="8th failure of one tool",
    when="after",
    fidelity="convention",
    why=(
        "a turn that writes without a failed call is the successful change that starts it anew, by the "
        "tools map; upstream has a list of tools of its own, on which every successful terminal command "
        "is. Upstream warns for the tools left out too"
    ),
)

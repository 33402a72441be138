"""hermes, identical streak: the same call with the same result in a row.

Counts
    Calls in a row whose tool, arguments and result equal those of the call before. Tools that poll count nothing
    and end a run.

Fires when
    The level reaches 4: the 5th in a row stops the run. From 2 on a notice follows each.

Why
    The same question with the same answer teaches nothing.

Blind spots
    A result with a time in it; laps of several calls.

Differs from
    `hermes_no_progress`, reading tools only, but with other calls between.

Source
    NousResearch/hermes-agent, agent/tool_guardrails.py @ 06c25ac90be80f38672ba0169814d9620fe8c9fa. Stops are off
    where a person is watching, and on for gateways and scheduled runs; notices are always on.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 4
ALSO = {"the notice": 2}
RULE = parse_rule("lag(call+result,1,breaks=tool:process_manage|*_get_result|*_poll,reset=user)")
UPSTREAM = Upstream(
    repo="NousResearch/hermes-agent",
    path="agent/tool_guardrails.py",
    commit="06c25ac90be80f38672ba0169814d9620fe8c9fa",
    fires="5th equal call and result in a row",
    when="after",
    fidelity="convention",
    why="the time and the counter that upstream takes out of results of execute_code stay in them",
)

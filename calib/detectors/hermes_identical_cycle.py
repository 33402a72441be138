"""hermes, identical cycle: a lap of two to four calls with the same results.

Counts
    Whole laps of two to four calls, with their results, that repeat the lap before.

Fires when
    The level reaches 4: the 5th lap stops the run. From the 3rd lap on, level 2, a notice follows.

Why
    Laps end every run of equal calls before it is long.

Blind spots
    A result with a time in it; laps of five and more.

Differs from
    `gemini_tools`, which does not look at results and knows laps of one and five.

Source
    NousResearch/hermes-agent, agent/tool_guardrails.py @ 06c25ac90be80f38672ba0169814d9620fe8c9fa. Stops are off
    where a person is watching, and on for gateways and scheduled runs; notices are always on.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 4
ALSO = {"the notice": 2}
RULE = parse_rule("cycle(call+result,2..4,reset=user)")
UPSTREAM = Upstream(
    repo="NousResearch/hermes-agent",
    path="agent/tool_guardrails.py",
    commit="06c25ac90be80f38672ba0169814d9620fe8c9fa",
    fires="5th lap",
    when="after",
    fidelity="convention",
    why=(
        "laps of polling tools only count too; upstream leaves them out. A run of one call is a lap too; "
        "there the streak has fired before"
    ),
)

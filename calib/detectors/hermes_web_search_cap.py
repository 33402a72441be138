"""hermes, cap: more than 50 web searches since the user spoke.

Counts
    Calls of web_search since the last user message.

Fires when
    The level reaches 51: the 51st is refused.

Why
    A bound on the cost of one kind of call.

Blind spots
    Everything but the number.

Differs from
    `turn_count`, whatever is called.

Source
    NousResearch/hermes-agent, agent/tool_guardrails.py @ 06c25ac90be80f38672ba0169814d9620fe8c9fa. In force
    everywhere.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 51
RULE = parse_rule("budget(tool:web_search,reset=user)")
UPSTREAM = Upstream(
    repo="NousResearch/hermes-agent",
    path="agent/tool_guardrails.py",
    commit="06c25ac90be80f38672ba0169814d9620fe8c9fa",
    fires="51st call",
    when="before",
    fidelity="exact",
)

"""hermes, assistant repetition: the same response three times in five.

Counts
    How often the turn's visible text and calls occur in the last five turns. Reasoning does not count, a missing
    text or call equals another.

Fires when
    The level reaches 3. The model is nudged.

Why
    A response said three times over is not meant.

Blind spots
    A plan that is only in the reasoning; calls that change a little.

Differs from
    `repeated_plan`, which looks at reasoning alone.

Source
    NousResearch/hermes-agent, agent/repetition_guard.py @ 066a70db. A pull request, #67538.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 3
RULE = parse_rule("count(text?+calls?,window=5)")
UPSTREAM = Upstream(
    repo="NousResearch/hermes-agent",
    path="agent/repetition_guard.py",
    commit="066a70db",
    fires="3rd equal response of the last 5",
    when="after",
    fidelity="convention",
    why="arguments are compared whatever the order of their keys",
)

"""hermes, repeated window (proposed): the end of the visible text repeats.

Counts
    The percentage of the last 2,000 characters of a visible text of 500 or more that repeats word for word.

Fires when
    The level reaches 50.

Why
    It sees a loop while it streams, long before the text is long.

Blind spots
    Asked-for copies look the same; reasoning is not looked at.

Differs from
    `hermes_runaway`, which needs 16,000 characters; `gemini_chanting`, which looks at one window of 50.

Source
    NousResearch/hermes-agent, pull request 89294, open.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 50
RULE = parse_rule("scan(repeated_window)")
UPSTREAM = Upstream(
    repo="NousResearch/hermes-agent",
    path="pull request 89294",
    commit="not merged",
    fires="50 % of the tail repeats",
    when="after",
    fidelity="convention",
    why="looked at once, at the end of the visible text; in pieces with chunk=N",
)

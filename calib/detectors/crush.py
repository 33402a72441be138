"""Crush: the same step more than five times in the last ten.

Counts
    How often the turn's calls with their results occur in the last ten turns. A turn without a call takes a place
    and counts 0. The first nine turns since the last user message have level 0.

Fires when
    The level reaches 6: more than 5 of 10. The run stops.

Why
    Equal results show that the call changed nothing; a window lets other steps lie between.

Blind spots
    A result with a time in it, and laps of two: five of ten each.

Differs from
    `hermes_no_progress`, which looks at reading tools and has no window.

Source
    charmbracelet/crush, internal/agent/loop_detection.go @ 37f36e93824e5c4f892e4a817f7f628e2682fe14.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 6
RULE = parse_rule("count(calls+results,window=10,reset=user,warm_up=10)")
UPSTREAM = Upstream(
    repo="charmbracelet/crush",
    path="internal/agent/loop_detection.go",
    commit="37f36e93824e5c4f892e4a817f7f628e2682fe14",
    fires="6th equal step of the last 10",
    when="after",
    fidelity="convention",
    why=(
        "arguments are compared whatever the order of their keys, and a step whose results were not recorded counts 0"
    ),
)

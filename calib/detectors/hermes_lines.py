"""hermes, repeated lines (proposed): a few long lines in turn, or a unit at the end of a line.

Counts
    How often one of two sub-rules has reached its threshold: 8 copies of a line of 40 characters or more among
    the last 48 of which at most 6 differ, and 5 copies of a unit of 2 to 80 characters at the end of an
    unfinished line.

Fires when
    The level reaches 1.

Why
    A loop of a few status lines has no single window that fills the text.

Blind spots
    Lines with a counter in them, short lines, reasoning.

Differs from
    `hermes_window`, which looks at how much of the text repeats.

Source
    NousResearch/hermes-agent, pull request 78551, agent/stream_output_repetition_guard.py @ 675fc112, open.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 1
RULE = parse_rule("any(scan(repeated_lines)@8 | scan(repeated_tail)@5)")
UPSTREAM = Upstream(
    repo="NousResearch/hermes-agent",
    path="agent/stream_output_repetition_guard.py",
    commit="675fc112",
    fires="8th line or 5th copy",
    when="after",
    fidelity="convention",
    why=(
        "looked at once, at the end of the visible text; in pieces with chunk=N; which lines are dividers is told more "
        "simply"
    ),
)

"""oh-my-pi, thinking loop: exact cycles, paragraphs said again, paragraphs that say nothing new.

Counts
    How often the nearest of three sub-rules has reached its threshold inside one reasoning text: an exact cycle
    at the end (100 %), paragraphs nearly the same (4), paragraphs in a row without new words or names (8).

Fires when
    The level reaches 1: the response is thrown away and asked for again.

Why
    A runaway that rewords itself has no exact repeat.

Blind spots
    Repetition across turns; scripts other than Latin, for paragraphs.

Differs from
    `hermes_reasoning_guard`, which looks at characters and words.

Source
    can1357/oh-my-pi, packages/ai/src/utils/thinking-loop.ts @ 011fbca4bb86e8b94b6500c7c069a07805ba39b0.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 1
RULE = parse_rule("any(scan(thinking_cycle)@100 | scan(thinking_cluster)@4 | scan(thinking_stall)@8)")
UPSTREAM = Upstream(
    repo="can1357/oh-my-pi",
    path="packages/ai/src/utils/thinking-loop.ts",
    commit="011fbca4bb86e8b94b6500c7c069a07805ba39b0",
    fires="4th copy, 4th paragraph or 8th stalled one",
    when="after",
    fidelity="approximate",
    why=(
        "looked at once, at the end; what is code and what is a name is told more simply; upstream looks at paragraphs "
        "for some models only"
    ),
)

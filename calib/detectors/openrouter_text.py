"""OpenRouter, repeated block: a block of words again and again at the end of the visible text.

Counts
    Copies of a block of up to 16 words, side by side within the last 400 words, that make 12 words or more.

Fires when
    The level reaches 6: the run is stopped. At 4 it is observed.

Why
    A chant ends in copies of one short phrase.

Blind spots
    Blocks of more than 16 words; anything but an exact copy; reasoning.

Differs from
    `openrouter`, the rule for calls of the same program.

Source
    OpenRouterTeam/typescript-agent, packages/agent/src/lib/doom-loop.ts @ 0adaf68aa24c3efdd75e42c4891482439d75630b. Off
    unless switched on.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 6
ALSO = {"observing": 4}
RULE = parse_rule("scan(repeated_block)")
UPSTREAM = Upstream(
    repo="OpenRouterTeam/typescript-agent",
    path="packages/agent/src/lib/doom-loop.ts",
    commit="0adaf68aa24c3efdd75e42c4891482439d75630b",
    fires="6th copy",
    when="after",
    fidelity="exact",
)

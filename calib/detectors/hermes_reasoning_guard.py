"""hermes, reasoning guard (note 003): a reasoning stream that has degenerated.

Counts
    How often the nearest of eight sub-rules has reached its threshold inside one reasoning text: runs of a
    bracket (12) or another character (160), quote litter (20), runs of an article or filler (10) or another
    word (25), neighbouring equal words (8), runs of a symbol (30), neighbouring = (5).

Fires when
    The level reaches 1: the text is cut where the loop begins and the turn goes on.

Why
    A stream that has degenerated is worth nothing, and a provider that wants it back spreads it over all
    further turns.

Blind spots
    Everything that repeats across turns; loops of sentences; languages without white space between words.

Differs from
    The sub-rules one by one, `scan(guard_words)` and so on, which can be swept and have gates;
    `hermes_runaway`, which needs 16,000 characters.

Source
    Note 003; NousResearch/hermes-agent, agent/repetition_guard.py @ 1452f9798a90e4e3e3f5e2edd00b208f135af5df.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 1
RULE = parse_rule(
    "any(scan(guard_brackets)@12 | scan(guard_characters)@160 | scan(guard_litter)@20 | scan(guard_cue_words)@10"
    " | scan(guard_words)@25 | scan(guard_pairs)@8 | scan(guard_symbols)@30 | scan(guard_equals)@5)"
)
UPSTREAM = Upstream(
    repo="NousResearch/hermes-agent",
    path="agent/repetition_guard.py",
    commit="1452f9798a90e4e3e3f5e2edd00b208f135af5df",
    fires="the first sub-rule at its threshold",
    when="after",
    fidelity="convention",
    why="a text is fed whole; with chunk=N each sub-rule sees it in pieces",
)

"""hermes, runaway stream: a very long reasoning text, most of which repeats.

Counts
    The percentage of the last 64,000 characters of a reasoning text of 16,000 or more that repeats word for
    word, where at most half of its lines differ.

Fires when
    The level reaches 50: the stream is ended.

Why
    A model that loops can spend its whole output on one sentence; what was asked for in many copies is shorter.

Blind spots
    Loops below 16,000 characters, growing runs, repetition with a counter in it.

Differs from
    `hermes_reasoning_guard`, which sees words and characters in short texts.

Source
    NousResearch/hermes-agent, agent/repetition_guard.py @ 1452f9798a90e4e3e3f5e2edd00b208f135af5df. Watches
    visible text too.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 50
RULE = parse_rule("scan(runaway)")
UPSTREAM = Upstream(
    repo="NousResearch/hermes-agent",
    path="agent/repetition_guard.py",
    commit="1452f9798a90e4e3e3f5e2edd00b208f135af5df",
    fires="50 % of the tail repeats",
    when="after",
    fidelity="convention",
    why="looked at once, at the end of the reasoning; in pieces with chunk=N",
)

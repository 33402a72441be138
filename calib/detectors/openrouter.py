"""OpenRouter agent, doom loop: one tool with the same arguments, whatever other tools do between.

Counts
    Calls of one tool in a row with the arguments of its call before; calls of other tools may lie between.

Fires when
    The level reaches 5: the 6th stops the run. At 1 it is observed, at 2 refused.

Why
    Other calls between two equal ones make the second no better.

Blind spots
    Arguments that change a little; texts, which upstream compares too (`same_text`).

Differs from
    `qwen_identical`, which calls of other tools end.

Source
    OpenRouterTeam/typescript-agent, doom-loop.ts @ 0adaf68a.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 5
ALSO = {"observing": 1, "refusing": 2}
RULE = parse_rule("lag(call,1,per=tool)")
UPSTREAM = Upstream(
    repo="OpenRouterTeam/typescript-agent",
    path="doom-loop.ts",
    commit="0adaf68a",
    fires="6th equal call of one tool",
    when="before",
    fidelity="approximate",
    why="upstream counts rounds: equal calls of one response are one there",
)

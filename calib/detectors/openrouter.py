"""OpenRouter agent, doom loop: one tool with the same arguments, whatever other tools do between.

Counts
    Calls of one tool in a row with the arguments of its call before; calls of other tools may lie between. Equal calls
    of one response count once.

Fires when
    The level reaches 5: the 6th stops the run. At 1 it is observed, at 2 refused.

Why
    Other calls between two equal ones make the second no better.

Blind spots
    Arguments that change a little; texts, which upstream compares too (`openrouter_text`, `same_text`).

Differs from
    `qwen_identical`, which calls of other tools end.

Source
    OpenRouterTeam/typescript-agent, packages/agent/src/lib/doom-loop.ts @ 0adaf68aa24c3efdd75e42c4891482439d75630b. Off
    unless switched on.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 5
ALSO = {"observing": 1, "refusing": 2}
RULE = parse_rule("lag(call,1,per=tool,batch=once)")
UPSTREAM = Upstream(
    repo="OpenRouterTeam/typescript-agent",
    path="packages/agent/src/lib/doom-loop.ts",
    commit="0adaf68aa24c3efdd75e42c4891482439d75630b",
    fires="6th response in a row with an equal call of one tool",
    when="before",
    fidelity="convention",
    why=(
        "a call that a response makes again after another of the same tool is passed over; upstream starts anew there. "
        "A tool may name upstream which of its arguments count"
    ),
)

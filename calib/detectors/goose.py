"""goose: more equal calls in a row than allowed.

Counts
    Calls in a row with the same tool and the same arguments as the call before.

Fires when
    The level reaches max_repetitions: with 2, the 3rd such call in a row is denied.

Why
    Repeating a call that changed nothing rarely changes something.

Blind spots
    Two calls in turn, a call whose arguments change a little, and polling that is meant: results are not looked at.

Differs from
    `roo`, the same with another number.

Source
    block/goose, crates/goose/src/tool_monitor.rs @ 1837c484. max_repetitions is not set by default, and then it
    never fires; 2 is the number of upstream's own test.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 2
RULE = parse_rule("lag(call,1)")
UPSTREAM = Upstream(
    repo="block/goose",
    path="crates/goose/src/tool_monitor.rs",
    commit="1837c484",
    fires="3rd equal call in a row, with max_repetitions 2",
    when="before",
    fidelity="exact",
)

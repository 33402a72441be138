"""Roo Code: the same call once too often.

Counts
    Calls in a row with the same tool and the same arguments, the order of keys aside, as the call before. The first
    counts 0.

Fires when
    The level reaches the limit: with 3, the 4th such call in a row is refused and the user is asked.

Why
    Repeating a call that changed nothing rarely changes something.

Blind spots
    Two calls in turn, a call whose arguments change a little, and polling that is meant: results are not looked at.
    After a refusal upstream counts anew; here the level goes on, for only the first fire counts.

Differs from
    `cline_hard`, which counts one call further; a limit of 0 or less means never there: leave the detector out.

Source
    RooCodeInc/Roo-Code, src/core/tools/ToolRepetitionDetector.ts @ cb836567180a3ff1da6d082f3178b90c3bd22a70.
"""

from calib.detectors import Upstream
from calib.rules import parse_rule

DEFAULT = 3
RULE = parse_rule("lag(call,1)")
UPSTREAM = Upstream(
    repo="RooCodeInc/Roo-Code",
    path="src/core/tools/ToolRepetitionDetector.ts",
    commit="cb836567180a3ff1da6d082f3178b90c3bd22a70",
    fires="4th equal call in a row",
    when="before",
    fidelity="exact",
)

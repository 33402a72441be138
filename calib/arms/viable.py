"""A viability rule, declared before the comparison: `passes >= passes(full) - 1`. A grammar of its own, never code.

::

    RULE = passes[(ARM)] >= passes(ARM) [+ N | - N]

The first ARM is judged against the second; without it, every other arm is.
"""

import re
from dataclasses import dataclass
from typing import Literal

from calib.errors import UsageError
from calib.escape import visible

RULE = re.compile(
    r"passes(?:\((?P<arm>[^()]{1,200})\))?\s*>=\s*passes\((?P<reference>[^()]{1,200})\)"
    r"(?:\s*(?P<sign>[-+])\s*(?P<margin>[0-9]{1,9}))?"
)
Verdict = Literal["PASS", "FAIL", "INCONCLUSIVE"]


@dataclass(frozen=True)
class Rule:
    """An arm (None: every other one) passes at least as often as `reference`, less `margin`."""

    arm: str | None
    reference: str
    margin: int

    def __str__(self) -> str:
        of = f"({self.arm})" if self.arm is not None else ""
        shift = f" {'-' if self.margin > 0 else '+'} {abs(self.margin)}" if self.margin else ""
        return f"passes{of} >= passes({self.reference}){shift}"


@dataclass(frozen=True)
class Viability:
    """The verdict on one arm. Pairs that either arm did not run count both as fails and as passes, which must agree."""

    arm: str
    reference: str
    passes: int
    not_run: int
    reference_passes: int
    margin: int
    verdict: Verdict
    reference_not_run: int = 0


def parse_rule(text: str) -> Rule:
    """Read a rule.

    >>> str(parse_rule("passes>=passes(full)-1")), parse_rule("passes(D1) >= passes(full)").margin
    ('passes >= passes(full) - 1', 0)

    Raises UsageError for anything else.
    """
    found = RULE.fullmatch(text.strip())
    if not found:
        raise UsageError(
            f"--viable: expected a rule such as 'passes >= passes(full) - 1', found {visible(text)[:80]!r}"
        )
    margin = int(found["margin"] or 0) * (-1 if found["sign"] == "+" else 1)
    return Rule(found["arm"].strip() if found["arm"] else None, found["reference"].strip(), margin)

"""Does an episode make any call that a rule looks at? Where none does, its silence is that of a name nobody calls."""

import numpy as np

from calib.evaluate._columns import Columns
from calib.evaluate._families import Flags
from calib.rules import AnyOf, AnyRule, Key, Rule, Scan, Test

PLACED = ("reads", "writes", "tests", "wrote")
"""Tests of what tools do: no such tool, no row."""
CALLS = ("calls", "call_set")
"""Keys that a turn without a call has no value of."""


def called(rule: AnyRule, columns: Columns) -> Flags | None:
    """Tell for each episode with turns whether some call in it is one that a rule looks at.

    A rule over named tools, or over what tools do, has a row that counts only where such a tool is called. None for
    a rule that looks at no call, or has a way to fire without one.
    """
    if isinstance(rule, AnyOf):
        each = [called(member, columns) for member, _ in rule.members]
        known = [flags for flags in each if flags is not None]
        return np.logical_or.reduce(known) if len(known) == len(each) else None
    if isinstance(rule, Scan):
        return None
    rows = _rows(rule, columns)
    found = [columns.in_episodes(_turns(np.logical_and.reduce(rows), rule, columns))] if rows else []
    if rule.seen and _names_tools(rule.seen):
        found.append(columns.in_episodes(_turns(columns.holds(rule.seen, rule.unit), rule, columns)))
    return np.logical_and.reduce(found) if found else None


def _rows(rule: Rule, columns: Columns) -> list[Flags]:
    """Say what must hold for a row, as far as it is a matter of tools, so that it counts and has a level."""
    found = [
        columns.holds(test, rule.unit) for test in (rule.of, rule.only) if isinstance(test, Test) and _names_tools(test)
    ]
    if rule.breaks and _names_tools(rule.breaks):
        found.append(~columns.holds(rule.breaks, rule.unit))
    if rule.exempt:
        found.append(~columns.holds(Test("tool", rule.exempt), rule.unit))
    if rule.unit == "call":
        return [*found, np.ones(int(columns.sizes.sum()), np.bool_)]
    parts = rule.of.parts if isinstance(rule.of, Key) else ()
    return [*found, *(columns.key(part.name) >= 0 for part in parts if part.name in CALLS and not part.empty)]


def _names_tools(test: Test) -> bool:
    return test.name == "tool" or (test.name in PLACED and not test.negated)


def _turns(rows: Flags, rule: Rule, columns: Columns) -> Flags:
    return rows if rule.unit == "turn" else columns.some_call(rows)

"""The rule behind a detector's name."""

from functools import cache

from calib.rules import AnyRule, parse_rule

NOTE = {"repeated_plan": "lag(reasoning,1)", "search_run": "run(reads)"}


@cache
def rule_of(detector: str) -> AnyRule:
    """Give the rule of a detector, or the one that is spelled out in its place."""
    return parse_rule(NOTE.get(detector, detector))

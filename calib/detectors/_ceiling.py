"""How high a level can be after so many turns."""

from collections.abc import Callable

from calib.rules import AnyOf, AnyRule, Rule, Test

IMPOSSIBLE = (Test("never"), Test("always", negated=True))
"""What no row is."""


def ceiling(rule: AnyRule) -> Callable[[int], int] | None:
    """Give what computes the highest level that n turns allow; None where turns bound nothing: calls, sums, texts.

    >>> from calib.rules import parse_rule
    >>> of = ceiling(parse_rule("lag(reasoning,1)"))
    >>> of(8), of(0), ceiling(parse_rule("lag(call,1)"))
    (7, 0, None)
    """
    if isinstance(rule, AnyOf):
        highest = [(ceiling(member), threshold) for member, threshold in rule.members]
        if any(of is None for of, _ in highest):
            return None
        return lambda turns: max(of(turns) // threshold for of, threshold in highest if of)
    if not isinstance(rule, Rule) or isinstance(rule.of, str):
        return None
    if rule.of in IMPOSSIBLE:
        return lambda turns: 0
    if rule.unit == "call":  # a turn may have any number of calls, a window has not
        return (lambda turns: rule.window if turns else 0) if rule.window else None
    return lambda turns: _of(rule, turns)


def _of(rule: Rule, turns: int) -> int:
    if turns < rule.warm_up:
        return 0
    if rule.family == "lag":
        return max(turns - rule.lag, 0)
    if rule.family == "cycle":
        return max(turns // rule.periods[0] - 1, 0)
    return min(turns, rule.window or turns)

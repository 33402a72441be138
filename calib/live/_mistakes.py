"""Rules that a port could take for the one it was given: what vectors must tell apart to prove anything."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from calib.errors import UsageError
from calib.rules import RESETS, AnyOf, AnyRule, Key, Part, Rule, Test, parse_rule

TAKEN_FOR = {
    "call": "written_call", "written_call": "call", "calls": "call_set", "call_set": "calls",
    "reasoning": "masked_reasoning", "masked_reasoning": "reasoning", "result": "call", "results": "calls",
    "failure": "result",
}  # fmt: skip
ALWAYS = ("call", "written_call", "tool")
"""Keys that every call has: with `?` they are the same."""


def mistakes(rule: AnyRule) -> list[AnyRule]:
    """List the rules that differ from one in one thing: a parameter left out, an event too many, a number by one.

    >>> [str(wrong) for wrong in mistakes(Rule("lag", Key((Part("text"),))))][:3]
    ['lag(text,2)', 'lag(text?,1)', 'lag(text,1,unit=call)']
    """
    found = {str(wrong): wrong for wrong in _mistakes(rule) if _can_be_spelled(wrong)}
    found.pop(str(rule), None)
    return list(found.values())


def _can_be_spelled(rule: AnyRule) -> bool:
    """Tell whether a number has not left its range, as a lag of 65 has."""
    try:
        parse_rule(str(rule))
    except UsageError:
        return False
    return True


def _mistakes(rule: AnyRule) -> Iterator[AnyRule]:
    if isinstance(rule, AnyOf):
        yield from _of_members(rule)
    elif isinstance(rule, Rule):
        for changes in [*_numbers(rule), *_of(rule), *_parameters(rule), *_resets(rule)]:
            try:
                yield replace(rule, **changes)
            except UsageError:  # it makes no sense together, so no port does it
                continue


def _of_members(rule: AnyOf) -> Iterator[AnyOf]:
    for at, (member, threshold) in enumerate(rule.members):
        before, after = rule.members[:at], rule.members[at + 1 :]
        if before or after:
            yield AnyOf((*before, *after))
        yield AnyOf((*before, (member, threshold + 1), *after))
        for wrong in _mistakes(member):
            assert not isinstance(wrong, AnyOf)
            yield AnyOf((*before, (wrong, threshold), *after))


def _numbers(rule: Rule) -> Iterator[dict[str, Any]]:
    if rule.family == "lag":
        yield {"lag": rule.lag + 1}
    if rule.family == "cycle":
        low, high = rule.periods
        yield from ({"periods": (a, b)} for a, b in ((low + 1, high), (low, high - 1), (low, high + 1)) if a <= b)
    if rule.window:
        yield from ({"window": rule.window + by} for by in (-1, 1) if rule.window + by)
        yield {"window": 0}
    if rule.warm_up:
        yield from ({"warm_up": rule.warm_up + by} for by in (-1, 1))


def _of(rule: Rule) -> Iterator[dict[str, Any]]:
    """What is counted is another thing, or a part of it is forgotten."""
    if isinstance(rule.of, Test):
        yield {"of": replace(rule.of, negated=not rule.of.negated)}
        yield from ({"of": fewer} for fewer in _fewer_tools(rule.of))
    if not isinstance(rule.of, Key):
        return
    for at, part in enumerate(rule.of.parts):
        before, after = rule.of.parts[:at], rule.of.parts[at + 1 :]
        if before or after:
            yield {"of": Key((*before, *after))}
        if part.name not in ALWAYS:
            yield {"of": Key((*before, replace(part, empty=not part.empty), *after))}
        other = TAKEN_FOR.get(part.name)
        if other and other not in rule.keys:
            yield {"of": Key((*before, Part(other, part.empty), *after))}


def _fewer_tools(test: Test) -> Iterator[Test]:
    if len(test.tools) > 1:
        yield from (replace(test, tools=tuple(t for t in test.tools if t != left)) for left in test.tools)


def _parameters(rule: Rule) -> Iterator[dict[str, Any]]:
    nothing: dict[str, Any] = {"per": None, "only": None, "breaks": None, "exempt": (), "seen": None, "warm_up": 0}
    yield from ({name: none} for name, none in nothing.items() if getattr(rule, name))
    for name in ("only", "breaks"):
        test = getattr(rule, name)
        if test is None:
            continue
        other = {"only": "breaks", "breaks": "only"}[name]
        if getattr(rule, other) is None:  # passed over, or the end of a run
            yield {name: None, other: replace(test, negated=not test.negated)}
        yield from ({name: fewer} for fewer in _fewer_tools(test))
    if len(rule.exempt) > 1:
        yield from ({"exempt": tuple(t for t in rule.exempt if t != left)} for left in rule.exempt)
    yield {"batch": "once" if rule.batch == "each" else "each"}
    yield {"unit": "call" if rule.unit == "turn" else "turn"}


def _resets(rule: Rule) -> Iterator[dict[str, Any]]:
    """An event forgets that should not, or the other way round."""
    for event in RESETS:
        named = [*rule.reset, event] if event not in rule.reset else [each for each in rule.reset if each != event]
        yield {"reset": tuple(each for each in RESETS if each in named)}

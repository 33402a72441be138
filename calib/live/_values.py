"""What a rule reads of a row: keys, tests and numbers as functions of a turn and, where the row is one, its call."""

from collections.abc import Callable, Hashable
from typing import Any

from calib.live._seen import TESTS, WRITES, Called, Seen, call_key, failure, written_key
from calib.rules import Key, Test
from calib.tools import matches_tool

LARGEST = 2**31 - 1
Value = Callable[[Any, Any], Hashable]
Holds = Callable[[Any, Any], bool]
Number = Callable[[Any, Any], int]
"""Each takes the turn, and the call or None."""


def _call_set(turn: Seen, _: Called | None) -> Hashable:
    return tuple(sorted(map(repr, turn.call_keys))) or None


KEYS: dict[str, Value] = {
    "reasoning": lambda turn, call: turn.reasoning,
    "masked_reasoning": lambda turn, call: turn.masked_reasoning,
    "text": lambda turn, call: turn.text,
    "calls": lambda turn, call: tuple(turn.call_keys) or None,
    "call_set": _call_set,
    "results": lambda turn, call: turn.results or None,
    "call": lambda turn, call: call_key(call),
    "written_call": lambda turn, call: written_key(call),
    "result": lambda turn, call: call.result,
    "failure": lambda turn, call: failure(call),
    "tool": lambda turn, call: call.tool,
}

TURN_TESTS: dict[str, Holds] = {
    "always": lambda turn, call: True,
    "never": lambda turn, call: False,
    "idle": lambda turn, call: not turn.calls,
    "empty": lambda turn, call: not turn.calls and turn.text is None,
    "reads": lambda turn, call: turn.reads,
    "writes": lambda turn, call: turn.kinds & WRITES != 0,
    "tests": lambda turn, call: turn.kinds & TESTS != 0,
    "wrote": lambda turn, call: turn.wrote,
    "failed_anew": lambda turn, call: turn.failed_anew is not None and (call is None or call is turn.failed_anew),
}


def value_of(key: Key) -> Value:
    """Make the function that gives a row's value of a key; None when a part not marked `?` has none."""
    parts = [(KEYS[part.name], part.empty) for part in key.parts]
    if len(parts) == 1 and not parts[0][1]:
        return parts[0][0]

    def value(turn: Seen, call: Called | None) -> Hashable:
        found = []
        for read, empty in parts:
            one = read(turn, call)
            if one is None and not empty:
                return None
            found.append(one)
        return tuple(found)

    return value


def test_of(test: Test) -> Holds:
    """Make the function that tells whether a test holds for a row."""
    holds = _call_test(test) if test.name in ("error", "tool") else TURN_TESTS[test.name]
    if test.negated:
        return lambda turn, call: not holds(turn, call)
    return holds


def _call_test(test: Test) -> Holds:
    """Of a call: itself; of a turn: of all its calls, one at least."""
    one = of_tools(test.tools) if test.name == "tool" else (lambda call: call.is_error is True)

    def holds(turn: Seen, call: Called | None) -> bool:
        if call is not None:
            return one(call)
        return bool(turn.calls) and all(map(one, turn.calls))

    return holds


def of_tools(patterns: tuple[str, ...]) -> Callable[[Called], bool]:
    """Make the function that tells whether a call is of such a tool."""
    known: dict[str | None, bool] = {}

    def matches(call: Called) -> bool:
        found = known.get(call.tool)
        if found is None:
            found = known[call.tool] = any(matches_tool(each, call.tool or "") for each in patterns)
        return found

    return matches


def number_of(name: str) -> Number:
    """Make the function that gives a row's number; 0 when it has none."""
    if name == "result_chars":
        return lambda turn, call: len(call.result or "")
    return lambda turn, call: getattr(turn, name) or 0

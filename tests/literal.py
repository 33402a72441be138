"""What a rule means, written down as literally as Python allows: the judge of every evaluator.

Slow and obvious on purpose: histories are lists, every family is counted anew at every row. It knows no frames and
no columns. The steps and their numbers are those of `calib/rules/__init__.py`.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from calib.rules import AnyOf, AnyRule, Key, Rule, Test
from calib.tools import matches_tool


@dataclass(frozen=True)
class Called:
    """One call, on plain values; None where there is none."""

    tool: str | None = None
    call: Hashable = None
    written_call: Hashable = None
    result: Hashable = None
    error: bool | None = None
    result_chars: int | None = None
    failure: Hashable = None
    """What the result says, times aside, where it is marked as an error."""
    anew: bool = False
    """Filled in by `levels`: it failed, and none did before it or some turn since, its own included, wrote."""


@dataclass(frozen=True)
class Turned:
    """One turn, on plain values: texts are trimmed, and None when nothing is left."""

    reasoning: Hashable = None
    masked_reasoning: Hashable = None
    text: Hashable = None
    calls: Sequence[Called] = ()
    reads: bool = False
    writes: bool = False
    tests: bool = False
    user: bool = False
    compaction: bool = False
    numbers: Mapping[str, int | None] = field(default_factory=dict)

    def key(self, name: str) -> Hashable:
        """The turn's value of a key of turns."""
        if name in ("reasoning", "masked_reasoning", "text"):
            return getattr(self, name)  # type: ignore[no-any-return]
        if not self.calls:
            return None
        if name == "calls":
            return tuple(call.call for call in self.calls)
        if name == "call_set":
            return tuple(sorted((call.call for call in self.calls), key=repr))
        assert name == "results"
        return tuple(call.result for call in self.calls if call.result is not None) or None


Row = tuple[Turned, Called | None]
"""A turn, or a turn and one of its calls."""


def value(row: Row, key: Key) -> Hashable:
    """The row's value of a key; None when a part not marked `?` has none."""
    turn, call = row
    values = []
    for part in key.parts:
        own = part.name in ("call", "written_call", "result", "failure", "tool")
        found = getattr(call, part.name) if own else turn.key(part.name)
        if found is None and not part.empty:
            return None
        values.append(found)
    return tuple(values)


def holds(row: Row, test: Test) -> bool:
    """Does the test hold for the row?"""
    turn, call = row
    calls = [call] if call else list(turn.calls)
    found = {
        "always": True,
        "never": False,
        "idle": not turn.calls,
        "empty": not turn.calls and turn.text is None,
        "reads": turn.reads,
        "writes": turn.writes,
        "tests": turn.tests,
        "wrote": turn.writes and not any(each.error for each in turn.calls),
        "error": bool(calls) and all(each.error is True for each in calls),
        "failed_anew": any(each.anew for each in calls),
        "tool": bool(calls) and all(any(matches_tool(p, each.tool or "") for p in test.tools) for each in calls),
    }[test.name]
    return found != test.negated


def exempt(row: Row, rule: Rule) -> bool:
    """Are all its calls, one at least, of exempt tools?"""
    return bool(rule.exempt) and holds(row, Test("tool", rule.exempt))


def number(row: Row, name: str) -> int:
    """The row's number; 0 when there is none."""
    turn, call = row
    found = call.result_chars if name == "result_chars" and call else turn.numbers.get(name)
    return found or 0


def level(rule: Rule, history: Sequence[Row]) -> int:
    """The level of the last row of a history, before anything is held back."""
    here = len(history) - 1
    if rule.family == "run":
        run = 0
        while run <= here and holds(history[here - run], rule.of):  # type: ignore[arg-type]
            run += 1
        return run
    if rule.family == "lag":
        return lag(rule, history, rule.lag)
    if rule.family == "cycle":
        low, high = rule.periods
        return max(lag(rule, history, k) // k for k in range(low, high + 1))
    last = history[-rule.window :] if rule.window else history
    if isinstance(rule.of, Key):
        mine = value(history[-1], rule.of)
        return 0 if mine is None else sum(value(row, rule.of) == mine for row in last)
    if isinstance(rule.of, Test):
        return sum(holds(row, rule.of) for row in last)
    return min(sum(number(row, rule.of) for row in last), 2**31 - 1)


def lag(rule: Rule, history: Sequence[Row], k: int) -> int:
    """Rows in a row, up to the last, whose key equals that of the row k before."""
    assert isinstance(rule.of, Key)
    run = 0
    while (at := len(history) - 1 - run) >= k:
        mine = value(history[at], rule.of)
        if mine is None or mine != value(history[at - k], rule.of):
            break
        run += 1
    return run


def held(rule: Rule, history: Sequence[Row]) -> int:
    """Step 6."""
    n = len(history)
    if rule.seen and not any(holds(row, rule.seen) for row in history):
        return 0
    if n < rule.warm_up:
        return 0
    if n == rule.warm_up:
        return max(level(rule, history[:m]) for m in range(1, n + 1))
    return level(rule, history)


def rows_of(rule: Rule, turn: Turned) -> list[tuple[Row, bool]]:
    """Step 1: each row, and whether `batch` keeps it."""
    if rule.unit == "turn":
        return [((turn, None), True)]
    found: list[tuple[Row, bool]] = []
    for call in turn.calls:
        mine = value((turn, call), rule.of) if isinstance(rule.of, Key) else None
        before = [value(row, rule.of) for row, _ in found if isinstance(rule.of, Key)]
        found.append(((turn, call), rule.batch == "each" or mine is None or mine not in before))
    return found


def news(row: Row, results: dict[Hashable, Hashable]) -> bool:
    """Does a call of the row give another result than the last time it was made? Notes what it gives."""
    turn, call = row
    found = False
    for each in [call] if call else turn.calls:
        if each.result is not None:
            found |= results.get(each.call, each.result) != each.result
            results[each.call] = each.result
    return found


def forgets(rule: Rule, turn: Turned) -> bool:
    """Is everything forgotten before the turn?"""
    happened = {"user": turn.user, "compaction": turn.compaction, "turn": True}
    return any(happened.get(event, False) for event in rule.reset)


def told(turns: Sequence[Turned]) -> list[Turned]:
    """The turns, each failed call knowing whether it failed anew."""
    found, fresh = [], True
    for turn in turns:
        fresh = fresh or turn.writes
        calls = []
        for call in turn.calls:
            calls.append(replace(call, anew=call.error is True and fresh))
            fresh = fresh and call.error is not True
        found.append(replace(turn, calls=calls))
    return found


def levels(rule: AnyRule, turns: Sequence[Turned]) -> list[int]:
    """The level of every turn of an episode."""
    turns = told(turns)
    if isinstance(rule, AnyOf):
        each = [[level // k for level in levels(member, turns)] for member, k in rule.members]
        return [max(column) for column in zip(*each, strict=True)]
    assert isinstance(rule, Rule)
    found = []
    histories: dict[Any, list[Row]] = {}
    results: dict[Hashable, Hashable] = {}
    for turn in turns:
        wrote = holds((turn, None), Test("wrote"))
        ends = ("idle" in rule.reset and not turn.calls) or ("wrote" in rule.reset and wrote)
        if forgets(rule, turn):
            histories = {}
        best = 0
        for row, kept in rows_of(rule, turn):
            if news(row, results) and "result" in rule.reset:
                histories = {}
            if ends or not kept:
                continue
            if rule.breaks and holds(row, rule.breaks):
                histories = {}
                continue
            own = value(row, rule.per) if rule.per else ()
            if own is None or (rule.only and not holds(row, rule.only)) or exempt(row, rule):
                continue
            history = histories.setdefault(own, [])
            history.append(row)
            best = max(best, held(rule, history))
        if ends:
            histories = {}
        found.append(best)
    return found

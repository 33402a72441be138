"""The families of `calib.rules`, one row at a time: each row costs the same, however long the history is."""

from collections import deque
from collections.abc import Callable, Hashable
from typing import Any

from calib.live._seen import Called, Seen
from calib.live._values import LARGEST, Holds, Number, Value, number_of, test_of, value_of
from calib.rules import Rule, Test

Add = Callable[[Seen, Called | None], int]
"""Takes the next row of a history; gives its level."""


def history_of(rule: Rule) -> Add:
    """Begin a history of a rule, without holding back."""
    if isinstance(rule.of, str):
        return _budget(number_of(rule.of))
    if isinstance(rule.of, Test):
        holds = test_of(rule.of)
        if rule.family == "run":
            return _run(holds)
        return _share(holds, rule.window) if rule.window else _budget(holds)
    value = value_of(rule.of)
    if rule.family == "lag":
        return _lag(value, rule.lag) if rule.lag > 1 else _repeat(value)
    if rule.family == "cycle":
        low, high = rule.periods
        return _cycle(value, low, high)
    return _count(value, rule.window)


def _run(holds: Holds) -> Add:
    run = 0

    def add(turn: Seen, call: Called | None) -> int:
        nonlocal run
        run = run + 1 if holds(turn, call) else 0
        return run

    return add


def _repeat(value: Value) -> Add:
    """Count rows that equal the row before: a lag of 1."""
    run = 0
    last: Hashable = None

    def add(turn: Seen, call: Called | None) -> int:
        nonlocal run, last
        now = value(turn, call)
        run = run + 1 if now is not None and now == last else 0
        last = now
        return run

    return add


def _lag(value: Value, lag: int) -> Add:
    run = 0
    before: deque[Hashable] = deque([None] * lag, lag)

    def add(turn: Seen, call: Called | None) -> int:
        nonlocal run
        now = value(turn, call)
        run = run + 1 if now is not None and now == before[0] else 0
        before.append(now)
        return run

    return add


def _cycle(value: Value, low: int, high: int) -> Add:
    lags = [_lag(_handed, k) for k in range(low, high + 1)]

    def add(turn: Seen, call: Called | None) -> int:
        now: Any = value(turn, call)
        return max(lag(now, None) // k for k, lag in enumerate(lags, low))

    return add


def _handed(now: Any, _: Called | None) -> Hashable:
    """Stand for a value that was read already: it comes in the turn's place."""
    return now  # type: ignore[no-any-return]


def _count(value: Value, window: int) -> Add:
    counts: dict[Hashable, int] = {}
    last: deque[Hashable] = deque()

    def add(turn: Seen, call: Called | None) -> int:
        now = value(turn, call)
        if window:
            if len(last) == window:
                gone = last.popleft()
                left = counts[gone] - 1
                if left:
                    counts[gone] = left
                else:
                    del counts[gone]
            last.append(now)
        here = counts[now] = counts.get(now, 0) + 1
        return 0 if now is None else here

    return add


def _share(holds: Holds, window: int) -> Add:
    found = 0
    last = deque([False] * window, window)

    def add(turn: Seen, call: Called | None) -> int:
        nonlocal found
        now = holds(turn, call)
        found += now - last[0]
        last.append(now)
        return found

    return add


def _budget(amount: Number) -> Add:
    total = 0

    def add(turn: Seen, call: Called | None) -> int:
        nonlocal total
        total += amount(turn, call)
        return min(total, LARGEST)

    return add


def held_back(rule: Rule) -> Add:
    """Begin a history of a rule, with what its `seen` and `warm_up` hold back."""
    add = history_of(rule)
    if not rule.seen and not rule.warm_up:
        return add
    seen = test_of(rule.seen) if rule.seen else None
    rows = peak = 0
    shown = seen is None

    def step(turn: Seen, call: Called | None) -> int:
        nonlocal rows, peak, shown
        rows += 1
        level = add(turn, call)
        if not shown and seen is not None:
            shown = seen(turn, call)
        if rows <= rule.warm_up:
            peak = max(peak, level)
            level = peak if rows == rule.warm_up else 0
        return level if shown else 0

    return step

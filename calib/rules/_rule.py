"""The value: families, keys, tests and what each needs to have been recorded."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from calib.errors import UsageError

Unit = Literal["turn", "call"]
Family = Literal["run", "lag", "cycle", "count", "budget"]
Recorded = Literal["calls", "reasoning", "results", "errors", "users", "output_tokens", "milliseconds"]
"""What a transcript may lack. Where a rule needs it and it is not there, the rule is not observable."""

KEYS: Mapping[str, tuple[Unit, Recorded, str]] = {
    "reasoning": ("turn", "reasoning", "trimmed reasoning"),
    "masked_reasoning": ("turn", "reasoning", "reasoning with numbers, times, ids and white space masked"),
    "text": ("turn", "calls", "trimmed visible text"),
    "calls": ("turn", "calls", "tools and canonical arguments of all calls, in order"),
    "call_set": ("turn", "calls", "the same in any order"),
    "results": ("turn", "results", "results of all calls, in order"),
    "call": ("call", "calls", "tool and canonical arguments"),
    "written_call": ("call", "calls", "tool and arguments as recorded: the order of the keys counts"),
    "result": ("call", "results", "text of the result"),
    "failure": ("call", "errors", "text of a result that is marked as an error, without its times"),
    "tool": ("call", "calls", "name of the tool"),
}
"""What rows can be compared by: unit, what must have been recorded, meaning."""

TESTS: Mapping[str, tuple[Unit, Recorded, str]] = {
    "always": ("turn", "calls", "every row"),
    "never": ("turn", "calls", "no row"),
    "idle": ("turn", "calls", "the turn has no call"),
    "empty": ("turn", "calls", "the turn has no call and no visible text but white space"),
    "reads": ("turn", "calls", "the turn has a call and all it does is reading (calib tools)"),
    "writes": ("turn", "calls", "some of what the turn does is writing"),
    "tests": ("turn", "calls", "some of what the turn does is testing"),
    "wrote": ("turn", "calls", "the turn writes and none of its calls is marked as failed"),
    "error": ("call", "errors", "the call's result is marked as an error; of a turn: it has calls, and all are"),
    "failed_anew": (
        "call",
        "errors",
        "it is, and none was before or a turn since wrote, its own included; of a turn: one is",
    ),
    "tool": ("call", "calls", "`tool:read_*|ls`: the call is of such a tool; of a turn: it has calls, and all are"),
}
"""What can hold for a row: the unit it is a matter of, what must have been recorded, meaning. `!` before it: not."""

NUMBERS: Mapping[str, tuple[Unit, Recorded, str]] = {
    "output_tokens": ("turn", "output_tokens", "tokens of the response"),
    "milliseconds": ("turn", "milliseconds", "time to the response"),
    "reasoning_chars": ("turn", "reasoning", "characters of the reasoning"),
    "text_chars": ("turn", "calls", "characters of the visible text"),
    "result_chars": ("call", "results", "characters of the result"),
}
"""What a budget can add up."""

RESETS: Mapping[str, Recorded] = {
    "user": "users", "compaction": "calls", "turn": "calls", "result": "results", "idle": "calls", "wrote": "calls",
}  # fmt: skip
"""After what everything is forgotten, and what must have been recorded to see it."""
EMPTY_IS_A_VALUE = "?"


@dataclass(frozen=True, order=True)
class Part:
    """One thing compared; `empty`: no value is a value."""

    name: str
    empty: bool = False

    def __str__(self) -> str:
        return self.name + EMPTY_IS_A_VALUE * self.empty


@dataclass(frozen=True)
class Key:
    """What rows are compared by: equal when all parts are. Without a value when a part not marked `?` has none."""

    parts: tuple[Part, ...]

    def __str__(self) -> str:
        return "+".join(map(str, self.parts))


@dataclass(frozen=True)
class Test:
    """Something that holds for a row or does not; `tools` are the patterns of `tool:`."""

    __test__ = False  # tests import it by name

    name: str
    tools: tuple[str, ...] = ()
    negated: bool = False

    def __str__(self) -> str:
        return "!" * self.negated + self.name + (":" + "|".join(self.tools) if self.tools else "")


@dataclass(frozen=True)
class Rule:
    """One rule of a family. Raises UsageError for what makes no sense together."""

    family: Family
    of: Key | Test | str
    """A key, a test, or the name of a number."""
    unit: Unit = "turn"
    lag: int = 1
    """Of `lag`: how many rows before."""
    periods: tuple[int, int] = (1, 1)
    """Of `cycle`: shortest and longest lap."""
    window: int = 0
    """Of `count`: how many rows; 0 for all."""
    per: Key | None = None
    only: Test | None = None
    breaks: Test | None = None
    exempt: tuple[str, ...] = ()
    reset: tuple[str, ...] = ()
    seen: Test | None = None
    warm_up: int = 0
    batch: Literal["each", "once"] = "each"

    def __post_init__(self) -> None:
        if self.unit == "turn" and (narrow := [name for name in self.keys if KEYS[name][0] == "call"]):
            raise UsageError(f"rule: {narrow[0]} is a call's; expected unit=call, found unit=turn")
        if self.unit == "turn" and isinstance(self.of, str) and NUMBERS[self.of][0] == "call":
            raise UsageError(f"rule: {self.of} is a call's; expected unit=call, found unit=turn")
        if self.unit == "turn" and (self.batch == "once" or "turn" in self.reset):
            raise UsageError("rule: batch=once and reset=turn look at the calls of one turn; expected unit=call")
        if self.batch == "once" and not isinstance(self.of, Key):
            raise UsageError("rule: batch=once drops calls with an equal key; expected a key, found none")
        if self.warm_up and (self.family != "count" or 0 < self.window < self.warm_up):
            raise UsageError("rule: expected warm_up in a count only, and at most its window")
        if isinstance(self.of, Test) and self.family == "count" and not self.window:
            raise UsageError("rule: a count of a test needs a window; without one it is a budget")

    @property
    def keys(self) -> tuple[str, ...]:
        """Name the keys compared by."""
        return tuple(part.name for key in (self.of, self.per) if isinstance(key, Key) for part in key.parts)

    @property
    def tests(self) -> tuple[Test, ...]:
        """List the tests in it."""
        return tuple(test for test in (self.of, self.only, self.breaks, self.seen) if isinstance(test, Test))

    @property
    def needs(self) -> frozenset[Recorded]:
        """Say what must have been recorded to observe it."""
        found = {KEYS[name][1] for name in self.keys} | {TESTS[test.name][1] for test in self.tests}
        if isinstance(self.of, str):
            found.add(NUMBERS[self.of][1])
        return frozenset(found | {RESETS[event] for event in self.reset})

    def __str__(self) -> str:
        numbers = {"lag": [str(self.lag)], "cycle": [f"{self.periods[0]}..{self.periods[1]}"]}
        words = [str(self.of), *numbers.get(self.family, [])]
        return f"{self.family}({','.join([*words, *self._named()])})"

    def _named(self) -> Iterator[str]:
        if self.unit != inferred_unit(self.of, self.per):
            yield f"unit={self.unit}"
        named = {
            "window": self.window or None, "per": self.per, "only": self.only, "breaks": self.breaks,
            "exempt": "|".join(self.exempt), "reset": "|".join(self.reset), "seen": self.seen,
            "warm_up": self.warm_up or None, "batch": "once" if self.batch == "once" else None,
        }  # fmt: skip
        yield from (f"{name}={value}" for name, value in named.items() if value)


def inferred_unit(of: "Key | Test | str", per: Key | None) -> Unit:
    """Say whose rule it is unless `unit=` does: a call's when something in it is a call's."""
    if isinstance(of, str):
        return NUMBERS[of][0]
    units = [TESTS[of.name][0]] if isinstance(of, Test) else [KEYS[part.name][0] for part in of.parts]
    units += [KEYS[part.name][0] for part in per.parts] if per else []
    return "call" if "call" in units else "turn"


@dataclass(frozen=True)
class Scan:
    """A level read off one text of each turn by a scanner; its settings are text as spelled."""

    scanner: str
    settings: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"scan({','.join([self.scanner, *(f'{name}={value}' for name, value in self.settings)])})"


@dataclass(frozen=True)
class AnyOf:
    """Several rules, each with a threshold, as one level."""

    members: tuple[tuple[Rule | Scan, int], ...]

    def __str__(self) -> str:
        return f"any({' | '.join(f'{rule}@{threshold}' for rule, threshold in self.members)})"


AnyRule = Rule | Scan | AnyOf


def looks_at_actions(rule: AnyRule) -> bool:
    """Tell whether a rule asks what turns do: then the tools map decides its levels."""
    if isinstance(rule, AnyOf):
        return any(looks_at_actions(member) for member, _ in rule.members)
    asked = {"reads", "writes", "tests", "wrote", "failed_anew"}
    return isinstance(rule, Rule) and bool(asked & {*(test.name for test in rule.tests), *rule.reset})

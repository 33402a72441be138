"""One turn as rules see it: plain values, what is compared computed only where some rule compares it."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from calib.formats._calls import made_call
from calib.mask import mask
from calib.rules import AnyOf, AnyRule, Rule, Scan, Test
from calib.times import without_times
from calib.tools import Map, actions_of, by_arguments

READS, NEUTRAL, WRITES, TESTS, OTHER = 1, 2, 4, 8, 16
KINDS = {"reads": READS, "neutral": NEUTRAL, "writes": WRITES, "tests": TESTS}


@dataclass(slots=True)
class Called:
    """One call of a turn: tool, arguments as the model wrote them, and what came back; None where there is none."""

    tool: str | None = None
    arguments: Any = None
    result: str | None = None
    is_error: bool | None = None
    actions: tuple[str, ...] | None = None
    """What it does, when that is known already (`calib tools`)."""


class Seen:
    """One turn. A monitor fills the same one anew for each."""

    reasoning: str | None = None
    """Trimmed; None when nothing is left. So is `text`."""
    text: str | None = None
    whole_reasoning: str | None = None
    whole_text: str | None = None
    scans: dict[object, dict[str, int]]
    """Levels that scanners read off its texts, each scanner once."""
    calls: Sequence[Called] = ()
    call_keys: Sequence[Hashable] = ()
    """Tool and canonical arguments of each call, where a rule compares them."""
    orphans: Sequence[str] = ()
    kinds = 0
    """What the turn's calls do, as a set of bits, where a rule asks for it."""
    failed_anew: Called | None = None
    """Its first failed call where none failed before, or some turn since wrote, its own included; where a rule asks."""
    user = compaction = False
    output_tokens: int | None = None
    milliseconds: int | None = None

    def __init__(self) -> None:
        self.scans = {}

    @property
    def masked_reasoning(self) -> str | None:
        """The reasoning with what changes masked; None without reasoning."""
        return mask(self.reasoning) if self.reasoning else None

    @property
    def results(self) -> tuple[str, ...]:
        """Texts of all results, in the order of the calls, those that answer none last."""
        return (*(call.result for call in self.calls if call.result is not None), *self.orphans)

    @property
    def reasoning_chars(self) -> int:
        """Characters of the reasoning, not trimmed."""
        return len(self.whole_reasoning or "")

    @property
    def text_chars(self) -> int:
        """Characters of the visible text, not trimmed."""
        return len(self.whole_text or "")

    @property
    def reads(self) -> bool:
        """Whether all that it does is reading."""
        return bool(self.kinds & READS) and not self.kinds & ~(READS | NEUTRAL)

    @property
    def wrote(self) -> bool:
        """Whether it writes and no call is marked as failed."""
        return bool(self.kinds & WRITES) and not any(call.is_error for call in self.calls)


def members(rules: Iterable[AnyRule]) -> list[Rule | Scan]:
    """List the rules in rules."""
    found: list[Rule | Scan] = []
    for rule in rules:
        found += [member for member, _ in rule.members] if isinstance(rule, AnyOf) else [rule]
    return found


def tests_of(rule: Rule | Scan) -> tuple[Test, ...]:
    """List the tests in a rule."""
    return rule.tests if isinstance(rule, Rule) else ()


def compares_calls(rules: Iterable[AnyRule]) -> bool:
    """Tell whether some rule compares arguments."""
    named = {name for rule in members(rules) if isinstance(rule, Rule) for name in rule.keys}
    return not named.isdisjoint(("calls", "call_set", "call"))


def call_key(call: Called) -> Hashable:
    """Give what equal calls have in common: tool and canonical arguments."""
    return made_call(None, call.tool, call.arguments).key


def written_key(call: Called) -> Hashable:
    """Give tool and arguments as they were written; arguments that are no text as the JSON that a dump would hold."""
    text = call.arguments
    if text is not None and not isinstance(text, str):
        text = made_call(None, call.tool, text).arguments
    return call.tool, text


def failure(call: Called) -> str | None:
    """Give the result of a failed call without its times; None where it is not marked as failed."""
    return without_times(call.result) if call.is_error and call.result is not None else None


def kinds_by(placing: Map) -> Callable[[Sequence[Called]], int]:
    """Make the function that tells what calls do. Tools whose name says all are looked up once."""
    known: dict[str | None, int] = {}

    def kinds(calls: Sequence[Called]) -> int:
        found = 0
        for call in calls:
            own = known.get(call.tool)
            if own is None:
                actions = actions_of(call.tool, call.arguments) if call.actions is None else call.actions
                own = 0
                for action in actions:
                    own |= KINDS.get(placing.kind(action), OTHER)
                if call.tool is None or not by_arguments(call.tool):
                    known[call.tool] = own
            found |= own
        return found

    return kinds

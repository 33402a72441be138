"""Triggers and operating points: values with one spelling, parsed and printed the same."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from calib.errors import UsageError
from calib.escape import visible
from calib.rules import parse_rule, split

ALIASES: Mapping[str, str] = {"T2": "repeated_plan", "T1": "search_run"}
"""The labels of note 000, accepted wherever a detector is named."""

SHORT: Mapping[str, str] = {name: alias for alias, name in ALIASES.items()}
LARGEST = 2**31 - 1


@dataclass(frozen=True, order=True)
class Trigger:
    """A detector at a threshold: fires at the first turn whose level reaches it."""

    detector: str
    threshold: int

    def __str__(self) -> str:
        return f"{self.detector}@{self.threshold}"


@dataclass(frozen=True)
class Point:
    """Triggers joined by "or": the earliest fire wins, ties name both."""

    triggers: tuple[Trigger, ...]

    def __str__(self) -> str:
        return " | ".join(map(str, self.triggers))

    @property
    def thresholds(self) -> dict[str, int]:
        """Map each detector to its threshold."""
        return {trigger.detector: trigger.threshold for trigger in self.triggers}


def detector_name(text: str) -> str:
    """Resolve the notes' labels, and spell a rule as it is spelled everywhere; other names pass through.

    >>> detector_name("T2"), detector_name("search_run"), detector_name("lag( calls, 2 )")
    ('repeated_plan', 'search_run', 'lag(calls,2)')

    Raises UsageError for something with brackets that is no rule.
    """
    name = text.strip()
    return str(parse_rule(name)) if "(" in name else ALIASES.get(name, name)


def whole(text: str, what: str) -> int:
    """Read a threshold: a whole number from 1.

    Raises UsageError otherwise.
    """
    if not re.fullmatch(r"[0-9]{1,10}", text) or not 1 <= int(text) <= LARGEST:
        raise UsageError(f"{what}: expected a whole number from 1 to {LARGEST:,}, found {visible(text)[:40]!r}")
    return int(text)


def parse_point(text: str) -> Point:
    """Read an operating point.

    >>> str(parse_point("T2@7|search_run@35")), str(parse_point("any(run(reads)@3 | run(idle)@2)@1 | T2@7"))
    ('repeated_plan@7 | search_run@35', 'any(run(reads)@3 | run(idle)@2)@1 | repeated_plan@7')

    Raises UsageError when it is no such thing, or names a detector twice.
    """
    triggers = []
    for part in split(text, "|"):
        *before, threshold = split(part.strip(), "@")
        name, at = "@".join(before), bool(before)
        if not at or not name.strip():
            raise UsageError(
                f"operating point: expected DETECTOR@THRESHOLD [| …], found {visible(part.strip())[:80]!r}"
            )
        if "@" in re.sub(r"\(.*\)", "", name):  # a rule may hold thresholds of its own
            raise UsageError(
                f"operating point: expected triggers joined by |, found {visible(part.strip())[:80]!r}; "
                "a point fires when any of its triggers does, there is no other way to join them"
            )
        triggers.append(Trigger(detector_name(name), whole(threshold.strip(), visible(name.strip())[:80])))
    names = [trigger.detector for trigger in triggers]
    if len(set(names)) < len(names):
        raise UsageError(f"operating point: {visible(text)[:80]!r} names a detector twice; keep one threshold of each")
    return Point(tuple(triggers))


def point_of(said: "Point | str") -> Point:
    """Take a point as it is, or read one: what functions do that take either.

    >>> point_of("T2@7") == point_of(parse_point("T2@7"))
    True

    Raises UsageError for a text that is no operating point.
    """
    return parse_point(said) if isinstance(said, str) else said

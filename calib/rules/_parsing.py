"""Read the spelling of a rule; what it prints is read back as the same value."""

import re
from collections.abc import Callable, Mapping
from typing import Any, cast, get_args

from calib.errors import UsageError, near
from calib.escape import visible
from calib.rules._rule import (
    EMPTY_IS_A_VALUE,
    KEYS,
    NUMBERS,
    RESETS,
    TESTS,
    AnyOf,
    AnyRule,
    Family,
    Key,
    Part,
    Rule,
    Scan,
    Test,
    inferred_unit,
)

LARGEST = 2**31 - 1
DEEPEST = 64
"""Longest lap and lag."""
WIDEST = 10_000
"""Widest window."""
TOOL = re.compile(r"[^\s,|()=@!]{1,100}")
FAMILIES: tuple[str, ...] = get_args(Family)


def parse_rule(text: str) -> AnyRule:
    """Read a rule.

    >>> str(parse_rule("count( call + result, window=10 )")), parse_rule("run(reads)").unit
    ('count(call+result,window=10)', 'turn')

    Raises UsageError when it is none, with the near names where a name is not known.
    """
    shown = visible(text.strip())[:80]
    found = re.fullmatch(r"\s*([a-z]+)\s*\((.*)\)\s*", text, re.DOTALL)
    if not found:
        raise UsageError(f"rule: expected FAMILY(…) such as lag(calls,2), found {shown!r}")
    name, inside = found[1], found[2]
    if name == "any":
        return _any(inside)
    words = [word.strip() for word in inside.split(",")]
    if name == "scan":
        return Scan(_one_of(words[0], r"[a-z_]{1,40}", "the name of a scanner"), _settings(words[1:]))
    if name not in FAMILIES:
        raise UsageError(
            f"rule: no family named {visible(name)[:40]!r}; there are {near(name, [*FAMILIES, 'any', 'scan'])}"
        )
    return _rule(cast(Family, name), words)


def split(text: str, mark: str) -> list[str]:
    """Split at a mark that stands outside all brackets.

    >>> split("a@1 | any(b@1 | c@2)@3", "|")
    ['a@1 ', ' any(b@1 | c@2)@3']
    """
    parts, depth, begin = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == mark and depth == 0:
            parts.append(text[begin:at])
            begin = at + 1
    return [*parts, text[begin:]]


def _any(inside: str) -> AnyOf:
    members = []
    for member in split(inside, "|"):
        spelling, at, threshold = member.rpartition("@")
        if not at:
            raise UsageError(f"rule: any(…) expects RULE@THRESHOLD, found {visible(member.strip())[:80]!r}")
        rule = parse_rule(spelling)
        if isinstance(rule, AnyOf):
            raise UsageError("rule: any(…) holds rules, not another any(…)")
        members.append((rule, _whole(threshold, 1, LARGEST, "a threshold")))
    return AnyOf(tuple(members))


def _rule(family: Family, words: list[str]) -> Rule:
    plain = [word for word in words if "=" not in word]
    if words[: len(plain)] != plain or not "".join(plain[:1]):
        raise UsageError(f"rule: {family}(…) expects what it counts first, then NAME=VALUE")
    of = _of(family, plain[0])
    named: dict[str, Any] = {}
    for word in words[len(plain) :]:
        name, _, value = (part.strip() for part in word.partition("="))
        if name not in PARAMETERS:
            raise UsageError(f"rule: no parameter named {visible(name)[:40]!r}; there are {near(name, [*PARAMETERS])}")
        if name in named:
            raise UsageError(f"rule: {name} is given twice")
        if name == "window" and family != "count":
            raise UsageError(f"rule: window is a parameter of count, found it in {family}")
        named[name] = PARAMETERS[name](value)
    return Rule(family, of, **_numbers(family, plain[1:]), **({"unit": inferred_unit(of, named.get("per"))} | named))


def _numbers(family: Family, words: list[str]) -> dict[str, Any]:
    """Read the second place: the lag, or the range of laps."""
    if family == "lag" and len(words) == 1:
        return {"lag": _whole(words[0], 1, DEEPEST, "a lag")}
    if family == "cycle" and len(words) == 1:
        low, dots, high = words[0].partition("..")
        short = _whole(low, 1, DEEPEST, "a lap")
        periods = (short, _whole(high, short, DEEPEST, "a longest lap") if dots else short)
        return {"periods": periods}
    if family in ("lag", "cycle"):
        expected = "a lag, as in lag(calls,2)" if family == "lag" else "laps, as in cycle(calls,2..5)"
        raise UsageError(f"rule: {family} expects a key and {expected}")
    if words:
        raise UsageError(f"rule: {family}(…) expects one thing to count, found {visible(words[0])[:40]!r} too")
    return {}


def _of(family: Family, word: str) -> Key | Test | str:
    """Read what is counted: families differ in what they take."""
    if family in ("lag", "cycle"):
        return _key(word)
    if family == "budget" and word in NUMBERS:
        return word
    bare = word.lstrip("!").partition(":")[0]
    if family == "count" and (bare not in TESTS or word == "tool"):
        return _key(word)
    if family == "budget" and bare not in TESTS:
        known = _near(word, NUMBERS, TESTS)
        raise UsageError(f"rule: nothing named {visible(word)[:40]!r} to add up; there are {known}")
    return _test(word)


def _near(word: str, *known: Mapping[str, object]) -> str:
    return near(word[:40], [name for names in known for name in names])


def _key(text: str) -> Key:
    parts = []
    for word in map(str.strip, text.split("+")):
        name = word.removesuffix(EMPTY_IS_A_VALUE)
        if name not in KEYS:
            raise UsageError(f"rule: no key named {visible(name)[:40]!r}; there are {_near(name, KEYS)}")
        parts.append(Part(name, name != word))
    if len({part.name for part in parts}) < len(parts):
        raise UsageError(f"rule: {visible(text)[:40]!r} names a key twice")
    return Key(tuple(sorted(parts, key=lambda part: list(KEYS).index(part.name))))


def _test(text: str) -> Test:
    negated = text.startswith("!")
    name, colon, tools = text.removeprefix("!").strip().partition(":")
    if name not in TESTS:
        raise UsageError(f"rule: no test named {visible(name)[:40]!r}; there are {_near(name, TESTS)}")
    if bool(colon) != (name == "tool"):
        raise UsageError("rule: expected tool names after tool: and after nothing else, such as tool:read_*|ls")
    return Test(name, _tools(tools) if colon else (), negated)


def _tools(text: str) -> tuple[str, ...]:
    names = [word.strip() for word in text.split("|")]
    for name in names:  # a rule is spelled in every report, so nothing in it may steer a terminal
        pattern = TOOL.pattern if name.isprintable() else "(?!)"
        _one_of(name, pattern, "tool names with bars between, such as read_*|ls")
    return tuple(dict.fromkeys(names))


def _reset(text: str) -> tuple[str, ...]:
    events = [word.strip() for word in text.split("|")]
    for event in events:
        if event not in RESETS:
            raise UsageError(f"rule: no reset named {visible(event)[:40]!r}; there are {_near(event, RESETS)}")
    return tuple(event for event in RESETS if event in events)


def _settings(words: list[str]) -> tuple[tuple[str, str], ...]:
    """Read the gates of a scan, in one order and each number in one form: a rule has one spelling."""
    found: dict[str, str] = {}
    for word in words:
        name, _, value = (part.strip() for part in word.partition("="))
        if _one_of(name, r"[a-z_]{1,40}", "NAME=VALUE") in found:
            raise UsageError(f"rule: {name} is given twice")
        value = _one_of(value, r"[^\s,|()=@]{1,200}", "a value")
        found[name] = value.lstrip("0") or "0" if re.fullmatch("[0-9]+", value) else value
    return tuple(sorted(found.items()))


def _one_of(text: str, pattern: str, expected: str) -> str:
    if not re.fullmatch(pattern, text):
        raise UsageError(f"rule: expected {expected}, found {visible(text)[:40]!r}")
    return text


def _choice(*words: str) -> Callable[[str], str]:
    return lambda text: _one_of(text, "|".join(words), " or ".join(words))


def _whole(text: str, low: int, high: int, what: str) -> int:
    text = text.strip()
    if not re.fullmatch("[0-9]{1,10}", text) or not low <= int(text) <= high:
        raise UsageError(f"rule: expected {what} from {low} to {high:,}, found {visible(text)[:40]!r}")
    return int(text)


PARAMETERS: Mapping[str, Callable[[str], Any]] = {
    "unit": _choice("turn", "call"),
    "window": lambda text: _whole(text, 1, WIDEST, "a window"),
    "per": _key,
    "only": _test,
    "breaks": _test,
    "exempt": _tools,
    "reset": _reset,
    "seen": _test,
    "warm_up": lambda text: _whole(text, 2, WIDEST, "a warm-up"),
    "batch": _choice("each", "once"),
}

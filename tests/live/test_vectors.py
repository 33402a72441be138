"""Vectors prove something: they reach every threshold and tell each rule from those that a port could take for it."""

import pytest

from calib.detectors import detector, names
from calib.live import Monitor
from calib.live._drawing import LONG_LOOPS
from calib.live._mistakes import mistakes
from calib.live._vectors import called, reached, vectors
from calib.point import Point, Trigger, parse_point
from calib.rules import AnyOf, Rule, parse_rule
from calib.scanners import level_names, module, scan
from calib.tools import Map

EQUIVALENT = {
    "never": {f"run(never,reset={event})" for event in ("user", "compaction", "result", "idle", "wrote")}
    | {"run(never,unit=call)"},
    "search_run": {"run(reads,reset=idle)", "run(reads,reset=wrote)"},
    "no_action": {"run(idle,reset=result)", "run(idle,reset=wrote)"},
    "same_result": {"lag(results,1,reset=idle)"},
    "same_call_same_result": {"lag(call+result,1,reset=result)"},
    "call_burst": {f"count(call,reset={events})" for events in ("user|turn", "compaction|turn", "turn|idle")},
}
"""Other rules that no episode tells from a detector's own: what the event would end has ended already."""


def left(point: Point) -> dict[str, set[str]]:
    """The mistakes that the vectors of a point do not show, by detector."""
    found = {name: {str(wrong) for wrong in mistakes(detector(name).rule)} for name in point.thresholds}
    for vector in vectors(point, Map(), {}):
        for name, mistaken in [(name, mistaken) for name, mistaken in found.items() if mistaken]:
            monitor = Monitor(Point(tuple(Trigger(wrong, 1) for wrong in sorted(mistaken))))
            levels = [monitor.turn(**called(turn)) for turn in vector["turns"]]
            found[name] = {wrong for wrong in mistaken if [level[wrong] for level in levels] == vector["levels"][name]}
    return found


@pytest.mark.parametrize(
    "name",
    ["repeated_plan", "search_run", "cline_hard", "near_duplicate_plan", "same_failure", "unfixed", "gemini_tools",
     "hermes_same_tool_failure", "hermes_subagents_cap", "hermes_identical_cycle", "openrouter", "never", "no_action",
     "same_result", "same_call_same_result", "call_burst", "plan_cycle", "hermes_lines", "hermes_reasoning_guard"],
)  # fmt: skip
def test_a_port_with_one_mistake_differs(name: str) -> None:
    rule, default = detector(name).rule, detector(name).default
    point = Point((Trigger(name, default or 1),))
    assert isinstance(rule, Rule | AnyOf)
    assert left(point)[name] - EQUIVALENT.get(name, set()) == set()


@pytest.mark.parametrize("name", [name for name in names() if name != "never"])
def test_every_detector_reaches_its_threshold(name: str) -> None:
    default = detector(name).default or 1
    point = Point((Trigger(name, default),))
    assert reached(point, vectors(point, Map(), {}))[name] >= default


def test_some_text_reaches_every_level_of_a_scanner() -> None:
    for level, scanner in level_names().items():
        most = max(scan(scanner, text)[level] for text in LONG_LOOPS)
        assert most >= module(scanner).THRESHOLDS[level], level


def test_mistakes_differ_in_one_thing() -> None:
    rule = parse_rule("lag(call,1,exempt=a|b,reset=user)")
    found = {str(wrong) for wrong in mistakes(rule)}
    assert {
        "lag(call,2,exempt=a|b,reset=user)", "lag(written_call,1,exempt=a|b,reset=user)", "lag(call,1,reset=user)",
        "lag(call,1,exempt=a,reset=user)", "lag(call,1,exempt=a|b)", "lag(call,1,exempt=a|b,reset=user,batch=once)",
        "lag(call,1,exempt=a|b,reset=user|compaction)",
    } <= found  # fmt: skip
    assert str(rule) not in found


@pytest.mark.parametrize(
    "text", ["lag(calls,64)", "count(call,window=10000)", "count(call,window=5,warm_up=2)", "cycle(call,2..64)"]
)
def test_mistakes_stay_within_what_can_be_spelled(text: str) -> None:
    for wrong in mistakes(parse_rule(text)):
        assert parse_rule(str(wrong)) == wrong


def test_two_triggers_are_told_from_their_mistakes_together() -> None:
    point = parse_point("repeated_plan@7 | search_run@35")
    assert {name: wrong - EQUIVALENT.get(name, set()) for name, wrong in left(point).items()} == {
        "repeated_plan": set(), "search_run": set(),
    }  # fmt: skip

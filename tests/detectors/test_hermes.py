"""hermes' tool guardrails, on situations that its own tests and issues describe, drawn anew."""

import pytest

from calib.detectors import detector
from calib.evaluate import levels_of
from calib.rules import Rule
from tests import literal
from tests.evaluate.episodes import columns
from tests.literal import Called, Turned


def call(
    tool: str = "terminal", arguments: str = "make", result: str | None = "1 failed", failed: bool = True
) -> Turned:
    made = Called(tool, (tool, arguments), (tool, arguments), result, failed, 1 if result else None)
    return Turned(calls=[made], writes=tool in ("write_file", "patch"))


EDIT = call("write_file", "x", "written", False)
OK = call("terminal", "make", "fine", False)


def highest(name: str, *turns: Turned) -> int:
    rule = detector(name).rule
    assert isinstance(rule, Rule)
    levels = literal.levels(rule, turns)
    assert levels_of(rule, columns([list(turns)])).tolist() == levels
    return max(levels)


@pytest.mark.parametrize(
    ("name", "turns", "level"),
    [
        ("hermes_exact_failure", [call()] * 5, 5),
        ("hermes_exact_failure", [EDIT, call()] * 12, 1),  # fix and test again
        ("hermes_exact_failure", [*[call()] * 4, EDIT, *[call()] * 5], 5),
        ("hermes_exact_failure", [call(), OK, call()], 1),  # a success of the same call
        ("hermes_exact_failure", [call(), call(arguments="other"), call()], 2),  # others may lie between
        ("hermes_exact_failure", [call(arguments=str(n)) for n in range(12)], 1),
        ("hermes_same_tool_failure", [call(arguments=str(n)) for n in range(12)], 0),  # a shell's failures are its work
        ("hermes_same_tool_failure", [call("send_message", str(n)) for n in range(8)], 8),
        ("hermes_same_tool_failure", [call("a", str(n)) for n in range(3)] + [call("b"), call("a", "9")], 4),
        ("hermes_same_tool_failure", [call("a"), call("a", result="ok", failed=False), call("a")], 1),
        ("hermes_identical_streak", [call(failed=False)] * 4, 3),
        ("hermes_identical_streak", [call(arguments=str(n), failed=False) for n in range(5)], 0),
        ("hermes_identical_streak", [call(result=str(n), failed=False) for n in range(5)], 0),
        ("hermes_identical_streak", [call("process_manage")] * 9, 0),
        ("hermes_identical_streak", [call("mcp__jobs__job_poll")] * 9, 0),
        ("hermes_identical_streak", [call(), call(), call("process_manage"), call()], 1),
        ("hermes_identical_streak", [call(result=None)] * 5, 0),  # no text to compare
        ("hermes_no_progress", [call("read_file", result="text", failed=False)] * 5, 4),
        ("hermes_no_progress", [call("write_file", result="ok", failed=False)] * 5, 0),  # not a tool that only looks
        ("hermes_identical_cycle", [call("a"), call("b")] * 5, 4),
        ("hermes_identical_cycle", [call("a"), call("b", result="1"), call("a"), call("b", result="2")], 0),
        ("hermes_web_search_cap", [call("web_search", str(n)) for n in range(51)], 51),
        ("hermes_web_search_cap", [call("web_extract", str(n)) for n in range(51)], 0),
    ],
)
def test_levels(name: str, turns: list[Turned], level: int) -> None:
    assert highest(name, *turns) == level


@pytest.mark.parametrize("name", ["hermes_exact_failure", "hermes_identical_streak", "hermes_no_progress"])
def test_everything_starts_anew_when_the_user_speaks(name: str) -> None:
    before = call("read_file", "a")
    after = Turned(calls=before.calls, user=True)
    assert highest(name, before, before, after) < highest(name, before, before, before)

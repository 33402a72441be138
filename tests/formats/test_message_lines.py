"""Message per line: what is a message, what is not, times, the last message of a harness."""

from typing import Any

import pytest

from calib.formats.message_lines import recognises
from tests.formats.knowing import known_by, odd_values
from tests.formats.reading import column, told

SAID = {"role": "assistant", "content": "a"}


@pytest.mark.parametrize(
    ("value", "known"),
    [
        (SAID, True),
        ({"role": "assistant", "tool_calls": []}, True),
        ({"role": "assistant", "function_call": {}}, True),
        ({"role": "narrator", "content": None}, True),
        ({"role": "user", "message": {"content": []}}, False),
        ({"role": "gemini", "parts": [{"text": "a"}]}, False),
        ({"role": "assistant", "id": "m", "sessionID": "s"}, False),
        ({"role": "user", "content": "a", "messages": []}, False),
        ({"content": "a"}, False),
    ],
)
def test_what_is_a_message(value: dict[str, Any], known: bool) -> None:
    assert recognises(value) is known
    assert ("message_lines" in known_by(value)) is known


def test_recognising_survives_odd_values() -> None:
    for value in odd_values(SAID):
        recognises(value)


def test_records_that_are_no_messages() -> None:
    found = told("message_lines", [
        {"type": "run_start", "recursion_limit": 9, "prompt": "x" * 300, "timestamp": 1},
        SAID,
        {"type": "tool_progress", "percent": 5},
        {"type": "run_start", "recursion_limit": 8, "seed": 1},
    ])  # fmt: skip
    assert found.ignored == ["run_start", "tool_progress", "run_start"]
    assert found.notices == {"unknown-record-type": 1}
    facts = {"run_start.recursion_limit": 9, "tool_progress.percent": 5, "run_start.seed": 1}
    assert found.one.about.metadata == facts
    assert told("message_lines", [{"type": "run_start"}]).episodes == []
    assert told("message_lines", [{"text": "x"}, {"type": 5}]).rejected == [(1, "bad-message"), (2, "bad-message")]


def test_facts_go_to_the_episode_they_name() -> None:
    found = told("message_lines", [
        {"episode_id": "a", **SAID}, {"episode_id": "b", **SAID}, {"episode_id": "b", "type": "run_end", "steps": 2},
    ])  # fmt: skip
    assert {one.about.episode_id: one.about.metadata for one in found.episodes} == {"a": {}, "b": {"run_end.steps": 2}}


@pytest.mark.parametrize(
    ("times", "notices"),
    [
        (["2026-01-22T10:00:00Z", "2026-01-22T10:00:00+00:00", "2026-01-22T10:00:01"], {}),
        (["2026-01-22T10:00:00+02:00", "2026-01-22T09:00:00Z"], {}),
        ([1769076000, 1769076000500, None, 1769076001.5], {}),
        ([1769076001, 1769076000500], {"time-went-back": 1}),
        (["2026-01-22T10:00:01Z", "2026-01-22T10:00:00Z", "2026-01-22T10:00:00.5Z"], {"time-went-back": 1}),
        (["yesterday", True, [], ""], {"bad-timestamp": 4}),
    ],
)
def test_times(times: list[Any], notices: dict[str, int]) -> None:
    assert told("message_lines", [{**SAID, "timestamp": time} for time in times]).notices == notices


def test_how_it_ended() -> None:
    end = {"role": "exit", "content": "x", "extra": {"exit_status": "Submitted"}}
    found = told("message_lines", [SAID, end])
    assert (column("text", found.one), found.one.about.stop_reason) == (["a"], "Submitted")
    found = told("message_lines", [{**SAID, "stop_reason": "turn_limit"}, end])
    assert found.one.about.stop_reason == "turn_limit"


def test_a_result_before_the_first_turn_is_counted_with_it() -> None:
    said = [{"role": "tool", "tool_call_id": "c", "content": "x"}, {"role": "assistant", "content": "a"}] * 2
    episode = told("message_lines", said).one
    assert column("orphans", episode) == [2, 0]


def test_steps_of_a_graph_are_responses_and_rounds_of_tools() -> None:
    call = {"id": "c", "function": {"name": "f", "arguments": "{}"}}
    said = [{"type": "run_start", "recursion_limit": 3},
            {"role": "assistant", "content": None, "tool_calls": [call, call]},
            {"role": "tool", "content": "x"}, {"role": "tool", "content": "y"},
            {"role": "assistant", "content": "a"}]  # fmt: skip
    about = told("message_lines", said).one.about
    assert (about.n_steps, about.step_limit, about.turn_limit) == (3, 3, None)
    assert told("message_lines", said[1:]).one.about.step_limit is None


def test_sessions_in_one_file_are_episodes_of_their_own() -> None:
    said = [("user", None), ("assistant", "s1"), ("assistant", "s2"), ("assistant", None), ("assistant", "s1")]
    lines = [{"role": role, "content": f"{at}", **({"session_id": of} if of else {})}
             for at, (role, of) in enumerate(said)]  # fmt: skip
    found = told("message_lines", lines, "d.jsonl")
    assert [(one.about.episode_id, column("text", one)) for one in found.episodes] == [
        (None, ["1", "4"]), ("d.jsonl#s2", ["2", "3"]),
    ]  # fmt: skip
    assert column("user_before", found.episodes[0]) == [True, False]
    assert found.notices == {"session-changes": 1, "mixed-sessions": 1}


@pytest.mark.parametrize(
    ("record", "ending"),
    [
        ({"stop_reason": "max_turns", "outcome": "pass"}, ("pass", "max_turns", None)),
        ({"exit_reason": "max_turns", "resolved": False, "max_turns": 3}, ("failed", "max_turns", 3)),
        ({"success": True, "reward": 0.5}, ("passed", None, None)),
        ({"reward": 0.5}, ("failed", None, None)),
        ({"score": 0.5}, (None, None, None)),
        ({"score": 1}, ("passed", None, None)),
        ({"is_correct": False, "stop_condition": "max_turns_reached"}, ("failed", "max_turns_reached", None)),
    ],
)
def test_a_record_of_the_run_tells_its_end(record: dict[str, Any], ending: tuple[Any, ...]) -> None:
    lines = [{"role": "assistant", "content": "a"}, {"type": "run_end", **record}]
    about = told("message_lines", lines).one.about
    assert (about.outcome, about.stop_reason, about.turn_limit) == ending


@pytest.mark.parametrize(
    ("record", "task"),
    [({"task_id": 7}, "7"), ({"instance_id": "i"}, "i"), ({"task": "t", "task_id": "u", "instance_id": "i"}, "t"),
     ({"task_id": "", "instance_id": "i"}, "i"), ({"id": "x"}, None)],
)  # fmt: skip
def test_the_task_under_other_names(record: dict[str, Any], task: str | None) -> None:
    assert told("episode_lines", [{"messages": [], **record}]).one.about.task == task
    lines = [{"role": "assistant", "content": "a"}, {"type": "run_start", **record}]
    assert told("message_lines", lines).one.about.task == task


def test_verdicts_that_disagree_are_told_and_not_believed() -> None:
    lines = [{"role": "assistant", "content": "a"}, {"type": "run_end", "outcome": "pass", "resolved": False}]
    found = told("message_lines", lines)
    assert (found.one.about.outcome, found.notices["label-conflict"]) == (None, 1)
    other = told("episode_lines", [{"messages": [], "success": True, "resolved": False}])
    assert (other.one.about.outcome, other.notices["label-conflict"]) == (None, 1)
    assert other.one.about.metadata == {"success": True, "resolved": False}


STEP = {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "function": {"name": "ls", "arguments": "{}"}}]}
ASKED = {"role": "user", "content": "You've reached the maximum number of tool-calling iterations allowed. Please"}
GUARD = {"role": "assistant", "content": "I stopped retrying ls because it hit the tool-call guardrail (x)."}
SUMMED = {"role": "assistant", "content": "[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns."}
ENDED = {"role": "assistant", "content": "So."}


@pytest.mark.parametrize(
    ("lines", "texts", "stop"),
    [
        ([STEP, ENDED], ["", "So."], None),
        ([STEP, ASKED, ENDED], [""], "max_iterations_reached"),
        ([STEP, ASKED, STEP, ENDED], ["", ""], "max_iterations_reached"),
        ([STEP, ASKED, ENDED, {"role": "user", "content": "Go on."}, ENDED], ["", "So."], None),
        ([STEP, GUARD], [""], "guardrail_halt"),
        ([STEP, SUMMED, ENDED], ["", "So."], None),
    ],
)
def test_an_old_session_of_hermes(lines: list[Any], texts: list[str], stop: str | None) -> None:
    head = {"role": "session_meta", "model": "m", "platform": "cli", "tools": []}
    found = told("message_lines", [head, {"role": "user", "content": "Go."}, *lines])
    assert column("text", found.one) == texts
    assert (found.one.about.model, found.one.about.stop_reason) == ("m", stop)
    assert column("after_compaction", found.one)[1:] == [SUMMED in lines] * (len(texts) - 1)
    assert "unknown-role" not in found.notices
    plain = told("message_lines", [{"role": "user", "content": "Go."}, *lines]).one  # anyone else may say so
    assert len(plain.turns) == sum(line["role"] == "assistant" for line in lines)

"""Codex sessions in all four shapes: turns by pencil, forks, compaction, the open cases, the open files."""

import json
from pathlib import Path
from typing import Any

import pytest

from calib.formats.codex import recognises
from tests.formats.reading import Told, calls, column, ingested, silent, told, written

SHARED = Path(__file__).parents[2].parent / "shared"
CHILD = "019f0000-0000-7000-8000-000000000001"
PARENT = "019e0000-0000-7000-8000-000000000001"
OLD_TASK, NEW_TASK = "019e1000-0000-7000-8000-000000000002", "019f0000-0100-7000-8000-000000000003"


def line(kind: str, at: str = "00", **payload: Any) -> dict[str, Any]:
    return {"timestamp": f"2026-06-15T10:00:{at}Z", "type": kind, "payload": payload}


def item(kind: str, **payload: Any) -> dict[str, Any]:
    return line("response_item", type=kind, **payload)


def event(kind: str, at: str = "00", **payload: Any) -> dict[str, Any]:
    return line("event_msg", at, type=kind, **payload)


def said(text: str, role: str = "assistant") -> dict[str, Any]:
    part = {"type": "output_text" if role == "assistant" else "input_text", "text": text}
    return item("message", role=role, content=[part])


def thought(*summary: str, **more: Any) -> dict[str, Any]:
    parts = [{"type": "summary_text", "text": text} for text in summary]
    return item("reasoning", **{"summary": parts, "content": None, "encrypted_content": "gAAA=", **more})


def call(call_id: str, name: str = "exec_command", arguments: str = '{"cmd":"ls"}', **more: Any) -> dict[str, Any]:
    return item("function_call", call_id=call_id, name=name, arguments=arguments, **more)


def output(call_id: str, text: Any) -> dict[str, Any]:
    return item("function_call_output", call_id=call_id, output=text)


def head(session: str = "x", at: str = "00", **more: Any) -> dict[str, Any]:
    return line("session_meta", at, id=session, cli_version="0.140.0", **more)


TOKENS = event("token_count", info={"total_token_usage": {"input_tokens": 7, "output_tokens": 3}})
ROLLOUT = [
    head("x", source="cli", originator="codex-tui", git={"branch": "main"}),
    event("task_started", turn_id="t1"),
    said("<environment_context>here</environment_context>", "user"),
    line("turn_context", model="m-1", effort="high", sandbox_policy={"type": "read-only"}),
    said("Go.", "user"),
    thought(),
    said("Looking."),
    call("k1"),
    call("k2", arguments='{"cmd":"cat a"}'),
    output("k1", "Chunk ID: ab\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\na"),
    output("k2", "Chunk ID: cd\nWall time: 0.2 seconds\nProcess exited with code 1\nOutput:\n"),
    TOKENS,
    thought("Look at a."),
    call("k1"),
    output("k1", "Chunk ID: ef\nWall time: 9.9 seconds\nProcess exited with code 0\nOutput:\na"),
    TOKENS,
    said("Done."),
    TOKENS,
    event("task_complete", turn_id="t1"),
]


def test_a_rollout() -> None:
    found = told("codex", ROLLOUT)
    episode = found.one
    assert column("state", episode) == ["encrypted", "recorded", "absent"]  # the last response carried no item
    assert column("kind", episode) == [None, "summary", None]
    assert column("reasoning", episode) == [None, "Look at a.", None]
    assert column("text", episode) == ["Looking.", None, "Done."]
    assert column("user_before", episode) == [True, False, False]
    assert column("same_calls", episode) == [0, 1, None]
    assert calls(episode, "turn", "tool", "is_error") == [
        (0, "exec_command", False), (0, "exec_command", True), (1, "exec_command", False),
    ]  # fmt: skip
    assert calls(episode, "result_head")[0] == ("Process exited with code 0\nOutput:\na",)
    about = episode.about
    assert (about.episode_id, about.model, about.stop_reason, about.outcome) == ("x", "m-1", "task_complete", None)
    assert about.metadata == {
        "cli_version": "0.140.0", "source": "cli", "originator": "codex-tui", "git.branch": "main", "effort": "high",
        "sandbox": "read-only", "tasks": 1, "input_tokens": 7, "output_tokens": 3,
    }  # fmt: skip
    assert found.notices == {"call-id-reused": 1}
    assert not found.ignored
    assert not found.rejected


def test_results_that_differ_only_in_their_header_are_the_same() -> None:
    records = [part for name in "ab" for part in (
        call(name), output(name, f"Chunk ID: {name}\nWall time: 1.{ord(name)} seconds\nProcess exited with code 0\nx")
    )]  # fmt: skip
    assert column("same_results", told("codex", records).one) == [0, 0]


@pytest.mark.parametrize(
    ("text", "head", "failed"),
    [
        ('{"output":"a","metadata":{"exit_code":3,"duration_seconds":0.1}}', "a", True),
        ('{"output":"a","metadata":{"exit_code":0}}', "a", False),
        ('{"output":"a"}', '{"output":"a"}', None),
        ('{"output', '{"output', None),
        ("Exit code: 0\nWall time: 0 seconds\nOutput:\nOk", "Exit code: 0\nWall time: 0 seconds\nOutput:\nOk", False),
        ("Wall time: 4.3 seconds\nOutput:\n{}", "Output:\n{}", None),
        ("Plan updated", "Plan updated", None),
        ("failed in sandbox None with execution error", "failed in sandbox None with execution error", True),
        ({"content": "boom", "success": False}, "boom", True),
        ([{"type": "input_text", "text": "a"}, {"type": "input_image"}], "a", None),
        (None, "", None),
    ],
)
def test_results(text: Any, head: str, failed: bool | None) -> None:
    episode = told("codex", [call("k"), output("k", text)]).one
    assert calls(episode, "result_head", "is_error") == [(head, failed)]


@pytest.mark.parametrize(
    ("reasoning", "expected"),
    [
        (thought(), (None, "encrypted", None)),
        (thought(encrypted_content=None), (None, "withheld", None)),
        (thought("a", "b"), ("a\n\nb", "recorded", "summary")),
        (thought("a", content=[{"type": "reasoning_text", "text": "raw"}]), ("raw", "recorded", "native")),
        (thought(" "), (None, "encrypted", None)),
    ],
)
def test_reasoning(reasoning: dict[str, Any], expected: tuple[Any, ...]) -> None:
    episode = told("codex", [reasoning, said("x")]).one
    assert tuple(column(name, episode)[0] for name in ("reasoning", "state", "kind")) == expected


def test_equal_ciphertext_is_no_equal_reasoning() -> None:
    episode = told("codex", [thought(), call("a"), output("a", "1"), thought(), call("b")]).one
    assert column("same_reasoning", episode) == [None, None]


@pytest.mark.parametrize(
    ("between", "turns"),
    [
        ([], 1),
        ([TOKENS], 2),
        ([output("k", "1")], 2),
        ([said("more", "user")], 2),
        ([said("mind", "developer")], 2),
        ([event("turn_aborted", reason="interrupted")], 2),
        ([line("compacted", message="", replacement_history=[said("old")["payload"]])], 2),
        ([event("agent_message", message="x")], 1),
        ([event("agent_reasoning", text="x")], 1),
        ([TOKENS, TOKENS], 2),
    ],
)
def test_what_ends_a_response(between: list[Any], turns: int) -> None:
    assert len(told("codex", [thought(), call("k"), *between, call("l")]).one.turns) == turns


def test_replaced_history_is_not_counted_and_marks_the_next_turn() -> None:
    old = [said(text)["payload"] for text in "ab"]
    found = told("codex", [head(), said("a"), said("u", "user"), line("compacted", replacement_history=old), said("c")])
    assert column("text", found.one) == ["a", "c"]
    assert column("after_compaction", found.one) == [False, True]
    assert found.one.about.metadata["compactions"] == 1


@pytest.mark.parametrize(
    "text",
    ["# AGENTS.md instructions for /x", "<environment_context>", "\n<turn_aborted>", "<user_instructions>",
     "<permissions instructions>", "<subagent_notification>", "<skill>", "<ENVIRONMENT_CONTEXT>", "<model_switch>",
     "<collaboration_mode>", "<user_shell_command>"],
)  # fmt: skip
def test_what_the_harness_says_as_user_is_no_user(text: str) -> None:
    assert column("user_before", told("codex", [said("a"), said(text, "user"), said("b")]).one) == [False, False]


def test_a_user_who_speaks_beside_what_the_harness_says() -> None:
    parts = [{"type": "input_text", "text": text} for text in ("<environment_context>x", "Go on.")]
    spoken = item("message", role="user", content=parts)
    assert column("user_before", told("codex", [said("a"), spoken, said("b")]).one) == [False, True]


@pytest.mark.parametrize(
    "text",
    ["failed in sandbox x", "execution error: x", "exec_command failed", "apply_patch verification failed: x",
     "failed to parse function arguments: x", "unsupported call: f"],
)  # fmt: skip
def test_calls_that_could_not_be_run_failed(text: str) -> None:
    assert calls(told("codex", [call("k"), output("k", text)]).one, "is_error") == [(True,)]


def test_each_user_request_of_a_rollout_is_marked() -> None:
    tasks = [[event("task_started"), said(f"{at}", "user"), said("a"), said("b"), TOKENS] for at in range(2)]
    episode = told("codex", [head(), *tasks[0], event("task_complete"), *tasks[1]]).one
    assert column("user_before", episode) == [True, True]
    assert (episode.about.metadata["tasks"], episode.about.stop_reason) == (2, None)


def test_turns_that_were_rolled_back_stay_and_are_counted() -> None:
    found = told("codex", [head(), said("a"), event("thread_rolled_back", num_turns=1), said("b")])
    assert column("text", found.one) == ["a", "b"]
    assert found.one.about.metadata["rollbacks"] == 1
    assert not found.ignored


@pytest.mark.parametrize(
    ("events", "stop"),
    [
        ([event("turn_complete")], "turn_complete"),
        ([event("turn_complete"), event("turn_started")], None),
        ([event("turn_aborted")], "turn_aborted"),
        ([event("turn_aborted", reason="interrupted"), event("task_complete")], "interrupted"),
    ],
)
def test_other_names_of_the_end_of_a_task(events: list[Any], stop: str | None) -> None:
    assert told("codex", [head(), said("a"), *events]).one.about.stop_reason == stop


def test_a_head_may_name_the_session_only_and_the_model_may_change() -> None:
    first = line("session_meta", session_id="y")
    models = [line("turn_context", model=model) for model in ("m-1", "m-1", "m-2")]
    about = told("codex", [first, models[0], said("a"), *models[1:], said("b")]).one.about
    assert (about.episode_id, about.model, about.metadata["models"]) == ("y", "m-1", ["m-1", "m-2"])


def test_tokens_are_those_of_each_call_once_and_a_count_may_tell_none() -> None:
    def counted(tokens: int | None) -> dict[str, Any]:
        last = {"last_token_usage": {"output_tokens": tokens, "reasoning_output_tokens": 1}}
        return event("token_count", info=None if tokens is None else last)

    records = [
        call("a"), output("a", "1"), counted(5), counted(9),  # the second one belongs to no response
        call("b"), counted(None), said("c"), counted(7),
    ]  # fmt: skip
    episode = told("codex", [head(), *records]).one
    assert column("output_tokens", episode) == [5, None, 7]


def test_names_and_free_text() -> None:
    records = [
        call("a", "_fetch_pr", "{}", namespace="mcp__apps__github"),
        item("custom_tool_call", call_id="b", name="apply_patch", input="*** Begin Patch"),
        item("local_shell_call", call_id="c", action={"type": "exec", "command": ["ls"]}),
        item("web_search_call", action={"type": "search", "query": "q"}),
        item("tool_search_call", call_id="d", arguments={"query": "q"}),
        item("custom_tool_call_output", call_id="b", output="ok"),
        item("tool_search_output", call_id="d", tools=[{"name": "t"}]),
    ]
    found = told("codex", records)
    assert calls(found.one, "tool", "arguments", "result_head") == [
        ("mcp__apps__github__fetch_pr", "{}", None),
        ("apply_patch", "*** Begin Patch", "ok"),
        ("local_shell", '{"command":["ls"],"type":"exec"}', None),
        ("web_search", '{"query":"q","type":"search"}', None),
        ("tool_search", '{"query":"q"}', '[{"name":"t"}]'),
    ]
    assert found.notices == {"missing-tool-result": 3}


@pytest.mark.parametrize(
    ("events", "stop"),
    [
        ([event("task_complete")], "task_complete"),
        ([event("turn_aborted", reason="interrupted")], "interrupted"),
        ([event("turn_aborted", reason="interrupted"), event("task_started")], None),
        ([event("error", message="m", codex_error_info="context_window_exceeded")], "context_window_exceeded"),
        ([event("error", message="m", codex_error_info={"response_too_many_failed_attempts": {}}),
          event("task_complete")], "response_too_many_failed_attempts"),
        ([], None),
    ],
)  # fmt: skip
def test_stop_reason(events: list[Any], stop: str | None) -> None:
    assert told("codex", [head(), said("a"), *events]).one.about.stop_reason == stop


def test_what_is_not_known_is_counted() -> None:
    found = told("codex", [head(), item("hologram", x=1), line("world_state", full=True), event("hum"), line("new")])
    assert found.ignored == ["hologram", "world_state", "event_msg.hum", "new"]
    assert found.notices == {"unknown-record-type": 2}
    assert found.one.turns == []


def fork(*own: Any, **more: Any) -> Told:
    copied = [
        head(PARENT, "00"), event("task_started", turn_id=OLD_TASK), said("old user", "user"), said("old"),
        TOKENS, event("task_complete", turn_id=OLD_TASK), line("turn_context", turn_id=OLD_TASK, model="old-model"),
    ]  # fmt: skip
    return told("codex", [head(CHILD, **more), *copied, *own])


@pytest.mark.parametrize("more", [{"forked_from_id": PARENT}, {"parent_thread_id": PARENT}, {}], ids=str)
def test_the_copied_history_of_a_fork_is_not_counted(more: dict[str, Any]) -> None:
    found = fork(event("task_started", turn_id=NEW_TASK), said("new"), **more)
    assert column("text", found.one) == ["new"]
    assert found.one.about.episode_id == CHILD
    assert found.one.about.parent == more.get("parent_thread_id")
    assert found.one.about.model is None
    assert found.one.about.metadata["tasks"] == 1
    assert found.ignored == ["copied-history"] * 7


def test_a_fork_whose_ids_hold_no_time_is_cut_by_the_time_of_writing() -> None:
    records = [
        head("f", forked_from_id="p"),
        head("p"),
        said("old"),
        {**said("new"), "timestamp": "2026-06-15T10:00:09Z"},
    ]
    found = told("codex", records)
    assert column("text", found.one) == ["new"]
    assert told("codex", [{**record, "timestamp": "?"} for record in records]).episodes[-1].turns  # unsure: kept


def test_a_subagent_names_its_parent() -> None:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": PARENT, "depth": 1}}}
    found = told(
        "codex", [head(CHILD, source=source), head(PARENT), event("task_started", turn_id=NEW_TASK), said("a")]
    )
    assert (found.one.about.parent, found.one.about.episode_id, len(found.one.turns)) == (PARENT, CHILD, 1)


def test_sessions_one_after_the_other_are_episodes_of_their_own() -> None:
    found = told("codex", [head("a"), said("1"), said("u", "user"), said("2"), head("b", "59"), said("3"), head("b")])
    assert [(episode.about.episode_id, len(episode.turns)) for episode in found.episodes] == [("a", 2), ("b", 1)]


BARE = [
    {"id": "old", "timestamp": "2025-08-06T18:02:11Z", "instructions": "be good", "git": {"branch": "b"}},
    {"record_type": "state"},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Go."}]},
    {"record_type": "state"},
    {"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": None},
    {"type": "function_call", "id": "fc", "name": "shell", "arguments": "{}", "call_id": "c"},
    {"type": "function_call_output", "call_id": "c", "output": '{"output":"x","metadata":{"exit_code":0}}'},
    {"record_type": "state"},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]},
]


def test_an_old_rollout() -> None:
    found = told("codex", BARE)
    assert found.one.about.episode_id == "old"
    assert found.one.about.metadata["git.branch"] == "b"
    assert column("state", found.one) == ["withheld", "absent"]
    assert calls(found.one, "tool", "result_head", "is_error") == [("shell", "x", False)]
    assert found.ignored == ["state"] * 3


def ran(kind: str, call_id: str, **more: Any) -> dict[str, Any]:
    return {"type": f"item.{kind}", "item": {"id": call_id, **more}}


def command(kind: str, call_id: str, text: str = "", code: int | None = None) -> dict[str, Any]:
    told = {
        "command": "ls",
        "aggregated_output": text,
        "exit_code": code,
        "status": "completed" if code == 0 else "failed",
    }
    return ran(kind, call_id, type="command_execution", **told)


EXEC = [
    {"type": "thread.started", "thread_id": "e"},
    {"type": "turn.started"},
    ran("completed", "i0", type="reasoning", text="**Look**"),
    command("started", "i1"),
    command("started", "i2"),
    command("completed", "i1", "a", 0),
    command("completed", "i2", "b", 1),
    command("started", "i3"),
    command("completed", "i3", "a", 0),
    ran("completed", "i4", type="agent_message", text="Done."),
    {"type": "turn.completed", "usage": {"input_tokens": 5, "output_tokens": 2}},
]


def test_exec_json() -> None:
    found = told("codex", EXEC)
    episode = found.one
    assert column("reasoning", episode) == ["**Look**", None, None]
    assert column("kind", episode)[0] == "summary"
    assert column("text", episode) == [None, None, "Done."]
    assert calls(episode, "turn", "result_head", "is_error") == [(0, "a", False), (0, "b", True), (1, "a", False)]
    assert column("user_before", episode) == [True, False, False]
    about = episode.about
    assert (about.episode_id, about.stop_reason, about.metadata["input_tokens"]) == ("e", "turn.completed", 5)


def test_exec_json_of_other_tools() -> None:
    found = told("codex", [
        ran("completed", "a", type="file_change", changes=[{"path": "x", "kind": "add"}], status="completed"),
        ran("started", "b", type="mcp_tool_call", server="s", tool="t", arguments={"q": 1}, status="in_progress"),
        ran("completed", "b", type="mcp_tool_call", server="s", tool="t", arguments={"q": 1}, status="failed",
            error={"message": "boom"}),
        ran("completed", "c", type="web_search", query="q"),
        ran("updated", "d", type="todo_list", items=[]),
        ran("completed", "e", item_type="assistant_message", text="hi"),
        {"type": "turn.failed", "error": {"message": "m"}},
    ])  # fmt: skip
    assert calls(found.one, "tool", "arguments", "result_head", "is_error") == [
        ("apply_patch", '{"changes":[{"kind":"add","path":"x"}]}', "", False),
        ("mcp__s__t", '{"q":1}', "boom", True),
        ("web_search", '{"query":"q"}', "", None),
    ]
    assert found.one.about.stop_reason == "turn.failed"
    assert found.ignored == ["item.updated"]


def logged(kind: str, **message: Any) -> dict[str, Any]:
    payload = {"id": "1", "msg": {"type": kind, **message}}
    return {"ts": "2025-08-09T15:51:04Z", "dir": "to_tui", "kind": "codex_event", "payload": payload}


LOG = [
    {"ts": "t", "dir": "meta", "kind": "session_start", "cwd": "/w", "model": "m", "model_provider_id": "p"},
    logged("session_configured", session_id="s", model="m"),
    {"ts": "t", "dir": "from_tui", "kind": "op", "payload": {"type": "user_input", "items": []}},
    {"ts": "t", "dir": "to_tui", "kind": "app_event", "variant": "Redraw"},
    logged("task_started"),
    logged("agent_reasoning", text="**Look**"),
    logged("agent_message_delta", delta="x"),
    logged("exec_command_begin", call_id="a", command=["ls"], cwd="/w"),
    logged("exec_command_end", call_id="a", stdout="x", stderr="", exit_code=0),
    logged("exec_command_begin", call_id="b", command=["ls"], cwd="/w"),
    logged("token_count", info=None),
    logged("exec_command_end", call_id="b", stdout="", stderr="no", exit_code=2),
    logged("agent_message", message="Done."),
    logged("token_count", info=None),
    logged("task_complete"),
    {"ts": "t", "dir": "meta", "kind": "session_end"},
]


def test_events_without_the_envelope_of_the_log_are_told_as_well() -> None:
    bare = [record["payload"] for record in LOG if record.get("kind") == "codex_event"]
    assert all(recognises(record) for record in bare)
    assert column("text", told("codex", bare).one) == column("text", told("codex", LOG).one)


def test_a_session_log() -> None:
    found = told("codex", LOG)
    assert column("reasoning", found.one) == ["**Look**", None]
    assert column("text", found.one) == [None, "Done."]
    assert calls(found.one, "turn", "result_head", "is_error") == [(0, "x", False), (0, "no", True)]
    assert column("user_before", found.one) == [True, False]
    about = found.one.about
    assert (about.episode_id, about.model, about.stop_reason) == ("s", "m", "task_complete")
    assert found.ignored == ["app_event", "event.agent_message_delta", "session_end"]


SHAPES: dict[str, list[Any]] = {"rollout": ROLLOUT, "bare": BARE, "exec": EXEC, "log": LOG}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_file_is_recognised(shape: str, tmp_path: Path) -> None:
    read = ingested(tmp_path, [written(tmp_path, "d.json", SHAPES[shape])])
    assert [(source["format"], source["account"]["rejected"]) for source in read.sources] == [("codex", {})]
    assert len(read.tables["turns"]) == len(told("codex", SHAPES[shape]).one.turns)


@pytest.mark.parametrize(
    "value",
    [None, 1, "x", [], {}, {"type": "user"}, {"type": []}, {"dir": [], "kind": "x", "ts": 1}, {"msg": 1}, {"msg": {}},
     {"type": "reasoning", "summary": []}, {"role": "user", "content": "x"}, {"payload": {}, "type": "x"},
     {"type": "message", "content": "x"}, {"type": "assistant", "message": {}}, {"record_type": {}}],
)  # fmt: skip
def test_other_values_are_not(value: Any) -> None:
    assert not recognises(value)


WHEN = ("timestamp", "ts", "dir", "payload.id", "payload.content.type", "payload.summary.type", "content.type")
SILENT = {
    "rollout": {
        "event_msg/task_complete: payload.turn_id", "event_msg/task_started: payload.turn_id",
        "event_msg/token_count: payload.info.total_token_usage.input_tokens",  # the last counts
        "event_msg/token_count: payload.info.total_token_usage.output_tokens",
        "event_msg/token_count: payload.type", "event_msg/token_count: type",  # the turn had ended with its output
        "response_item/message/user: payload.content.text", "response_item/message/user: payload.role",
        "response_item/message/user: payload.type", "response_item/message/user: type",  # of what is injected
        "response_item/reasoning: payload.encrypted_content",
    },
    "bare": {": instructions", ": record_type", "function_call: id", "message/user: content.text", "reasoning: id"},
    "exec": {
        "item.completed/agent_message: item.id", "item.completed/reasoning: item.id",
        "item.completed/command_execution: item.command",  # told by its begin
        "item.completed/command_execution: item.status",  # the exit code says it
        "item.started/command_execution: item.aggregated_output", "item.started/command_execution: item.exit_code",
        "item.started/command_execution: item.status", "item.started/command_execution: item.type",
        "item.started/command_execution: type",  # of the call that runs alone
    },
    "log": {
        "app_event: kind", "app_event: variant", "codex_event/agent_message_delta: kind",
        "codex_event/agent_message_delta: payload.msg.delta", "codex_event/agent_message_delta: payload.msg.type",
        "codex_event/exec_command_begin: payload.msg.cwd", "codex_event/token_count: kind",
        "codex_event/token_count: payload.msg.info", "codex_event/token_count: payload.msg.type",  # the last one
        "session_end: kind",
    },
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_no_field_that_matters_is_dropped(shape: str) -> None:
    found = {place for place in silent("codex", SHAPES[shape]) if place.split(": ")[1] not in WHEN}
    assert found == SILENT[shape]


def test_a_torn_line_costs_itself() -> None:
    lines = [json.dumps(record).encode() + b"\n" for record in ROLLOUT]
    found = told("codex", [*lines[:6], lines[6][:40] + b"\n", *lines[7:]])
    assert found.rejected == [(7, "json-truncated")]
    assert len(found.one.turns) == 3


def case(number: str) -> dict[str, Any]:
    (path,) = (SHARED / "cases").glob(f"{number}-*.json")
    value: dict[str, Any] = json.loads(path.read_text())
    return value


@pytest.mark.skipif(not (SHARED / "cases").is_dir(), reason="no ../shared/cases")
@pytest.mark.parametrize("number", ["075", "110"])
def test_open_cases(number: str, tmp_path: Path) -> None:
    told_case = case(number)
    path = tmp_path / "case.jsonl"
    path.write_bytes(("\n".join(told_case["input"]) + "\n").encode())
    read = ingested(tmp_path, [path])
    assert read.sources[0]["notices"] == {}
    expect = told_case["expect"]
    assert len(read.tables["rejects"]) == expect["records"]["rejected"]
    assert [(row["line"], row["code"]) for row in read.tables["rejects"]] == [
        (issue["line"], issue["code"]) for issue in expect["issues"]
    ]
    assert len(read.tables["episodes"]) == len(expect["episodes"])
    (episode,) = expect["episodes"]
    turns, made = read.tables["turns"], read.tables["calls"]
    assert len(turns) == episode["assistant_turns"]
    assert len(made) == episode["tool_calls"]
    assert sum(row["result_chars"] is not None for row in made) == episode["tool_results"]
    states = [row["reasoning_kind"] or row["reasoning_state"] for row in turns]
    assert states == episode.get("reasoning_state", ["encrypted"])
    assert all(row["same_reasoning_as"] in (None, row["turn"]) for row in turns)


OPEN = {  # turns, calls, results, states: counted from the lines without the reader
    "019ed50c-2fb3-7002-a384-360bea6e7f04": (55, 105, 101, {"encrypted": 50, "absent": 5}),
    "019ed836-b1da-78f1-8a0c-e598363d10f4": (11, 23, 21, {"withheld": 9, "absent": 2}),
    "019f05f8-7f53-7492-a941-83098e16765c": (61, 111, 111, {"encrypted": 45, "absent": 16}),
    "05997ac9-0e06-4251-8576-cc16266d3022": (27, 26, 26, {"withheld": 25, "recorded": 2}),
}


@pytest.mark.skipif(not (SHARED / "corpora").is_dir(), reason="no ../shared/corpora")
def test_open_files(tmp_path: Path) -> None:
    read = ingested(tmp_path, sorted((SHARED / "corpora" / "codex").rglob("*.jsonl")))
    assert {source["format"] for source in read.sources} == {"codex"}
    found = {}
    for row in read.tables["episodes"]:
        turns, made = read.of(row["episode_id"]), read.of(row["episode_id"], "calls")
        states = [turn["reasoning_state"] for turn in turns]
        found[row["episode_id"]] = (
            len(turns), len(made), sum(one["result_chars"] is not None for one in made),
            {state: states.count(state) for state in dict.fromkeys(states)},
        )  # fmt: skip
    assert found == OPEN
    assert not read.tables["rejects"]

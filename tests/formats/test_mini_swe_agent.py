"""mini-swe-agent: version 2, version 1, bare lists, raw responses, limits, the open files."""

import json
from pathlib import Path
from typing import Any

import pytest

from calib.formats.mini_swe_agent import recognises
from tests.formats.perturbing import unheard
from tests.formats.reading import calls, column, ingested, told

SHARED = Path(__file__).parents[2].parent / "shared"
OPEN = SHARED / "corpora" / "mini_swe_agent"
Message = dict[str, Any]


def answers(content: str | None, command: str = "", call_id: str = "k", **more: Any) -> Message:
    function = {"name": "bash", "arguments": json.dumps({"command": command})}
    listed = [{"index": 0, "id": call_id, "type": "function", "function": function}] if command else None
    extra = {"actions": [], "response": {"model": "m-1"}, "cost": 0.1, "timestamp": 1.5}
    return {"role": "assistant", "content": content, "tool_calls": listed, "extra": extra, **more}


def sees(text: str, code: int = 0, call_id: str = "k") -> Message:
    return {"role": "tool", "content": text, "tool_call_id": call_id, "extra": {"returncode": code, "timestamp": 1.5}}


EXIT = {"role": "exit", "content": "diff", "extra": {"exit_status": "Submitted", "submission": "diff"}}
MESSAGES = [
    {"role": "system", "content": "s"},
    {"role": "user", "content": "fix it"},
    answers("I look.", "ls", reasoning_content="Plan."),
    sees("a.py"),
    answers("", "cat b", reasoning_content=" "),
    sees("no such file", 1),
    answers("Done.", "submit"),
    EXIT,
]
AGENT = {"step_limit": 3, "cost_limit": 2.0}
FILE = {
    "trajectory_format": "mini-swe-agent-1.1", "instance_id": "repo__1", "messages": MESSAGES,
    "info": {
        "exit_status": "Submitted", "mini_version": "2.2.7", "model_stats": {"api_calls": 3, "instance_cost": 0.5},
        "config": {"agent": AGENT, "model": {"model_name": "m-2"}},
    },
}  # fmt: skip


def test_version_2() -> None:
    episode = told("mini_swe_agent", [FILE]).one
    assert column("reasoning", episode) == ["Plan.", " ", None]
    assert column("state", episode) == ["recorded", "empty", "absent"]
    assert column("kind", episode) == ["native", None, None]
    assert column("text", episode) == ["I look.", "", "Done."]
    assert column("user_before", episode) == [True, False, False]
    assert calls(episode, "tool", "arguments", "result_head", "is_error") == [
        ("bash", '{"command": "ls"}', "a.py", False),
        ("bash", '{"command": "cat b"}', "no such file", True),
        ("bash", '{"command": "submit"}', None, None),
    ]
    about = episode.about
    assert (about.task, about.model, about.turn_limit, about.stop_reason) == ("repo__1", "m-2", 3, "Submitted")
    assert about.metadata == {
        "mini_version": "2.2.7", "api_calls": 3, "instance_cost": 0.5, "step_limit": 3, "cost_limit": 2.0,
    }  # fmt: skip


OLD = [
    {"role": "system", "content": "s"},
    {"role": "user", "content": "fix it"},
    {"role": "assistant", "content": "THOUGHT: look.\n\n```bash\nls -a\n```"},
    {"role": "user", "content": "<returncode>0</returncode>"},
    {"role": "assistant", "content": "```bash\nls\n```\n```bash\npwd\n```"},
    {"role": "user", "content": "Exactly one action, please."},
    {"role": "assistant", "content": "THOUGHT: look.\n\n```mswea_bash_command\nls -a\n```\nThat was it."},
    {"role": "user", "content": "<returncode>0</returncode>"},
]


@pytest.mark.parametrize("record", [OLD, {"messages": OLD, "info": {"exit_status": "Submitted", "submission": ""}}])
def test_version_1_and_bare_lists(record: Any) -> None:
    episode = told("mini_swe_agent", [record]).one
    assert column("reasoning", episode) == ["THOUGHT: look.\n\n", None, "THOUGHT: look.\n\n"]
    assert column("kind", episode) == ["thought", None, "thought"]
    assert column("text", episode) == [None, OLD[4]["content"], "That was it."]
    assert column("user_before", episode) == [True, False, False]
    assert column("same_calls", episode) == [0, None, 0]
    assert column("same_results", episode) == [0, None, 0]
    assert column("orphans", episode) == [0, 0, 0]
    assert (
        calls(episode, "tool", "arguments", "result_head")
        == [("bash", '{"command":"ls -a"}', "<returncode>0</returncode>")] * 2
    )


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        ("<returncode>0</returncode>\n<output>\n</output>", False), ("<returncode>1</returncode>\n<output>", True),
        ("\n<returncode>-9</returncode>", True), ("<output>\n<returncode>1</returncode>", None), ("timed out", None),
    ],
)  # fmt: skip
def test_version_1_says_in_the_text_what_failed(text: str, failed: bool | None) -> None:
    episode = told("mini_swe_agent", [[*OLD[:3], {"role": "user", "content": text}]]).one
    assert calls(episode, "is_error") == [(failed,)]


def test_only_what_a_person_said_is_a_user_message() -> None:
    kinds = ("FormatError", "UserNewTask")
    said = [{"role": "user", "content": "x", "extra": {"interrupt_type": kind}} for kind in kinds]
    for more, before in zip(said, (False, True), strict=True):
        messages = [*MESSAGES[:4], more, *MESSAGES[4:]]
        assert column("user_before", told("mini_swe_agent", [{**FILE, "messages": messages}]).one)[1] is before


def test_actions_beside_the_text() -> None:
    extra = {"actions": [{"command": "ls", "tool_call_id": "k"}, {"command": "pwd", "tool_call_id": "l"}]}
    messages = [*MESSAGES[:2], {"role": "assistant", "content": "Look.", "extra": extra}, sees("/", 0, "l"), sees("a")]
    episode = told("mini_swe_agent", [{**FILE, "messages": messages}]).one
    assert calls(episode, "arguments", "result_head") == [('{"command":"ls"}', "a"), ('{"command":"pwd"}', "/")]


def test_a_raw_response_is_a_turn() -> None:
    output = [
        {"type": "reasoning", "summary": [], "encrypted_content": "x"},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "**Look**"}], "encrypted_content": "x"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Now."}]},
        {"type": "function_call", "call_id": "k", "name": "bash", "arguments": '{"command": "ls"}'},
    ]
    seen = {"type": "function_call_output", "call_id": "k", "output": "a.py", "extra": {"returncode": 2}}
    messages = [
        *MESSAGES[:2], {"object": "response", "id": "r1", "model": "m-3", "output": output}, seen,
        {"object": "response", "id": "r2", "output": output[:1]}, EXIT,
    ]  # fmt: skip
    episode = told("mini_swe_agent", [{"messages": messages, "info": {"model_stats": {}}}]).one
    assert column("reasoning", episode) == ["**Look**", None]
    assert column("state", episode) == ["recorded", "encrypted"]
    assert column("kind", episode) == ["summary", None]
    assert column("text", episode) == ["Now.", None]
    assert calls(episode, "tool", "arguments", "result_head", "is_error") == [
        ("bash", '{"command": "ls"}', "a.py", True)
    ]
    assert (episode.about.model, episode.about.stop_reason) == ("m-3", "Submitted")


@pytest.mark.parametrize(
    ("status", "stats", "stop"),
    [
        ("LimitsExceeded", {"api_calls": 3, "instance_cost": 0.5}, "LimitsExceeded (step_limit)"),
        ("LimitsExceeded", {"api_calls": 2, "instance_cost": 2.1}, "LimitsExceeded (cost_limit)"),
        ("LimitsExceeded", {"api_calls": 2, "instance_cost": 0.5}, "LimitsExceeded"),
        ("TimeExceeded", {"api_calls": 3}, "TimeExceeded"),
        ("Timeout", None, "Timeout"),
        (None, None, "Submitted"),
    ],
)
def test_which_limit_was_reached(status: str | None, stats: Any, stop: str) -> None:
    info = {**FILE["info"], "exit_status": status, "model_stats": stats}  # type: ignore[dict-item]
    assert told("mini_swe_agent", [{**FILE, "info": info}]).one.about.stop_reason == stop


def test_no_limit_is_no_turn_limit() -> None:
    info = {"model_stats": {}, "config": {"agent": {"step_limit": 0}}}
    assert told("mini_swe_agent", [{**FILE, "info": info}]).one.about.turn_limit is None


def test_recognition() -> None:
    assert recognises(FILE)
    assert recognises(OLD)
    for other in (
        [], {}, None, 1, "a", [1], [{"role": "user", "content": "```bash\nls\n```"}], {"messages": OLD},
        {"messages": OLD, "info": {}}, {"messages": OLD, "trajectory_format": "else"}, [MESSAGES[0], *MESSAGES[2:]],
    ):  # fmt: skip
        assert not recognises(other), other


def test_a_message_that_is_none_rejects_the_file() -> None:
    assert told("mini_swe_agent", [{**FILE, "messages": [1]}]).rejected == [(1, "bad-message")]
    assert told("mini_swe_agent", [{**FILE, "messages": [{"a": 1}]}]).rejected == [(1, "bad-message")]
    assert told("mini_swe_agent", [{"a": 1}]).rejected == [(1, "no-messages")]
    assert told("mini_swe_agent", [{**FILE, "messages": [{"role": "oracle"}]}]).notices["unknown-role"] == 1


def test_every_field_that_a_detector_needs_changes_a_column() -> None:
    assert not unheard(
        "mini_swe_agent", [FILE],
        "0.messages.1.role", "0.messages.2.content", "0.messages.2.reasoning_content",
        "0.messages.2.tool_calls.0.function.name", "0.messages.2.tool_calls.0.function.arguments",
        "0.messages.3.content", "0.messages.3.extra.returncode", "0.messages.3.tool_call_id", "0.messages.4.role",
        "0.info.exit_status", "0.info.config.agent.step_limit", "0.info.config.model.model_name", "0.instance_id",
    )  # fmt: skip
    assert not unheard("mini_swe_agent", [OLD], "0.2.content", "0.3.content", "0.6.content", "0.4.content", "0.1.role")


@pytest.mark.skipif(not OPEN.is_dir(), reason="needs the open corpora in ../shared")
def test_the_open_files(tmp_path: Path) -> None:
    read = ingested(tmp_path, [OPEN])
    literal, native = {}, 0
    for path in OPEN.rglob("*.json"):
        value = json.loads(path.read_text())
        if isinstance(value, list) or "messages" in value:
            answers = [m for m in (value if isinstance(value, list) else value["messages"]) if m["role"] == "assistant"]
            literal[path.name] = len(answers)
            native += sum(bool((m.get("reasoning_content") or "").strip()) for m in answers)
    rows = {Path(row["source"]).name: row for row in read.tables["episodes"]}
    assert {name: row["n_turns"] for name, row in rows.items()} == literal
    assert (len(literal), sum(literal.values())) == (32, 541)
    turns = read.tables["turns"]
    assert sum(row["reasoning_kind"] == "native" for row in turns) == native
    assert sum(row["reasoning_kind"] == "thought" for row in turns) == 148  # the bare lists
    stops = [row["stop_reason"] for row in rows.values()]
    assert {stop: stops.count(stop) for stop in set(stops)} == {
        "Submitted": 6, "InternalServerError": 3, "Timeout": 1, None: 22,
    }  # fmt: skip
    unknown = [row["source"] for row in read.tables["rejects"]]
    assert sorted(Path(name).name[:6] for name in unknown) == ["logs__", "preds."]  # a table and a list of patches

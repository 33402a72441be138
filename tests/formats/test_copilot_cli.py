"""Copilot CLI events: turns by pencil, sub-agents, what ends a session, the open files."""

from pathlib import Path
from typing import Any

import pytest

from calib.formats.copilot_cli import recognises
from tests.formats.reading import calls, column, ingested, silent, told, written

SHARED = Path(__file__).parents[2].parent / "shared"


def event(kind: str, **data: Any) -> dict[str, Any]:
    return {"type": kind, "data": data, "id": "e", "timestamp": "2026-03-26T17:50:34Z", "parentId": None}


def said(content: str, *requests: dict[str, Any], **more: Any) -> dict[str, Any]:
    return event("assistant.message", content=content, toolRequests=list(requests), **more)


def request(call_id: str, name: str = "bash", arguments: Any = None) -> dict[str, Any]:
    return {"toolCallId": call_id, "name": name, "arguments": {"command": "ls"} if arguments is None else arguments}


def result(call_id: str, content: str = "ok", success: bool = True, **more: Any) -> dict[str, Any]:
    return event("tool.execution_complete", toolCallId=call_id, success=success, result={"content": content}, **more)


SESSION = [
    event("session.start", sessionId="s", copilotVersion="1.0", selectedModel="gpt-5", context={"cwd": "/w"}),
    event("system.message", content="You are"),
    event("user.message", content="Go."),
    event("assistant.turn_start", turnId="0"),
    said("Looking.", request("a"), request("b", "view", {"path": "x"}), reasoningText="**Look**", messageId="m1"),
    event("tool.execution_start", toolCallId="a", toolName="bash"),
    result("a", "1"),
    result("b", "2", success=False),
    said("", request("a"), reasoningOpaque="gAAA", messageId="m2"),
    result("a", "1"),
    event("session.truncation", tokenLimit=1),
    said("Done.", messageId="m3", model="gpt-5"),
    event("assistant.turn_end", turnId="0"),
    event("session.shutdown", shutdownType="routine"),
]


def test_a_session() -> None:
    found = told("copilot_cli", SESSION)
    episode = found.one
    assert column("state", episode) == ["recorded", "encrypted", "absent"]
    assert column("kind", episode) == ["summary", None, None]
    assert column("reasoning", episode) == ["**Look**", None, None]
    assert column("text", episode) == ["Looking.", "", "Done."]
    assert column("user_before", episode) == [True, False, False]
    assert column("after_compaction", episode) == [False, False, True]
    assert calls(episode, "turn", "tool", "arguments", "result_head", "is_error") == [
        (0, "bash", '{"command":"ls"}', "1", False), (0, "view", '{"path":"x"}', "2", True),
        (1, "bash", '{"command":"ls"}', "1", False),
    ]  # fmt: skip
    about = episode.about
    assert (about.episode_id, about.model, about.stop_reason, about.outcome) == ("s", "gpt-5", "routine", None)
    assert about.metadata == {"copilotVersion": "1.0", "cwd": "/w"}
    assert found.ignored == ["system.message", "assistant.turn_start", "tool.execution_start", "assistant.turn_end"]


def test_a_response_without_text_or_calls_is_a_turn() -> None:
    assert len(told("copilot_cli", [said(""), said("")]).one.turns) == 2


@pytest.mark.parametrize(
    ("keys", "turns"),
    [(({"messageId": "m"}, {"messageId": "m"}), 1), (({"apiCallId": "r"}, {"apiCallId": "r"}), 1),
     (({"messageId": "m"}, {"messageId": "n"}), 2), (({}, {}), 2),
     (({"apiCallId": "r", "messageId": "m"}, {"apiCallId": "q", "messageId": "m"}), 2)],
)  # fmt: skip
def test_messages_of_one_response(keys: tuple[dict[str, str], ...], turns: int) -> None:
    episode = told("copilot_cli", [said("a", **keys[0]), said("b", request("x"), **keys[1])]).one
    assert len(episode.turns) == turns
    assert "\n".join(column("text", episode)) == "a\nb"


@pytest.mark.parametrize(
    ("model", "kind"),
    [("gpt-5", "summary"), ("claude-haiku-4.5", "native"), ("gemini-3", "summary"), (None, "summary")],
)
def test_whose_reasoning_is_a_summary(model: str | None, kind: str) -> None:
    assert column("kind", told("copilot_cli", [said("a", reasoningText="r", model=model)]).one) == [kind]


def test_reasoning_that_comes_before_its_message() -> None:
    episode = told(
        "copilot_cli", [event("assistant.reasoning", reasoningId="r", content="hm"), said("a"), said("b")]
    ).one
    assert column("reasoning", episode) == ["hm", None]


def test_sub_agents_are_episodes_of_their_own() -> None:
    sub: dict[str, Any] = {"parentToolCallId": "task"}
    found = told("copilot_cli", [
        SESSION[0], said("", request("task", "task")),
        event("subagent.started", toolCallId="task", agentName="explore"),
        said("sub 1", request("x"), request("deep", "task"), model="claude-haiku-4.5", **sub),
        result("x", **sub),
        said("deeper", parentToolCallId="deep"),
        said("main again"),
        said("sub 2", **sub),
    ])  # fmt: skip
    told_of = {one.about.episode_id: (one.about.parent, column("text", one)) for one in found.episodes}
    assert told_of == {
        "s": (None, ["", "main again"]), "s/task": ("s", ["sub 1", "sub 2"]), "s/deep": ("s/task", ["deeper"]),
    }  # fmt: skip
    assert found.episodes[1].about.metadata == {"agentName": "explore"}
    assert found.episodes[1].about.model == "claude-haiku-4.5"


@pytest.mark.parametrize(
    ("events", "stop"),
    [
        (
            [event("abort", reason="user initiated"), event("session.shutdown", shutdownType="routine")],
            "user initiated",
        ),
        ([event("session.error", errorType="query", message="m")], "query"),
        ([event("abort", reason="user initiated"), event("user.message", content="x")], None),
        ([], None),
    ],
)
def test_stop_reason(events: list[Any], stop: str | None) -> None:
    assert told("copilot_cli", [said("a"), *events]).one.about.stop_reason == stop


def test_results_of_other_forms() -> None:
    records = [
        said("", request("a", arguments='{"command":"ls"}'), request("b", arguments=""), request("c")),
        event("tool.execution_complete", toolCallId="a", success=False, error={"message": "boom", "code": "x"}),
        event("tool.execution_complete", toolCallId="b", result=None),
    ]
    found = told("copilot_cli", records)
    assert calls(found.one, "arguments", "result_head", "is_error") == [
        ('{"command":"ls"}', "boom", True), ("", "", None), ('{"command":"ls"}', None, None),
    ]  # fmt: skip
    assert found.notices == {"missing-tool-result": 1}


def test_faults() -> None:
    found = told("copilot_cli", [SESSION[0], {"type": 7}, said("a"), event("session.hum"), said("b", 7), said("c")])  # type: ignore[arg-type]
    assert found.rejected == [(2, "bad-message"), (5, "bad-message")]
    assert found.ignored == ["session.hum"]
    assert found.notices == {"unknown-record-type": 1}
    assert column("text", found.one) == ["a", "c"]


def test_nothing_but_ignored_events_is_no_episode() -> None:
    assert told("copilot_cli", [event("hook.start")]).episodes == []


def test_a_file_is_recognised(tmp_path: Path) -> None:
    read = ingested(tmp_path, [written(tmp_path, "d.json", SESSION)])
    assert [(source["format"], source["account"]["rejected"]) for source in read.sources] == [("copilot_cli", {})]
    assert len(read.tables["turns"]) == 3


@pytest.mark.parametrize(
    "value",
    [None, 1, [], {}, {"type": "abort"}, {"type": [], "data": {}, "parentId": 1}, {"type": "session", "data": {}},
     {"type": "session.start", "data": {}}, {"type": "assistant", "data": {}, "parentId": None}],
)  # fmt: skip
def test_other_values_are_not(value: Any) -> None:
    assert not recognises(value)


def test_no_field_that_matters_is_dropped() -> None:
    ends = (": id", ": timestamp", ": parentId", "turnId", "toolName", "tool.execution_start: data.toolCallId")
    types = ("system.message: type", "assistant.turn_start: type", "assistant.turn_end: type")
    found = {at for at in silent("copilot_cli", SESSION) if not at.endswith(ends) and at not in types}
    assert found == {
        "system.message: data.content", "user.message: data.content", "session.truncation: data.tokenLimit",
        "assistant.message: data.messageId",  # only that it is another one
        "assistant.message: data.reasoningOpaque", "session.start: data.selectedModel",  # a message names it
        "tool.execution_start: type",
    }  # fmt: skip


@pytest.mark.skipif(not (SHARED / "corpora").is_dir(), reason="no ../shared/corpora")
def test_open_files(tmp_path: Path) -> None:
    dumps = sorted((SHARED / "corpora" / "copilot_cli").rglob("*.jsonl"))
    dumps += sorted((SHARED / "corpora" / "fixtures_multi").rglob("copilot/**/*.jsonl"))
    read = ingested(tmp_path, dumps)
    assert {source["format"] for source in read.sources} == {"copilot_cli"}
    assert not read.tables["rejects"]
    turns = {row["episode_id"][:24]: row["n_turns"] for row in read.tables["episodes"]}
    assert turns == {
        "7f268ba1-7632-494f-9f93-": 1, "a7982b94-0f1b-4046-93bf-": 1, "b166df6d-0d9f-4fb6-bd2c-": 1,
        "aaaabbbb-1111-2222-3333-": 2, "copilot_stage0_large": 4, "copilot_stage0_drift": 2,
        "copilot_stage0_small": 4, "copilot_stage0_small/[tr": 1,
    }  # fmt: skip

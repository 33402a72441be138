"""OpenClaw telemetry: events that repeat the conversation, sessions, sub-agents."""

from pathlib import Path
from typing import Any

import pytest

from calib.formats.openclaw import recognises
from tests.formats.knowing import known_by, odd_values
from tests.formats.perturbing import unheard
from tests.formats.reading import calls, column, ingested, told, written

OPEN = Path(__file__).parents[2].parent / "shared" / "corpora" / "other_scout_fixtures"
MAIN, SUB = "agent:main:main", "agent:main:subagent:1"


def event(kind: str, key: str = MAIN, **more: Any) -> dict[str, Any]:
    return {"type": kind, "sessionKey": key, "agentId": "main", **more}


def message(role: str, at: int, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"role": role, "timestamp": at, "content": list(parts), **more}


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


CALL = {"type": "toolCall", "id": "a", "name": "exec", "arguments": {"command": "ls"}}
SAID = [
    {"role": "user", "timestamp": 1, "content": "Q"},
    message("assistant", 2, {"type": "thinking", "thinking": "Look."}, CALL, model="m-1", api="anthropic-messages"),
    message("toolResult", 3, text("x.py"), toolCallId="a", toolName="exec", isError=False),
    message("assistant", 4, text("Done"), stopReason="stop"),
    message("user", 5, text("more")),
    message("assistant", 6, text("Done"), stopReason="length"),
]
EVENTS = [
    {"type": "message.in", "channel": "telegram", "content": "Q"},
    event("agent.start", prompt="Q", messages=[]),
    event("tool.start", toolName="exec"),
    event("agent.start", prompt="Q", messages=SAID[:3]),
    event("agent.end", SUB, messages=[message("assistant", 2, text("deep"))], success=True),
    event("agent.start", prompt="Q", messages=SAID[:4]),
    event("agent.end", messages=SAID[1:], success=True),
]


def test_each_message_counts_once() -> None:
    found = told("openclaw", EVENTS, "t.jsonl")
    main, sub = found.episodes
    assert column("text", main) == [None, "Done", "Done"]
    assert column("same_text", main) == [None, 1, 1]
    assert column("reasoning", main) == ["Look.", None, None]
    assert column("user_before", main) == [True, False, True]
    assert calls(main, "tool", "arguments", "result_head", "is_error") == [("exec", '{"command":"ls"}', "x.py", False)]
    assert (main.about.episode_id, main.about.model, main.about.stop_reason) == (f"t.jsonl#{MAIN}", "m-1", "length")
    assert (sub.about.episode_id, sub.about.parent) == (f"t.jsonl#{SUB}", f"t.jsonl#{MAIN}")
    assert found.ignored == ["message.in", "agent.start", "tool.start"]


def test_recognised_alone() -> None:
    for value in (EVENTS[0], EVENTS[1], EVENTS[2]):
        assert set(known_by(value)) <= {"openclaw", "episode_lines"}
        assert recognises(value)
    assert not recognises({"type": "agent.start"})
    for value in odd_values(*EVENTS):
        recognises(value)


def test_every_field_is_heard() -> None:
    places = (
        "3.sessionKey", "3.messages.1.content.0.thinking", "3.messages.1.content.1.name",
        "3.messages.1.content.1.arguments.command", "3.messages.1.content.1.id", "3.messages.2.content.0.text",
        "3.messages.2.isError", "3.messages.2.toolCallId", "5.messages.3.content.0.text", "6.messages.3.role",
        "6.messages.4.stopReason", "3.messages.1.model",
    )  # fmt: skip
    separate = [{**one, "messages": [dict(item) for item in one.get("messages", [])]} for one in EVENTS]
    assert unheard("openclaw", separate, *places) == []


def test_a_broken_event_costs_itself_only(tmp_path: Path) -> None:
    path = written(tmp_path, "t.jsonl", [*EVENTS, event("agent.end", messages=[3]), event("agent.end", messages="x")])
    read = ingested(tmp_path, [path])
    assert [row["code"] for row in read.tables["rejects"]] == ["bad-message", "bad-message"]
    assert [row["n_turns"] for row in read.tables["episodes"]] == [3, 1]


@pytest.mark.skipif(not OPEN.exists(), reason="the open corpora are not here")
def test_the_open_files(tmp_path: Path) -> None:
    read = ingested(tmp_path, sorted(OPEN.rglob("*telemetry.jsonl")))
    assert [(source["format"], source["episodes"], source["turns"]) for source in read.sources] == [
        ("openclaw", 2, 8),
        ("openclaw", 1, 6),
    ]

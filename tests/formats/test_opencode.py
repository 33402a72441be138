"""OpenCode exports: steps by pencil, failed and compacted messages, a pretty-printed object in a `.jsonl`."""

import json
from pathlib import Path
from typing import Any

import pytest

from calib.formats.opencode import recognises
from calib.ingest.sniff import recognised
from tests.formats.reading import calls, column, ingested, silent, told

Record = dict[str, Any]


def session(*messages: Record, **info: Any) -> Record:
    return {
        "info": {"id": "ses_1", "projectID": "p", "version": "1.3", "title": "Port", **info},
        "messages": list(messages),
    }


def message(role: str, *parts: Record, **info: Any) -> Record:
    return {"info": {"id": "msg", "role": role, "sessionID": "ses_1", **info}, "parts": list(parts)}


def said(*parts: Record, **info: Any) -> Record:
    known = {"modelID": "m", "providerID": "p", "finish": "stop", "tokens": {"input": 3, "output": 2, "reasoning": 1}}
    return message("assistant", {"type": "step-start"}, *parts, **{**known, **info})


def text(value: str, **more: Any) -> Record:
    return {"type": "text", "text": value, **more}


def thought(value: str, **metadata: Any) -> Record:
    return {"type": "reasoning", "text": value, "metadata": metadata}


def tool(name: str, status: str = "completed", **state: Any) -> Record:
    return {"type": "tool", "tool": "bash", "callID": name, "state": {"status": status, "input": {"c": name}, **state}}


def finished(reason: str = "tool-calls") -> Record:
    return {"type": "step-finish", "reason": reason, "cost": 0, "tokens": {}}


SESSION = session(
    message("user", text("Go.")),
    said(thought("Plan."), text("Looking."), tool("t0", output="a"), tool("t1", "error", error="no"), finished()),
    said(text("Done."), finished("stop"), cost=0.25),
    parentID="ses_0",
)


def test_a_session() -> None:
    episode = told("opencode", [SESSION]).one
    assert column("reasoning", episode) == ["Plan.", None]
    assert column("text", episode) == ["Looking.", "Done."]
    assert column("user_before", episode) == [True, False]
    assert calls(episode, "tool", "canonical", "result_head", "is_error") == [
        ("bash", '{"c":"t0"}', "a", False), ("bash", '{"c":"t1"}', "no", True),
    ]  # fmt: skip
    about = episode.about
    assert (about.episode_id, about.parent, about.model, about.stop_reason) == ("ses_1", "ses_0", "m", "stop")
    assert about.metadata == {
        "title": "Port", "version": "1.3", "project": "p", "provider": "p", "input_tokens": 6, "output_tokens": 4,
        "reasoning_tokens": 2, "cost": 0.25,
    }  # fmt: skip


def test_each_step_of_a_message_is_a_turn() -> None:
    steps = said(text("a"), finished(), {"type": "step-start"}, text("b"), finished("stop"))
    assert column("text", told("opencode", [session(steps)]).one) == ["a", "b"]


def test_a_message_without_steps_is_a_turn() -> None:
    assert column("text", told("opencode", [session(message("assistant", text("a"), text("b")))]).one) == ["a\nb"]


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (thought("a"), ["a", "recorded", "native"]),
        (thought("a", anthropic={"signature": "x"}), ["a", "recorded", "native"]),
        (thought("**Planning**", openai={"itemId": "rs"}), ["**Planning**", "recorded", "summary"]),
        (thought("", openai={"reasoningEncryptedContent": "x"}), [None, "encrypted", None]),
        (thought("", anthropic={"signature": "x"}), [None, "withheld", None]),
        (thought(""), [None, "empty", None]),
        (text("x"), [None, "absent", None]),
    ],
)
def test_reasoning(part: Record, expected: list[Any]) -> None:
    assert told("opencode", [session(said(part))]).one.turns[0][:3] == expected


def test_failed_and_summarising_messages_are_no_turns() -> None:
    failed = message("assistant", error={"name": "MessageAbortedError"})
    summary = said(text("Summary"), summary=True)
    episode = told("opencode", [session(said(text("a")), summary, said(text("b")), failed)]).one
    assert column("text", episode) == ["a", "b"]
    assert column("after_compaction", episode) == [False, True]
    assert episode.about.stop_reason == "MessageAbortedError"


def test_a_session_that_a_person_stopped_is_censored(tmp_path: Path) -> None:
    stopped = session(said(text("a")), message("assistant", error={"name": "MessageAbortedError"}))
    path = tmp_path / "s.json"
    path.write_text(json.dumps(stopped))
    assert [row["label"] for row in ingested(tmp_path, [path]).tables["episodes"]] == ["censored"]


def test_a_call_without_result_and_synthetic_user_text() -> None:
    records = session(said(tool("t0", "running")), message("user", text("x", synthetic=True)), said(text("a")))
    found = told("opencode", [records])
    assert calls(found.one, "result_chars", "is_error") == [(None, None)]
    assert column("user_before", found.one) == [False, False]
    assert found.notices == {"missing-tool-result": 1}


def test_bad_parts_cost_themselves() -> None:
    odd = session(message("assistant", text("a"), {"type": "new"}), message("narrator"))
    odd["messages"] += [7, {"parts": []}]
    found = told("opencode", [odd, {"info": {}, "messages": 7}, []])
    assert column("text", found.one) == ["a"]
    assert found.notices == {"unknown-part": 1, "unknown-role": 1, "unknown-record-type": 2}
    assert found.rejected == [(2, "no-messages"), (3, "no-messages")]


def test_a_pretty_printed_object_in_a_jsonl(tmp_path: Path) -> None:
    path = tmp_path / "full.jsonl"
    path.write_text(json.dumps(SESSION, indent=2))
    read = ingested(tmp_path, [path])
    assert [source["format"] for source in read.sources] == ["opencode"]
    assert [(row["episode_id"], row["n_turns"]) for row in read.tables["episodes"]] == [("ses_1", 2)]


@pytest.mark.parametrize(
    "value",
    [None, [], {}, {"info": 1, "messages": []}, {"info": {}, "messages": []}, {"info": {"id": "x"}, "messages": 7},
     {"info": {"model_stats": {}}, "messages": [{"role": "user", "content": "x"}]}],
)  # fmt: skip
def test_recognises_nothing_else(value: Any) -> None:
    assert not recognises(value)


def test_no_other_format_takes_a_session() -> None:
    assert recognised(SESSION) == "opencode"


def test_every_field_that_counts_changes_a_column() -> None:
    assert silent("opencode", [SESSION]) == {
        ": messages.info.id", ": messages.info.sessionID", ": messages.parts.cost",
        ": messages.info.finish", ": messages.parts.type", ": messages.parts.text",
        ": messages.info.modelID", ": messages.info.providerID", ": messages.parts.reason", ": messages.parts.callID",
        ": messages.parts.state.status",
    }  # fmt: skip

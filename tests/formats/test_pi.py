"""pi sessions: turns by pencil, failed requests, copies, the open files."""

from pathlib import Path
from typing import Any

import pytest

from calib.formats.pi import recognises
from calib.ingest.sniff import recognised
from tests.formats.reading import calls, column, ingested, silent, told

FILES = Path(__file__).parents[2].parent / "shared" / "corpora" / "fixtures_multi"
STAGE = "jazzyalex__agent-sessions/Resources/Fixtures/stage0/agents"
Record = dict[str, Any]
HEAD = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-05-12T01:02:27Z", "cwd": "/w"}


def entry(name: str, kind: str = "message", **more: Any) -> Record:
    return {"type": kind, "id": name, "parentId": None, "timestamp": "2026-05-12T01:03:00Z", **more}


def message(name: str, role: str, content: Any, **more: Any) -> Record:
    return entry(name, message={"role": role, "content": content, **more})


def said(name: str, *parts: Record, stop: str = "toolUse", api: str = "anthropic-messages") -> Record:
    return message(name, "assistant", list(parts), api=api, model="m", usage={"input": 3, "output": 2}, stopReason=stop)


def thought(text: str, **more: Any) -> Record:
    return {"type": "thinking", "thinking": text, **more}


def call(name: str, **given: Any) -> Record:
    return {"type": "toolCall", "id": name, "name": "bash", "arguments": given}


def result(name: str, call_id: str, text: str, failed: bool = False) -> Record:
    parts = [{"type": "text", "text": text}]
    return message(name, "toolResult", parts, toolCallId=call_id, toolName="bash", isError=failed)


SESSION = [
    HEAD,
    entry("a", "model_change", provider="p", modelId="m"),
    message("b", "user", [{"type": "text", "text": "Go."}]),
    said(
        "c", thought("Plan."), {"type": "text", "text": "Looking."}, call("t0", command="ls"), call("t1", command="id")
    ),
    result("d", "t1", "root", failed=True),
    result("e", "t0", "a.txt"),
    entry("f", "compaction", summary="x", firstKeptEntryId="b", tokensBefore=9),
    said("g", {"type": "text", "text": "Done."}, stop="stop"),
]


def test_a_session() -> None:
    found = told("pi", SESSION)
    episode = found.one
    assert column("reasoning", episode) == ["Plan.", None]
    assert column("kind", episode) == ["native", None]
    assert column("text", episode) == ["Looking.", "Done."]
    assert column("user_before", episode) == [True, False]
    assert column("after_compaction", episode) == [False, True]
    assert calls(episode, "canonical", "result_head", "is_error") == [
        ('{"command":"ls"}', "a.txt", False), ('{"command":"id"}', "root", True),
    ]  # fmt: skip
    about = episode.about
    assert (about.episode_id, about.model, about.stop_reason) == ("s", "m", "stop")
    assert about.metadata == {
        "cwd": "/w", "started": "2026-05-12T01:02:27Z", "ended": "2026-05-12T01:03:00Z", "input_tokens": 6,
        "output_tokens": 4,
    }  # fmt: skip
    assert found.ignored == ["model_change"]


@pytest.mark.parametrize(
    ("part", "api", "expected"),
    [
        (thought("a"), "openai-responses", ["a", "recorded", "summary"]),
        (thought("a"), "google-generative-ai", ["a", "recorded", "summary"]),
        (thought("a"), "openai-completions", ["a", "recorded", "native"]),
        (thought("", thinkingSignature="c2ln"), "anthropic-messages", [None, "withheld", None]),
        (thought("", thinkingSignature='{"encrypted_content":"x"}'), "openai-responses", [None, "encrypted", None]),
        (thought("", redacted=True), "anthropic-messages", [None, "withheld", None]),
        (thought(""), "anthropic-messages", [None, "empty", None]),
        ({"type": "text", "text": "x"}, "anthropic-messages", [None, "absent", None]),
    ],
)
def test_reasoning(part: Record, api: str, expected: list[Any]) -> None:
    assert told("pi", [HEAD, said("a", part, api=api)]).one.turns[0][:3] == expected


def test_a_failed_request_is_no_turn_but_why_it_ended() -> None:
    found = told("pi", [HEAD, said("a"), said("b", stop="error")])
    assert (len(found.one.turns), found.one.about.stop_reason, found.ignored) == (1, "error", ["failed-request"])


def test_what_the_user_ran_is_a_message_of_the_user() -> None:
    shell = entry("b", message={"role": "bashExecution", "command": "ls", "output": "x"})
    assert column("user_before", told("pi", [HEAD, said("a"), shell, said("c")]).one) == [False, True]


def test_an_entry_that_stands_twice_counts_once() -> None:
    found = told("pi", [HEAD, said("a"), said("a")])
    assert (len(found.one.turns), found.ignored) == (1, ["copied-record"])


def test_headers_part_sessions_and_a_fork_names_its_origin() -> None:
    fork = {**HEAD, "id": "t", "parentSession": "/x/s.jsonl"}
    found = told("pi", [HEAD, said("a"), fork, said("a"), said("b")])
    assert [(one.about.episode_id, len(one.turns)) for one in found.episodes] == [("s", 1), ("t", 2)]
    assert found.episodes[1].about.metadata["parent_session"] == "/x/s.jsonl"


def test_bad_records_cost_themselves() -> None:
    records: list[Any] = [
        said("a"), entry("b", message="x"), entry("c", message={"content": []}), [], entry("d", "new"), said("e"),
        message("f", "odd", "x"),
    ]  # fmt: skip
    found = told("pi", records)
    assert found.rejected == [(2, "bad-message"), (3, "bad-message"), (4, "not-an-object")]
    assert found.ignored == ["new"]
    assert found.notices == {"unknown-record-type": 1, "unknown-role": 1}
    assert (len(found.one.turns), found.one.about.episode_id) == (2, None)


@pytest.mark.parametrize(
    "value",
    [None, [], {}, {"type": "session"}, {"type": []}, {"type": "message", "message": {"role": "user"}},
     {"type": "message", "id": "m", "message": {"role": "assistant", "content": []}}, {"type": "message", "message": 7},
     {"type": "session.start", "id": "x", "data": {}}],
)  # fmt: skip
def test_recognises_nothing_else(value: Any) -> None:
    assert not recognises(value)


def test_no_other_format_takes_a_session() -> None:
    assert {recognised(SESSION[at]) for at in (0, 1, 3, 4, 7)} == {"pi"}


def test_every_field_that_counts_changes_a_column() -> None:
    assert silent("pi", SESSION) == {
        "session: version", "model_change: type", "model_change: id", "model_change: parentId",
        "model_change: timestamp", "model_change: provider", "model_change: modelId", "message: id",
        "message: parentId", "message: timestamp", "message: message.content.text", "message: message.content.type",
        "message: message.api", "message: message.stopReason", "message: message.toolName", "compaction: id",
        "compaction: parentId", "compaction: timestamp", "compaction: summary", "compaction: firstKeptEntryId",
        "compaction: tokensBefore",
    }  # fmt: skip


@pytest.mark.skipif(not FILES.exists(), reason="the open transcripts are not here")
@pytest.mark.parametrize(
    ("name", "turns"), [("pi/small", 2), ("openclaw/large", 3), ("openclaw/small", 1), ("openclaw/schema_drift", 1)]
)
def test_open_file(name: str, turns: int, tmp_path: Path) -> None:
    read = ingested(tmp_path, [FILES / STAGE / f"{name}.jsonl"])
    assert [source["format"] for source in read.sources] == ["pi"]
    assert (len(read.tables["episodes"]), len(read.tables["turns"])) == (1, turns)
    assert read.sources[0]["account"]["rejected"] == {}

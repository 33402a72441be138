"""Gemini CLI chats: the old file, the log with its edits, the open files."""

import json
from pathlib import Path
from typing import Any

import pytest

from calib.formats.gemini_cli import recognises
from tests.formats.reading import calls, column, ingested, silent, told, written

SHARED = Path(__file__).parents[2].parent / "shared"
HEAD = {"sessionId": "s", "projectHash": "h", "startTime": "t", "lastUpdated": "u", "kind": "main"}


def user(name: str, text: Any = "Go.") -> dict[str, Any]:
    return {"id": name, "timestamp": "t", "type": "user", "content": [{"text": text}]}


def said(name: str, text: Any = "", *calls: dict[str, Any], **more: Any) -> dict[str, Any]:
    message = {"id": name, "timestamp": "t", "type": "gemini", "content": text, "model": "g-3", **more}
    return {**message, "toolCalls": list(calls)} if calls else message


def thoughts(*pairs: tuple[str, str]) -> list[dict[str, str]]:
    return [{"subject": subject, "description": said, "timestamp": "t"} for subject, said in pairs]


def call(name: str, output: Any = None, status: str = "success", **args: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"id": name, "name": "read_file", "args": args, "status": status}
    if output is not None:
        made["result"] = [{"functionResponse": {"id": name, "name": "read_file", "response": {"output": output}}}]
    return made


MESSAGES = [
    user("u1"),
    said("g1", "", call("c1", "1", path="a"), call("c2", "2", "error", path="b"),
         thoughts=thoughts(("Plan", "Read a."), ("", "Then b."))),
    said("g2", [{"text": "Half"}], call("c1", "1", path="a"), thoughts=[]),
    {"id": "i", "type": "info", "content": "Request cancelled."},
    user("u2"),
    said("g3", "Done."),
]  # fmt: skip
OLD = {**HEAD, "messages": MESSAGES}
LOG = [
    HEAD,
    user("u1"),
    said("g1", "", call("c1", path="a"), thoughts=MESSAGES[1]["thoughts"]),
    {"$set": {"lastUpdated": "v"}},
    MESSAGES[1],
    MESSAGES[2],
    said("gone", "Wrong."),
    {"$rewindTo": "gone"},
    MESSAGES[3],
    MESSAGES[4],
    MESSAGES[5],
]


@pytest.mark.parametrize("records", [[OLD], LOG], ids=["old", "log"])
def test_a_chat(records: list[Any]) -> None:
    found = told("gemini_cli", records)
    episode = found.one
    assert column("reasoning", episode) == ["Plan\nRead a.\n\n\nThen b.", "", None]
    assert column("kind", episode) == ["summary", None, None]
    assert column("state", episode) == ["recorded", "empty", "absent"]
    assert column("text", episode) == ["", "Half", "Done."]
    assert column("user_before", episode) == [True, False, True]
    assert column("same_results", episode) == [0, 1, None]
    assert calls(episode, "turn", "arguments", "result_head", "is_error") == [
        (0, '{"path":"a"}', "1", False), (0, '{"path":"b"}', "2", True), (1, '{"path":"a"}', "1", False),
    ]  # fmt: skip
    about = episode.about
    assert (about.episode_id, about.model, about.stop_reason, about.parent) == ("s", "g-3", None, None)
    assert about.metadata == {"projectHash": "h", "startTime": "t", "kind": "main"}
    assert not found.ignored
    assert not found.rejected


@pytest.mark.parametrize(
    ("edit", "texts"),
    [
        ({"$rewindTo": "b"}, ["a"]),
        ({"$rewindTo": "a"}, []),
        ({"$rewindTo": "never"}, []),
        ({"$set": {"messages": [said("c", "c"), said("d", "d"), said("c", "c2")]}}, ["c2", "d"]),
        ({"$set": {"summary": "x"}}, ["a", "b"]),
        (said("a", "a2"), ["a2", "b"]),
    ],
    ids=str,
)
def test_edits(edit: dict[str, Any], texts: list[str]) -> None:
    assert column("text", told("gemini_cli", [HEAD, said("a", "a"), said("b", "b"), edit]).one) == texts


@pytest.mark.parametrize(
    ("more", "state"),
    [
        ({}, "absent"),
        ({"thoughts": []}, "empty"),
        ({"thoughts": [], "tokens": {"thoughts": 9}}, "withheld"),
        ({"tokens": {"thoughts": 9}}, "withheld"),
        ({"tokens": {"thoughts": 0}}, "absent"),
        ({"thoughts": [{"subject": " "}]}, "empty"),
        ({"thoughts": [{"description": "x"}]}, "recorded"),
    ],
)
def test_reasoning_state(more: dict[str, Any], state: str) -> None:
    assert column("state", told("gemini_cli", [HEAD, said("a", **more)]).one) == [state]


@pytest.mark.parametrize(
    ("result", "head"),
    [
        ({"result": "text"}, "text"),
        ({"result": [{"functionResponse": {"response": {"error": "boom"}}}]}, "boom"),
        ({"result": [{"functionResponse": {"response": {"rows": [1]}}}]}, '{"rows":[1]}'),
        ({"result": [{"functionResponse": {"response": {"output": "a"}}}, {"text": "b"}]}, "a\nb"),
        ({"result": {"x": 1}}, '{"x":1}'),
        ({"resultDisplay": "shown"}, "shown"),
        ({"resultDisplay": {"diff": 1}}, None),
        ({}, None),
    ],
)
def test_results(result: dict[str, Any], head: str | None) -> None:
    made = {"id": "c", "name": "f", "args": {}, "status": "success", **result}
    assert calls(told("gemini_cli", [HEAD, said("a", "", made)]).one, "result_head") == [(head,)]


def test_a_sub_agent_lies_in_the_folder_of_its_parent() -> None:
    record = {**OLD, "kind": "subagent", "sessionId": "child"}
    assert told("gemini_cli", [record], "tmp/h/chats/mother/child.jsonl").one.about.parent == "mother"
    assert told("gemini_cli", [record], "tmp/h/chats/child.jsonl").one.about.parent is None


def test_a_message_that_is_written_again_stands_where_it_stood() -> None:
    again = said("a", "", call("c1", "1", path="a"))
    records = [HEAD, said("a", "", call("c1", path="a")), said("b", "x"), again, {"$rewindTo": "b"}, said("c", "y")]
    episode = told("gemini_cli", records).one
    assert column("text", episode) == ["", "y"]
    assert calls(episode, "turn", "result_head") == [(0, "1")]


def test_an_error_at_the_end_is_the_stop_reason() -> None:
    failed = {"id": "e", "type": "error", "content": "quota"}
    assert told("gemini_cli", [HEAD, said("a"), failed]).one.about.stop_reason == "error"
    assert told("gemini_cli", [HEAD, said("a"), failed, user("u")]).one.about.stop_reason is None
    notes = [{"id": kind, "type": kind, "content": "x"} for kind in ("info", "warning")]
    assert told("gemini_cli", [HEAD, said("a"), failed, *notes]).one.about.stop_reason == "error"
    assert told("gemini_cli", [HEAD, said("a"), failed, *notes, said("b")]).one.about.stop_reason is None


def test_faults() -> None:
    deep: Any = 1
    for _ in range(300):
        deep = [deep]
    found = told("gemini_cli", [
        HEAD, 7, {"id": "x"}, said("a", "a"), said("b", "", 7), said("c", "", call("k", x=deep)),  # type: ignore[arg-type]
        {"$set": {"messages": 7}}, {"$set": {"messages": [7]}}, {"id": "n", "type": "new"}, said("d", "d"),
    ])  # fmt: skip
    assert [line for line, _ in found.rejected] == [2, 3, 5, 6, 7, 8]
    assert found.notices == {"unknown-record-type": 1}
    assert column("text", found.one) == ["a", "d"]


def test_chats_one_after_the_other() -> None:
    found = told("gemini_cli", [HEAD, said("a", "1"), {**HEAD, "sessionId": "t"}, said("a", "2")])
    assert [(one.about.episode_id, column("text", one)) for one in found.episodes] == [("s", ["1"]), ("t", ["2"])]


def test_files_are_recognised(tmp_path: Path) -> None:
    old = tmp_path / "old.jsonl"
    old.write_text(json.dumps({**OLD, "sessionId": "o"}, indent=2))
    read = ingested(tmp_path, [old, written(tmp_path, "log.txt", LOG)])
    assert {source["format"] for source in read.sources} == {"gemini_cli"}
    assert [row["n_turns"] for row in read.tables["episodes"]] == [3, 3]
    assert not read.tables["rejects"]


@pytest.mark.parametrize(
    "value",
    [None, 1, [], {}, {"sessionId": "s"}, {"sessionId": "s", "projectHash": "h", "messages": 7}, {"$set": 1},
     {"$rewindTo": 1}, {"type": "gemini"}, {"type": "user", "id": "x", "content": "y"}, {"type": ["gemini"]}],
)  # fmt: skip
def test_other_values_are_not(value: Any) -> None:
    assert not recognises(value)


def test_no_field_that_matters_is_dropped() -> None:
    found = {at.split(": ")[1] for at in silent("gemini_cli", [OLD]) if not at.endswith("timestamp")}
    assert found == {
        "lastUpdated", "messages.id", "messages.content", "messages.content.text",  # of users and notes
        "messages.type", "messages.model", "messages.toolCalls.id", "messages.toolCalls.result.functionResponse.id",
        "messages.toolCalls.result.functionResponse.name",
    }  # fmt: skip


@pytest.mark.skipif(not (SHARED / "corpora").is_dir(), reason="no ../shared/corpora")
def test_open_files(tmp_path: Path) -> None:
    found = sorted((SHARED / "corpora" / "fixtures_multi").rglob("gemini/*.json*"))
    read = ingested(tmp_path, [path for path in found if path.name != "schema_drift.json"])
    assert {source["format"] for source in read.sources} == {"gemini_cli"}
    assert not read.tables["rejects"]
    turns = {row["episode_id"]: row["n_turns"] for row in read.tables["episodes"]}
    assert turns == {
        "gemini_stage0_jsonl": 2, "session-2025-12-16T23-47-b4f17607": 4, "session-2026-01-16T18-34-3739ef95": 1,
        "sess-uuid-1": 2, "sess-uuid-2": 1, "sess-uuid-3": 0, "sess-uuid-thinking": 1,
    }  # fmt: skip

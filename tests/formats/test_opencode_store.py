"""OpenCode's store: sessions put together from their files, by pencil; stores of several sessions; what is missing."""

import json
from pathlib import Path
from typing import Any

import pytest

from calib.formats.opencode_store import group, recognises
from calib.ingest.sniff import recognised
from tests.formats.knowing import known_by, odd_values
from tests.formats.reading import Read, calls, column, ingested, rows, silent, told

Record = dict[str, Any]


def session(name: str = "ses_1", **more: Any) -> Record:
    return {"id": name, "projectID": "p", "directory": "/w", "title": "Port", "time": {"created": 1}, **more}


def message(name: str, role: str = "assistant", of: str = "ses_1", **more: Any) -> Record:
    known = {"modelID": "m", "providerID": "p"} if role == "assistant" else {}
    return {"id": name, "sessionID": of, "role": role, "time": {"created": 2}, **known, **more}


def part(name: str, of: str, kind: str = "text", session: str = "ses_1", **more: Any) -> Record:
    return {"id": name, "messageID": of, "sessionID": session, "type": kind, **more}


TOOL: Record = {
    "tool": "bash",
    "callID": "c",
    "state": {"status": "completed", "input": {"command": "ls"}, "output": "a"},
}
RECORDS = [
    message("msg_1", "user"),
    message("msg_2", finish="tool-calls"),
    message("msg_3", finish="stop"),
    part("prt_1", "msg_1", text="Go."),
    part("prt_2", "msg_2", "reasoning", text="Plan."),
    part("prt_3", "msg_2", "tool", **TOOL),
    part("prt_4", "msg_3", text="Done."),
    session(parentID="ses_0"),
]


def stored(folder: Path, *records: Record) -> Path:
    """Write each record where OpenCode does."""
    for record in records:
        if "messageID" in record:
            path = folder / "storage" / "part" / record["messageID"]
        elif "sessionID" in record:
            path = folder / "storage" / "message" / record["sessionID"]
        else:
            path = folder / "storage" / "session" / record["projectID"]
        path.mkdir(parents=True, exist_ok=True)
        (path / f"{record['id']}.json").write_text(json.dumps(record, indent=2))
    return folder / "storage"


def read(folder: Path, *records: Record) -> Read:
    return ingested(folder, [stored(folder, *records)])


def test_a_session() -> None:
    episode = told("opencode_store", RECORDS).one
    assert column("reasoning", episode) == ["Plan.", None]
    assert column("text", episode) == [None, "Done."]
    assert column("user_before", episode) == [True, False]
    assert calls(episode, "tool", "canonical", "result_head", "is_error") == [("bash", '{"command":"ls"}', "a", False)]
    about = episode.about
    assert (about.episode_id, about.parent, about.model, about.stop_reason) == ("ses_1", "ses_0", "m", "stop")
    assert about.metadata["title"] == "Port"


def test_the_files_of_a_store_are_an_episode_a_session(tmp_path: Path) -> None:
    other = [session("ses_2"), message("msg_9", of="ses_2"), part("prt_9", "msg_9", session="ses_2", text="b")]
    found = read(tmp_path, *RECORDS, *other)
    assert [(source["source"], source["format"], source["episodes"], source["turns"]) for source in found.sources] == [
        ("storage/ses_1/*", "opencode_store", 1, 2), ("storage/ses_2/*", "opencode_store", 1, 1),
    ]  # fmt: skip
    assert [(row["episode_id"], row["n_turns"]) for row in found.tables["episodes"]] == [("ses_1", 2), ("ses_2", 1)]
    assert found.tables["rejects"] == []
    files = sum(path.stat().st_size for path in (tmp_path / "storage").rglob("*.json"))
    assert sum(source["account"]["kept"] for source in found.sources) == files


def test_it_is_what_an_export_of_it_is() -> None:
    parts = {of: [one for one in RECORDS if one.get("messageID") == of] for of in ("msg_1", "msg_2", "msg_3")}
    export = {"info": RECORDS[-1], "messages": [{"info": one, "parts": parts[one["id"]]} for one in RECORDS[:3]]}
    assert rows(told("opencode_store", RECORDS)) == rows(told("opencode", [export]))


def test_what_has_no_message_is_no_episode(tmp_path: Path) -> None:
    found = read(tmp_path, session(), part("prt_1", "msg_1", text="x"))
    assert found.tables["episodes"] == []
    assert {kind for source in found.sources for kind in source["account"]["ignored"]} == {
        "session-without-messages", "part-without-message",
    }  # fmt: skip


def test_a_session_without_its_own_file_is_named_after_its_messages() -> None:
    assert told("opencode_store", RECORDS[:-1]).one.about.episode_id == "ses_1"


def test_a_torn_file_costs_itself(tmp_path: Path) -> None:
    storage = stored(tmp_path, *RECORDS)
    torn = storage / "part" / "msg_3" / "prt_4.json"
    torn.write_bytes(torn.read_bytes()[:-9])
    found = ingested(tmp_path, [storage])
    assert [row["source"] for row in found.tables["rejects"]] == ["storage/part/msg_3/prt_4.json"]
    assert [(row["episode_id"], row["n_turns"]) for row in found.tables["episodes"]] == [("ses_1", 1)]


@pytest.mark.parametrize("value", odd_values(*RECORDS[:1], RECORDS[3], RECORDS[-1]))
def test_a_recogniser_survives_anything(value: Any) -> None:
    if recognises(value):
        assert isinstance(group(value), str)


def test_no_other_format_takes_its_records() -> None:
    assert {recognised(record) for record in RECORDS} == {"opencode_store"}
    assert all(known_by(record) == ["opencode_store"] for record in RECORDS)
    assert not recognises(session("../x"))  # an id names the episode, and the source


def test_every_field_that_counts_changes_a_column() -> None:
    assert silent("opencode_store", RECORDS) == {
        "user: time.created", "text: id", "text: sessionID", "text: messageID", "text: type", "text: text",
        "assistant: time.created", "assistant: modelID", "assistant: providerID", "assistant: finish",
        "tool: callID", "tool: state.status",
    }  # fmt: skip

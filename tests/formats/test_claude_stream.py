"""Claude Code's stream-json: turns by pencil, sub-agents, how a run ended."""

from pathlib import Path
from typing import Any

import pytest

from calib.formats.claude_stream import recognises
from calib.ingest.sniff import recognised
from tests.formats.reading import calls, column, ingested, silent, told

Record = dict[str, Any]


def line(kind: str, session: str = "s", **more: Any) -> Record:
    return {"type": kind, "session_id": session, "uuid": "u", **more}


def said(name: str, *blocks: Record, caller: str | None = None, **more: Any) -> Record:
    message = {"id": name, "role": "assistant", "model": "m", "content": list(blocks), "stop_reason": None, **more}
    return line("assistant", parent_tool_use_id=caller, message=message)


def answered(name: str, content: str, caller: str | None = None) -> Record:
    block = {"type": "tool_result", "tool_use_id": name, "content": content}
    return line("user", parent_tool_use_id=caller, message={"role": "user", "content": [block]})


def ended(subtype: str, **more: Any) -> Record:
    return line("result", subtype=subtype, is_error=False, num_turns=2, total_cost_usd=0.5, **more)


def call(name: str, **given: Any) -> Record:
    return {"type": "tool_use", "id": name, "name": "Bash", "input": given}


RUN = [
    line("system", subtype="init", cwd="/w", tools=["Bash"], model="sonnet", claude_code_version="2.1.3"),
    said("m0", {"type": "thinking", "thinking": "Plan.", "signature": "c2ln"}),
    said("m0", call("t0", command="ls")),
    answered("t0", "a"),
    line("system", subtype="compact_boundary"),
    said("m1", {"type": "text", "text": "Done."}),
    ended("error_max_turns", errors=["Reached maximum number of turns (2)"]),
]


def test_a_run() -> None:
    episode = told("claude_stream", RUN).one
    assert column("reasoning", episode) == ["Plan.", None]
    assert column("text", episode) == [None, "Done."]
    assert column("after_compaction", episode) == [False, True]
    assert calls(episode, "turn", "canonical", "result_head") == [(0, '{"command":"ls"}', "a")]
    about = episode.about
    assert (about.episode_id, about.model, about.stop_reason, about.turn_limit) == ("s", "m", "error_max_turns", 2)
    assert about.metadata == {
        "cwd": "/w", "asked_model": "sonnet", "version": "2.1.3", "num_turns": 2, "total_cost_usd": 0.5,
        "is_error": False,
    }  # fmt: skip


@pytest.mark.parametrize("subtype", ["success", "error_during_execution", "error_max_budget_usd"])
def test_the_stop_reason_is_the_subtype(subtype: str) -> None:
    about = told("claude_stream", [*RUN[:-1], ended(subtype, result="Reached maximum number of turns (2)")]).one.about
    assert (about.stop_reason, about.turn_limit) == (subtype, None)


@pytest.mark.parametrize(("failed", "stop"), [(True, "error"), (False, "success"), (None, "success")])
def test_a_failure_of_the_api_is_told_as_success(failed: bool | None, stop: str) -> None:
    last = {**ended("success", result="API Error: 500"), "is_error": failed}
    assert told("claude_stream", [*RUN[:-1], last]).one.about.stop_reason == stop
    assert told("claude_stream", [*RUN[:-1], {**RUN[-1], "is_error": True}]).one.about.stop_reason == "error_max_turns"


def test_sub_agents_are_episodes() -> None:
    records = [
        said("m0", call("k")),
        said("x0", call("t"), caller="k"),
        answered("t", "r", "k"),
        said("x1", caller="k"),
    ]
    main, agent = told("claude_stream", [*records, answered("k", "report"), said("m1")]).episodes
    assert (main.about.episode_id, len(main.turns)) == ("s", 2)
    assert (agent.about.episode_id, agent.about.parent, len(agent.turns)) == ("s/k", "s", 2)
    assert calls(agent, "result_head") == [("r",)]


def test_partial_replayed_and_synthetic_records_are_no_turns() -> None:
    records = [
        line("stream_event", event={"type": "content_block_delta"}), said("m0"), said("m9", model="<synthetic>"),
        line("user", isReplay=True, message={"role": "user", "content": "x"}), line("tool_progress"), line("new-kind"),
        line("user", message="x"), [said("m1")],
    ]  # fmt: skip
    found = told("claude_stream", records)
    assert len(found.one.turns) == 1
    assert found.ignored == ["stream_event", "synthetic-message", "replayed-message", "tool_progress", "new-kind"]
    assert found.rejected == [(7, "bad-message"), (8, "not-an-object")]
    assert found.notices == {"unknown-record-type": 1}


def test_a_session_ends_with_its_last_record() -> None:
    records = [said("m0"), line("tool_progress"), line("assistant", "t", message={"id": "n0", "content": []})]
    found = told("claude_stream", records, last={"s": 2, "t": 3})
    assert [one.about.episode_id for one in found.episodes] == ["s", "t"]


def test_a_list_of_records_is_read(tmp_path: Path) -> None:
    import json

    path = tmp_path / "run.json"
    path.write_text(json.dumps(RUN))
    read = ingested(tmp_path, [path])
    assert [source["format"] for source in read.sources] == ["claude_stream"]
    assert [row["n_turns"] for row in read.tables["episodes"]] == [2]


@pytest.mark.parametrize(
    "value",
    [None, [], {}, {"session_id": "s"}, {"session_id": {}, "type": "assistant", "message": {}},
     {"session_id": "s", "type": "result"}, {"session_id": "s", "type": ["x"]},
     {"session_id": "s", "sessionId": "s", "type": "assistant", "message": {}},
     {"session_id": "s", "platform": "cli", "messages": []}],
)  # fmt: skip
def test_recognises_nothing_else(value: Any) -> None:
    assert not recognises(value)


def test_no_other_format_takes_a_run() -> None:
    known = [record for record in RUN if record.get("subtype") != "compact_boundary"]
    assert {recognised(record) for record in known} == {"claude_stream"}


def test_every_field_that_counts_changes_a_column() -> None:
    assert silent("claude_stream", RUN) == {
        "system: uuid", "system: tools", "assistant: uuid", "user: uuid",
        "assistant: message.role", "assistant: message.model", "assistant: message.stop_reason",
        "assistant: message.content.signature", "result: errors", "user: message.role", "result: uuid",
        "assistant: message.id",
    }  # fmt: skip

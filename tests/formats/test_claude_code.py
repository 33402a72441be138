"""Claude Code sessions: turns by pencil, side chains, copies, harness records, the open cases, the open files."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.formats.claude_code import recognises
from calib.ingest.sniff import recognised
from tests.formats.reading import Told, calls, column, ingested, silent, told, written

SHARED = Path(__file__).parents[2].parent / "shared"
FILES = SHARED / "corpora"
Record = dict[str, Any]


def line(kind: str, uuid: str = "", **more: Any) -> Record:
    known = {"sessionId": "s", "isSidechain": False, "timestamp": "2026-05-01T10:00:00Z"}
    return {"type": kind, "uuid": uuid or f"{kind}-{next(NUMBERS)}", "parentUuid": None, **known, **more}


NUMBERS = iter(range(10**6))


def asked(content: Any, **more: Any) -> Record:
    return line("user", message={"role": "user", "content": content}, **more)


def said(name: str | None, *blocks: Record, stop: str | None = None, uuid: str = "", **more: Any) -> Record:
    message = {"id": name, "role": "assistant", "model": "m", "content": list(blocks), "stop_reason": stop}
    return line("assistant", uuid, message={**message, "usage": {"output_tokens": 2}}, **more)


def thought(text: str, **more: Any) -> Record:
    return {"type": "thinking", "thinking": text, **more}


def text(value: str) -> Record:
    return {"type": "text", "text": value}


def call(name: str, tool: str = "Read", **given: Any) -> Record:
    return {"type": "tool_use", "id": name, "name": tool, "input": given}


def result(name: str | None, content: Any = "ok", **more: Any) -> Record:
    block = {"type": "tool_result", "content": content, **more}
    return asked([block if name is None else {**block, "tool_use_id": name}])


SESSION = [
    line("custom-title", customTitle="Port"),
    asked("Go.", version="2.1.3", cwd="/w", gitBranch="main"),
    said("m0", thought("Plan.")),
    said("m0", text("Looking.")),
    said("m0", call("t0", path="a")),
    result("t0", "A", is_error=False),
    said("m0", call("t1", path="b"), stop="tool_use"),
    result("t1", "B", is_error=True),
    line("system", subtype="compact_boundary"),
    said("m1", thought("Plan."), text("Done."), stop="end_turn"),
    line("attachment", attachment={"type": "max_turns_reached", "maxTurns": 2, "turnCount": 2}),
]


def test_records_of_one_message_are_one_turn_whatever_stands_between() -> None:
    episode = told("claude_code", SESSION).one
    assert column("reasoning", episode) == ["Plan.", "Plan."]
    assert column("kind", episode) == ["native", "native"]
    assert column("text", episode) == ["Looking.", "Done."]
    assert column("same_reasoning", episode) == [0, 0]
    assert column("tools", episode) == [["Read", "Read"], []]
    assert column("user_before", episode) == [True, False]
    assert column("after_compaction", episode) == [False, True]
    assert calls(episode, "turn", "canonical", "result_head", "is_error") == [
        (0, '{"path":"a"}', "A", False), (0, '{"path":"b"}', "B", True),
    ]  # fmt: skip


def test_what_is_said_about_a_session() -> None:
    about = told("claude_code", SESSION).one.about
    assert (about.episode_id, about.model, about.stop_reason, about.turn_limit) == ("s", "m", "max_turns_reached", 2)
    assert (about.parent, about.outcome) == (None, None)
    assert about.metadata == {
        "version": "2.1.3", "cwd": "/w", "git_branch": "main", "title": "Port", "output_tokens": 4,
        "started": "2026-05-01T10:00:00Z", "ended": "2026-05-01T10:00:00Z",
    }  # fmt: skip


def test_usage_of_a_message_counts_once_and_the_last_record_wins() -> None:
    first, last = said("m0", text("a")), said("m0", text("b"))
    last["message"]["usage"] = {"output_tokens": 9}
    assert told("claude_code", [first, last, said("m1", text("c"))]).one.about.metadata["output_tokens"] == 11


def test_tokens_of_a_turn_are_those_of_its_last_record() -> None:
    first, last, other = said("m0", text("a")), said("m0", call("t0")), said("m1", text("b"))
    first["message"]["usage"], last["message"]["usage"] = {"output_tokens": 1}, {"output_tokens": 50}
    assert column("output_tokens", told("claude_code", [first, result("t0"), last, other]).one) == [50, 2]


def test_the_model_may_change_and_the_first_one_names_the_session() -> None:
    other = said("m1", text("b"))
    other["message"]["model"] = "n"
    about = told("claude_code", [said("m0", text("a")), other, said("m2", text("c"))]).one.about
    assert (about.model, about.metadata["models"]) == ("m", ["m", "n"])


def test_a_last_response_that_was_written_before_it_ended_has_no_stop_reason() -> None:
    records = [said("m0", call("t0")), said("m0", call("t1"), stop="tool_use"), said("m1", text("b"))]
    assert told("claude_code", records).one.about.stop_reason is None
    assert told("claude_code", [*records[:2], said("m0", text("late"))]).one.about.stop_reason == "tool_use"


def test_a_boundary_and_its_summary_mark_one_turn() -> None:
    records = [
        said("m0"), line("system", subtype="compact_boundary", logicalParentUuid="x", compactMetadata={"preTokens": 9}),
        asked("This session is being continued", isCompactSummary=True), said("m1"), said("m2"),
    ]  # fmt: skip
    episode = told("claude_code", records).one
    assert column("after_compaction", episode) == [False, True, False]
    assert column("user_before", episode) == [False, False, False]


def test_notes_around_the_talk_are_ignored_by_name() -> None:
    notes = [
        line("system", subtype="microcompact_boundary"), line("system", subtype="turn_duration"),
        {"type": "started", "sessionId": "s"}, {"type": "result", "sessionId": "s", "key": "k"},
        {"type": "summary", "summary": "Port", "leafUuid": "elsewhere"},
    ]  # fmt: skip
    found = told("claude_code", [said("m0", text("a")), *notes, said("m1", text("b"))])
    assert column("text", found.one) == ["a", "b"]
    assert column("after_compaction", found.one) == [False, False]
    assert found.ignored == ["system.microcompact_boundary", "system.turn_duration", "started", "result", "summary"]
    assert found.one.about.stop_reason is None
    assert not found.notices


@pytest.mark.parametrize(
    "kind",
    ["file-history-snapshot", "file-history-delta", "queue-operation", "last-prompt", "custom-title", "ai-title",
     "mode", "permission-mode", "summary", "pr-link", "agent-name", "agent-setting", "worktree-state", "attachment",
     "progress", "system", "started", "result"],
)  # fmt: skip
def test_every_kind_of_note_is_known(kind: str) -> None:
    found = told("claude_code", [said("m0"), {"type": kind, "sessionId": "s", "uuid": "x", "parentUuid": None}])
    assert (len(found.one.turns), found.ignored, found.notices) == (1, [kind], {})


def test_a_sub_agent_has_a_turn_limit_of_its_own() -> None:
    side: Record = {"isSidechain": True, "agentId": "A"}
    limit = line("attachment", attachment={"type": "max_turns_reached", "maxTurns": 3}, **side)
    main, agent = told("claude_code", [said("m0"), said("x0", **side), limit]).episodes
    assert (main.about.stop_reason, agent.about.stop_reason, agent.about.turn_limit) == (None, "max_turns_reached", 3)


def test_a_turn_that_another_model_took_over_is_one() -> None:
    block = {"type": "fallback", "from": {"model": "a"}, "to": {"model": "b"}}
    found = told("claude_code", [said("m0", thought("A"), block, text("b"))])
    assert (column("reasoning", found.one), column("text", found.one)) == (["A"], ["b"])
    assert not found.notices


def test_a_sub_agent_told_in_progress_and_in_a_file_counts_once(tmp_path: Path) -> None:
    session = "0f7fdf92-6a0a-4b43-8f0e-5d1c6f3f0001"
    own = [asked("Find it."), said("x0", call("t")), result("t", "r"), said("x1", text("found"))]
    inside = [
        line("progress", data={"type": "agent_progress", "agentId": "A", "message": record}, sessionId=session)
        for record in own[:3]
    ]
    folder = tmp_path / session / "subagents"
    folder.mkdir(parents=True)
    files = [
        written(tmp_path, f"{session}.jsonl", [said("m0", sessionId=session), *inside]),
        written(folder, "agent-A.jsonl", [{**record, "sessionId": session, "isSidechain": True, "agentId": "A"}
                                          for record in own]),
    ]  # fmt: skip
    read = ingested(tmp_path, files)
    assert {row["episode_id"]: row["n_turns"] for row in read.tables["episodes"]} == {session: 1, f"{session}/A": 2}
    assert [row["code"] for row in read.tables["rejects"]] == ["duplicate-episode"]


def test_two_records_torn_into_one_cost_one_line(tmp_path: Path) -> None:
    records = [said("m0", text("a")), said("m1", text("b")), said("m2", text("c"))]
    lines = [json.dumps(record) for record in records]
    lines[1] = lines[1][:90] + json.dumps({"type": "file-history-snapshot", "messageId": "x"})
    path = tmp_path / "s.jsonl"
    path.write_text("\n".join(lines) + "\n")
    read = ingested(tmp_path, [path])
    assert [row["text"] for row in read.of("s")] == ["a", "c"]
    assert [(row["line"], row["code"]) for row in read.tables["rejects"]] == [(2, "json-invalid")]


def test_a_late_record_of_an_earlier_message_still_belongs_to_it() -> None:
    records = [
        said("m0", thought("A"), call("t0")),
        said("m1", thought("B")),
        said("m0", call("t1")),
        result("t1", "x"),
    ]
    episode = told("claude_code", records).one
    assert column("reasoning", episode) == ["A", "B"]
    assert calls(episode, "turn", "result_head") == [(0, None), (0, "x")]


def test_a_message_without_an_id_is_a_turn() -> None:
    assert column("text", told("claude_code", [said(None, text("a")), said(None, text("a"))]).one) == ["a", "a"]


@pytest.mark.parametrize(
    ("blocks", "reasoning", "state"),
    [
        ([thought("a"), text("x"), thought("b")], "a\nb", "recorded"),
        ([thought("", signature="c2ln")], None, "withheld"),
        ([{"type": "redacted_thinking", "data": "x"}], None, "withheld"),
        ([{"type": "redacted_thinking", "data": "x"}, thought("a")], "a", "recorded"),
        ([thought("")], None, "empty"),
        ([text("x")], None, "absent"),
        ([text("<think>a</think>x")], "a", "recorded"),
    ],
)
def test_reasoning(blocks: list[Record], reasoning: str | None, state: str) -> None:
    assert told("claude_code", [said("m", *blocks)]).one.turns[0][:2] == [reasoning, state]


def test_a_result_of_parts_differs_when_its_image_differs() -> None:
    def picture(data: str) -> Record:
        return {"type": "image", "source": {"type": "base64", "data": data}}

    records: list[Record] = []
    for at, data in enumerate(["AA", "AA", "BB"]):
        records += [said(f"m{at}", call(f"t{at}")), result(f"t{at}", [text("shot"), picture(data)])]
    episode = told("claude_code", records).one
    assert column("same_results", episode) == [0, 0, 2]
    assert calls(episode, "result_head")[0][0].startswith("shot\n[image ")


def test_results_without_id_and_of_no_call() -> None:
    found = told("claude_code", [said("m0", call("t0")), result(None, "a"), said("m1"), result("other", "b")])
    assert calls(found.one, "result_head") == [("a",)]
    assert column("orphans", found.one) == [0, 1]
    assert found.notices == {"orphan-tool-result": 1}


def test_a_call_or_result_that_is_told_twice_counts_once() -> None:
    records = [said("m0", call("t0")), said("m0", call("t0")), result("t0", "a"), result("t0", "a")]
    found = told("claude_code", records)
    assert calls(found.one, "result_head") == [("a",)]
    assert not found.notices


def test_harness_made_records_are_no_turns() -> None:
    synthetic = said("m9", text("API Error"))
    synthetic["message"]["model"] = "<synthetic>"
    fallback = said("m8", {"type": "fallback", "from": {"model": "a"}, "to": {"model": "b"}})
    found = told(
        "claude_code", [synthetic, said("m7", text("x"), isApiErrorMessage=True), fallback, said("m0", text("a"))]
    )
    assert column("text", found.one) == ["a"]
    assert found.ignored == ["synthetic-message", "synthetic-message"]


def test_a_fallback_block_is_part_of_its_message() -> None:
    block = {"type": "fallback", "from": {"model": "a"}, "to": {"model": "b"}}
    assert column("text", told("claude_code", [said("m0", block), said("m0", text("a"))]).one) == ["a"]


@pytest.mark.parametrize(
    ("record", "real"),
    [
        (asked("Go on."), True),
        (asked([text("Go on."), {"type": "image"}]), True),
        (asked("Base directory: x", isMeta=True), False),
        (asked("<command-name>/model</command-name>"), False),
        (asked("<local-command-stdout>x</local-command-stdout>"), False),
        (asked("Caveat: The messages below were generated by the user"), False),
        (asked("[Request interrupted by user]"), False),
        (asked("<bash-input>ls</bash-input>"), False),
        (asked("<system-reminder>Mind the plan.</system-reminder>"), False),
        (asked("<task-notification>done</task-notification>"), False),
        (asked("<user-memory-input>x</user-memory-input>"), False),
        (asked("<user-prompt-submit-hook>x</user-prompt-submit-hook>"), False),
        (asked([text("Stop hook feedback:\nrun the tests")]), False),
        (asked("done", origin={"kind": "task-notification"}), False),
        (asked("Summary", isCompactSummary=True), False),
        (line("attachment", attachment={"type": "queued_command", "commandMode": "prompt", "prompt": "x"}), True),
        (line("attachment", attachment={"type": "queued_command", "commandMode": "task-notification"}), False),
    ],
)
def test_real_user_messages(record: Record, real: bool) -> None:
    assert column("user_before", told("claude_code", [said("m0"), record, said("m1")]).one) == [False, real]


def test_a_summary_without_a_boundary_marks_the_next_turn() -> None:
    records = [said("m0"), asked("Summary", isCompactSummary=True), said("m1")]
    assert column("after_compaction", told("claude_code", records).one) == [False, True]


def test_clear_marks_the_next_turn() -> None:
    clears = [asked("<command-name>/clear</command-name>") for _ in range(2)]
    records = [clears[0], said("m0"), clears[1], said("m1")]
    assert column("after_compaction", told("claude_code", records).one) == [False, True]


def test_an_interruption_at_the_end_is_the_stop_reason() -> None:
    stop = [said("m0", text("a"), stop="tool_use"), asked("[Request interrupted by user for tool use]")]
    assert told("claude_code", stop).one.about.stop_reason == "interrupted"
    assert told("claude_code", [*stop, said("m1", stop="end_turn")]).one.about.stop_reason == "end_turn"


def test_records_that_stand_twice_count_once() -> None:
    name = "0f7fdf92-6a0a-4b43-8f0e-5d1c6f3f0001"
    records = [said(None, text("a"), uuid=name), said(None, text("a"), uuid=name, sessionId="new")]
    found = told("claude_code", [*records, said(None, text("b"), uuid="short"), said(None, text("c"), uuid="short")])
    assert column("text", found.one) == ["a", "b", "c"]
    assert found.ignored == ["copied-record"]
    assert found.notices == {"duplicate-record": 1}


def test_copies_are_found_among_many_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calib.formats._claude_log.WINDOW", 3)
    names = [f"0f7fdf92-6a0a-4b43-8f0e-5d1c6f3f{at:04}" for at in (0, 1, 2, 3, 1, 4, 5, 0)]
    found = told("claude_code", [said(None, text("a"), uuid=name) for name in names])
    assert (len(found.one.turns), found.ignored) == (7, ["copied-record"])  # the first is too far away


def test_the_last_snapshot_of_a_block_counts() -> None:
    records = [
        said("m0", text("Loo")),
        said("m0", text("Looking.")),
        said("m0", call("t0")),
        said("m0", call("t0", a=1)),
    ]
    found = told("claude_code", records)
    assert column("text", found.one) == ["Looking."]
    assert calls(found.one, "canonical") == [('{"a":1}',)]
    assert found.notices == {"superseded-snapshot": 2, "missing-tool-result": 1}


def test_blocks_of_one_record_stand_side_by_side() -> None:
    assert column("text", told("claude_code", [said("m0", text("a"), text("ab"))]).one) == ["a\nab"]


def test_times_that_run_back_or_are_none() -> None:
    times = ["2026-05-01T10:00:01Z", "2026-05-01T10:00:00Z", "2026-05-01T10:00:00", "soon", "2026-05-01T12:00:00+02:00"]
    found = told("claude_code", [said(f"m{at}", timestamp=time) for at, time in enumerate(times)])
    assert len(found.one.turns) == 5
    assert found.notices == {"time-went-back": 1, "bad-timestamp": 1}
    assert found.one.about.metadata["ended"] == times[-1]


def test_what_a_fork_copied_counts_where_it_comes_from() -> None:
    copied = said("m0", text("a"), sessionId="new", forkedFrom={"sessionId": "old", "messageUuid": "x"})
    found = told("claude_code", [copied, said("m1", text("b"), sessionId="new")])
    assert column("text", found.one) == ["b"]
    assert found.ignored == ["copied-history"]


def test_sessions_in_one_file_are_episodes() -> None:
    found = told("claude_code", [said("m0", sessionId="a"), said("m1", sessionId="b"), said("m2", sessionId="a")])
    assert [(one.about.episode_id, len(one.turns)) for one in found.episodes] == [("a", 2), ("b", 1)]
    assert found.notices == {"session-changes": 1, "mixed-sessions": 1}


def test_side_chains_are_episodes_of_their_own() -> None:
    side: Record = {"isSidechain": True}
    records = [
        said("m0", call("k", "Task")),
        asked("Part A", uuid="x0", **side), said("x", text("a0"), uuid="x1", **side | {"parentUuid": "x0"}),
        said("y", text("b0"), agentId="B", **side),
        said("z", text("a1"), **side | {"parentUuid": "x1"}),
        said("m1", text("main")),
    ]  # fmt: skip
    found = told("claude_code", records)
    assert [(one.about.episode_id, one.about.parent, column("text", one)) for one in found.episodes] == [
        ("s", None, [None, "main"]), ("s/x0", "s", ["a0", "a1"]), ("s/B", "s", ["b0"]),
    ]  # fmt: skip


def test_messages_of_a_sub_agent_in_progress_records() -> None:
    def told_by(record: Record) -> Record:
        inner = {key: record[key] for key in ("type", "uuid", "timestamp", "message")}
        return line("progress", data={"type": "agent_progress", "agentId": "A", "message": inner})

    records = [told_by(asked("Find it.")), told_by(said("x", call("t"))), told_by(result("t", "r")), told_by(said("y"))]
    found = told("claude_code", [said("m0"), *records, line("progress", data={"type": "hook_progress"})])
    agent = found.episodes[1]
    assert (agent.about.episode_id, agent.about.parent, len(agent.turns)) == ("s/A", "s", 2)
    assert calls(agent, "result_head") == [("r",)]
    assert found.ignored == ["progress.hook_progress"]


def test_a_sub_agent_file_names_its_parent() -> None:
    record = said("x", agentId="A", isSidechain=True)
    assert told("claude_code", [record], "p/agent-A.jsonl").one.about.parent == "s"
    other = said("x", agentId="A", isSidechain=True, sessionId="agent-A")
    assert told("claude_code", [other], "p/UUID/subagents/agent-A.jsonl").one.about.parent == "UUID"


def test_a_session_ends_with_its_last_record_even_when_that_is_ignored() -> None:
    records = [said("m0"), line("mode", mode="normal"), said("n0", sessionId="t"), said("n1", sessionId="t")]
    seen: list[int] = []
    found = told("claude_code", records, last={"s": 2, "t": 4})
    seen += [len(one.turns) for one in found.episodes]
    assert seen == [1, 2]


def test_records_without_a_session_are_one_episode_named_by_the_file() -> None:
    records = [{"type": "user", "timestamp": "t", "message": {"content": "Fix it"}},
               {"type": "assistant", "timestamp": "t", "message": {"content": [text("Ok")]}}]  # fmt: skip
    assert all(map(recognises, records))
    assert told("claude_code", records).one.about.episode_id is None


def test_an_exported_session_is_charged_once(tmp_path: Path) -> None:
    export = {"loglines": [asked("Go."), said("m0", text("a")), said("m1", text("b"), isSidechain=True, agentId="A")]}
    read = ingested(tmp_path, [written(tmp_path, "web.json", [export])])
    assert [source["format"] for source in read.sources] == ["claude_code"]
    assert {row["episode_id"]: row["n_turns"] for row in read.tables["episodes"]} == {"s": 1, "s/A": 1}


def test_bad_records_cost_themselves() -> None:
    records: list[Any] = [
        said("m0"), line("user", message="error"), line("user", message={"role": "user", "contenst": []}), [1], b"42\n",
        b'{"type":"assistant","uuid":"a\n', {"silly": "this"}, line("brand-new"), said("m1"),
    ]  # fmt: skip
    found = told("claude_code", records)
    assert found.rejected == [
        (2, "bad-message"), (3, "bad-message"), (4, "not-an-object"), (5, "not-an-object"), (6, "json-truncated"),
    ]  # fmt: skip
    assert found.ignored == ["untyped", "brand-new"]
    assert found.notices == {"unknown-record-type": 2}
    assert len(found.one.turns) == 2


@pytest.mark.parametrize(
    "value",
    [None, 1, "user", [], {}, {"type": 1}, {"type": {}}, {"type": "user", "message": 1}, {"type": ["user"]},
     {"type": "assistant", "sessionId": "s", "message": {"role": "model", "parts": []}},
     {"type": "user", "session_id": "s", "message": {"content": "x"}}, {"loglines": 7}, {"agentType": 7},
     {"type": "message", "id": "m1", "message": {"role": "user", "content": "x"}}],
)  # fmt: skip
def test_recognises_nothing_else(value: Any) -> None:
    assert not recognises(value)


def test_no_other_format_takes_a_session() -> None:
    assert {recognised(record) for record in SESSION} == {"claude_code"}
    assert recognised({"agentType": "Explore", "spawnDepth": 1}) == "claude_code"


def test_every_field_that_counts_changes_a_column() -> None:
    assert silent("claude_code", SESSION) == {
        "custom-title: type", "custom-title: uuid", "custom-title: parentUuid", "custom-title: isSidechain",
        "custom-title: timestamp", "user: uuid", "user: parentUuid", "user: timestamp", "user: message.role",
        "user: message.content", "assistant: uuid", "assistant: parentUuid",
        "assistant: timestamp", "assistant: message.role", "assistant: message.stop_reason",
        "assistant: message.usage.output_tokens", "assistant: message.model", "assistant: message.id",
        "system: uuid", "system: parentUuid", "system: timestamp", "attachment: uuid", "attachment: parentUuid",
        "attachment: timestamp",
        "attachment: attachment.turnCount",
    }  # fmt: skip


def _chain(agent: str | None, plans: list[int]) -> list[Record]:
    """Some messages of three records each, and the results of their calls."""
    side: Record = {} if agent is None else {"agentId": agent, "isSidechain": True}
    records = []
    for at, plan in enumerate(plans):
        name = f"{agent}-{at}"
        records += [said(name, thought(f"plan {plan}"), **side), said(name, text(f"{plan}"), **side)]
        records += [said(name, call(f"c-{name}", path=f"{plan}"), **side), result(f"c-{name}", f"{plan}") | side]
    return records


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=4), min_size=1, max_size=3), st.randoms())
def test_how_chains_interleave_does_not_matter(plans: list[list[int]], random: Random) -> None:
    chains = [_chain(agent, some) for agent, some in zip((None, "A", "B"), plans, strict=False)]
    alone = {chain: told("claude_code", records).one for chain, records in enumerate(chains)}
    order = [at for at, records in enumerate(chains) for _ in records]
    random.shuffle(order)
    left = [iter(records) for records in chains]
    found = told("claude_code", [next(left[at]) for at in order])
    by_id = {episode.about.episode_id: episode for episode in found.episodes}
    for at, agent in enumerate((None, "A", "B")[: len(chains)]):
        one = by_id["s" if agent is None else f"s/{agent}"]
        assert (one.turns, one.calls, one.digest) == (alone[at].turns, alone[at].calls, alone[at].digest)
    assert sum(size for one in found.episodes for _, _, size in one.stretches) == sum(
        len(json.dumps(record)) + 1 for records in chains for record in records
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 2), min_size=1, max_size=4), st.data())
def test_when_a_result_arrives_does_not_matter(plans: list[int], data: st.DataObject) -> None:
    records = _chain(None, plans)
    at = data.draw(st.sampled_from(range(3, len(records), 4)))
    later = records[:at] + records[at + 1 :]
    later.insert(data.draw(st.integers(at, len(later))), records[at])
    moved, kept = told("claude_code", later).one, told("claude_code", records).one
    assert (moved.turns, moved.calls) == (kept.turns, kept.calls)


CASES = sorted(path for path in SHARED.glob("cases/*.json") if json.loads(path.read_text())["format"] == "claude-code")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_open_case(path: Path, tmp_path: Path) -> None:
    case = json.loads(path.read_text())
    dump = tmp_path / "case.jsonl"
    dump.write_text("\n".join(case["input"]) + "\n")
    read = ingested(tmp_path, [dump])
    (source,) = read.sources
    expected = case["expect"]
    records = [*source["account"]["ignored"].values()]
    assert source["account"]["rejected"] == {}
    assert expected["records"]["rejected"] == 0
    issues = Counter(issue["code"] for issue in expected["issues"])
    assert {code: source["notices"].get(code, 0) for code in issues} == issues
    assert len(read.tables["episodes"]) == len(expected["episodes"])
    if "unknown-record-type" in issues:
        assert sum(part["records"] for part in records) == 4
        assert source["account"]["ignored"]["atis-latch"]["records"] == 1
        assert source["account"]["ignored"]["brand-new-kind"]["records"] == 1
    for wanted in expected["episodes"]:
        name = "s1" if wanted.get("chain", "main") == "main" else f"s1/{wanted['chain']}"
        turns, made = read.of(name), read.of(name, "calls")
        assert len(turns) == wanted["assistant_turns"]
        assert len(made) == wanted.get("tool_calls", 0)
        assert sum(row["result_chars"] is not None for row in made) == wanted.get("tool_results", 0)
        assert sum(row["after_compaction"] for row in turns) == wanted.get("compactions", 0)
        repeated = [row["same_reasoning_as"] for row in turns]
        if wanted.get("T2") is not None:
            assert (repeated, wanted["T2"]) == ([0] * 8, 7)
        elif "T2" in wanted:
            assert repeated == list(range(len(turns)))


STAGE = "jazzyalex__agent-sessions/Resources/Fixtures/stage0/agents/claude"
PARENT = "0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f"
OPEN = {
    "claude_code/FSM1__cipher-box/0fe553fc-e62a-4c1e-8ccc-9e67ef72c414.jsonl": (1, 20, 5),
    "claude_code/JanDeDobbeleer__oh-my-posh/535b36f1-be30-40ce-a97e-df67cc8a9147.jsonl": (1, 20, 11),
    "claude_code/JanDeDobbeleer__oh-my-posh/df0a6e5d-bba0-4488-b540-8f55f98b5b1b.jsonl": (1, 3, 3),
    "claude_code/MoonshotAI__kimi-cli/c7c33335-b4bb-42f9-90a6-9ddaa81066eb.jsonl": (2, 19, 1),
    "claude_code/MoonshotAI__kimi-cli/d530d2dc-eba4-4a3a-9aa1-0658cddb8af2.jsonl": (1, 20, 3),
    "claude_code/PackmindHub__context-evaluator/4d885b17-c8b2-4562-851d-6d2161584447.jsonl": (1, 24, 6),
    "claude_code/PackmindHub__context-evaluator/85ec650c-1911-4729-b965-12859c513c01.jsonl": (2, 35, 10),
    "claude_code/entireio__cli/2026-01-07-4ec443d0-063b-4de3-8ede-e35160c2c1de.jsonl": (1, 22, 22),
    "claude_code/entireio__cli/2026-01-07-d24899b5-6804-483b-be8d-421910d2ca39.jsonl": (1, 15, 15),
    "claude_code/entireio__cli/2026-01-10-cef3602b-e191-46fd-aa56-68c030df67e5.jsonl": (1, 22, 22),
    "claude_code/entireio__cli/3de3ff10-2c78-4b94-b22f-f8ffb14305f6.jsonl": (1, 14, 14),
}
"""Episodes, turns, and turns with reasoning of the open sessions, counted with a script of its own."""

SMALL = {
    "daaain__claude-code-log/test/test_data/edge_cases.jsonl": (2, 4),
    "daaain__claude-code-log/test/test_data/representative_messages.jsonl": (1, 5),
    "daaain__claude-code-log/test/test_data/session_b.jsonl": (1, 1),
    "daaain__claude-code-log/test/test_data/todowrite_examples.jsonl": (1, 6),
    "simonw__claude-code-transcripts/tests/sample_session.json": (1, 15),
    "simonw__claude-code-transcripts/tests/sample_session.jsonl": (1, 3),
    "wesm__agentsview/internal/parser/testdata/claude/valid_session.jsonl": (1, 2),
    f"{STAGE}/large.jsonl": (1, 5),
    f"{STAGE}/schema_drift.jsonl": (1, 1),
    f"{STAGE}/small.jsonl": (3, 5),
    f"{STAGE}/subagent/{PARENT}.jsonl": (1, 1),
    f"{STAGE}/subagent/{PARENT}/subagents/agent-a0ad4f44468bdf20d.jsonl": (1, 1),
    f"{STAGE}/subagent/{PARENT}/subagents/agent-a0ad4f44468bdf20d.meta.json": (0, 0),
}
"""Episodes and turns of the small files that other projects test with."""


@pytest.mark.skipif(not FILES.exists(), reason="the open transcripts are not here")
@pytest.mark.parametrize("name", OPEN)
def test_open_file(name: str, tmp_path: Path) -> None:
    read = ingested(tmp_path, [FILES / name])
    turns = read.tables["turns"]
    recorded = sum(row["reasoning_state"] == "recorded" for row in turns)
    assert (len(read.tables["episodes"]), len(turns), recorded) == OPEN[name]
    assert read.sources[0]["account"]["rejected"] == {}


@pytest.mark.skipif(not FILES.exists(), reason="the open transcripts are not here")
@pytest.mark.parametrize("name", SMALL)
def test_small_file(name: str, tmp_path: Path) -> None:
    read = ingested(tmp_path, [FILES / "fixtures_multi" / name])
    assert (len(read.tables["episodes"]), len(read.tables["turns"])) == SMALL[name]
    assert [source["format"] for source in read.sources] == ["claude_code"]


@pytest.mark.skipif(not FILES.exists(), reason="the open transcripts are not here")
@pytest.mark.parametrize("name", OPEN)
def test_open_file_against_a_literal_reading(name: str, tmp_path: Path) -> None:
    """A slow reading of the main chain: group by id, look at nothing else."""
    groups: dict[str, list[Record]] = {}
    results: set[str] = set()
    for record in map(json.loads, (FILES / name).read_text().splitlines()):
        message = record.get("message")
        if record["type"] == "assistant" and message["model"] != "<synthetic>":
            groups.setdefault(message["id"], []).extend(message["content"])
        elif record["type"] == "user" and isinstance(message["content"], list):
            results |= {block["tool_use_id"] for block in message["content"] if block["type"] == "tool_result"}
    read = ingested(tmp_path, [FILES / name])
    main = next(row["episode_id"] for row in read.tables["episodes"] if row["parent_episode_id"] is None)
    wanted = [
        ["".join(block.get(key, "") for block in blocks if block["type"] == key) for key in ("thinking", "text")]
        for blocks in groups.values()
    ]
    found = [[row["reasoning"] or "", row["text"] or ""] for row in read.of(main)]
    assert [[said.replace("\n", "") for said in turn] for turn in found] == [
        [said.replace("\n", "") for said in turn] for turn in wanted
    ]
    tools = [[block["name"] for block in blocks if block["type"] == "tool_use"] for blocks in groups.values()]
    assert [row["tools"] for row in read.of(main)] == tools
    answered = sum(row["result_chars"] is not None for row in read.of(main, "calls"))
    made = [block["id"] for blocks in groups.values() for block in blocks if block["type"] == "tool_use"]
    assert answered == len(results & set(made))


def test_told_gives_a_session(tmp_path: Path) -> None:
    """The helper of these tests reads as an ingest does."""
    found: Told = told("claude_code", SESSION)
    read = ingested(tmp_path, [written(tmp_path, "s.jsonl", SESSION)])
    assert [row["text"] for row in read.of("s")] == column("text", found.one)

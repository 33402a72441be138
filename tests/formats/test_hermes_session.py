"""hermes-agent outside its database: sessions, lineages over lines, samples, what hermes itself wrote."""

import json
from pathlib import Path
from typing import Any

import pytest

from calib.formats.hermes_session import recognises
from tests.formats.knowing import known_by, odd_values
from tests.formats.perturbing import unheard
from tests.formats.reading import calls, column, ingested, told, written
from tests.formats.test_harnesses import ODD, nodes

SHARED = Path(__file__).parents[2].parent / "shared" / "corpora"
LIMIT = "You've reached the maximum number of tool-calling iterations allowed. Please provide a final response."
SUMMARY = "[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted."
GUARD = "I stopped retrying ls because it hit the tool-call guardrail (repeated_exact_failure)."

Message = dict[str, Any]


def asked(text: str = "Go.") -> Message:
    return {"role": "user", "content": text}


def act(number: int, **more: Any) -> Message:
    call = {"id": f"c{number}", "type": "function", "function": {"name": "ls", "arguments": f'{{"n": {number}}}'}}
    return {"role": "assistant", "content": f"Step {number}.", "tool_calls": [call], **more}


def seen(number: int) -> Message:
    return {"role": "tool", "content": f"r{number}", "tool_call_id": f"c{number}", "tool_name": "ls"}


def session(*messages: Message, **more: Any) -> Message:
    return {"session_id": "s1", "model": "m", "platform": "cli", "session_start": "2026-04-29T20:00:00",
            "system_prompt": "You are.", "messages": [asked(), *messages], **more}  # fmt: skip


def sample(*values: tuple[str, str], **more: Any) -> Message:
    entries = [{"from": role, "value": value} for role, value in (("human", "Go."), *values)]
    return {"conversations": entries, "timestamp": "2026-04-13T21:38:56", "model": "m", "completed": True, **more}


CALL = '<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call>'
ANSWER = '<tool_response>\n{"tool_call_id": "c1", "name": "ls", "content": "r"}\n</tool_response>'


def test_a_session() -> None:
    messages = [
        act(1, reasoning="Plan.", reasoning_content="Plan."), seen(1),
        act(2, codex_reasoning_items=[{"type": "reasoning", "encrypted_content": "x", "summary": []}]), seen(2),
        {"role": "assistant", "content": "Done.", "finish_reason": "stop"},
    ]  # fmt: skip
    record = session(*messages, model_config={"max_iterations": 90})
    found = told("hermes_session", [record])
    episode = found.one
    assert column("reasoning", episode) == ["Plan.", None, None]
    assert column("state", episode) == ["recorded", "encrypted", "absent"]
    assert column("user_before", episode) == [True, False, False]
    assert calls(episode, "turn", "tool", "result_head") == [(0, "ls", "r1"), (1, "ls", "r2")]
    about = episode.about
    assert (about.episode_id, about.model, about.outcome, about.stop_reason) == ("s1", "m", None, None)
    assert about.turn_limit == 90
    assert about.metadata == {"platform": "cli", "session_start": "2026-04-29T20:00:00", "sessions": 1}
    assert not found.notices


def test_the_answer_after_the_limit_is_no_turn() -> None:
    found = told(
        "hermes_session", [session(act(1), seen(1), asked(LIMIT), {"role": "assistant", "content": "So far."})]
    )
    assert len(found.one.turns) == 1
    assert found.one.about.stop_reason == "max_iterations_reached"
    again = [act(1), seen(1), asked(LIMIT), {"role": "assistant", "content": "So far."}, asked("Go on."), act(2)]
    found = told("hermes_session", [session(*again)])
    assert (len(found.one.turns), found.one.about.stop_reason) == (2, None)
    assert column("user_before", found.one) == [True, True]


def test_messages_that_were_taken_back_do_not_count() -> None:
    rows = [act(1, active=1), seen(1), act(2, active=0, compacted=1), act(3, active=0, compacted=0), act(4)]
    assert column("text", told("hermes_session", [session(*rows)]).one) == ["Step 1.", "Step 2.", "Step 4."]


def test_the_notice_of_the_guard_is_no_turn() -> None:
    found = told("hermes_session", [session(act(1), seen(1), {"role": "assistant", "content": GUARD})])
    assert (len(found.one.turns), found.one.about.stop_reason) == (1, "guardrail_halt")


def test_what_compaction_wrote_again_counts_once() -> None:
    summary = {"role": "assistant", "content": SUMMARY}
    messages = [act(1), seen(1), act(2), seen(2), summary, act(2), seen(2), act(3), seen(3)]
    episode = told("hermes_session", [session(*messages)]).one
    assert column("text", episode) == ["Step 1.", "Step 2.", "Step 3."]
    assert column("after_compaction", episode) == [False, False, True]


def exported(name: str, *messages: Message, **more: Any) -> Message:
    return {"id": name, "source": "cli", "started_at": 1.5, "model": "m", "messages": list(messages), **more}


def test_sessions_that_compression_split_are_one_episode_in_any_order() -> None:
    first = exported("a", asked(), act(1), seen(1), end_reason="compression")
    second = exported("b", asked(SUMMARY), act(2), seen(2), parent_session_id="a", end_reason="user_exit")
    child = exported("c", asked(), act(3), seen(3), parent_session_id="b", end_reason="done")
    other = exported("d", asked(), act(4), seen(4), end_reason="user_exit")
    for records in ([first, second, child, other], [other, child, second, first]):
        found = told("hermes_session", records)
        episodes = {episode.about.episode_id: episode for episode in found.episodes}
        assert sorted(str(name) for name in episodes) == ["a", "c", "d"]
        assert column("text", episodes["a"]) == ["Step 1.", "Step 2."]
        assert column("after_compaction", episodes["a"]) == [False, True]
        assert episodes["a"].about.stop_reason == "user_exit"
        assert episodes["a"].about.metadata["sessions"] == 2
        assert episodes["c"].about.parent == "a"
        assert sum(size for episode in found.episodes for _, _, size in episode.stretches) == sum(
            len(json.dumps(record)) + 1 for record in records
        )


def test_a_sample() -> None:
    found = told("hermes_session", [sample(
        ("gpt", f"<think>\nPlan.\n</think>\n{CALL}"), ("tool", ANSWER), ("gpt", "<think>\n</think>\nDone."),
    )])  # fmt: skip
    episode = found.one
    assert column("state", episode) == ["recorded", "empty"]
    assert column("kind", episode) == ["inline", None]
    assert column("same_reasoning", episode) == [0, None]
    assert calls(episode, "tool", "arguments", "result_head") == [("ls", "{}", "r")]
    about = episode.about
    assert (about.episode_id, about.model, about.stop_reason) == ("d.jsonl:1", "m", "completed")
    assert about.metadata == {"timestamp": "2026-04-13T21:38:56", "completed": True}
    assert not found.notices


@pytest.mark.parametrize(
    ("values", "texts", "stop"),
    [
        ([("gpt", f"<think>\n</think>\n{CALL}"), ("human", LIMIT), ("gpt", "<think>\n</think>\nSo far.")], [""],
         "max_iterations_reached"),
        ([("gpt", f"<think>\n</think>\n{SUMMARY}"), ("gpt", "x")], ["x"], "completed"),
        ([("gpt", "x"), ("gpt", GUARD)], ["x"], "guardrail_halt"),
        ([("human", SUMMARY), ("gpt", "x")], ["x"], "completed"),
    ],
)  # fmt: skip
def test_what_hermes_wrote_itself_in_a_sample(values: list[tuple[str, str]], texts: list[str], stop: str) -> None:
    episode = told("hermes_session", [sample(*values)]).one
    assert column("text", episode) == texts
    assert episode.about.stop_reason == stop


@pytest.mark.parametrize(
    ("more", "stop", "limit"),
    [
        ({"completed": False}, None, None),
        ({"completed": False, "partial": True}, "partial", None),
        ({"completed": False, "partial": True, "failed": True}, "failed", None),
        ({"completed": False, "interrupted": True, "failed": False}, "interrupted", None),
        ({"turn_exit_reason": "max_iterations_reached(90/90)"}, "max_iterations_reached(90/90)", 90),
        ({"turn_exit_reason": "text_response(finish_reason=stop)"}, "text_response(finish_reason=stop)", None),
    ],
)
def test_how_a_sample_ended(more: dict[str, Any], stop: str | None, limit: int | None) -> None:
    about = told("hermes_session", [sample(("gpt", "x"), **more)]).one.about
    assert (about.stop_reason, about.turn_limit) == (stop, limit)


def test_reasoning_that_the_guard_of_hermes_cut_is_counted() -> None:
    cut = "Look. [thinking truncated: repetition loop detected]"
    found = told("hermes_session", [session(act(1, reasoning=cut), seen(1), act(2, reasoning="Plan."), seen(2))])
    assert found.one.about.metadata["reasoning_cut"] == 1
    found = told("hermes_session", [sample(("gpt", f"<think>\n{cut}\n</think>\nx"), ("gpt", "<think>\n</think>\ny"))])
    assert found.one.about.metadata["reasoning_cut"] == 1
    assert "reasoning_cut" not in told("hermes_session", [sample(("gpt", "x"))]).one.about.metadata


def test_scratchpads_are_thinking_and_the_example_in_the_prompt_is_no_call() -> None:
    pad = f"<REASONING_SCRATCHPAD>\nPlan.\n</REASONING_SCRATCHPAD>\n{CALL}"
    record = sample(("gpt", pad), ("tool", f"{ANSWER}\n{ANSWER.replace('c1', 'c2')}"))
    prompt = "Call: <tool_call>\n{'name': 'f', 'arguments': {}}\n</tool_call>"
    record["conversations"].insert(0, {"from": "system", "value": prompt})
    episode = told("hermes_session", [record]).one
    assert (column("reasoning", episode), column("kind", episode)) == (["\nPlan.\n"], ["inline"])
    assert calls(episode, "tool", "result_head") == [("ls", "r")]
    assert column("orphans", episode) == [1]


def test_a_batch() -> None:
    inner = {"batch_num": 3, "timestamp": "t", "model": "n"}
    record = sample(("gpt", "x"), prompt_index=7, api_calls=1, partial=False, metadata=inner, tool_stats={"ls": 1})
    del record["model"]
    about = told("hermes_session", [record]).one.about
    assert about.model == "n"
    assert about.metadata == {"timestamp": "t", "completed": True, "partial": False, "api_calls": 1, "prompt_index": 7,
                              "batch_num": 3}  # fmt: skip


def test_recognised_before_the_plainer_formats() -> None:
    assert known_by(session()) == ["episode_lines", "hermes_session"]
    assert known_by(exported("a")) == ["episode_lines", "hermes_session"]
    assert known_by(sample()) == ["hermes_session", "sharegpt"]
    for value in odd_values(session(), exported("a"), sample()):
        recognises(value)


def test_every_field_is_heard() -> None:
    records = [session(act(1, reasoning="P"), seen(1), platform="cli"), sample(("gpt", f"<think>a</think>{CALL}"))]
    places = (
        "0.session_id", "0.model", "0.messages.0.role", "0.messages.1.content", "0.messages.1.reasoning",
        "0.messages.1.tool_calls.0.function.name", "0.messages.1.tool_calls.0.function.arguments",
        "0.messages.2.content", "0.messages.2.role", "1.model", "1.completed", "1.conversations.1.value",
        "1.conversations.0.from",
    )  # fmt: skip
    assert unheard("hermes_session", records, *places) == []


def test_odd_values_never_break_the_reader() -> None:
    records = [session(act(1), seen(1)), exported("a", act(1), end_reason="compression"),
               exported("b", act(2), parent_session_id="a"), sample(("gpt", CALL), ("tool", ANSWER))]  # fmt: skip
    text = json.dumps(records)
    for place in nodes(json.loads(text)):
        for odd in ODD if place else ():
            other = json.loads(text)
            box = other
            for key in place[:-1]:
                box = box[key]
            box[place[-1]] = odd
            told("hermes_session", other)


def test_files(tmp_path: Path) -> None:
    (tmp_path / "session_1.json").write_text(json.dumps(session(act(1), seen(1)), indent=1))
    broken = exported("x", {"role": "assistant", "content": "a", "tool_calls": [5]}, end_reason="compression")
    lines = written(tmp_path, "export.jsonl", [exported("a", asked(), act(1)), broken, exported("b", asked(), act(2))])
    samples = written(tmp_path, "trajectory_samples.jsonl", [sample(("gpt", "x")), sample(("gpt", "y"))])
    read = ingested(tmp_path, [tmp_path / "session_1.json", lines, samples])
    assert sorted(row["episode_id"] for row in read.tables["episodes"]) == [
        "a", "b", "s1", "trajectory_samples.jsonl:1", "trajectory_samples.jsonl:2",
    ]  # fmt: skip
    assert [(row["line"], row["code"]) for row in read.tables["rejects"]] == [(2, "bad-message")]
    assert {source["format"] for source in read.sources} == {"hermes_session"}


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the open corpora in ../shared")
def test_the_open_files(tmp_path: Path) -> None:
    fixtures = sorted((SHARED / "fixtures_multi").rglob("agents/hermes/*.json"))
    samples = sorted((SHARED / "sharegpt_think").rglob("*.jsonl"))
    assert len(fixtures) == 3
    assert len(samples) == 1
    read = ingested(tmp_path, fixtures + samples)
    assert {source["format"] for source in read.sources} == {"hermes_session"}
    assert not read.tables["rejects"]
    turns = {row["episode_id"]: row["n_turns"] for row in read.tables["episodes"]}
    assert turns["20260429_hermes_large"] == 2
    assert (turns["20260429_hermes_small"], turns["20260429_hermes_schema_drift"]) == (1, 1)
    assert sorted(turns.values()) == [1] * 15 + [2]
    kinds = [row["reasoning_kind"] for row in read.tables["turns"]]
    assert (kinds.count("inline"), kinds.count("native")) == (13, 1)

"""Request dumps: many requests that repeat one history, attempts, compaction, retries, files that come late."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.formats.request_dump import recognises, session_of
from tests.formats.knowing import known_by, odd_values
from tests.formats.perturbing import unheard
from tests.formats.reading import Told, calls, column, ingested, told, written
from tests.formats.test_harnesses import ODD, nodes

OPEN = Path(__file__).parents[2].parent / "shared" / "corpora" / "openhands_llm_completions"
FOLDER = "logs/astropy-1/*"

Message = dict[str, Any]


def parts(text: str) -> list[Message]:
    return [{"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}]


def asked(text: str = "Fix it.") -> Message:
    return {"role": "user", "content": parts(text)}


def act(number: int, **more: Any) -> Message:
    call = {"index": 1, "id": f"c{number}", "type": "function",
            "function": {"name": "bash", "arguments": f'{{"n": {number}}}'}}  # fmt: skip
    return {"role": "assistant", "content": f"Step {number}.", "tool_calls": [call], **more}


def seen(number: int) -> Message:
    return {"role": "tool", "tool_call_id": f"c{number}", "name": "bash", "content": parts(f"r{number}")}


def request(answer: Message | None, *messages: Message, finish: str = "tool_calls", **more: Any) -> Message:
    told = [{"role": "system", "content": parts("You are.")}, *messages]
    choice = {"index": 0, "finish_reason": finish, "message": answer}
    response = {"id": f"r-{(answer or {}).get('content')}", "model": "claude", "object": "chat.completion",
                "choices": [choice], "usage": {"total_tokens": 5}}  # fmt: skip
    return {"messages": told, "response": response, "args": [], "kwargs": {"tools": []}, "timestamp": 1.5, "cost": 0.25,
            **more}  # fmt: skip


def run(size: int, task: str = "Fix it.") -> list[Message]:
    """All requests of a run of `size` answers; those of the history lack their reasoning."""
    history, found = [asked(task)], []
    for number in range(size):
        found.append(request(act(number, reasoning_content=f"P{number}"), *history))
        history += [act(number), seen(number)]
    return found


def folder(records: Sequence[Message]) -> Told:
    return told("request_dump", records, FOLDER)


def test_a_run() -> None:
    found = folder(run(3))
    episode = found.one
    assert column("text", episode) == ["Step 0.", "Step 1.", "Step 2."]
    assert column("reasoning", episode) == ["P0", "P1", "P2"]
    assert column("user_before", episode) == [True, False, False]
    assert column("after_compaction", episode) == [False] * 3
    assert calls(episode, "turn", "tool", "arguments", "result_head") == [
        (0, "bash", '{"n": 0}', "r0"), (1, "bash", '{"n": 1}', "r1"), (2, "bash", '{"n": 2}', None),
    ]  # fmt: skip
    about = episode.about
    assert (about.episode_id, about.task, about.model) == ("logs/astropy-1", "astropy-1", "claude")
    assert (about.outcome, about.stop_reason) == (None, "tool_calls")
    assert about.metadata == {"timestamp": 1.5, "cost": 0.75, "requests": 3}
    assert found.notices == {"missing-tool-result": 1}


def test_the_last_request_alone_tells_the_same_turns() -> None:
    whole, last = folder(run(5)).one, folder(run(5)[-1:]).one
    for name in ("text", "same_calls", "same_results", "tools"):
        assert column(name, last) == column(name, whole)
    assert column("reasoning", last) == [None, None, None, None, "P4"]


@given(st.integers(1, 6), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_any_of_the_requests_may_be_missing_but_the_last(size: int, random: Any) -> None:
    records = run(size)
    kept = [record for record in records[:-1] if random.random() < 0.5] + records[-1:]
    assert column("text", folder(kept).one) == [f"Step {number}." for number in range(size)]


def test_a_file_that_comes_late_changes_nothing() -> None:
    first, second, third, fourth = run(4)
    assert column("text", folder([first, second, fourth, third]).one) == [f"Step {number}." for number in range(4)]


def test_a_request_that_was_sent_again_counts_once() -> None:
    first, second, third = run(3)
    other = {**second, "response": request(act(9))["response"]}
    assert column("text", folder([first, other, second, third]).one) == ["Step 0.", "Step 1.", "Step 2."]


def test_of_several_attempts_in_a_folder_the_last_counts() -> None:
    records = [*run(3), *run(1), *run(2)]
    sizes = [len(json.dumps(record)) + 1 for record in records]
    given_all = told("request_dump", records, FOLDER)
    passed = [one for one in given_all.episodes if not hasattr(one, "turns")]
    assert [one.bytes for one in passed] == sizes[:4]  # type: ignore[attr-defined]
    assert {one.kind for one in passed} == {"earlier-attempt"}  # type: ignore[attr-defined]
    (episode,) = [one for one in given_all.episodes if hasattr(one, "turns")]
    assert column("text", episode) == ["Step 0.", "Step 1."]
    assert sum(size for _, _, size in episode.stretches) == sum(sizes[4:])


def test_attempts_in_a_file_of_lines_are_episodes_each_also_side_by_side() -> None:
    one, other = run(3), run(3)
    other[1] = request(act(7), *one[1]["messages"][1:])
    other[2] = request(act(8), *one[1]["messages"][1:], act(7), seen(7))
    found = told("request_dump", [one[0], one[1], other[1], one[2], other[2]], "d.jsonl")
    assert [column("text", episode)[-1] for episode in found.episodes] == ["Step 8."]  # one conversation, branched
    found = told("request_dump", [*run(2), *run(3)], "d.jsonl")
    assert [len(episode.turns) for episode in found.episodes] == [2, 3]
    assert [episode.about.episode_id for episode in found.episodes] == ["d.jsonl:1", "d.jsonl:3"]


def test_the_limit_that_a_folder_is_named_after(tmp_path: Path) -> None:
    name = "run_maxiter_3_N_v0.29/llm_completions/astropy-1"
    (tmp_path / name).mkdir(parents=True)
    for number, record in enumerate(run(3)):
        (tmp_path / name / f"c-{number}.json").write_text(json.dumps(record))
    (row,) = ingested(tmp_path, [tmp_path / name.partition("/")[0]]).tables["episodes"]
    assert (row["turn_limit"], row["n_turns"], row["stop_reason"]) == (3, 3, "tool_calls")
    assert (row["label"], row["label_source"]) == ("turn_limit", "inferred")
    assert folder(run(3)).one.about.turn_limit is None


def test_tasks_are_told_apart_by_what_the_user_said() -> None:
    left, right = run(2, "Left."), run(3, "Right.")
    found = folder([left[0], right[0], right[1], left[1], right[2]])
    assert [len(episode.turns) for episode in found.episodes] == [2, 3]
    assert [episode.about.task for episode in found.episodes] == [None, None]
    assert len({episode.about.episode_id for episode in found.episodes}) == 2


def test_a_history_that_was_shortened() -> None:
    records = run(4)
    note = asked("Summary of what was done.")
    after = [asked(), note, act(3), seen(3)]
    records.append(request(act(4), *after))
    records.append(request(act(5), *after, act(4), seen(4)))
    episode = folder(records).one
    assert column("text", episode) == [f"Step {number}." for number in range(6)]
    assert column("after_compaction", episode) == [False] * 4 + [True, False]
    assert calls(episode, "result_head")[3:] == [("r3",), ("r4",), (None,)]


def test_a_history_of_which_only_a_summary_is_left() -> None:
    records = [*run(2), request(act(2), asked(), asked("Summary."), act(0), seen(0))]
    episode = folder(records).one
    assert column("text", episode) == ["Step 0.", "Step 1.", "Step 2."]
    assert column("after_compaction", episode) == [False, False, True]


def test_other_shapes() -> None:
    whole = run(1)[0]
    body = {"request": {"method": "POST", "body": {"model": "m", "messages": whole["messages"]}},
            "response": {"status": 200, "body": whole["response"]}, "session_id": "s1"}  # fmt: skip
    assert known_by(body) == ["request_dump"]
    assert told("request_dump", [body]).one.about.episode_id == "s1"
    batch = {"id": "b", "custom_id": "x", "response": {"status_code": 200, "body": whole["response"]}}
    assert known_by(batch) == ["request_dump"]
    assert column("text", told("request_dump", [batch]).one) == ["Step 0."]
    assert known_by(whole["response"]) == ["request_dump"]
    failed = {"session_id": "s2", "reason": "timeout", "error": {"type": "APITimeoutError"},
              "request": {"body": {"model": "m", "messages": [*whole["messages"], act(0), seen(0)]}}}  # fmt: skip
    assert known_by(failed) == ["request_dump"]
    about = told("request_dump", [failed]).one.about
    assert (about.model, about.stop_reason, about.metadata["reason"]) == ("m", "APITimeoutError", "timeout")


def test_messages_as_they_were_before_calls_were_spelled_as_text() -> None:
    records = run(2)
    for record in records:
        record["raw_messages"] = record["messages"]
        record["messages"] = [
            {"role": one["role"], "content": "<function=bash></function>"} for one in record["messages"]
        ]
    found = folder(records)
    assert column("text", found.one) == ["Step 0.", "Step 1."]
    assert calls(found.one, "tool", "result_head") == [("bash", "r0"), ("bash", None)]
    assert found.notices == {"missing-tool-result": 1}


def test_recognised_before_the_plainer_format() -> None:
    assert known_by(run(1)[0]) == ["episode_lines", "request_dump"]
    answer = {"type": "message", "role": "assistant", "content": []}
    claude = {"request": {"messages": [], "system": "s"}, "response": answer}
    assert "request_dump" not in known_by(claude)
    assert not recognises({"messages": []})
    for value in odd_values(run(1)[0], {"request": {"messages": []}, "response": {}}):
        recognises(value)
        session_of(value)


def test_every_field_is_heard() -> None:
    records = run(2)
    places = (
        "1.response.choices.0.message.content", "1.response.choices.0.message.tool_calls.0.function.arguments",
        "1.response.choices.0.message.tool_calls.0.function.name", "1.response.choices.0.message.reasoning_content",
        "0.response.choices.0.message.reasoning_content", "1.response.choices.0.finish_reason", "1.response.model",
        "1.messages.1.role", "1.messages.3.content.0.text", "1.cost",
    )  # fmt: skip
    assert unheard("request_dump", records, *places) == []


def test_odd_values_never_break_the_reader() -> None:
    text = json.dumps(run(2))
    for place in nodes(json.loads(text)):
        for odd in ODD if place else ():
            other = json.loads(text)
            box = other
            for key in place[:-1]:
                box = box[key]
            box[place[-1]] = odd
            told("request_dump", other)


def test_conversations_of_a_large_file_end_with_their_last_record() -> None:
    records = [*run(2, "Left."), *run(2, "Right.")]
    last = {session_of(record): number for number, record in enumerate(records, 1)}
    assert sorted(last.values()) == [2, 4]
    found = told("request_dump", records, "d.jsonl", last)
    assert [episode.about.episode_id for episode in found.episodes] == ["d.jsonl:1", "d.jsonl:3"]


def test_a_folder_and_a_file(tmp_path: Path) -> None:
    home = tmp_path / "dumps" / "astropy-1"
    home.mkdir(parents=True)
    for number, record in enumerate([*run(1), *run(3)]):
        (home / f"call-{number + 8}.json").write_text(json.dumps(record))
    (home / "call-12.json").write_text('{"messages": [')
    broken = {**run(1)[0], "messages": [5]}
    lines = written(tmp_path, "proxy.jsonl", [*run(2), broken])
    read = ingested(tmp_path, [tmp_path / "dumps", lines])
    found = {row["episode_id"].rpartition("/")[2]: (row["task"], row["n_turns"]) for row in read.tables["episodes"]}
    assert found == {"astropy-1": ("astropy-1", 3), "proxy.jsonl:1": (None, 2)}
    assert sorted(row["code"] for row in read.tables["rejects"]) == ["bad-message", "json-truncated"]
    accounts = [source["account"]["ignored"] for source in read.sources]
    assert [ignored.get("earlier-attempt", {}).get("records") for ignored in accounts] == [1, None]


@pytest.mark.skipif(not OPEN.is_dir(), reason="needs the open corpora in ../shared")
def test_the_open_files(tmp_path: Path) -> None:
    read = ingested(tmp_path, [OPEN])
    assert {source["format"] for source in read.sources} == {"request_dump"}
    assert not read.tables["rejects"]
    found = {row["episode_id"].rpartition("/")[2]: row["n_turns"] for row in read.tables["episodes"]}
    assert found == {  # assistant messages of the last request, and its response; three attempts in one folder
        "astropy__astropy-7671": 11, "astropy__astropy-13236__n25.json": 16, "django__django-10973__n13.json": 13,
        "django__django-11133__n19.json": 19,
    }  # fmt: skip
    ignored = sum(source["account"]["ignored"].get("earlier-attempt", {}).get("records", 0) for source in read.sources)
    assert ignored == 13

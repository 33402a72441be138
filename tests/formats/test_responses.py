"""Responses items: stored responses and their chains, lists of items, every item type."""

import json
from pathlib import Path
from typing import Any

import pytest

from calib.formats.responses import recognises, session_of
from tests.formats.reading import calls, column, ingested, silent, told, written


def message(text: str, role: str = "assistant", **more: Any) -> dict[str, Any]:
    part = {"type": "output_text" if role == "assistant" else "input_text", "text": text}
    return {"type": "message", "role": role, "content": [part], **more}


def thought(*summary: str, **more: Any) -> dict[str, Any]:
    return {"type": "reasoning", "summary": [{"type": "summary_text", "text": text} for text in summary], **more}


def call(call_id: str, name: str = "f", arguments: str = "{}") -> dict[str, Any]:
    return {"type": "function_call", "call_id": call_id, "name": name, "arguments": arguments}


def output(call_id: str, text: Any = "ok") -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": text}


def response(name: str, *items: dict[str, Any], before: str | None = None, **more: Any) -> dict[str, Any]:
    return {
        "id": name, "object": "response", "status": "completed", "model": "m", "previous_response_id": before,
        "output": list(items), **more,
    }  # fmt: skip


FLAT = [
    {"role": "user", "content": "Go."},
    thought("Plan."),
    call("a"),
    call("b", "g", '{"x": 1}'),
    output("a", "1"),
    output("b", "2"),
    {"role": "assistant", "content": "Half."},
    {"role": "user", "content": "Go on."},
    message("Done."),
]
CHAIN = [
    response("resp_1", thought("Plan."), call("a"), conversation={"id": "conv"}, metadata={"k": "v"}),
    response("resp_2", thought(encrypted_content="x"), call("a"), before="resp_1", input=[output("a", "1")]),
    response("resp_3", message("Done."), before="resp_2", input=[output("a", "1"), message("u", "user")],
             status="incomplete", incomplete_details={"reason": "max_output_tokens"}),
]  # fmt: skip


def test_a_flat_list() -> None:
    episode = told("responses", [FLAT]).one
    assert column("reasoning", episode) == ["Plan.", None, None]
    assert column("kind", episode)[0] == "summary"
    assert column("text", episode) == [None, "Half.", "Done."]
    assert column("user_before", episode) == [True, False, True]
    assert calls(episode, "turn", "tool", "canonical", "result_head") == [(0, "f", "{}", "1"), (0, "g", '{"x":1}', "2")]


def test_a_chain_is_one_episode() -> None:
    found = told("responses", CHAIN)
    episode = found.one
    assert column("state", episode) == ["recorded", "encrypted", "absent"]
    assert column("same_results", episode) == [0, 0, None]
    assert column("user_before", episode) == [False, False, True]
    about = episode.about
    assert (about.episode_id, about.model, about.stop_reason) == ("conv", "m", "max_output_tokens")
    assert about.metadata == {"k": "v"}


GO: dict[str, Any] = {"role": "user", "content": "Go."}
STORED = [
    response("resp_1", thought("Plan."), call("a"), input=[GO]),
    response("resp_2", thought("Again."), call("b"), input=[GO, call("a"), output("a", "1")]),  # without the reasoning
    response("resp_3", message("Done."), input=[
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Go."}]},
        thought("Plan."), call("a"), output("a", "1"), thought("Again."), {**call("b"), "status": "completed"},
        output("b", "2"), {"role": "user", "content": "And?"},
    ]),
]  # fmt: skip
"""Requests that send the whole history, stored with their responses."""


def test_inputs_that_repeat_the_history_are_one_episode() -> None:
    for records in (STORED, [{**STORED[0], "input": "Go."}, *STORED[1:]]):
        episode = told("responses", records).one
        assert column("reasoning", episode) == ["Plan.", "Again.", None]
        assert column("user_before", episode) == [True, False, True]
        assert calls(episode, "turn", "result_head") == [(0, "1"), (1, "2")]
        assert episode.about.episode_id == "resp_1"


def test_the_same_request_again_is_another_answer_and_a_failed_one_is_none() -> None:
    again = response("resp_9", message("Other."), input=[GO])
    sizes = [len(episode.turns) for episode in told("responses", [STORED[0], again, *STORED[1:]]).episodes]
    assert sorted(sizes) == [1, 3]
    failed = response("resp_0", input=[GO], status="failed")
    assert len(told("responses", [failed, *STORED]).one.turns) == 3


def test_a_history_whose_beginning_is_not_in_the_dump_is_told_from_the_input() -> None:
    episode = told("responses", STORED[2:]).one
    assert column("reasoning", episode) == ["Plan.", "Again.", None]
    assert episode.about.episode_id == "resp_3"


def test_histories_side_by_side_end_with_their_last_responses() -> None:
    def other(record: dict[str, Any]) -> dict[str, Any]:
        spelled = json.dumps(record).replace("Go.", "Come.").replace("resp_", "resp_x")
        return {**record, **json.loads(spelled)}

    records = [both for one in STORED for both in (one, other(one))]
    last: dict[Any, int] = {session_of(record): line for line, record in enumerate(records, 1)}
    assert sorted(last.values()) == [5, 6]
    found = told("responses", [*records, response("resp_y", message("z"))], last=last)
    assert [(one.about.episode_id, len(one.turns)) for one in found.episodes] == [
        ("resp_1", 3), ("resp_x1", 3), ("resp_y", 1),
    ]  # fmt: skip


def test_chains_may_interleave_and_a_second_answer_begins_another() -> None:
    one, two = response("resp_1", call("a")), response("resp_2", call("b"))
    again = response("resp_4", call("z"), before="resp_1")
    found = told("responses", [one, two, response("resp_3", message("x"), before="resp_1"), again])
    sizes = {episode.about.episode_id: len(episode.turns) for episode in found.episodes}
    assert sizes == {"resp_1": 2, "resp_2": 1, "resp_4": 1}


def test_a_chain_ends_with_the_response_that_none_continues() -> None:
    other = response("resp_9", message("y"))
    found = told("responses", [*CHAIN, other], last={"resp_1": 2, "resp_2": 3, None: 4})
    assert [episode.about.episode_id for episode in found.episodes] == ["conv", "resp_9"]


def test_what_of_the_chain_is_not_in_the_dump_is_named() -> None:
    about = told("responses", [response("resp_5", message("x"), before="resp_4")]).one.about
    assert about.metadata == {"previous_response_id": "resp_4"}


@pytest.mark.parametrize(
    ("more", "turns", "stop"),
    [
        ({}, 1, "completed"),
        ({"status": "failed", "error": {"code": "server_error"}}, 0, "server_error"),
        ({"status": "cancelled"}, 0, "cancelled"),
        ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}, 1, "content_filter"),
        ({"status": []}, 1, None),
    ],
)
def test_a_response_without_output(more: dict[str, Any], turns: int, stop: str) -> None:
    episode = told("responses", [response("resp_1", **more)]).one
    assert (len(episode.turns), episode.about.stop_reason) == (turns, stop)


def test_a_response_is_one_turn_whatever_the_server_did_in_it() -> None:
    items = [
        thought("a"),
        {"type": "web_search_call", "id": "ws", "status": "completed", "action": {"type": "search", "query": "q"}},
        {"type": "mcp_call", "id": "mcp", "server_label": "s", "name": "t", "arguments": "{}", "output": "m"},
        {"type": "file_search_call", "id": "fs", "queries": ["q"], "results": [{"score": 1}]},
        {"type": "code_interpreter_call", "id": "ci", "code": "1", "outputs": [{"logs": "1"}]},
        thought("b"),
        {"type": "mcp_call", "id": "bad", "server_label": "s", "name": "t", "arguments": "{}", "error": "no"},
        {"type": "shell_call", "call_id": "sh", "action": {"commands": ["ls"]}},
        {"type": "shell_call_output", "call_id": "sh", "output": [{"stdout": "x"}]},
        {"type": "mcp_list_tools", "server_label": "s"},
        message("done"),
        {"type": "hologram"},
    ]
    found = told("responses", [response("resp_1", *items)])
    assert column("reasoning", found.one) == ["a\n\nb"]
    assert calls(found.one, "tool", "arguments", "result_head", "is_error") == [
        ("web_search", '{"query":"q","type":"search"}', None, None),
        ("mcp__s__t", "{}", "m", None),
        ("file_search", '["q"]', '[{"score":1}]', None),
        ("code_interpreter", '{"code":"1"}', '[{"logs":"1"}]', None),
        ("mcp__s__t", "{}", "no", True),
        ("shell", '{"commands":["ls"]}', '[{"stdout":"x"}]', None),
    ]
    assert found.notices == {"missing-tool-result": 1, "unknown-record-type": 1}


def test_compaction_marks_the_next_turn() -> None:
    items = [message("a"), {"type": "compaction", "encrypted_content": "x"}, message("b")]
    assert column("after_compaction", told("responses", [items]).one) == [False, True]


def test_inline_reasoning_and_refusals() -> None:
    refused = {"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]}
    episode = told("responses", [[message("<think>hm</think>Yes."), message("u", "user"), refused]]).one
    assert column("reasoning", episode) == ["hm", None]
    assert column("kind", episode) == ["inline", None]
    assert column("text", episode) == ["Yes.", "No."]


def test_an_object_with_a_list_says_more() -> None:
    about = told("responses", [{"id": 7, "task": "t", "outcome": "pass", "input": FLAT, "temperature": 0}]).one.about
    assert (about.episode_id, about.task, about.outcome_word) == ("7", "t", "passed")
    assert about.metadata == {"id": 7, "temperature": 0}


def test_a_bad_item_costs_its_record() -> None:
    found = told("responses", [CHAIN[0], {**CHAIN[1], "output": [7]}, CHAIN[1], [call("a"), 7]])
    assert found.rejected == [(2, "bad-message"), (4, "bad-message")]
    assert len(found.one.turns) == 2


def test_deep_arguments_cost_their_record() -> None:
    deep: Any = 1
    for _ in range(300):
        deep = [deep]
    bad = {"type": "local_shell_call", "call_id": "x", "action": {"a": deep}}
    found = told("responses", [CHAIN[0], response("resp_7", bad, before="resp_1"), CHAIN[1]])
    assert found.rejected == [(2, "too-deep")]
    assert found.episodes[0].about.episode_id == "conv"


FILES: dict[str, list[Any]] = {"chain": CHAIN, "flat": [FLAT], "lists": [FLAT, FLAT[1:]], "object": [{"items": FLAT}]}


@pytest.mark.parametrize("file", FILES)
def test_a_file_is_recognised(file: str, tmp_path: Path) -> None:
    records = FILES[file]
    read = ingested(tmp_path, [written(tmp_path, "d.txt", records)])
    assert [(source["format"], source["account"]["rejected"]) for source in read.sources] == [("responses", {})]
    expected = told("responses", records).episodes
    assert len(read.tables["episodes"]) == len(expected)
    assert len(read.tables["turns"]) == sum(len(episode.turns) for episode in expected)


def test_a_json_list_of_responses_is_read_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "d.json"
    path.write_text(json.dumps(CHAIN, indent=1))
    read = ingested(tmp_path, [path])
    assert [(row["format"], row["n_turns"]) for row in read.tables["episodes"]] == [("responses", 3)]


@pytest.mark.parametrize(
    "value",
    [None, 1, "x", [], {}, [1], [[]], {"output": []}, {"output": "x"}, {"id": "resp_1"},
     [{"role": "user", "content": "x"}], {"messages": [], "output": FLAT},
     {"input": [{"role": "user", "content": "x"}]}, call("a"), [call("a"), 7],
     {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "x"}]}],
)  # fmt: skip
def test_other_values_are_not(value: Any) -> None:
    assert not recognises(value)


def test_no_field_that_matters_is_dropped() -> None:
    types = ("content.type", "summary.type")
    found = {place for place in silent("responses", CHAIN) if not place.endswith(types)}
    assert found == {
        ": object",  # its id says it too
        ": id", ": model", ": status",  # of a later response; of an earlier one
        ": input.content.text", ": output.encrypted_content",
    }  # fmt: skip
    flat = {place for place in silent("responses", [FLAT]) if not place.endswith(types)}
    assert flat == {": content"}  # of the user

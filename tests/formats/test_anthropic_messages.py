"""Anthropic Messages: logs of requests and responses, conversations, single messages."""

import json
from pathlib import Path
from typing import Any

import pytest

from calib.formats.anthropic_messages import recognises
from calib.ingest.sniff import recognised
from tests.formats.reading import calls, column, ingested, silent, told

Message = dict[str, Any]
TOOLS = [{"name": "ls", "input_schema": {}}]


def user(content: Any) -> Message:
    return {"role": "user", "content": content}


def said(*blocks: Message) -> Message:
    return {"role": "assistant", "content": list(blocks)}


def text(value: str, **more: Any) -> Message:
    return {"type": "text", "text": value, **more}


def thought(value: str) -> Message:
    return {"type": "thinking", "thinking": value, "signature": "c2ln"}


def call(name: str, **given: Any) -> Message:
    return {"type": "tool_use", "id": name, "name": "ls", "input": given}


def result(name: str, content: Any, **more: Any) -> Message:
    return user([{"type": "tool_result", "tool_use_id": name, "content": content, **more}])


def request(*messages: Message, **more: Any) -> Message:
    return {
        "model": "claude",
        "max_tokens": 9,
        "system": "Be good.",
        "tools": TOOLS,
        "messages": list(messages),
        **more,
    }


def response(name: str, *blocks: Message, stop: str = "tool_use") -> Message:
    return {"id": name, "type": "message", "model": "claude-1", "stop_reason": stop, **said(*blocks)}


FIRST = user([text("Go.", cache_control={"type": "ephemeral"})])
ONE = {"request": request(FIRST), "response": response("msg_1", thought("Plan."), call("t0", path="."))}
TWO = {
    "request": request(user([text("Go.")]), said(call("t0", path=".")), result("t0", "a", is_error=False)),
    "response": response("msg_2", thought("Plan."), text("Done."), stop="end_turn"),
}


def test_a_log_is_one_conversation() -> None:
    episode = told("anthropic_messages", [ONE, TWO]).one
    assert column("reasoning", episode) == ["Plan.", "Plan."]
    assert column("same_reasoning", episode) == [0, 0]
    assert column("text", episode) == [None, "Done."]
    assert column("user_before", episode) == [True, False]
    assert calls(episode, "turn", "canonical", "result_head", "is_error") == [(0, '{"path":"."}', "a", False)]
    about = episode.about
    assert (about.episode_id, about.model, about.stop_reason) == ("msg_1", "claude", "end_turn")


def test_the_history_stands_in_for_responses_that_were_not_logged() -> None:
    requests = [ONE["request"], TWO["request"]]
    episode = told("anthropic_messages", requests).one
    assert column("reasoning", episode) == [None]
    assert calls(episode, "result_head") == [("a",)]
    assert episode.about.episode_id == "d.jsonl:1"


def test_a_client_that_takes_the_thinking_out_of_older_turns_goes_on() -> None:
    first, second = [thought("Plan."), call("t0")], [thought("More."), call("t1")]
    histories = [
        [user("Go.")], [user("Go."), said(*first), result("t0", "a")],
        [user("Go."), said(first[1]), result("t0", "a"), said(*second), result("t1", "b")],
        [user("Go."), said(first[1]), result("t0", "a"), said(second[1]), result("t1", "b"),
         said(text("x")), user("?")],
    ]  # fmt: skip
    answers = [
        response("m1", *first),
        response("m2", *second),
        response("m3", text("x")),
        response("m4", text("y"), stop="end_turn"),
    ]
    records = [
        {"request": request(*messages), "response": answer} for messages, answer in zip(histories, answers, strict=True)
    ]
    episode = told("anthropic_messages", records).one
    assert column("reasoning", episode) == ["Plan.", "More.", None, None]
    assert calls(episode, "turn", "result_head") == [(0, "a"), (1, "b")]
    assert column("user_before", episode) == [True, False, False, True]


def test_another_conversation_in_between_is_an_episode() -> None:
    other = {"request": request(user("Title?")), "response": response("msg_9", text("A"), stop="end_turn")}
    found = told("anthropic_messages", [ONE, other, TWO])
    assert [(one.about.episode_id, len(one.turns)) for one in found.episodes] == [("msg_1", 2), ("msg_9", 1)]


def test_the_same_request_again_is_another_conversation() -> None:
    again = {**ONE, "response": response("msg_7", text("other"))}
    assert [len(one.turns) for one in told("anthropic_messages", [ONE, again]).episodes] == [1, 1]


def test_a_prefilled_answer_is_no_turn() -> None:
    record = {"request": request(user("Go."), said(text("{"))), "response": response("msg_1", text("}"))}
    assert column("text", told("anthropic_messages", [record]).one) == ["}"]


def test_bodies_of_a_proxy_and_known_keys() -> None:
    record = {
        "request": {"url": "x", "body": request(user("Go."))}, "episode_id": "e", "task": "t", "outcome": "fail",
        "response": {"status": 200, "body": response("msg_1", text("a"), stop="max_tokens")},
    }  # fmt: skip
    about = told("anthropic_messages", [record]).one.about
    assert (about.episode_id, about.task, about.outcome, about.stop_reason) == ("e", "t", "fail", "max_tokens")


def test_a_response_told_as_an_event_stream() -> None:
    start = {"type": "message_start", "message": {**response("msg_1"), "stop_reason": None}}
    events: list[Message] = [
        start, {"type": "ping"},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Pl"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "an."}},
        {"type": "content_block_start", "index": 1, "content_block": {**call("t0"), "input": {}}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": '{"path": '}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": '"."}'}},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}}, {"type": "message_stop"},
    ]  # fmt: skip
    stream = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]"
    for part in (stream, {"status_code": 200, "body_raw": stream}):
        found = told("anthropic_messages", [{**ONE, "response": part}, TWO]).one
        assert column("reasoning", found) == ["Plan.", "Plan."]
        assert calls(found, "canonical", "result_head") == [('{"path":"."}', "a")]
    cut = told("anthropic_messages", [{**ONE, "response": stream[: stream.rindex("event: content")]}]).one
    assert calls(cut, "tool", "arguments") == [("ls", '{"path": ')]
    assert recognised({**ONE, "response": stream}) == "anthropic_messages"


def test_a_bare_conversation() -> None:
    talk = [user("Go."), said(thought("Plan."), call("t0")), result("t0", "a"), said(text("Done."))]
    found = told("anthropic_messages", [talk])
    assert column("reasoning", found.one) == ["Plan.", None]
    assert column("state", found.one) == ["recorded", "absent"]
    assert column("user_before", found.one) == [True, False]


def test_single_messages_and_responses_are_one_episode() -> None:
    records = [
        user("Go."),
        response("msg_1", call("t0")),
        response("msg_1", call("t0")),
        result("t0", "a"),
        said(text("x")),
    ]
    found = told("anthropic_messages", records)
    assert column("text", found.one) == [None, "x"]
    assert calls(found.one, "result_head") == [("a",)]
    assert found.one.about.episode_id is None


def test_blocks_that_the_server_runs_and_unknown_ones() -> None:
    blocks: list[Message] = [
        {"type": "server_tool_use", "id": "s0", "name": "web_search", "input": {"query": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "s0", "content": [{"type": "web_search_result", "url": "u"}]},
        {"type": "brand_new"}, text("a"),
    ]  # fmt: skip
    found = told("anthropic_messages", [response("msg_1", *blocks)])
    assert column("tools", found.one) == [["web_search"]]
    assert calls(found.one, "result_head")[0][0].startswith("[web_search_result ")
    assert found.notices == {"unknown-part": 1}


def test_thinking_between_texts_and_calls_is_joined_in_order() -> None:
    blocks = [thought("a"), text("x"), call("t0"), thought("b"), text("y"), call("t1")]
    episode = told("anthropic_messages", [response("msg_1", *blocks)]).one
    assert (column("reasoning", episode), column("text", episode)) == (["a\nb"], ["x\ny"])
    assert column("tools", episode) == [["ls", "ls"]]


@pytest.mark.parametrize(
    ("blocks", "state"),
    [([thought("")], "withheld"), ([{"type": "redacted_thinking", "data": "x"}], "withheld"),
     ([thought(""), thought("a")], "recorded"), ([{"type": "thinking", "thinking": ""}], "empty"), ([], "absent")],
)  # fmt: skip
def test_thinking_that_cannot_be_read(blocks: list[Message], state: str) -> None:
    assert column("state", told("anthropic_messages", [response("msg_1", *blocks, text("x"))]).one) == [state]


def test_a_response_that_paused_and_the_one_that_goes_on_are_two_turns() -> None:
    blocks = [{"type": "server_tool_use", "id": "s0", "name": "web_search", "input": {}}]
    first = {"request": request(user("Go.")), "response": response("msg_1", *blocks, stop="pause_turn")}
    more = request(user("Go."), said(*blocks))
    second = {"request": more, "response": response("msg_2", text("Found."), stop="end_turn")}
    episode = told("anthropic_messages", [first, second]).one
    assert (column("tools", episode), column("text", episode)) == ([["web_search"], []], [None, "Found."])
    assert episode.about.stop_reason == "end_turn"


def test_user_messages_in_a_row_and_beside_results() -> None:
    beside = user([{"type": "tool_result", "tool_use_id": "t0", "content": "a"}, text("And b?")])
    talk = [user("Go."), user("Now."), said(call("t0")), beside, said(call("t1")), result("t1", "b"), said(text("x"))]
    assert column("user_before", told("anthropic_messages", [talk]).one) == [True, True, False]


def test_parts_of_a_result() -> None:
    parts = [text("a"), {"type": "document", "source": {}}, text("b")]
    talk = [user("Go."), said(call("t0")), result("t0", parts, is_error=True)]
    ((head, failed),) = calls(told("anthropic_messages", [talk]).one, "result_head", "is_error")
    assert (head.split("\n")[0], head.split("\n")[2], failed) == ("a", "b", True)


def test_a_tool_of_the_server_that_failed() -> None:
    error = {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}
    blocks: list[Message] = [
        {"type": "mcp_tool_use", "id": "s0", "name": "f", "server_name": "m", "input": {}},
        {"type": "mcp_tool_result", "tool_use_id": "s0", "content": [text("ok")], "is_error": False},
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": error},
    ]
    episode = told("anthropic_messages", [response("msg_1", *blocks)]).one
    assert calls(episode, "tool", "is_error") == [("f", False), ("web_search", True)]


def test_a_compaction_marks_its_response_and_other_blocks_say_nothing() -> None:
    silent_blocks = [{"type": name} for name in ("image", "document", "container_upload", "search_result")]
    records = [
        response("msg_1", text("a")),
        response("msg_2", {"type": "compaction", "content": "s"}, text("b"), *silent_blocks),
    ]
    found = told("anthropic_messages", records)
    assert column("after_compaction", found.one) == [False, True]
    assert column("text", found.one) == ["a", "b"]
    assert not found.notices


def test_bad_records_cost_themselves() -> None:
    records: list[Any] = [ONE, {"a": 1}, {"messages": [7]}, {"role": "user"}, TWO]
    found = told("anthropic_messages", records)
    assert found.rejected == [(2, "no-messages"), (3, "bad-message"), (4, "bad-message")]
    assert len(found.one.turns) == 2


def test_files_of_a_folder_are_one_log(tmp_path: Path) -> None:
    folder = tmp_path / "log"
    folder.mkdir()
    for name, record in (("001.json", ONE), ("002.json", TWO)):
        (folder / name).write_text(json.dumps(record, indent=1))
    read = ingested(tmp_path, [folder])
    assert [(row["episode_id"], row["n_turns"]) for row in read.tables["episodes"]] == [("msg_1", 2)]


@pytest.mark.parametrize(
    "value",
    [None, 7, [], [7], {}, {"messages": 7}, {"messages": []}, {"messages": [user("x")]}, user("x"), said(text("x")),
     {"messages": [{"role": "user", "content": [{"type": ["x"]}]}]}, {"type": "message", "message": {"role": "user"}},
     {"messages": [], "response": {"choices": []}}, {"role": {}, "content": []}, {"response": "x"}],
)  # fmt: skip
def test_recognises_nothing_else(value: Any) -> None:
    assert not recognises(value)


@pytest.mark.parametrize(
    "value",
    [ONE, ONE["request"], ONE["response"], TWO, said(call("t0")), result("t0", "a"), [user("Go."), said(call("t0"))],
     {"messages": [user("Go."), said(call("t0"))]}],
)  # fmt: skip
def test_no_other_format_takes_these(value: Any) -> None:
    assert recognised(value) == "anthropic_messages"


def test_every_field_that_counts_changes_a_column() -> None:
    unseen = silent("anthropic_messages", [ONE, TWO])
    assert unseen == {
        ": request.system", ": request.tools.name", ": request.messages.content.cache_control.type",
        ": response.id", ": response.model", ": request.max_tokens", ": response.stop_reason",
        ": response.content.signature", ": request.messages.content.input.path",
        ": request.messages.content.id", ": request.messages.content.name",
        ": request.messages.content.type", ": request.messages.role", ": request.model",
    }  # fmt: skip

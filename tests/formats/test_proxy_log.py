"""Logs of the proxy: runs put together from lines that hold what is new."""

from typing import Any

import pytest

from calib.formats.proxy_log import recognises
from calib.registry import entry
from tests.formats.reading import calls, column, told

ASK = {"role": "user", "content": "Go."}


def said(text: str, reasoning: str = "Look.", call: str | None = None) -> dict[str, Any]:
    function = {"name": "search_files", "arguments": "{}"}
    called = {"tool_calls": [{"id": call, "type": "function", "function": function}]} if call else {}
    return {"role": "assistant", "content": text, "reasoning_content": reasoning, **called}


def result(call: str, text: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call, "content": text}


def line(
    name: str, after: str | None, messages: list[Any], answer: dict[str, Any] | None, **more: Any
) -> dict[str, Any]:
    choice = {"index": 0, "message": answer, "finish_reason": "stop"}
    response = None if answer is None else {"object": "chat.completion", "model": "m", "choices": [choice]}
    return {
        "calib_proxy": 1, "line": name, "after": after, "task": "t", "named": True, "edit": "full", "shadow": False,
        "point": "T2@7", "fire_turn": None, "fired_by": [], "edited": False, "messages": messages, "response": response,
        **more,
    }  # fmt: skip


RUN = [
    line("1", None, [ASK], said("a", call="x")),
    line("2", "1", [said("a", call="x"), result("x", "none")], said("b", call="y")),
    line("3", "2", [said("b", call="y"), result("y", "some")], said("c"), fire_turn=1, fired_by=["T2"], edited=True),
]


def test_lines_that_go_on_are_one_run() -> None:
    episode = told("proxy_log", RUN).one
    assert column("text", episode) == ["a", "b", "c"]
    assert calls(episode, "tool", "result_head") == [("search_files", "none"), ("search_files", "some")]
    about = episode.about
    assert (about.episode_id, about.model, about.arm, about.stop_reason) == ("t", "m", "full", "stop")
    assert about.metadata == {
        "point": "T2@7", "fire_turn": 1, "fired_by": "T2",
        "requests": 3, "edited_requests": 1, "unanswered_requests": 0,
    }  # fmt: skip


def test_a_run_ends_with_the_last_line_of_its_task() -> None:
    reader_last = {"t": 3}
    assert len(told("proxy_log", RUN, last=reader_last).episodes) == 1


def test_other_processes_tell_histories_whole() -> None:
    whole = [*RUN[:1], line("b1", None, [ASK, said("a", call="x"), result("x", "none")], said("b", call="y"))]
    episode = told("proxy_log", [*whole, {**RUN[2], "after": "b1"}]).one
    assert column("text", episode) == ["a", "b", "c"]


def test_a_request_that_was_sent_again_counts_once() -> None:
    again = [RUN[0], line("1b", "1", [], said("other")), line("1c", "1", [], None, failure="the client left"), *RUN[1:]]
    assert column("text", told("proxy_log", again).one) == ["a", "b", "c"]


def test_a_first_request_that_failed_is_no_run_of_its_own() -> None:
    failed = line("0", None, [ASK], None, failure="not reached")
    episode = told("proxy_log", [failed, *RUN]).one
    assert column("text", episode) == ["a", "b", "c"]
    assert episode.about.metadata["unanswered_requests"] == 1


@pytest.mark.parametrize(("named", "ids"), [(True, ["t", "t#2"]), (False, ["d.jsonl:1", "d.jsonl:4"])])
def test_another_run_of_the_task_is_an_episode_of_its_own(named: bool, ids: list[str]) -> None:
    second = [{**one, "line": f"n{one['line']}", "after": one["after"] and f"n{one['after']}"} for one in RUN]
    found = told("proxy_log", [{**one, "named": named} for one in [*RUN, *second]])
    assert [episode.about.episode_id for episode in found.episodes] == ids
    assert [column("text", episode) for episode in found.episodes] == [["a", "b", "c"]] * 2


def test_what_an_answer_cost_is_the_turn_s() -> None:
    used = {**RUN[0], "milliseconds": 1200}
    used["response"] = {**used["response"], "usage": {"completion_tokens": 9}}
    episode = told("proxy_log", [used, *RUN[1:]]).one
    assert [turn[15:17] for turn in episode.turns] == [[9, 1200], [None, None], [None, None]]


def test_in_shadow_the_arm_says_so() -> None:
    assert told("proxy_log", [{**RUN[0], "shadow": True}]).one.about.arm == "shadow"


@pytest.mark.parametrize(
    "change",
    [{"calib_proxy": 2}, {"messages": 5}, {"task": None}, {"line": None}, {"after": "nobody"}, {"messages": [5]}],
)
def test_a_line_that_cannot_be_read_costs_itself(change: dict[str, Any]) -> None:
    found = told("proxy_log", [RUN[0], {**RUN[1], **change}])
    assert [number for number, _ in found.rejected] == [2]
    assert column("text", found.one) == ["a"]


def test_it_is_recognised_before_formats_that_would_take_it_for_theirs() -> None:
    assert recognises(RUN[0])
    others = ("episode_lines", "request_dump")
    assert all(entry("calib.formats", name).RANK > entry("calib.formats", "proxy_log").RANK for name in others)
    assert not recognises({"messages": []})


@pytest.mark.parametrize("odd", [{"tool_calls": [3]}, {"tool_calls": [{"function": None}, 3], "content": {"a": 1}}])
def test_an_answer_that_cannot_be_read_takes_no_other_line_with_it(odd: dict[str, Any]) -> None:
    found = told("proxy_log", [line("1", None, [ASK], odd), line("2", "1", [], said("a"))])
    assert column("text", found.one) == ["a"]
    assert (found.one.about.metadata["unanswered_requests"], found.rejected) == (1, [])


def test_calls_that_the_client_read_out_of_the_text_count() -> None:
    raw = {"role": "assistant", "content": "<tool_call>search_files</tool_call>", "reasoning_content": "Look."}
    found = told(
        "proxy_log", [line("1", None, [ASK], raw), line("2", "1", [said("", call="x"), result("x", "1")], None)]
    )
    assert calls(found.one, "tool", "result_head") == [("search_files", "1")]

"""ShareGPT: roles under many names, thinking, calls and results inside the texts."""

import json
from pathlib import Path
from typing import Any

import pytest

from calib.formats.sharegpt import recognises
from tests.formats.knowing import known_by, odd_values
from tests.formats.perturbing import unheard
from tests.formats.reading import calls, column, ingested, told, written
from tests.formats.test_harnesses import ODD, nodes

CALL = '<tool_call>\n{"name": "search", "arguments": {"q": "it"}}\n</tool_call>'
READ = '<tool_call>\n{"name": "read", "arguments": {"p": 1}}\n</tool_call>'
ANSWER = '<tool_response>\n{"tool_call_id": "c9", "name": "search", "content": {"hits": 2}}\n</tool_response>'
TALK: dict[str, Any] = {
    "id": "talk-1", "model": "m", "score": 1,
    "conversations": [
        {"from": "system", "value": "You are."},
        {"from": "human", "value": "What is it?"},
        {"from": "gpt", "value": f"<think>\nSearch.\n</think>\nI look.\n{CALL}\n{READ}"},
        {"from": "tool", "value": f"{ANSWER}\n<tool_response>plain text</tool_response>"},
        {"from": "gpt", "value": f"<think>\n</think>\n{CALL}"},
        {"from": "human", "value": "<tool_response>\nfound\n</tool_response>"},
        {"from": "gpt", "value": "<think>Done.</think>\n\nIt."},
    ],
}  # fmt: skip


def told_of(*entries: dict[str, Any]) -> Any:
    return told("sharegpt", [{"conversations": [{"from": "human", "value": "Go."}, *entries]}])


def test_a_talk() -> None:
    found = told("sharegpt", [TALK])
    episode = found.one
    assert column("reasoning", episode) == ["\nSearch.\n", "\n", "Done."]
    assert column("state", episode) == ["recorded", "empty", "recorded"]
    assert column("kind", episode) == ["inline", None, "inline"]
    assert column("same_reasoning", episode) == [0, None, 2]
    assert column("text", episode) == ["I look.", "", "\n\nIt."]
    assert column("user_before", episode) == [True, False, False]
    assert column("same_calls", episode) == [0, 1, None]
    assert calls(episode, "turn", "tool", "arguments", "result_head") == [
        (0, "search", '{"q":"it"}', '{"hits":2}'),
        (0, "read", '{"p":1}', "plain text"),
        (1, "search", '{"q":"it"}', "found"),
    ]
    about = episode.about
    assert (about.episode_id, about.task, about.model, about.outcome) == (None, "talk-1", "m", "pass")
    assert found.notices == {}


@pytest.mark.parametrize("role", ["gpt", "assistant", "model", "bot", "chatgpt", "Assistant"])
def test_names_of_the_model(role: str) -> None:
    assert column("text", told_of({"from": role, "value": "x"}).one) == ["x"]


@pytest.mark.parametrize("role", ["tool", "function", "observation", "function_response"])
def test_names_of_results(role: str) -> None:
    episode = told_of({"from": "gpt", "value": CALL}, {"from": role, "value": "seen"}).one
    assert calls(episode, "result_head") == [("seen",)]


def test_roles_and_contents_of_chat_messages_under_this_name() -> None:
    record = {"conversations": [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": "", "reasoning_content": "P",
         "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "a", "content": "r"},
    ]}  # fmt: skip
    assert known_by(record) == ["sharegpt"]
    episode = told("sharegpt", [record]).one
    assert (column("reasoning", episode), column("kind", episode)) == (["P"], ["native"])
    assert calls(episode, "tool", "result_head") == [("f", "r")]


def test_calls_with_a_role_of_their_own() -> None:
    entry = {"from": "function_call", "value": '{"name": "f", "arguments": {"x": 1}}'}
    episode = told_of(entry, {"from": "observation", "value": {"a": 1}}).one
    assert calls(episode, "tool", "arguments", "result_head") == [("f", '{"x":1}', '{"a":1}')]
    assert column("text", episode) == [None]


def test_thinking_that_never_ends() -> None:
    found = told_of({"from": "gpt", "value": "<think>cut"}, {"from": "gpt", "value": f"<think>act now\n{CALL}"})
    assert column("reasoning", found.one) == ["cut", "act now"]
    assert column("tools", found.one) == [[], ["search"]]
    assert found.notices == {"think-unclosed": 2, "missing-tool-result": 1}


def test_a_user_who_speaks_beside_a_result() -> None:
    answer = {"from": "human", "value": "<tool_response>r</tool_response> And now?"}
    episode = told_of({"from": "gpt", "value": CALL}, answer, {"from": "gpt", "value": "x"}).one
    assert column("user_before", episode) == [True, True]


def test_unknown_roles_and_odd_entries() -> None:
    found = told_of({"from": "narrator", "value": "x"}, {"from": "gpt", "value": None})
    assert found.notices == {"unknown-role": 1}
    assert column("text", found.one) == [None]
    assert told_of({"value": "x"}).rejected == [(1, "bad-message")]
    assert told("sharegpt", [{"conversations": []}]).rejected == [(1, "no-messages")]


def test_recognised_alone() -> None:
    assert known_by(TALK) == ["sharegpt"]
    assert known_by({"conversation": [{"from": "user", "value": "x"}]}) == ["sharegpt"]
    assert known_by({"conversation": [{"role": "user", "content": "x"}]}) == ["chat_completions"]
    assert known_by({"conversations": [{"a": 1}]}) == []
    for value in odd_values(TALK, {"conversation": [{"from": "user"}]}):
        recognises(value)


def test_every_field_is_heard() -> None:
    places = [f"0.conversations.{at}.value" for at in (2, 4, 5, 6)]
    places += ["0.id", "0.model", "0.score", *(f"0.conversations.{at}.from" for at in (1, 2, 3, 5))]
    assert unheard("sharegpt", [TALK], *places) == []


def test_odd_values_never_break_the_reader() -> None:
    text = json.dumps([TALK])
    for place in nodes(json.loads(text)):
        for odd in ODD if place else ():
            other = json.loads(text)
            box = other
            for key in place[:-1]:
                box = box[key]
            box[place[-1]] = odd
            told("sharegpt", other)


def test_a_file(tmp_path: Path) -> None:
    broken = {"conversations": [{"from": "gpt", "value": "x"}, {"value": "y"}]}
    read = ingested(tmp_path, [written(tmp_path, "set.jsonl", [TALK, broken, TALK])])
    assert [row["n_turns"] for row in read.tables["episodes"]] == [3, 3]
    assert [(row["line"], row["code"]) for row in read.tables["rejects"]] == [(2, "bad-message")]
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "set.json").write_text(json.dumps([TALK, TALK], indent=1))
    read = ingested(tmp_path / "b", [tmp_path / "b" / "set.json"])
    assert [row["n_turns"] for row in read.tables["episodes"]] == [3, 3]

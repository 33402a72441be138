"""Chat completions under `completion`, `conversation` and `traj`: results of verifiers and their like."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from calib.formats._reader import Context
from calib.formats.chat_completions import Reader, recognises
from tests.formats.knowing import known_by, odd_values
from tests.formats.perturbing import unheard
from tests.formats.reading import calls, column, ingested, told, written

OPEN = Path(__file__).parents[2].parent / "shared" / "corpora" / "chat_completions_verifiers"


def spelled(call_id: str, name: str, arguments: str) -> str:
    return json.dumps({"id": call_id, "function": {"arguments": arguments, "name": name}, "type": "function"})


RUN: dict[str, Any] = {
    "example_id": 3,
    "prompt": [
        {"role": "system", "content": "Use the tools."},
        {"role": "assistant", "content": "An example answer."},
        {"role": "user", "content": "What is it?"},
    ],
    "completion": [
        {"role": "assistant", "content": "", "tool_calls": [spelled("c1", "search_pages", '{"query": "it"}')]},
        {"role": "tool", "content": "[page]", "tool_calls": None},
        {"role": "assistant", "content": "",
         "tool_calls": [spelled("c2", "read", '{"id": 1}'), spelled("c3", "ls", "")]},
        {"role": "tool", "content": "text of it"},
        {"role": "tool", "content": "a b"},
        {"role": "user", "content": "Well?"},
        {"role": "assistant", "content": "It.", "tool_calls": None, "reasoning_content": "Answer."},
    ],
    "task": "wiki", "reward": 1.0, "judge_reward_func": 1.0, "generation_ms": 6815.5, "answer": "It",
    "info": {"domain": "w", "oai_tools": [{"type": "function"}]}, "stop_condition": "no_tools_called",
}  # fmt: skip


def test_a_run() -> None:
    found = told("chat_completions", [RUN])
    episode = found.one
    assert column("text", episode) == ["", "", "It."]
    assert column("user_before", episode) == [True, False, True]
    assert column("reasoning", episode) == [None, None, "Answer."]
    assert column("state", episode) == ["absent", "absent", "recorded"]
    assert calls(episode, "turn", "call", "tool", "arguments", "result_head") == [
        (0, 0, "search_pages", '{"query": "it"}', "[page]"),
        (1, 0, "read", '{"id": 1}', "text of it"),
        (1, 1, "ls", "", "a b"),
    ]
    about = episode.about
    assert (about.episode_id, about.task, about.model, about.arm) == (None, "wiki/3", None, None)
    assert (about.outcome, about.stop_reason, about.turn_limit) == ("pass", "no_tools_called", None)
    assert about.metadata == {
        "example_id": 3, "task": "wiki", "reward": 1.0, "judge_reward_func": 1.0, "generation_ms": 6815.5,
        "answer": "It", "info.domain": "w",
    }  # fmt: skip
    assert found.notices == {}


@pytest.mark.parametrize("key", ["conversation", "traj"])
def test_messages_under_other_names(key: str) -> None:
    record = {key: RUN["completion"], "model": "m", "session_id": "s1", "arm": "a", "max_turns": 9}
    assert known_by(record) == ["chat_completions"]
    about = told("chat_completions", [record]).one.about
    assert (about.episode_id, about.model, about.arm, about.turn_limit) == ("s1", "m", "a", 9)


def test_texts_for_lists() -> None:
    episode = told("chat_completions", [{"prompt": "Q", "completion": "<think>P</think>A"}]).one
    assert column("reasoning", episode) == ["P"]
    assert column("text", episode) == ["A"]
    assert column("user_before", episode) == [True]
    assert episode.about.metadata == {}


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({"reward": 0.7}, "fail"),
        ({"reward": 0.9999999}, "pass"),
        ({"reward": 3}, "3"),
        ({"reward": None}, None),
        ({"success": 1.0, "reward": 0.0}, "pass"),
        ({"resolved": False, "reward": 1.0}, "fail"),
        ({"success": 0.5, "score": 1}, "pass"),
        ({"outcome": "partial"}, "partial"),
        ({"reward": True}, "true"),
    ],
)
def test_outcomes(fields: dict[str, Any], outcome: str | None) -> None:
    record = {"completion": RUN["completion"], **fields}
    assert told("chat_completions", [record]).one.about.outcome == outcome


def test_what_stands_beside() -> None:
    beside = {"metadata.json": b'{"model": "m", "env_args": {"max_turns": 12}}'}
    data = json.dumps(RUN).encode()
    (episode,) = Reader(Context(True, Counter(), beside=beside)).record(json.loads(data), (1, 0, len(data)))
    assert (episode.about.model, episode.about.turn_limit) == ("m", 12)
    for odd in (b"", b"[]", b"{", b'{"env_args": 5}'):
        (episode,) = Reader(Context(True, Counter(), beside={"metadata.json": odd})).record(RUN, (1, 0, 1))
        assert (episode.about.model, episode.about.turn_limit) == (None, None)


def test_a_run_is_read_again_when_what_stands_beside_changes(tmp_path: Path) -> None:
    results = written(tmp_path, "results.jsonl", [RUN, RUN])
    models = []
    for model in ("m", "m", "n"):
        (tmp_path / "metadata.json").write_text(json.dumps({"model": model}))
        read = ingested(tmp_path, [results, tmp_path / "metadata.json"])
        models.append([row["model"] for row in read.tables["episodes"]])
        assert [source["source"] for source in read.sources] == ["metadata.json", "results.jsonl"]
        assert not read.tables["rejects"]
    assert models == [["m", "m"], ["m", "m"], ["n", "n"]]


def test_recognised_alone() -> None:
    assert known_by(RUN) == ["chat_completions"]
    assert known_by({"messages": [{"role": "user"}], "completion": []}) == ["episode_lines"]
    assert known_by({"traj": RUN["completion"], "task_id": 1}) == ["tau_bench"]
    assert known_by({"prompt": [], "completion": []}) == ["chat_completions"]
    assert known_by({"completion": []}) == []
    assert known_by({"prompt": "a", "completion": "b", "choices": []}) == []
    for value in odd_values(RUN, {"conversation": [{"role": "user"}]}):
        recognises(value)


def test_every_field_is_heard() -> None:
    places = (
        "0.example_id", "0.task", "0.reward", "0.judge_reward_func", "0.stop_condition", "0.info.domain",
        "0.prompt.2.role", "0.completion.0.content", "0.completion.0.tool_calls.0", "0.completion.1.content",
        "0.completion.1.role", "0.completion.6.reasoning_content", "0.completion.6.content",
    )  # fmt: skip
    assert unheard("chat_completions", [RUN], *places) == []


def test_rollouts_of_one_example_and_one_that_is_broken(tmp_path: Path) -> None:
    broken = {**RUN, "completion": [{"role": "assistant", "content": "x"}, 5]}
    odd = {**RUN, "completion": [{"role": "assistant", "tool_calls": ["{broken"]}]}
    read = ingested(tmp_path, [written(tmp_path, "results.jsonl", [RUN, RUN, broken, RUN, odd])])
    assert [row["n_turns"] for row in read.tables["episodes"]] == [3, 3, 3]
    assert [row["source_line"] for row in read.tables["episodes"]] == [1, 2, 4]
    assert len({row["episode_id"] for row in read.tables["episodes"]}) == 3
    assert [(row["line"], row["code"]) for row in read.tables["rejects"]] == [(3, "bad-message"), (5, "bad-message")]
    assert not read.sources[0]["notices"]


@pytest.mark.skipif(not OPEN.is_dir(), reason="needs the open corpora in ../shared")
def test_the_open_files(tmp_path: Path) -> None:
    found: dict[str, tuple[int, int, int, int]] = {}
    read = ingested(tmp_path, sorted(OPEN.rglob("*.jsonl")))
    for source in read.sources:
        assert source["format"] == "chat_completions"
        assert not source["account"]["rejected"]
        episodes = {row["episode_id"] for row in read.tables["episodes"] if row["source"] == source["source"]}
        rows = [row for row in read.tables["calls"] if row["episode_id"] in episodes]
        turns = [row for row in read.tables["turns"] if row["episode_id"] in episodes]
        answered = sum(row["result_chars"] is not None for row in rows)
        found[source["source"].rpartition("/")[2][:8]] = (len(episodes), len(turns), len(rows), answered)
    assert found == {  # counted with a script of its own: assistant messages, elements of tool_calls, tool messages
        "7a5fcb34": (1, 85, 0, 0), "2822f430": (60, 323, 323, 264), "2d43698f": (6, 59, 37, 37),
        "cb7a1799": (15, 31, 16, 16), "fdac998f": (3, 6, 3, 3), "094df25d": (100, 485, 388, 385),
        "50bdff53": (15, 68, 0, 0),
    }  # fmt: skip
    assert {row["reasoning_state"] for row in read.tables["turns"]} == {"absent"}

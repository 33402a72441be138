"""Histories out of dumps: what was sent, by format, and that real consecutive requests are those of the history."""

import json
import sys
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from calib.edits import Edit, Edited, History
from calib.edits.dumps import Saved, histories
from calib.errors import UsageError
from tests.edits.saved import Message, history, items
from tests.formats.reading import written

CORPUS = Path(__file__).parents[3] / "shared" / "corpora" / "openhands_llm_completions"


def found(*dumps: Path) -> list[Saved]:
    problems: list[str] = []
    made = list(histories(dumps, problem=problems.append))
    assert problems == []
    return made


def test_an_episode_a_line(tmp_path: Path) -> None:
    path = written(tmp_path, "d.jsonl", [
        {"episode_id": "e", "model": "m", "tools": [{"x": 1}], "outcome": "pass", "messages": history("A B")},
        {"messages": history("A")},
    ])  # fmt: skip
    one, two = found(path)
    assert (one.episode_id, one.body, one.messages) == ("e", {"model": "m", "tools": [{"x": 1}]}, history("A B"))
    assert (two.episode_id, two.history.turns) == ("d.jsonl:2", 1)


def test_a_message_a_line(tmp_path: Path) -> None:
    lines = [
        {"episode_id": name, "task": "t", "timestamp": 1, **message}
        for message in history("A B")
        for name in ("x", "y")
    ]
    one, two = found(written(tmp_path, "d.jsonl", lines))
    assert (one.episode_id, two.episode_id) == ("x", "y")
    assert one.messages == two.messages == history("A B")


def test_completions_follow_their_prompt(tmp_path: Path) -> None:
    prompt, rest = history("A B")[:2], history("A B")[2:]
    (one,) = found(written(tmp_path, "d.jsonl", [{"prompt": prompt, "completion": rest, "example_id": 1}]))
    assert one.messages == history("A B")


def exchange(messages: list[Message], answer: Message) -> dict[str, Any]:
    return {"request": {"model": "m", "messages": messages}, "response": {"choices": [{"message": answer}]}}


def test_requests_that_go_on_from_each_other_are_one_history(tmp_path: Path) -> None:
    whole = history("A B C")
    records = [exchange(whole[:end], whole[end]) for end in (2, 4, 6)]
    one, other = found(written(tmp_path, "d.jsonl", [*records, exchange(whole[:2], whole[2])]))
    assert one.messages == whole[:7]
    assert one.body == {"model": "m"}
    assert other.messages == whole[:3]  # asked again from the start


def test_anthropic_requests_are_one_history(tmp_path: Path) -> None:
    asked = {"role": "user", "content": "Go."}
    said = {"role": "assistant", "content": [{"type": "thinking", "thinking": "A", "signature": "s"}]}
    response = {"id": "msg_1", "type": "message", **said}
    record = {"request": {"system": "s", "max_tokens": 9, "messages": [asked]}, "response": response}
    (one,) = found(written(tmp_path, "d.jsonl", [record]))
    assert (one.episode_id, one.messages) == ("msg_1", [asked, said])
    assert one.body == {"system": "s", "max_tokens": 9}


def test_items_follow_the_response_that_they_name(tmp_path: Path) -> None:
    listed = items("A B")
    records = [
        {"id": "resp_1", "object": "response", "input": listed[:1], "output": listed[1:3]},
        {
            "id": "resp_2",
            "object": "response",
            "previous_response_id": "resp_1",
            "input": [listed[3]],
            "output": listed[4:],
        },
    ]
    (one,) = found(written(tmp_path, "d.jsonl", records))
    assert (one.place, one.messages, one.history.turns) == ("input", listed, 2)


def test_items_go_on_from_the_response_whose_conversation_they_repeat(tmp_path: Path) -> None:
    listed = items("A B")
    kept = [item for item in listed[:4] if item.get("type") != "reasoning"]
    records = [
        {"id": "resp_1", "object": "response", "input": listed[:1], "output": listed[1:3]},
        {"id": "resp_2", "object": "response", "input": kept, "output": listed[4:]},
        {"id": "resp_3", "object": "response", "input": listed[:1], "output": listed[4:]},
    ]
    one, other = found(written(tmp_path, "d.jsonl", records))
    assert (one.episode_id, one.messages, one.history.turns) == ("resp_1", listed, 2)
    assert (other.episode_id, other.history.turns) == ("resp_3", 1)  # asked again from the start


SESSION = (
    {"type": "session_meta", "payload": {"id": "s", "cwd": "/"}},
    {"type": "response_item", "payload": {"type": "message", "role": "assistant", "content": []}},
)


def test_a_session_log_is_refused_by_name(tmp_path: Path) -> None:
    path = written(tmp_path, "d.jsonl", SESSION)
    with pytest.raises(UsageError, match=r"d\.jsonl: expected a dump that holds what was sent .*, found codex"):
        found(path)


def test_among_others_it_is_told_and_passed_over(tmp_path: Path) -> None:
    log, good = written(tmp_path, "a.jsonl", SESSION), written(tmp_path, "b.jsonl", [{"messages": history("A")}])
    said: list[str] = []
    assert [one.episode_id for one in histories([log, good], problem=said.append)] == ["b.jsonl:1"]
    assert len(said) == 1
    assert said[0].startswith("a.jsonl: expected a dump")


def test_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = json.dumps({"messages": history("A B")}).encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=BytesIO(line)))
    (one,) = histories(["-"])
    assert (one.episode_id, one.history.turns) == ("-:1", 2)


def test_a_broken_record_is_told_and_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text(json.dumps({"messages": history("A")}) + '\n{"messages": [\n')
    said: list[str] = []
    assert len(list(histories([path], problem=said.append))) == 1
    assert said == ["d.jsonl:2: json-truncated; record passed over"]


def unmarked(value: Any) -> Any:
    """A message without the marks by which a harness says up to where to cache: they move with every request."""
    if isinstance(value, dict):
        return {key: unmarked(part) for key, part in value.items() if key != "cache_control"}
    return [unmarked(part) for part in value] if isinstance(value, list) else value


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the open corpora are not here")
def test_none_at_request_t_plus_1_is_what_was_sent() -> None:
    """Real requests of two attempts, one a file: the last one of each holds the history of all before it."""
    folder = next(CORPUS.glob("*/full/*"))
    names = sorted(folder.iterdir(), key=lambda path: float(path.stem.rpartition("-")[2]))
    sent = [json.loads(path.read_bytes()) for path in names]
    saved = [one for one in found(folder) if len(one.messages) > 4]
    assert sorted(one.history.turns for one in saved) == [11, 12]
    for one in saved:
        whole = Edited(one.history, Edit("none"))
        for number in range(one.history.turns):
            assert unmarked(whole.request(number)) in [unmarked(record["messages"]) for record in sent]


def test_dumps_of_a_corpus_are_read_once(tmp_path: Path) -> None:
    path = written(tmp_path, "d.jsonl", [{"messages": history("A A")}])
    (one,) = found(path, path)
    assert History(one.messages).turns == 2

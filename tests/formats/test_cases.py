"""The open cases of chat messages, as their files have them: records, issues, episodes, fire turns, and what they say.

One case is answered by the second of the answers that its file allows: a value that nests too deep is rejected with
its line (115).
"""

import base64
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from calib.corpus import open_corpus
from calib.ingest import ingest
from calib.labels import stop_kind
from tests.formats.reading import Read, ingested

CASES = Path(__file__).parents[2].parent / "shared" / "cases"
READS = {"search_files", "read_file"}
Case = dict[str, Any]

pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="needs the open cases in ../shared")


def cases() -> list[Case]:
    read = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(CASES.glob("[0-9]*.json"))]
    return [case for case in read if case["format"] == "openai-chat"]


def case(number: str) -> Case:
    return next(one for one in cases() if one["id"] == number)


def data_of(case: Case) -> tuple[str, bytes]:
    given = case["input"]
    if isinstance(given, list):
        return "case.jsonl", ("\n".join(given) + "\n").encode()
    if isinstance(given, str):
        return "case.jsonl", given.encode()
    name = given.get("file_name", "case.jsonl")
    if "base64" in given:
        return name, base64.b64decode(given["base64"])
    return name, "".join(text * times for text, times in given["parts"]).encode()


def read(number: str, folder: Path) -> Read:
    name, data = data_of(case(number))
    path = folder / name
    path.write_bytes(data)
    return ingested(folder, [path])


@dataclass(frozen=True)
class Answer:
    """What is expected of a case: rejected lines, issues by code, counts of the episode."""

    rejected: list[int]
    issues: Counter[str]
    counts: tuple[int, ...]


ALLOWED = {
    "115": Answer([2], Counter({"too-deep": 1, "orphan-tool-result": 1}), (1, 0, 1)),
}


def answer(one: Case) -> Answer:
    if one["id"] in ALLOWED:
        return ALLOWED[one["id"]]
    expect = one["expect"]
    (episode,) = expect.get("episodes") or [{"assistant_turns": expect.get("assistant_turns")}]
    lost = [issue["line"] for issue in expect["issues"] if issue["severity"] == "error"]
    counts = tuple(episode.get(key, -1) for key in ("assistant_turns", "tool_calls", "tool_results"))
    return Answer(lost, Counter(issue["code"] for issue in expect["issues"]), counts)


@pytest.mark.parametrize("one", [one for one in cases() if one["kind"] in ("parse", "label") and one["id"] != "125"],
                         ids=lambda one: f"{one['id']}-{one['slug']}")  # fmt: skip
def test_records_issues_and_episode(one: Case, tmp_path: Path) -> None:
    found, expected = read(one["id"], tmp_path), answer(one)
    rejects = found.tables["rejects"]
    assert [row["line"] for row in rejects] == expected.rejected
    (source,) = found.sources
    assert Counter(row["code"] for row in rejects) + Counter(source["notices"]) == expected.issues
    calls = found.tables["calls"]
    results = sum(row["result_chars"] is not None for row in calls)
    orphans = sum(turn["orphan_results"] for turn in found.tables["turns"])
    assert (len(found.tables["turns"]), len(calls), results + orphans) == expected.counts
    lines = [line for line in data_of(one)[1].split(b"\n") if line.strip()]
    assert len(lines) == one["expect"]["records"]["lines"]
    assert source["format"] == "message_lines"


def runs(turns: list[dict[str, Any]]) -> tuple[list[int], list[int]]:
    """At each turn: equal reasoning transitions in a row, and turns in a row that only read."""
    equal, reading = [0], [0]
    before = None
    for turn in turns:
        same = turn["same_reasoning_as"]
        equal.append(equal[-1] + 1 if same is not None and same == before else 0)
        reads = bool(turn["tools"]) and set(turn["tools"]) <= READS
        reading.append(reading[-1] + 1 if reads else 0)
        before = same
    return equal[1:], reading[1:]


def fires(levels: list[int], threshold: int) -> int | None:
    return next((turn for turn, level in enumerate(levels) if level >= threshold), None)


@pytest.mark.parametrize("one", [one for one in cases() if "seed" in one["expect"]],
                         ids=lambda one: f"{one['id']}-{one['slug']}")  # fmt: skip
def test_fire_turns(one: Case, tmp_path: Path) -> None:
    found, expect = read(one["id"], tmp_path), one["expect"]
    turns = found.tables["turns"]
    assert len(turns) == expect["assistant_turns"]
    assert not found.tables["rejects"]
    equal, reading = runs(turns)
    assert fires(equal, 7) == expect["seed"]["T2"]["fires_at_turn"]
    assert max(equal) == expect["seed"]["T2"]["longest_equal_transitions"]
    assert fires(reading, 35) == expect["seed"]["T1"]["fires_at_turn"]
    assert max(reading) == expect["seed"]["T1"]["longest_run"]


def longest(values: list[Any]) -> int:
    best = run = 0
    for at, value in enumerate(values):
        run = run + 1 if at and value is not None and value == values[at - 1] else int(value is not None)
        best = max(best, run)
    return best


def test_arguments_that_were_cut_are_not_equal(tmp_path: Path) -> None:
    found = read("097", tmp_path)
    assert longest([turn["same_calls_as"] for turn in found.tables["turns"]]) == 1
    texts = [row["arguments"] for row in found.tables["calls"]]
    assert all(text and text == canonical for text, canonical in zip(
        texts, [row["canonical"] for row in found.tables["calls"]], strict=True))  # fmt: skip
    assert texts[0] != texts[1]


def test_results_of_reused_and_of_double_ids(tmp_path: Path) -> None:
    heads = [row["result_head"] for row in read("100", tmp_path).tables["calls"]]
    assert heads == [f"result {at}" for at in range(4)]
    lines = [json.loads(line) for line in case("101")["input"]]
    told = [line["content"] for line in lines if line["role"] == "tool"]
    (tmp_path / "b").mkdir()
    assert [row["result_head"] for row in read("101", tmp_path / "b").tables["calls"]] == told


def test_the_old_form_of_calls(tmp_path: Path) -> None:
    turns = read("103", tmp_path).tables["turns"]
    assert [turn["tools"] for turn in turns] == [["search_files"], []]


def test_thinking_between_tags(tmp_path: Path) -> None:
    turns = read("105", tmp_path).tables["turns"]
    assert [(turn["reasoning"] or "").strip() for turn in turns[:2]] == ["Plan P.", "Plan P."]
    assert [(turn["text"] or "").strip() for turn in turns[:2]] == ["Answer one.", ""]
    assert turns[2]["reasoning_state"] != "recorded"
    assert "<think>" in turns[2]["text"]
    assert turns[3]["reasoning_kind"] == "native"
    assert "<think>" in turns[3]["text"]
    assert max(runs(turns)[0]) == case("105")["expect"]["episodes"][0]["T2_max_transitions"]


def test_closing_tags_alone(tmp_path: Path) -> None:
    first, second = read("107", tmp_path).tables["turns"]
    assert first["reasoning_kind"] == "inline"
    assert first["text"].strip()
    assert second["reasoning"] is None
    assert "</think>" in second["text"]
    (tmp_path / "b").mkdir()
    (turn,) = read("108", tmp_path / "b").tables["turns"]
    assert "</think>" not in turn["reasoning"]
    assert turn["text"].count("</think>") == 29


def test_numbers_that_are_none_do_not_reach_a_table(tmp_path: Path) -> None:
    found = read("112", tmp_path)
    assert "NaN" not in (tmp_path / "corpus" / "calib.json").read_text()
    assert all("NaN" not in row["metadata"] for row in found.tables["episodes"])


def test_the_last_of_two_keys(tmp_path: Path) -> None:
    found = read("116", tmp_path)
    assert found.tables["turns"][0]["text"] == "second"
    assert json.loads(found.tables["calls"][0]["canonical"])["path"] == "b"


def test_a_huge_result_is_measured_whole(tmp_path: Path) -> None:
    (call,) = read("119", tmp_path).tables["calls"]
    assert (call["result_chars"], len(call["result_head"])) == (3_000_000, 200)


def test_reasoning_that_begins_late(tmp_path: Path) -> None:
    turns = read("121", tmp_path).tables["turns"]
    assert [turn["reasoning_state"] for turn in turns] == ["absent"] * 120 + ["recorded"] * 8
    assert fires(runs(turns)[0], 7) == case("121")["expect"]["episodes"][0]["T2"]


def test_a_cut_archive(tmp_path: Path) -> None:
    found = read("125", tmp_path)
    assert [row["code"] for row in found.tables["rejects"]] == ["truncated-archive"]
    assert found.tables["rejects"][0]["line"] > 100
    assert len(found.tables["turns"]) >= 50


def test_damage_is_named_where_it_is(tmp_path: Path) -> None:
    (row,) = read("076", tmp_path).tables["rejects"]
    assert "200" in row["reason"]
    (tmp_path / "b").mkdir()
    (row,) = read("073", tmp_path / "b").tables["rejects"]
    assert row["line"] == 2


def test_text_keeps_its_signs(tmp_path: Path) -> None:
    (call,) = read("083", tmp_path).tables["calls"]
    assert {"\u2028", "\u2029", "\x85"} <= set(call["result_head"])
    (tmp_path / "b").mkdir()
    (call,) = read("085", tmp_path / "b").tables["calls"]
    assert call["result_head"].count("\ufffd") == 1
    (tmp_path / "c").mkdir()
    marked = read("080", tmp_path / "c")
    plain = tmp_path / "d"
    plain.mkdir()
    (plain / "case.jsonl").write_bytes(data_of(case("080"))[1].removeprefix(b"\xef\xbb\xbf"))
    assert ingested(plain, [plain / "case.jsonl"]).tables["turns"] == marked.tables["turns"]


def test_order_is_that_of_the_file(tmp_path: Path) -> None:
    plans = [turn["reasoning"] for turn in read("093", tmp_path).tables["turns"]]
    assert plans == ["First step.", "Second step.", "Third step."]
    (tmp_path / "b").mkdir()
    batch = read("094", tmp_path / "b").tables["turns"]
    said = [json.loads(line) for line in case("094")["input"]]
    assert [turn["text"] for turn in batch] == [one["content"] for one in said if one["role"] == "assistant"]
    assert [turn["turn"] for turn in batch] == [0, 1]


def test_a_call_that_waits_at_the_limit(tmp_path: Path) -> None:
    found = read("129", tmp_path)
    assert [row["label"] for row in found.tables["episodes"]] == ["unlabelled"]
    ingest([tmp_path / "case.jsonl"], tmp_path / "limited", workers=1, turn_limit=6)
    (frame,) = open_corpus(tmp_path / "limited").read("episodes", ["label", "label_source"])
    assert frame.rows() == [("turn_limit", "inferred")]


def test_other_ends_are_no_turn_limit(tmp_path: Path) -> None:
    (row,) = read("130", tmp_path).tables["episodes"]
    assert (row["stop_reason"], row["label"]) == ("RepeatedFormatError", "failed")
    (tmp_path / "b").mkdir()
    found = read("133", tmp_path / "b")
    (row,) = found.tables["episodes"]
    assert (row["label"], row["turn_limit"]) == ("unlabelled", None)  # a limit on steps is a positive when asked for
    asked = ("turn_limit", "step_limit")
    ingest([tmp_path / "b" / "case.jsonl"], tmp_path / "asked", workers=1, positives=asked)
    (frame,) = open_corpus(tmp_path / "asked").read("episodes", ["label", "label_source"])
    assert frame.rows() == [(case("133")["expect"]["episodes"][0]["label"], "inferred")]
    assert json.loads(row["metadata"]) == {"run_start.recursion_limit": 9}
    assert found.sources[0]["account"]["ignored"] == {"run_start": {"records": 1, "bytes": 41}}
    assert longest([turn["same_calls_as"] for turn in found.tables["turns"]]) == 4
    assert stop_kind("recursion_limit") == "step_limit"


def test_an_episode_that_ends_in_a_torn_record_says_so(tmp_path: Path) -> None:
    (row,) = read("071", tmp_path).tables["episodes"]
    assert json.loads(row["metadata"])["ends_truncated"] is True
    assert row["label"] == "unlabelled"
    ingest([tmp_path / "case.jsonl"], tmp_path / "limited", workers=1, turn_limit=2)
    (frame,) = open_corpus(tmp_path / "limited").read("episodes", ["label", "label_source"])
    assert frame.rows() == [("unlabelled", "none")]

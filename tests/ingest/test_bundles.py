"""Bundles: which files belong together, in which order, what a bad one costs, growth; lists cut at their bytes."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from calib.corpus import open_corpus
from calib.ingest import IngestSummary, ingest
from calib.ingest.bundles import records
from calib.ingest.records import elements
from calib.ingest.sniff import sniff
from calib.ingest.sources import Member
from calib.ingest.walk import find
from tests.ingest.dumping import checked, dumped


def user(text: str) -> bytes:
    return _event(source="user", action="message", args={"content": text})


def says(text: str) -> bytes:
    return _event(source="agent", action="message", args={"content": text})


def acts(command: str) -> bytes:
    return _event(source="agent", action="run", args={"command": command})


def _event(**fields: Any) -> bytes:
    return json.dumps({"timestamp": "t", **fields}, indent=1).encode()


def sdk(text: str) -> bytes:
    message = {"role": "assistant", "content": [{"type": "text", "text": text}]}
    event = {"kind": "MessageEvent", "source": "agent", "llm_message": message, "llm_response_id": text}
    return json.dumps(event).encode()


def files(*events: bytes, folder: str = "s/events") -> dict[str, bytes]:
    return {f"{folder}/{number}.json": event for number, event in enumerate(events)}


def run(tmp_path: Path, dumps: dict[str, bytes], **options: Any) -> IngestSummary:
    folder = dumped(tmp_path / "dump", dumps)
    summary = ingest([folder], tmp_path / "corpus", **{"workers": 1, **options})
    checked(tmp_path / "corpus")
    return summary


def rows(tmp_path: Path, table: str, *columns: str) -> list[tuple[Any, ...]]:
    corpus = open_corpus(tmp_path / "corpus")
    return [row for frame in corpus.read(table, columns) for row in frame.rows()]


def texts(tmp_path: Path, source: str) -> list[str]:
    """The visible texts of the episode of a source, in order."""
    return [text for name, _, text in sorted(rows(tmp_path, "turns", "episode_id", "turn", "text")) if name == source]


def test_the_files_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    run(tmp_path, files(*(says(f"t{number}") for number in range(12))))
    assert texts(tmp_path, "dump/s/events/*") == [f"t{number}" for number in range(12)]
    assert rows(tmp_path, "episodes", "source", "source_line", "n_turns") == [("dump/s/events/*", 1, 12)]


def test_a_bad_file_costs_itself_only(tmp_path: Path) -> None:
    events = files(user("go"), says("a"), says("b")[:-9], b"", b"[1]", says("c"))
    run(tmp_path, {**events, "s/events/notes.txt": b"{", "s/other.json": b"{"})
    assert texts(tmp_path, "dump/s/events/*") == ["a", "c"]
    lost = sorted(rows(tmp_path, "rejects", "source", "line", "code"))
    assert lost == [
        ("dump/s/events/*", 3, "json-truncated"),
        ("dump/s/events/4.json", None, "unknown-format"),  # JSON, but no event
        ("dump/s/events/notes.txt", None, "unknown-format"),
        ("dump/s/other.json", None, "unknown-format"),
    ]


def test_files_may_be_packed(tmp_path: Path) -> None:
    summary = run(tmp_path, files(user("go"), gzip.compress(says("a")), says("b"), gzip.compress(says("c"))[:-12]))
    assert texts(tmp_path, "dump/s/events/*") == ["a", "b"]
    assert [code for (code,) in rows(tmp_path, "rejects", "code")] == ["truncated-archive"]
    kept = sum(len(event) for event in (user("go"), says("a"), says("b")))
    assert summary.account.kept == kept


def test_a_file_that_is_gone_costs_itself_only(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"{}")
    members = [Member(tmp_path / name, 2, "plain") for name in ("a", "b")]
    told = [(at, number, bytes(data), broken and broken.code) for at, number, data, broken in records(members)]
    assert told == [(0, 1, b"", "vanished"), (0, 2, b"{}", None)]


def test_a_gone_file_is_a_reject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from calib.ingest import bundles

    whole = bundles.gathered

    def gathered(found: Any) -> Any:
        (tmp_path / "dump" / "s" / "events" / "1.json").unlink(missing_ok=True)
        return whole(found)

    monkeypatch.setattr("calib.ingest.bundles.gathered", gathered)
    run(tmp_path, files(user("go"), says("a"), says("b")))
    assert texts(tmp_path, "dump/s/events/*") == ["b"]
    assert rows(tmp_path, "rejects", "line", "code", "bytes") == [(2, "vanished", 0)]


def test_growing_and_changing(tmp_path: Path) -> None:
    name = ("dump/s/events/*",)
    assert run(tmp_path, files(user("go"), says("a"))).added == name
    before = (tmp_path / "corpus" / "calib.json").read_bytes()
    assert run(tmp_path, {}).unchanged == name
    assert (tmp_path / "corpus" / "calib.json").read_bytes() == before
    grown = run(tmp_path, files(user("go"), says("a"), says("b")))
    assert (grown.grown, grown.episodes, grown.turns) == (name, 1, 2)
    changed = run(tmp_path, files(user("go"), says("x")))
    assert (changed.replaced, changed.episodes) == (name, 1)
    assert texts(tmp_path, *name) == ["x", "b"]
    (tmp_path / "dump" / "s" / "events" / "2.json").unlink()
    assert run(tmp_path, {}).replaced == name
    assert texts(tmp_path, *name) == ["x"]


def test_folders_given_one_by_one_stay_apart(tmp_path: Path) -> None:
    dumped(tmp_path, {**files(says("a"), folder="one/events"), **files(says("b"), folder="two/events")})
    (tmp_path / "two" / "events" / "0.json").rename(tmp_path / "two" / "events" / "1.json")
    named = (["one/events", "two/events"], ["one/events/0.json", "two/events/1.json"])
    for number, names in enumerate(named):
        ingest([tmp_path / name for name in names], tmp_path / f"c{number}", workers=1)
        corpus = open_corpus(tmp_path / f"c{number}")
        assert [entry["source"] for entry in corpus.manifest["sources"]] == ["one/events/*", "two/events/*"]


def test_two_formats_in_one_folder_are_two_bundles(tmp_path: Path) -> None:
    run(tmp_path, {**files(says("a")), "s/events/5.json": sdk("b")})
    assert texts(tmp_path, "dump/s/events/*") == ["a"]
    assert texts(tmp_path, "dump/s/events/* (openhands_sdk)") == ["b"]


@pytest.mark.parametrize("place", ["s", "s/events"])
def test_what_lies_beside_belongs_to_the_bundle(tmp_path: Path, place: str) -> None:
    state = json.dumps({"id": "c-1", "max_iterations": 4}).encode()
    run(tmp_path, {"s/events/0.json": sdk("a"), f"{place}/base_state.json": state, "base_state.json": state})
    assert rows(tmp_path, "episodes", "episode_id", "turn_limit") == [("c-1", 4)]
    assert rows(tmp_path, "rejects", "source") == [("dump/base_state.json",)]
    changed = run(tmp_path, {f"{place}/base_state.json": state.replace(b"4", b"5")})
    assert "dump/s/events/*" in changed.replaced
    assert rows(tmp_path, "episodes", "episode_id", "turn_limit") == [("c-1", 5)]


def test_whole_runs_in_a_folder_are_no_bundle(tmp_path: Path) -> None:
    trajectory = b"[" + user("go") + b"," + says("a") + b"]"
    run(tmp_path, {"s/0.json": trajectory, "s/1.json": trajectory.replace(b'"a"', b'"b"')})
    assert sorted(rows(tmp_path, "episodes", "source")) == [("dump/s/0.json",), ("dump/s/1.json",)]


def test_workers_make_no_difference(tmp_path: Path) -> None:
    dumps = {
        name: data for session in range(6) for name, data in files(user("go"), acts("ls"), folder=f"s{session}").items()
    }
    run(tmp_path / "a", dumps)
    run(tmp_path / "b", dumps, workers=2)
    assert (tmp_path / "a/corpus/calib.json").read_bytes() == (tmp_path / "b/corpus/calib.json").read_bytes()


def message(plan: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": "go"}, {"role": "assistant", "content": plan}]}


def test_episodes_of_one_line_have_names_of_their_own(tmp_path: Path) -> None:
    run(tmp_path, {"d.json": json.dumps([message("a"), message("b")]).encode()})
    second = len(json.dumps(message("a"))) + 3
    assert sorted(rows(tmp_path, "episodes", "episode_id")) == [("dump/d.json:1",), (f"dump/d.json:1@{second}",)]


@pytest.mark.parametrize("odd", [b"NaN", b'"\\ud83d"', b'"\xff"', b"1e999"])
def test_a_list_with_odd_values_adds_up(tmp_path: Path, odd: bytes) -> None:
    inner = b'{"task": %s, "messages": []}' % odd
    data = b"[\n " + json.dumps(message("a")).encode() + b",\n " + inner + b"\n]\n"
    summary = run(tmp_path, {"d.json": data})
    assert (summary.episodes, summary.account.bytes) == (2, len(data))
    assert summary.account.kept == len(inner) + len(json.dumps(message("a")))
    assert [line for (line,) in rows(tmp_path, "episodes", "source_line")] == [2, 3]


def test_elements_are_cut_alike_by_both_ways() -> None:
    plain = b' [ {"a": [1, "],"]} ,\n[[2]],3 , "x" ]\n'
    cut = [(at, line, bytes(one)) for at, line, one in elements(memoryview(plain))]
    odd = [(at, line, bytes(one)) for at, line, one in elements(memoryview(plain.replace(b'"x"', b"NaN")))]
    assert cut == [(3, 1, b'{"a": [1, "],"]}'), (22, 2, b"[[2]]"), (28, 2, b"3"), (32, 2, b'"x"')]
    assert odd == [*cut[:3], (32, 2, b"NaN")]


def test_lines_of_events_are_a_stream_and_lines_of_runs_are_not(tmp_path: Path) -> None:
    events = b"".join(event.replace(b"\n", b" ") + b"\n" for event in (user("go"), says("a"), says("b"), says("c")))
    run_line = b'{"history": [%s]}\n' % says("x").replace(b"\n", b" ")
    folder = dumped(tmp_path / "dump", {"events.jsonl": events, "runs.jsonl": run_line * 3})
    looked = {source.name: sniff(source, "auto") for source in find([folder], tmp_path / "corpus").sources}
    assert {name: (one.shape, one.stream) for name, one in looked.items()} == {
        "dump/events.jsonl": ("lines", True), "dump/runs.jsonl": ("lines", False),
    }  # fmt: skip
    run(tmp_path, {})
    assert texts(tmp_path, "dump/events.jsonl") == ["a", "b", "c"]
    assert texts(tmp_path, "dump/runs.jsonl:2") == ["x"]

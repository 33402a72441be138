"""What a million small sources rest on: few bytes for each, and calib.json in pieces."""

import io
import json
import os
import tracemalloc
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calib.ingest import ingest
from calib.ingest import run as run_module
from calib.ingest.bundles import Sniffs
from calib.ingest.entries import Entries
from calib.ingest.manifest import lines, pieces_of
from calib.ingest.plan import Plan, plan
from calib.ingest.sniff import Sniffed
from calib.ingest.sources import Sources
from calib.ingest.walk import find
from calib.ingest.work import RANGE
from tests.cli_faults.running import tree
from tests.ingest.dumping import dumped, episode, line

COUNT = 5000
FILES = {f"s{at}": line(episode(f"e{at}", [f"p{at}"])) for at in range(5)}


def planned() -> Plan:
    sources = Sources()
    for at in range(COUNT):
        sources.add(f"dumps/{at // 100:04}/{at:06}.jsonl", 100, "/home/me/dumps/", 6)
    kind = Sniffed(format="episode_lines", shape="document")
    return plan(Sniffs(sources, (kind for _ in sources.sizes)), lambda name: (), RANGE)


def test_a_planned_source_takes_few_bytes() -> None:
    """Its name takes 25, all else 26; an object for each took 500."""
    tracemalloc.start()
    try:
        found = planned()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(found) == COUNT
    assert taken < 80 * COUNT


def test_a_source_is_where_it_was_found() -> None:
    source = planned()[4999].source
    assert (source.name, str(source.path)) == ("dumps/0049/004999.jsonl", "/home/me/dumps/0049/004999.jsonl")


def test_finding_files_keeps_few_bytes_of_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """190 at the most; it was some 580."""
    names = [f"{at:06}.jsonl" for at in range(COUNT)]
    dumped(tmp_path, {"dumps/one": b"x"})
    status = (tmp_path / "dumps/one").stat()
    inodes = iter(range(1 << 40, 2 << 40))

    def lstat(path: Any) -> os.stat_result:
        return os.stat_result((status[0], next(inodes), *status[2:]))

    monkeypatch.setattr("calib.ingest.walk.os.listdir", lambda folder: names)
    monkeypatch.setattr("calib.ingest.walk.os.lstat", lstat)
    monkeypatch.setattr("calib.ingest.walk.os.access", lambda path, mode: True)
    tracemalloc.start()
    try:
        found = find([tmp_path / "dumps"], tmp_path / "out")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(found.sources) == COUNT
    print(most / COUNT)
    assert most < 300 * COUNT


MANIFEST: dict[str, Any] = {
    "calib_version": "1", "options": {"text": True, "a": []}, "schema_version": 1,
    "parts": [{"part": "a", "members": {"x\n  {\n": "}"}}, {"part": "b"}],
    "sources": [{"source": "é\n  }\n"}, {"a": 1}],
}  # fmt: skip


@pytest.mark.parametrize("change", [{}, {"parts": []}, {"sources": []}, {"parts": [], "sources": []}])
def test_calib_json_falls_into_its_pieces(change: dict[str, Any]) -> None:
    manifest = {**MANIFEST, **change}
    data = b"".join(lines(manifest))
    assert data == json.dumps(manifest, sort_keys=True, indent=1).encode() + b"\n"
    found = pieces_of(io.BytesIO(data))
    assert found is not None
    assert found.head == {**manifest, "parts": (), "sources": ()}
    for key, places in (("parts", found.parts), ("sources", found.sources)):
        ends = zip(places[::2], places[1::2], strict=True)
        assert [json.loads(data[first:last]) for first, last in ends] == manifest[key]


@pytest.mark.parametrize("data", [
    json.dumps(MANIFEST).encode(), json.dumps(MANIFEST, indent=2).encode(), b"", b"[]", b"{}", b"  {\n  }\n",
    json.dumps(MANIFEST, indent=1).encode(), b"".join(lines(MANIFEST))[:-4],
    b"".join(lines({**MANIFEST, "other": [{"a": 1}]})), b"".join(lines({**MANIFEST, "parts": [0, {"a": 1}]})),
])  # fmt: skip
def test_another_layout_is_told(data: bytes) -> None:
    assert pieces_of(io.BytesIO(data)) is None


def turned(manifest: dict[str, Any]) -> str:
    return json.dumps({**manifest, "sources": manifest["sources"][::-1]}, indent=1, sort_keys=True)


@pytest.mark.parametrize(("relaid", "kept"), [(json.dumps, True), (turned, False)])
@pytest.mark.parametrize("few", [0, 100])
def test_a_corpus_whose_calib_json_was_laid_out_anew_is_the_same(
    tmp_path: Path, relaid: Callable[[Any], str], kept: bool, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calib.ingest.grouping.FEW", few)
    folder, corpus = dumped(tmp_path / "d", FILES), tmp_path / "c"
    ingest([folder], corpus, workers=1)
    before, file = tree(corpus), corpus / "calib.json"
    text = relaid(json.loads(file.read_text()))
    file.write_text(text)
    assert len(ingest([folder], corpus, workers=1).unchanged) == len(FILES)
    assert (file.read_text() == text) is kept
    assert (tree(corpus) == before) is not kept
    (folder / "s9").write_bytes(line(episode("e9")))
    assert ingest([folder / "s9"], corpus, workers=1).sources == len(FILES) + (few == 0 or 1)


def test_what_another_run_added_while_this_one_waited_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dumped(tmp_path, {"a": FILES["s0"], "b": FILES["s1"], "c": FILES["s2"]})
    ingest([tmp_path / "a"], tmp_path / "corpus", workers=1)

    def slow(*given: Any) -> Any:
        monkeypatch.undo()
        ingest([tmp_path / "b"], tmp_path / "corpus", workers=1)
        return find(*given)

    monkeypatch.setattr(run_module, "find", slow)
    assert ingest([tmp_path / "c"], tmp_path / "corpus", workers=1).sources == 3


def test_entries_are_equal_by_what_they_say() -> None:
    ours, theirs = ({"source": name} for name in "ab")
    one = Entries(array("q", [-1]), None, lambda at: ours)
    assert one == Entries(array("q", [-1]), None, lambda at: ours)
    assert one == Entries(array("q", [-2]), None, lambda at: ours)
    assert one != Entries(array("q", [-2]), None, lambda at: theirs)
    assert one != Entries(array("q", []), None, lambda at: ours)

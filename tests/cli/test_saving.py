"""Outputs: never over transcripts, never into a corpus, and never over another file in silence."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Calib
from tests.ingest.dumping import episode, line

COMMANDS = {
    "out.jsonl": ("score",), "out.csv": ("score",), "out.parquet": ("score",), "out.json": ("report", "--to", "json"),
    "out.md": ("report", "--to", "markdown"), "out.txt": ("report",),
}  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_what_was_written_before_is_replaced_and_said(calib: Calib, corpus: Path, tmp_path: Path, name: str) -> None:
    word, *options = COMMANDS[name]
    first = calib(word, corpus, *options, "-o", name)
    assert "replaced" not in first.err
    data = (tmp_path / name).read_bytes()
    again = calib(word, corpus, *options, "-o", name)
    assert (again.code, (tmp_path / name).read_bytes()) == (first.code, data)
    assert f"{name}: replaced what was there\n" in again.err


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("linked", [False, True])
def test_a_dump_is_not_overwritten(calib: Calib, corpus: Path, tmp_path: Path, name: str, linked: bool) -> None:
    data = b"".join(line(episode(f"e{at}")) for at in range(3))
    dump = tmp_path / ("dump" if linked else name)
    dump.write_bytes(data)
    if linked:
        (tmp_path / name).symlink_to(dump)
    word, *options = COMMANDS[name]
    done = calib(word, corpus, *options, "-o", name)
    assert done.code == 2
    assert f"{name}: holds transcripts (episode_lines); name another file, or remove it first" in done.err
    assert dump.read_bytes() == data


@pytest.mark.parametrize("place", ["calib.json", "turns/x.jsonl", "../in/new.jsonl"])
def test_nothing_is_written_into_a_corpus(calib: Calib, tmp_path: Path, place: str) -> None:
    (tmp_path / "dump.jsonl").write_bytes(line(episode("a", ["p", "p"])))
    calib("ingest", "dump.jsonl", "--out", "in")
    before = {path: path.read_bytes() for path in (tmp_path / "in").rglob("*") if path.is_file()}
    edit = ("edit", "dump.jsonl", "--by", "full", "--turn", "0", "--format", "episode_lines")
    for words in (("report", "in", "--to", "json"), edit):
        done = calib(*words, "-o", f"in/{place}")
        assert done.code == 2
        assert "lies in the corpus" in done.err
    assert {path: path.read_bytes() for path in (tmp_path / "in").rglob("*") if path.is_file()} == before


def test_a_file_that_is_no_dump_is_replaced_and_said(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.json").write_text(json.dumps({"my": "notes"}))
    done = calib("report", corpus, "--to", "json", "-o", "notes.json")
    assert done.code == 0
    assert "notes.json: replaced what was there" in done.err

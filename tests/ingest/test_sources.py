"""Which files are read and what they are called; odd files are never waited for."""

import os
import socket
import time
from pathlib import Path

import pytest

from calib.corpus import open_corpus
from calib.errors import CorpusError, NothingMatched, UsageError
from calib.ingest import IngestSummary, ingest
from calib.ingest.walk import find
from tests.ingest.dumping import Made, checked, dumped, episode, line

X, Y = line(episode("x")), line(episode("y"))


def run(out: Path, *dumps: Path) -> Made:
    summary: IngestSummary = ingest(dumps, out, workers=1)
    checked(out)
    return Made(out, summary)


def names(*dumps: Path) -> list[str]:
    return [source.name for source in find(dumps, Path("nowhere")).sources]


def test_names_are_relative_to_the_argument(tmp_path: Path) -> None:
    dumped(tmp_path, {"dumps/b/2.jsonl": X, "dumps/a.jsonl": X, "one.jsonl": X})
    assert names(tmp_path / "dumps", tmp_path / "one.jsonl") == ["dumps/a.jsonl", "dumps/b/2.jsonl", "one.jsonl"]


def test_one_name_for_two_files_grows_to_the_left(tmp_path: Path) -> None:
    dumped(tmp_path, {"p/q/d.jsonl": X, "r/q/d.jsonl": Y, "d.jsonl": X})
    found = names(tmp_path / "p/q/d.jsonl", tmp_path / "r/q/d.jsonl")
    assert found == ["p/q/d.jsonl", "r/q/d.jsonl"]
    found = names(tmp_path / "p/q/d.jsonl", tmp_path / "r/q/d.jsonl", tmp_path / "d.jsonl")
    assert found == ["p/q/d.jsonl", "r/q/d.jsonl", f"{tmp_path.name}/d.jsonl"]


def test_order_of_arguments_does_not_matter(tmp_path: Path) -> None:
    dumped(tmp_path, {"b": X, "a": Y, "B": line(episode("z"))})
    assert names(tmp_path / "b", tmp_path / "B", tmp_path / "a") == ["B", "a", "b"]


def test_a_relative_argument(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dumped(tmp_path, {"dumps/a.jsonl": X})
    monkeypatch.chdir(tmp_path / "dumps")
    assert names(Path()) == ["dumps/a.jsonl"]
    assert names(Path("../dumps/a.jsonl")) == ["a.jsonl"]


def test_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    folder = tmp_path / "dumps"
    folder.mkdir()
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff\n.jsonl")).write_bytes(X)
    found = run(tmp_path / "corpus", folder)
    assert [row["source"] for row in found.rows("episodes")] == ["dumps/\\xff\n.jsonl"]
    assert found.ids == ["x"]


def test_one_file_by_two_ways_is_read_once(tmp_path: Path) -> None:
    dumped(tmp_path, {"dumps/a": X})
    (tmp_path / "dumps/hard").hardlink_to(tmp_path / "dumps/a")
    (tmp_path / "dumps/soft").symlink_to("a")
    found = run(tmp_path / "corpus", tmp_path / "dumps", tmp_path / "dumps/a", tmp_path / "dumps/a")
    assert [row["source"] for row in found.rows("episodes")] == ["a"]
    assert [message for message in found.summary.messages if "the same file as a" in message] == [
        "a: the same file as a; read once",
        "dumps/a: the same file as a; read once",
        "dumps/hard: the same file as a; read once",
        "dumps/soft: the same file as a; read once",
    ]


def odd(folder: Path) -> dict[str, Path]:
    """Everything that is no file, one of a kind."""
    folder.mkdir()
    found = {name: folder / name for name in ("fifo", "socket", "zero", "loop", "up", "dangling")}
    os.mkfifo(found["fifo"])
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(found["socket"]))
    found["zero"].symlink_to("/dev/zero")
    found["loop"].symlink_to("loop")
    found["up"].symlink_to("..")
    found["dangling"].symlink_to("nothing")
    return found


def test_odd_files_in_a_folder_are_rejected_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "dumps"
    paths = odd(folder)
    (folder / "a").write_bytes(X)
    (folder / "false.gz").write_bytes(X.replace(b'"x"', b'"y"'))
    start = time.monotonic()
    found = run(tmp_path / "corpus", folder)
    assert time.monotonic() - start < 20
    assert found.ids == ["x", "y"]
    rejected = {row["source"]: row["code"] for row in found.rows("rejects")}
    wanted = [f"dumps/{name}" for name in paths if name != "up"] + ["dumps/up/dumps"]
    assert rejected == dict.fromkeys(wanted, "not-a-file")


@pytest.mark.parametrize("name", ["fifo", "socket", "zero", "loop", "dangling"])
def test_odd_files_as_the_dump_are_refused(tmp_path: Path, name: str) -> None:
    path = odd(tmp_path / "dumps")[name]
    with pytest.raises(UsageError, match=name):
        run(tmp_path / "corpus", path)
    assert not (tmp_path / "corpus").exists()


@pytest.mark.parametrize("inside", ["", "p/q"])
def test_a_corpus_inside_a_source_is_passed_over(tmp_path: Path, inside: str) -> None:
    dumped(tmp_path, {"dumps/a": X, "dumps/z/b": Y})
    other = run(tmp_path / "dumps/old", tmp_path / "dumps/z")
    out = tmp_path / "dumps" / inside / "corpus"
    for _ in range(2):
        found = run(out, tmp_path / "dumps")
        assert found.ids == ["x", "y"]
        assert "old: a corpus of calib; not read as a dump" in found.summary.messages
    assert other.ids == ["y"]


@pytest.mark.parametrize("out", ["dumps", ".", "dumps/a"])
def test_an_output_around_or_on_a_source_is_refused(tmp_path: Path, out: str) -> None:
    dumped(tmp_path, {"dumps/a": X})
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UsageError):
        run(tmp_path / out, tmp_path / "dumps/a")
    assert sorted(tmp_path.rglob("*")) == before


def test_a_corpus_around_a_source_is_refused(tmp_path: Path) -> None:
    dumped(tmp_path, {"a": X})
    run(tmp_path / "corpus", tmp_path / "a")
    (tmp_path / "corpus/dump").write_bytes(Y)
    with pytest.raises(UsageError, match="around the dump"):
        run(tmp_path / "corpus", tmp_path / "corpus/dump")


@pytest.mark.parametrize(
    ("dump", "kind", "said"),
    [
        ("missing", UsageError, "no such dump"),
        ("empty", NothingMatched, "found none in no file"),
        ("nothing", NothingMatched, r"found none in nothing/notes.txt \(1 unknown-format\); see calib formats"),
        ("nothing/notes.txt", NothingMatched, "expected transcripts"),
        ("void", NothingMatched, "found none in void"),
    ],
)
def test_nothing_to_read(tmp_path: Path, dump: str, kind: type[Exception], said: str) -> None:
    dumped(tmp_path, {"nothing/notes.txt": b"just some notes\n", "void": b""})
    (tmp_path / "empty").mkdir()
    with pytest.raises(kind, match=said):
        run(tmp_path / "corpus", tmp_path / dump)
    assert not (tmp_path / "corpus").exists()


@pytest.mark.parametrize("dump", ["old", "around"])
def test_a_corpus_is_no_dump(tmp_path: Path, dump: str) -> None:
    dumped(tmp_path, {"a": X})
    corpus = tmp_path / ("old" if dump == "old" else "around/old")
    run(corpus, tmp_path / "a")
    with pytest.raises(NothingMatched) as caught:
        run(tmp_path / "new", tmp_path / dump)
    assert str(caught.value) == (
        f"{corpus}: expected a dump, found a corpus of calib; name the dumps that it was made from, "
        "a corpus is for calib sweep, report, inspect …"
    )
    assert not (tmp_path / "new").exists()


def test_why_there_is_no_transcript(tmp_path: Path) -> None:
    files = {
        "in/a.txt": b"notes\n",
        "in/b.txt": b"more\n",
        "in/c": b"",
        "in/d": b"\xff\xfe{\x00",
        "in/e.gz": b"\x1f\x8b\x08",
    }
    dumped(tmp_path, files)
    with pytest.raises(NothingMatched) as caught:
        run(tmp_path / "corpus", tmp_path / "in")
    assert str(caught.value) == (
        "expected transcripts, found none in in/a.txt, in/b.txt, in/c and 2 more (1 empty, 1 encoding-utf16, "
        "1 truncated-archive, 2 unknown-format); see calib formats; nothing was written"
    )


def test_a_folder_that_is_no_corpus_says_what_to_do(tmp_path: Path) -> None:
    dumped(tmp_path, {"dumps/a": X})
    (tmp_path / "empty").mkdir()
    said = {}
    for name in ("dumps", "empty", "missing", "dumps/a"):
        with pytest.raises(CorpusError) as caught:
            open_corpus(tmp_path / name)
        said[name] = str(caught.value).replace(f"{tmp_path}/", "")
    assert said["dumps"] == (
        "dumps: expected a corpus, found no calib.json; run calib ingest dumps --out CORPUS if it holds dumps, "
        "and name CORPUS"
    )
    for name in ("empty", "missing"):
        assert said[name] == f"{name}: expected a corpus, found no calib.json; run calib ingest DUMP --out {name}"
    assert "dumps/a: expected a corpus" in said["dumps/a"]


@pytest.mark.parametrize("dumps", [[], [""], ["a", ""]])
def test_no_dump_is_named(tmp_path: Path, dumps: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(dumped(tmp_path, {"a": X}))
    with pytest.raises(UsageError, match="no dump was named"):
        ingest(dumps, "corpus")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_an_output_that_is_something_else_is_refused(tmp_path: Path) -> None:
    dumped(tmp_path, {"a": X, "out/mine.txt": b"mine", "file": b"mine"})
    for out in ("out", "file", "file/below"):
        with pytest.raises(Exception) as caught:
            run(tmp_path / out, tmp_path / "a")
        assert getattr(caught.value, "exit", None) == 2
    assert (tmp_path / "out/mine.txt").read_bytes() == b"mine"
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_folders_on_the_way_are_made_and_unmade(tmp_path: Path) -> None:
    dumped(tmp_path, {"a": X, "b": b"oops"})
    with pytest.raises(NothingMatched):
        run(tmp_path / "p/q/corpus", tmp_path / "b")
    assert not (tmp_path / "p").exists()
    assert run(tmp_path / "p/q/corpus", tmp_path / "a").ids == ["x"]


def test_hidden_files_are_read_and_our_own_litter_is_not(tmp_path: Path) -> None:
    dumped(tmp_path, {"d/.hidden": X, "d/.calib.lock": Y, "d/.stdin.new-01234567": Y})
    assert run(tmp_path / "corpus", tmp_path / "d").ids == ["x"]

"""Two commands at one place: readers see the old or the new corpus, and of two writers one wins."""

import json
import os
import subprocess
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from calib.cli import run
from calib.corpus import open_corpus
from calib.errors import CorpusError
from calib.ingest import ingest
from calib.score import score
from calib.sweep import sweep
from tests.cli.conftest import Calib
from tests.cli_faults.running import CALIB, environment, one_line, tree
from tests.corpus import episode_lines, pencil


def _dump(folder: Path, name: str, mark: str, copies: int = 1) -> Path:
    episodes = [replace(one, episode_id=f"{one.episode_id}{mark}{copy}") for copy in range(copies) for one in pencil()]
    path = folder / name
    path.write_bytes(episode_lines(episodes))
    return path


def _answer(corpus: Path) -> tuple[str, object]:
    """Read a corpus as `sweep` does, short of printing."""
    found = score(open_corpus(corpus))
    return found.data_digest(), sweep(found).tally


def test_a_reader_sees_the_old_or_the_new_corpus(tmp_path: Path) -> None:
    corpus, dump = tmp_path / "corpus", tmp_path / "dump.jsonl"
    answers = {}
    for mark, copies in (("old", 1), ("new", 2)):
        _dump(tmp_path, "dump.jsonl", "", copies)
        ingest([dump], tmp_path / mark, workers=1)
        answers[mark] = _answer(tmp_path / mark)
    assert answers["old"] != answers["new"]
    ingest([dump], corpus, workers=1)
    stop, seen, wrong = threading.Event(), [], list[str]()

    def read() -> None:
        while not stop.is_set():
            try:
                seen.append(_answer(corpus))
            except CorpusError as error:  # a part went between two looks: named, and exit 2
                if "corpus" not in str(error):
                    wrong.append(str(error))
            except Exception as error:
                wrong.append(repr(error))

    reader = threading.Thread(target=read)
    reader.start()
    for turn in range(24):
        _dump(tmp_path, "dump.jsonl", "", 1 + turn % 2)
        ingest([dump], corpus, workers=1)
    stop.set()
    reader.join()
    assert wrong == []
    assert set(seen) <= set(answers.values())
    assert len(seen) >= 5


def test_a_part_that_goes_after_it_was_checked_is_named(
    calib: Calib, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest([_dump(tmp_path, "dump.jsonl", "old")], tmp_path / "corpus", workers=1)
    gone = []

    def opened(path: str) -> object:
        found = open_corpus(path)
        for file in found.files("turns"):
            gone.append(file.name)
            file.unlink()
        return found

    monkeypatch.setattr("calib.corpus.open_corpus", opened)
    for words in (("sweep", "corpus"), ("score", "corpus"), ("report", "corpus"), ("inspect", "corpus", "L1old0")):
        ingest([tmp_path / "dump.jsonl"], tmp_path / "corpus", workers=1)
        gone.clear()
        done = calib(*words)
        assert gone
        assert done.code == 2, words
        one_line(done.err, "corpus")


@pytest.mark.parametrize("dumps", ["the same dump", "two dumps"])
def test_of_two_ingests_at_once_one_wins(tmp_path: Path, dumps: str) -> None:
    first = _dump(tmp_path, "a.jsonl", "a", copies=40)
    second = first if dumps == "the same dump" else _dump(tmp_path, "b.jsonl", "b", copies=40)
    whole = {}
    for name, given in (("a", [first]), ("b", [second]), ("ab", [first, second])):
        ingest(given, tmp_path / f"whole-{name}", workers=1)
        whole[name] = tree(tmp_path / f"whole-{name}")
    both = [
        subprocess.Popen(
            [*CALIB, "ingest", str(dump), "--out", "corpus"],
            cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for dump in (first, second)
    ]  # fmt: skip
    said = [process.communicate(timeout=60)[1] for process in both]
    codes = [process.returncode for process in both]
    assert 0 in codes
    for code, line in zip(codes, said, strict=True):
        assert code in (0, 2)
        if code == 2:
            one_line(line, "corpus", "is writing here")
    assert tree(tmp_path / "corpus") in whole.values()
    for dump in (first, second):
        assert run(["ingest", str(dump), "--out", str(tmp_path / "corpus")]) == 0
    assert tree(tmp_path / "corpus") == whole["ab"]
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


def test_a_second_writer_is_told_who_writes(calib: Calib, tmp_path: Path) -> None:
    from calib.files import one_writer

    _dump(tmp_path, "dump.jsonl", "x")
    for words in (("ingest", "dump.jsonl", "--out", "held"), ("sweep", "corpus", "T2@2..4", "-o", "held")):
        ingest([tmp_path / "dump.jsonl"], tmp_path / "corpus", workers=1)
        (tmp_path / "held").mkdir()
        with one_writer(tmp_path / "held"):
            done = calib(*words)
        assert done.code == 2
        one_line(done.err, "held", f"process {os.getpid()} is writing here")
        assert os.listdir(tmp_path / "held") == []
        (tmp_path / "held").rmdir()


def test_many_writers_of_one_file_leave_one_whole_file(corpus: Path, tmp_path: Path) -> None:
    words = [*CALIB, "report", str(corpus), "--to", "json", "-o", "r.json"]
    points = ["T2@5", "T2@4", "T1@9", "T1@8"]
    running = [
        subprocess.Popen([*words, point], cwd=tmp_path, env=environment(), stderr=subprocess.PIPE) for point in points
    ]
    said = {process.communicate(timeout=60)[1] for process in running}
    assert said <= {b"", b"r.json: replaced what was there\n"}
    assert [process.returncode for process in running] == [0] * 4
    assert json.loads((tmp_path / "r.json").read_bytes())["schema_version"] == 1
    assert os.listdir(tmp_path) == ["r.json"]

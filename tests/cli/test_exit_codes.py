"""Arguments to exit code and message: one line, naming what to do. Nothing here shows a traceback."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Calib

CASES = [
    # what the command line says, the exit code, a piece of the one line on standard error
    (["sweep", "nowhere"], 2, "expected a corpus, found no calib.json"),
    (["sweep", "CORPUS", "repeated_plans"], 2, "no detector named 'repeated_plans'; there are repeated_plan"),
    (["sweep", "CORPUS", "t2"], 2, "no detector named 't2'; there are T2, T1, "),
    (["sweep", "CORPUS", "T3"], 2, "no detector named 'T3'; there are T1, T2, "),
    (["sweep", "CORPUS", "scn(guard_words)"], 2, "no family named 'scn'; there are scan, "),
    (["sweep", "CORPUS", "--where", "n_turns > many"], 2, "expected a number to compare n_turns with, found 'many'"),
    (["sweep", "CORPUS", "--where", "label = pased"], 5, "no label is 'pased', there are passed, failed, turn_limit"),
    (
        ["sweep", "CORPUS", "--to", "jsn"],
        2,
        "calib: Invalid value for '--to': 'jsn' is not one of 'terminal', 'json' (",
    ),
    (["sweep", "CORPUS", "repeated_plan@39..7"], 2, "upside down"),
    (["sweep", "CORPUS", "repeated_plan@0..7"], 2, "expected a whole number from 1"),
    (["sweep", "CORPUS", "repeated_plan@-3..7"], 2, "expected a whole number from 1"),
    (["sweep", "CORPUS", "repeated_plan@7"], 2, "expected DETECTOR@LO..HI"),
    (["sweep", "CORPUS", "T2", "repeated_plan"], 2, "swept twice"),
    (["sweep", "CORPUS", "T2@1..100000", "T1@1..100000"], 2, "too many"),
    (["sweep", "CORPUS", "--at", "repeated_plan@0"], 2, "expected a whole number from 1"),
    (["sweep", "CORPUS", "--at", "repeated_plan"], 2, "expected DETECTOR@THRESHOLD"),
    (["sweep", "CORPUS", "--at", "loop@7"], 2, "there are"),
    (["sweep", "CORPUS", "--where", "modle = x"], 2, "no column or metadata key named 'modle'; there are model"),
    (["sweep", "CORPUS", "--where", "__import__('os')"], 2, "--where: expected"),
    (["sweep", "CORPUS", "--exclude", "arm"], 2, "expected KEY=VALUE"),
    (["sweep", "CORPUS", "--by", "tsak"], 2, "there are task"),
    (["sweep", "CORPUS", "--where", "task = nowhere"], 5, "no episode matched"),
    (["sweep", "CORPUS", "--to", "yaml"], 2, "yaml"),
    (["sweep", "CORPUS", "--config", "missing.toml"], 2, "missing.toml"),
    (["sweep"], 2, "Missing argument"),
    (["sweeep", "CORPUS"], 2, "sweep"),
    (["duel", "CORPUS", "T3"], 2, "no detector named 'T3'"),
    (["duel", "CORPUS", "T2@0"], 2, "expected a whole number from 1"),
    (["report", "CORPUS", "T2@99999999999"], 2, "from 1 to 2,147,483,647, found '99999999999'"),
    (["duel", "CORPUS", "--where", "task = nowhere"], 5, "no episode matched"),
    (["score", "CORPUS", "-o", "table.xlsx"], 2, ".jsonl, .csv or .parquet"),
    (["score", "CORPUS", "-o", "missing/table.csv"], 2, "folder does not exist"),
    (["score", "CORPUS", "T2@x"], 2, "expected a whole number"),
    (["report", "CORPUS", "--baseline", "missing.json"], 2, "missing.json"),
    (["inspect", "CORPUS"], 2, "expected an EPISODE or --closest, found neither"),
    (["inspect", "CORPUS", "L11"], 2, "no episode named 'L11'; there are L1"),
    (["inspect", "CORPUS", "L1", "--turns", "9..3"], 2, "A not above B"),
    (["detectors", "nope"], 2, "no detector named 'nope'; there are "),
    (["formats", "nope"], 2, "there are"),
    (["schema", "nope"], 2, "there are"),
    (["ingest", "nowhere.jsonl", "--out", "c"], 2, "nowhere.jsonl"),
    (["ingest", "CORPUS", "--out", "c", "--format", "nope"], 2, "no format named 'nope'"),
]


@pytest.mark.parametrize(("words", "code", "said"), CASES, ids=[" ".join(case[0]) for case in CASES])
def test_a_wrong_command_line_is_one_line(calib: Calib, corpus: Path, words: list[str], code: int, said: str) -> None:
    done = calib(*(str(corpus) if word == "CORPUS" else word for word in words))
    assert done.code == code, done.err
    assert said in done.err
    assert done.out == ""
    assert done.err.startswith("calib: ")
    assert done.err.count("\n") == 1


def test_a_dump_of_no_episode_is_accounted_for_and_no_success(calib: Calib, tmp_path: Path) -> None:
    (tmp_path / "dump.jsonl").write_text('{"messages": 3}\n{"messages": [3]}\n')
    done = calib("ingest", "dump.jsonl", "--out", "c")
    assert (done.code, "34 bytes" in done.out or "34 read" in done.out) == (5, True)
    assert done.err.splitlines()[-1] == "calib: c: holds no episode; the account above says what became of every byte"
    again = calib("sweep", "c")
    assert (again.code, "the corpus holds no episode" in again.err) == (5, True)


def test_a_corpus_of_another_schema_version_is_refused(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    shutil.copytree(corpus, tmp_path / "old")
    manifest = json.loads((tmp_path / "old/calib.json").read_text())
    manifest["schema_version"] = 99
    (tmp_path / "old/calib.json").write_text(json.dumps(manifest))
    done = calib("sweep", tmp_path / "old")
    assert (done.code, "schema 99, this calib reads schema 1" in done.err) == (2, True)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"schema_version": 1', "\x00", "[" * 100_000])
def test_a_broken_manifest_is_one_line(calib: Calib, corpus: Path, tmp_path: Path, text: str) -> None:
    shutil.copytree(corpus, tmp_path / "broken")
    (tmp_path / "broken/calib.json").write_text(text)
    done = calib("sweep", tmp_path / "broken")
    assert done.code == 2
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("damage", ["removed", "emptied", "cut", "flipped"])
@pytest.mark.parametrize("table", ["episodes", "turns", "calls", "rejects"])
def test_a_damaged_part_is_refused_by_name(calib: Calib, corpus: Path, tmp_path: Path, table: str, damage: str) -> None:
    shutil.copytree(corpus, tmp_path / "damaged")
    (part,) = (tmp_path / "damaged" / table).iterdir()
    data = part.read_bytes()
    middle = len(data) // 2
    if damage == "removed":
        part.unlink()
    else:
        flipped = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
        part.write_bytes({"emptied": b"", "cut": data[:middle], "flipped": flipped}[damage])
    done = calib("sweep", tmp_path / "damaged")
    assert done.code == 2
    assert part.name in done.err
    assert done.err.count("\n") == 1


def test_files_that_are_not_in_the_manifest_are_not_read(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    shutil.copytree(corpus, tmp_path / "more")
    (part,) = (tmp_path / "more/turns").iterdir()
    shutil.copy(part, part.with_name("stray.parquet"))
    assert calib("sweep", tmp_path / "more", "--to", "json").out == calib("sweep", corpus, "--to", "json").out

"""Labels files of every form, sound and broken."""

import json
import math
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from calib.errors import UsageError
from calib.labels import LabelFile, _file, read_labels

ROWS = [
    {"episode_id": "e1", "outcome": "pass", "note": "a"},
    {"episode_id": "e2", "outcome": "fail", "stop_reason": "max_turns"},
]
CSV = "episode_id,outcome,stop_reason,note\ne1,pass,,a\ne2,fail,max_turns,\n"


def written(folder: Path, data: bytes | str, name: str = "l.csv") -> Path:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def table(folder: Path, columns: dict[str, Any]) -> Path:
    pq.write_table(pa.table(columns), folder / "l.parquet")
    return folder / "l.parquet"


def facts(found: LabelFile) -> list[tuple[Any, ...]]:
    return [
        (row.episode_id or row.source or row.task, row.said.outcome, row.said.stop_reason, row.said.metadata)
        for row in found.rows
    ]


EXPECTED = [("e1", "passed", None, {"note": "a"}), ("e2", "failed", "max_turns", {})]


@pytest.mark.parametrize(
    "text",
    [
        CSV,
        "\ufeff" + CSV,
        CSV.replace("\n", "\r\n"),
        CSV.replace(",", ";"),
        CSV.replace(",", "\t"),
        CSV.replace("\n", "\n\n") + "\n , , , \n",
        json.dumps(ROWS),
        json.dumps(ROWS, indent=1),
        json.dumps({"labels": ROWS}),
        "\n".join(json.dumps(row) for row in ROWS),
        "\ufeff\n" + "\r\n".join(json.dumps(row) for row in ROWS) + "\n\n",
    ],
)
def test_the_same_rows_in_every_text_form(tmp_path: Path, text: str) -> None:
    found = read_labels(written(tmp_path, text, "anything"))
    assert facts(found) == EXPECTED
    assert found.faults == ()


def test_the_same_rows_in_parquet(tmp_path: Path) -> None:
    columns = {name: [row.get(name) for row in ROWS] for name in ("episode_id", "outcome", "stop_reason", "note")}
    assert facts(read_labels(table(tmp_path, columns))) == EXPECTED


def test_values_of_parquet_become_what_json_can_hold(tmp_path: Path) -> None:
    path = table(tmp_path, {"task": [1], "day": [date(2025, 1, 2)], "score": [math.nan], "raw": [b"\xff"], "l": [[1]]})
    assert read_labels(path).rows[0].said.metadata == {"day": "2025-01-02", "raw": "b'\\xff'", "l": [1]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"task": "t", "outcome": "pass"}', [("t", "passed")]),
        ('{"t1": {"outcome": "pass"}, "t2": {"resolved": false}}', [("t1", "passed"), ("t2", "failed")]),
        ('{"t1": true, "t2": "fail", "t3": null}', [("t1", "passed"), ("t2", "failed"), ("t3", "unknown")]),
        ('{"resolved_ids": ["a"], "unresolved_ids": ["b"], "error_ids": ["c"], "total": 3}',
         [("a", "passed"), ("b", "failed")]),
        ('{"no_generation": [], "resolved": ["a"]}', [("a", "passed")]),
    ],
)  # fmt: skip
def test_objects_that_hold_rows(tmp_path: Path, text: str, expected: list[tuple[str, str]]) -> None:
    assert [(row.task, row.said.outcome) for row in read_labels(written(tmp_path, text)).rows] == expected


def test_rows_are_numbered_by_physical_line(tmp_path: Path) -> None:
    text = 'task,outcome,note\n\na,pass,"two\nlines"\nb,perhaps,\n,fail,\n'
    found = read_labels(written(tmp_path, text))
    assert [row.said.where for row in found.rows] == ["l.csv:3", "l.csv:5"]
    assert found.faults == (
        "l.csv:5: outcome: expected pass or fail, found 'perhaps'; kept as metadata",
        "l.csv:6: expected an episode_id, a source or a task, found none; row not used",
    )


def test_rows_of_other_kinds_are_faults(tmp_path: Path) -> None:
    found = read_labels(written(tmp_path, '[{"task": "t"}, 3, null, ["t"], "t"]', "l.json"))
    assert len(found.rows) == 1
    assert [fault.partition(":")[2] for fault in found.faults] == [
        "2: expected a row with named columns, found a number; row not used",
        "3: expected a row with named columns, found null; row not used",
        "4: expected a row with named columns, found a list; row not used",
        "5: expected a row with named columns, found a text; row not used",
    ]


BROKEN = [
    ("", "expected rows with an episode_id, a source or a task, found none"),
    (
        "id,outcome\na,pass\n",
        "l.csv: expected rows with an episode_id, a source or a task, found columns 'id', 'outcome'",
    ),
    (
        "task,outcome\n,pass\n",
        "found none of 1; first: l.csv:2: expected an episode_id, a source or a task, found none",
    ),
    (
        "episode_id,label\na,won\nb,lost\n",
        "expected rows that can be used, found none of 2; first: l.csv:2: label: exp",
    ),
    ("task,outcome\na,pass,x\n", "l.csv:2: expected 2 columns, found 3"),
    ("task,task\na,b\n", "l.csv:1: expected each column once, found 'task' twice"),
    ('task,outcome\na,"pass\n', "l.csv:2: expected CSV, found an open quote or an endless field"),
    ("task,outcome\n" + "x" * 200_000 + ",pass\n", "l.csv:2: expected CSV, found an open quote or an endless field"),
    (b"task\n\xff\n", "l.csv:2: expected CSV, JSON or Parquet, found bytes that are not UTF-8"),
    ("task\na\n".encode("utf-16"), "l.csv:1: expected CSV, JSON or Parquet, found bytes that are not UTF-8"),
    ('{"task": "a", "outcome": "pass"}\n{"task": "b", "out\n', "l.csv:2: expected one JSON object, found something"),
    ("[1, 2", "l.csv:1: expected one JSON object, found something else"),
    ("[" * 100_000, "l.csv:1: expected one JSON object, found something else"),
    ('{"t": "pass", "t": "fail"}', "l.csv: expected each key once, found 't' twice"),
    ('{"task": "a"}\n{"task": "b", "a\\u001b": 1, "a\\u001b": 2}', "l.csv:2: expected each key once, found 'a\\x1b'"),
    (b"PAR1 and no more", "l.csv: expected a Parquet file, found a damaged one"),
]


@pytest.mark.parametrize(("data", "line"), BROKEN, ids=range(len(BROKEN)))
def test_files_that_cannot_be_used(tmp_path: Path, data: str | bytes, line: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_labels(written(tmp_path, data))
    assert line in str(caught.value)
    assert len(str(caught.value)) < 300


def test_what_is_no_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.csv", tmp_path / "a\0b"):
        with pytest.raises(UsageError):
            read_labels(path)


def test_names_are_spelled_out(tmp_path: Path) -> None:
    path = written(tmp_path, "task,label\na,bad\n\nb,passed\n", "l\x1b[2J.csv")
    assert read_labels(path).faults[0].startswith("l\\x1b[2J.csv:2: label: expected one of")


def test_size_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, CSV)
    monkeypatch.setattr(_file, "LARGEST", len(CSV) - 1)
    with pytest.raises(UsageError, match="larger than"):
        read_labels(path)
    monkeypatch.setattr(_file, "LARGEST", len(CSV))
    monkeypatch.setattr(_file, "MOST_ROWS", 1)
    with pytest.raises(UsageError, match="more than 1 rows"):
        read_labels(path)


def test_an_unpacked_parquet_file_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = table(tmp_path, {"task": ["x" * 5000] * 2000})
    assert path.stat().st_size < 100_000
    monkeypatch.setattr(_file, "LARGEST_UNPACKED", 1)
    with pytest.raises(UsageError, match="split it"):
        read_labels(path)


def test_a_row_that_holds_text_to_act_on_says_it_as_text(tmp_path: Path) -> None:
    """Formulas, escapes and line breaks of cells reach no message raw."""
    rows = [{"task": "t", "outcome": "=cmd()\x1b[2J\n::error::", "label": "\u202e"}]
    with pytest.raises(UsageError) as caught:
        read_labels(written(tmp_path, json.dumps(rows), "l.json"))
    assert "found '\\u202e'" in str(caught.value)


@pytest.mark.parametrize(
    ("heading", "line"),
    [
        ("task,outcome", ""),
        ("task,Exit-Status,note", ""),
        ("task,reward,rewards_raw", ""),
        (
            "task,outcme",
            "no column tells how an episode ended, found 'task', 'outcme': is 'outcme' meant as 'outcome'?",
        ),
        ("task,seed", "no column tells how an episode ended, found 'task', 'seed' (docs/labels.md)"),
        ("task,outcome,stop_reson", "'stop_reson' goes into the metadata; is 'stop_reason' meant?"),
        ("task,outcome,exit_code", ""),
    ],
)
def test_columns_that_tell_no_end_or_nearly_do(tmp_path: Path, heading: str, line: str) -> None:
    found = read_labels(written(tmp_path, f"{heading}\nt{',' * heading.count(',')}\n"))
    assert found.oddity.startswith(line)
    assert bool(found.oddity) == bool(line)

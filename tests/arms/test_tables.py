"""Tables of results: which columns mean what, in which forms, and what is refused where."""

import json
from pathlib import Path

import pytest

from calib.arms import Design, Run
from calib.arms.tables import runs_of
from calib.errors import UsageError
from calib.selection import parse_where

DESIGN = Design("Arm", ("History-ID",), "task")
HEAD = "arm,history_id,task,outcome,seconds,tokens,n_turns,fire_turn,fires_again,prefix,episode_id\n"


def test_a_row_of_csv(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(HEAD + "full,h1,argv,pass,1.5,20,3,7,true,p,e1\nnone,h1,,,,,,,,,\n")
    one, two = runs_of(path, DESIGN)
    assert one == Run("full", ("h1",), "e1", True, 1.5, 20.0, 3.0, True, 7, True, "p", "argv")
    assert two == Run("none", ("h1",), "", None, None, None, None, False, None, None, None, None)


def test_a_row_of_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    row = {"Arm": "full", "history id": 3, "task": "t", "resolved": False, "milliseconds": 1500, "output_tokens": 7}
    path.write_text(json.dumps(row) + "\n")
    (one,) = runs_of(path, DESIGN)
    assert one == Run("full", ("3",), "", False, 1.5, 7.0, None, None, None, None, None, "t")


def test_rows_are_selected_by_their_columns(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("arm,run,seconds\na,1,5\na,2,6\nb,2,7\n")
    found = runs_of(path, Design(), [parse_where("run >= 2 and seconds < 7")])
    assert [(run.arm, run.seconds) for run in found] == [("a", 6.0)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("arm,seconds\na,1\n", "t.csv: no column named 'History-ID'; there are"),
        ("arm,history_id,task,seconds\na,h,t,fast\n", "t.csv:2: expected a number as seconds, found 'fast'"),
        ("arm,history_id,task,outcome,passed\na,h,t,pass,false\n", "t.csv:2: outcome says passed, passed says failed"),
        ("arm,history_id,task\na,h\n", "t.csv:2: expected 3 columns, found 2"),
    ],
)
def test_what_cannot_be_read_is_refused_by_row(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(UsageError, match=said):
        runs_of(path, DESIGN)


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no\.csv: expected a table of results, found no file"):
        runs_of(tmp_path / "no.csv", DESIGN)


@pytest.mark.parametrize("cell", ["-1e308", "1e400", "1" + "0" * 400])
@pytest.mark.parametrize("column", ["seconds", "tokens", "milliseconds", "fire_turn"])
def test_an_amount_that_cannot_be_summed_is_refused(tmp_path: Path, column: str, cell: str) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(f'{{"arm": "a", "{column}": {cell}}}\n')
    with pytest.raises(UsageError, match=f"t.jsonl:1: expected a number as {column}, found "):
        runs_of(path, Design())

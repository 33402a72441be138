"""`calib compare`: what it prints, its exit codes, what it refuses."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Calib

PAPER = Path(__file__).parents[2] / "docs" / "paper"
REPLAY = ("compare", "--table", PAPER / "replay.csv", "--pair", "history,engine", "--cluster", "task")
REPEATS = ("compare", "--table", PAPER / "repeats.csv", "--pair", "history,engine", "--baseline", "full")


def test_three_tasks_claim_nothing(calib: Calib) -> None:
    done = calib(*REPLAY)
    assert done.code == 0
    assert "  pair                44      43      0     1  p = 2.3e-13" in done.out
    assert "  task                 3       3      0     0  p = 0.25" in done.out
    assert "task, 3 units: p cannot be below 0.25, whatever happens; at 95 % nothing can" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_a_rule_that_fails_sets_the_exit_code(calib: Calib) -> None:
    done = calib(*REPEATS, "--viable", "passes >= passes(full) - 1")
    assert done.code == 1
    assert done.out.splitlines()[-2].startswith("FAIL keep_first: 29 passes, 44 of full on the same pairs")
    assert calib(*REPEATS, "--viable", "passes(drop_all_copies) >= passes(full) - 9").code == 3
    assert calib(*REPEATS, "--viable", "passes(keep_first) >= passes(full) - 15").code == 0


def test_json_and_markdown(calib: Calib) -> None:
    told = json.loads(calib(*REPLAY, "--to", "json").out)
    assert [level["units"] for level in told["versus"][0]["levels"]] == [44, 20, 3]
    assert told["versus"][0]["levels"][2]["least_p"] == 0.25
    assert "| `task` | 3 | 3 | 0 | 0 | p = 0.25 |" in calib(*REPLAY, "--to", "markdown").out


def test_a_corpus(calib: Calib, corpus: Path) -> None:
    done = calib("compare", corpus, "--by", "label")
    assert done.code == 0
    assert done.out.startswith("compare by label, not paired: ")
    assert "the old arm is the first by name, --baseline NAME makes it another" in " ".join(done.out.split())
    named = calib("compare", corpus, "--by", "label", "--baseline", "passed").out
    assert "--baseline" not in named
    assert "failed against passed" in named


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        ((), "expected CORPUS or --table FILE, found neither", 2),
        (("c", "--table", "t"), "found both", 2),
        (("--table", "t", "--at", "T2@7"), "expected none of --exclude, --at and --reads", 2),
        (("--table", PAPER / "replay.csv", "--by", "amr"), "no column named 'amr'; there are arm", 2),
        (("--table", PAPER / "replay.csv", "--where", "arm = strip"), "expected at least two arms", 5),
        (("--table", PAPER / "replay.csv", "--viable", "passes"), "--viable: expected a rule such as", 2),
    ],
)
def test_what_makes_no_sense_is_refused(calib: Calib, words: tuple[str, ...], said: str, code: int) -> None:
    done = calib("compare", *words)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert done.err.count("\n") == 1


def test_names_of_a_table_are_escaped(calib: Calib, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("arm,run,outcome\n\x1b[31ma,1,pass\nb|c,1,fail\n", encoding="utf-8")
    for to in ("terminal", "markdown", "json"):
        assert "\x1b" not in calib("compare", "--table", "t.csv", "--pair", "run", "--to", to).out

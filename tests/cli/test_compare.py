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
    assert "the old arm is failed, --baseline NAME makes it another" in " ".join(done.out.split())
    named = calib("compare", corpus, "--by", "label", "--baseline", "passed").out
    assert "--baseline" not in named
    assert "failed against passed" in named


def test_the_point_is_named_and_what_nobody_could_see(calib: Calib, corpus: Path) -> None:
    words = ("compare", corpus, "--by", "label", "--at", "T2@7")
    done = calib(*words, "--baseline", "turn_limit")
    assert "\nfired: at repeated_plan@7\nnot observable in 1 of 8 runs of passed\n" in done.out
    told = json.loads(calib(*words, "--to", "json").out)
    assert told["design"]["point"] == "repeated_plan@7"
    assert {arm["name"]: arm["not_observable"] for arm in told["arms"]} == {"failed": 0, "passed": 1, "turn_limit": 0}
    assert "- `fired: at repeated_plan@7`" in calib(*words, "--to", "markdown").out


def test_an_arm_that_the_file_takes_away_is_said_to_be(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "calib.toml").write_text('exclude = ["label=failed"]\n')
    done = calib("compare", corpus, "--by", "label", "--where", "episode_id != P1")
    assert "\n2 excluded by calib.toml: label=failed; --where: episode_id != P1\n" in done.out
    refused = calib("compare", corpus, "--by", "label", "--baseline", "failed")
    assert refused.err == (
        "calib: no arm named 'failed' any more (1 excluded by calib.toml: label=failed); there are passed, turn_limit\n"
    )


def test_means_of_unequal_numbers_of_runs_stand_without_their_sums_and_spreads(calib: Calib, corpus: Path) -> None:
    def turns(where: str) -> str:
        shown = " ".join(calib("compare", corpus, "--by", "label", "--where", where).out.split())
        return shown.partition(" turns, ")[2]

    assert turns("label = passed or label = turn_limit") == "8 and 5 runs: mean 10.4 → 20 (+92.8 %)."
    assert turns("episode_id ~ 2 or episode_id = L1 or episode_id = P6") == (
        "2 and 2 runs: mean 15 → 20 (+33.3 %); single runs of one arm differ by more than that, or as much."
    )
    assert turns("episode_id = L1 or episode_id = P6") == "1 and 1 runs: mean 18 → 20 (+11.1 %)."


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

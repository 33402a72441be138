"""What each command prints and writes, on the pencil corpus."""

import csv
import io
import json
import re
from itertools import groupby
from pathlib import Path

import polars as pl
import pytest

from calib.detectors import names
from calib.measures import COLUMNS
from calib.tables import TABLES
from tests.cli.conftest import Calib

POINT = "repeated_plan@5 | search_run@10"


def test_score_prints_one_json_line_an_episode(calib: Calib, corpus: Path) -> None:
    done = calib("score", corpus, POINT)
    rows = {row["episode_id"]: row for row in map(json.loads, done.out.splitlines())}
    assert list(rows) == sorted(rows)
    assert rows["L5"]["fire_turn"] == 7
    assert rows["L1"]["fired_by"] == POINT.replace("@5", "").replace("@10", "")
    assert list(rows["L5"]) == [
        "episode_id", "label", "n_turns", "fire_turn", "fired_by",
        "repeated_plan_peak", "repeated_plan_fire_turn", "repeated_plan_observable",
        "search_run_peak", "search_run_fire_turn", "search_run_observable",
        "turns_after_fire", "tokens_after_fire", "seconds_after_fire",
    ]  # fmt: skip
    assert done.err == ""


def test_score_says_which_point_it_took(calib: Calib, corpus: Path) -> None:
    done = calib("score", corpus)
    assert done.err == f"point: {POINT}\n"
    assert done.out == calib("score", corpus, POINT).out


def test_score_writes_by_the_ending(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    for name in ("t.jsonl", "t.csv", "t.parquet"):
        assert calib("score", corpus, POINT, "-o", name).code == 0
    frame = pl.read_parquet(tmp_path / "t.parquet")
    assert frame.equals(pl.read_ndjson(tmp_path / "t.jsonl", schema=frame.schema))
    rows = list(csv.DictReader(io.StringIO((tmp_path / "t.csv").read_text())))
    assert [row["episode_id"] for row in rows] == frame["episode_id"].to_list()


def test_sweep_json_has_the_contract(calib: Calib, corpus: Path) -> None:
    found = json.loads(calib("sweep", corpus, "--to", "json").out)
    assert found["schema_version"] == 1
    assert found["counts"] == {
        "turn_limit": 5, "passed": 8, "failed": 1, "censored": 0, "unlabelled": 0, "excluded": 0,
    }  # fmt: skip
    assert found["point"] == {"repeated_plan": 5, "search_run": 10}
    assert found["tally"] == {"caught": 5, "missed": 0, "false_fires": 0, "other_fires": 1}
    assert found["fire_turn"] == {"min": 7, "median": 9, "max": 13}
    assert found["plateaus"]["search_run"].items() >= {"low": 10, "high": 16, "width": 7}.items()
    assert found["support"]["repeated_plan"]["closest_pass"].items() >= {"episode_id": "P3", "peak": 4}.items()


def test_sweep_writes_surface_json_and_plots(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    assert calib("sweep", corpus, "-o", "out").code == 0
    written = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert {"surface.parquet", "sweep.json", "plateau.png", "plateau.svg"} <= set(written)
    frame = pl.read_parquet(tmp_path / "out/surface.parquet")
    assert frame.columns == [
        "repeated_plan", "search_run", "caught", "missed", "false_fires", "other_fires",
        "fire_turn_min", "fire_turn_median", "fire_turn_max", "turns_after_fire",
    ]  # fmt: skip
    assert len(frame) == 16 * 17


def test_sweep_by_group_adds_one_table_each(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    done = calib("sweep", corpus, "--by", "task", "-o", "out")
    assert all(f"task={name}" in done.out for name in "ABC")
    frame = pl.read_parquet(tmp_path / "out/surface.parquet")
    assert frame["group"].unique(maintain_order=True).to_list() == ["", "task=A", "task=B", "task=C"]
    alone = calib("sweep", corpus, "--where", "task = A", "--to", "json")
    groups = json.loads((tmp_path / "out/sweep.json").read_text())["groups"]
    assert [group["group"] for group in groups] == ["task=A", "task=B", "task=C"]
    assert groups[0]["tally"] == json.loads(alone.out)["tally"]


def test_sweep_by_a_key_that_some_lack_says_none(calib: Calib, corpus: Path) -> None:
    done = calib("sweep", corpus, "--by", "arm", "--to", "json")
    assert [group["group"] for group in json.loads(done.out)["groups"]] == ["arm=(none)"]


def test_a_report_says_nothing_of_labels_there_are_none_of(calib: Calib, corpus: Path) -> None:
    """0 of 0 is no count: wrong labels are spoken of only where there are labels."""
    passes = calib("report", corpus, POINT, "--where", "label = passed", "--to", "markdown").out
    assert "1 % of each label were wrong: at most 1 of 8 false fires" in passes
    caught = calib("report", corpus, POINT, "--where", "label = turn_limit", "--to", "markdown").out
    assert "1 % of each label were wrong: at least 5 of 5 caught\n" in caught
    assert " of 0 " not in passes + caught


def test_published_thresholds_are_not_said_to_be_chosen_here(calib: Calib, corpus: Path) -> None:
    said = calib("report", corpus, "--where", "label = turn_limit", "--to", "markdown").out
    assert "the published thresholds" in said
    assert "the thresholds are the published ones, for no episode here chose any" in said
    assert "the point was chosen on the episodes it is judged on" not in said


def test_an_endless_name_is_cut_in_the_message(calib: Calib, corpus: Path) -> None:
    done = calib("report", corpus, "a" * 5000 + "@1")
    assert (done.code, len(done.err) < 400) == (2, True)


def test_a_call_window_that_no_threshold_fits_is_a_wrong_configuration(
    calib: Calib, corpus: Path, tmp_path: Path
) -> None:
    """A guard that cannot fire would pass every limit: a window of two calls never counts three."""
    (tmp_path / "calib.toml").write_text('point = "count(call,window=2)@3"\n[gate]\nmax_false_fires = 0\n')
    done = calib("report", corpus)
    assert (done.code, "count(call,window=2)@3 cannot fire" in done.err) == (2, True)


def test_a_rule_with_bars_and_marks_breaks_no_markdown_table(calib: Calib, corpus: Path) -> None:
    point = "any(run(tool:a*|<b>)@2 | lag(call,1)@3)@1"
    for where in ("label != unlabelled", "label = turn_limit"):
        said = calib("report", corpus, point, "--where", where, "--to", "markdown").out
        lines = [re.sub(r"`[^`]*`", "", line).replace("\\|", "") for line in said.splitlines()]
        assert not any("<b>" in line for line in lines if line.startswith(("|", "- far corner")))
        bars = [[line.count("|") for line in table] for table in _tables(lines)]
        assert len(bars) >= 3
        assert all(len(set(table)) == 1 for table in bars)


def _tables(lines: list[str]) -> list[list[str]]:
    groups = groupby(lines, lambda line: line.startswith("|"))
    return [list(group) for is_table, group in groups if is_table]


def test_levels_of_a_rule_with_a_long_spelling_keep_to_80_columns(calib: Calib, corpus: Path) -> None:
    done = calib("report", corpus, "count(calls+results,window=10,reset=user)@6", "--where", "label = turn_limit")
    assert "highest levels" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_sweep_of_one_detector_has_one_axis(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    assert calib("sweep", corpus, "T2@2..9", "-o", "out").code == 0
    frame = pl.read_parquet(tmp_path / "out/surface.parquet")
    assert frame["repeated_plan"].to_list() == list(range(2, 10))
    assert "search_run" not in frame.columns


def test_sweep_again_changes_no_byte(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    calib("sweep", corpus, "-o", "out")
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    calib("sweep", corpus, "-o", "out")
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before


@pytest.mark.parametrize("taken", ["a file", "a foreign folder"])
def test_sweep_does_not_write_where_something_else_is(calib: Calib, corpus: Path, tmp_path: Path, taken: str) -> None:
    if taken == "a file":
        (tmp_path / "out").write_text("mine")
    else:
        (tmp_path / "out").mkdir()
        (tmp_path / "out/thesis.tex").write_text("mine")
    done = calib("sweep", corpus, "-o", "out")
    assert done.code == 2
    assert "name" in done.err
    assert not (tmp_path / "out/sweep.json").exists()


def test_report_without_limits_gates_nothing(calib: Calib, corpus: Path) -> None:
    done = calib("report", corpus)
    assert done.code == 0
    assert done.out.splitlines()[-1].startswith("verdict: nothing gated (calib report --init writes ")


def test_report_init_keeps_what_another_configuration_selects(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.calib]\nwhere = ["n_turns > 3"]\nexclude = ["episode_id=P1"]\n[tool.calib.tools]\nreads = ["grep"]\n'
    )
    assert calib("report", corpus, "--init", "--exclude", "episode_id=P2").code == 0
    text = (tmp_path / "calib.toml").read_text()
    assert 'where = ["n_turns > 3"]' in text
    assert 'exclude = ["episode_id=P1", "episode_id=P2"]' in text
    assert 'reads = ["grep"]' in text


def test_report_init_writes_what_report_then_passes(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    assert calib("report", corpus, "--init").code == 0
    text = (tmp_path / "calib.toml").read_text()
    assert POINT in text
    again = calib("report", corpus, "--init")
    assert (again.code, "exists already" in again.err) == (2, True)
    done = calib("report", corpus)
    assert done.code in (0, 3)
    assert (tmp_path / "calib.toml").read_text() == text


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        ("max_false_fires = 1\nmin_caught = 5", 0),
        ("max_false_fires = 0", 3),  # one passed episode could not be observed
        ("min_caught = 6", 1),
        ("min_plateau_width = 6", 1),
        ("max_false_fire_rate = 0.01", 3),
        ("min_passed = 100", 3),
        ("min_passed = 100\nmin_caught = 6", 1),
    ],
)
def test_the_verdict_is_the_exit_code_and_the_last_line(
    calib: Calib, corpus: Path, tmp_path: Path, limits: str, code: int
) -> None:
    (tmp_path / "calib.toml").write_text(f"[gate]\n{limits}\n")
    done = calib("report", corpus)
    assert done.code == code
    word = {0: "PASS", 1: "FAIL", 3: "INCONCLUSIVE"}[code]
    assert word in done.out.splitlines()[-1]
    assert json.loads(calib("report", corpus, "--to", "json").out)["exit_code"] == code


def test_a_point_is_compared_with_points_of_its_own_detectors(calib: Calib, corpus: Path) -> None:
    found = json.loads(calib("report", corpus, "T2@5", "--to", "json").out)
    assert list(found["tops"]) == ["repeated_plan"]
    rows = {row["name"]: row["spelling"] for row in found["operating_points"]}
    assert (rows["closest_pass"], rows["given"]) == ("repeated_plan@5", "repeated_plan@5")


@pytest.mark.parametrize(
    ("point", "code", "said"),
    [
        ("run(tool:nobody_calls_this)@1", 3, "INCONCLUSIVE can_fire.run(tool:nobody_calls_this) 1: "),
        ("T2@5 | hermes_web_search_cap@1", 3, "INCONCLUSIVE can_fire.hermes_web_search_cap 1: "),
        ("T2@19 | T1@19", 3, "INCONCLUSIVE min_caught 1: 0 of 5 turn_limit episodes"),
        ("T2@5 | T1@10", 0, "PASS max_false_fires 1"),
    ],
)
def test_a_guard_that_was_never_seen_to_work_passes_no_gate(
    calib: Calib, corpus: Path, tmp_path: Path, point: str, code: int, said: str
) -> None:
    (tmp_path / "calib.toml").write_text("[gate]\nmax_false_fires = 1\n")
    done = calib("report", corpus, point)
    assert (done.code, said in " ".join(done.out.split())) == (code, True)


def test_report_against_itself_moved_nothing_and_against_another_point_something(
    calib: Calib, corpus: Path, tmp_path: Path
) -> None:
    (tmp_path / "base.json").write_text(calib("report", corpus, "--to", "json").out)
    same = calib("report", corpus, "--baseline", "base.json", "--to", "json")
    other = calib("report", corpus, "T2@9 | T1@16", "--baseline", "base.json", "--to", "json")
    assert len(json.loads(same.out)["moved"]["lines"]) == 1
    assert any("L5" in line for line in json.loads(other.out)["moved"]["lines"])


def test_report_adds_to_the_step_summary(
    calib: Calib, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "summary.md").write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    calib("report", corpus, "--github")
    text = (tmp_path / "summary.md").read_text()
    assert text.startswith("before\n")
    assert "5/5 caught" in text


def test_inspect_marks_the_fire_turn(calib: Calib, corpus: Path) -> None:
    done = calib("inspect", corpus, "L5", "--at", POINT)
    assert "turn_limit, 20 turns" in done.out
    assert "* turn 7 fires: repeated_plan" in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    rows = json.loads(calib("inspect", corpus, "L5", "--to", "json").out)["rows"]
    assert rows[0]["first"] == 0
    assert rows[-1]["last"] == 19
    assert [row["first"] for row in rows[1:]] == [row["last"] + 1 for row in rows[:-1]]


def test_inspect_closest_walks_the_support_episodes(calib: Calib, corpus: Path) -> None:
    done = calib("inspect", corpus, "--closest", "--to", "markdown")
    headings = [line for line in done.out.splitlines() if line.startswith("### ")]
    assert headings == ["### `P3`", "### `L2`", "### `P2`", "### `L3`"]


def test_lists_name_what_there_is(calib: Calib) -> None:
    assert calib("detectors").out.startswith("repeated_plan@7  Repeated plan")
    assert "episode_lines" in calib("formats").out
    lists = [*calib("detectors").out.splitlines(), *calib("formats").out.splitlines()]
    assert max(map(len, lists)) <= 80
    for name in names():
        wide = [line for line in calib("detectors", name).out.splitlines() if len(line) > 80]
        assert not [line for line in wide if len(line.split()[-1]) < 60]  # a rule is not broken
    assert "\nBlind spots\n    " in calib("detectors", "T1").out
    assert calib("schema", "turns").out.startswith("# turns")


def test_on_a_terminal_the_columns_of_a_table_stand_below_each_other(
    calib: Calib, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = calib("schema").out
    monkeypatch.setattr("calib.cli.catalogue.on_terminal", lambda: True)
    shown = calib("schema").out
    assert max(map(len, shown.splitlines())) <= 80 < max(map(len, plain.splitlines()))
    told = {line.split()[0] for line in shown.splitlines() if line.startswith("  ") and line[2] != " "}
    assert {column for table in TABLES for column in table.names()} <= told


def test_a_duel_of_all_detectors_says_which_are_seen_to_fire(calib: Calib, corpus: Path) -> None:
    done = calib("duel", corpus)
    assert done.code == 0
    assert f"{len(names())} rules on 14 episodes: 5 turn_limit, 8 passed, 1 failed" in done.out
    assert max(map(len, done.out.split("\n"))) <= 80
    found = json.loads(calib("duel", corpus, "--to", "json").out)
    assert sorted(rule["rule"] for rule in found["rules"]) == sorted(names())


def test_points_meet_as_they_are_given(calib: Calib, corpus: Path) -> None:
    found = json.loads(calib("duel", corpus, "T2", "T2@4 | T1@9", "lag(calls,1)@3", "--to", "json").out)
    named = {rule["rule"]: rule["published"]["point"] for rule in found["rules"]}
    assert named == {
        "repeated_plan": {"repeated_plan": 7},
        "repeated_plan@4 | search_run@9": {"repeated_plan": 4, "search_run": 9},
        "lag(calls,1)@3": {"lag(calls,1)": 3},
    }
    assert calib("duel", corpus, "T2", "--to", "markdown").out.startswith("**1 rule on 14 episodes")


def test_a_duel_is_written_as_a_folder(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    assert calib("duel", corpus, "T2", "T1@4", "-o", "out").code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "duel.json",
        "duel.png",
        "duel.svg",
        "duel.txt",
    ]


def test_measures_are_a_row_for_each_turn_with_reasoning(calib: Calib, corpus: Path, tmp_path: Path) -> None:
    assert calib("score", corpus, POINT, "--where", "task = A", "--measures", "m.parquet").code == 0
    found = pl.read_parquet(tmp_path / "m.parquet")
    assert found.columns == ["episode_id", "turn", *COLUMNS]
    assert set(found["episode_id"]) == {"L1", "L2", "P1", "P2", "F1"}
    row = found.row(by_predicate=(pl.col("episode_id") == "L1") & (pl.col("turn") == 4), named=True)
    assert row["distinct_1"] == 1000  # "Repeat the plan of L1."
    assert row["rep_2"] == 0

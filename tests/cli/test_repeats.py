"""Copies of one run under other names: what the commands say of them."""

import json
from pathlib import Path

from calib import stats
from tests.cli.conftest import Calib
from tests.corpus import Episode, ingested


def test_reports_duels_and_plans_say_so(calib: Calib, tmp_path: Path) -> None:
    copies = [
        Episode(f"copy-{at}", "passed", ["a", "b", "c"], [["read_file"], ["write_file"], ["ls"]]) for at in range(30)
    ]
    loop = Episode("loop", "turn_limit", ["again"] * 12, [["write_file"]] * 12, turn_limit=12)
    ingested([*copies, loop], tmp_path / "new")
    said = " ".join(calib("report", "new/corpus").out.split())
    assert (
        "only 1 of 30 passed episodes differ in lengths, calls and repetitions, the others look like copies under"
        in said
    )
    assert "0 of 30 passed episodes (1 different)" in said
    duel = json.loads(calib("duel", "new/corpus", "T2", "--to", "json").out)
    assert duel["rules"][0]["closest_pass"]["at_most"] == stats.upper(0, 1, 1 - 0.95)
    plan = calib("plan", "new/corpus", "T2@9", "--limit", "0.01")
    assert "298 more passed episodes" in " ".join(plan.out.split())
    assert "warning: only 1 of 30 passed" in plan.err


def test_a_duel_at_given_thresholds_says_so(calib: Calib, corpus: Path) -> None:
    given = calib("duel", corpus, "T2@5").out
    assert "at the thresholds given, which count as chosen on these episodes (in sample)" in " ".join(given.split())
    for published in ("T2", "T2@7"):
        assert "at the published thresholds, fixed before these episodes" in calib("duel", corpus, published).out

"""A gate that passes, one that fails, one with too little data: the whole report of each, as accepted."""

import json
import os
from pathlib import Path

import pytest

from tests import golden
from tests.cli.conftest import Calib

GATES = {
    "pass": ("max_false_fires = 1\nmin_caught = 5\nmin_plateau_width = 4\n", 0),
    "fail": ("min_caught = 6\nmax_false_fire_rate = 0.5\n", 1),
    "inconclusive": ("max_false_fire_rate = 0.01\nmin_caught_rate = 0.9\nmin_passed = 100\n", 3),
}


@pytest.mark.parametrize("name", GATES)
def test_the_whole_report_is_as_accepted(calib: Calib, corpus: Path, tmp_path: Path, name: str) -> None:
    limits, code = GATES[name]
    (tmp_path / "calib.toml").write_text(f"[gate]\n{limits}")
    done = calib("report", corpus)
    assert done.code == code
    assert done.out.splitlines()[-1].startswith(f"verdict: {name.upper()}")
    golden.check(f"gate-{name}.txt", done.out)


def test_a_limit_on_a_detector_that_the_point_asked_for_lacks_is_not_judged(calib: Calib, corpus: Path) -> None:
    assert calib("report", corpus, "--init").code == 0
    assert "min_plateau_width = { repeated_plan = " in Path("calib.toml").read_text()
    done = calib("report", corpus, "T2@6")
    assert (done.code, done.err) == (1, "")  # only it is judged, and catches fewer than min_caught
    assert "min_plateau_width.repeated_plan" in done.out
    told = "gate.min_plateau_width.search_run is not judged: the point asked for has no search_run"
    assert told in " ".join(done.out.split())
    assert told in json.loads(calib("report", corpus, "T2@6", "--to", "json").out)["notes"]


def test_a_limit_on_a_detector_that_the_point_of_the_file_lacks_is_refused(calib: Calib, corpus: Path) -> None:
    Path("calib.toml").write_text('point = "T2@6"\n[gate]\nmin_plateau_width = { search_run = 9 }\n')
    done = calib("report", corpus)
    assert (done.code, done.err) == (
        2,
        "calib: gate.min_plateau_width: expected detectors of the point repeated_plan@6, found search_run; "
        "leave it out, or add it to the point\n",
    )
    assert calib("report", corpus, "--config", os.devnull).out.splitlines()[-1].startswith("verdict: nothing gated")


def test_the_help_says_whose_point_counts(calib: Calib) -> None:
    helps = {
        "sweep": "Default: closest pass, not the point of calib.toml.",
        "inspect": "Default: that of calib.toml, else closest pass.",
        "compare": "Default: that of calib.toml, else published.",
        **dict.fromkeys(("report", "score", "plan"), "default: that of calib.toml, else closest pass."),
    }
    shown = {name: " ".join(calib(name, "--help").out.split()) for name in helps}
    assert [name for name, said in helps.items() if said not in shown[name]] == []

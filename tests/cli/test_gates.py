"""A gate that passes, one that fails, one with too little data: the whole report of each, as accepted."""

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

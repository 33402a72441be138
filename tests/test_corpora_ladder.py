"""The reports of two open benchmarks: what they can say, and the much larger part that they cannot."""

from pathlib import Path

import pytest

from calib.ingest import ingest
from tests.cli.conftest import Calib, calib  # noqa: F401 - a fixture

ROOT = Path(__file__).parent.parent
CORPORA = next((path for path in (ROOT.parent / "shared/corpora", ROOT / "../shared/corpora") if path.is_dir()), None)
pytestmark = pytest.mark.skipif(CORPORA is None, reason="the open corpora are not at hand (../shared/corpora)")

SAID = {
    "intercode": (
        # a turn limit of 10: one detector can fire only when it is too late, the other not at all
        "repeated_plan@9 can fire only at the last turn of 10, too late to save anything",
        "search_run@11 cannot fire: a turn limit of 10 allows level 10",
        "0 of 92 turn_limit episodes (74 not observable: between 0 and 74): 95 % interval 0–88.0 %",
        "0 of 107 passed episodes: at most 4.36 %",
        "of 107 passed episodes 3 could have fired, none by search_run",
        "how far to trust this: rung 2 of 5, other groups; next: held out",
        "leaving one task out: 0 of 92 caught, 1 of 107 false fires (in sample 0 of 107)",
        "saves no turn, so it does not pay",
        "does not beat plain turn count",
    ),
    "tau2_bench": (
        # no reasoning recorded, and nothing ran out of turns
        "repeated_plan@7: not observable",
        "how far to trust this: rung 0 of 5, in sample; next: exact bounds",
        "needs turn_limit episodes",
        "0 of 20 passed episodes (7 not observable: between 0 and 7): at most 69.4 %",
        "no passed episode that every detector could observe: nothing chooses thresholds",
        "of 20 passed episodes 0 were at risk for the point (13 too short, 7 not observable): 0 fired",
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_the_report_is_sober(calib: Calib, tmp_path: Path, name: str) -> None:  # noqa: F811
    ingest([(CORPORA or ROOT) / name], tmp_path / "corpus", text=False)
    done = calib("report", tmp_path / "corpus")
    text = " ".join(done.out.split())
    assert [said for said in SAID[name] if said not in text] == []
    assert done.code == 0


def test_a_gate_on_a_trigger_that_cannot_fire_is_no_gate(calib: Calib, tmp_path: Path) -> None:  # noqa: F811
    ingest([(CORPORA or ROOT) / "intercode"], tmp_path / "corpus", text=False)
    (tmp_path / "calib.toml").write_text("[gate]\nmax_false_fires = 0\n")
    done = calib("report", tmp_path / "corpus")
    assert done.code == 2
    assert "gate: search_run@11 cannot fire: a turn limit of 10 allows level 10; lower it, or leave" in done.err

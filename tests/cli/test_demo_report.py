"""The demo's report as accepted, in each form, and the sentences that must be in it."""

import json
from pathlib import Path

import pytest

from calib.cli import run
from calib.demo import write_demo
from calib.ingest import ingest
from tests import golden
from tests.cli.conftest import Calib

ENDINGS = {"terminal": "txt", "markdown": "md", "json": "json"}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo ingested, its point chosen and written down."""
    here = tmp_path_factory.mktemp("demo")
    ingest([write_demo(here)], here / "corpus", text=False)
    chosen = ["--exclude", "arm=always-strip", "--init", "--config", str(here / "calib.toml")]
    assert run(["report", str(here / "corpus"), *chosen]) == 0
    return here


@pytest.mark.parametrize("form", ENDINGS)
def test_the_whole_report_is_as_accepted(calib: Calib, demo: Path, form: str) -> None:
    done = calib("report", demo / "corpus", "--config", demo / "calib.toml", "--to", form)
    assert done.code == 0
    golden.check(f"demo-report.{ENDINGS[form]}", done.out)


def test_the_sentences_that_a_reader_must_not_miss(calib: Calib, demo: Path) -> None:
    text = " ".join(calib("report", demo / "corpus", "--config", demo / "calib.toml").out.split())
    for said in (
        "0 of 635 passed episodes: at most 0.745 % (95 %, point chosen on these episodes; 0.471 % had it been",
        "by task: 0 of 15 tasks with a passed episode: at most 28.0 % of other tasks",
        "how far to trust this: rung 2 of 5, other groups; next: held out",
        "the point was chosen on the episodes it is judged on, so it looks better than it is",
        "of 635 passed episodes 605 could have fired, only 25 by search_run",
        "leaving one task out: 30 of 30 caught, 2 of 635 false fires (in sample 0 of 635)",
        "one label decides: were 27b-fp8-lossy-refund-001, 27b-nvfp4-argv-001 or 27b-screen-nvfp4-argv-001 passed, "
        "the plateau of repeated_plan would be closed",
    ):
        assert said in text


def test_fixed_before_the_same_counts_are_less_uncertain(calib: Calib, demo: Path, tmp_path: Path) -> None:
    """The same episodes, had the point been fixed without them: as a configuration from elsewhere claims."""
    (tmp_path / "calib.toml").write_text(
        'point = "repeated_plan@7 | search_run@35"\nchosen = "before"\nexclude = ["arm=always-strip"]\n'
    )
    done = calib("report", demo / "corpus")
    text = " ".join(done.out.split())
    assert "0 of 635 passed episodes: at most 0.471 % (95 %)" in text
    assert "0.745 %" not in text
    assert "(in sample)" not in text


def test_the_json_has_every_name_of_the_contract(calib: Calib, demo: Path) -> None:
    found = json.loads(calib("report", demo / "corpus", "--config", demo / "calib.toml", "--to", "json").out)
    statistics = found["statistics"]
    assert set(statistics) >= {
        "confidence", "unit", "chosen", "partition", "at_risk_turns", "at_risk_upper", "reachability", "caught",
        "false_fires", "other_fires", "guarantee", "horizon", "leave_one_out", "transfer", "resampling", "influence",
        "label_path", "closing_labels", "label_noise", "cost", "baselines", "paired_with_turn_count", "contribution",
        "gate", "plan", "why",
    }  # fmt: skip
    assert all(statistics[name] is not None or name in statistics["why"] for name in statistics)
    assert [rung["name"] for rung in found["ladder"]["rungs"]] == [
        "in sample", "exact bounds", "other groups", "held out", "guarantee", "later data",
    ]  # fmt: skip
    assert (found["ladder"]["rung"], found["ladder"]["needs"][:18]) == (2, "episodes that did ")

"""docs/statistics.md: its figures are the computed ones, its names those of the code."""

import re
from pathlib import Path

import pytest

from calib import stats
from calib.config import Limits
from calib.ladder import climb
from calib.spelling import at_most, count, p_value
from calib.stats.drift import exceedances
from tests.sweeps import NOTHING, known_of, pencil, sweep_of

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "statistics.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("fired", "n"), [(0, 635), (0, 235), (0, 72), (1, 635)])
def test_bounds(fired: int, n: int) -> None:
    before, here = stats.upper(fired, n, 0.05), stats.adjusted_upper(fired, n, 2, 0.05)
    assert f"| {fired} of {n} | at most {at_most(before)} | at most {at_most(here)} |\n" in PAGE


@pytest.mark.parametrize("n", [635, 100, 6])
def test_guarantee(n: int) -> None:
    each = stats.marginal(n, 2), stats.conditional_upper(n, 2, 0.05), stats.at_least_one(n, 2, 100)
    assert f"| {n} | {' | '.join(map(at_most, each))} |\n" in PAGE


@pytest.mark.parametrize(("text", "limit"), [("5 %", 0.05), ("1 %", 0.01), ("0.5 %", 0.005), ("0.1 %", 0.001)])
def test_episodes_needed(text: str, limit: float) -> None:
    needed = [stats.further_silent(0, 0, limit, 0.05, detectors) or 0 for detectors in (1, 2)]
    assert f"| {text} | {count(needed[0])} | {count(needed[1])} |\n" in PAGE


def test_single_figures() -> None:
    assert f"2 of 48 after 635 is p = {p_value(exceedances(2, 48, 635))}" in PAGE
    assert f"0 in 19 turns is at most {1000 * stats.turn_rate_upper(0, 19, 0.05):.0f} per 1,000" in PAGE
    assert stats.largest_budget(635, 0.01, 2, 0.05) == 0  # every point without a false fire, and no other
    assert f"at most {at_most(stats.adjusted_upper(0, 635, 2, 0.05))}*. It says how many good runs" in PAGE
    assert f"1 in\n{int(1 / stats.adjusted_upper(0, 635, 2, 0.05))} here" in PAGE
    assert f"{stats.further_silent(0, 235, 0.01, 0.05)} more passed\nepisodes, none of them firing" in PAGE


def test_names() -> None:
    for limit in vars(Limits()):
        assert f"`{limit}`" in PAGE or limit == "max_rejected"
    found = sweep_of(pencil())
    rungs = climb(found, known_of(found), NOTHING, None).rungs
    rows = re.findall(r"^\| (\d) ([a-z ]+) \|", PAGE, re.MULTILINE)
    assert rows == [(str(at), rung.name) for at, rung in enumerate(rungs)]


def test_links() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", PAGE):
        assert (ROOT / "docs" / target).exists()

"""Peaks above every calibration peak: the worked figures, and enumeration."""

from itertools import combinations
from math import comb

import pytest

from calib.stats.drift import exceedances


@pytest.mark.parametrize(
    ("above", "later", "p"),
    [(1, 48, "0.070"), (2, 48, "0.0048"), (1, 6, "0.0094"), (2, 6, "7.3e-05"), (1, 36, "0.054"), (3, 100, "0.0025"),
     (5, 635, "0.031"), (0, 48, "1")],
)  # fmt: skip
def test_worked_figures(above: int, later: int, p: str) -> None:
    found = exceedances(above, later, 635)
    assert float(f"{found:.2g}") == float(p)


@pytest.mark.parametrize(("above", "later", "calibrated"), [(1, 3, 4), (2, 3, 4), (3, 3, 2), (2, 2, 5)])
def test_ranks_enumerated(above: int, later: int, calibrated: int) -> None:
    everyone = range(later + calibrated)
    draws = [sum(place > max(set(everyone) - set(new)) for place in new) for new in combinations(everyone, later)]
    chance = sum(higher >= above for higher in draws) / comb(later + calibrated, later)
    assert exceedances(above, later, calibrated) == pytest.approx(chance)

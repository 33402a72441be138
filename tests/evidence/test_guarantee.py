"""The guarantee of a point by unit: pencil figures, when it is void, and what lies ahead."""

import numpy as np
import pytest

from calib.evidence.guarantee import guarantees, horizon, void
from calib.evidence.rates import rate
from calib.evidence.sample import Sample
from calib.selection import group_codes
from calib.statistics import Rates
from tests.sweeps import DETECTORS, Drawn, pencil, scored

ALPHA = 0.05


def test_pencil_by_episode_and_task() -> None:
    corpus = scored(pencil())
    tasks = group_codes(corpus.episodes, "task")[1].to_numpy()
    found = guarantees(Sample.of(corpus, DETECTORS), {"episode": None, "task": tasks}, ALPHA)
    shown = {unit: (one.n, f"{one.marginal:.1%}", f"{one.conditional_upper:.1%}") for unit, one in found.items()}
    assert shown == {"episode": (7, "25.0%", "52.1%"), "task": (3, "50.0%", "86.5%")}
    assert (found["episode"].M, found["episode"].budgets) == (2, {"repeated_plan": 0, "search_run": 0})


@pytest.mark.parametrize(
    ("thresholds", "before", "said"),
    [
        ((5, 10), False, ""),
        ((9, 16), False, ""),  # raising a threshold keeps it
        ((4, 10), False, "a threshold lies below"),
        ((5, 10), True, "fixed before"),
    ],
)
def test_when_it_is_void(thresholds: tuple[int, int], before: bool, said: str) -> None:
    reason = void(Sample.of(scored(pencil()), DETECTORS), np.array(thresholds), before)
    assert said in reason
    assert bool(reason) == bool(said)


def test_nothing_passed_that_could_be_observed() -> None:
    sample = Sample.of(scored([Drawn("a", "passed", 9, (None, (0, 3)))]), DETECTORS)
    assert "chooses nothing" in void(sample, np.array([7, 35]), before=False)


def rates_of(fired: int, n: int, triggers: int | None) -> Rates:
    none = rate(0, 0, 0, ALPHA)
    return Rates(none, rate(fired, 0, n, ALPHA, triggers=triggers), none)


def test_ahead_of_the_note() -> None:
    rows = [Drawn(f"e{at:03}", "passed", 64, ((1, at % 7), (0, at % 35))) for at in range(635)]
    promised = guarantees(Sample.of(scored(rows), DETECTORS), {"episode": None}, ALPHA)["episode"]
    found = horizon("episode", rates_of(0, 635, 2), promised)
    assert found is not None
    assert {one.units: f"{one.at_least_one:.1%}" for one in found.ahead}[100] == "25.4%"
    assert {one.units: f"{one.at_least_one:.1%}" for one in found.ahead}[1000] == "84.9%"
    assert int(found.units_to_a_false_fire or 0) == 134


def test_ahead_of_a_point_fixed_before() -> None:
    found = horizon("episode", rates_of(0, 635, None), None)
    assert found is not None
    bound = 0.05 ** (1 / 635)
    assert found.basis == "bound"
    assert found.ahead[0].at_least_one == pytest.approx(1 - bound**100)
    assert found.units_to_a_false_fire == pytest.approx(1 / (1 - bound))
    assert horizon("episode", rates_of(0, 0, None), None) is None

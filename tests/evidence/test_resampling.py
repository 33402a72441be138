"""Groups drawn again: the pencil corpus by hand, small random corpora against every draw there is."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings

from calib.evidence.resampling import resampling
from calib.evidence.sample import Groups, Sample
from calib.statistics import Percentiles, Resampling
from tests.evidence import slow
from tests.sweeps import DETECTORS, Drawn, pencil, scored


def by_task(drawn: list[Drawn]) -> Resampling | None:
    corpus = scored(drawn)
    return resampling(Sample.of(corpus, DETECTORS), Groups.of(corpus, "task"))


def test_pencil() -> None:
    found = by_task(pencil())
    assert found is not None
    assert found.groups == 3
    assert found.percentiles == {"repeated_plan": Percentiles(4, 5, 5), "search_run": Percentiles(8, 10, 10)}
    assert found.probability_unchanged == float(Fraction(4, 9))


def test_a_threshold_of_one_group_stays_with_63_percent() -> None:
    rows = [Drawn(f"e{at:03}", "passed", 9, ((1, int(at == 0)), (0, 0)), f"t{at:03}") for at in range(500)]
    found = by_task(rows)
    assert found is not None
    assert found.probability_unchanged == pytest.approx(1 - (1 - 1 / 500) ** 500)
    assert f"{found.probability_unchanged:.2f}" == "0.63"


def test_many_groups_are_not_drawn_exactly_and_come_to_the_same() -> None:
    rows = [Drawn(f"e{at:04}", "passed", 9, ((1, at % 7), (0, int(at < 2))), f"t{at:04}") for at in range(1_400)]
    found = by_task(rows)
    assert found is not None
    assert found.percentiles == {"repeated_plan": Percentiles(7, 7, 7), "search_run": Percentiles(1, 2, 2)}
    both = 1 - (1 - 2 / 1_400) ** 1_400  # the 200 owners of the other threshold are never all missed
    assert found.probability_unchanged == pytest.approx(both)


def test_one_task_is_nothing_to_draw_from() -> None:
    assert by_task([one for one in pencil() if one.task == "A"]) is None


def test_a_closest_pass_of_a_task_that_some_detector_never_saw() -> None:
    rows = [
        Drawn("a", "passed", 9, ((1, 2), (0, 3)), "A"),
        Drawn("b", "passed", 9, ((1, 1), (0, 2)), "B"),
        Drawn("c", "passed", 9, (None, (0, 7)), "C"),
    ]
    found = by_task(rows)
    assert found is not None
    assert (found.groups, found.probability_unchanged) == (2, None)


@settings(max_examples=150, deadline=None)
@given(slow.rows())
def test_agrees_with_every_draw(drawn: list[slow.Row]) -> None:
    corpus = slow.corpus(drawn)
    found = resampling(Sample.of(corpus, DETECTORS), Groups.of(corpus, "task"))
    draws = Counter(slow.draws(drawn))
    total = draws.total()
    if found is None:
        assert total <= 1
        return
    assert total == found.groups**found.groups
    for place, name in enumerate(DETECTORS):
        for quantile, given_one in zip((0.05, 0.5, 0.95), vars(found.percentiles[name]).values(), strict=True):
            below = {x: sum(n for draw, n in draws.items() if draw[place] <= x) / total for x in range(1, 8)}
            assert given_one == min(x for x, share in below.items() if share >= quantile)
    rule = slow.choose(drawn)
    assert rule is not None
    if found.probability_unchanged is None:
        assert draws[rule] == 0
    else:
        assert found.probability_unchanged == pytest.approx(draws[rule] / total)

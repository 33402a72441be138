"""Bands of costs: the pencil corpus by hand, random surfaces against trying every cost."""

from fractions import Fraction

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.frontier import cost_bands
from calib.results import CostBand
from tests.sweeps import pencil, sweep_of


def band(
    low: tuple[int, int], high: tuple[int, int] | None, point: tuple[int, int], fires: int, turns: int
) -> CostBand:
    return CostBand(low, high, dict(zip(("repeated_plan", "search_run"), point, strict=True)), fires, turns)


def test_pencil() -> None:
    assert sweep_of(pencil()).cost_bands == (
        band((0, 1), (2, 1), (1, 1), 8, 81),
        band((2, 1), (9, 2), (1, 2), 7, 79),
        band((9, 2), (5, 1), (1, 7), 5, 70),
        band((5, 1), None, (5, 10), 0, 45),
    )


def test_nothing_to_weigh() -> None:
    for label in ("passed", "turn_limit"):
        assert sweep_of([one for one in pencil() if one.label != label]).cost_bands == ()


rows = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9)), min_size=1, max_size=9)
costs = [Fraction(a, b) for a in range(20) for b in (1, 2, 3, 4, 5, 7)]


@settings(max_examples=150, deadline=None)
@given(rows)
def test_agrees_with_trying_every_cost(points: list[tuple[int, int]]) -> None:
    frame = pl.DataFrame(
        {
            "k": range(1, len(points) + 1),
            "false_fires": [fires for fires, _ in points],
            "turns_after_fire": [turns for _, turns in points],
        }
    )
    bands = cost_bands(frame, ["k"])
    assert [one.low for one in bands[1:]] == [one.high for one in bands[:-1]]
    assert (bands[0].low, bands[-1].high) == ((0, 1), None)
    for cost in costs:
        worth = [(turns - cost * fires, -fires, -at) for at, (fires, turns) in enumerate(points, 1)]
        best = -max(worth)[2]
        (inside,) = [
            one for one in bands
            if Fraction(*one.low) <= cost and (one.high is None or cost < Fraction(*one.high))
        ]  # fmt: skip
        assert inside.point == {"k": best}

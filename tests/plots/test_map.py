"""The map as values: which pairs are listed, and which belong to the plateau."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from calib.plots import _map
from tests.sweeps import note, pencil, sweep_of

PENCIL = sweep_of(pencil())


def shown() -> _map.Values:
    found = _map.values(PENCIL)
    assert found is not None
    return found


def at(values: _map.Values, first: int, second: int) -> tuple[int, int]:
    """Find the cell of a pair of thresholds."""
    return int(np.searchsorted(values.x, first)) - 1, int(np.searchsorted(values.y, second)) - 1


def test_every_pair_of_thresholds_has_its_counts() -> None:
    values = shown()
    for first, second, caught, false in PENCIL.surface.select(
        "repeated_plan", "search_run", "caught", "false_fires"
    ).iter_rows():
        cell = at(values, first, second)
        assert (values.caught[cell], values.false_fires[cell]) == (caught, false)


def test_equal_counts_elsewhere_are_not_the_plateau() -> None:
    same = np.array([[True, False, True], [True, False, True]])
    assert _map._region(same, (0, 0)).tolist() == [[True, False, False], [True, False, False]]
    assert not _map._region(same, (-1, 0)).any()


def test_a_surface_that_lists_only_changes_draws_the_same() -> None:
    kept = pl.col("repeated_plan").is_in([p + 1 for p in (0, 1, 2, 3, 4, 5, 6, 9, 12, 15)])
    sparse = _map.values(replace(PENCIL, surface=PENCIL.surface.filter(kept)))
    assert sparse is not None
    for first in range(1, 17):
        assert sparse.caught[at(sparse, first, 10)] == shown().caught[at(shown(), first, 10)]


@pytest.mark.parametrize("cells", [10, 400])
def test_a_long_axis_is_thinned_but_not_at_the_plateau(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_map, "MOST_CELLS", cells)
    values = _map.values(sweep_of(note()))
    assert values is not None
    assert {6.5, 39.5} <= set(values.x)
    assert {34.5, 53.5} <= set(values.y)
    assert len(values.x) <= cells + 8

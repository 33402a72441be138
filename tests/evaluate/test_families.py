"""Counting over whole numbers, by comparing and by sorting, against counting one row at a time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.evaluate import _families as families

ROWS = st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 1), st.sampled_from([False] * 6 + [True])), max_size=60)


def literal(rows: list[tuple[int, int, bool]], empty: bool, window: int) -> list[int]:
    found, begin = [], 0
    for at, (one, two, starts) in enumerate(rows):
        begin = at if starts else begin
        since = rows[max(begin, at - window + 1) if window else begin : at + 1]
        valued = one >= 0 and (empty or two >= 0)
        found.append(sum((one, two) == other[:2] for other in since) if valued else 0)
    return found


@pytest.mark.parametrize("narrow", [0, 3, 100])
@pytest.mark.parametrize("wide", [False, True])
@settings(max_examples=80, deadline=None)
@given(rows=ROWS, empty=st.booleans(), window=st.integers(0, 12))
def test_occurrences_by_comparing_and_by_sorting(
    narrow: int, wide: bool, rows: list[tuple[int, int, bool]], empty: bool, window: int
) -> None:
    shift = 70_000 if wide else 0  # codes above 16 bits are sorted otherwise
    one = np.array([row[0] + shift * (row[0] >= 0) for row in rows], np.int32)
    parts = [(one, False), (np.array([row[1] for row in rows], np.int32), empty)]
    starts = np.array([row[2] or at == 0 for at, row in enumerate(rows)], np.bool_)
    before, families.NARROW = families.NARROW, narrow
    try:
        found = families.occurrences(parts, starts, window).tolist()
    finally:
        families.NARROW = before
    assert found == literal(rows, empty, window)


def test_sums_stay_whole_numbers_of_31_bits() -> None:
    starts = np.array([True, False, False, True])
    assert families.sums(np.array([2**31 - 1, 5, 5, 7]), starts).tolist() == [2**31 - 1, 2**31 - 1, 2**31 - 1, 7]


def test_nothing_is_counted_in_no_rows() -> None:
    none, no = np.zeros(0, np.int32), np.zeros(0, np.bool_)
    parts = [(none, False)]
    for found in (
        families.runs(no, no),
        families.lag(parts, no, 2),
        families.cycle(parts, no, 1, 3),
        families.occurrences(parts, no, 3),
        families.occurrences(parts, no, 0),
        families.holding(no, no, 2),
        families.sums(none, no),
    ):
        assert found.tolist() == []

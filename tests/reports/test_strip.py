"""The strip of a detector and the small map of two, by pencil."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib.reports import _strip
from tests.sweeps import note, pencil, sweep_of

PENCIL = sweep_of(pencil())


def test_the_strip_shows_where_passes_end_and_losses_begin() -> None:
    marks, ticks = _strip.strip(PENCIL, "repeated_plan", 16)  # one cell a threshold: 1 … 16
    assert marks == "××××◆████░░░░░░░"
    assert ticks == "1   5   9     16"


def test_the_note_by_one_cell_a_threshold() -> None:
    marks, ticks = _strip.strip(sweep_of(note()), "repeated_plan", 76)
    assert marks == "×" * 6 + "◆" + "█" * 32 + "░" * 21
    assert ticks.split() == ["1", "7", "39", "60"]
    assert ticks.index("39") == 38


@pytest.mark.parametrize("room", [10, 20, 40])
def test_a_short_room_still_shows_each_stretch(room: int) -> None:
    marks, _ = _strip.strip(sweep_of(note()), "search_run", room)
    assert len(marks) <= room
    assert [mark for mark, before in zip(marks, " " + marks, strict=False) if mark != before] == ["×", "◆", "█", "░"]


@given(st.integers(1, 5000), st.integers(6, 80), st.tuples(st.integers(1, 5000), st.integers(1, 5000)))
def test_bins_rise_from_one_and_begin_at_each_break(last: int, room: int, breaks: tuple[int, int]) -> None:
    starts = _strip.bins(last, room, breaks)
    assert starts[0] == 1
    assert starts == sorted(set(starts))
    assert len(starts) <= room
    assert {at for at in breaks if at <= last} <= set(starts)


def test_the_map_by_pencil() -> None:
    rows = _strip.small_map(PENCIL, rows=17, columns=16)
    assert len(rows) == 18  # seventeen thresholds of search_run and the ticks
    by_threshold = {int(row[:2]): row[3:] for row in rows[:-1]}
    assert by_threshold[9] == "×" * 16  # P2 fires
    assert by_threshold[10] == "×" * 4 + "◆████▓▓▓▓▓▓▒"  # P3 fires up to 4; from 10 on L2 is lost, at 16 L4 too
    column = [by_threshold[search][4] for search in range(10, 18)]  # repeated_plan@5
    assert column == ["◆", *"██████▓"]  # caught 5 up to search_run@16, then L3 is lost
    assert [by_threshold[search][5] for search in (10, 11, 12)] == ["█", "█", "▓"]  # the rectangle ends at 11: L5


def test_no_map_of_one_or_three_detectors() -> None:
    one = [drawn.__class__(drawn.episode_id, drawn.label, drawn.n_turns, drawn.ramps[:1]) for drawn in pencil()]
    assert _strip.small_map(sweep_of(one, detectors=("repeated_plan",))) == []


def test_a_pair_between_two_listed_ones_has_the_lower_ones_counts() -> None:
    from dataclasses import replace

    listed = PENCIL.surface.filter(pl.col("repeated_plan").is_in([1, 5, 10]))
    grid = _strip.grid(replace(PENCIL, surface=listed))
    assert grid is not None
    assert grid.at(9, 10) == grid.at(5, 10) == (5, 0)
    assert grid.at(10, 10) == (4, 0)

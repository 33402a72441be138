"""Highest levels by label, by pencil."""

import numpy as np
from matplotlib.figure import Figure

from calib.plots import peaks
from tests.sweeps import HOSTILE, Drawn, hostile, note, pencil, sweep_of

PENCIL = sweep_of(pencil())


def counts(values: peaks.Values, kind: str) -> list[int]:
    (row,) = [row for row in values.rows if row.kind == kind]
    return [peak for peak, number in enumerate(row.counts) for _ in range(number)]


def test_episodes_are_parted_by_label_and_by_who_caught_them() -> None:
    values = peaks.values(PENCIL, "repeated_plan")
    assert counts(values, "caught by it alone") == [9, 15]  # L2, L4
    assert counts(values, "caught by it and others") == [5, 12]  # L5, L1
    assert counts(values, "caught by others") == [2]  # L3
    assert counts(values, "passed") == [0, 0, 1, 2, 3, 3, 4]  # P8 was not observed
    assert counts(values, "failed") == [6]


def test_the_gap_lies_between_the_closest_pass_and_the_first_loss() -> None:
    values = peaks.values(sweep_of(note()), "repeated_plan")
    assert values.gap == (6.5, 38.5)
    band = peaks.draw_gap(Figure().add_subplot(), values)
    assert band is not None
    assert (band.get_x(), band.get_width()) == (6.5, 32)
    line = peaks.draw_threshold(Figure().add_subplot(), values)
    assert line is not None
    assert line.get_xdata() == [6.5, 6.5]


def test_no_gap_where_nothing_lies_between() -> None:
    close = [one for one in pencil() if one.episode_id != "L2"] + [Drawn("L0", "turn_limit", 20, ((0, 5), (0, 0)))]
    adjacent = peaks.values(sweep_of(close), "repeated_plan")  # a pass at 4, a loss at 5
    assert adjacent.gap is None
    assert peaks.draw_gap(Figure().add_subplot(), adjacent) is None


def test_bars_are_steps_and_one_episode_among_thousands_is_seen() -> None:
    heights = peaks.heights(np.array([0, 1, 90_000]), 90_000)
    assert heights[0] == 0
    assert heights[1] > 0.15
    assert heights[2] < 0.81
    values = peaks.values(PENCIL, "search_run")
    steps = peaks.draw_peaks(Figure().add_subplot(), values)
    assert len(steps) == len(values.rows)
    assert steps[0].get_data()[1].tolist() == [at - 0.5 for at in range(18)]


def test_kinds_differ_in_hatch_or_colour_also_in_grey() -> None:
    assert len(set(peaks.ROWS.values())) == len(peaks.ROWS)
    solid = [colour for colour, hatch in peaks.ROWS.values() if not hatch]
    grey = [0.299 * red + 0.587 * green + 0.114 * blue for red, green, blue in map(_rgb, solid)]
    assert min(abs(one - other) for at, one in enumerate(grey) for other in grey[:at]) > 25


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def test_thousands_of_levels_share_bars_and_none_is_lost() -> None:
    long = [one.__class__(one.episode_id, one.label, 2_000, ((0, 100 * at), (0, 3))) for at, one in enumerate(pencil())]
    values = peaks.values(sweep_of(long), "repeated_plan")
    assert len(values.edges) <= peaks.BARS + 1
    assert sum(int(row.counts.sum()) for row in values.rows) == 14


def test_support_episodes_are_named_safely() -> None:
    for text in HOSTILE:
        said = peaks.ends_in_words(peaks.values(sweep_of(hostile(text)), "search_run"))
        assert said.startswith("fires from 10, closest pass 9: ")
        assert said.isprintable()
        assert len(said) < 140


def test_titles() -> None:
    assert peaks.title(sweep_of(note())).startswith("repeated_plan: passes reach 6, catches are lost above 39; ")
    assert peaks.title(sweep_of(note(labels=()))) == "No labels: how high the levels go"


def test_long_names_stay_inside_the_picture() -> None:
    long = [Drawn(f"{one.episode_id}-{'very-' * 12}long", one.label, one.n_turns, one.ramps) for one in pencil()]
    drawn = peaks.figure(sweep_of(long))
    assert drawn is not None
    drawn.draw_without_rendering()
    for axes in drawn.axes:
        box = axes._left_title.get_window_extent()  # type: ignore[attr-defined]
        assert box.x1 <= drawn.bbox.x1

"""Fire turns against length, by pencil."""

import numpy as np
from matplotlib.figure import Figure

from calib.plots import fire_turns
from tests.sweeps import Drawn, note, pencil, sweep_of

PENCIL = sweep_of(pencil())


def shown(drawn: list[Drawn]) -> fire_turns.Values:
    values = fire_turns.values(sweep_of(drawn))
    assert values is not None
    return values


def test_every_caught_episode_is_there_once_by_who_fired() -> None:
    groups = {group.who: sorted(group.turns.tolist()) for group in shown(pencil()).groups}
    assert groups == {
        "repeated_plan": [7, 9, 12],  # L5, L4, L2
        "search_run": [13],  # L3
        "repeated_plan | search_run": [9],  # L1
    }


def test_ties_stand_side_by_side_about_their_length() -> None:
    values = shown(pencil())
    at_nine = [
        length for group in values.groups for length, turn in zip(group.lengths, group.turns, strict=True) if turn == 9
    ]
    assert len(set(at_nine)) == 2
    assert np.mean(at_nine) == 20


def test_markers_differ_in_shape_and_colour() -> None:
    assert len({mark for mark, _ in fire_turns.MARKS}) == len({colour for _, colour in fire_turns.MARKS}) == 8
    axes = Figure().add_subplot()
    keys = fire_turns.draw_fire_turns(axes, shown(pencil()))
    assert list(keys) == [
        "repeated_plan (T2) first: 3", "search_run (T1) first: 1", "T2 and T1 at once, first: 1", "last turn",
    ]  # fmt: skip
    offsets = axes.collections[0].get_offsets()
    assert sorted(np.asarray(offsets)[:, 0].tolist()) == [7, 9, 12]


def test_many_equal_ones_are_counted_in_bars() -> None:
    values = shown(note(scale=20))
    assert sum(int(group.episodes.sum()) for group in values.groups) == 600
    axes = Figure().add_subplot()
    keys = fire_turns.draw_bars(axes, values)
    assert list(keys)[-1] == "last turn"
    steps = axes.patches[0].get_data()  # type: ignore[attr-defined]
    assert steps.values.sum() == values.groups[0].episodes.sum()
    assert steps.edges[0] == -0.5


def test_many_of_different_lengths_share_markers() -> None:
    many = [Drawn(f"e{at:04d}", "turn_limit", 20 + at % 3, ((at % 7, 9), (0, 0))) for at in range(2000)]
    values = shown([*many, Drawn("p", "passed", 20, ((0, 4), (0, 3)))])
    assert sum(int(group.episodes.sum()) for group in values.groups) == 2000
    assert sum(len(group.turns) for group in values.groups) <= 21


def test_nothing_caught_draws_nothing() -> None:
    assert fire_turns.figure(sweep_of(note(labels=("passed",)))) is None
    assert fire_turns.figure(sweep_of(pencil(), at="T2@16 | T1@17")) is None


def test_the_title_is_the_finding() -> None:
    assert fire_turns.title(PENCIL) == "5 caught at turn 7 to 13, median 9; 45 turns after the fire (in sample)"

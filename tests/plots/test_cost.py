"""The cost frontier by brute force over every pair of thresholds."""

from dataclasses import replace

from matplotlib.figure import Figure

from calib.plots import cost
from tests.sweeps import known_of, note, pencil, sweep_of

PENCIL = sweep_of(pencil())


def test_the_frontier_is_the_best_of_all_points() -> None:
    shown = cost.values(PENCIL)
    assert shown is not None
    rows = list(PENCIL.surface.select("false_fires", "turns_after_fire").iter_rows())
    best = {fires: max(turns for false, turns in rows if false <= fires) for fires, _ in rows}
    steps = dict(zip(shown.false_fires.tolist(), shown.turns.tolist(), strict=True))
    assert steps[0] == best[0] == 45
    assert (steps[5], steps[7], steps[8]) == (70, 79, 81)
    for fires, turns in best.items():
        assert turns == max(each for false, each in steps.items() if false <= fires)
    assert sorted(steps.values()) == list(steps.values())


def test_points_are_marked_where_they_are() -> None:
    shown = cost.values(PENCIL)
    assert shown is not None
    axes = Figure().add_subplot()
    cost.draw_points(axes, shown)
    at = {(int(line.get_xdata()[0]), int(line.get_ydata()[0])) for line in axes.lines}  # type: ignore[index, arg-type]
    assert at == {(0, 45), (0, 24), (0, 0), (8, 95), (0, 5)}


def test_nothing_without_both_labels() -> None:
    assert cost.figure(sweep_of(note(labels=("passed",)))) is None
    assert cost.figure(sweep_of(note(labels=("turn_limit",)))) is None


def test_titles() -> None:
    known = known_of(PENCIL, drawn=pencil())
    nothing = replace(PENCIL, turns_after_fire=0)
    assert cost.title(nothing, known) == "0 turns after the fire for 0 false fires, so it does not pay (in sample)"
    assert cost.title(PENCIL) == "45 turns after the fire for 0 false fires (in sample)"
    assert "; pays while a false fire costs less than 8 turns (in sample)" in cost.title(PENCIL, known)
    assert "turn count, turn_count@19: 5 turns, 0 false fires" in cost.alt(PENCIL, known)

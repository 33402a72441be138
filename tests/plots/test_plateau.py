"""The map by pencil: what is coloured, hatched, outlined and marked."""

from dataclasses import replace

import numpy as np
import polars as pl
from matplotlib.figure import Figure

from calib.plots import _map, plateau
from tests.sweeps import Drawn, note, pencil, sweep_of

PENCIL = sweep_of(pencil())


def shown() -> _map.Values:
    found = _map.values(PENCIL)
    assert found is not None
    return found


def at(values: _map.Values, first: int, second: int) -> tuple[int, int]:
    """Find the cell of a pair of thresholds."""
    return int(np.searchsorted(values.x, first)) - 1, int(np.searchsorted(values.y, second)) - 1


def test_colours_are_the_caught_counts() -> None:
    axes = Figure().add_subplot()
    mesh = plateau.draw_map(axes, shown())
    assert mesh.get_array().shape == shown().caught.T.shape  # type: ignore[union-attr]
    assert (mesh.norm.vmin, mesh.norm.vmax) == (0, 5)
    assert mesh.get_rasterized()


def test_what_is_hatched_is_where_a_passing_episode_fires() -> None:
    axes = Figure().add_subplot()
    values = shown()
    patch = plateau.draw_false_fires(axes, values)
    assert patch is not None
    assert patch.get_hatch() == "///"
    for first in range(1, 17):
        for second in range(1, 18):
            fires = first <= 4 or second <= 9  # P3 has plan 4, P2 search 9
            assert patch.get_path().contains_point((first, second)) == fires, (first, second)


def test_the_outline_is_the_region_and_not_what_lies_elsewhere() -> None:
    values = shown()
    region = {(a, b) for a in range(1, 17) for b in range(1, 18) if values.same[at(values, a, b)]}
    wide = {(a, b) for a in range(5, 10) for b in (10, 11)}
    assert region == wide | {(5, b) for b in range(12, 17)}  # 15 pairs, not 35
    patch = plateau.draw_plateau(Figure().add_subplot(), values)
    corners = {tuple(vertex) for vertex in patch.get_path().vertices.tolist()}  # type: ignore[union-attr]
    assert {(4.5, 9.5), (9.5, 9.5), (9.5, 11.5), (5.5, 16.5), (4.5, 16.5)} <= corners


def test_rectangle_and_point_are_marked() -> None:
    axes = Figure().add_subplot()
    black, white = plateau.draw_block(axes, shown())
    assert black.get_xy() == white.get_xy() == (4.5, 9.5)
    assert (white.get_width(), white.get_height()) == (5, 2)
    line = plateau.draw_point(axes, shown())
    assert (list(line.get_xdata()), list(line.get_ydata())) == ([5], [10])  # type: ignore[arg-type]


def test_the_title_is_the_finding() -> None:
    assert plateau.title(sweep_of(note())) == "30 of 30 caught, 0 of 635 false fires on 33 × 19 thresholds (in sample)"
    assert plateau.title(replace(sweep_of(note()), chosen="before")).endswith("33 × 19 thresholds")
    open_side = sweep_of([one for one in pencil() if one.episode_id not in ("L3", "L5")])
    assert plateau.title(open_side).startswith("3 of 3 caught, 0 of 8 false fires on T2 5–9 × T1 from 10 on")
    without = sweep_of(note(labels=("passed", "failed")))
    assert plateau.title(without).endswith("; nothing to catch (in sample)")
    assert plateau.title(sweep_of(note(labels=("turn_limit",)))).endswith("; no passed episode (published thresholds)")
    idle = plateau.title(sweep_of(note(), at="T2@63 | T1@64"))
    assert idle == "T2@63 | T1@64 catches none of 30 turn_limit episodes; 0 of 635 false fires (in sample)"


def test_a_point_that_catches_nothing_has_no_plateau_drawn() -> None:
    for at, words in (("", 4), ("T2@63 | T1@64", 2)):
        drawn = plateau.figure(sweep_of(note(), at=at))
        assert drawn is not None
        legend = drawn.axes[0].get_legend()
        assert legend is not None
        assert len(legend.get_texts()) == words


def test_no_map_where_nothing_fires_at_all() -> None:
    silent = [replace(one, ramps=((0, 0), (0, 0))) for one in pencil()]
    assert plateau.figure(sweep_of(silent)) is None


def test_no_map_for_one_detector_or_no_labels() -> None:
    one = [Drawn(drawn.episode_id, drawn.label, drawn.n_turns, drawn.ramps[:1]) for drawn in pencil()]
    assert plateau.figure(sweep_of(one, detectors=("repeated_plan",))) is None
    assert plateau.figure(sweep_of(note(labels=()))) is None


def test_a_third_detector_is_held_at_the_point() -> None:
    three = [Drawn(one.episode_id, one.label, one.n_turns, (*one.ramps, (0, at))) for at, one in enumerate(pencil())]
    found = sweep_of(three, detectors=("repeated_plan", "search_run", "same_text"))
    values = _map.values(found)
    assert values is not None
    held = found.surface.filter(pl.col("same_text") == found.point.thresholds["same_text"])
    for first, second, caught in held.select("repeated_plan", "search_run", "caught").iter_rows():
        assert values.caught[at(values, first, second)] == caught
    drawn = plateau.figure(found)
    assert drawn is not None
    assert drawn.axes[0].get_title() == f"held: same_text@{found.point.thresholds['same_text']}"


def test_a_range_without_the_point_has_no_outline() -> None:
    above = PENCIL.surface.filter((pl.col("repeated_plan") > 6) & (pl.col("search_run") > 11))
    values = _map.values(replace(PENCIL, surface=above))
    assert values is not None
    assert not values.same.any()
    assert plateau.figure(replace(PENCIL, surface=above)) is not None

"""Counts over one detector's thresholds, by pencil."""

from dataclasses import replace

import polars as pl
from matplotlib.figure import Figure

from calib.plots import thresholds
from tests.sweeps import Drawn, note, pencil, sweep_of

NOTE, PENCIL = sweep_of(note()), sweep_of(pencil())


def test_the_band_is_the_plateau() -> None:
    band = thresholds.draw_band(Figure().add_subplot(), thresholds.values(NOTE, "repeated_plan"))
    assert (band.get_x(), band.get_x() + band.get_width()) == (6.5, 39.5)
    open_end = thresholds.values(sweep_of(note(labels=("passed",))), "repeated_plan")
    assert open_end.band == (6.5, open_end.last + 0.5)


def test_steps_are_the_counts_with_the_others_held() -> None:
    values = thresholds.values(PENCIL, "repeated_plan")
    thin, thick = thresholds.draw_caught(Figure().add_subplot(), values)
    held = PENCIL.surface.filter(pl.col("search_run") == 10).sort("repeated_plan")
    assert thick.get_data()[0].tolist() == held["caught"].to_list()
    assert thick.get_data()[1].tolist() == [at + 0.5 for at in range(17)]
    assert thin.get_data()[0].tolist() == PENCIL.curves["repeated_plan"].caught
    assert thick.get_linewidth() > thin.get_linewidth()


def test_false_and_other_fires_differ_in_dashes_too() -> None:
    values = thresholds.values(PENCIL, "search_run")
    drawn = thresholds.draw_fires(Figure().add_subplot(), values)
    assert len({line.get_linestyle() for line in drawn}) == 2


def test_one_detector_alone_has_one_line_of_each() -> None:
    one = [Drawn(drawn.episode_id, drawn.label, drawn.n_turns, drawn.ramps[:1]) for drawn in pencil()]
    values = thresholds.values(sweep_of(one, detectors=("repeated_plan",)), "repeated_plan")
    assert values.held is None
    assert len(thresholds.draw_caught(Figure().add_subplot(), values)) == 1


def test_a_surface_of_fewer_detectors_than_the_point_shows_each_alone() -> None:
    part = replace(PENCIL, surface=PENCIL.surface.filter(pl.col("search_run") == 1).drop("search_run"))
    assert thresholds.values(part, "repeated_plan").held is None


def test_a_label_without_episodes_has_no_line() -> None:
    found = sweep_of(note(labels=("passed",)))
    drawn = thresholds.figure(found)
    assert drawn is not None
    assert len([axes for axes in drawn.axes if axes.axison]) == 2  # one panel a detector
    assert not thresholds.draw_caught(Figure().add_subplot(), thresholds.values(found, "search_run"))
    assert thresholds.title(found).startswith("Same false fires on ")
    assert thresholds.figure(sweep_of(note(labels=()))) is None


def test_many_fires_stand_on_an_axis_that_shows_one() -> None:
    axes = Figure().add_subplot()
    thresholds.draw_fires(axes, thresholds.values(NOTE, "repeated_plan"))
    assert axes.get_yscale() == "symlog"
    assert [text for text in (0, 1, 10, 100) if text in axes.get_yticks()] == [0, 1, 10, 100]


def test_the_title_is_the_finding() -> None:
    assert thresholds.title(NOTE) == ("Same caught and false fires on repeated_plan 7–39, search_run 35–53 (in sample)")


def test_the_alt_text_says_what_ends_a_plateau() -> None:
    assert "repeated_plan: at 6: one more false fire, at 40: one caught fewer." in thresholds.alt(NOTE)

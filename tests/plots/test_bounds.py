"""The bound beside the count, by pencil."""

from dataclasses import replace

import pytest
from matplotlib.figure import Figure

from calib.evidence.bounded import bounded_line
from calib.plots import bounds
from calib.stats import adjusted_upper, upper
from tests.sweeps import known_of, note, pencil, sweep_of

PENCIL = sweep_of(pencil())


def test_every_threshold_has_its_count_and_its_bounds() -> None:
    line = bounded_line(PENCIL, "search_run", 0.05)
    assert line is not None
    fires = dict(zip(line.thresholds.tolist(), line.false_fires.tolist(), strict=True))
    assert (fires[1], fires[5], fires[9], fires[10]) == (8, 4, 1, 0)  # peaks 1 2 3 4 5 6 7 9 of the passed
    for threshold, fired, plain, adjusted in zip(
        *map(list, (line.thresholds, line.false_fires, line.plain, line.adjusted)), strict=True
    ):
        most = min(fired + 1, 8)  # P8 could not be observed for repeated_plan
        assert plain == pytest.approx(upper(most, 8, 0.05)), threshold
        assert adjusted == pytest.approx(adjusted_upper(most, 8, 2, 0.05)), threshold


def test_no_passed_episode_has_no_bound() -> None:
    found = sweep_of(note(labels=("turn_limit",)))
    assert bounded_line(found, "search_run", 0.05) is None
    assert bounds.figure(found) is None


def test_the_bound_that_is_due_is_the_thick_one() -> None:
    for chosen, thick in (("here", 2), ("before", 1)):
        found = replace(PENCIL, chosen=chosen)  # type: ignore[arg-type]
        shown = bounds.values(found, "search_run")
        assert shown is not None
        patches = bounds.draw_bounds(Figure().add_subplot(), shown)
        widths = [patch.get_linewidth() for patch in patches]
        assert widths[thick] == max(widths)
        assert patches[0].get_data()[0].tolist() == (shown.line.false_fires / 8).tolist()


def test_titles() -> None:
    found = sweep_of(note())
    assert bounds.title(found) == (
        "0 of 635 false fires seen; the rate may be up to 0.745 % (95 %, point chosen on these episodes)"
    )
    before = replace(found, chosen="before")
    assert bounds.title(before).endswith("up to 0.471 % (95 %, point fixed before)")
    strict = bounds.title(found, known_of(found, 0.99))
    assert "(99 %, " in strict
    assert "search_run: 596 false fires at threshold 1, 0 from 35 on, where" in bounds.alt(found)


def test_the_words_name_the_threshold_from_which_on_there_are_no_fewer() -> None:
    assert "repeated_plan: 5 false fires at threshold 1, 0 from 5 on, where" in bounds.alt(PENCIL)
    one = sweep_of([each for each in pencil() if each.episode_id in ("L1", "P7", "P3")])
    assert "repeated_plan: 1 false fire at threshold 1, 0 from 5 on, where" in bounds.alt(one)
    assert "search_run: 2 false fires at threshold 1, 0 from 5 on, where" in bounds.alt(one)

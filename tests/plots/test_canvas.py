"""What the plots share."""

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from calib.plots import _canvas
from tests.sweeps import HOSTILE


@given(st.text(max_size=50) | st.sampled_from(HOSTILE))
def test_a_name_is_one_short_line_of_letters_that_the_font_has(text: str) -> None:
    shown = _canvas.name(text)
    assert 0 < len(shown) <= 33
    assert all(ord(c) in _canvas._glyphs() for c in shown)
    assert not shown.startswith("_")


def test_a_step_begins_half_below_its_threshold_and_lasts_to_the_next_listed() -> None:
    assert _canvas.edges([1, 2, 3], 3) == [0.5, 1.5, 2.5, 3.5]
    assert _canvas.edges([1, 7, 40], 60) == [0.5, 6.5, 39.5, 60.5]


@given(st.lists(st.integers(1, 3000), min_size=1, max_size=3), st.integers(1, 3000), st.booleans())
def test_ticks_are_apart_and_the_first_marked_one_is_there(marked: list[int], last: int, wide: bool) -> None:
    marked = [min(at, last) for at in marked]
    ticks = _canvas._ticks(marked, last, wide, 0.06)
    assert marked[0] in ticks
    assert ticks == sorted(set(ticks))
    assert min(ticks) >= 1
    assert max(ticks) <= last
    assert len(ticks) <= 18


def test_the_1_needs_less_room_than_other_labels() -> None:
    assert _canvas._ticks([7, 39], 61, False, 0.1)[:2] == [1, 7]
    assert _canvas._ticks([2, 39], 61, False, 0.1)[0] == 2


def test_an_axis_that_begins_at_1_has_a_tick_there_with_or_without_room_for_a_label() -> None:
    for marked in ([7, 39], [2, 39]):
        axes = Figure().add_subplot()
        _canvas.threshold_axis(axes, "x", marked, 60, 3.2)
        assert 1 in {*axes.get_xticks(), *axes.get_xticks(minor=True)}


def test_a_title_keeps_its_mark_together() -> None:
    assert _canvas.wrapped("one two three (in sample)", 14) == ["one two three", "(in sample)"]


def test_svg_is_described_and_points_nowhere() -> None:
    with _canvas.style():
        figure = _canvas.new_figure("A title", 2)
        svg = _canvas.as_svg(figure, 'Title <b> & more. The rest "of" it.').decode()
    root = ElementTree.fromstring(svg)
    assert [root[at].text for at in (0, 1)] == ["Title <b> & more", 'The rest "of" it.']
    assert root.get("role") == "img"
    assert "<!DOCTYPE" not in svg
    assert "metadata" not in svg


def test_style_leaves_the_users_settings_alone() -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    with _canvas.style():
        assert matplotlib.rcParams["text.parse_math"] is False
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize("most", [0, 1, 7, 30, 635, 4230])
def test_a_count_axis_shows_none_and_all(most: int) -> None:
    axes = _canvas.new_figure("t", 2).add_subplot()
    _canvas.count_axis(axes, most)
    ticks = list(axes.get_yticks())
    assert ticks[0] == 0
    assert ticks[-1] == most
    assert all(tick == int(tick) for tick in ticks)

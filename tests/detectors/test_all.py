"""What every detector promises, whatever it counts."""

import re

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.detectors import READS, detector, documentation, names, placing_of, reads_only
from calib.errors import UsageError
from tests.corpus import Episode, frames
from tests.oracle import Story, levels

HEADINGS = ("Counts", "Fires when", "Why", "Blind spots", "Differs from", "Source")
PLANS = st.sampled_from([None, "", " \x1c", "a", "a ", "\x1fa", "b"])
TOOLS = st.lists(st.sampled_from(["search_files", "read_file", "write_file", ""]), max_size=2)
TURNS = st.lists(st.tuples(PLANS, TOOLS), min_size=0, max_size=7)


def episodes(drawn: list[list[tuple[str | None, list[str]]]]) -> list[Episode]:
    return [
        Episode(f"e{n}", "passed", [plan for plan, _ in turns], [tools for _, tools in turns])
        for n, turns in enumerate(drawn)
    ]


def computed(made: list[Episode], name: str) -> list[int]:
    _, turns = frames(made)
    column = turns.with_columns(reads_only(turns, placing_of(READS))).select(detector(name).LEVEL)
    return column.to_series().to_list()


@pytest.mark.parametrize("name", names())
def test_the_docstring_has_the_fixed_headings_in_order(name: str) -> None:
    found = re.findall(r"^([A-Z][a-z ]+)$", documentation(name), re.MULTILINE)
    assert tuple(found) == HEADINGS


@pytest.mark.parametrize("name", names())
@settings(max_examples=100, deadline=None)
@given(drawn=st.lists(TURNS, min_size=1, max_size=9))
def test_levels_equal_the_pseudocode(name: str, drawn: list[list[tuple[str | None, list[str]]]]) -> None:
    made = episodes(drawn)
    literal = [level for each in made for level in levels(Story("", "", each.reasoning, each.tools), name)]
    assert computed(made, name) == literal


@pytest.mark.parametrize("name", names())
@settings(max_examples=40, deadline=None)
@given(drawn=st.lists(TURNS, min_size=1, max_size=6), cut=st.integers(0, 6))
def test_splitting_a_corpus_by_episode_changes_no_level(
    name: str, drawn: list[list[tuple[str | None, list[str]]]], cut: int
) -> None:
    made = episodes(drawn)
    assert computed(made, name) == computed(made[:cut], name) + computed(made[cut:], name)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("turns", [0, 1, 5])
def test_no_episode_rises_above_the_ceiling_and_one_reaches_it(name: str, turns: int) -> None:
    busiest = Episode("e", "passed", ["plan"] * turns, [["search_files"]] * turns)
    assert max(computed([busiest], name), default=0) == detector(name).ceiling(turns)


@pytest.mark.parametrize("name", names())
def test_a_level_is_a_whole_number_and_never_null(name: str) -> None:
    _, turns = frames([Episode("e", "passed", [None, "a", "a"], [[], ["read_file"], []])])
    column = turns.with_columns(reads_only(turns, placing_of(READS))).select(detector(name).LEVEL).to_series()
    assert column.dtype.is_integer()
    assert column.null_count() == 0
    assert isinstance(detector(name).LEVEL, pl.Expr)


def test_an_unknown_name_lists_the_near_ones() -> None:
    with pytest.raises(UsageError, match="no detector named 'repeated_plans'; there are repeated_plan, search_run"):
        detector("repeated_plans")


def test_the_notes_labels_name_them() -> None:
    assert detector("T2").DEFAULT == 7
    assert detector("T1").DEFAULT == 35

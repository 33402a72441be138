"""What every detector promises, whatever it counts."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib.detectors import READS, SWEPT, Detector, detector, documentation, names
from calib.errors import UsageError
from calib.evaluate import Columns, levels_of
from calib.rules import AnyOf, AnyRule, Scan
from calib.tools import Map
from tests import literal
from tests.corpus import Episode, frames
from tests.evaluate.episodes import columns, episodes
from tests.literal import Turned
from tests.oracle import Story, levels

HEADINGS = ("Counts", "Fires when", "Why", "Blind spots", "Differs from", "Source")
PLANS = st.sampled_from([None, "", " \x1c", "a", "a ", "\x1fa", "b"])
TOOLS = st.lists(st.sampled_from(["search_files", "read_file", "write_file", ""]), max_size=2)
TURNS = st.lists(st.tuples(PLANS, TOOLS), min_size=1, max_size=7)


def _reads_texts(rule: AnyRule) -> bool:
    return isinstance(rule, Scan) or (isinstance(rule, AnyOf) and any(_reads_texts(one) for one, _ in rule.members))


COUNTED = {name: detector(name).rule for name in names() if not _reads_texts(detector(name).rule)}
"""The rules that count turns or calls; what is inside a text is judged in tests/scanners."""


@pytest.mark.parametrize("name", names())
def test_the_docstring_has_the_fixed_headings_in_order(name: str) -> None:
    found = re.findall(r"^([A-Z][a-z ]+)$", documentation(name), re.MULTILINE)
    assert tuple(found) == HEADINGS
    assert documentation(name).split("\n\n")[0].endswith(".")


@pytest.mark.parametrize("name", SWEPT)
@settings(max_examples=100, deadline=None)
@given(drawn=st.lists(TURNS, min_size=1, max_size=9))
def test_the_notes_levels_equal_their_pseudocode(name: str, drawn: list[list[tuple[str | None, list[str]]]]) -> None:
    made = [
        Episode(f"e{n}", "passed", [plan for plan, _ in turns], [tools for _, tools in turns])
        for n, turns in enumerate(drawn)
    ]
    expected = [level for each in made for level in levels(Story("", "", each.reasoning, each.tools), name)]
    found = Columns(frames(made)[1], None, Map.exactly(READS))
    assert levels_of(detector(name).rule, found).tolist() == expected


@pytest.mark.parametrize("name", COUNTED)
@settings(max_examples=25, deadline=None)
@given(made=episodes())
def test_levels_are_the_literal_ones(name: str, made: list[list[Turned]]) -> None:
    expected = [level for episode in made for level in literal.levels(COUNTED[name], episode)]
    assert levels_of(COUNTED[name], columns(made)).tolist() == expected


@pytest.mark.parametrize("name", COUNTED)
@settings(max_examples=10, deadline=None)
@given(made=episodes())
def test_splitting_a_corpus_by_episode_changes_no_level(name: str, made: list[list[Turned]]) -> None:
    apart = [level for episode in made for level in levels_of(COUNTED[name], columns([episode])).tolist()]
    assert levels_of(COUNTED[name], columns(made)).tolist() == apart


@pytest.mark.parametrize("name", COUNTED)
@settings(max_examples=10, deadline=None)
@given(made=episodes())
def test_no_episode_rises_above_the_ceiling(name: str, made: list[list[Turned]]) -> None:
    highest = detector(name).ceiling
    for episode in made if highest else []:
        assert max(levels_of(COUNTED[name], columns([episode]))) <= highest(len(episode))  # type: ignore[misc]


@pytest.mark.parametrize(
    ("spelling", "turns", "highest"),
    [
        ("lag(reasoning,1)", 8, 7),
        ("lag(reasoning,3)", 2, 0),
        ("run(reads)", 8, 8),
        ("run(never)", 8, 0),
        ("run(!always)", 8, 0),
        ("run(never,unit=call)", 8, 0),
        ("count(call,window=5)", 9, 5),
        ("cycle(calls,2..5)", 9, 3),
        ("count(calls,window=5)", 9, 5),
        ("count(calls)", 9, 9),
        ("count(calls,window=9,warm_up=9)", 8, 0),
        ("budget(always)", 8, 8),
        ("any(run(reads)@4 | lag(text,1)@2)", 8, 3),
    ],
)
def test_the_ceiling_is_reached(spelling: str, turns: int, highest: int) -> None:
    found = detector(spelling).ceiling
    assert found is not None
    assert found(turns) == highest
    busiest = [Turned("p", "p", "p", [literal.Called("read", 1, 1, 1)], reads=True)] * turns
    assert max(levels_of(detector(spelling).rule, columns([busiest]))) == highest


@pytest.mark.parametrize("spelling", ["lag(call,1)", "budget(output_tokens)", "any(run(reads)@4 | lag(call,1)@2)"])
def test_turns_bound_no_calls_and_no_sums(spelling: str) -> None:
    assert detector(spelling).ceiling is None


def test_an_unknown_name_lists_the_near_ones() -> None:
    with pytest.raises(UsageError, match="no detector named 'repeated_plans'; there are repeated_plan,"):
        detector("repeated_plans")


def test_the_notes_labels_name_them() -> None:
    assert detector("T2").default == 7
    assert detector("T1").default == 35


def test_the_two_of_the_notes_are_names_for_members_of_families() -> None:
    assert detector("lag(reasoning,1)").rule == detector("T2").rule
    assert detector("run(reads)").rule == detector("T1").rule


def test_a_detector_of_ones_own_goes_by_its_name() -> None:
    own = {"mine": Detector("mine", detector("run(idle)").rule, 3)}
    assert detector("mine", own).default == 3
    assert detector("T2", own).name == "repeated_plan"


def test_nothing_heavy_is_imported_to_know_the_detectors() -> None:
    import subprocess
    import sys

    code = "import sys; from calib.detectors import names, detector; [detector(n) for n in names()]; "
    code += "sys.exit(any(m in sys.modules for m in ('polars', 'numpy', 'pyarrow')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_level_of_a_text_has_its_scanner_s_threshold_and_words() -> None:
    found = detector("scan(guard_words,words=30)")
    assert found.default == 25
    assert found.about.startswith("The reasoning guard of note 003")
    with pytest.raises(UsageError, match="guard_words"):
        detector("scan(guard_word)")

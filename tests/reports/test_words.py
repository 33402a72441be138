"""The sentences, in the words that are promised."""

from dataclasses import replace

from calib.reports import _words as words
from calib.results import Bound, Lost
from tests.sweeps import FAILING, NOTHING, bounds_of, note, pencil, report_of, sweep_of

NOTE = sweep_of(note(), excluded=48)
PENCIL = sweep_of(pencil())


def test_the_headline() -> None:
    assert words.headline_of(NOTE) == "30/30 caught, 0/635 false fires, 1/42 other fires (in sample)"
    assert "in sample" not in words.headline_of(replace(NOTE, chosen="before"))


def test_zero_false_fires_never_stand_without_their_bound() -> None:
    said = dict(words.bound_sentences(bounds_of(NOTE)))
    assert said["false fires"] == (
        "0 of 635 passed episodes: at most 0.745 % (95 %, point chosen on these episodes; "
        "0.471 % had it been fixed before)"
    )
    assert said["caught"] == "30 of 30 turn_limit episodes: at least 90.4 % (95 %)"
    assert said["other fires"] == "1 of 42 failed episodes, 2.38 %: at most 10.9 % (95 %)"


def test_a_point_fixed_before_gets_the_plain_bound() -> None:
    before = replace(NOTE, chosen="before")
    said = dict(words.bound_sentences(bounds_of(before)))
    assert said["false fires"] == "0 of 635 passed episodes: at most 0.471 % (95 %)"


def test_what_could_not_be_observed_is_between_two_numbers() -> None:
    said = dict(words.bound_sentences(bounds_of(PENCIL)))
    assert said["false fires"].startswith("0 of 8 passed episodes (1 not observable: between 0 and 1): at most 65.1 %")


def test_none_is_a_dash_and_says_which() -> None:
    empty = sweep_of(note(labels=("passed",)))
    said = dict(words.bound_sentences(bounds_of(empty)))
    assert said["caught"] == "– (no turn_limit episodes)"
    assert words.headline_of(empty) == "– caught, 0/635 false fires, – other fires (in sample)"


def test_fire_turns_and_the_turns_after_them() -> None:
    assert words.fired_turns(PENCIL) == "min 7, median 9, max 13; 45 turns after the fire in all"


def test_no_better_than_counting_turns_says_so() -> None:
    assert words.against_turn_count(PENCIL) == ""
    worse = replace(PENCIL, turns_after_fire=5)
    assert (
        words.against_turn_count(worse) == "does not beat plain turn count: turn_count@19 saves 5 turns, this point 5"
    )


def test_lost_input_is_named_by_code_and_said_when_there_is_none() -> None:
    assert words.lost(PENCIL) == "none of 48,213 bytes"
    lost = replace(PENCIL, lost=Lost(3, 1_234, 5_678_901, {"not_json": 2, "too_deep": 1}))
    assert words.lost(lost) == "3 records, 1,234 of 5,678,901 bytes (0.0217 %): not_json 2, too_deep 1"


def test_not_observable() -> None:
    assert words.not_observable(PENCIL) == "repeated_plan in 1 episode; unknown at this point: 1 passed"
    assert words.not_observable(NOTE) == ""


def test_levels_by_label_leave_out_what_was_not_seen() -> None:
    rows = {row[:2]: row[2:] for row in words.level_rows(PENCIL)}
    assert rows["repeated_plan", "passed"] == ("7", "0", "0", "2", "3", "4", "4", "4")  # 0 0 1 2 3 3 4
    assert rows["search_run", "passed"] == ("8", "1", "2", "4", "6", "9", "9", "9")  # 1 2 3 4 5 6 7 9


def test_how_the_point_came_about() -> None:
    assert words.chosen(PENCIL).startswith("closest pass")
    assert words.chosen(sweep_of(note(labels=("turn_limit",)))).startswith("the published thresholds")
    given = sweep_of(pencil(), at="T2@6 | T1@11", chosen="before")
    assert words.chosen(given) == "given; fixed before these episodes"


def test_the_worst_verdict_stands_for_all() -> None:
    reports = [report_of(PENCIL, NOTHING), report_of(PENCIL, FAILING)]
    assert words.worst(reports) is FAILING


def test_a_bound_without_a_value_is_not_spelled() -> None:
    bounds = bounds_of(PENCIL) | {"false_fires": Bound(0, 0, 8, None, None)}
    assert dict(words.bound_sentences(bounds))["false fires"] == "0 of 8 passed episodes"

"""The sentences, in the words that are promised."""

from dataclasses import replace

from calib.reports import _words as words
from calib.reports._rates import rate_sentences
from calib.results import Ladder, Lost, Rung, Sweep
from tests.sweeps import FAILING, NOTHING, known_of, note, pencil, report_of, sweep_of

NOTE = sweep_of(note(), excluded=48)
PENCIL = sweep_of(pencil())


def said_of(found: Sweep, confidence: float = 0.95) -> dict[str, str]:
    return dict(rate_sentences(known_of(found, confidence).by_unit, confidence))


def test_the_headline() -> None:
    assert words.headline_of(NOTE) == "30/30 caught, 0/635 false fires, 1/42 other fires (in sample)"
    assert "in sample" not in words.headline_of(replace(NOTE, chosen="before"))


def test_zero_false_fires_never_stand_without_their_bound() -> None:
    said = said_of(NOTE)
    assert said["false fires"] == (
        "0 of 635 passed episodes: at most 0.745 % (95 %, point chosen on these episodes; "
        "0.471 % had it been fixed before)"
    )
    assert said["caught"] == "30 of 30 turn_limit episodes: 95 % interval 88.4–100 %"
    assert said["other fires"] == "1 of 42 failed episodes, 2.38 %: 95 % interval 0.0602–12.6 %"


def test_a_point_fixed_before_gets_the_plain_bound() -> None:
    before = replace(NOTE, chosen="before")
    said = said_of(before)
    assert said["false fires"] == "0 of 635 passed episodes: at most 0.471 % (95 %)"


def test_what_could_not_be_observed_is_between_two_numbers() -> None:
    said = said_of(PENCIL)
    assert said["false fires"].startswith("0 of 8 passed episodes (1 not observable: between 0 and 1): at most 65.1 %")


def test_none_is_a_dash_and_says_which() -> None:
    empty = sweep_of(note(labels=("passed",)))
    said = said_of(empty)
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


def test_a_share_that_nothing_could_observe_has_no_bound() -> None:
    blind = replace(PENCIL, unknown=replace(PENCIL.unknown, passed=8))
    assert said_of(blind)["false fires"] == "0 of 8 passed episodes: not observable"


def test_caught_with_unknown_episodes_lies_between() -> None:
    some = replace(NOTE, counts=replace(NOTE.counts, turn_limit=34), unknown=replace(NOTE.unknown, turn_limit=4))
    assert said_of(some)["caught"] == (
        "30 of 34 turn_limit episodes, 88.2 % (4 not observable: between 30 and 34): 95 % interval 72.5–100 %"
    )


def test_the_confidence_that_is_used_is_the_one_that_is_said() -> None:
    each = 1 - 0.05 / 30
    assert said_of(NOTE, each)["false fires"].startswith(
        "0 of 635 passed episodes: at most 1.36 % (99.8 %, point chosen"
    )
    assert "99.8 % interval" in said_of(NOTE, each)["caught"]


def test_the_sentence_on_tasks_follows_unasked() -> None:
    known = known_of(PENCIL, drawn=pencil())
    said = rate_sentences(known.by_unit, 0.95)
    assert [title for title, _ in said] == ["caught", "false fires", "", "other fires"]
    assert said[2][1] == (
        "by task: 0 of 3 tasks with a passed episode (1 not observable): at most 99.2 % of other tasks"
    )


def test_a_rung_says_what_is_known_or_what_it_needs() -> None:
    there, open_one = Rung("in sample", True, "seen", ""), Rung("exact bounds", False, "half", "more")
    assert [words.rung_said(each) for each in (there, open_one, Rung("x", False, "", "it all"))] == [
        "seen", "half; needs more", "needs it all",
    ]  # fmt: skip
    assert (
        words.rung(Ladder(0, (there, open_one))) == "how far to trust this: rung 0 of 1, in sample; next: exact bounds"
    )
    assert words.rung(Ladder(1, (there, there))) == "how far to trust this: rung 1 of 1, in sample"
    assert words.rung(Ladder(-1, (open_one,))) == "how far to trust this: not at all yet"


def test_a_bound_on_fires_that_were_seen_says_what_was_declared() -> None:
    seen = said_of(sweep_of(pencil(), at="T2@4 | T1@10"))["false fires"]
    assert seen.startswith("1 of 8 passed episodes (1 not observable: between 1 and 2): at most 77.8 %")
    assert "point chosen on these episodes, had 2 false fires been the budget; " in seen

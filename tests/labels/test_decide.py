"""The label rule, case by case and as properties."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib.errors import UsageError
from calib.labels import LABEL_SOURCES, LIMIT_KINDS, STOP_KINDS, Said, decide, parse_positives, stop_kind
from calib.tables import LABELS

ALL_LIMITS = tuple(LIMIT_KINDS)


@pytest.mark.parametrize(
    ("outcome", "stop", "positives", "label", "source"),
    [
        ("pass", "max_turns", ("turn_limit",), "passed", "dump"),  # a turn-limited episode can pass
        ("fail", "max_turns", ("turn_limit",), "turn_limit", "dump"),
        (None, "max_turns", ("turn_limit",), "turn_limit", "dump"),
        ("fail", "max_steps", ("turn_limit",), "failed", "dump"),
        ("fail", "max_steps", ("turn_limit", "step_limit"), "turn_limit", "dump"),
        (None, "max_steps", ("turn_limit",), "unlabelled", "none"),  # it may have passed
        (None, "exit_cost", ("turn_limit", "cost_limit"), "turn_limit", "dump"),
        (None, "exit_cost", ("turn_limit",), "unlabelled", "none"),
        ("fail", "exit_cost", ("turn_limit",), "failed", "dump"),
        ("fail", "max_turns", ("cost_limit",), "failed", "dump"),
        ("fail", "guardrail_halt", ALL_LIMITS, "censored", "dump"),
        (None, "AgentStuckInLoopError", ALL_LIMITS, "censored", "dump"),
        ("pass", "guardrail_halt", ALL_LIMITS, "passed", "dump"),
        (None, "interrupted_by_user", ALL_LIMITS, "censored", "dump"),
        (None, "RepeatedFormatError", ALL_LIMITS, "failed", "dump"),
        (None, "submitted (exit_format)", ALL_LIMITS, "unlabelled", "none"),  # handed in: nobody judged it
        (None, "completed", ALL_LIMITS, "unlabelled", "none"),
        (None, None, ALL_LIMITS, "unlabelled", "none"),
        ("fail", None, ALL_LIMITS, "failed", "dump"),
    ],
)
def test_the_rule(outcome: str | None, stop: str | None, positives: tuple[str, ...], label: str, source: str) -> None:
    found = decide(outcome, stop, 10, None, positives=positives)
    assert (found.label, found.label_source, found.conflict) == (label, source, "")
    assert found.stop_reason == stop


def test_a_format_that_knows_more_than_the_words() -> None:
    assert (
        decide("fail", "LimitsExceeded", 10, None, kind="cost_limit", positives=("cost_limit",)).label == "turn_limit"
    )
    assert decide("fail", "LimitsExceeded", 10, None, kind="cost_limit").label == "failed"
    assert decide("fail", "LimitsExceeded", 10, 10).label == "turn_limit"


@pytest.mark.parametrize(
    ("change", "label", "source"),
    [
        ({}, "turn_limit", "inferred"),
        ({"n_turns": 7}, "turn_limit", "inferred"),
        ({"n_turns": 5}, "unlabelled", "none"),
        ({"limit_option": None}, "unlabelled", "none"),
        ({"limit_option": None, "turn_limit": 6}, "turn_limit", "inferred"),
        ({"turn_limit": 7}, "unlabelled", "none"),  # the file's own limit counts before the option
        ({"outcome": "fail"}, "turn_limit", "inferred"),
        ({"outcome": "fail", "n_turns": 5}, "failed", "dump"),
        ({"outcome": "pass"}, "passed", "dump"),
        ({"stop_reason": "submitted"}, "unlabelled", "none"),  # it ended by itself
        ({"stop_reason": "tool_calls"}, "turn_limit", "inferred"),  # says nothing about the end
        ({"stop_reason": "went home"}, "turn_limit", "inferred"),
        ({"ends_truncated": True}, "unlabelled", "none"),
        ({"positives": ("cost_limit",)}, "unlabelled", "none"),
        ({"limit_option": None, "n_steps": 9, "step_limit": 9}, "unlabelled", "none"),
        ({"limit_option": None, "n_steps": 9, "step_limit": 9, "positives": ("step_limit",)}, "turn_limit", "inferred"),
        ({"limit_option": None, "n_steps": 8, "step_limit": 9, "positives": ("step_limit",)}, "unlabelled", "none"),
    ],
)
def test_reaching_a_limit_tells_where_nothing_else_does(change: dict[str, Any], label: str, source: str) -> None:
    given_: dict[str, Any] = {"outcome": None, "stop_reason": None, "n_turns": 6, "turn_limit": None, "limit_option": 6}
    found = decide(**{**given_, **change})
    assert (found.label, found.label_source) == (label, source)


def test_a_step_limit_is_never_compared_with_turns() -> None:
    """Nine steps are five responses: only the steps are counted against the step limit."""
    asked = ("turn_limit", "step_limit")
    assert decide(None, None, 5, None, n_steps=9, step_limit=9, positives=asked).label == "turn_limit"
    assert decide(None, None, 9, None, n_steps=5, step_limit=9, positives=asked).label == "unlabelled"


def joined(outcome: str = "unknown", stop: str | None = None, label: str | None = None) -> Said:
    return Said("l.csv:3", outcome, stop, label)


@pytest.mark.parametrize(
    ("outcome", "stop", "said", "label", "source"),
    [
        (None, None, joined("passed"), "passed", "joined"),
        (None, None, joined("failed"), "failed", "joined"),
        ("pass", None, joined("passed"), "passed", "dump"),
        (None, "max_turns", joined("failed"), "turn_limit", "dump"),
        (None, "max_turns", joined("passed"), "passed", "joined"),
        ("fail", None, joined(stop="exit_status: max_turns"), "failed", "dump"),
        ("fail", None, joined(stop="max_turns"), "turn_limit", "joined"),
        ("fail", "tool_calls", joined(stop="max_turns"), "turn_limit", "joined"),
        (None, None, joined(label="turn_limit"), "turn_limit", "joined"),
        ("fail", "max_steps", joined(label="turn_limit"), "turn_limit", "joined"),  # a limit: for the user to say
        ("fail", "max_turns", joined(label="turn_limit"), "turn_limit", "dump"),
        ("fail", "max_turns", joined(label="censored"), "censored", "joined"),
        ("pass", None, joined(label="unlabelled"), "unlabelled", "joined"),
        (None, None, joined(label="passed"), "passed", "joined"),
    ],
)
def test_what_lies_beside_the_dump(outcome: str | None, stop: str | None, said: Said, label: str, source: str) -> None:
    found = decide(outcome, stop, 10, None, joined=said)
    assert (found.label, found.label_source, found.conflict) == (label, source, "")


@pytest.mark.parametrize(
    ("outcome", "stop", "said", "line"),
    [
        ("fail", None, joined("passed"), "outcome: the dump says failed, l.csv:3 says passed"),
        ("fail", "max_turns", joined(stop="submitted"),
         "stop_reason: the dump says 'max_turns', l.csv:3 says 'submitted'"),
        ("pass", None, joined(label="failed"), "label: the dump leads to passed, l.csv:3 says failed"),
        ("pass", "max_turns", joined(label="turn_limit"), "label: the dump leads to passed, l.csv:3 says turn_limit"),
        ("fail", "max_turns", joined(label="failed"), "label: the dump leads to turn_limit, l.csv:3 says failed"),
        ("fail", "submitted", joined(label="turn_limit"), "label: the dump leads to failed, l.csv:3 says turn_limit"),
        (None, None, Said("l.csv:3", conflict="l.csv:3 says passed, l.csv:4 says failed"),
         "l.csv:3 says passed, l.csv:4 says failed"),
    ],
)  # fmt: skip
def test_a_conflict_is_told_and_nobody_is_believed(
    outcome: str | None, stop: str | None, said: Said, line: str
) -> None:
    found = decide(outcome, stop, 10, None, joined=said)
    assert (found.label, found.label_source, found.conflict) == ("unlabelled", "conflict", line)
    assert found.stop_reason == stop


def test_a_conflict_that_changes_no_label_is_told_and_the_label_stands() -> None:
    found = decide("fail", "max_steps", 10, None, joined=joined(stop="exit_cost"))
    assert (found.label, found.label_source) == ("failed", "dump")
    assert found.conflict == "stop_reason: the dump says 'max_steps', l.csv:3 says 'exit_cost'"


def test_an_inference_yields_to_whoever_says_more() -> None:
    assert decide(None, None, 6, None, limit_option=6, joined=joined(label="failed")).label_source == "joined"
    assert decide(None, None, 6, None, limit_option=6, joined=joined(stop="submitted")).label == "unlabelled"


def test_outcome_and_stop_kind_beside_the_label() -> None:
    """A label that is given says something about the outcome; a stop that two sources dispute has no kind."""
    assert decide(None, None, 10, None, joined=joined(label="passed")).outcome == "passed"
    assert decide(None, None, 10, None, joined=joined(label="failed")).outcome == "failed"
    assert decide(None, None, 10, None, joined=joined(label="turn_limit")).outcome == "unknown"
    assert decide("fail", None, 10, None, joined=joined("passed")).outcome == "unknown"
    assert decide("fail", "max_turns", 10, None, joined=joined(stop="submitted")).stop_kind == "unknown"
    assert decide("fail", "max_steps", 10, None, joined=joined(stop="exit_cost")).stop_kind == "step_limit"
    assert decide("fail", "max_turns", 10, None, joined=joined(stop="MaxTurnsReached")).stop_kind == "turn_limit"
    both = decide(None, "max_turns", 10, None, joined=joined(stop="max_turns"), positives=("cost_limit",))
    assert (both.stop_kind, both.label) == ("turn_limit", "unlabelled")


def test_both_raw_stop_reasons_are_kept() -> None:
    found = decide("fail", "tool_calls", 10, None, joined=joined(stop="max_turns"))
    assert (found.stop_reason, found.stop_kind, found.other_stop_reason) == ("max_turns", "turn_limit", "tool_calls")
    found = decide("fail", "max_turns", 10, None, joined=joined(stop="MaxTurnsReached"))
    assert (found.stop_reason, found.other_stop_reason) == ("max_turns", "MaxTurnsReached")


def test_hostile_words_are_spelled_out_in_the_conflict() -> None:
    found = decide("fail", "max_turns", 1, None, joined=joined(stop="stop\x1b[31m\n::error::" + "x" * 10_000))
    assert found.conflict == ""  # not a known word, so it contradicts nobody
    assert found.other_stop_reason == "stop\x1b[31m\n::error::" + "x" * 10_000
    found = decide("fail", "max_turns\x1b[31m", 1, None, kind="turn_limit", joined=joined(stop="submitted\n\x1b"))
    assert "\x1b" not in found.conflict
    assert "\n" not in found.conflict


OUTCOME = st.sampled_from(["pass", "fail", None, "partial"])
STOP = st.sampled_from(
    [None, "max_turns", "max_steps", "exit_cost", "guard", "submitted", "InternalServerError", "odd"]
)
SAID = st.builds(
    lambda outcome, stop, label: Said("l:1", outcome, stop, label),
    st.sampled_from(["passed", "failed", "unknown"]), STOP, st.sampled_from([None, *LABELS]),
)  # fmt: skip


LIMIT = st.none() | st.integers(1, 12)


@given(OUTCOME, STOP, st.integers(0, 12), LIMIT, st.none() | SAID, LIMIT, st.booleans(),
       st.sets(st.sampled_from(LIMIT_KINDS), min_size=1))  # fmt: skip
def test_whatever_is_said(
    outcome: str | None, stop: str | None, turns: int, limit: int | None, said: Said | None, option: int | None,
    torn: bool, positives: set[str],
) -> None:  # fmt: skip
    found = decide(
        outcome, stop, turns, limit, positives=sorted(positives), joined=said, limit_option=option, ends_truncated=torn
    )
    assert found.label in LABELS
    assert found.label_source in LABEL_SOURCES
    assert found.stop_kind in STOP_KINDS
    assert (found.label_source in ("none", "conflict")) <= (found.label == "unlabelled")
    assert (found.label_source == "conflict") <= bool(found.conflict)
    assert (found.label == "passed") <= (found.outcome == "passed")
    if said is None:
        assert found.conflict == ""
        assert found.label_source != "joined"
        assert found.stop_reason == stop
        assert (outcome == "pass") == (found.label == "passed")
    if torn:
        assert found.label_source != "inferred"
    if found.label == "turn_limit" and (said is None or said.label is None):
        assert found.stop_kind in positives


@given(OUTCOME, STOP, SAID, st.sets(st.sampled_from(LIMIT_KINDS), min_size=1))
def test_asking_for_more_limits_only_adds_positives(
    outcome: str | None, stop: str | None, said: Said, positives: set[str]
) -> None:
    few = decide(outcome, stop, 5, None, positives=("turn_limit",))
    many = decide(outcome, stop, 5, None, positives=("turn_limit", *sorted(positives)))
    same = few.label == many.label or many.label_source == "conflict"  # two limits, one of them now a positive
    assert same or (few.label in ("failed", "unlabelled") and many.label == "turn_limit")


def test_the_order_of_the_rule_against_a_table_written_out() -> None:
    """The label of every outcome and kind, by a second, literal reading of the five sentences."""
    for outcome, kind in product(("pass", "fail", None), STOP_KINDS):
        expected = (
            "passed" if outcome == "pass"
            else "turn_limit" if kind == "turn_limit"
            else "censored" if kind in ("guard", "user_abort")
            else "failed" if outcome == "fail" or kind == "error"
            else "unlabelled"
        )  # fmt: skip
        assert decide(outcome, None, 1, None, kind=kind).label == expected
        if stop_kind(kind) == kind:
            assert decide(outcome, kind, 1, None).label == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("turn_limits", "expected limits, found 'turn_limits'; there are turn_limit,"),
        ("guard", "expected limits, found 'guard'"),
        (" , ", "found none; there are turn_limit, step_limit, cost_limit, token_limit, time_limit, context_limit"),
        ("x\x1b[31m", "found 'x\\x1b[31m'"),
    ],
)
def test_positives_that_are_no_limits(text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_positives(text)
    assert said in str(caught.value)
    assert "\x1b" not in str(caught.value)

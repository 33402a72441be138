"""Cells of a labels file to statements."""

from typing import Any

import pytest

from calib.labels import Row, Said
from calib.labels._rows import LONGEST_CELL, Unusable, row_of, shown


def said(**cells: Any) -> Said:
    return row_of({"episode_id": "e", **cells}, "l:2")[0].said


@pytest.mark.parametrize(
    ("cells", "outcome"),
    [
        ({"outcome": "pass"}, "passed"), ({"outcome": "FAIL"}, "failed"), ({"resolved": True}, "passed"),
        ({"resolved": "False"}, "failed"), ({"resolved": None}, "unknown"), ({"success": 1}, "passed"),
        ({"score": 0}, "failed"), ({"score": 0.7}, "unknown"), ({"score": "1.0"}, "passed"),
        ({"reward": 1.0}, "passed"), ({"reward": 0.7}, "failed"), ({"reward": "0.7"}, "failed"),
        ({"reward": 3}, "unknown"), ({"correct": "true"}, "passed"), ({"passed": "no idea"}, "unknown"),
        ({"outcome": "", "resolved": "true"}, "passed"), ({"score": 0.7, "resolved": True}, "passed"),
        ({"reward": 1.0, "resolved": True}, "passed"), ({"Outcome": "pass"}, "passed"),
    ],
)  # fmt: skip
def test_outcomes(cells: dict[str, Any], outcome: str) -> None:
    assert said(**cells).outcome == outcome


def test_raw_values_stay_in_the_metadata() -> None:
    assert said(score=0.7, reward=1, note="x", seed=3).metadata == {"score": 0.7, "reward": 1, "note": "x", "seed": 3}
    assert said(outcome="pass", stop_reason="max_turns", label="passed").metadata == {}
    assert said(outcome="partial").metadata == {"outcome": "partial"}
    assert said(exit_status="Submitted").metadata == {"exit_status": "Submitted"}
    assert said(stop_reason="a", exit_status="b").stop_reason == "a"


def test_keys_under_their_other_names() -> None:
    row, noticed = row_of({"path": "a/b.json", "Instance-ID": 12, "arm": "x", "limit": False}, "l:2")
    assert row == Row(Said("l:2", metadata={"limit": False}), source="a/b.json", task="12", arm="x")
    assert noticed == []
    assert row_of({"episode_id": 3.0}, "l:2")[0].episode_id == "3"


@pytest.mark.parametrize(
    ("cells", "line"),
    [
        ({"outcome": "pass"}, "expected an episode_id, a source or a task, found none; row not used"),
        ({"arm": "x", "outcome": "pass"}, "expected an episode_id, a source or a task, found none; row not used"),
        ({"task": "", "outcome": "pass"}, "expected an episode_id, a source or a task, found none; row not used"),
        ({"task": "t", "outcome": "pass", "resolved": False},
         "outcome says passed, resolved says failed; row not used"),
        ({"task": "t", "outcome": "pass", "label": "turn_limit"},
         "label turn_limit contradicts outcome passed; row not used"),
        ({"task": "t", "outcome": "fail", "label": "passed"}, "label passed contradicts outcome failed; row not used"),
        ({"task": "t", "label": "positive\x1b[2J"},
         "label: expected one of turn_limit, passed, failed, censored, unlabelled, found 'positive\\x1b[2J'; "
         "row not used"),
        ({"task": "t", "label": ["passed"]}, "label: expected one of turn_limit, passed, failed, censored, unlabelled, "
         "found '['passed']'; row not used"),
        ({"task": {"a": 1}}, "task: expected text, found dict; row not used"),
        ({"task": True}, "task: expected text, found bool; row not used"),
        ({"task": "t", "no\nte": "x" * (LONGEST_CELL + 1)},
         f"'no\\x0ate': longer than {LONGEST_CELL} characters; row not used"),
    ],
)  # fmt: skip
def test_rows_that_cannot_be_used(cells: dict[str, Any], line: str) -> None:
    with pytest.raises(Unusable) as caught:
        row_of(cells, "l:2")
    assert str(caught.value) == line


def test_an_outcome_that_is_none_is_told_unless_it_says_so() -> None:
    assert row_of({"task": "t", "outcome": "may\nbe"}, "l:2")[1] == [
        "outcome: expected pass or fail, found 'may\\x0abe'; kept as metadata"
    ]
    assert row_of({"task": "t", "outcome": "unknown"}, "l:2")[1] == []


def test_quoted_text_is_short() -> None:
    assert len(shown("\x1b" * 500)) == 42


@pytest.mark.parametrize(
    ("word", "label"),
    [
        ("pass", "passed"), ("Resolved", "passed"), ("FAIL", "failed"), ("unresolved", "failed"),
        ("turn_limit", "turn_limit"), ("Turn limit", "turn_limit"), ("turnlimit", "turn_limit"),
    ],
)  # fmt: skip
def test_a_label_takes_the_words_of_an_outcome(word: str, label: str) -> None:
    assert said(label=word).label == label


@pytest.mark.parametrize("word", ["true", "False", "1", "0.0", 1, True, "positive"])
def test_a_label_takes_no_truth_value_nor_number(word: Any) -> None:
    """1 may stand for a pass, or for an episode that looped."""
    with pytest.raises(Unusable, match="label: expected one of turn_limit"):
        said(label=word)


def test_what_stands_for_an_outcome_and_is_none_is_told() -> None:
    row, noticed = row_of({"task": "t", "resolved": "maybe", "score": 0.7}, "l:2")
    assert noticed == ["resolved: expected pass or fail, found 'maybe'; kept as metadata"]
    assert (row.said.metadata, row.said.odd_outcome) == ({"resolved": "maybe", "score": 0.7}, True)
    assert row_of({"task": "t", "resolved": "maybe", "success": True}, "l:2")[1] == []
    assert row_of({"task": "t", "resolved": "n/a", "score": 0.7}, "l:2")[1] == []

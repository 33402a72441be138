"""What a record says about its episode: conversions, labels, and nothing lost."""

import json
from collections import Counter
from typing import Any

import pytest

from calib.formats._record import About, read_about


def about(**record: Any) -> tuple[About, Counter[str]]:
    notices: Counter[str] = Counter()
    return read_about(record, tuple(record), frozenset(("messages",)), notices), notices


@pytest.mark.parametrize(
    ("key", "value", "taken"),
    [
        ("task", "t", "t"), ("task", 7, "7"), ("task", True, "true"), ("task", 1.5, "1.5"), ("task", "", None),
        ("task", None, None), ("episode_id", 12, "12"), ("turn_limit", 64, 64), ("turn_limit", "64", 64),
        ("turn_limit", 64.0, 64), ("turn_limit", None, None), ("outcome", True, "true"),
    ],
)  # fmt: skip
def test_scalars_are_taken(key: str, value: Any, taken: Any) -> None:
    found, notices = about(**{key: value})
    assert getattr(found, key) == taken
    assert not notices
    assert found.metadata == {}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("task", ["a"]), ("model", {"name": "m"}), ("turn_limit", "many"), ("turn_limit", -1), ("turn_limit", 2**31),
        ("turn_limit", True), ("turn_limit", 6.5), ("metadata", 7), ("metadata", ["x"]),
    ],
)  # fmt: skip
def test_other_types_are_kept_under_metadata(key: str, value: Any) -> None:
    found, notices = about(**{key: value})
    assert json.loads(found.metadata_text()) == {key: value}
    assert notices == {"wrong-type": 1}


def test_unknown_keys_join_the_metadata() -> None:
    found, _ = about(metadata={"a": 1, "b": 2}, b=3, zeta=[None], messages=[1])
    assert found.metadata_text() == '{"a":1,"b":2,"record.b":3,"zeta":[null]}'
    assert about()[0].metadata_text() == "{}"


def test_an_outcome_of_its_own_is_not_lost() -> None:
    found, _ = about(outcome="partial")
    assert found.outcome_word == "unknown"
    assert json.loads(found.metadata_text()) == {"outcome": "partial"}
    assert about(outcome="pass")[0].metadata_text() == "{}"


def test_a_later_record_fills_what_is_missing() -> None:
    first, later = about(task="a", metadata={"x": 1})[0], about(task="b", model="m", metadata={"x": 2, "y": 3})[0]
    first.fill(later)
    assert (first.task, first.model, first.metadata) == ("a", "m", {"x": 1, "y": 3})

"""Operating points: one spelling, parsed and printed the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib.errors import UsageError
from calib.point import Point, Trigger, parse_point

NAMES = st.from_regex(r"[a-z_]{1,12}", fullmatch=True)


@given(st.dictionaries(NAMES, st.integers(1, 2**31 - 1), min_size=1, max_size=4))
def test_parse_gives_back_what_was_printed(thresholds: dict[str, int]) -> None:
    point = Point(tuple(Trigger(name, threshold) for name, threshold in thresholds.items()))
    assert parse_point(str(point)) == point


@pytest.mark.parametrize(
    "text",
    [
        "", "repeated_plan", "@7", "repeated_plan@", "repeated_plan@0", "repeated_plan@-1", "repeated_plan@7.5",
        "repeated_plan@7 |", "repeated_plan@7 | T2@8", "repeated_plan@99999999999", "repeated_plan@７",
    ],
)  # fmt: skip
def test_anything_else_is_one_line_of_usage(text: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_point(text)
    assert "\n" not in str(error.value)


def test_the_notes_labels_are_accepted() -> None:
    assert str(parse_point("T2@7 | T1@35")) == "repeated_plan@7 | search_run@35"

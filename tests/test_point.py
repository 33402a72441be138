"""Operating points: one spelling, parsed and printed the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib.errors import UsageError
from calib.point import Point, Trigger, parse_point
from calib.score import score, score_table
from calib.sweep import check_point, sweep
from tests.corpus import in_memory, pencil

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


def test_functions_that_take_a_point_take_its_spelling_too() -> None:
    scored = score(in_memory(pencil()))  # type: ignore[arg-type]
    point = parse_point("T2@5 | T1@10")
    assert sweep(scored, at="T2@5 | T1@10").tally == sweep(scored, at=point).tally
    assert sweep(scored, at="T2@5 | T1@10").rule == "given"
    assert score_table(scored, "T2@5 | T1@10").equals(score_table(scored, point))
    assert scored.fire_turns("T2@5").tolist() == scored.fire_turns(parse_point("T2@5")).tolist()
    assert check_point("T2@5", scored) == parse_point("T2@5")
    with pytest.raises(UsageError, match="operating point: expected DETECTOR@THRESHOLD"):
        sweep(scored, at="T2")

"""Numbers as people read them."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib import spelling


@pytest.mark.parametrize(
    ("fired", "n", "spelled"),
    [
        (0, 0, "–"),  # nothing to count
        (0, 19, ""),  # too few for a percentage of their own
        (0, 20, "0 %"),
        (20, 20, "100 %"),
        (1, 42, "2.38 %"),
        (1, 20, "5.00 %"),
        (999_999, 1_000_000, "99.9999 %"),  # never 100 unless exact
        (1, 10_000_000, "0.0000100 %"),
        (2, 3_000, "0.0667 %"),
    ],
)
def test_a_share_has_three_digits_and_is_whole_only_when_exact(fired: int, n: int, spelled: str) -> None:
    assert spelling.share(fired, n) == spelled


@pytest.mark.parametrize(
    ("bound", "upper", "lower"),
    [
        (0.0, "0 %", "0 %"),
        (1.0, "100 %", "100 %"),
        (0.0074486659725, "0.745 %", "0.744 %"),
        (0.9049661471, "90.5 %", "90.4 %"),
        (0.10803769616, "10.9 %", "10.8 %"),
        (0.0999999, "10.0 %", "9.99 %"),
        (0.999999, "99.9999 %", "99.9 %"),
        (0.01, "1.00 %", "1.00 %"),
    ],
)
def test_bounds_are_rounded_outward(bound: float, upper: str, lower: str) -> None:
    assert (spelling.at_most(bound), spelling.at_least(bound)) == (upper, lower)


@given(st.floats(min_value=1e-12, max_value=1 - 1e-12))
def test_a_spelled_bound_never_claims_more_than_the_bound(bound: float) -> None:
    upper, lower = (Decimal(text.removesuffix(" %")) for text in (spelling.at_most(bound), spelling.at_least(bound)))
    exact = Decimal(repr(bound)) * 100
    assert lower <= exact <= upper
    assert lower > 0
    assert upper < 100 or exact > Decimal("99.99999999")


def test_turns_and_points() -> None:
    assert spelling.turn(12.5) == "12.5"
    assert spelling.short("repeated_plan@7 | loop_guard@3") == "T2@7 | loop_guard@3"
    assert spelling.confidence(0.975) == "97.5 %"
    assert [spelling.run(7, 39), spelling.run(7, 7), spelling.run(7, None)] == ["7–39", "7", "from 7 on"]

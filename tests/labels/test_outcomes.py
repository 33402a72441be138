"""What counts as a pass."""

from hypothesis import given
from hypothesis import strategies as st

from calib.labels import OUTCOMES, outcome_of, outcome_of_reward


def test_numbers_are_outcomes_only_when_they_are_0_or_1() -> None:
    assert [outcome_of(said) for said in (0, 1, 0.0, 1.0, 0.5, 2, -1)] == [
        "failed", "passed", "failed", "passed", "unknown", "unknown", "unknown",
    ]  # fmt: skip


def test_a_reward_passes_only_as_a_whole() -> None:
    assert [outcome_of_reward(said) for said in (1, 1 - 1e-7, 1 - 1e-5, 0, "1.0", "0.99", 1.5, -0.1, 10**400)] == [
        "passed", "passed", "failed", "failed", "passed", "failed", "unknown", "unknown", "unknown",
    ]  # fmt: skip


@given(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.integers())))
def test_anything_gives_an_outcome(said: object) -> None:
    assert outcome_of(said) in OUTCOMES
    assert outcome_of_reward(said) in OUTCOMES

"""Near duplicates: what is masked, what stays, and that long words take no longer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib.mask import mask, same_masked


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("step 3 of 12", "step <n> of <n>"),
        ("at 14:03:59, 2026-10-27T14:03:59.123Z and 10/27/26", "at <time>, <time> and <time>"),
        ("commit 1f3a9c2 of 0xDEADBEEF", "commit <n> of <n>"),
        ("123e4567-e89b-12d3-a456-426614174000", "<n>"),
        ("call_a1B2c3D4e5F6 failed", "call_<n> failed"),
        ("call_g1H2k3M4n5P6 web-7d9f8c6b5-x2k4z", "call_<n> web-<n>-<n>"),
        ("job-0000000a, job-00000010, /tmp/b-1f3a9c2/x", "job-<n>, job-<n>, /tmp/b-<n>/x"),
        ("1f3a9c2z 1234567.5 bad-decade", "<n>f<n>a<n>c<n>z <n> bad-decade"),
        ("tests/test_parser_2.py line 1,024.5", "tests/test_parser_<n>.py line <n>"),
        ("a\n  b\tc  ", "a b c"),
        ("defaced facade", "defaced facade"),
        ("sha256 utf8 v1.2.3", "sha<n> utf<n> v<n>"),
        ("1234567", "<n>"),
        ("(3) [12] `x1`", "(<n>) [<n>] `x<n>`"),
        ("e\u0301tape 2", "étape <n>"),
        ("\u212b\u2000 x", "Å x"),
        ("", ""),
        (" \n", ""),
    ],
)
def test_what_is_masked(text: str, masked: str) -> None:
    assert mask(text) == masked


def test_plans_with_other_names_are_other_plans() -> None:
    assert mask("read config.py again, try 4") == mask("read config.py  again,\ntry 17")
    assert mask("read config.py") != mask("read parser.py")


@pytest.mark.parametrize("spelled", ["commit {:07x} again", "request {:08x}", "job-{:08x} waits", "in {:012x}"])
@given(st.lists(st.integers(1, 16**7 - 1), min_size=2, max_size=4))
def test_one_plan_about_many_ids_is_one_plan(spelled: str, ids: list[int]) -> None:
    plans = [spelled.format(each) for each in ids]
    assert len({mask(plan) for plan in plans if any(letter.isdigit() for letter in plan)}) <= 1


@given(st.text(max_size=80), st.sampled_from((" ", "\n", "\u00a0")))
def test_white_space_never_matters(text: str, space: str) -> None:
    assert mask(text.replace(" ", space)) == mask(text)
    assert mask(f"{space}{text}{space}") == mask(text)


@pytest.mark.parametrize("unit", ["a", "0", "a0", "0:", "0-", "deadbeef", "0.", "a,", "0,", "a=", "-a"])
def test_a_word_without_end_is_masked_in_linear_time(unit: str) -> None:
    mask(unit * 100_000)  # in square time this takes minutes


PLANS = st.sampled_from(
    ["step 1: look", "step  2: look\n", "step 1: look on", " \n", "", "look", "a 1 b c d e 2", "a 9 x c d e 3"]
)


@given(st.lists(st.lists(PLANS | st.none(), max_size=7), max_size=4))
def test_the_first_turn_with_the_same_masked_plan(episodes: list[list[str | None]]) -> None:
    expected: list[int | None] = []
    for plans in episodes:
        masks = [mask(plan or "") for plan in plans]
        expected += [masks.index(masked) if masked else None for masked in masks]
    found = same_masked([len(plans) for plans in episodes], [plan for plans in episodes for plan in plans])
    assert found == expected

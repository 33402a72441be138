"""Whose id somebody means who wrote down what calib showed."""

from hypothesis import given
from hypothesis import strategies as st

from calib.naming import meant
from calib.reports._columns import STUCK, distinct_names, name

NAMES = st.text(alphabet="ab/.#1中 …\x1b", min_size=1, max_size=40).map(str.strip).filter(lambda text: text.strip("…"))


@given(NAMES, st.integers(8, 20))
def test_a_name_as_a_report_shows_it_means_it(text: str, width: int) -> None:
    assert meant(name(text, width).replace(STUCK, " "), text)


def test_what_is_cut_out_is_not_counted_twice() -> None:
    assert [meant(said, "abcab") for said in ("ab…ab", "a…cab", "abc…cab", "ab…cab", "b…ab")] == [
        True, True, False, False, False,
    ]  # fmt: skip


@given(st.lists(NAMES, min_size=1, max_size=5, unique=True))
def test_names_of_one_table_are_told_apart(texts: list[str]) -> None:
    assert len(set(distinct_names(texts, 16))) == len(texts)

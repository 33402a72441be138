"""Text in terminal cells."""

from hypothesis import given
from hypothesis import strategies as st

from calib.reports._columns import cells, guarded, name, pad, safe, table, wrap
from tests.sweeps import HOSTILE


def test_wide_letters_take_two_cells() -> None:
    assert [cells("ab"), cells("中文"), cells("é"), cells("e\u0301")] == [2, 4, 1, 1]
    assert pad("中", 4) + "|" == "中  |"
    assert pad("1", 3, right=True) == "  1"


@given(st.sampled_from(HOSTILE) | st.text(max_size=50), st.integers(8, 40))
def test_a_name_fits_and_does_not_break(text: str, width: int) -> None:
    shown = name(text, width)
    assert 0 < cells(shown.replace("\x00", " ")) <= width
    assert " " not in shown
    assert wrap(f"see {shown} there", 20) == wrap(f"see {shown} there", 20)
    assert any(shown in line for line in wrap(f"see {shown} there", 20))


@given(st.lists(st.text(alphabet="ab中", min_size=1, max_size=6), min_size=1, max_size=20), st.integers(16, 40))
def test_wrapping_loses_no_word_and_keeps_the_width(words: list[str], width: int) -> None:
    lines = wrap(" ".join(words), width, "> ", "  ")
    assert [word for line in lines for word in line[2:].split(" ")] == words
    assert all(cells(line) <= width for line in lines)


def test_columns_line_up_by_cells() -> None:
    lines = table([("a", "n"), ("中文", "10")], (False, True), "")
    assert lines == ["a      n", "中文  10"]
    assert len({cells(line) for line in lines}) == 1


def test_what_github_obeys_is_broken_up() -> None:
    assert guarded(["  ::error::x", "tests::a"]) == "  \\x3a:error::x\ntests::a\n"
    assert safe("##[group]y") == "##\\x5bgroup]y"
    assert "##[" not in name("##[error]" * 9, 21)

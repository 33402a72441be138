"""Every code is explained."""

import pytest

from calib.errors import UsageError
from calib.formats._codes import CODES, NOTICES
from calib.reports.codes import WHY, explain, listed, shortened


@pytest.mark.parametrize("code", sorted({*CODES, *NOTICES}))
def test_every_code_is_explained(code: str) -> None:
    first, what, cause, remedy = explain(code).split("\n")
    assert first.startswith(f"{code}: ")
    assert ("lost" in first) == (code in CODES)
    assert what == f"  what   {({**CODES, **NOTICES})[code]}"
    assert cause.startswith("  cause  ")
    assert remedy.startswith("  to do  ")


def test_the_two_lists_share_no_code() -> None:
    assert not set(CODES) & set(NOTICES)


def test_explanations_are_short_sentences() -> None:
    for code, said in WHY.items():
        for text in said:
            assert 5 < len(text) < 120, code
            assert text == text.strip().rstrip("."), code
            assert text[0].islower() or text.startswith("Python"), code


@pytest.mark.parametrize(("code", "line"), [
    ("json-invald", "--explain: no code named 'json-invald'; there are json-invalid, "),
    ("\x1b[2J" + "x" * 500, "--explain: no code named '\\x1b[2J"),
])  # fmt: skip
def test_a_code_that_is_none(code: str, line: str) -> None:
    with pytest.raises(UsageError) as caught:
        explain(code)
    assert str(caught.value).startswith(line)
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("width", [60, 80, 200])
def test_the_list_names_every_code_once(width: int) -> None:
    lines = listed(width).splitlines()
    assert sorted(line.split()[0] for line in lines if line.startswith("  ")) == sorted({*CODES, *NOTICES})
    assert all(len(line) <= max(width, 75) for line in lines)


def test_a_line_is_cut_at_a_word() -> None:
    assert shortened("one two three", 9) == "one two …"
    assert shortened("one two", 7) == "one two"

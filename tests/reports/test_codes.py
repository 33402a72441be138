"""Every code is explained."""

import pytest

from calib.errors import UsageError
from calib.formats._codes import CODES, NOTICES
from calib.reports.codes import WHY, explain


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

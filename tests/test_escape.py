"""One function per sink: what acts is spelled out, what shows stays."""

import csv
import io
import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from calib import escape
from tests.sweeps import HOSTILE

ANY = st.text(max_size=60) | st.sampled_from(HOSTILE)
INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@given(ANY)
def test_nothing_that_acts_is_left(text: str) -> None:
    shown = escape.terminal(text)
    assert not {unicodedata.category(c) for c in shown} & INVISIBLE
    assert shown.encode().decode() == shown  # no lone surrogate


@given(st.text(alphabet=st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=40))
def test_plain_text_stays_as_it_is(text: str) -> None:
    assume(not escape.ORDER.search(text))
    assert escape.terminal(text) == text


@given(ANY, st.integers(5, 60))
def test_a_width_is_kept(text: str, width: int) -> None:
    shown = escape.terminal(text, width)
    assert len(shown) <= width
    assert shown[:1] == escape.visible(text)[:1]


@pytest.mark.parametrize("text", ["[red]x[/bold]", "[link=http://e.x]", ":skull:", r"\[red]\ "])
def test_markup_of_other_libraries_is_literal(text: str) -> None:
    assert escape.terminal(text) == text


@given(ANY)
def test_markdown_shows_one_code_span_and_nothing_else(text: str) -> None:
    (inline,) = MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(
        "- x " + escape.markdown(text, cell=False)
    )[3:4]
    children = inline.children or []
    assert [child.type for child in children] == ["text", "code_inline"]


@given(st.lists(ANY, min_size=1, max_size=4))
def test_a_markdown_row_keeps_its_cells(texts: list[str]) -> None:
    row = "| " + " | ".join(escape.markdown(text) for text in texts) + " |"
    table = "\n".join(["|" + " h |" * len(texts), "|" + " --- |" * len(texts), row])
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(table)
    cells = [after for token, after in pairwise(tokens) if token.type == "td_open"]
    assert len(cells) == len(texts)
    assert all([child.type for child in cell.children or []] == ["code_inline"] for cell in cells)


@given(ANY)
def test_a_csv_cell_is_no_formula(text: str) -> None:
    cell = escape.csv_cell(text)
    assert cell.strip()[:1] not in {*escape.ACTIVE}
    out = io.StringIO()
    csv.writer(out).writerow([cell, "end"])
    assert next(csv.reader(io.StringIO(out.getvalue()))) == [cell, "end"]
    assert out.getvalue().count("\n") == 1


ORDERS = ("::error::x", " ::stop-commands::x", "a ::Add-Mask::x", "::set-output name=a::b", "##[error]x", "x##[group]")


@given(st.text(max_size=20) | st.sampled_from(ORDERS), st.text(max_size=20))
def test_no_piece_of_a_line_is_an_order_to_a_github_log(text: str, before: str) -> None:
    line = escape.visible(before + text)
    pieces = [line[at:].lstrip().lower() for at in range(len(line))]  # a line may be wrapped anywhere
    assert not [piece for piece in pieces if re.match("::(error|warning|stop-|add-|set-|group|echo)", piece)]
    assert "##[" not in line
    assert "\n" not in line


def test_an_id_of_pytest_stays_as_it_is() -> None:
    assert escape.visible("tests/test_a.py::test_b") == "tests/test_a.py::test_b"


@given(ANY)
def test_a_plot_label_is_one_short_line_and_not_hidden(text: str) -> None:
    label = escape.label(text)
    assert len(label) <= 41
    assert not label.startswith("_")
    assert "\n" not in label

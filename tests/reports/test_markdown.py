"""The Markdown report: parsed as GitHub parses it, with HTML on."""

import re

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from calib.reports import markdown
from calib.results import Lost, Moved
from tests import golden
from tests.sweeps import FAILING, HOSTILE, NOTHING, hostile, known_of, note, pencil, report_of, sweep_of

SWEPT = sweep_of(pencil(), lost=Lost(1, 312, 48_213, {"not_json": 1}), warnings=("a warning",))
PENCIL = report_of(
    SWEPT,
    FAILING,
    Moved(("caught 4 -> 5: L3",), "calib 0.0.9, schema 1, 13 episodes"),
    known_of(SWEPT, drawn=pencil()),
)
READER = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")


def parsed(text: str) -> list[Token]:
    """Give all tokens, inline ones too."""
    return [each for token in READER.parse(text) for each in (token, *(token.children or []))]


def shape(text: str) -> list[str]:
    """Give what the reader sees without its words."""
    return [token.type for token in parsed(text)]


def test_the_pencil_report_is_as_accepted() -> None:
    golden.check("markdown.md", markdown.render(PENCIL))


def test_the_reports_of_groups_begin_with_a_table_of_all() -> None:
    reports = [
        report_of(sweep_of(pencil(), group="model=a"), NOTHING),
        report_of(sweep_of(note(), group="model=b"), FAILING),
    ]
    text = markdown.render(reports)
    assert text.startswith(f"**FAIL** `{FAILING.line}`")
    assert text.index("| group |") < text.index("### `model=a`") < text.index("### `model=b`")


@pytest.mark.parametrize("labels", [("passed",), ("turn_limit",), ()])
def test_missing_labels_show_levels(labels: tuple[str, ...]) -> None:
    text = markdown.render(report_of(sweep_of(note(labels=labels))))
    assert "Highest levels (no " in text
    assert "table_open" in shape(text)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_support_episodes_change_no_token(text: str) -> None:
    """T4: no HTML, link, image, heading or cell comes from the text; a mention stays in its code span."""

    def render(what: str) -> str:
        report = report_of(sweep_of(hostile(what), group=f"model={what}"), FAILING, Moved((what,), what))
        return markdown.render(report)

    shown = render(text)
    assert shape(shown) == shape(render("plain"))
    assert not {"html_inline", "html_block", "link_open", "image"} & set(shape(shown))
    outside = "".join(token.content for token in parsed(shown) if token.type == "text")
    assert "@user" not in outside
    assert "alert" not in outside


def test_rules_stand_in_code_spans_wherever_a_sentence_spells_them() -> None:
    names = ("run(tool:read_*|ls)", "lag(call+result,1,only=!tool:__x__)")
    found = sweep_of(pencil(), detectors=names)
    text = markdown.render(report_of(found, known=known_of(found, drawn=pencil())))
    outside = "".join(re.split(r"`[^`\n]*`", text))
    assert "near misses" in text.lower()
    assert [name for name in ("run(", "lag(", "__x__") if name in outside] == []
    assert "- lower `run(tool:read_*|ls)` by 1: false fire on `P3`" in text
    assert "- of 8 passed episodes 7 were at risk for `run(tool:read_*|ls)@5` (1 not observable): 0 fired" in text

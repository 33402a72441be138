"""docs/detectors.md says what the code says and what running it shows."""

from scripts.detectors_page import DOCUMENT, blocks, filled
from tests.test_corpora import CORPORA


def test_the_page_is_what_the_code_says_and_shows() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    made = blocks(CORPORA)  # without the open corpora their block is not made anew
    assert filled(text, made) == text, "python -m scripts.detectors_page ../shared/corpora"


def test_a_block_is_put_between_its_marks_alone() -> None:
    page = "a\n<!-- one -->\n<!-- end -->\nb\n<!-- two -->\nold\n<!-- end -->\n"
    assert filled(page, {"one": "1", "two": "2"}) == (
        "a\n<!-- one -->\n1\n<!-- end -->\nb\n<!-- two -->\n2\n<!-- end -->\n"
    )

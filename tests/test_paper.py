"""docs/paper.md shows the figures that notebooks/03_the_paper.ipynb computes, and the tables add up to the note's."""

import os
from pathlib import Path
from typing import Any

import pytest

from tests.test_notebooks import FOLDER, code

PAGE = Path(__file__).parents[1] / "docs" / "paper.md"
BEGIN, END = "<!-- figures -->\n", "<!-- end of figures -->\n"


def table(figures: list[tuple[str, str, str, str]]) -> str:
    """The figures in Markdown, by section."""
    rows = [f"| {section} | {what} | {printed} | {found} |\n" for section, what, printed, found in figures]
    return "\n| section | figure | published | computed |\n|---|---|---|---|\n" + "".join(rows) + "\n"


def test_the_page_shows_what_is_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, source in enumerate(code(FOLDER / "03_the_paper.ipynb")):
        exec(compile(source, f"code cell {number}", "exec"), names)
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    computed = f"{before}{BEGIN}{table(names['figures'])}{END}{after}"
    if os.environ.get("CALIB_GOLDEN") == "write":
        PAGE.write_text(computed, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == computed
    assert len(names["figures"]) > 50

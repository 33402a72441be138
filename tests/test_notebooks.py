"""Every notebook runs from top to bottom in an empty folder, is kept without outputs, and ends in an assertion."""

import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def cells(path: Path, kind: str) -> list[dict[str, Any]]:
    return [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == kind]


def code(path: Path) -> list[str]:
    return ["".join(cell["source"]) for cell in cells(path, "code")]


def test_there_are_three() -> None:
    assert [path.name for path in NOTEBOOKS] == [
        "01_choose_thresholds.ipynb", "02_how_sure_are_we.ipynb", "03_the_paper.ipynb",
    ]  # fmt: skip


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_well_formed_and_stripped(path: Path) -> None:
    book = json.loads(path.read_text())
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    for cell in cells(path, "code"):
        assert (cell["outputs"], cell["execution_count"], cell["metadata"]) == ([], None, {})
    assert code(path)[-1].splitlines()[-1].startswith("assert ")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, source in enumerate(code(path)):
        exec(compile(source, f"{path.name}, code cell {number}", "exec"), names)

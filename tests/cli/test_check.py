"""`calib check`: findings, then a verdict on the last line, and the exit code that says the same."""

import json
import shutil
from pathlib import Path

import pytest
import typer

from calib.cli import check as command
from calib.errors import CorpusError, Exit

app = typer.Typer()
app.command()(command.check)


@app.callback()
def _root() -> None:
    pass


def checked(capsys: pytest.CaptureFixture[str], folder: Path) -> tuple[int, list[str]]:
    code = app(["check", str(folder)], standalone_mode=False)
    return int(code), capsys.readouterr().out.splitlines()


def test_a_sound_corpus(capsys: pytest.CaptureFixture[str], corpus: Path) -> None:
    code, lines = checked(capsys, corpus)
    assert code == Exit.FINE
    assert lines == ["check      1 source, 1 part, 429 rows: sound"]


def test_a_corpus_that_disagrees_with_itself(capsys: pytest.CaptureFixture[str], corpus: Path, tmp_path: Path) -> None:
    shutil.copytree(corpus, tmp_path / "c")
    manifest = json.loads((tmp_path / "c/calib.json").read_text())
    manifest["sources"][0]["account"]["kept"] += 1
    manifest["sources"][0]["source"] = "\x1b[2J"
    manifest["parts"][0]["source"] = "\x1b[2J"
    (tmp_path / "c/calib.json").write_text(json.dumps(manifest))
    code, lines = checked(capsys, tmp_path / "c")
    assert code == Exit.COULD_NOT_RUN
    assert lines[0].startswith("\\x1b[2J: account: expected")
    assert lines[-1] == "check      1 source, 1 part, 429 rows: 3 disagreements; ingest the dumps again"
    assert len(lines) == 4


def test_findings_are_capped(
    capsys: pytest.CaptureFixture[str], corpus: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(command, "MOST", 2)
    shutil.copytree(corpus, tmp_path / "c")
    for file in (tmp_path / "c").glob("*/*.parquet"):
        file.unlink()
    code, lines = checked(capsys, tmp_path / "c")
    assert code == Exit.COULD_NOT_RUN
    assert lines[2:] == ["2 more", "check      1 source, 1 part, 0 rows: 4 disagreements; ingest the dumps again"]


def test_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(CorpusError):
        app(["check", str(tmp_path)], standalone_mode=False)

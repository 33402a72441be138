"""`calib ingest --explain`: with a code, with none, with one that there is not."""

import pytest

from calib.cli import run
from calib.errors import Exit


def test_without_a_code_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ingest", "--explain"]) == Exit.FINE
    shown = capsys.readouterr().out
    assert "\n  json-truncated " in shown
    assert "\n  bom " in shown


def test_with_a_code_it_alone_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ingest", "--explain", "bom"]) == Exit.FINE
    assert capsys.readouterr().out.startswith("bom: counted as a notice")


def test_an_unknown_code_is_refused_and_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ingest", "--explain", "bomb"]) == Exit.COULD_NOT_RUN
    shown = capsys.readouterr()
    assert "\n  bom " in shown.out
    assert shown.err.startswith("calib: --explain: no code named 'bomb'; there are bom")

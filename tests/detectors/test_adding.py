"""Adding a detector is one file and its test: this one lives in a temporary package for as long as the test runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from calib import detectors, registry
from calib.detectors import SWEPT, detector, documentation, names
from calib.evaluate import levels_of
from calib.rules import Rule
from tests import literal
from tests.cli.conftest import Calib, calib, corpus
from tests.evaluate.episodes import columns, drawn

__all__ = ["calib", "corpus"]  # fixtures

FILE = '''"""Two in a row: the same call twice.

Counts
    Calls in a row that equal the call before.

Fires when
    The level reaches 1.

Why
    To show how a detector is added.

Blind spots
    Everything else.

Differs from
    Nothing that matters.

Source
    This test.
"""

from calib.rules import parse_rule

DEFAULT = 1
RULE = parse_rule("lag(call,1)")
'''


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Put one file into a folder that the package looks into."""
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "two_in_a_row.py").write_text(FILE)
    monkeypatch.setattr(detectors, "__path__", [*detectors.__path__, str(tmp_path / "more")])
    registry.names.cache_clear()
    yield "two_in_a_row"
    registry.names.cache_clear()
    registry.entry.cache_clear()


def test_one_file_is_a_detector(added: str) -> None:
    assert added in names()
    assert added not in SWEPT
    assert (detector(added).name, detector(added).default, str(detector(added).rule)) == (added, 1, "lag(call,1)")
    assert documentation(added).startswith("Two in a row")


def test_and_this_is_its_test(added: str) -> None:
    rule = detector(added).rule
    assert isinstance(rule, Rule)
    assert levels_of(rule, columns([drawn("a a b a a a")])).tolist() == [0, 1, 0, 0, 1, 2]
    assert literal.levels(rule, drawn("a a b a a a")) == [0, 1, 0, 0, 1, 2]


def test_every_command_knows_it(added: str, calib: Calib, corpus: Path) -> None:
    assert "two_in_a_row@1  Two in a row: the same call twice." in calib("detectors").out
    assert calib("detectors", added).out.startswith("Two in a row")
    assert calib("score", corpus, "two_in_a_row@1 | T2@5").code == 0
    assert calib("sweep", corpus, "two_in_a_row").code == 0


def test_it_is_gone_with_its_file() -> None:
    assert "two_in_a_row" not in names()

"""`calib tools`: counting the actions of turns, and which map is shown."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl
import pytest

from calib.cli.tools import counted, tools

PARTS = (
    pl.DataFrame({"actions": [["bash:ls", "bash:ls"], [], ["read"]]}),
    pl.DataFrame({"actions": [["bash:ls"], ["mystery"]]}, schema={"actions": pl.List(pl.Categorical)}),
    pl.DataFrame({"actions": []}, schema={"actions": pl.List(pl.String)}),
)


class Turns:
    """A corpus of which only the actions are asked."""

    def read(self, table: str, columns: Sequence[str]) -> Iterator[pl.DataFrame]:
        assert (table, list(columns)) == ("turns", ["actions"])
        return iter(PARTS)


@pytest.fixture(autouse=True)
def corpus(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("calib.corpus.open_corpus", lambda path: Turns())
    monkeypatch.chdir(tmp_path)


def test_each_place_counts() -> None:
    assert counted(PARTS) == {"bash:ls": 3, "read": 1, "mystery": 1}
    assert counted([]) == {}


def test_the_shipped_map_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    tools("corpus")
    shown = capsys.readouterr().out
    assert "unplaced      1  mystery" in shown
    assert "reads         3  bash:ls  shell" in shown


def test_the_configured_names_are_added(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "calib.toml").write_text('[tools]\nreads = ["mystery"]\n', encoding="utf-8")
    tools("corpus")
    shown = capsys.readouterr().out
    assert "reads      1  mystery  [tools]" in shown
    assert "reads      3  bash:ls  shell" in shown


def test_a_given_list_is_everything(capsys: pytest.CaptureFixture[str]) -> None:
    tools("corpus", reads="read")
    shown = capsys.readouterr().out
    assert "reads      1  read     --reads" in shown
    assert "other      3  bash:ls  --reads" in shown

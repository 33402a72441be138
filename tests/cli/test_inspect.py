"""`calib inspect` finds the episode that is meant."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.conftest import Calib
from tests.corpus import ingested, pencil


@pytest.fixture
def long_ids(tmp_path: Path) -> Path:
    """Two episodes whose ids differ by one letter inside."""
    made = [replace(pencil()[0], episode_id=f"runs/of/the/week/{file}.jsonl#12") for file in "ab"]
    ingested(made, tmp_path)
    return tmp_path / "corpus"


@pytest.mark.parametrize("said", ["runs/of/the/…a.jsonl#12", "a.jsonl#12", "runs/of/the/week/a.jsonl#12"])
def test_inspect_takes_an_id_as_calib_shows_it(calib: Calib, long_ids: Path, said: str) -> None:
    assert calib("inspect", long_ids, said).out.startswith("runs/of/the/week/a.jsonl#12\n")


def test_inspect_writes_ids_out_where_a_short_one_is_of_several_or_of_none(calib: Calib, long_ids: Path) -> None:
    one, other = "runs/of/the/week/a.jsonl#12", "runs/of/the/week/b.jsonl#12"
    assert calib("inspect", long_ids, "#12").err == f"calib: 2 episodes named '#12', write one out: {one}, {other}\n"
    long = f"{'x' * 70}/a.jsonl#13"
    assert calib("inspect", long_ids, long).err == f"calib: no episode named {long!r}; there are {one}, {other}\n"

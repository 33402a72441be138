"""Worker processes make of reasoning what one process does: they have all that the scanners need."""

from pathlib import Path

import polars as pl
import pytest

from calib.corpus import open_corpus
from calib.ingest import ingest
from tests.corpus import episode_lines, pencil


def turns(folder: Path, dumps: list[Path], workers: int, text: bool) -> pl.DataFrame:
    ingest(dumps, folder, workers=workers, text=text)
    return pl.concat([pl.read_parquet(file) for file in open_corpus(folder).files("turns")])


@pytest.mark.parametrize("text", [True, False])
def test_two_workers_scan_reasoning_as_one_process_does(tmp_path: Path, text: bool) -> None:
    dumps = [tmp_path / f"{name}.jsonl" for name in ("one", "two")]
    for at, dump in enumerate(dumps):
        dump.write_bytes(episode_lines(pencil()[at::2]))
    alone, together = (turns(tmp_path / str(workers), dumps, workers, text) for workers in (1, 2))
    assert together.equals(alone)
    assert together.height == sum(len(one.reasoning) for one in pencil())

"""`calib tools`: what the tools of a corpus do, and which of them nobody places."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from calib.cli._options import ConfigPath, CorpusPath, Reads, load_config
from calib.cli._options import tools as named
from calib.cli._output import emit

if TYPE_CHECKING:
    import polars as pl


def tools(corpus: CorpusPath, reads: Reads = "", config: ConfigPath = "") -> None:
    """Show what each tool of a corpus does: reads, writes, tests, something else, or not known.

    T1 counts turns that only read. What is not placed here never reads; place it under [tools] in calib.toml.
    """
    settings = load_config(config)
    from calib.corpus import open_corpus
    from calib.reports.tools import render
    from calib.tools import Map

    placing = Map.exactly(named(reads, settings)) if reads else Map(reads=settings.reads)
    emit(render(counted(open_corpus(corpus).read("turns", ["actions"])), placing))


def counted(turns: Iterable["pl.DataFrame"]) -> dict[str, int]:
    """Count how often each action stands in the column `actions` of some turns."""
    import polars as pl

    counts: dict[str, int] = {}
    for frame in turns:
        found = frame.select(pl.col("actions").explode().cast(pl.String)).drop_nulls()
        for action, times in found["actions"].value_counts().iter_rows():
            counts[action] = counts.get(action, 0) + times
    return counts

"""`calib tools`: what the tools of a corpus do, and which of them nobody places."""

from collections import Counter
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

    emit(render(counted(open_corpus(corpus).read("turns", ["actions"])), named(reads, settings)))


def counted(turns: Iterable["pl.DataFrame"]) -> dict[str, int]:
    """Count how often each action stands in the column `actions` of some turns."""
    from calib.evaluate.actions import actions_in

    counts: Counter[str] = Counter()
    for frame in turns:
        counts.update(actions_in(frame))
    return dict(counts)

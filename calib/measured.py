"""Measures of every reasoning text of a corpus, as a table: for those who look for a rule."""

from collections.abc import Collection

import polars as pl

from calib.corpus import Corpus
from calib.errors import UsageError
from calib.escape import visible
from calib.measures import COLUMNS, measures


def measure_table(corpus: Corpus, episodes: Collection[str]) -> pl.DataFrame:
    """Give one row a turn with reasoning: `episode_id`, `turn`, then the columns of `calib.measures`.

    Of the named episodes only, in the order of the corpus. Raises UsageError for a corpus ingested with --no-text.
    """
    if not corpus.manifest["options"].get("text", True):
        raise UsageError(
            f"{visible(str(corpus.path))}: --measures reads texts, and --no-text kept none; ingest with them"
        )
    kept = pl.Series(list(episodes), dtype=pl.String)
    parts = [
        _measured(turns.filter(pl.col("reasoning").is_not_null() & pl.col("episode_id").is_in(kept.implode())))
        for turns in corpus.read("turns", ["episode_id", "turn", "reasoning"])
    ]
    return pl.concat([_measured(pl.DataFrame(schema=READ)), *parts])


READ = {"episode_id": pl.String, "turn": pl.Int32, "reasoning": pl.String}


def _measured(turns: pl.DataFrame) -> pl.DataFrame:
    found = [measures(text) for text in turns["reasoning"]]
    columns = [pl.Series(name, [each[name] for each in found], dtype=pl.Int32) for name in COLUMNS]
    return turns.select("episode_id", "turn").with_columns(columns)

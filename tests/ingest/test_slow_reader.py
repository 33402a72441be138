"""Ingest against a second reader: every column equals what plain loops make of the same values."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import pytest
from hypothesis import given

from calib.corpus import Corpus
from calib.tables import EPISODES, TEXT_COLUMNS, TURNS
from tests.corpus import Episode, frames, ingested
from tests.test_surface_properties import corpora, thorough


def rows(corpus: Corpus, table: str, columns: Sequence[str]) -> list[dict[str, Any]]:
    return [row for part in corpus.read(table, columns) for row in part.to_dicts()]


def by_id(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: (row["episode_id"].encode(), row.get("turn", 0)))


def expected(table: pl.DataFrame, text: bool) -> list[dict[str, Any]]:
    kept = table if text else table.with_columns(**dict.fromkeys(TEXT_COLUMNS & set(table.columns)))
    return kept.to_dicts()


@pytest.mark.parametrize("form", ["episodes", "messages"])
@pytest.mark.parametrize("text", [True, False])
@given(episodes=corpora())
@thorough(30)
def test_turns_are_the_slow_reader_s(form: str, text: bool, episodes: list[Episode]) -> None:
    with TemporaryDirectory() as folder:
        found = rows(ingested(episodes, Path(folder), form=form, text=text), "turns", TURNS.names())
    assert by_id(found) == expected(frames(episodes)[1], text)


@given(episodes=corpora())
@thorough(30)
def test_episodes_are_the_slow_reader_s(episodes: list[Episode]) -> None:
    made = [name for name in EPISODES.names() if name not in ("digest", "format", "source_line")]
    with TemporaryDirectory() as folder:
        found = rows(ingested(episodes, Path(folder)), "episodes", made)
    assert by_id(found) == frames(episodes)[0].select(made).to_dicts()

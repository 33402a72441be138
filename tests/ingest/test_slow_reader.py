"""Ingest against a second reader: every column equals what plain loops make of the same values."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import pytest
from hypothesis import given

from calib.corpus import Corpus
from calib.mask import mask
from calib.scanners import module, names, scan
from calib.tables import EPISODES, TEXT_COLUMNS, TURNS
from tests.corpus import Episode, frames, ingested
from tests.test_surface_properties import corpora, thorough


def rows(corpus: Corpus, table: str, columns: Sequence[str]) -> list[dict[str, Any]]:
    return [row for part in corpus.read(table, columns) for row in part.to_dicts()]


def by_id(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: (row["episode_id"].encode(), row.get("turn", 0)))


def expected(table: pl.DataFrame, text: bool) -> list[dict[str, Any]]:
    if text:
        return table.to_dicts()
    counted = [row | read_off(row) for row in table.to_dicts()]
    for row in counted:
        masked = mask(row["reasoning"] or "")
        alike = [
            other["turn"]
            for other in counted
            if other["episode_id"] == row["episode_id"] and mask(other["reasoning"] or "") == masked
        ]
        row["same_masked_reasoning_as"] = min(alike) if masked else None
    return [row | dict.fromkeys(TEXT_COLUMNS & set(row)) for row in counted]


def read_off(row: dict[str, Any]) -> dict[str, int]:
    """Count what the scanners count in the texts of a turn."""
    return {level: n for name in names() for level, n in scan(name, row[module(name).READS] or "").items()}


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

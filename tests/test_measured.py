"""Measures of a corpus: a row for each turn with reasoning; none without texts."""

from pathlib import Path

import pytest

from calib.errors import UsageError
from calib.measured import measure_table
from calib.measures import measures
from tests.corpus import Episode, ingested

STORY = [
    Episode("b", "passed", ["go on and on " * 9, None, "once"], [["t"], ["t"], []]),
    Episode("a", "failed", ["first"], [["t"]]),
]


def test_every_turn_with_reasoning_has_a_row(tmp_path: Path) -> None:
    found = measure_table(ingested(STORY, tmp_path / "full"), ["a", "b"])
    assert found.rows(named=True) == [
        {"episode_id": name, "turn": turn} | measures(text)
        for name, turn, text in (("a", 0, "first"), ("b", 0, "go on and on " * 9), ("b", 2, "once"))
    ]


def test_only_the_named_episodes(tmp_path: Path) -> None:
    corpus = ingested(STORY, tmp_path / "full")
    assert measure_table(corpus, ["a"])["episode_id"].to_list() == ["a"]
    assert measure_table(corpus, []).is_empty()


def test_a_corpus_without_texts_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--no-text kept none"):
        measure_table(ingested(STORY, tmp_path / "bare", text=False), ["a"])

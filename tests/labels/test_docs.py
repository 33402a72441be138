"""docs/labels.md says what the code says."""

from pathlib import Path

from calib.labels import LABEL_SOURCES, STOP_KINDS, vocabulary
from calib.labels._columns import KEYS, OUTCOME_COLUMNS, STOP_COLUMNS

PAGE = (Path(__file__).parents[2] / "docs" / "labels.md").read_text(encoding="utf-8")


def test_the_vocabulary_is_that_of_the_code() -> None:
    for kind, meaning in STOP_KINDS.items():
        words = " ".join(f"`{word}`" for word in vocabulary()[kind])
        assert f"| `{kind}` | {meaning} | {words} |\n" in PAGE


def test_the_sources_are_those_of_the_code() -> None:
    for source, meaning in LABEL_SOURCES.items():
        assert f"| `{source}` | {meaning} |\n" in PAGE


def test_every_column_is_named() -> None:
    for column in (*OUTCOME_COLUMNS, *STOP_COLUMNS, *(name for names in KEYS.values() for name in names)):
        assert f"`{column}`" in PAGE

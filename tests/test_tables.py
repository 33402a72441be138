"""The columns exist once: pages, Parquet schemas and code say the same."""

import pytest

from calib.scanners import meanings
from calib.scanners._said import LEVELS
from calib.tables import TABLES, TEXT_COLUMNS, Table, arrow_schema
from tests.schema import FOLDER, pages


@pytest.mark.parametrize("name", sorted(pages()))
def test_data_schema_is_what_the_code_says(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == pages()[name], "run make schema"


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_parquet_schema_follows_the_columns(table: Table) -> None:
    schema = arrow_schema(table)
    assert schema.names == table.names()
    assert [field.nullable for field in schema] == [bool(column.null) for column in table.columns]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_keys_are_columns_that_are_never_null(table: Table) -> None:
    never_null = {column.name for column in table.columns if not column.null}
    assert set(table.key) <= never_null


def test_columns_that_hold_text_say_when_they_do_not() -> None:
    text = {column.name: column for table in TABLES for column in table.columns if column.name in TEXT_COLUMNS}
    assert set(text) == TEXT_COLUMNS
    assert all("--no-text" in column.null for column in text.values())


def test_the_levels_of_texts_are_the_scanners_own() -> None:
    assert meanings() == LEVELS
    assert list(meanings()) == list(LEVELS)

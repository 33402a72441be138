"""Read a labels file: CSV, JSON, JSON Lines or Parquet, told apart by content.

Rows are numbered as a reader would count them: physical lines of CSV and JSON Lines, rows of a JSON list or Parquet
file from 1. A JSON object may be one row, hold a list of rows under `labels`, map an episode or task to a row or an
outcome, or be a results report with lists such as `resolved_ids` and `unresolved_ids`.
"""

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from calib.errors import UsageError
from calib.escape import visible
from calib.labels._columns import KEYS, listed, oddity, plain
from calib.labels._rows import LONGEST_CELL, NO_KEY, LabelFile, Row, Unusable, row_of, shown

LARGEST = 128 << 20
"""Bytes of a labels file."""
LARGEST_UNPACKED = 1 << 30
"""Bytes of the columns of a Parquet file once unpacked."""
MOST_ROWS = 2_000_000

_REPORT_LISTS = {
    "resolved_ids": True, "resolved": True, "unresolved_ids": False, "unresolved": False, "empty_patch_ids": False,
}  # fmt: skip
"""Lists of a results report that name tasks: did they pass?"""

Cells = dict[str, Any]


def read_labels(path: str | Path) -> LabelFile:
    """Read the rows of a labels file. Rows and cells that cannot be used are faults, one line each with file:row.

    Raises UsageError when the file is missing, too large, of no known form, or has no row that can be used.
    """
    name, told = read_rows(path, "a labels file")
    rows: list[Row] = []
    faults: list[str] = []
    columns: dict[str, None] = {}
    for number, cells in told:
        where = f"{name}:{number}"
        try:
            if not isinstance(cells, dict):
                raise Unusable(f"expected a row with named columns, found {_kind(cells)}; row not used")
            columns.update(dict.fromkeys(cells))
            row, noticed = row_of(cells, where)
        except Unusable as fault:
            faults.append(f"{where}: {fault}")
            continue
        rows.append(row)
        faults += [f"{where}: {said}" for said in noticed]
        if len(rows) > MOST_ROWS:
            raise UsageError(f"{name}: more than {MOST_ROWS} rows; split it")
    if not rows:
        raise UsageError(f"{name}: {_none(faults, columns)}")
    return LabelFile(name, tuple(rows), tuple(faults), oddity(columns))


def _none(faults: Sequence[str], columns: Iterable[str]) -> str:
    """Say why no row could be used."""
    keys = {key for name in ("episode_id", "source", "task") for key in KEYS[name]}
    if keys.isdisjoint(map(plain, columns)) and all(fault.endswith(NO_KEY) for fault in faults):
        found = f"columns {listed(columns)}" if faults else "none"
        return f"expected rows with an episode_id, a source or a task, found {found}"
    return f"expected rows that can be used, found none of {len(faults)}; first: {faults[0]}"


def read_rows(path: str | Path, what: str) -> tuple[str, Iterable[tuple[int, Any]]]:
    """Open a table in any of these forms: its name, and its rows as (number, cells); `what` names it in an error.

    Raises UsageError when the file is missing, too large or of no known form.
    """
    name = visible(Path(path).name)
    data = _bytes(Path(path), name, what)
    return name, _parquet(data, name) if data[:4] == b"PAR1" else _text(data, name)


def _bytes(path: Path, name: str, what: str) -> bytes:
    try:
        if not path.is_file():
            raise UsageError(f"{name}: expected {what}, found {'a folder' if path.is_dir() else 'no file'}")
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise UsageError(f"{name}: could not read: {getattr(error, 'strerror', None) or 'no such name'}") from None
    if len(data) > LARGEST:
        raise UsageError(f"{name}: larger than {LARGEST >> 20} MiB; split it")
    return data


def _kind(value: Any) -> str:
    return {list: "a list", str: "a text", type(None): "null", bool: "a truth value"}.get(type(value), "a number")


def _text(data: bytes, name: str) -> Iterable[tuple[int, Any]]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{name}:{line}: expected CSV, JSON or Parquet, found bytes that are not UTF-8") from None
    if text.lstrip()[:1] not in ("{", "["):
        return _csv(text, name)
    try:
        whole = _parsed(text)
    except Unusable as fault:
        raise UsageError(f"{name}: {fault}") from None
    except (ValueError, RecursionError):
        return _json_lines(text, name)
    return enumerate(whole if isinstance(whole, list) else _rows_of(whole), 1)


def _parsed(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_once, parse_constant=lambda _: None)


def _once(pairs: list[tuple[str, Any]]) -> Cells:
    """Build an object.

    Raises Unusable when it has a key twice: either value would be a guess.
    """
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Unusable(f"expected each key once, found {shown(twice)} twice")
    return made


def _rows_of(whole: Cells) -> Iterator[Any]:
    """Yield the rows that one JSON object holds."""
    lists = [key for key in _REPORT_LISTS if isinstance(whole.get(key), list)]
    columns = {name for names in KEYS.values() for name in names}
    if lists:
        for key in lists:
            yield from ({"task": task, "resolved": _REPORT_LISTS[key]} for task in whole[key])
    elif isinstance(whole.get("labels"), list):
        yield from whole["labels"]
    elif any(key.lower() in columns and not isinstance(value, dict) for key, value in whole.items()):
        yield whole
    else:
        for key, value in whole.items():
            yield {**value, "task": key} if isinstance(value, dict) else {"task": key, "outcome": value}


def _json_lines(text: str, name: str) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            cells = _parsed(line)
        except (ValueError, RecursionError):
            raise UsageError(f"{name}:{number}: expected one JSON object, found something else") from None
        except Unusable as fault:
            raise UsageError(f"{name}:{number}: {fault}") from None
        yield number, cells


def _csv(text: str, name: str) -> Iterator[tuple[int, Cells]]:
    """Yield the rows of CSV with commas, semicolons or tabs; the heading decides which."""
    heading = text.partition("\n")[0]
    mark = max(",;\t", key=heading.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    end = 0
    try:
        columns = next(reader, [])
        if repeated := [column for column in columns if columns.count(column) > 1]:
            raise UsageError(f"{name}:1: expected each column once, found {shown(repeated[0])} twice")
        end = reader.line_num
        for fields in reader:
            number, end = end + 1, reader.line_num
            if not any(field.strip() for field in fields):
                continue
            if len(fields) != len(columns):
                raise UsageError(f"{name}:{number}: expected {len(columns)} columns, found {len(fields)}")
            yield number, dict(zip(columns, fields, strict=True))
    except csv.Error:
        raise UsageError(f"{name}:{end + 1}: expected CSV, found an open quote or an endless field") from None


def _parquet(data: bytes, name: str) -> Iterator[tuple[int, Cells]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        size = sum(file.metadata.row_group(at).total_byte_size for at in range(file.metadata.num_row_groups))
        if size > LARGEST_UNPACKED or file.metadata.num_rows > MOST_ROWS:
            raise UsageError(f"{name}: more than {MOST_ROWS} rows or {LARGEST_UNPACKED >> 30} GiB; split it")
        number = 0
        for batch in file.iter_batches(8192):
            for cells in batch.to_pylist():
                number += 1
                yield number, {column: _plain(value) for column, value in cells.items()}
    except (pa.ArrowException, OSError, ValueError):
        raise UsageError(f"{name}: expected a Parquet file, found a damaged one") from None


def _plain(value: Any) -> Any:
    """Give what JSON can hold: a date, a number of another type or bytes as text, a number that is none as null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (bool, int, str, list, dict)):
        return value
    return str(value)[:LONGEST_CELL]

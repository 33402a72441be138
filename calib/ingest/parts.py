"""Episodes to the four Parquet files of a part."""

import os
from collections import Counter
from collections.abc import Mapping, MutableMapping, Sequence
from itertools import accumulate, chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from calib.files import digest_of, sibling
from calib.formats._talk import KIND, STATE, WIDTH, Episode
from calib.labels import Decision, uncounted
from calib.tables import CALLS, EPISODES, REJECTS, TABLES, TEXT_COLUMNS, TURNS, Table, arrow_schema

if TYPE_CHECKING:
    import pyarrow as pa

LISTS = ("tools", "actions")
MASKED = TEXT_COLUMNS | {"metadata"}
"""The columns that --redact masks."""
ROWS = 1 << 16
"""Rows of a row group."""
BUFFER = 1 << 16
"""Bytes of a Parquet file that are written at a time."""


class Reject(NamedTuple):
    """A row of `rejects` without its source."""

    line: int | None
    offset: int
    bytes: int
    code: str
    reason: str
    records: int = 1


class Kept(NamedTuple):
    """An episode with its final id and line."""

    episode_id: str
    line: int
    episode: Episode
    decision: Decision


def reasoning_in(format: str, kept: Sequence[Kept]) -> dict[str, dict[str, int]]:
    """Count how the turns of episodes of a format show their reasoning: their kind, else their state."""
    counts = Counter(turn[KIND] or turn[STATE] for one in kept for turn in one.episode.turns)
    return {format: dict(sorted(counts.items()))} if counts else {}


def stops_in(kept: Sequence[Kept]) -> dict[str, int]:
    """Count the kinds of limit that stopped episodes and are not counted as `turn_limit`."""
    return uncounted(
        (one.decision.label, one.decision.stop_reason, len(one.episode.turns), one.episode.about.turn_limit)
        for one in kept
    )


def write(
    folder: Path, name: str, source: str, format: str, kept: Sequence[Kept], rejects: Sequence[Reject],
    metadata: Mapping[str, str], redacted: bool = False, text: bool = True,
) -> dict[str, dict[str, Any]]:  # fmt: skip
    """Write a part as siblings of its final files; give the `tables` entry of calib.json plus each sibling's path.

    Rows are sorted by (episode_id, turn, call), ids as UTF-8 bytes. Nothing is synced or renamed here. What rules
    read off texts is counted here where the texts are not stored as recorded. The episodes have no rows afterwards.
    """
    columns = columns_of(source, format, kept, rejects, redacted, text)
    for one in kept:  # so that a huge text is let go of with its column
        one.episode.turns, one.episode.calls = [], []
    return write_tables(folder, name, columns, metadata)


def columns_of(
    source: str, format: str, kept: Sequence[Kept], rejects: Sequence[Reject], redacted: bool, text: bool
) -> dict[str, "Columns"]:
    """Give the columns of all tables, their rows in order."""
    ordered = sorted(kept, key=lambda one: one.episode_id.encode())
    if not text or redacted:
        from calib.ingest.scanned import count  # its patterns take time to compile

        count((one.episode for one in ordered), text)
    found = {}
    for table in TABLES:
        columns = rejects_columns(source, rejects) if table is REJECTS else COLUMNS[table.name](source, format, ordered)
        columns += [None] * (len(table.columns) - len(columns))
        if not text:
            columns = [
                None if column.name in TEXT_COLUMNS else values
                for column, values in zip(table.columns, columns, strict=True)
            ]
        if redacted:
            columns = [
                _redacted(values) if column.name in MASKED else values
                for column, values in zip(table.columns, columns, strict=True)
            ]
        found[table.name] = columns
    return found


def write_tables(
    folder: Path, name: str, columns: MutableMapping[str, "Columns"], metadata: Mapping[str, str]
) -> dict[str, dict[str, Any]]:
    """Write columns whose rows are in order, and let go of them; gives the `tables` entry of calib.json."""
    return {table.name: save(folder, table, name, columns.pop(table.name), metadata) for table in TABLES}


def save(folder: Path, table: Table, name: str, columns: "Columns", metadata: Mapping[str, str]) -> dict[str, Any]:
    """Write one file of a part as a sibling, and empty `columns`; gives its entry of calib.json.

    Raises OSError when the disk takes less than all.
    """
    import pyarrow as pa

    rows = len(columns[0] or ())
    built = sibling(folder / table.name / f"{name}.parquet")
    built.open("xb").close()
    with pa.OSFile(os.fsencode(built), "w") as file, pa.BufferedOutputStream(file, BUFFER) as sink:
        parquet(table, columns, metadata, sink)
    return {
        "file": f"{table.name}/{name}.parquet",
        "rows": rows,
        "bytes": built.stat().st_size,
        "sha256": digest_of(built),
        "built": built.name,
    }


def _redacted(values: Sequence[str | None] | None) -> list[str | None] | None:
    from calib.redact import redact  # its patterns take time to compile

    return None if values is None else [value and redact(value) for value in values]


Columns = list[Sequence[Any] | None]
"""The columns of a table; None for one of nulls."""


def episodes_columns(source: str, format: str, kept: Sequence[Kept]) -> Columns:
    """Give the columns of `episodes`."""
    abouts = [one.episode.about for one in kept]
    return [
        [one.episode_id for one in kept],
        [source] * len(kept),
        [one.line for one in kept],
        [format] * len(kept),
        [about.task for about in abouts],
        [about.model for about in abouts],
        [about.arm for about in abouts],
        [about.metadata_text() for about in abouts],
        [one.decision.outcome for one in kept],
        [one.decision.stop_reason for one in kept],
        [one.decision.label for one in kept],
        [about.turn_limit for about in abouts],
        [len(one.episode.turns) for one in kept],
        [about.parent for about in abouts],
        [one.decision.label_source for one in kept],
        [one.episode.digest for one in kept],
    ]


def turns_columns(source: str, format: str, kept: Sequence[Kept]) -> Columns:
    """Give the columns of `turns`."""
    sizes = [len(one.episode.turns) for one in kept]
    ids = [one.episode_id for one, size in zip(kept, sizes, strict=True) for _ in range(size)]
    numbers = list(chain.from_iterable(map(range, sizes)))
    width = max((len(turn) for one in kept for turn in one.episode.turns[:1]), default=WIDTH)
    return [ids, numbers, *_transposed((one.episode.turns for one in kept), width)]


def calls_columns(source: str, format: str, kept: Sequence[Kept]) -> Columns:
    """Give the columns of `calls`."""
    ids = [one.episode_id for one in kept for _ in one.episode.calls]
    return [ids, *_transposed((one.episode.calls for one in kept), len(CALLS.columns) - 1)]


COLUMNS = {EPISODES.name: episodes_columns, TURNS.name: turns_columns, CALLS.name: calls_columns}


def rejects_columns(source: str, rejects: Sequence[Reject]) -> Columns:
    """Give the columns of `rejects`, in order."""
    ordered = sorted(rejects, key=lambda reject: (reject.offset, reject.bytes, reject.code))
    return [[source] * len(ordered), *_transposed([ordered], len(REJECTS.columns) - 1)]


def _transposed(rows: Any, width: int) -> Columns:
    return list(zip(*chain.from_iterable(rows), strict=True)) or [()] * width


def parquet(table: Table, columns: Columns, metadata: Mapping[str, str], sink: Any) -> None:
    """Write a Parquet file, and empty `columns`; equal rows give equal bytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = arrow_schema(table).with_metadata({"calib_" + key: value for key, value in metadata.items()})
    rows = len(columns[0] or ())
    arrays = []
    for column in schema:
        values = columns.pop(0)
        arrays.append(pa.nulls(rows, column.type) if values is None else _array(values, column.type))
        del values
    names = [column.name for column in table.columns if column.kind != "text" or column.name == "episode_id"]
    figures = [column.name for column in table.columns if column.kind in ("integer", "flag")]
    pq.write_table(
        pa.Table.from_arrays(arrays, schema=schema),
        sink,
        row_group_size=ROWS,
        compression="zstd",
        compression_level=1,
        use_dictionary=[(f"{name}.list.element" if name in LISTS else name) for name in names if name not in figures],
        write_statistics=[name for name in figures if name not in LISTS],  # no text of a dump outside its column
    )


def _array(values: Sequence[Any], kind: "pa.DataType") -> "pa.Array":
    import pyarrow as pa

    if pa.types.is_list(kind):
        ends = [0, *accumulate(map(len, values))]
        flat = pa.array(list(chain.from_iterable(values)), kind.value_type)
        return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), flat, type=kind)
    return pa.array(values, kind)

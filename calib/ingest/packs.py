"""Packs: many small sources in the four files of one part, each with an account of its own.

Which sources share a pack follows from the names and sizes of all small sources of the corpus (`grouping`). So a pack
may hold sources that are not read now: their rows are copied from the part in which they stand, and give the same
bytes as if they had been read.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from calib.ingest.account import counted, source_entry, total
from calib.ingest.copies import COLUMNS, chain_of
from calib.ingest.entries import packed
from calib.ingest.identity import chain_of_episode, hash_of, hashes_of, part_id
from calib.ingest.parts import Columns, Kept, Reject, columns_of, write_tables
from calib.ingest.units import digest_of
from calib.ingest.units import run as run_alone
from calib.ingest.work import Copy, Part, Setup, Tick, Unit
from calib.labels import uncounted
from calib.tables import CALLS, EPISODES, REJECTS, TABLES, TURNS, Table

Full = list[list[Any]]
"""The columns of a table, each with all its values."""
WHOLE = 1 << 62
"""A small source makes one part, however small the parts of others are made."""


def run(unit: Unit, setup: Setup, tick: Tick) -> list[Part] | None:
    """Read a unit, or all of a pack, and write its parts as siblings; None when the known parts still hold.

    Raises OSError when the corpus cannot be written.
    """
    if not unit.pack and not unit.copies:
        return run_alone(unit, setup, tick)
    if unit.known and all(_holds(member, setup) for member in unit.pack):
        return None
    shelf = Shelf()
    alone = replace(setup, stretch=WHOLE)
    made: list[Part] = []
    for member in unit.pack:
        numbered = replace(member, known=(), number=unit.number, leader=unit.number)
        made += run_alone(numbered, alone, tick, shelf.take) or ()
    shelf.copy(setup.folder, unit.copies)
    return [_part(unit, setup, shelf, made)]


def _holds(member: Unit, setup: Setup) -> bool:
    """Tell whether a member of a pack is what it was when the pack was written."""
    if len(member.known) != 1:
        return False
    (known,) = member.known
    return part_id(setup.stamp, member, 0, 0, digest_of(member), known.dropped) == known.part


class Shelf:
    """The columns of several sources, until they are written as one part."""

    def __init__(self) -> None:
        self.columns: dict[str, list[list[Any]]] = {table.name: [[] for _ in table.columns] for table in TABLES}
        self._told: dict[str, dict[str, Callable[[], str]]] = {}

    def take(
        self, folder: Path, name: str, source: str, format: str, kept: Sequence[Kept], rejects: Sequence[Reject],
        metadata: Mapping[str, str], redacted: bool = False, text: bool = True,
    ) -> dict[str, dict[str, Any]]:  # fmt: skip
        """Take the rows of a source, as `parts.write` does; gives how many there are in each table."""
        for one in kept:
            self._told.setdefault(one.episode_id, {})[source] = partial(chain_of_episode, one.episode)
        rows = columns_of(source, format, kept, rejects, redacted, text)
        self._add(rows)
        return {table: {"rows": len(columns[0] or ())} for table, columns in rows.items()}

    def copy(self, folder: Path, copies: Sequence[Copy]) -> None:
        """Take the rows of sources from the parts in which they stand."""
        by_part: dict[str, set[str]] = {}
        for one in copies:
            by_part.setdefault(one.part, set()).add(one.source)
        for part, sources in sorted(by_part.items()):
            rows = _rows_of(folder, part, sources)
            for name, source, task, arm in _homes(rows):
                if name in self._told:
                    turns = _turns_of(rows, name)
                    self._told[name][source] = partial(chain_of, task, arm, turns)
            self._add(rows)

    def chains(self) -> dict[str, dict[str, str]]:
        """Give the chains of episodes whose id two sources have, by source and hash of the id: their rows are mixed."""
        found: dict[str, dict[str, str]] = {}
        for name, told in self._told.items():
            for source, chain in told.items() if len(told) > 1 else ():
                found.setdefault(source, {})[hash_of(name)] = chain()
        return found

    def _add(self, rows: Mapping[str, Any]) -> None:
        for name, columns in rows.items():
            count = len(columns[0] or ())
            for kept, values in zip(self.columns[name], columns, strict=True):
                kept.extend([None] * count if values is None else values)

    def ordered(self) -> dict[str, Columns]:
        """Give all rows in the order of their keys."""
        return {table.name: _ordered(table, self.columns[table.name]) for table in TABLES}


def _ordered(table: Table, columns: list[list[Any]]) -> Columns:
    names = table.names()
    first, *others = (columns[names.index(key)] for key in table.key)
    keys = list(zip((text.encode() for text in first), *others, strict=True))
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return [[values[at] for at in order] for values in columns]


def _homes(rows: Mapping[str, Full]) -> Iterator[tuple[Any, ...]]:
    names = EPISODES.names()
    wanted = ("episode_id", "source", "task", "arm")
    return zip(*(rows[EPISODES.name][names.index(name)] for name in wanted), strict=True)


def _turns_of(rows: Mapping[str, Full], episode: str) -> list[tuple[Any, ...]]:
    columns = rows[TURNS.name]
    wanted = [columns[TURNS.names().index(name)] for name in COLUMNS]
    return [tuple(values[at] for values in wanted) for at, name in enumerate(columns[0]) if name == episode]


def _rows_of(folder: Path, part: str, sources: set[str]) -> dict[str, Full]:
    """Read the rows of some sources of a part."""
    tables = {table.name: _read(folder, table, part) for table in TABLES}
    episodes = tables[EPISODES.name]
    ids = {name for name, source in zip(episodes[0], episodes[1], strict=True) if source in sources}
    wanted = ((EPISODES, 0, ids), (TURNS, 0, ids), (CALLS, 0, ids), (REJECTS, 0, sources))
    return {table.name: _chosen(tables[table.name], at, names) for table, at, names in wanted}


def _read(folder: Path, table: Table, part: str) -> Full:
    import pyarrow.parquet as pq

    read = pq.ParquetFile(folder / table.name / f"{part}.parquet").read()
    return [read[column.name].to_pylist() for column in table.columns]


def _chosen(columns: Full, at: int, names: set[str]) -> Full:
    keep = [number for number, name in enumerate(columns[at]) if name in names]
    return [[values[number] for number in keep] for values in columns]


def _part(unit: Unit, setup: Setup, shelf: Shelf, made: Sequence[Part]) -> Part:
    """Write a pack; its entry of calib.json sums up those of its sources, which come with it as `entries`."""
    formats = {member.source: member.format for member in unit.pack}
    entries = {part["source"]: source_entry(part["source"], formats[part["source"]], [part], True) for part in made}
    every = sorted([*entries.values(), *(one.entry for one in unit.copies)], key=lambda one: one["source"].encode())
    members = {part["source"]: part["part"] for part in made} | {one.source: one.key for one in unit.copies}
    members = dict(sorted(members.items(), key=lambda item: item[0].encode()))
    digest = hashlib.sha256("".join(entry["digest"] for entry in every).encode()).hexdigest()
    if unit.source:
        name, digest = members[unit.source], every[0]["digest"]
    else:
        name = hashlib.sha256(json.dumps(list(members.items())).encode()).hexdigest()[:16]
    columns = shelf.ordered()
    metadata = setup.stamp.metadata(unit.source, digest)
    account = total(entry["account"] for entry in every)
    dropped = {source: drops for part in made for source, drops in part["dropped"].items()}
    dropped |= {one.source: [list(drop) for drop in one.dropped] for one in unit.copies if one.dropped}
    told = {part["source"]: part["told"] for part in made if part["told"]}
    return {
        "part": name, "source": unit.source, **({} if unit.source else {"members": members}), "first_byte": 0,
        "bytes": account.bytes, "digest": digest,
        "account": {
            "bytes": account.bytes, "kept": account.kept, "blank": account.blank, "rejected": account.rejected,
            "ignored": account.ignored,
        },
        "notices": counted(every, "notices"),
        "notice_lines": every[0]["notice_lines"] if unit.source else {}, "dropped": dict(sorted(dropped.items())),
        "labels": _counts(columns, EPISODES, "label"), "stops": _stops(columns), "reasoning": _reasoning(columns),
        "ids": hashes_of(columns[EPISODES.name][0] or ()), "told": told, "chains": shelf.chains(),
        "tables": write_tables(setup.folder, name, columns, metadata),
        "entries": {name: packed(entry) for name, entry in entries.items()},
        "copied": [one.source for one in unit.copies],
    }  # fmt: skip


def _reasoning(columns: Mapping[str, Columns]) -> dict[str, dict[str, int]]:
    """Count how turns show their reasoning, each under the format of its episode."""
    formats = dict(zip(_column(columns, EPISODES, "episode_id"), _column(columns, EPISODES, "format"), strict=True))
    turns = (_column(columns, TURNS, name) for name in ("episode_id", "reasoning_kind", "reasoning_state"))
    found: dict[str, Counter[str]] = {}
    for (episode, form), count in Counter(
        (one, kind or state) for one, kind, state in zip(*turns, strict=True)
    ).items():
        found.setdefault(formats[episode], Counter())[form] += count
    return {name: dict(sorted(counts.items())) for name, counts in sorted(found.items())}


def _stops(columns: Mapping[str, Columns]) -> dict[str, int]:
    wanted = ("label", "stop_reason", "n_turns", "turn_limit")
    return uncounted(zip(*(_column(columns, EPISODES, name) for name in wanted), strict=True))


def _column(columns: Mapping[str, Columns], table: Table, name: str) -> Sequence[Any]:
    return columns[table.name][table.names().index(name)] or ()


def _counts(columns: Mapping[str, Columns], table: Table, name: str) -> dict[str, int]:
    return dict(sorted(Counter(_column(columns, table, name)).items()))

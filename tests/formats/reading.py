"""Made records and what a reader makes of them, in memory; whole files as an ingest sees them."""

import copy
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from calib.corpus import open_corpus
from calib.formats._codes import Rejected
from calib.formats._reader import Context, Ignored
from calib.formats._talk import Episode
from calib.ingest import ingest
from calib.registry import entry
from calib.tables import TABLES

TURN = (
    "reasoning", "state", "kind", "reasoning_chars", "same_reasoning", "text", "text_chars", "same_text", "tools",
    "actions", "same_calls", "same_results", "orphans", "user_before", "after_compaction", "output_tokens",
    "milliseconds",
)  # fmt: skip
CALL = ("turn", "call", "tool", "arguments", "canonical", "result_chars", "result_head", "is_error", "same_call",
        "same_result", "same_written", "same_failure")  # fmt: skip
COLUMNS = {table.name: table.names() for table in TABLES}


@dataclass
class Told:
    """What a reader gave for some records."""

    episodes: list[Episode] = field(default_factory=list)
    notices: Counter[str] = field(default_factory=Counter)
    ignored: list[str] = field(default_factory=list)
    rejected: list[tuple[int, str]] = field(default_factory=list)

    @property
    def one(self) -> Episode:
        (episode,) = self.episodes
        return episode


def told(format: str, records: Iterable[Any], source: str = "d.jsonl", last: Mapping[Any, int] | None = None) -> Told:
    """Feed records, as lines, to the reader of a format."""
    found = Told()
    reader = entry("calib.formats", format).Reader(Context(True, found.notices, source, {}, last or {}))
    at = 0
    for number, record in enumerate(records, 1):
        line = record if isinstance(record, bytes) else json.dumps(record).encode() + b"\n"
        try:
            found.episodes += reader.feed(line, (number, at, len(line)))
        except Ignored as ignored:
            found.ignored.append(ignored.kind)
        except Rejected as fault:
            found.rejected.append((number, fault.code))
        at += len(line)
    found.episodes += reader.finish()
    return found


def column(name: str, episode: Episode) -> list[Any]:
    """One column of the turns."""
    return [turn[TURN.index(name)] for turn in episode.turns]


def calls(episode: Episode, *names: str) -> list[tuple[Any, ...]]:
    """Some columns of the calls."""
    return [tuple(call[CALL.index(name)] for name in names) for call in episode.calls]


def rows(found: Told) -> list[Any]:
    """Everything that becomes a column, of all episodes."""
    return [
        [vars_of(episode.about), episode.about.metadata_text(), episode.turns, episode.calls]
        for episode in found.episodes
        if isinstance(episode, Episode)
    ]


def vars_of(about: Any) -> list[Any]:
    return [getattr(about, name) for name in about.__slots__ if name != "metadata"]


def paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all leaves of a JSON value."""
    inner: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    else:
        yield at
    for key, item in inner:
        yield from paths(item, (*at, key))


def changed(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return 0 if value else 1
    if isinstance(value, str):
        return value + "~"
    return "~"


def kind_of(record: Any) -> str:
    """The types a record names, from the outside in, and its role."""
    kinds = []
    while isinstance(record, dict):
        kinds += [record[key] for key in ("type", "role", "kind") if isinstance(record.get(key), str)]
        record = next((record[key] for key in ("payload", "msg", "item") if key in record), None)
    return "/".join(kinds)


def silent(format: str, records: Sequence[Any]) -> set[str]:
    """The leaves whose change changes no column: kind of the record, and place without numbers, joined by dots."""
    before = rows(told(format, records))
    unseen = set()
    for number, record in enumerate(records):
        for path in paths(record):
            other = copy.deepcopy(record)
            box = other
            for key in path[:-1]:
                box = box[key]
            box[path[-1]] = changed(box[path[-1]])
            if rows(told(format, [*records[:number], other, *records[number + 1 :]])) == before:
                place = ".".join(str(key) for key in path if not isinstance(key, int))
                unseen.add(f"{kind_of(record)}: {place}")
    return unseen


@dataclass
class Read:
    """Files after an ingest."""

    sources: list[dict[str, Any]]
    tables: dict[str, list[dict[str, Any]]]

    def of(self, episode_id: str, table: str = "turns") -> list[dict[str, Any]]:
        return [row for row in self.tables[table] if row["episode_id"] == episode_id]


def ingested(folder: Path, dumps: Sequence[Path]) -> Read:
    """Ingest files and read everything back; the account of each must add up."""
    ingest(dumps, folder / "corpus", workers=1)
    corpus = open_corpus(folder / "corpus")
    for source in corpus.manifest["sources"]:
        account = source["account"]
        parts = [*account["rejected"].values(), *account["ignored"].values()]
        assert account["bytes"] == account["kept"] + account["blank"] + sum(part["bytes"] for part in parts)
    tables = {
        name: [row for frame in corpus.read(name, columns) for row in frame.to_dicts()]
        for name, columns in COLUMNS.items()
    }
    return Read(corpus.manifest["sources"], tables)


def written(folder: Path, name: str, records: Iterable[Any]) -> Path:
    """Write records as lines of a file."""
    path = folder / name
    path.write_bytes(b"".join(json.dumps(record).encode() + b"\n" for record in records))
    return path

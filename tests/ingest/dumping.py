"""Small dumps and what becomes of them: whole runs into a folder, and single stretches without one."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from calib.corpus import open_corpus
from calib.ingest import IngestSummary, ingest
from calib.ingest.collect import Collector
from calib.ingest.identity import Stamp
from calib.ingest.lines import cut
from calib.ingest.parts import Kept, Reject
from calib.ingest.work import Unit
from calib.tables import TABLES

Table = list[dict[str, Any]]
STAMP = Stamp("0", 1, True)


def line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


def episode(name: str, plans: Iterable[str | None] = ("a",), **more: Any) -> dict[str, Any]:
    """An episode of one turn per plan, each with a call of `f` and its result."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for turn, plan in enumerate(plans):
        call = {"id": f"c{turn}", "type": "function", "function": {"name": "f", "arguments": "{}"}}
        messages.append({"role": "assistant", "content": None, "reasoning": plan, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{turn}", "content": f"r{turn}"})
    return {"episode_id": name, "messages": messages, **more}


@dataclass
class Made:
    """A corpus folder, read back."""

    folder: Path
    summary: IngestSummary

    def rows(self, table: str) -> Table:
        return [row for frame in open_corpus(self.folder).read(table, COLUMNS[table]) for row in frame.to_dicts()]

    @property
    def ids(self) -> list[str]:
        return sorted(row["episode_id"] for row in self.rows("episodes"))

    @property
    def codes(self) -> list[tuple[Any, ...]]:
        return [(row["source"], row["line"], row["code"]) for row in self.rows("rejects")]


COLUMNS = {table.name: table.names() for table in TABLES}


def dumped(folder: Path, files: Mapping[str, bytes]) -> Path:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def made(folder: Path, files: Mapping[str, bytes], **options: Any) -> Made:
    """Ingest some files, given one by one, into `folder/corpus`."""
    dumped(folder / "dumps", files)
    summary = ingest([folder / "dumps" / name for name in files], folder / "corpus", **{"workers": 1, **options})
    checked(folder / "corpus")
    return Made(folder / "corpus", summary)


def checked(folder: Path) -> None:
    """The account of every source adds up, and is that of its rejects."""
    corpus = open_corpus(folder)
    rejects = pl.concat([pl.DataFrame(schema={"source": pl.String, "bytes": pl.Int64}), *(
        frame.with_columns(pl.col("source").cast(pl.String)) for frame in corpus.read("rejects", ["source", "bytes"])
    )])  # fmt: skip
    for source in corpus.manifest["sources"]:
        account = source["account"]
        lost = sum(counts["bytes"] for counts in account["rejected"].values())
        passed = sum(counts["bytes"] for counts in account["ignored"].values())
        assert account["bytes"] == account["kept"] + account["blank"] + lost + passed
        assert lost == rejects.filter(pl.col("source") == source["source"])["bytes"].sum()


@dataclass
class Fate:
    """What became of a stretch of bytes."""

    kept: list[Kept]
    rejects: list[Reject]
    account: dict[str, Any]
    notices: dict[str, int]
    lines: int

    @property
    def codes(self) -> list[tuple[int | None, str]]:
        return [(reject.line, reject.code) for reject in self.rejects]


def filler(pieces: Iterable[bytes]) -> Any:
    """Give bytes piece by piece, as a file might."""
    left = iter(pieces)
    rest = b""

    def fill(view: memoryview) -> int:
        nonlocal rest
        while not rest:
            piece = next(left, None)
            if piece is None:
                return 0
            rest = piece
        count = min(len(view), len(rest))
        view[:count], rest = rest[:count], rest[count:]
        return count

    return fill


def fate(data: bytes, format: str = "episode_lines", *, size: int = 1 << 20, room: int = 1 << 16) -> Fate:
    """Read bytes as one file, `size` at a time, without writing anything."""
    found: dict[str, Any] = {}

    def write(folder: Path, name: str, source: str, form: str, kept: Any, rejects: Any, *_: Any) -> Any:
        found.update(kept=list(kept), rejects=sorted(rejects, key=lambda one: one.offset))
        return {}

    last: dict[str | None, int] = dict.fromkeys([None], data.count(b"\n") + 1)
    unit = Unit(0, 0, "d", Path("d"), "plain", format, 0, len(data), len(data))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("calib.ingest.collect.write", write)
        collector = Collector(unit, Path(), STAMP, last)
        at = 0
        pieces = (data[start : start + size] for start in range(0, len(data), size))
        for piece in cut(filler(pieces), room):
            collector.take(at, piece)
            at += len(piece)
        part = collector.part("", 0, last=True)
    return Fate(found["kept"], found["rejects"], part["account"], part["notices"], collector.lines)

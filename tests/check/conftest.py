"""A corpus of several sources, parts and faults, and a way to change a copy of it that its digests do not betray."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from calib.check import check
from calib.ingest import ingest
from calib.tables import TABLES, arrow_schema
from tests.ingest.dumping import dumped, episode, line

TABLE = {table.name: table for table in TABLES}
Manifest = dict[str, Any]


@pytest.fixture(scope="session")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of two files with episodes and one without; tests must not change it."""
    folder = tmp_path_factory.mktemp("sound")
    one = line(episode("a", ("p", "p", None), outcome="pass")) + b"{\n" + b"\n" + line(episode("b", ("q",)))
    two = line(episode("c", ("p", "q", "p"), outcome="fail", stop_reason="max_turns", turn_limit=3)) + b"[]\n" + b"x"
    dumped(folder / "dumps", {"one.jsonl": one, "two.jsonl": two, "three.txt": b"what\n"})
    ingest([folder / "dumps"], folder / "corpus", workers=1)
    return folder / "corpus"


class Copy:
    """A copy of the sound corpus. What is changed keeps its entries in calib.json true, unless they are changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def manifest(self) -> Manifest:
        found: Manifest = json.loads((self.folder / "calib.json").read_text())
        return found

    def write(self, manifest: Manifest) -> None:
        (self.folder / "calib.json").write_text(json.dumps(manifest))

    def change(self, change: Callable[[Manifest], Any]) -> "Copy":
        """Change calib.json."""
        manifest = self.manifest()
        change(manifest)
        self.write(manifest)
        return self

    def rows(
        self, table: str, change: Callable[[list[dict[str, Any]]], Any], source: str = "dumps/one.jsonl"
    ) -> "Copy":
        """Change the rows of a table in the part of a source."""
        manifest = self.manifest()
        entry = next(part for part in manifest["parts"] if part["source"] == source)["tables"][table]
        rows = pl.read_parquet(self.folder / entry["file"]).to_dicts()
        change(rows)
        self.put(entry, pa.Table.from_pylist(rows, schema=arrow_schema(TABLE[table])))
        entry["rows"] = len(rows)
        self.write(manifest)
        return self

    def put(self, entry: Manifest, table: pa.Table) -> None:
        path = self.folder / entry["file"]
        pq.write_table(table, path)
        entry["bytes"] = path.stat().st_size
        entry["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()

    @property
    def findings(self) -> tuple[str, ...]:
        return check(self.folder).findings


@pytest.fixture
def copy(sound: Path, tmp_path: Path) -> Copy:
    shutil.copytree(sound, tmp_path / "corpus")
    return Copy(tmp_path / "corpus")

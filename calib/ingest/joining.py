"""Join a labels file to the episodes of a run: their outcome, stop reason, label and metadata are decided anew."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from calib.formats._decode import json_text
from calib.ingest.identity import Stamp
from calib.ingest.parts import save
from calib.ingest.units import Part
from calib.labels import Decision, EpisodeKey, Joined, LabelFile, Said, decide, join

KEYS = ("episode_id", "source", "task", "arm", "parent_episode_id")


def joined(parts: Sequence[Part], folder: Path, labels: LabelFile, stamp: Stamp) -> Joined:
    """Match the rows with the episodes of all parts, and write the episodes tables of those that are told something.

    The parts must be new: what a dump says about an episode is gone once a label was joined to it.
    """
    tables = [_read(part, folder) for part in parts]
    columns = ([table[name].to_pylist() for name in KEYS] for table in tables)
    keys = [EpisodeKey(*row) for values in columns for row in zip(*values, strict=True)]
    found = join(labels.rows, keys)
    for part, table in zip(parts, tables, strict=True):
        rows = table.to_pylist()
        if not any(row["episode_id"] in found.by_episode for row in rows):
            continue
        told = [_tell(row, said, stamp) for row in rows if (said := found.by_episode.get(row["episode_id"]))]
        if conflicts := sum(one.conflict != "" for one in told):
            part["notices"] = dict(sorted({**part["notices"], "label-conflict": conflicts}.items()))
        _rewrite(part, folder, table, rows)
    return found


def _path(part: Part, folder: Path) -> Path:
    entry: dict[str, str] = part["tables"]["episodes"]
    file = folder / entry["file"]
    return file.with_name(entry["built"]) if "built" in entry else file


def _read(part: Part, folder: Path) -> Any:
    import pyarrow.parquet as pq

    return pq.ParquetFile(_path(part, folder)).read()


def _tell(row: dict[str, Any], said: Said, stamp: Stamp) -> Decision:
    metadata = json.loads(row["metadata"])
    made = decide(
        metadata.get("outcome") if row["outcome"] == "unknown" else row["outcome"], row["stop_reason"], row["n_turns"],
        row["turn_limit"], positives=stamp.positives, joined=said, limit_option=stamp.turn_limit,
        ends_truncated=bool(metadata.get("ends_truncated")),
    )  # fmt: skip
    other = {"other_stop_reason": made.other_stop_reason} if made.other_stop_reason else {}
    row.update(
        outcome=made.outcome, stop_reason=made.stop_reason, label=made.label, label_source=made.label_source,
        metadata=json_text({**said.metadata, **other, **metadata}),
    )  # fmt: skip
    return made


def _rewrite(part: Part, folder: Path, table: Any, rows: list[dict[str, Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    old = _path(part, folder)
    sink = pa.BufferOutputStream()
    new = pa.Table.from_pylist(rows, schema=table.schema)
    pq.write_table(new, sink, compression="zstd", compression_level=1, write_statistics=False)
    part["tables"]["episodes"] = save(folder, "episodes", part["part"], sink.getvalue(), len(rows))
    part["labels"] = dict(sorted(Counter(row["label"] for row in rows).items()))
    if old.name.startswith("."):
        old.unlink()

"""Join a labels file to the episodes of a run: their outcome, stop reason, label and metadata are decided anew."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from calib.escape import visible
from calib.formats._decode import json_text
from calib.ingest.identity import Stamp
from calib.ingest.lost import TOLD
from calib.ingest.parts import Columns, save
from calib.ingest.work import Part
from calib.labels import Decision, EpisodeKey, Joined, LabelFile, Said, decide, join
from calib.tables import EPISODES

KEYS = ("episode_id", "source", "task", "arm", "parent_episode_id")


def joined(
    parts: Sequence[Part], folder: Path, labels: LabelFile, stamp: Stamp, note: Callable[[str, int], None]
) -> Joined:  # fmt: skip
    """Match the rows with the episodes of all parts, and write the episodes tables of those that are told something.

    The parts must be new: what a dump says about an episode is gone once a label was joined to it. `note` is told how
    many conflicts there are in a source of a pack.
    """
    named = (row for part in parts for row in _new_rows(part, _read(part, folder, KEYS).to_pylist()))
    keys = [EpisodeKey(*(row[name] for name in KEYS)) for row in named]
    found = join(labels.rows, keys)
    for part in parts:
        table = _read(part, folder)
        rows = table.to_pylist()
        told = [row for row in _new_rows(part, rows) if row["episode_id"] in found.by_episode]
        conflicts: Counter[str] = Counter()
        for row in told:
            conflicts[row["source"]] += _tell(row, found.by_episode[row["episode_id"]], stamp).conflict != ""
        if +conflicts:
            add_conflicts(part, conflicts.total())
        for source, count in (+conflicts).items() if "members" in part else ():
            note(source, count)
        if told:
            _rewrite(part, folder, table, rows)
    return found


def add_conflicts(noted: dict[str, Any], count: int) -> None:
    """Add them to the notices of a part or a source."""
    noted["notices"] = dict(sorted({**noted["notices"], "label-conflict": count}.items()))


def _new_rows(part: Part, rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Leave out the rows that a pack took from an older part: they were told already."""
    copied = set(part.get("copied", ()))
    return (row for row in rows if row["source"] not in copied)


def _path(part: Part, folder: Path) -> Path:
    entry: dict[str, str] = part["tables"]["episodes"]
    file = folder / entry["file"]
    return file.with_name(entry["built"]) if "built" in entry else file


def _read(part: Part, folder: Path, columns: Sequence[str] | None = None) -> Any:
    import pyarrow.parquet as pq

    return pq.ParquetFile(_path(part, folder)).read(columns)


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
    old = _path(part, folder)
    columns: Columns = [[row[column.name] for row in rows] for column in EPISODES.columns]
    metadata = {key.decode().removeprefix("calib_"): value.decode() for key, value in table.schema.metadata.items()}
    part["tables"]["episodes"] = save(folder, EPISODES, part["part"], columns, metadata)
    part["labels"] = dict(sorted(Counter(row["label"] for row in rows).items()))
    if old.name.startswith("."):
        old.unlink()


def messages_about(found: Joined, labels: LabelFile) -> list[str]:
    """Tell what did not match, and what contradicts."""
    told = [*labels.faults, *found.conflicts, *found.ambiguous, *found.duplicates]
    counts = ((found.unmatched_rows, "row matches no episode", "rows match no episode"),
              (found.unmatched_episodes, "episode has no row", "episodes have no row"))  # fmt: skip
    for left, one, many in counts:
        if left:
            some = ", ".join(visible(name) for name in left[:TOLD]) + (", …" if len(left) > TOLD else "")
            told.append(f"{visible(labels.name)}: {len(left)} {one if len(left) == 1 else many}: {some}")
    return told

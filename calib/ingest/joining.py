"""Join a labels file to the episodes of a run: their outcome, stop reason, label and metadata are decided anew."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from calib.escape import terminal, visible
from calib.formats._decode import json_text
from calib.ingest.identity import Stamp
from calib.ingest.parts import Columns, save
from calib.ingest.work import Part
from calib.labels import Decision, EpisodeKey, Joined, LabelFile, Said, decide, join, says_nothing, stop_kind, uncounted
from calib.tables import EPISODES

KEYS = ("episode_id", "source", "task", "arm", "parent_episode_id")
TOLD = 5
"""Messages of a kind that are told one by one."""


@dataclass
class _Noted:
    """What was noticed while rows were told what the file says: by source and code, and in words.

    `stops` counts the stop reasons of the file that are no words that are understood.
    """

    notices: dict[str, Counter[str]] = field(default_factory=dict)
    conflicts: list[str] = field(default_factory=list)
    stops: Counter[str] = field(default_factory=Counter)

    def add(self, row: Mapping[str, Any], said: Said, before: str | None, made: Decision) -> None:
        """Note what is odd about one row; `before` is its stop reason as the dump has it."""
        kind = stop_kind(said.stop_reason, row["n_turns"], row["turn_limit"])
        odd = said.stop_reason is not None and said.stop_reason != before and kind == "unknown"
        if said.stop_reason is not None and odd and not says_nothing(said.stop_reason):
            self.stops[said.stop_reason] += 1
        if made.conflict and not said.conflict:
            ends = "left unlabelled" if made.label_source == "conflict" else f"{made.label} either way"
            self.conflicts.append(f"{terminal(row['episode_id'], 60)}: {made.conflict}; {ends}")
        counts = self.notices.setdefault(row["source"], Counter())
        counts["label-conflict"] += made.conflict != ""
        counts["unknown-stop"] += odd
        counts["unknown-outcome"] += said.odd_outcome and made.outcome == "unknown"


def joined(
    parts: Sequence[Part], folder: Path, labels: LabelFile, stamp: Stamp, note: Callable[[str, Counter[str]], None]
) -> Joined:  # fmt: skip
    """Match the rows with the episodes of all parts, and write the episodes tables of those that are told something.

    The parts must be new: what a dump says about an episode is gone once a label was joined to it. `note` is told
    what was noticed in a source of a pack.
    """
    named = (row for part in parts for row in _new_rows(part, _read(part, folder, KEYS).to_pylist()))
    keys = [EpisodeKey(*(row[name] for name in KEYS)) for row in named]
    found = join(labels.rows, keys)
    noted = _Noted()
    for part in parts:
        table = _read(part, folder)
        rows = table.to_pylist()
        told = [row for row in _new_rows(part, rows) if row["episode_id"] in found.by_episode]
        noted.notices.clear()
        for row in told:
            said, before = found.by_episode[row["episode_id"]], row["stop_reason"]
            noted.add(row, said, before, _tell(row, said, stamp))
        for source, counts in noted.notices.items():
            add_notices(part, counts)
            if "members" in part:
                note(source, counts)
        if told:
            _rewrite(part, folder, table, rows)
    return replace(found, conflicts=(*found.conflicts, *noted.conflicts), unknown_stops=dict(noted.stops))


def add_notices(noted: dict[str, Any], counts: Counter[str]) -> None:
    """Add them to the notices of a part or a source."""
    noted["notices"] = dict(sorted((Counter(noted["notices"]) + counts).items()))


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
    part["stops"] = uncounted((row["label"], row["stop_reason"], row["n_turns"], row["turn_limit"]) for row in rows)
    if old.name.startswith("."):
        old.unlink()


def messages_about(found: Joined, labels: LabelFile) -> list[str]:
    """Tell what did not match, what contradicts, and what is not understood."""
    name = visible(labels.name)
    told = [f"{name}: {labels.oddity}"] if labels.oddity else []
    told += _alike(labels.faults, name)
    told += _few(found.conflicts, f"{name}: more episodes on which the file and the dump, or two rows, disagree: %s")
    told += _few(found.ambiguous, f"{name}: more rows that fit several episodes: %s")
    told += _few(found.duplicates, f"{name}: more rows that say the same as others: %s")
    if stops := found.unknown_stops:
        said = [f"'{terminal(word, 60)}'" + (f" ({times})" if times > 1 else "") for word, times in stops.items()]
        told.append(
            f"{name}: stop reasons in words that are not known, so that they decide nothing: {_listed(said)}"
            " (docs/labels.md)"
        )
    alone = tuple(terminal(one, 60) for one in found.unmatched_episodes)
    counts = ((found.unmatched_rows, "row matches no episode", "rows match no episode"),
              (alone, "episode has no row", "episodes have no row"))  # fmt: skip
    for left, one, many in counts:
        if left:
            some = _listed(left)
            told.append(f"{name}: {len(left)} {one if len(left) == 1 else many}: {some}")
    return told


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(texts[:TOLD]) + (", …" if len(texts) > TOLD else "")


def _few(lines: Sequence[str], more: str) -> list[str]:
    """Give the first lines, and `more` with the number of the others."""
    return [*lines[:TOLD], *([more % (len(lines) - TOLD)] if len(lines) > TOLD else [])]


def _alike(faults: Sequence[str], name: str) -> list[str]:
    """Give the first of all faults that say the same, with the number of the others."""
    by_reason: dict[str, list[str]] = {}
    for fault in faults:
        by_reason.setdefault(fault.removeprefix(f"{name}:").partition(": ")[2], []).append(fault)
    first = [each[0] + (f" ({len(each) - 1} more such)" if len(each) > 1 else "") for each in by_reason.values()]
    left = sum(map(len, list(by_reason.values())[TOLD:]))
    return first[:TOLD] + ([f"{name}: more rows or cells not used: {left}"] if left else [])

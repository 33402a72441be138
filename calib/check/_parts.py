"""The four Parquet files of a part: read again, and held against calib.json."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calib.check._episodes import cross_findings
from calib.check._rows import broken, rules
from calib.corpus import entry_damage
from calib.escape import visible
from calib.labels import uncounted
from calib.tables import TABLES, TEXT_COLUMNS, Table, arrow_schema

if TYPE_CHECKING:
    import polars as pl

Part = Mapping[str, Any]
Frames = dict[str, "pl.DataFrame"]


def read_part(folder: Path, part: Part) -> tuple[Frames, list[str]]:
    """Read the files of a part; gives those that could be read, and a finding for each that could not."""
    frames: Frames = {}
    findings = []
    for table in TABLES:
        entry = part["tables"][table.name]
        said = entry_damage(folder, entry) or _load(folder / entry["file"], table, entry, frames)
        if said:
            findings.append(said)
    return frames, findings


def _load(path: Path, table: Table, entry: Mapping[str, Any], frames: Frames) -> str:
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as pq

    shown = entry["file"]
    try:
        read = pq.ParquetFile(path).read()
    except (pa.ArrowException, OSError) as error:
        return f"{shown}: could not be read: {visible(str(error))[:100]}"
    expected = arrow_schema(table)
    if not read.schema.equals(expected):
        return f"{shown}: expected the columns of schema {table.name}, found {_difference(read.schema, expected)}"
    if len(read) != entry["rows"]:
        return f"{shown}: expected {entry['rows']} rows, found {len(read)}"
    frame = pl.from_arrow(read)
    assert isinstance(frame, pl.DataFrame)
    frames[table.name] = frame.with_columns(
        pl.col(pl.Categorical).cast(pl.String), pl.col(pl.List(pl.Categorical)).cast(pl.List(pl.String))
    )
    return ""


def _difference(schema: Any, expected: Any) -> str:
    if schema.names != expected.names:
        return "columns " + visible(", ".join(schema.names))[:200]
    for had, wanted in zip(schema, expected, strict=True):
        if not had.equals(wanted):
            return visible(f"{had.name} of type {had.type} for {wanted.type}")[:200]
    return "another one"


def part_findings(
    frames: Frames, part: Part, sources: Sequence[Mapping[str, Any]], options: Mapping[str, Any]
) -> list[str]:  # fmt: skip
    """Check the rows of a part: each by itself, against each other, and against what calib.json counts.

    `sources` are the entries of the sources whose rows it holds.
    """
    findings: list[str] = []
    orderly = True
    for name, frame in frames.items():
        if not len(frame):
            continue
        shown = part["tables"][name]["file"]
        told = broken(frame, rules(name, sources), shown)
        orderly = orderly and not told
        findings += told
        if not options["text"]:
            findings += _text(frame, shown)
    three = [frames[name] for name in ("episodes", "turns", "calls") if name in frames]
    if orderly and len(three) == 3 and any(len(frame) for frame in three):
        findings += cross_findings(frames, part, whole_text=bool(options["text"]) and not options.get("redact"))
    return findings + _counted(frames, part) + (_of_sources(frames, part, sources) if len(sources) > 1 else [])


def _text(frame: "pl.DataFrame", shown: str) -> list[str]:
    """Find text in a corpus that was made to hold none."""
    return [
        f"{shown}: {name}: expected no text in a corpus made with --no-text, found some"
        for name in frame.columns
        if name in TEXT_COLUMNS and frame[name].null_count() < len(frame)
    ]


def _counted(frames: Frames, part: Part) -> list[str]:
    """Compare the counts of a part in calib.json with its rows."""
    pairs: list[tuple[str, str, Mapping[str, Any], Mapping[str, Any]]] = []
    if "episodes" in frames:
        pairs.append(("episodes", "labels", part["labels"], _counts(frames["episodes"]["label"])))
        pairs.append(("episodes", "stops", part["stops"], _stops(frames["episodes"])))
    if {"episodes", "turns"} <= frames.keys():
        pairs.append(("turns", "reasoning", _flat(part["reasoning"]), _flat(_reasoning(frames))))
    if "rejects" in frames:
        grouped = _lost_by(frames["rejects"], "code")
        lost = {code: {"records": records, "bytes": size} for code, records, size in grouped}
        pairs.append(("rejects", "account.rejected", part["account"]["rejected"], lost))
    return [
        f"{part['tables'][table]['file']}: {what}: expected {_told(wanted)} as in calib.json, found {_told(had)}"
        for table, what, wanted, had in pairs
        if wanted != had
    ]


def _stops(episodes: "pl.DataFrame") -> dict[str, int]:
    return uncounted(episodes.select("label", "stop_reason", "n_turns", "turn_limit").iter_rows())


def _reasoning(frames: Frames) -> dict[str, dict[str, int]]:
    """Count how turns show their reasoning, each under the format of its episode."""
    import polars as pl

    formats = frames["episodes"].select("episode_id", "format")
    form = pl.coalesce("reasoning_kind", "reasoning_state").alias("form")
    counted = frames["turns"].join(formats, on="episode_id").group_by("format", form).len()
    found: dict[str, dict[str, int]] = {}
    for name, form, count in counted.iter_rows():
        found.setdefault(name, {})[form] = count
    return found


def _flat(counts: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    return {f"{name} {form}": count for name, forms in counts.items() for form, count in forms.items()}


def _of_sources(frames: Frames, part: Part, sources: Sequence[Mapping[str, Any]]) -> list[str]:
    """Compare the counts of each source of a pack in calib.json with its rows."""
    if not {"episodes", "turns", "calls", "rejects"} <= frames.keys():
        return []
    episodes = frames["episodes"]
    homes = episodes.select("episode_id", "source")
    rows = {"episodes": episodes} | {
        name: frames[name].select("episode_id").join(homes, on="episode_id") for name in ("turns", "calls")
    }
    had = {name: _counts(frame["source"]) for name, frame in rows.items()}
    lost: dict[str, dict[str, dict[str, int]]] = {}
    for name, code, records, size in _lost_by(frames["rejects"], "source", "code"):
        lost.setdefault(name, {})[code] = {"records": records, "bytes": size}
    found = []
    for source in sources:
        name = source["source"]
        pairs: list[tuple[str, Any, Any]] = [
            (table, {"rows": source[table]}, {"rows": had[table].get(name, 0)}) for table in had
        ]
        pairs.append(("rejects", source["account"]["rejected"], lost.get(name, {})))
        found += [
            f"{part['tables'][table]['file']}: {visible(name)[:80]}: expected {_told(wanted)} as in calib.json,"
            f" found {_told(found_now)}"
            for table, wanted, found_now in pairs
            if wanted != found_now
        ]
    return found


def _lost_by(rejects: "pl.DataFrame", *keys: str) -> Iterator[tuple[Any, ...]]:
    import polars as pl

    return rejects.group_by(*keys).agg(records=pl.col("records").sum(), bytes=pl.col("bytes").sum()).iter_rows()


def _counts(column: "pl.Series") -> dict[str, int]:
    return dict(column.value_counts().iter_rows())


def _told(counts: Mapping[str, Any]) -> str:
    shown = [
        f"{visible(str(key))[:40]} "
        + (f"{value['records']} of {value['bytes']} bytes" if isinstance(value, dict) else str(value))
        for key, value in sorted(counts.items(), key=lambda item: str(item[0]))
    ]
    return ", ".join(shown)[:200] or "none"

"""Check a corpus against itself: the account of every byte is added up again, every Parquet file is read again.

Nothing is trusted that can be counted: what calib.json says of a source must be what its parts say, and what a part
says must be what its rows say. One part is in memory at a time, and 20 bytes for each episode.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calib.check._episodes import Ids, Stretches
from calib.check._manifest import account_findings, list_findings, pack_findings
from calib.check._parts import part_findings, read_part
from calib.corpus import read_manifest

Progress = Callable[[int, int], None]
"""Told how many parts of how many are done."""


@dataclass(frozen=True)
class Checked:
    """What a check found: one line for each disagreement, and how much was read."""

    findings: tuple[str, ...]
    sources: int
    parts: int
    rows: int


def check(path: str | Path, progress: Progress | None = None) -> Checked:
    """Check the corpus in a folder.

    Raises CorpusError when there is no corpus of this schema version to check.
    """
    folder = Path(path)
    while True:
        manifest = read_manifest(folder)
        checked = _checked(folder, manifest, progress)
        if not checked.findings or read_manifest(folder) == manifest:
            return checked  # else an ingest ended meanwhile: what was checked is no longer the corpus


def _checked(folder: Path, manifest: dict[str, Any], progress: Progress | None) -> Checked:
    findings = list_findings(manifest)
    if findings:  # what follows relies on it
        return Checked(tuple(findings), 0, 0, 0)
    sources, parts = manifest["sources"], manifest["parts"]
    by_source: dict[str, list[dict[str, Any]]] = {source["source"]: [] for source in sources}
    packs = [part for part in parts if part.get("members")]
    for part in parts:
        if not part.get("members"):
            by_source[part["source"]].append(part)
    packed = {name for part in packs for name in part["members"]}
    for source in sources:
        findings += account_findings(source, None if source["source"] in packed else by_source[source["source"]])
    by_name = {source["source"]: source for source in sources}
    for part in packs:
        findings += pack_findings(part, [by_name[name] for name in part["members"]])
    rows = 0
    for said, count in _read(folder, manifest, progress):
        findings += said
        rows += count
    return Checked(tuple(findings), len(sources), len(parts), rows)


def _read(folder: Path, manifest: dict[str, Any], progress: Progress | None) -> Iterator[tuple[list[str], int]]:
    """Yield the findings in the files of each part, and its rows; what spans parts comes with the last one."""
    sources = {source["source"]: source for source in manifest["sources"]}
    ids, stretches = Ids(), Stretches()
    parts = manifest["parts"]
    for number, part in enumerate(parts, 1):
        frames, findings = read_part(folder, part)
        names = part.get("members") or (part["source"],)
        findings += part_findings(frames, part, [sources[name] for name in names], manifest["options"])
        if "episodes" in frames:
            ids.add(frames["episodes"]["episode_id"], part["part"])
        if "rejects" in frames:
            stretches.add(frames["rejects"])
        if number == len(parts) or parts[number]["source"] != part["source"]:
            findings += stretches.findings()
            stretches = Stretches()
        if number == len(parts):
            findings += ids.findings()
        if progress:
            progress(number, len(parts))
        yield findings, sum(len(frame) for frame in frames.values())

"""What happened to each source since the last run."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from calib.errors import UsageError
from calib.escape import visible
from calib.ingest.bundles import digested
from calib.ingest.copies import extends
from calib.ingest.duplicates import chains_of, ids_of
from calib.ingest.identity import digester, hash_of
from calib.ingest.plan import Planned, known_of, sources_of
from calib.ingest.streams import Input
from calib.ingest.work import Part

CHANGES = ("added", "grown", "replaced", "remade", "unchanged")
Entry = Mapping[str, Any]


def changes_of(
    planned: Sequence[Planned], entries: Iterable[Entry], parts: Sequence[Part], old_sources: Mapping[str, Entry],
    old_parts: Sequence[Part], damaged: Collection[str],
) -> dict[str, tuple[str, ...]]:  # fmt: skip
    """Name the sources of each change.

    `remade`: the same bytes gave other rows, for another option or an episode that stands elsewhere, or their part was
    damaged.
    """
    changes: dict[str, list[str]] = {change: [] for change in CHANGES}
    keys, old_keys = _keys(parts, old_sources), _keys(old_parts, old_sources)
    stretches: dict[str, list[Part]] = {}
    for part in old_parts:
        stretches.setdefault(part["source"], []).append(part)
    for one, entry in zip(planned, entries, strict=True):
        name = entry["source"]
        old = old_sources.get(name)
        if old is None:
            changes["added"].append(name)
        elif (entry["digest"], entry["bytes"], entry["format"]) == (old["digest"], old["bytes"], old["format"]):
            same = keys.get(name) == old_keys.get(name) and name not in damaged
            changes["unchanged" if same else "remade"].append(name)
        else:
            grown = entry["bytes"] > old["bytes"] > 0 and _begins_with(one, stretches.get(name, (old,)))
            changes["grown" if grown else "replaced"].append(name)
    return {change: tuple(found) for change, found in changes.items()}


def check_replaced(
    replaced: Sequence[str], parts: Sequence[Part], old_parts: Sequence[Part], old: Mapping[str, Entry], folder: Path
) -> None:  # fmt: skip
    """Refuse a source that has nothing in common with the one of its name: they are two, and one would be lost.

    Raises UsageError.
    """
    if not replaced:
        return
    new_by_source, old_by_source = _by_source(parts, replaced), _by_source(old_parts, replaced)
    for name in replaced:
        if not old[name]["episodes"]:
            continue
        told = [_told(name, by_source.get(name, ()), folder) for by_source in (old_by_source, new_by_source)]
        if not any(_same(one, other) for one in told[0] for other in told[1]):
            raise UsageError(
                f"{visible(name)}: shares no episode with the dump of this name that {visible(str(folder))} holds, and "
                "would replace it; name the folders in which they lie, all at once, or choose another --out"
            )


def _same(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Tell whether two episodes have one id, or, where they have none, whether one goes on where the other ends."""
    nameless = one[0] == other[0] == ""
    return one == other or (nameless and (extends(one[1], other[1]) or extends(other[1], one[1])))


def _told(name: str, parts: Sequence[Part], folder: Path) -> set[tuple[str, str]]:
    """Give the ids of the episodes of a source; of one that was only named after it the transcript's chain."""
    found = {(hashed, "") for part in parts for hashed in ids_of(part, folder, name)}
    for part in parts:
        for episode, chain in chains_of(part, folder, name).items():
            if episode == name or episode.startswith(f"{name}:"):
                found.discard((hash_of(episode), ""))
                found.add(("", chain))
    return found


def _by_source(parts: Sequence[Part], wanted: Collection[str]) -> dict[str, list[Part]]:
    names = set(wanted)
    found: dict[str, list[Part]] = {}
    for part in parts:
        for name in names.intersection(sources_of(part)):
            found.setdefault(name, []).append(part)
    return found


def _keys(parts: Sequence[Part], wanted: Collection[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for part in parts if wanted else ():
        for source, known in known_of(part):
            if source in wanted:
                found.setdefault(source, []).append(known.part)
    return {source: sorted(keys) for source, keys in found.items()}


def _begins_with(planned: Planned, read_before: Sequence[Entry]) -> bool:
    """Tell whether a plain file begins, or a bundle's first files are, what was read last time."""
    if members := planned.source.members:
        read = {part["digest"] for part in read_before}
        return any(seen.hexdigest() in read for seen in digested(members))
    if any(unit.packing != "plain" for unit in planned.units):
        return False
    by_digest: dict[str, int] = {}
    for part in read_before:
        by_digest[part["digest"]] = by_digest.get(part["digest"], 0) + part["bytes"]
    at = 0
    for digest, size in by_digest.items():
        seen = digester()
        with Input(planned.source.path, "plain", at, at + size) as source:
            for block in source.blocks():
                seen.update(block)
        if seen.hexdigest() != digest:
            return False
        at += size
    return True

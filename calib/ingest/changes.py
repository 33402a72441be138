"""What happened to each source since the last run."""

from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from calib.errors import UsageError
from calib.escape import visible
from calib.ingest.bundles import digested
from calib.ingest.copies import extends
from calib.ingest.duplicates import chains_of, ids_of
from calib.ingest.earlier import Earlier, known_of, sources_of
from calib.ingest.identity import digester, hash_of
from calib.ingest.plan import Plan, Planned
from calib.ingest.streams import Input
from calib.ingest.work import Part

CHANGES = ("added", "grown", "replaced", "remade", "unchanged")
Entry = Mapping[str, Any]


def changes_of(
    planned: Plan, entries: Iterable[Entry], parts: Sequence[Part], earlier: Earlier, damaged: Collection[str]
) -> dict[str, tuple[str, ...]]:  # fmt: skip
    """Name the sources of each change.

    `remade`: the same bytes gave other rows, for another option or an episode that stands elsewhere, or their part was
    damaged.
    """
    changes: dict[str, list[str]] = {change: [] for change in CHANGES}
    moved = _moved(parts, earlier)
    for at, entry in enumerate(entries):
        name = entry["source"]
        was = earlier.names.find(name)
        if was < 0:
            changes["added"].append(name)
            continue
        old = earlier.entry(was)
        if (entry["digest"], entry["bytes"], entry["format"]) == (old["digest"], old["bytes"], old["format"]):
            changes["remade" if moved[was] or name in damaged else "unchanged"].append(name)
        else:
            alone = [part for part in earlier.parts_of(name) if part["source"] == name]
            grown = entry["bytes"] > old["bytes"] > 0 and _begins_with(planned[at], alone or (old,))
            changes["grown" if grown else "replaced"].append(name)
    return {change: tuple(found) for change, found in changes.items()}


def _moved(parts: Sequence[Part], earlier: Earlier) -> "array[int]":
    """Add up the hashes of the names of the parts of each earlier source; 0 where the same parts hold it now."""
    sums = array("Q", [0]) * len(earlier)
    new, old = ({part["part"] for part in some} for some in (parts, earlier.parts))
    for some, others, sign in ((parts, old, 1), (earlier.parts, new, -1)):
        for part in some if len(earlier) else ():
            for source, known in known_of(part) if part["part"] not in others else ():
                if (at := earlier.names.find(source)) >= 0:
                    sums[at] = (sums[at] + sign * hash(known.part)) % (1 << 64)
    return sums


def check_replaced(
    replaced: Sequence[str], parts: Sequence[Part], earlier: Earlier, folder: Path
) -> None:  # fmt: skip
    """Refuse a source that has nothing in common with the one of its name: they are two, and one would be lost.

    Raises UsageError.
    """
    if not replaced:
        return
    now = _by_source(parts, replaced)
    for name in replaced:
        if not earlier[name]["episodes"]:
            continue
        told = [_told(name, some, folder) for some in (earlier.parts_of(name), now.get(name, ()))]
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


def _begins_with(planned: Planned, read_before: Sequence[Entry]) -> bool:
    """Tell whether a plain file begins, or a bundle's first files are, what was read last time."""
    if members := planned.source.members:
        read = {part["digest"] for part in read_before}
        return any(seen.hexdigest() in read for seen in digested(members))
    if planned.large and planned.sniffed.packing != "plain":
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

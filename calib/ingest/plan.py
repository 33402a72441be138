"""From sources to units, and from the parts of units back to a manifest."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from calib.corpus import digest_of
from calib.ingest.account import total
from calib.ingest.bundles import Sniff, digested
from calib.ingest.duplicates import dropped_of
from calib.ingest.identity import Stamp, digester
from calib.ingest.sources import Source
from calib.ingest.streams import Input
from calib.ingest.units import Known, Part, Unit

Manifest = dict[str, Any]


@dataclass(frozen=True)
class Planned:
    """A source and the units that read it."""

    source: Source
    format: str
    units: tuple[Unit, ...]


def plan(looked: Sequence[Sniff], old: Sequence[Part], stretch: int) -> list[Planned]:
    """Cut every source into units of `stretch` bytes, numbered through; offer them the parts that may still hold."""
    by_source: dict[str, list[Part]] = {}
    for part in old:
        by_source.setdefault(part["source"], []).append(part)
    planned = []
    number = 0
    for source, sniffed in looked:
        known = by_source.get(source.name, [])
        whole = Unit(
            number, number, source.name, source.path, sniffed.packing, sniffed.format, 0, source.size, source.size,
            sniffed.fault, shape=sniffed.shape, members=source.members, stream=sniffed.stream,
        )  # fmt: skip
        if not sniffed.format and not sniffed.fault and sniffed.shape != "beside":  # nothing in it, packed or not
            units = []
        elif whole.is_range:
            units = _ranges(whole, known, stretch)
        else:
            units = [_known(whole, known)]
        planned.append(Planned(source, sniffed.format, tuple(units)))
        number += len(units)
    return planned


def _ranges(whole: Unit, known: Sequence[Part], stretch: int) -> list[Unit]:
    by_range: dict[int, list[Part]] = {}
    for part in known:
        by_range.setdefault(part["first_byte"] // stretch, []).append(part)
    return [
        _known(
            replace(whole, number=whole.number + at, first=at * stretch, last=min((at + 1) * stretch, whole.size)),
            by_range.get(at, []),
        )
        for at in range(-(-whole.size // stretch))
    ]


def _known(unit: Unit, parts: Sequence[Part]) -> Unit:
    return replace(unit, known=tuple(Known(part["part"], part["first_byte"], dropped_of(part)) for part in parts))


def intact(parts: Sequence[Part], folder: Path) -> list[Part]:
    """Leave out the parts that are missing, cut or altered on disk; they are read again."""
    return [part for part in parts if all(_is_intact(table, folder) for table in part["tables"].values())]


def _is_intact(table: Mapping[str, Any], folder: Path) -> bool:
    file = folder / table["file"]
    try:
        return bool(file.stat().st_size == table["bytes"] and digest_of(file) == table["sha256"])
    except OSError:
        return False


def source_entry(name: str, format: str, parts: Sequence[Part]) -> dict[str, Any]:
    """Give the `sources` entry of calib.json for a source from its parts."""
    account = total(part["account"] for part in parts)
    notices: dict[str, int] = {} if parts else {"empty-file": 1}
    for part in parts:
        for code, count in part["notices"].items():
            notices[code] = notices.get(code, 0) + count
    return {
        "source": name,
        "format": format,
        "digest": combined(part["digest"] for part in parts),
        "bytes": account.bytes,
        "account": {
            "bytes": account.bytes, "kept": account.kept, "blank": account.blank, "rejected": account.rejected,
            "ignored": account.ignored,
        },
        "notices": dict(sorted(notices.items())),
        "episodes": sum(part["tables"]["episodes"]["rows"] for part in parts),
        "turns": sum(part["tables"]["turns"]["rows"] for part in parts),
    }  # fmt: skip


def combined(digests: Any) -> str:
    """Give the digest of a source: of its bytes when read in one stretch, else of the digests of its stretches.

    >>> combined(["aa", "aa"]), combined(["aa", "bb"])[:8]
    ('aa', '486b3425')
    """
    distinct = list(dict.fromkeys(digests))
    if len(distinct) == 1:
        return str(distinct[0])
    return hashlib.sha256("".join(distinct).encode()).hexdigest()


def manifest_of(stamp: Stamp, sources: Sequence[dict[str, Any]], parts: Sequence[Part]) -> Manifest:
    """Assemble calib.json; every list is sorted, so that equal corpora have equal bytes."""
    return {
        "schema_version": stamp.schema,
        "calib_version": stamp.version,
        "options": stamp.options,
        "sources": sorted(sources, key=lambda entry: entry["source"].encode()),
        "parts": [
            {key: value for key, value in part.items() if key not in ("ids", "told")}
            for part in sorted(parts, key=lambda part: (part["source"].encode(), part["first_byte"], part["part"]))
        ],
    }


def change_of(
    planned: Planned, new: Mapping[str, Any], old: Mapping[str, Any] | None, old_parts: Sequence[Part]
) -> str:
    """Say what happened to a source since the last run: `added`, `grown`, `replaced` or `unchanged`."""
    if old is None:
        return "added"
    if (new["digest"], new["bytes"], new["format"]) == (old["digest"], old["bytes"], old["format"]):
        return "unchanged"
    return "grown" if new["bytes"] > old["bytes"] > 0 and _begins_with(planned, old_parts) else "replaced"


def _begins_with(planned: Planned, old_parts: Sequence[Part]) -> bool:
    """Tell whether a plain file begins, or a bundle's first files are, what was read last time."""
    if members := planned.source.members:
        read = {part["digest"] for part in old_parts}
        return any(seen.hexdigest() in read for seen in digested(members))
    if any(unit.packing != "plain" for unit in planned.units):
        return False
    by_digest: dict[str, int] = {}
    for part in old_parts:
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

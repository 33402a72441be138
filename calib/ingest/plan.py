"""From sources to units, and from the parts of units back to a manifest."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from calib.files import digest_of
from calib.ingest.bundles import Sniff
from calib.ingest.duplicates import dropped_of
from calib.ingest.entries import Entries
from calib.ingest.identity import Stamp
from calib.ingest.sniff import Sniffed
from calib.ingest.sources import Source
from calib.ingest.work import Known, Part, Unit

Manifest = dict[str, Any]
SMALL = 1 << 20
"""Most bytes of a source that may share a part with others."""
TRANSIENT = frozenset(("ids", "told", "chains", "entries", "copied"))
"""What a part carries that is not for calib.json."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A source and the units that read it. A `small` one has one unit, without a number, that may join a pack.

    That unit is made whenever it is asked for: there may be a million.
    """

    source: Source
    sniffed: Sniffed
    large: tuple[Unit, ...] = ()
    known: tuple[Known, ...] = ()
    small: bool = False

    @property
    def format(self) -> str:
        """The format of the source; empty where it has none."""
        return self.sniffed.format

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units that read it."""
        return (replace(_whole(self.source, self.sniffed), known=self.known),) if self.small else self.large

    def unit(self) -> Unit:
        """Give the only unit of a small source."""
        return self.units[0]


def _whole(source: Source, sniffed: Sniffed, number: int = 0) -> Unit:
    return Unit(
        number, number, source.name, source.path, sniffed.packing, sniffed.format, 0, source.size, source.size,
        sniffed.fault, shape=sniffed.shape, members=source.members, stream=sniffed.stream,
    )  # fmt: skip


def plan(looked: Sequence[Sniff], old: Sequence[Part], stretch: int) -> list[Planned]:
    """Cut every source into units of `stretch` bytes; offer them the parts that may still hold.

    The units of all sources that are not small are numbered through.
    """
    by_source: dict[str, list[Known]] = {}
    for part in old:
        for name, known in known_of(part):
            by_source.setdefault(name, []).append(known)
    planned = []
    number = 0
    for source, sniffed in looked:
        known_parts = by_source.get(source.name, ())
        whole = _whole(source, sniffed, number)
        if not sniffed.format and not sniffed.fault and sniffed.shape != "beside":  # nothing in it, packed or not
            units = []
        elif whole.is_range:
            units = _ranges(whole, known_parts, stretch)
        else:
            units = [replace(whole, known=tuple(known_parts))]
        if len(units) == 1 and _is_small(whole, min(SMALL, stretch)):
            planned.append(Planned(source, sniffed, known=units[0].known, small=True))
        else:
            planned.append(Planned(source, sniffed, tuple(units)))
            number += len(units)
    return planned


def sources_of(part: Part) -> Collection[str]:
    """Name the sources whose rows a part holds."""
    members: dict[str, str] | None = part.get("members")
    return (part["source"],) if members is None else members.keys()


def known_of(part: Part) -> Iterator[tuple[str, Known]]:
    """Give the sources of a part, each with what it is known by: the part that it made or would make alone."""
    dropped = dropped_of(part)
    for source, key in part.get("members", {part["source"]: part["part"]}).items():
        yield source, Known(key, part["first_byte"], dropped.get(source, ()), "members" in part)


def _is_small(whole: Unit, most: int) -> bool:
    """Tell whether a source is sure to give one part that is hardly larger than the source."""
    plain = whole.packing == "plain" and all(member.packing == "plain" for member in whole.members)
    return plain and whole.shape != "binary" and whole.size <= most


def _ranges(whole: Unit, known: Sequence[Known], stretch: int) -> list[Unit]:
    by_range: dict[int, list[Known]] = {}
    for part in known:
        by_range.setdefault(part.first_byte // stretch, []).append(part)
    return [
        replace(
            whole, number=whole.number + at, first=at * stretch, last=min((at + 1) * stretch, whole.size),
            known=tuple(by_range.get(at, ())),
        )
        for at in range(-(-whole.size // stretch))
    ]  # fmt: skip


def intact(parts: Sequence[Part], folder: Path) -> list[Part]:
    """Leave out the parts that are missing, cut or altered on disk; they are read again."""
    return [part for part in parts if all(_is_intact(table, folder) for table in part["tables"].values())]


def _is_intact(table: Mapping[str, Any], folder: Path) -> bool:
    file = folder / table["file"]
    try:
        return bool(file.stat().st_size == table["bytes"] and digest_of(file) == table["sha256"])
    except OSError:
        return False


def manifest_of(stamp: Stamp, sources: Entries, parts: Sequence[Part]) -> Manifest:
    """Assemble calib.json; every list is sorted, so that equal corpora have equal bytes."""
    return {
        "schema_version": stamp.schema,
        "calib_version": stamp.version,
        "options": stamp.options,
        "sources": sources.ordered(),
        "parts": [
            {key: value for key, value in part.items() if key not in TRANSIENT}
            for part in sorted(parts, key=lambda part: (part["source"].encode(), part["first_byte"], part["part"]))
        ],
    }

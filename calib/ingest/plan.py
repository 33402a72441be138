"""From sources to units, and from the parts of units back to a manifest."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from calib.files import digest_of
from calib.ingest.bundles import Sniffs
from calib.ingest.entries import Entries
from calib.ingest.identity import Stamp
from calib.ingest.manifest import Manifest
from calib.ingest.sniff import Sniffed
from calib.ingest.sources import Source
from calib.ingest.work import Known, Part, Unit

SMALL = 1 << 20
"""Most bytes of a source that may share a part with others."""
TRANSIENT = frozenset(("ids", "told", "chains", "entries", "copied"))
"""What a part carries that is not for calib.json."""
Offer = Callable[[str], tuple[Known, ...]]
"""Gives the parts that may still hold of a source."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A source and the units that read it. A `small` one has one unit, without a number, that may join a pack.

    That unit is made whenever it is asked for: there may be a million.
    """

    source: Source
    sniffed: Sniffed
    large: tuple[Unit, ...]
    small: bool
    offer: Offer

    @property
    def format(self) -> str:
        """The format of the source; empty where it has none."""
        return self.sniffed.format

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units that read it."""
        return (self.unit(),) if self.small else self.large

    def unit(self) -> Unit:
        """Give the only unit of a small source."""
        return _whole(self.source, self.sniffed, known=self.offer(self.source.name))


class Plan(Collection[Planned]):
    """What becomes of every source; most are small, of which only that is kept."""

    def __init__(self, looked: Sniffs, offer: Offer) -> None:
        self.looked, self.names = looked, looked.sources.names
        self.small = bytearray(len(looked))
        self.large: dict[int, tuple[Unit, ...]] = {}
        self._offer = offer

    def __len__(self) -> int:
        return len(self.looked)

    def __getitem__(self, at: int) -> Planned:
        return Planned(*self.looked[at], self.large.get(at, ()), bool(self.small[at]), self._offer)

    def __iter__(self) -> Iterator[Planned]:
        return map(self.__getitem__, range(len(self)))

    def __contains__(self, one: object) -> bool:
        return any(one == each for each in self)

    def unit(self, at: int) -> Unit:
        """Give the only unit of a small source."""
        return self[at].unit()


def _whole(source: Source, sniffed: Sniffed, number: int = 0, known: tuple[Known, ...] = ()) -> Unit:
    return Unit(
        number, number, source.name, source.path, sniffed.packing, sniffed.format, 0, source.size, source.size,
        sniffed.fault, known, shape=sniffed.shape, members=source.members, stream=sniffed.stream,
    )  # fmt: skip


def plan(looked: Sniffs, offer: Offer, stretch: int) -> Plan:
    """Cut every source into units of `stretch` bytes; they are offered the parts that may still hold.

    The units of all sources that are not small are numbered through.
    """
    found = Plan(looked, offer)
    number = 0
    for at, (source, sniffed) in enumerate(looked):
        if not sniffed.format and not sniffed.fault and sniffed.shape != "beside":  # nothing in it, packed or not
            continue
        whole = _whole(source, sniffed, number)
        count = -(-whole.size // stretch) if whole.is_range else 1
        if count == 1 and _is_small(whole, min(SMALL, stretch)):
            found.small[at] = True
            continue
        known = offer(source.name)
        units = _ranges(whole, known, stretch) if whole.is_range else [replace(whole, known=known)]
        number += len(units)
        if units:
            found.large[at] = tuple(units)
    return found


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
    """Assemble calib.json from sources in order; every list is sorted, so that equal corpora have equal bytes."""
    return {
        "schema_version": stamp.schema,
        "calib_version": stamp.version,
        "options": stamp.options,
        "sources": sources,
        "parts": [
            {key: value for key, value in part.items() if key not in TRANSIENT}
            for part in sorted(parts, key=lambda part: (part["source"].encode(), part["first_byte"], part["part"]))
        ],
    }

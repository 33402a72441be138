"""What a run must do about sources that are gone, episodes that stand elsewhere, and dumps without a transcript."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from calib.errors import CalibError
from calib.escape import visible
from calib.ingest.duplicates import Drops, dropped_of, ids_of
from calib.ingest.earlier import Earlier, sources_of
from calib.ingest.identity import Drop
from calib.ingest.lost import TOLD
from calib.ingest.plan import Planned
from calib.ingest.sources import Source
from calib.ingest.work import Members, Part, Unit

Made = Mapping[int, Sequence[Part]]
"""The parts that each unit gave, by its number."""


def superseded(
    folders: Sequence[str], others: Iterable[str], earlier: Earlier, made: Made, folder: Path
) -> tuple[set[str], list[str]]:  # fmt: skip
    """Find sources that are not read now (`others`) but gone from a named folder, every episode of which was read now.

    A file that was renamed is one. A file that was only removed stays: dumps are rotated, and a corpus is not.
    """
    inside = tuple(f"{each}/" for each in folders)
    gone = [name for name in others if name.startswith(inside)]
    if not gone:
        return set(), []
    ids = {name: [one for part in earlier.parts_of(name) for one in ids_of(part, folder, name)] for name in gone}
    now = _ids_now(set(gone), {one for found in ids.values() for one in found}, made, folder)
    found = {name for name in gone if now.issuperset(ids[name])}
    messages = []
    for name in gone[:TOLD]:
        said = "its episodes stand in other dumps now; left out" if name in found else "its episodes stay"
        messages.append(f"{visible(name)}: no longer there; {said}")
    messages += [f"{len(gone) - TOLD} more files are no longer there"] * (len(gone) > TOLD)
    return found, messages


def _ids_now(gone: set[str], wanted: set[str], every: Made, folder: Path) -> set[str]:
    """Give those of the `wanted` ids, as hashes, whose episodes were read now."""
    found: set[str] = set()
    for part in (part for made in every.values() for part in made):
        names: Iterable[str | None] = sources_of(part) if gone & set(part.get("copied", ())) else (None,)
        now = (one for name in names if name not in gone for one in ids_of(part, folder, name))
        found.update(wanted.intersection(now))
    return found


def dropping(
    parts: Sequence[Part], wrong: Mapping[int, Drops], every: Made, units: Mapping[int, Unit]
) -> list[Unit]:  # fmt: skip
    """Give the units with a wrong part, told what each of their sources must drop."""
    owners = {id(part): number for number, made in every.items() for part in made}
    for at, needed in wrong.items():
        unit = units.get(owners.get(id(parts[at]), -1))
        had = dropped_of(parts[at])
        moved = {source for source in needed.keys() | had.keys() if needed.get(source) != had.get(source)}
        for source in sorted(moved - set(read_by(unit) if unit else ())):
            raise CalibError(
                f"{visible(source)}: shares episode ids with a dump that changed and must be read again; name it too"
            )
    drops: dict[int, dict[str, list[Drop]]] = {owners[id(parts[at])]: {} for at in wrong}
    for at, part in enumerate(parts):
        if (number := owners.get(id(part))) in drops:
            for source, found in wrong.get(at, dropped_of(part)).items():
                drops[number].setdefault(source, []).extend(found)
    return [_told(units[number], found) for number, found in sorted(drops.items())]


def _told(unit: Unit, drops: Mapping[str, Sequence[Drop]]) -> Unit:
    """Give a unit that is to be read again, and to drop episodes."""
    if not isinstance(unit.pack, Members):
        return replace(unit, known=(), drops=tuple(drops.get(unit.source, ())))
    return replace(unit, known=(), pack=unit.pack.dropping(drops))


def read_by(unit: Unit) -> Iterator[str]:
    """Name the sources that a unit reads, and does not copy."""
    if unit.pack:
        return (member.source for member in unit.pack)
    return iter(() if unit.copies else (unit.source,))


def nothing_in(sources: Collection[Source], planned: Collection[Planned]) -> str:
    """Say that there is no transcript in the sources, and what they are instead."""
    names = ", ".join(visible(source.name) for source in islice(sources, 3)) or "no file"
    more = len(sources) - 3
    return (
        f"expected transcripts, found none in {names}"
        + (f" and {more} more" if more > 0 else "")
        + f"{_why_not(planned)}; see calib formats; nothing was written"
    )


def _why_not(planned: Collection[Planned]) -> str:
    """Say what the files are instead: counts of the faults by which they were passed over."""
    faults = Counter(unit.fault or unit.shape for one in planned for unit in one.units)
    faults["empty"] = sum(not one.units for one in planned)
    told = [f"{count} {fault}" for fault, count in sorted((+faults).items())]
    return f" ({', '.join(told)})" if told else ""

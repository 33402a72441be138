"""What a run must do about sources that are gone, episodes that stand elsewhere, and dumps without a transcript."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from calib.errors import CalibError
from calib.escape import visible
from calib.ingest.duplicates import Drops, dropped_of, ids_of
from calib.ingest.identity import Drop
from calib.ingest.lost import TOLD
from calib.ingest.plan import Planned, sources_of
from calib.ingest.sources import Source
from calib.ingest.work import Part, Unit

Made = Mapping[int, Sequence[Part]]
"""The parts that each unit gave, by its number."""


def superseded(
    folders: Sequence[str], old_sources: Collection[str], old_parts: Sequence[Part], named: Collection[str],
    made: Made, folder: Path,
) -> tuple[set[str], list[str]]:  # fmt: skip
    """Find old sources that are gone from a named folder and whose every episode stands in what was read now.

    A file that was renamed is one. A file that was only removed stays: dumps are rotated, and a corpus is not.
    """
    inside = tuple(f"{each}/" for each in folders)
    gone = [name for name in old_sources if name not in named and name.startswith(inside)]
    if not inside or not gone:
        return set(), []
    now = _ids_now(set(gone), made, folder)
    old: dict[str, list[Part]] = {}
    for part in old_parts:
        for name in sources_of(part):
            old.setdefault(name, []).append(part)
    found = {
        name for name in gone if now.issuperset(one for part in old.get(name, ()) for one in ids_of(part, folder, name))
    }
    messages = []
    for name in gone[:TOLD]:
        said = "its episodes stand in other dumps now; left out" if name in found else "its episodes stay"
        messages.append(f"{visible(name)}: no longer there; {said}")
    messages += [f"{len(gone) - TOLD} more files are no longer there"] * (len(gone) > TOLD)
    return found, messages


def _ids_now(gone: set[str], every: Made, folder: Path) -> set[str]:
    """Hash the ids of all episodes that were read now."""
    found: set[str] = set()
    for part in (part for made in every.values() for part in made):
        names: Iterable[str | None] = sources_of(part) if gone & set(part.get("copied", ())) else (None,)
        found.update(one for name in names if name not in gone for one in ids_of(part, folder, name))
    return found


def dropping(
    parts: Sequence[Part], wrong: Mapping[int, Drops], every: Made, units: Mapping[int, Unit]
) -> list[Unit]:  # fmt: skip
    """Give the units with a wrong part, told what each of their sources must drop."""
    owners = {id(part): number for number, made in every.items() for part in made}
    for at, needed in wrong.items():
        unit = units.get(owners.get(id(parts[at]), -1))
        had = dropped_of(parts[at])
        can = {member.source for member in read_by(unit)} if unit else set()
        for source in sorted(needed.keys() | had.keys()):
            if needed.get(source) != had.get(source) and source not in can:
                raise CalibError(
                    f"{visible(source)}: shares episode ids with a dump that changed and must be read again; "
                    "name it too"
                )
    drops: dict[int, dict[str, list[Drop]]] = {owners[id(parts[at])]: {} for at in wrong}
    for at, part in enumerate(parts):
        if (number := owners.get(id(part))) in drops:
            for source, found in wrong.get(at, dropped_of(part)).items():
                drops[number].setdefault(source, []).extend(found)
    return [_told(units[number], found) for number, found in sorted(drops.items())]


def _told(unit: Unit, drops: Mapping[str, Sequence[Drop]]) -> Unit:
    """Give a unit that is to be read again, and to drop episodes."""
    if not unit.pack:
        return replace(unit, known=(), drops=tuple(drops.get(unit.source, ())))
    pack = tuple(replace(one, known=(), drops=tuple(drops.get(one.source, ()))) for one in unit.pack)
    return replace(unit, known=(), pack=pack)


def read_by(unit: Unit) -> Sequence[Unit]:
    """Give the sources that a unit reads, and does not copy."""
    return unit.pack or (() if unit.copies else (unit,))


def nothing_in(sources: Sequence[Source], planned: Sequence[Planned]) -> str:
    """Say that there is no transcript in the sources, and what they are instead."""
    names = ", ".join(visible(source.name) for source in sources[:3]) or "no file"
    more = len(sources) - 3
    return (
        f"expected transcripts, found none in {names}"
        + (f" and {more} more" if more > 0 else "")
        + f"{_why_not(planned)}; see calib formats; nothing was written"
    )


def _why_not(planned: Sequence[Planned]) -> str:
    """Say what the files are instead: counts of the faults by which they were passed over."""
    faults = Counter(unit.fault or unit.shape for one in planned for unit in one.units)
    faults["empty"] = sum(not one.units for one in planned)
    told = [f"{count} {fault}" for fault, count in sorted((+faults).items())]
    return f" ({', '.join(told)})" if told else ""

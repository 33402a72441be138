"""The whole of an ingest: find, plan, read, settle duplicates, commit, sum up."""

import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from calib import __version__
from calib.errors import CorpusError, NothingMatched, UsageError, near
from calib.escape import visible
from calib.files import digest_of, sibling
from calib.ingest import commit
from calib.ingest.account import IngestSummary, check_lost, counted, messages_of, source_entry, summary_of, total
from calib.ingest.bundles import Progress, Sniff, looked_at, names_of
from calib.ingest.changes import changes_of, check_replaced
from calib.ingest.crew import Crew, workers_for
from calib.ingest.duplicates import needed_drops
from calib.ingest.entries import Entries, packed, share_names
from calib.ingest.grouping import grouped
from calib.ingest.identity import Stamp
from calib.ingest.joining import joined, messages_about
from calib.ingest.options import difference, forgotten
from calib.ingest.plan import Planned, intact, known_of, manifest_of, plan, sources_of
from calib.ingest.pool import results
from calib.ingest.rereading import dropping, nothing_in, read_by, superseded
from calib.ingest.sources import Found, Source, find
from calib.ingest.work import RANGE, Copy, Part, Setup, Unit
from calib.labels import LabelFile, read_labels
from calib.registry import names
from calib.tables import SCHEMA_VERSION

PART = 2 << 20
"""Bytes that could be read in the time that writing a part takes: many small files are work too."""


def read_dumps(
    dumps: Sequence[str | Path], folder: Path, crew: Crew, *, text: bool, workers: int | None, format: str,
    max_rejected: float | None, progress: Progress | None, redact: bool, labels: str | Path | None,
    turn_limit: int | None, positives: Sequence[str],
) -> IngestSummary:  # fmt: skip
    """Do what `ingest` says, with the processes of `crew`."""
    if format != "auto" and format not in names("calib.formats"):
        raise UsageError(f"no format named {visible(format)!r}; there are {near(format, list(names('calib.formats')))}")
    if not all(map(str, dumps)) or not dumps:
        raise UsageError("no dump was named; name files, folders or -")
    commit.check(folder)
    files = [dump for dump in dumps if str(dump) != "-"]
    found = find(files, folder)
    with commit.opened(folder) as place, closing(crew):  # no worker writes while an error is cleaned up
        if len(files) < len(dumps):
            found.sources.insert(0, _standard_input(place.folder))
        told = read_labels(labels) if labels is not None else None
        digest = digest_of(Path(labels)) if labels is not None else ""
        stamp = Stamp(__version__, SCHEMA_VERSION, text, redact, tuple(positives), turn_limit, digest)
        run = _Run(place, found, looked_at(found.sources, format, progress), stamp, told, crew)
        run.read(workers, progress)
        run.settle(workers)
        return run.finish(max_rejected)


def _standard_input(folder: Path) -> Source:
    if sys.stdin is None:
        raise UsageError("standard input is closed; name a file")
    path = commit.spool(folder, sys.stdin.buffer)
    return Source.at("-", path, path.stat().st_size)


class _Run:
    """One ingest under way: what is planned, and the parts that each unit gave."""

    def __init__(
        self, place: commit.Place, found: Found, looked: Sequence[Sniff], stamp: Stamp, labels: LabelFile | None,
        crew: Crew,
    ) -> None:  # fmt: skip
        self._crew = crew
        self._place, self._found, self._looked, self._stamp, self._labels = place, found, looked, stamp, labels
        old: dict[str, Any] = place.manifest or {"sources": [], "parts": [], "options": stamp.options}
        self._old_sources = {entry["source"]: entry for entry in old["sources"]}
        self._old_parts: list[Part] = old["parts"]
        self._old_options = old["options"]
        self._same_options = old["options"] == stamp.options
        self._gone: set[str] = set()
        self._named = names_of(found.sources, looked, self._old_sources)
        others = sorted(set(self._old_sources) - self._named)
        if others and not self._same_options:
            raise UsageError(
                f"{visible(str(place.folder))}: holds {visible(others[0])} and "
                f"{difference(old['options'], stamp.options)}; name every dump again or choose another --out"
            )
        self._counts = sibling(place.folder / "lines")
        self._setup = Setup(place.folder, stamp, self._counts, RANGE)
        self._planned: list[Planned] = []
        self._units: dict[int, Unit] = {}
        self._made: dict[int, list[Part]] = {}
        self._read: set[str] = set()
        touched = [part for part in self._old_parts if not self._named.isdisjoint(sources_of(part))]
        whole = intact(touched, place.folder)
        kept = {part["part"] for part in whole}
        self._damaged = {name for part in touched if part["part"] not in kept for name in sources_of(part)}
        self._known = whole if self._same_options and labels is None else []

    def read(self, workers: int | None, progress: Progress | None) -> None:
        """Read every unit whose known parts do not hold."""
        self._planned, self._looked = plan(self._looked, self._known, RANGE), ()
        if not any(planned.format for planned in self._planned):
            raise NothingMatched(nothing_in(self._found.sources, self._planned))
        units = [unit for planned in self._planned if not planned.small for unit in planned.units]
        units += self._groups(len(units))
        self._counts.write_bytes(bytes(8 * len(units)))
        self._run(units, workers, progress)

    def _groups(self, first: int) -> list[Unit]:
        """Give the units of all small sources of the corpus to be, numbered from `first`."""
        copies = {
            source: Copy(source, known.part, entry, part["part"], known.dropped, known.packed)
            for part in self._old_parts
            for source, known in known_of(part)
            if source not in self._named | self._gone and (entry := self._old_sources[source])["small"]
        }
        untouched = [part for part in self._old_parts if self._named.isdisjoint(sources_of(part))]
        units = grouped(self._planned, copies, [*self._known, *untouched], first)
        needed = {copy.part for unit in units for copy in unit.copies}
        used = [part for part in self._old_parts if part["part"] in needed]
        if damaged := needed - {part["part"] for part in intact(used, self._place.folder)}:
            lost = min(one.source for one in copies.values() if one.part in damaged)
            raise CorpusError(
                f"{visible(lost)}: a part of the corpus that holds it is damaged, and is needed now; name it too"
            )
        return units

    def _run(self, units: Sequence[Unit], workers: int | None, progress: Progress | None) -> None:
        self._units |= {unit.number: unit for unit in units}
        by_id = {part["part"]: part for part in self._old_parts}
        size = sum(unit.last - unit.first for unit in units)
        whole = ticked = 0

        def tick(count: int) -> None:
            nonlocal ticked
            ticked += count
            if progress:
                progress(min(max(whole, ticked), size), size, "")

        count = workers_for(workers, size + PART * len(units))
        for unit, parts in results(units, self._setup, count, tick, self._crew):
            self._made[unit.number] = [by_id[k.part] for k in unit.known] if parts is None else parts
            if parts is not None:
                names = {member.source: member.source for member in read_by(unit)}
                self._read.update(names)
                for part in parts:
                    share_names(part, names)
            whole += unit.last - unit.first
            tick(0)

    def _parts(self) -> list[Part]:
        """List the parts of the corpus to be: those that were made and those that stay."""
        made = [part for number in sorted(self._made) for part in self._made[number]]
        copied = {copy.source for unit in self._units.values() for copy in unit.copies}
        settled = self._named | self._gone | copied
        return made + [part for part in self._old_parts if settled.isdisjoint(sources_of(part))]

    def settle(self, workers: int | None) -> None:
        """Read again the units whose episodes stand elsewhere before, or no longer do."""
        self._gone = self._superseded()
        if any(self._old_sources[name]["small"] for name in self._gone):
            self._regroup(workers)
        parts = self._parts()
        if {part["part"] for part in parts} == {part["part"] for part in self._old_parts}:
            return
        again = dropping(parts, needed_drops(parts, self._place.folder), self._made, self._units)
        self._run(again, workers, None)

    def _regroup(self, workers: int | None) -> None:
        """Make the packs anew that were made with sources that are gone."""
        old = {_members(unit): unit for unit in self._units.values() if unit.pack or unit.copies}
        small = {unit.source: unit for unit in self._units.values() if not unit.pack and not unit.copies}
        new = self._groups(max(self._units, default=-1) + 1)
        stay = {unit.number for unit in new if _members(unit) in old or (not unit.pack and unit.source in small)}
        wanted = {_members(unit) for unit in new}
        for members, unit in old.items():
            if members not in wanted:
                del self._units[unit.number], self._made[unit.number]
        self._run([unit for unit in new if unit.number not in stay], workers, None)

    def _superseded(self) -> set[str]:
        gone, messages = superseded(
            self._found.folders, self._old_sources, self._old_parts, self._named, self._made, self._place.folder
        )
        self._found.messages += messages
        return gone

    def finish(self, max_rejected: float | None) -> IngestSummary:
        """Commit and sum up."""
        parts = self._parts()
        told = self._joined()  # first: it adds to the notices of parts
        entries = self._entries(parts)
        check_lost(total(entry["account"] for entry in entries), max_rejected)
        messages = [*self._found.messages, *told]
        settled = self._named | self._gone
        kept = (packed(entry) for name, entry in self._old_sources.items() if name not in settled)
        manifest = manifest_of(self._stamp, Entries([*entries.data, *kept]), parts)
        changes = changes_of(self._planned, entries, parts, self._old_sources, self._old_parts, self._damaged)
        folder = self._place.folder
        check_replaced(changes["replaced"], parts, self._old_parts, self._old_sources, folder)
        same = set(changes["unchanged"])
        messages += messages_of(entries, parts, self._read - same)
        labels = (counted(each, "labels") for each in (self._old_parts, parts))
        if said := forgotten(self._old_options, self._stamp.options, *labels):
            messages.append(f"{visible(str(folder))}: {said}")
        self._let_go()
        commit.commit(self._place, manifest)
        return summary_of(manifest, changes, messages)

    def _let_go(self) -> None:
        """Forget what was only needed to make the manifest: with a million files it is as large as that."""
        self._found.sources, self._planned = [], []
        self._old_sources, self._old_parts, self._known = {}, [], []
        self._units, self._made = {}, {}

    def _entries(self, parts: Sequence[Part]) -> Entries:
        """Give the entries of the sources that were named now."""
        packs = {name: part for part in parts for name in part.get("members", ())}
        alone: dict[str, list[Part]] = {}
        for part in parts:
            alone.setdefault(part["source"], []).append(part)
        entries = []
        for planned in self._planned:
            name = planned.source.name
            if name in packs:
                made = packs[name].get("entries", {})
                entries.append(made[name] if name in made else packed(self._old_sources[name]))
            else:
                entries.append(packed(source_entry(name, planned.format, alone.get(name, ()), planned.small)))
        return Entries(entries)

    def _joined(self) -> list[str]:
        """Join the labels file; gives what to tell about it."""
        if self._labels is None:
            return []
        parts = [part for number in sorted(self._made) for part in self._made[number]]
        found = joined(parts, self._place.folder, self._labels, self._stamp)
        return messages_about(found, self._labels)


def _members(unit: Unit) -> tuple[str, ...]:
    """Name what a pack is made of."""
    return (unit.source, *sorted([*(one.source for one in unit.pack), "", *(one.source for one in unit.copies)]))

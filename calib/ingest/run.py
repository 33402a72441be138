"""The whole of an ingest: find, plan, read, settle duplicates, commit, sum up."""

import sys
from array import array
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from calib import __version__
from calib.errors import CorpusError, NothingMatched, UsageError, near
from calib.escape import visible
from calib.files import digest_of, sibling
from calib.ingest import commit
from calib.ingest.account import IngestSummary, check_lost, counted, messages_of, summary_of
from calib.ingest.bundles import Progress, Sniffs, earlier_of, looked_at
from calib.ingest.changes import changes_of, check_replaced
from calib.ingest.crew import Crew, workers_for
from calib.ingest.duplicates import needed_drops
from calib.ingest.earlier import nothing, sources_of
from calib.ingest.grouping import Small, digest, grouped
from calib.ingest.identity import Stamp
from calib.ingest.joining import joined, messages_about
from calib.ingest.ledger import Ledger
from calib.ingest.options import difference, forgotten
from calib.ingest.plan import intact, manifest_of, plan
from calib.ingest.pool import results
from calib.ingest.rereading import dropping, nothing_in, superseded
from calib.ingest.sources import Source
from calib.ingest.spool import Spool
from calib.ingest.walk import Found, find
from calib.ingest.work import RANGE, Members, Part, Setup, Unit
from calib.labels import LabelFile, read_labels
from calib.registry import names
from calib.tables import SCHEMA_VERSION

MANY = 100_000
"""Sources that take as much memory as it pays to count."""
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
    files = [dump for dump in dumps if str(dump) != "-"]
    with commit.checked(folder) as known:
        found = find(files, folder)
        # in this order: no worker writes while an error is cleaned up
        with commit.opened(folder, known) as place, closing(Spool(folder)) as spool, closing(crew):
            if len(files) < len(dumps):
                found.sources = found.sources.with_odd([_standard_input(place.folder)])
            told = read_labels(labels) if labels is not None else None
            joined_with = digest_of(Path(labels)) if labels is not None else ""
            stamp = Stamp(__version__, SCHEMA_VERSION, text, redact, tuple(positives), turn_limit, joined_with)
            run = _Run(place, found, looked_at(found.sources, format, progress), stamp, told, crew, spool)
            run.read(workers, progress)
            run.settle(workers)
            crew.close()
            return run.finish(max_rejected)


def _standard_input(folder: Path) -> Source:
    if sys.stdin is None:
        raise UsageError("standard input is closed; name a file")
    path = commit.spool(folder, sys.stdin.buffer)
    return Source.at("-", path, path.stat().st_size)


def _give_back() -> None:
    """Give memory that is free again back to the system: glibc keeps up to 64 MiB, and workers need some now."""
    import ctypes  # only now: it takes time

    with suppress(OSError, AttributeError):  # another library
        ctypes.CDLL(None).malloc_trim(0)


class _Run:
    """One ingest under way: what is planned, and the parts that each unit gave."""

    def __init__(
        self, place: commit.Place, found: Found, looked: Sniffs, stamp: Stamp, labels: LabelFile | None, crew: Crew,
        spool: Spool,
    ) -> None:  # fmt: skip
        self._crew, self._spool = crew, spool
        self._place, self._found, self._looked, self._stamp, self._labels = place, found, looked, stamp, labels
        self._earlier = place.earlier or nothing(stamp.options)
        same_options = self._earlier.manifest["options"] == stamp.options
        self._bundles = earlier_of(found.sources, self._earlier)
        self._others = array("I", (at for at, name in enumerate(self._earlier) if not self._is_named(name)))
        if self._others and not same_options:
            other = self._earlier.names[self._others[0]]
            raise UsageError(
                f"{visible(str(place.folder))}: holds {visible(other)} and "
                f"{difference(self._earlier.manifest['options'], stamp.options)}; name every dump again or choose "
                "another --out"
            )
        self._setup = Setup(place.folder, stamp, sibling(place.folder / "lines"), RANGE)
        self._gone: set[str] = set()
        self._units: dict[int, Unit] = {}
        self._made: dict[int, list[Part]] = {}
        touched = [part for part in self._earlier.parts if any(map(self._is_named, sources_of(part)))]
        self._touched = {part["part"] for part in touched}
        whole = intact(touched, place.folder)
        kept = {part["part"] for part in whole}
        self._damaged = {name for part in touched if part["part"] not in kept for name in sources_of(part)}
        self._known = whole if same_options and labels is None else []

    def _is_named(self, name: str) -> bool:
        """Tell whether this run settles a source."""
        return name in self._looked.sources.names or name in self._found.sources.names or name in self._bundles

    def read(self, workers: int | None, progress: Progress | None) -> None:
        """Read every unit whose known parts do not hold."""
        offered = {part["part"] for part in self._known}
        self._plan = plan(self._looked, partial(self._earlier.known, offered=offered), RANGE)
        self._ledger = Ledger(self._plan, self._earlier, self._spool)
        if not any(kind.format for kind in self._looked.kinds):
            raise NothingMatched(nothing_in(self._found.sources, self._plan))
        units = [unit for units in self._plan.large.values() for unit in units]
        units += self._groups(len(units))
        self._setup.counts.write_bytes(bytes(8 * len(units)))
        if len(self._plan) > MANY:
            _give_back()
        self._run(units, workers, progress)

    def _groups(self, first: int) -> list[Unit]:
        """Give the units of all small sources of the corpus to be, numbered from `first`."""
        small = Small(self._plan, self._earlier, (at for at in self._left() if self._earlier.may_share(at)))
        untouched = [part for part in self._earlier.parts if part["part"] not in self._touched]
        units = grouped(small, self._plan, [*self._known, *untouched], first)
        needed = {copy.part for unit in units for copy in unit.copies}
        used = [part for part in self._earlier.parts if part["part"] in needed]
        if damaged := needed - {part["part"] for part in intact(used, self._place.folder)}:
            held = (name for part in used if part["part"] in damaged for name in sources_of(part))
            lost = min(name for name in held if not self._is_named(name) and name not in self._gone)
            raise CorpusError(
                f"{visible(lost)}: a part of the corpus that holds it is damaged, and is needed now; name it too"
            )
        return units

    def _left(self) -> Iterator[int]:
        """Give the places of the earlier sources that stay and are not read now."""
        names = self._earlier.names
        return (at for at in self._others if not self._gone or names[at] not in self._gone)

    def _run(self, units: Sequence[Unit], workers: int | None, progress: Progress | None) -> None:
        by_id = {part["part"]: part for part in self._earlier.parts}
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
            self._units[unit.number] = unit
            self._ledger.take(unit, parts)
            whole += unit.last - unit.first
            tick(0)

    def _parts(self) -> list[Part]:
        """List the parts of the corpus to be: those that were made and those that stay."""
        made = [part for number in sorted(self._made) for part in self._made[number]]
        settled = self._gone | {copy.source for unit in self._units.values() for copy in unit.copies}
        untouched = (part for part in self._earlier.parts if part["part"] not in self._touched)
        return made + [part for part in untouched if not settled or settled.isdisjoint(sources_of(part))]

    def settle(self, workers: int | None) -> None:
        """Read again the units whose episodes stand elsewhere before, or no longer do."""
        others = (self._earlier.names[at] for at in self._others)
        folder = self._place.folder
        self._gone, messages = superseded(self._found.folders, others, self._earlier, self._made, folder)
        self._found.messages += messages
        if any(self._earlier[name]["small"] for name in self._gone):
            self._regroup(workers)
        parts = self._parts()
        if {part["part"] for part in parts} == {part["part"] for part in self._earlier.parts}:
            return
        again = dropping(parts, needed_drops(parts, folder), self._made, self._units)
        self._run(again, workers, None)

    def _regroup(self, workers: int | None) -> None:
        """Make the packs anew that were made with sources that are gone."""
        old = {self._held(unit): unit for unit in self._units.values() if unit.pack or unit.copies}
        small = {unit.source: unit for unit in self._units.values() if not unit.pack and not unit.copies}
        new = self._groups(max(self._units, default=-1) + 1)
        wanted = {unit.number: self._held(unit) for unit in new}
        stay = {unit.number for unit in new if wanted[unit.number] in old or (not unit.pack and unit.source in small)}
        for held in old.keys() - set(wanted.values()):
            del self._units[old[held].number], self._made[old[held].number]
        self._run([unit for unit in new if unit.number not in stay], workers, None)

    def _held(self, unit: Unit) -> bytes:
        """Tell packs apart by what they are made of."""
        read = [self._plan.names[at] for at in unit.pack.places] if isinstance(unit.pack, Members) else []
        return digest((unit.source, *sorted([*read, "", *(one.source for one in unit.copies)])))

    def finish(self, max_rejected: float | None) -> IngestSummary:
        """Commit and sum up."""
        parts = self._parts()
        told = self._joined()  # first: it adds to the notices of parts
        entries = self._ledger.entries(parts)
        check_lost((entry["account"] for entry in entries), max_rejected)
        manifest = manifest_of(self._stamp, self._ledger.with_others(self._left()), parts)
        changes = changes_of(self._plan, entries, parts, self._earlier, self._damaged)
        check_replaced(changes["replaced"], parts, self._earlier, self._place.folder)
        rejected = self._ledger.rejected(changes["unchanged"])
        messages = [*self._found.messages, *told, *messages_of(rejected)]
        labels = (counted(each, "labels") for each in (self._earlier.parts, parts))
        if said := forgotten(self._earlier.manifest["options"], self._stamp.options, *labels):
            messages.append(f"{visible(str(self._place.folder))}: {said}")
        del self._found, self._looked, self._plan, self._ledger, self._units, self._made  # else all is held twice
        commit.commit(self._place, manifest)
        return summary_of(manifest, changes, messages)

    def _joined(self) -> list[str]:
        """Join the labels file; gives what to tell about it."""
        if self._labels is None:
            return []
        parts = [part for number in sorted(self._made) for part in self._made[number]]
        found = joined(parts, self._place.folder, self._labels, self._stamp, self._ledger.add_notices)
        return messages_about(found, self._labels)

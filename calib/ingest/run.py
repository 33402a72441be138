"""The whole of an ingest: find, plan, read, settle duplicates, commit, sum up."""

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from calib import __version__
from calib.corpus import digest_of
from calib.errors import CalibError, NothingMatched, TooMuchLost, UsageError, near
from calib.escape import visible
from calib.files import sibling
from calib.ingest import commit
from calib.ingest.account import Account, IngestSummary, messages_of, summary_of, total
from calib.ingest.bundles import Sniff, looked_at, names_of
from calib.ingest.collect import TOLD
from calib.ingest.duplicates import dropped_of, ids_of, needed_drops
from calib.ingest.identity import Drop, Stamp
from calib.ingest.joining import joined
from calib.ingest.plan import Planned, change_of, intact, manifest_of, plan, source_entry
from calib.ingest.pool import results
from calib.ingest.sources import Found, Source, find
from calib.ingest.units import RANGE, Part, Setup, Unit
from calib.labels import LabelFile, read_labels
from calib.registry import names
from calib.tables import SCHEMA_VERSION

SMALL = 64 << 20
"""Bytes of input below which starting worker processes costs more than they save."""
PART = 2 << 20
"""Bytes that could be read in the time that writing a part takes: many small files are work too."""
MOST_WORKERS = 4


class Progress(Protocol):
    """Told now and then how many bytes are done, of how many, and of what (empty: of the dumps)."""

    def __call__(self, done_bytes: int, total_bytes: int | None, what: str, /) -> None:  # noqa: D102 - said above
        ...


def ingest(
    dumps: Sequence[str | Path], out: str | Path, *, text: bool = True, workers: int | None = None,
    format: str = "auto", max_rejected: float | None = None, progress: Progress | None = None, redact: bool = False,
    labels: str | Path | None = None, turn_limit: int | None = None, positives: Sequence[str] = ("turn_limit",),
) -> IngestSummary:  # fmt: skip
    """Read dumps into the corpus folder `out`, adding to what is there.

    Files, folders (recursive) and `-` (standard input); gzip and zstd by content. A source of the same name is
    replaced, sources not named now stay. `text=False` leaves every text column null. `workers=None` chooses.
    `redact` masks addresses, home folders and keys in stored text. `labels` is a file of outcomes to join,
    `turn_limit` the limit to assume where no dump names one, `positives` the kinds of stop that count as turn_limit.
    `max_rejected` is the largest share of the bytes of these dumps that may be rejected. Equal dumps give equal
    bytes for any order, number of workers and history; unchanged ones change nothing.

    Raises UsageError (an argument makes no sense), CorpusError (another schema version), TooMuchLost, NothingMatched
    (no transcript in any dump) and CalibError (the disk refuses, a worker died). After any of them the corpus is
    what it was before.
    """
    if format != "auto" and format not in names("calib.formats"):
        raise UsageError(f"no format named {visible(format)!r}; there are {near(format, list(names('calib.formats')))}")
    if not all(map(str, dumps)) or not dumps:
        raise UsageError("no dump was named; name files, folders or -")
    folder = Path(out)
    commit.check(folder)
    files = [dump for dump in dumps if str(dump) != "-"]
    found = find(files, folder)
    with commit.opened(folder) as place:
        if len(files) < len(dumps):
            found.sources.insert(0, _standard_input(place.folder))
        told = read_labels(labels) if labels is not None else None
        digest = digest_of(Path(labels)) if labels is not None else ""
        stamp = Stamp(__version__, SCHEMA_VERSION, text, redact, tuple(positives), turn_limit, digest)
        run = _Run(place, found, looked_at(found.sources, format), stamp, told)
        run.read(workers, progress)
        run.settle(workers)
        return run.finish(max_rejected)


def _standard_input(folder: Path) -> Source:
    if sys.stdin is None:
        raise UsageError("standard input is closed; name a file")
    path = commit.spool(folder, sys.stdin.buffer)
    return Source("-", path, path.stat().st_size)


class _Run:
    """One ingest under way: what is planned, and the parts that each unit gave."""

    def __init__(
        self, place: commit.Place, found: Found, looked: Sequence[Sniff], stamp: Stamp, labels: LabelFile | None
    ) -> None:  # fmt: skip
        self._place, self._found, self._looked, self._stamp, self._labels = place, found, looked, stamp, labels
        old: dict[str, Any] = place.manifest or {"sources": [], "parts": [], "options": stamp.options}
        self._old_sources = {entry["source"]: entry for entry in old["sources"]}
        self._old_parts: list[Part] = old["parts"]
        self._same_options = old["options"] == stamp.options
        self._gone: set[str] = set()
        self._named = names_of(found.sources, looked, self._old_sources)
        others = sorted(set(self._old_sources) - self._named)
        if others and not self._same_options:
            raise UsageError(
                f"{visible(str(place.folder))}: holds {visible(others[0])} and was made with other options "
                "(text, redact, positive, turn limit, labels); name every dump again or choose another --out"
            )
        self._counts = sibling(place.folder / "lines")
        self._setup = Setup(place.folder, stamp, self._counts, RANGE)
        self._planned: list[Planned] = []
        self._made: dict[int, list[Part]] = {}
        self._read: set[str] = set()

    def read(self, workers: int | None, progress: Progress | None) -> None:
        """Read every unit whose known parts do not hold."""
        reusable = self._same_options and self._labels is None
        known = [part for part in self._old_parts if part["source"] in self._named] if reusable else []
        self._planned = plan(self._looked, intact(known, self._place.folder), RANGE)
        if not any(planned.format for planned in self._planned):
            raise NothingMatched(self._nothing())
        units = [unit for planned in self._planned for unit in planned.units]
        self._counts.write_bytes(bytes(8 * len(units)))
        by_id = {part["part"]: part for part in known}
        size = sum(unit.last - unit.first for unit in units)
        whole = ticked = 0

        def tick(count: int) -> None:
            nonlocal ticked
            ticked += count
            if progress:
                progress(min(max(whole, ticked), size), size, "")

        for unit, parts in results(units, self._setup, _workers(workers, units), tick):
            self._made[unit.number] = [by_id[k.part] for k in unit.known] if parts is None else parts
            if parts is not None:
                self._read.add(unit.source)
            whole += unit.last - unit.first
            tick(0)

    def _nothing(self) -> str:
        names = ", ".join(visible(source.name) for source in self._found.sources[:3]) or "no file"
        more = len(self._found.sources) - 3
        return (
            f"expected transcripts (one episode or one message a line), found none in {names}"
            + (f" and {more} more" if more > 0 else "")
            + "; nothing was written"
        )

    def _parts(self) -> list[Part]:
        """List the parts of the corpus to be: those of the named sources and those that stay."""
        made = [part for number in sorted(self._made) for part in self._made[number]]
        return made + [part for part in self._old_parts if part["source"] not in self._named | self._gone]

    def settle(self, workers: int | None) -> None:
        """Read again the units whose episodes stand elsewhere before, or no longer do."""
        self._gone = self._superseded()
        parts = self._parts()
        if {part["part"] for part in parts} == {part["part"] for part in self._old_parts}:
            return
        drops = self._drops(parts, needed_drops(parts, self._place.folder))
        units = {unit.number: unit for planned in self._planned for unit in planned.units}
        again = [replace(units[number], known=(), drops=tuple(found)) for number, found in sorted(drops.items())]
        for unit, made in results(again, self._setup, _workers(workers, again), lambda count: None):
            self._made[unit.number] = made or []
            self._read.add(unit.source)

    def _superseded(self) -> set[str]:
        """Find old sources that are gone from a named folder and whose every episode stands in what was read now.

        A file that was renamed is one. A file that was only removed stays: dumps are rotated, and a corpus is not.
        """
        inside = tuple(f"{folder}/" for folder in self._found.folders)
        gone = [name for name in self._old_sources if name not in self._named and name.startswith(inside)]
        if not inside or not gone:
            return set()
        folder = self._place.folder
        now = {one for made in self._made.values() for part in made for one in ids_of(part, folder)}
        old = _by_source(self._old_parts)
        found = {
            name for name in gone if now.issuperset(one for part in old.get(name, ()) for one in ids_of(part, folder))
        }
        for name in gone[:TOLD]:
            said = "its episodes stand in other dumps now; left out" if name in found else "its episodes stay"
            self._found.messages.append(f"{visible(name)}: no longer there; {said}")
        self._found.messages += [f"{len(gone) - TOLD} more files are no longer there"] * (len(gone) > TOLD)
        return found

    def _drops(self, parts: list[Part], wrong: dict[int, tuple[Drop, ...]]) -> dict[int, list[Drop]]:
        """Collect what each unit with a wrong part must drop, in all its parts."""
        owners = {id(part): number for number, made in self._made.items() for part in made}
        for at in wrong:
            if id(parts[at]) not in owners:
                raise CalibError(
                    f"{visible(parts[at]['source'])}: shares episode ids with a dump that changed and must be read "
                    "again; name it too"
                )
        drops: dict[int, list[Drop]] = {owners[id(parts[at])]: [] for at in wrong}
        for at, part in enumerate(parts):
            if (number := owners.get(id(part))) in drops:
                drops[number] += wrong.get(at, dropped_of(part))
        return drops

    def finish(self, max_rejected: float | None) -> IngestSummary:
        """Commit and sum up."""
        parts = self._parts()
        messages = [*self._found.messages, *self._joined()]  # first: joining adds to the notices of parts
        by_source = _by_source(parts)
        entries = [
            source_entry(planned.source.name, planned.format, by_source.get(planned.source.name, ()))
            for planned in self._planned
        ]
        _check_lost(total(entry["account"] for entry in entries), max_rejected)
        kept = [entry for name, entry in self._old_sources.items() if name not in self._named | self._gone]
        manifest = manifest_of(self._stamp, [*entries, *kept], parts)
        changes = self._changes(entries)
        read = [entry["source"] for entry in entries if entry["source"] in self._read]
        messages += messages_of({name: by_source.get(name, ()) for name in read})
        commit.commit(self._place, manifest)
        return summary_of(manifest, changes, messages)

    def _joined(self) -> list[str]:
        """Join the labels file; gives what to tell about it."""
        if self._labels is None:
            return []
        parts = [part for number in sorted(self._made) for part in self._made[number]]
        found = joined(parts, self._place.folder, self._labels, self._stamp)
        told = [*self._labels.faults, *found.conflicts, *found.ambiguous, *found.duplicates]
        counts = ((found.unmatched_rows, "row matches no episode", "rows match no episode"),
                  (found.unmatched_episodes, "episode has no row", "episodes have no row"))  # fmt: skip
        for left, one, many in counts:
            if left:
                some = ", ".join(visible(name) for name in left[:TOLD]) + (", …" if len(left) > TOLD else "")
                told.append(f"{visible(self._labels.name)}: {len(left)} {one if len(left) == 1 else many}: {some}")
        return told

    def _changes(self, entries: Sequence[dict[str, Any]]) -> dict[str, tuple[str, ...]]:
        changes: dict[str, list[str]] = {"added": [], "grown": [], "replaced": [], "unchanged": []}
        old_parts = _by_source(self._old_parts)
        for planned, entry in zip(self._planned, entries, strict=True):
            name = entry["source"]
            changes[change_of(planned, entry, self._old_sources.get(name), old_parts.get(name, ()))].append(name)
        return {change: tuple(found) for change, found in changes.items()}


def _by_source(parts: Sequence[Part]) -> dict[str, list[Part]]:
    found: dict[str, list[Part]] = {}
    for part in parts:
        found.setdefault(part["source"], []).append(part)
    return found


def _check_lost(lost: Account, allowed: float | None) -> None:
    if allowed is not None and lost.rate > allowed:
        codes = sorted(lost.rejected.items(), key=lambda item: (-item[1]["bytes"], item[0]))[:3]
        said = ", ".join(f"{code} ({counts['records']})" for code, counts in codes)
        raise TooMuchLost(
            f"{lost.rate:.3%} of the bytes were rejected, at most {allowed:.3%} may be: {said}; nothing was written"
        )


def _workers(asked: int | None, units: Sequence[Unit]) -> int:
    if asked is not None:
        return max(1, asked)
    work = sum(unit.last - unit.first + PART for unit in units)
    return min(_cores(), MOST_WORKERS) if work > SMALL else 1


def _cores() -> int:
    """Count the cores this process may use; not every system can tell."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

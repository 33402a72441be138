"""What becomes of each source of a run: its entry for calib.json, and its first rejects, wait on disk."""

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from heapq import merge

from calib.ingest.account import source_entry
from calib.ingest.earlier import Earlier
from calib.ingest.entries import Entries, Entry, Told, packed, record
from calib.ingest.joining import add_notices
from calib.ingest.plan import Plan
from calib.ingest.rereading import read_by
from calib.ingest.spool import Spool
from calib.ingest.work import Members, Part, Unit

ALONE = -(1 << 62)
"""The place of an entry that is made of the parts of its source, in the end."""


class Ledger:
    """The place of the entry of each source, and whether the source was read."""

    def __init__(self, plan: Plan, earlier: Earlier, spool: Spool) -> None:
        self._plan, self._earlier, self._spool = plan, earlier, spool
        self._places = array("q", [ALONE]) * len(plan)
        self._read = bytearray(len(plan))

    def take(self, unit: Unit, parts: Sequence[Part] | None) -> None:
        """Note what a unit gave; of a pack, what there is of each source goes to disk. None: the known parts hold."""
        names = self._plan.names
        for at in unit.pack.places if isinstance(unit.pack, Members) else map(names.find, read_by(unit)):
            self._read[at] |= parts is not None
            holds = unit.pack and parts is None
            self._places[at] = -1 - self._earlier.names.find(names[at]) if holds else ALONE
        for part in (parts or ()) if unit.pack or unit.copies else ():
            told, entries = part.pop("told"), part.pop("entries")
            places = self._spool.put(record(entry, told.get(name, [])) for name, entry in entries.items())
            for name, place in zip(entries, places, strict=True):
                self._places[names.find(name)] = place
            if "members" in part:
                part["members"] = self._spool.stored(part["members"])

    def entries(self, parts: Sequence[Part]) -> Entries:
        """Give the entries of all sources of the run."""
        alone: dict[str, list[Part]] = {}
        for part in parts:
            if "members" not in part:
                alone.setdefault(part["source"], []).append(part)
        for at, place in enumerate(self._places):
            if place == ALONE:
                held = alone.get(self._plan.names[at], ())
                format, small = self._plan.looked.kind(at).format, bool(self._plan.small[at])
                told = [fault for part in held for fault in part.get("told", ())]
                self._put(at, source_entry(self._plan.names[at], format, held, small), told)
        return self._entries(self._places)

    def with_others(self, others: Iterator[int]) -> Entries:
        """Give the entries of all sources of the run, and of some earlier ones."""
        planned = zip(self._plan.names, self._places, strict=True)
        kept = ((self._earlier.names[at], -1 - at) for at in others)
        return self._entries(array("q", (place for _, place in merge(planned, kept))))

    def rejected(self, unchanged: Sequence[str]) -> Iterator[tuple[Entry, Told]]:
        """Give the sources that were read and are not `unchanged`, with their first rejects."""
        entries = self._entries(self._places)
        for at, read in enumerate(self._read):
            if read and (told := entries.told(at)):
                name = self._plan.names[at]
                before = bisect_left(unchanged, name)
                if name not in unchanged[before : before + 1]:
                    yield entries[at], told

    def add_notices(self, name: str, counts: Counter[str]) -> None:
        """Add what was noticed in a source of a pack."""
        at, entries = self._plan.names.find(name), self._entries(self._places)
        entry, told = entries[at], entries.told(at)
        add_notices(entry, counts)
        self._put(at, entry, told)

    def _put(self, at: int, entry: Entry, told: Told) -> None:
        self._places[at] = self._spool.put([record(packed(entry), told)])[0]

    def _entries(self, places: "array[int]") -> Entries:
        return Entries(places, self._spool, self._earlier.entry)

"""Which small sources share a part: decided by the names and sizes of all small sources of the corpus, nothing else.

Up to FEW small sources each make a part of their own, so that one that grew touches no other. Beyond, a source costs
less than the files it would make: they are put into packs by the first bits of a hash of their names, as many bits as
it takes that no pack holds over MOST sources or HEAVIEST bytes. A source that comes, goes or grows therefore touches
its own pack alone, and the packs are the same whatever came first.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from heapq import merge
from pathlib import Path

from calib.ingest.earlier import Earlier, known_by
from calib.ingest.plan import Plan
from calib.ingest.work import Copy, Known, Members, Part, Unit

FEW = 32
MOST = 512
HEAVIEST = 16 << 20
BITS = 64


def leaves(sizes: Mapping[str, int]) -> list[tuple[str, ...]]:
    """Put sources, given with their bytes, into groups; each is sorted by name as UTF-8.

    >>> leaves({"b": 1, "a": 2})
    [('a', 'b')]
    >>> [len(found) for found in leaves({str(at): HEAVIEST // 2 for at in range(3)})]
    [1, 2]
    """
    names = sorted(sizes)
    return [tuple(names[at] for at in group) for group in groups(names, [sizes[name] for name in names])]


def groups(names: Iterable[str], sizes: Sequence[int]) -> "list[array[int]]":
    """Put sources, sorted by name and given with their bytes, into groups of their places."""
    keys = array("Q", (int.from_bytes(blake2b(name.encode(), digest_size=8).digest()) for name in names))
    order = array("I", sorted(range(len(keys)), key=keys.__getitem__))
    found: list[array[int]] = []
    waiting = [(0, len(order), 0)]
    while waiting:
        first, last, depth = waiting.pop()
        group = order[first:last]
        if len(group) <= 1 or depth == BITS or (len(group) <= MOST and sum(sizes[at] for at in group) <= HEAVIEST):
            found += [array("I", sorted(group))] * bool(group)
            continue
        half = (keys[group[0]] >> (BITS - depth) << (BITS - depth)) + (1 << (BITS - 1 - depth))
        middle = bisect_left(order, half, first, last, key=keys.__getitem__)
        waiting += [(middle, last, depth + 1), (first, middle, depth + 1)]
    return found


class Small:
    """All small sources of the corpus to be, by name: those `planned`, and `others` of the earlier corpus.

    `others` are places of earlier sources that are not read now.
    """

    def __init__(self, planned: Plan, earlier: Earlier, others: Iterable[int]) -> None:
        self._planned, self._earlier = planned, earlier
        read = (at for at, small in enumerate(planned.small) if small)
        copied = (-1 - at for at in others)
        self.places = array("q", merge(read, copied, key=self.name))
        self.sizes = array("Q", map(self._size, self.places))

    def name(self, place: int) -> str:
        """Name a source; a place below zero is that of an earlier one: -1 is the first."""
        return self._planned.names[place] if place >= 0 else self._earlier.names[-1 - place]

    def _size(self, place: int) -> int:
        return self._planned.looked.sources.sizes[place] if place >= 0 else self._earlier.entry(-1 - place)["bytes"]

    def copy(self, place: int) -> Copy:
        """Tell what is to be copied of an earlier source."""
        name = self.name(place)
        part = self._earlier.parts_of(name)[-1]
        known = known_by(part, name)
        return Copy(name, known.part, self._earlier[name], part["part"], known.dropped, known.packed)


def grouped(small: Small, planned: Plan, old: Iterable[Part], first: int) -> list[Unit]:
    """Give the units of all small sources, numbered from `first`.

    `old` are the packs that may still hold. What stands as it must, and is not read, has no unit.
    """
    units: list[Unit] = []
    if len(small.places) <= FEW:
        made = (planned.unit(place) for place in small.places if place >= 0)
        units += (replace(unit, known=tuple(one for one in unit.known if not one.packed)) for unit in made)
        copies = (small.copy(place) for place in small.places if place < 0)
        units += (_pack((one.source,), (), (one,), (), 0) for one in copies if one.packed)
    else:
        known = {digest(part["members"]): Known(part["part"], 0, ()) for part in old if part.get("members")}
        for group in groups(map(small.name, small.places), small.sizes):
            places = [small.places[at] for at in group]
            read = array("I", (place for place in places if place >= 0))
            one = known.get(digest(map(small.name, places))) if known else None
            if read or not one:
                copies = (small.copy(place) for place in places if place < 0)
                size = sum(small.sizes[at] for at in group if small.places[at] >= 0)
                members = Members(planned.unit, read) if read else ()
                units.append(_pack((), members, tuple(copies), (one,) if one else (), size))
    return [replace(unit, number=number, leader=number) for number, unit in enumerate(units, first)]


def digest(names: Iterable[str]) -> bytes:
    """Hash the names of sources that share a pack."""
    return blake2b("\0".join(names).encode(), digest_size=16).digest()


def _pack(
    name: tuple[str, ...], members: Sequence[Unit], copies: tuple[Copy, ...], known: tuple[Known, ...], size: int
) -> Unit:  # fmt: skip
    return Unit(
        0, 0, "".join(name), Path(), "plain", "", 0, size, size, known=known, pack=members, copies=copies
    )  # fmt: skip

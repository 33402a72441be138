"""Which small sources share a part: decided by the names and sizes of all small sources of the corpus, nothing else.

Up to FEW small sources each make a part of their own, so that one that grew touches no other. Beyond, a source costs
less than the files it would make: they are put into packs by the first bits of a hash of their names, as many bits as
it takes that no pack holds over MOST sources or HEAVIEST bytes. A source that comes, goes or grows therefore touches
its own pack alone, and the packs are the same whatever came first.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

from calib.ingest.plan import Planned
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
    hashed = sorted((int.from_bytes(blake2b(name.encode(), digest_size=8).digest()), name) for name in sizes)
    return _split([key for key, _ in hashed], [name for _, name in hashed], sizes, 0)


def _split(keys: Sequence[int], names: Sequence[str], sizes: Mapping[str, int], depth: int) -> list[tuple[str, ...]]:
    if not names:
        return []
    fits = len(names) <= MOST and sum(map(sizes.__getitem__, names)) <= HEAVIEST
    if fits or len(names) == 1 or depth == BITS:
        return [tuple(sorted(names, key=str.encode))]
    half = 1 << (BITS - 1 - depth)
    at = bisect_left(keys, (keys[0] >> (BITS - depth) << (BITS - depth)) + half)
    return [
        *_split(keys[:at], names[:at], sizes, depth + 1),
        *_split(keys[at:], names[at:], sizes, depth + 1),
    ]  # fmt: skip


def grouped(planned: Sequence[Planned], copies: Mapping[str, Copy], old: Sequence[Part], first: int) -> list[Unit]:
    """Give the units of all small sources, numbered from `first`: those `planned`, and `copies` of those not read now.

    `old` are the packs that may still hold. What stands as it must, and is not read, has no unit.
    """
    small = {one.source.name: one for one in planned if one.small}
    sizes = {name: one.source.size for name, one in small.items()}
    sizes |= {name: one.entry["bytes"] for name, one in copies.items()}
    units: list[Unit] = []
    if len(sizes) <= FEW:
        made = (one.unit() for one in small.values())
        units += (replace(unit, known=tuple(one for one in unit.known if not one.packed)) for unit in made)
        units += (_pack((name,), (), (one,), ()) for name, one in copies.items() if one.packed)
    else:
        known = {tuple(part["members"]): Known(part["part"], 0, ()) for part in old if part.get("members")}
        for names in leaves(sizes):
            members = Members(small[name] for name in names if name in small)
            others = tuple(copies[name] for name in names if name in copies)
            held = (known[names],) if names in known else ()
            if members or not held:
                units.append(_pack((), members, others, held))
    return [replace(unit, number=number, leader=number) for number, unit in enumerate(units, first)]


def _pack(name: tuple[str, ...], members: Sequence[Unit], copies: tuple[Copy, ...], known: tuple[Known, ...]) -> Unit:
    size = sum(unit.size for unit in members)
    return Unit(
        0, 0, "".join(name), Path(), "plain", "", 0, size, size, known=known, pack=members, copies=copies
    )  # fmt: skip

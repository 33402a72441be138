"""The files that a run reads, and what they are called: a million of them in little memory."""

import os
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import merge
from pathlib import Path
from typing import NamedTuple

from calib.ingest.streams import Packing


class Member(NamedTuple):
    """A file of a bundle, and its size on disk."""

    path: Path
    size: int
    packing: Packing


@dataclass(frozen=True, slots=True)
class Source:
    """One file to read; `fault` is the code of one that cannot be. `members` are the files of a bundle.

    A bundle is the folder itself, and has no `file`.
    """

    name: str
    folder: Path
    file: str
    size: int
    fault: str = ""
    members: tuple[Member, ...] = ()

    @property
    def path(self) -> Path:
        """Where it lies."""
        return self.folder / self.file

    @classmethod
    def at(cls, name: str, path: Path, size: int) -> "Source":
        """Give the source of a file that stands alone."""
        return cls(name, path.parent, path.name, size)


class Names(Collection[str]):
    """Different texts in the order of their UTF-8, in one piece of memory.

    >>> names = Names(["a", "é"])
    >>> names[1], names.find("é"), names.find("b"), "a" in names
    ('é', 1, -1, True)
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._text, self._ends = bytearray(), array("Q", [0])
        for name in names:
            self.append(name)

    def append(self, name: str) -> None:
        """Add one that comes after all others."""
        self._text += name.encode()
        self._ends.append(len(self._text))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, at: int) -> str:
        return self._bytes(at).decode()

    def __iter__(self) -> Iterator[str]:
        return map(self.__getitem__, range(len(self)))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.find(name) >= 0

    def find(self, name: str) -> int:
        """Give the place of a name; -1 when it is not there."""
        wanted = name.encode()
        at = bisect_left(range(len(self)), wanted, key=self._bytes)
        return at if at < len(self) and self._bytes(at) == wanted else -1

    def _bytes(self, at: int) -> bytes:
        return bytes(self._text[self._ends[at] : self._ends[at + 1]])


class Sources(Collection[Source]):
    """Sources sorted by name, a column for each thing; a source is made when it is asked for.

    Most lie at a root plus what follows the first characters of the name; those that do not are kept as they are.
    """

    def __init__(self) -> None:
        self.names, self.sizes = Names(), array("Q")
        self._roots: dict[tuple[str, int], int] = {}
        self._rooted: list[tuple[str, int]] = []
        self._root_of = array("I")
        self._odd: dict[int, Source] = {}
        self._folder = "", Path()

    def add(self, name: str, size: int, root: str, cut: int) -> None:
        """Add the file at `root` plus `name[cut:]`; its name comes after all others."""
        number = self._roots.setdefault((root, cut), len(self._rooted))
        if number == len(self._rooted):
            self._rooted.append((root, cut))
        self._root_of.append(number)
        self.names.append(name)
        self.sizes.append(size)

    def add_odd(self, source: Source) -> None:
        """Add a source that is more than a name, a size and a place; its name comes after all others."""
        self._odd[len(self)] = source
        self.add(source.name, source.size, "", 0)

    def add_from(self, other: "Sources", at: int) -> None:
        """Add one of other sources; its name comes after all those that are here."""
        if at in other._odd:
            self.add_odd(other._odd[at])
        else:
            self.add(other.names[at], other.sizes[at], *other._rooted[other._root_of[at]])

    def with_odd(self, odd: Sequence[Source]) -> "Sources":
        """Give these and some that are `odd`."""
        ours = ((name, at, None) for at, name in enumerate(self.names))
        theirs = sorted(((source.name, -1, source) for source in odd), key=_name)
        found = Sources()
        for _, at, source in merge(theirs, ours, key=_name):
            if source is None:
                found.add_from(self, at)
            else:
                found.add_odd(source)
        return found

    def __len__(self) -> int:
        return len(self.sizes)

    def __getitem__(self, at: int) -> Source:
        if at in self._odd:
            return self._odd[at]
        root, cut = self._rooted[self._root_of[at]]
        name = self.names[at]
        folder, file = os.path.split(root + name[cut:])
        if self._folder[0] != folder:  # files of one folder come one after the other
            self._folder = folder, Path(folder)
        return Source(name, self._folder[1], file, self.sizes[at])

    def __iter__(self) -> Iterator[Source]:
        return map(self.__getitem__, range(len(self)))

    def __contains__(self, source: object) -> bool:
        return isinstance(source, Source) and source.name in self.names


def _name(one: tuple[str, int, Source | None]) -> str:
    return one[0]

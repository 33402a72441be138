"""Which files the dump arguments of a run lead to, and what each is called.

A file given as such is called by its name, a file in a folder by FOLDER/relative/path. Names that two different
files would share get as many parent folders in front as tell them apart. No name is an absolute path.
"""

import os
import stat
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from pathlib import Path
from typing import NamedTuple

from calib.errors import NothingMatched, UsageError
from calib.escape import visible
from calib.files import LOCK, is_sibling
from calib.ingest.sources import Source, Sources
from calib.tables import MANIFEST


@dataclass
class Found:
    """What the dump arguments lead to, sorted by name, what was passed over, and the names of folders."""

    sources: Sources = field(default_factory=Sources)
    messages: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)


class _Dump(NamedTuple):
    """A dump argument: its path, and the components of the absolute one."""

    path: str
    parts: tuple[str, ...]


def find(dumps: Sequence[str | Path], out: Path) -> Found:
    """Find the files of all dump arguments, each once.

    Raises UsageError for an argument that is missing or no file or folder, and when the corpus would be
    written over or around a source. Raises NothingMatched when all there is is a corpus.
    """
    walk = _Walk(out)
    for dump in dumps:
        walk.take(Path(dump))
    if walk.around:
        raise UsageError(f"{visible(str(out))}: the corpus would stand around the dump; choose another --out")
    found = Found(walk.named(), walk.messages, walk.folders)
    if walk.corpora and not found.sources:
        raise NothingMatched(
            f"{walk.corpora[0]}: expected a dump, found a corpus of calib; name the dumps that it was made from, "
            "a corpus is for calib sweep, report, inspect …"
        )
    return found


def _status(path: Path) -> os.stat_result:
    shown = visible(str(path))
    try:
        status = path.stat()
    except OSError as error:
        raise UsageError(f"{shown}: no such dump ({error.strerror}); name a file, a folder or -") from None
    except ValueError:
        raise UsageError(f"{shown}: no such dump; name a file, a folder or -") from None
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
        raise UsageError(f"{shown}: expected a file or a folder, found something else; use - to read a pipe")
    if not os.access(path, os.R_OK):
        raise UsageError(f"{shown}: could not be read (permission denied)")
    return status


def components(path: Path) -> tuple[str, ...]:
    """Give the names on the way from the root to a file, as they can be stored."""
    return tuple(_storable(part) for part in Path(os.path.abspath(path)).parts[1:])  # noqa: PTH100 - links stay


def _storable(name: str) -> str:
    r"""Spell out bytes of a file name that are not UTF-8: `\xff`."""
    return name if name.isascii() else os.fsencode(name).decode("utf-8", "backslashreplace")


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


class _Walk:
    """What was found so far, a column for each thing: there may be a million files.

    A file is called by the last `depth` components of its dump argument, and its way from there.
    """

    def __init__(self, out: Path) -> None:
        self.messages: list[str] = []
        self.folders: list[str] = []
        self.corpora: list[str] = []
        self.around = False
        self._out, self._target = out, os.path.realpath(out)
        self._dumps: list[_Dump] = []
        self._names: list[str] = []
        self._dump_of, self._depths = array("I"), array("H")
        self._sizes, self._devices, self._inodes = array("Q"), array("Q"), array("Q")
        self._odd: dict[int, tuple[str, str]] = {}
        """The path of one whose name does not tell it, or that cannot be read, and why."""

    def take(self, path: Path) -> None:
        """Find the files of a dump argument."""
        status = _status(path)
        self._dumps.append(_Dump(str(path), components(path)))
        if stat.S_ISDIR(status.st_mode):
            self._folder(str(path), "", (_identity(status),))
            self.folders.append(_storable(Path(os.path.abspath(path)).name))  # noqa: PTH100 - links stay
        else:
            self._add(str(path), "", status, around=self._is_around(str(path if path.is_symlink() else path.parent)))

    def _folder(self, folder: str, inner: str, above: tuple[tuple[int, int], ...]) -> None:
        """Find every file below a folder, sorted; links are followed."""
        if _is_corpus(Path(folder), self._out):
            self.messages.append(f"{visible(_storable(Path(folder).name))}: a corpus of calib; not read as a dump")
            self.corpora += [visible(folder)] * (Path(folder) / MANIFEST).is_file()
            return
        around = self._is_around(folder)
        try:
            names = sorted(os.listdir(folder), key=os.fsencode)
        except OSError:
            self._add(folder, inner, os.lstat(folder), "unreadable", around)
            return
        for name in names:
            if name != LOCK and not is_sibling(name):
                path = os.path.join(folder, name)  # noqa: PTH118 - for every file of a dump
                self._entry(path, f"{inner}/{name}" if inner else name, above, around)

    def _entry(self, path: str, inner: str, above: tuple[tuple[int, int], ...], around: bool) -> None:
        """Take what lies in a folder: a file, another folder, or a fault, as loops and odd files are."""
        try:
            status = own = os.lstat(path)
            if stat.S_ISLNK(own.st_mode):
                around = self._is_around(path)
                status = Path(path).stat()
        except OSError:  # a link that dangles or leads to itself, or gone since
            if Path(path).is_symlink():
                self._add(path, inner, os.lstat(path), "not-a-file", around)
            return
        if stat.S_ISREG(status.st_mode):
            self._add(path, inner, status, "" if os.access(path, os.R_OK) else "unreadable", around)
        elif not stat.S_ISDIR(status.st_mode):
            self._add(path, inner, status, "not-a-file", around)
        elif _identity(status) in above:
            self._add(path, inner, own, "not-a-file", around)
        else:
            self._folder(path, inner, (*above, _identity(status)))

    def _add(self, path: str, inner: str, status: os.stat_result, fault: str = "", around: bool = False) -> None:
        """Add a file, or what cannot be read as one, that lies `inner` of the last dump argument."""
        stored = _storable(inner)
        if fault or stored != inner:
            self._odd[len(self._names)] = path, fault
        dump = len(self._dumps) - 1
        depth = min(1, len(self._dumps[dump].parts))
        self._names.append(self._called(dump, depth, stored))
        self._dump_of.append(dump)
        self._depths.append(depth)
        self._sizes.append(0 if fault else status.st_size)
        self._devices.append(status.st_dev)
        self._inodes.append(status.st_ino)
        self.around |= around

    def _is_around(self, path: str) -> bool:
        """Tell whether a file or folder is the corpus or lies in it."""
        real = os.path.realpath(path)
        return real == self._target or real.startswith(self._target.rstrip(os.sep) + os.sep)

    def _called(self, dump: int, depth: int, inner: str) -> str:
        above = self._dumps[dump].parts
        return "/".join((*above[len(above) - depth :], *[inner] * bool(inner)))

    def _inner(self, at: int) -> str:
        """Give the way of a file from its dump argument."""
        return self._names[at][self._cut(at) :]

    def _cut(self, at: int) -> int:
        above = self._dumps[self._dump_of[at]].parts
        return sum(len(part) + 1 for part in above[len(above) - self._depths[at] :])

    def _ordered(self, every: Iterable[int]) -> list[int]:
        """Sort files by name, then by path."""
        ordered = sorted(every, key=self._names.__getitem__)
        groups = (list(group) for _, group in groupby(ordered, self._names.__getitem__))
        return [at for group in groups for at in (sorted(group, key=self._parts) if len(group) > 1 else group)]

    def _parts(self, at: int) -> tuple[str, ...]:
        """Give the absolute path of a file in components."""
        return (*self._dumps[self._dump_of[at]].parts, *self._inner(at).split("/"))

    def _once(self) -> list[int]:
        """Keep one of all that are the same file: the one whose name sorts first."""
        by_inode = sorted(range(len(self._names)), key=self._inodes.__getitem__)
        same = {one for one, other in pairwise(map(self._inodes.__getitem__, by_inode)) if one == other}
        del by_inode
        first: dict[tuple[int, int], int] = {}
        kept = []
        for at in self._ordered(range(len(self._names))):
            identity = self._devices[at], self._inodes[at]
            if identity[1] in same and first.setdefault(identity, at) != at:
                named = visible(self._names[at]), visible(self._names[first[identity]])
                self.messages.append(f"{named[0]}: the same file as {named[1]}; read once")
            else:
                kept.append(at)
        return kept

    def named(self) -> Sources:
        """Give each file once, with a name that no other has: most often they are different as they are."""
        ordered = self._told_apart(self._once())
        found = Sources()
        for at in ordered:
            dump, name = self._dumps[self._dump_of[at]], self._names[at]
            if at in self._odd:
                path, fault = self._odd[at]
                found.add_odd(Source(name, Path(path).parent, Path(path).name, self._sizes[at], fault))
            elif self._inner(at):
                found.add(name, self._sizes[at], os.path.join(dump.path, ""), self._cut(at))  # noqa: PTH118
            else:
                found.add(name, self._sizes[at], dump.path, len(name))
        return found

    def _told_apart(self, every: list[int]) -> list[int]:
        """Name files by as many components that no two have one name, where that can be; gives them in order."""
        while True:
            groups = (list(group) for _, group in groupby(every, self._names.__getitem__))
            shared = [at for group in groups if len(group) > 1 for at in group]
            more = [at for at in shared if self._depths[at] < len(self._dumps[self._dump_of[at]].parts)]
            if not more:
                return every
            for at in more:
                inner = self._inner(at)
                self._depths[at] += 1
                self._names[at] = self._called(self._dump_of[at], self._depths[at], inner)
            every = self._ordered(every)


def _is_corpus(folder: Path, out: Path) -> bool:
    from calib.corpus import is_corpus  # only who looks for dumps asks, and no worker does

    return (folder.exists() and out.exists() and folder.samefile(out)) or is_corpus(folder)

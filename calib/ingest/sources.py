"""Which files a run reads, and what each is called.

A file given as such is called by its name, a file in a folder by FOLDER/relative/path. Names that two different
files would share get as many parent folders in front as tell them apart. No name is an absolute path.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from calib.errors import NothingMatched, UsageError
from calib.escape import visible
from calib.files import LOCK, is_sibling
from calib.ingest.streams import Packing
from calib.tables import MANIFEST


class Member(NamedTuple):
    """A file of a bundle, and its size on disk."""

    path: Path
    size: int
    packing: Packing


@dataclass(frozen=True, slots=True)
class Source:
    """One file to read; `fault` is the code of one that cannot be. `members` are the files of a bundle.

    The sources of a folder share one `folder`: there may be a million. A bundle is the folder itself.
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


@dataclass
class Found:
    """What the dump arguments lead to, sorted by name, what was passed over, and the names of folders and corpora."""

    sources: list[Source] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    corpora: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Candidate:
    folder: Path
    file: str
    above: tuple[str, ...]
    """The components of the absolute path of its folder; files of a folder share them."""
    depth: int
    """How many of the last components make the name."""
    size: int
    device: int
    inode: int
    fault: str = ""

    @property
    def path(self) -> Path:
        return self.folder / self.file

    @property
    def parts(self) -> tuple[str, ...]:
        """The absolute path in components."""
        return (*self.above, _storable(self.file))

    def name(self, depth: int) -> str:
        return "/".join(self.parts[-depth:])


def find(dumps: Sequence[str | Path], out: Path) -> Found:
    """Find the files of all dump arguments, each once.

    Raises UsageError for an argument that is missing or no file or folder, and when the corpus would be
    written over or around a source. Raises NothingMatched when all there is is a corpus.
    """
    found = Found()
    candidates: list[_Candidate] = []
    for dump in dumps:
        path = Path(dump)
        status = _status(path)
        if stat.S_ISDIR(status.st_mode):
            candidates += _walk(path, out, found)
            found.folders.append(_storable(Path(os.path.abspath(path)).name))  # noqa: PTH100 - links stay
        else:
            candidates.append(_candidate(path, 1, status))
    unique = _once(candidates, found)
    target, real = os.path.realpath(out), dict[Path, str]()
    for one in unique:
        if _around(target, one.path, real):
            raise UsageError(f"{visible(str(out))}: the corpus would stand around the dump; choose another --out")
    found.sources = _named(unique)
    if found.corpora and not unique:
        raise NothingMatched(
            f"{found.corpora[0]}: expected a dump, found a corpus of calib; name the dumps that it was made from, "
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


def _candidate(path: Path, depth: int, status: os.stat_result, fault: str = "") -> _Candidate:
    """Give the candidate of a file or folder that stands alone."""
    above = components(path)[:-1]
    return _Candidate(path.parent, path.name, above, depth, *_identity(status, fault))


def _identity(status: os.stat_result, fault: str) -> tuple[int, int, int, str]:
    return (0 if fault else status.st_size, status.st_dev, status.st_ino, fault)


def components(path: Path) -> tuple[str, ...]:
    """Give the names on the way from the root to a file, as they can be stored."""
    return tuple(_storable(part) for part in Path(os.path.abspath(path)).parts[1:])  # noqa: PTH100 - links stay


def _storable(name: str) -> str:
    r"""Spell out bytes of a file name that are not UTF-8: `\xff`."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _walk(folder: Path, out: Path, found: Found) -> Iterator[_Candidate]:
    """Yield every file below a folder, sorted; links are followed, loops and odd files are faults."""
    status = folder.stat()
    yield from _walked(folder, 1, ((status.st_dev, status.st_ino),), out, found)


def _walked(
    folder: Path, depth: int, above: tuple[tuple[int, int], ...], out: Path, found: Found
) -> Iterator[_Candidate]:
    if _is_corpus(folder, out):
        found.messages.append(f"{visible(_storable(folder.name))}: a corpus of calib; not read as a dump")
        found.corpora += [visible(str(folder))] * (folder / MANIFEST).is_file()
        return
    try:
        names = sorted((path.name for path in folder.iterdir()), key=os.fsencode)
    except OSError:
        yield _candidate(folder, depth, os.lstat(folder), "unreadable")
        return
    home = components(folder)
    for name in names:
        if name == LOCK or is_sibling(name):
            continue
        path = folder / name
        try:
            status = path.stat()
        except OSError:  # a link that dangles or leads to itself, or gone since
            if path.is_symlink():
                yield _candidate(path, depth + 1, os.lstat(path), "not-a-file")
            continue
        identity = (status.st_dev, status.st_ino)
        if stat.S_ISDIR(status.st_mode):
            if identity in above:
                yield _candidate(path, depth + 1, os.lstat(path), "not-a-file")
            else:
                yield from _walked(path, depth + 1, (*above, identity), out, found)
        elif stat.S_ISREG(status.st_mode):
            fault = "" if os.access(path, os.R_OK) else "unreadable"
            yield _Candidate(folder, name, home, depth + 1, *_identity(status, fault))
        else:
            yield _Candidate(folder, name, home, depth + 1, *_identity(status, "not-a-file"))


def _is_corpus(folder: Path, out: Path) -> bool:
    from calib.corpus import is_corpus  # only who looks for dumps asks, and no worker does

    return (folder.exists() and out.exists() and folder.samefile(out)) or is_corpus(folder)


def _once(candidates: Sequence[_Candidate], found: Found) -> list[_Candidate]:
    """Keep one of all candidates that are the same file: the one whose name sorts first."""
    kept: dict[int, _Candidate] = {}
    for one in sorted(candidates, key=lambda one: (one.name(one.depth), one.parts)):
        first = kept.setdefault(one.device << 64 | one.inode, one)
        if first is not one:
            name = visible(one.name(one.depth))
            found.messages.append(f"{name}: the same file as {visible(first.name(first.depth))}; read once")
    return list(kept.values())


def _named(candidates: Sequence[_Candidate]) -> list[Source]:
    """Give each a name that no other has: most often they are different as they are."""
    sources = [_source(one, one.depth) for one in candidates]
    if len({source.name for source in sources}) < len(sources):
        sources = [_source(one, depth) for one, depth in _told_apart(candidates).items()]
    return sorted(sources, key=lambda source: source.name.encode())


def _source(one: _Candidate, depth: int) -> Source:
    return Source(one.name(depth), one.folder, one.file, one.size, one.fault)


def _told_apart(candidates: Sequence[_Candidate]) -> dict[_Candidate, int]:
    """Give the number of components of each by which no two have one name, where that can be."""
    depths = {one: one.depth for one in candidates}
    while True:
        by_name: dict[str, list[_Candidate]] = {}
        for one, depth in depths.items():
            by_name.setdefault(one.name(depth), []).append(one)
        shared = [one for group in by_name.values() if len(group) > 1 for one in group]
        if not any(depths[one] < len(one.parts) for one in shared):
            return depths
        for one in shared:
            depths[one] = min(depths[one] + 1, len(one.parts))


def _around(out: str, source: Path, real: dict[Path, str]) -> bool:
    """Tell whether the corpus folder is a source or stands above one. `real` remembers the real paths of folders."""
    if source.is_symlink():
        target = os.path.realpath(source)
    else:
        if source.parent not in real:
            real[source.parent] = os.path.realpath(source.parent)
        target = os.path.join(real[source.parent], source.name)  # noqa: PTH118 - for every file of a dump
    return target == out or target.startswith(out.rstrip(os.sep) + os.sep)

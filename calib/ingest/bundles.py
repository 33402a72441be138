"""Bundles: the files of one folder that are the records of one stream, such as a session with a file per event.

A bundle is a source of its own, named FOLDER/*. Its files come in the order of their names, numbers in them compared as
numbers; a file's place in that order is its line. A file that cannot be read, or that is no JSON, costs itself only.
"""

import re
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from blake3 import blake3

from calib.ingest.identity import digester
from calib.ingest.sniff import PACKAGE, Sniffed, sniff
from calib.ingest.sources import Member, Source, Sources
from calib.ingest.streams import Broken, Input
from calib.ingest.walk import components
from calib.registry import entry

Sniff = tuple[Source, Sniffed]
Key = tuple[Path, str, str]
Groups = dict[Key, list[Sniff]]
"""The files of bundles, by folder, format and group."""
BUNDLE = re.compile(r"/\*( \(\w+\))?$")
NUMBER = re.compile("([0-9]+)")
LOOKED = 256
"""Files that are looked into between two steps of the progress."""


class Progress(Protocol):
    """Told now and then how many bytes are done, of how many, and of what (empty: of the dumps)."""

    def __call__(self, done_bytes: int, total_bytes: int | None, what: str, /) -> None:  # noqa: D102 - said above
        ...


class Sniffs(Collection[Sniff]):
    """Sources with what each is; of a million files most are the same."""

    def __init__(self, sources: Sources, kinds: Iterable[Sniffed]) -> None:
        self.sources = sources
        self._numbers: dict[Sniffed, int] = {}
        self._kinds = array("I", (self._number(kind) for kind in kinds))
        self.kinds = list(self._numbers)

    def _number(self, kind: Sniffed) -> int:
        return self._numbers.setdefault(kind, len(self._numbers))

    def kind(self, at: int) -> Sniffed:
        """Tell what a source is."""
        return self.kinds[self._kinds[at]]

    def __len__(self) -> int:
        return len(self.sources)

    def __getitem__(self, at: int) -> Sniff:
        return self.sources[at], self.kind(at)

    def __iter__(self) -> Iterator[Sniff]:
        return map(self.__getitem__, range(len(self)))

    def __contains__(self, one: object) -> bool:
        return any(one == each for each in self)


def looked_at(sources: Sources, format: str, progress: Progress | None = None) -> Sniffs:
    """Look into every file and give what is to be read: files and bundles, sorted by name."""

    def kinds() -> Iterator[Sniffed]:
        size, done = sum(sources.sizes), 0
        for number, source in enumerate(sources, 1):
            yield sniff(source, format)
            done += source.size
            if progress and number % LOOKED == 0:
                progress(done, size, "looking into files")

    return gathered(Sniffs(sources, kinds()))


def earlier_of(sources: Sources, old: Iterable[str]) -> set[str]:
    """Name the earlier bundles (`old`) of the folders of sources: a run settles them, too."""
    bundles = {name for name in old if BUNDLE.search(name)}
    folders = {name.rpartition("/")[0] for name in sources.names} if bundles else set()
    return {name for name in bundles if BUNDLE.sub("", name) in folders}


def gathered(found: Sniffs) -> Sniffs:
    """Make one source of the files of each bundle, and set aside what lies beside.

    A file that no format knows, but that one in the same folder names as its own, is `beside`, not unknown.
    """
    if any(kind.shape == "bundle" for kind in found.kinds):
        found = _bundled(found)
    unknown = {kind for kind in found.kinds if kind.fault == "unknown-format"}
    owners = {kind for kind in found.kinds if kind.format and _may_own(kind.format)}
    if not unknown or not owners:
        return found
    lost = {source.path for source, kind in found if kind in unknown}
    owned = {place for source, kind in found if kind in owners for place in _beside_of(source, kind) if place in lost}

    def settled(source: Source, kind: Sniffed) -> Sniffed:
        is_beside = kind in unknown and source.path in owned
        return replace(kind, format="", fault="", shape="beside") if is_beside else kind

    return Sniffs(found.sources, (settled(source, kind) for source, kind in found))


def _bundled(found: Sniffs) -> Sniffs:
    """Make one source of the files of each bundle."""
    groups: Groups = {}
    for source, sniffed in found:
        if sniffed.shape == "bundle":
            key = _home(source, sniffed.format), sniffed.format, sniffed.group
            groups.setdefault(key, []).append((source, sniffed))
    rest = _with_torn([at for at in range(len(found)) if found.kind(at).shape != "bundle"], found, groups)
    left = Sources()
    for at in rest:
        left.add_from(found.sources, at)
    made = [_bundle(name, groups[key]) for key, name in _names(groups).items()]
    known = {source.name: kind for source, kind in made}
    every = left.with_odd([source for source, _ in made])
    kinds = iter(rest)
    return Sniffs(every, (known[name] if name in known else found.kind(next(kinds)) for name in every.names))


def _with_torn(rest: list[int], found: Sniffs, groups: Groups) -> list[int]:
    """Move files that are no JSON, but lie among those of a bundle and end like them, into it."""
    homes = {
        (folder, members[0][0].path.suffix): members
        for (folder, _, group), members in sorted(groups.items(), reverse=True)
        if not group
    }
    left = []
    for at in rest:
        torn = found.kind(at).shape == "torn" and found.kind(at).fault == "unknown-format"
        source, sniffed = found[at] if torn else (None, None)
        home = homes.get((source.path.parent, source.path.suffix)) if source else None
        if home is not None and source and sniffed:
            home.append((source, sniffed))
        else:
            left.append(at)
    return left


def _home(source: Source, format: str) -> Path:
    """Give the folder of a bundle: that of its files, unless the format says another."""
    form = entry(PACKAGE, format)
    return Path(form.home(source.path)) if hasattr(form, "home") else source.folder


def _names(groups: Groups) -> dict[Key, str]:
    """Name each bundle after its folder as its files are named, with as many folders above as tell bundles apart."""
    parts = {key: components(key[0]) for key in groups}
    depths = {
        key: max(1, members[0][0].name.count("/") - len(members[0][0].folder.parts) + len(key[0].parts))
        for key, members in groups.items()
    }
    while True:
        names = {key: "/".join((*parts[key][-depths[key] :], *[key[2]] * bool(key[2]), "*")) for key in sorted(groups)}
        folders: dict[str, set[Path]] = {}
        for (folder, _, _), name in names.items():
            folders.setdefault(name, set()).add(folder)
        shared = [key for key, name in names.items() if len(folders[name]) > 1 and depths[key] < len(parts[key])]
        if not shared:
            break
        for key in shared:
            depths[key] += 1
    taken: set[str] = set()
    for key, name in names.items():
        names[key] = f"{name} ({key[1]})" if name in taken else name  # a folder with bundles of two formats
        taken.add(name)
    return names


def _bundle(name: str, members: list[Sniff]) -> Sniff:
    known = members[0][1]
    ordered = sorted(members, key=lambda one: (natural(one[0].path.name), one[0].name))
    files = tuple(Member(source.path, source.size, sniffed.packing) for source, sniffed in ordered)
    size = sum(file.size for file in files)
    return Source(name, files[0].path.parent, "", size, members=files), replace(known, packing="plain")


def natural(name: str) -> list[str | int]:
    """Give a sort key by which numbers in a name count as numbers.

    >>> sorted(["10.json", "9.json", "b", "a2"], key=natural)
    ['9.json', '10.json', 'a2', 'b']
    """
    return [int(piece) if piece.isdigit() else piece for piece in NUMBER.split(name)]


def beside_names(format: str, name: str) -> tuple[str, ...]:
    """List the files beside a file of this name that belong to it."""
    form = entry(PACKAGE, format)
    derived = form.beside(name) if hasattr(form, "beside") else ()
    return (*getattr(form, "BESIDE", ()), *derived)


def _may_own(format: str) -> bool:
    form = entry(PACKAGE, format)
    return hasattr(form, "BESIDE") or hasattr(form, "beside")


def _beside_of(source: Source, sniffed: Sniffed) -> Iterator[Path]:
    """Yield what may lie beside a source: of a bundle in its folder or the one above."""
    for name in beside_names(sniffed.format, source.path.name):
        yield source.path.parent / name
        if source.members:
            yield source.path / name


def records(members: Sequence[Member]) -> Iterator[tuple[int, int, memoryview, Broken | None]]:
    """Yield (offset, place from 1, bytes, why they end early) of each file of a bundle."""
    at = 0
    for number, member in enumerate(members, 1):
        with Input(member.path, member.packing, 0, member.size) as source:
            data = memoryview(b"".join(bytes(block) for block in source.blocks()))
        if len(data) or source.broken:
            yield at, number, data, source.broken
        at += len(data)


def digested(members: Sequence[Member]) -> Iterator[blake3]:
    """Yield the digest over names, sizes and bytes of the files so far, after each one; one that is gone has none."""
    seen = digester()
    for member in members:
        seen.update(f"{member.path.name}\0{member.size}\0".encode("utf-8", "surrogateescape"))
        with Input(member.path, "plain", 0, member.size) as source:
            for block in source.blocks():
                seen.update(block)
        yield seen


def beside_of(format: str, path: Path, members: Sequence[Member], largest: int) -> dict[str, bytes]:
    """Read the files of the same folder that belong to a file; of a bundle also those of the folder above.

    None of more than `largest` bytes, unless the format reads larger ones.
    """
    largest = getattr(entry(PACKAGE, format), "BESIDE_BYTES", largest)
    found = {}
    folders = (path.parent, path) if members else (path.parent,)
    for name in beside_names(format, path.name):
        for folder in folders:
            with suppress(OSError):
                beside = folder / name
                if beside != path and beside.stat().st_size <= largest:
                    found[name] = beside.read_bytes()
    return found

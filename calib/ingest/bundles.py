"""Bundles: the files of one folder that are the records of one stream, such as a session with a file per event.

A bundle is a source of its own, named FOLDER/*. Its files come in the order of their names, numbers in them compared as
numbers; a file's place in that order is its line. A file that cannot be read, or that is no JSON, costs itself only.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from blake3 import blake3

from calib.ingest.identity import digester
from calib.ingest.sniff import PACKAGE, Sniffed, sniff
from calib.ingest.sources import Member, Source, components
from calib.ingest.streams import Broken, Input
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


def looked_at(sources: Sequence[Source], format: str, progress: Progress | None = None) -> list[Sniff]:
    """Look into every file and give what is to be read: files and bundles, sorted by name."""
    size, done = sum(source.size for source in sources), 0
    found: list[Sniff] = []
    equal: dict[Sniffed, Sniffed] = {}  # of a million files most are the same
    for number, source in enumerate(sources, 1):
        sniffed = sniff(source, format)
        found.append((source, equal.setdefault(sniffed, sniffed)))
        done += source.size
        if progress and number % LOOKED == 0:
            progress(done, size, "looking into files")
    return gathered(found)


def names_of(sources: Sequence[Source], looked: Sequence[Sniff], old: Iterable[str]) -> set[str]:
    """Name the sources that a run settles: its files, their bundles, and earlier bundles (`old`) of their folders."""
    folders = {source.name.rpartition("/")[0] for source in sources}
    earlier = {name for name in old if BUNDLE.search(name) and BUNDLE.sub("", name) in folders}
    return {source.name for source in sources} | {source.name for source, _ in looked} | earlier


def gathered(found: Sequence[Sniff]) -> list[Sniff]:
    """Make one source of the files of each bundle, and set aside what lies beside.

    A file that no format knows, but that one in the same folder names as its own, is `beside`, not unknown.
    """
    groups: Groups = {}
    rest = []
    for source, sniffed in found:
        if sniffed.shape == "bundle":
            groups.setdefault((_home(source, sniffed.format), sniffed.format, sniffed.group), []).append(
                (source, sniffed)
            )
        else:
            rest.append((source, sniffed))
    rest = _with_torn(rest, groups)
    rest += [_bundle(name, groups[key]) for key, name in _names(groups).items()]
    owned = {place for source, sniffed in rest if sniffed.format for place in _beside_of(source, sniffed)}
    settled = [
        (source, replace(sniffed, format="", fault="", shape="beside"))
        if sniffed.fault == "unknown-format" and source.path in owned
        else (source, sniffed)
        for source, sniffed in rest
    ]
    return sorted(settled, key=lambda one: one[0].name.encode())


def _with_torn(rest: list[Sniff], groups: Groups) -> list[Sniff]:
    """Move files that are no JSON, but lie among those of a bundle and end like them, into it."""
    homes = {
        (folder, members[0][0].path.suffix): members
        for (folder, _, group), members in sorted(groups.items(), reverse=True)
        if not group
    }
    left = []
    for source, sniffed in rest:
        home = homes.get((source.path.parent, source.path.suffix))
        if home is not None and sniffed.shape == "torn" and sniffed.fault == "unknown-format":
            home.append((source, sniffed))
        else:
            left.append((source, sniffed))
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

"""Bundles: the files of one folder that are the records of one stream, such as a session with a file per event.

A bundle is a source of its own, named FOLDER/*. Its files come in the order of their names, numbers in them compared as
numbers; a file's place in that order is its line. A file that cannot be read, or that is no JSON, costs itself only.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from calib.ingest.sniff import PACKAGE, Sniffed
from calib.ingest.sources import Member, Source
from calib.ingest.streams import Broken, Input
from calib.registry import entry

Sniff = tuple[Source, Sniffed]
NUMBER = re.compile("([0-9]+)")


def gathered(found: Sequence[Sniff]) -> list[Sniff]:
    """Make one source of the files of each bundle, and set aside what lies beside.

    A file that no format knows, but that one in the same folder names as its own, is `beside`, not unknown.
    """
    groups: dict[tuple[str, str], list[Sniff]] = {}
    rest = []
    for source, sniffed in found:
        if sniffed.shape == "bundle":
            groups.setdefault((folder_of(source), sniffed.format), []).append((source, sniffed))
        else:
            rest.append((source, sniffed))
    rest = _with_torn(rest, groups)
    named: set[str] = set()
    for (folder, form), members in sorted(groups.items()):
        name = f"{folder}/*" if folder else "*"
        rest.append(_bundle(f"{name} ({form})" if name in named else name, members))
        named.add(name)
    owned = {place for source, sniffed in rest if sniffed.format for place in _beside_of(source, sniffed)}
    settled = [
        (source, replace(sniffed, format="", fault="", shape="beside"))
        if sniffed.fault == "unknown-format" and (folder_of(source), _last(source)) in owned
        else (source, sniffed)
        for source, sniffed in rest
    ]
    return sorted(settled, key=lambda one: one[0].name.encode())


def folder_of(source: Source) -> str:
    """Give the folder in a source's name; empty for a file that was named as such."""
    return source.name.rpartition("/")[0]


def _last(source: Source) -> str:
    return source.name.rpartition("/")[2]


def _with_torn(rest: list[Sniff], groups: dict[tuple[str, str], list[Sniff]]) -> list[Sniff]:
    """Move files that are no JSON, but lie among those of a bundle and end like them, into it."""
    homes = {
        (folder, PurePosixPath(members[0][0].name).suffix): members
        for (folder, _), members in sorted(groups.items(), reverse=True)
        if folder
    }
    left = []
    for source, sniffed in rest:
        home = homes.get((folder_of(source), PurePosixPath(source.name).suffix))
        if home is not None and sniffed.shape == "torn" and sniffed.fault == "unknown-format":
            home.append((source, sniffed))
        else:
            left.append((source, sniffed))
    return left


def _bundle(name: str, members: list[Sniff]) -> Sniff:
    known = members[0][1]
    ordered = sorted(members, key=lambda one: (natural(_last(one[0])), one[0].name))
    files = tuple(Member(source.path, source.size, sniffed.packing) for source, sniffed in ordered)
    size = sum(file.size for file in files)
    return Source(name, files[0].path.parent, size, members=files), replace(known, packing="plain")


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


def _beside_of(source: Source, sniffed: Sniffed) -> Iterator[tuple[str, str]]:
    """Yield (folder, name) of what lies beside: of a bundle also in the folder above it."""
    folder = folder_of(source)
    for name in beside_names(sniffed.format, _last(source)):
        yield folder, name
        if source.members and folder:
            yield folder.rpartition("/")[0], name


def records(members: Sequence[Member]) -> Iterator[tuple[int, int, memoryview, Broken | None]]:
    """Yield (offset, place from 1, bytes, why they end early) of each file of a bundle."""
    at = 0
    for number, member in enumerate(members, 1):
        with Input(member.path, member.packing, 0, member.size) as source:
            data = memoryview(b"".join(bytes(block) for block in source.blocks()))
        if len(data) or source.broken:
            yield at, number, data, source.broken
        at += len(data)


def digested(members: Sequence[Member]) -> Iterator["hashlib._Hash"]:
    """Yield the SHA-256 over names, sizes and bytes of the files so far, after each one; one that is gone has none."""
    digester = hashlib.sha256()
    for member in members:
        digester.update(f"{member.path.name}\0{member.size}\0".encode("utf-8", "surrogateescape"))
        with Input(member.path, "plain", 0, member.size) as source:
            for block in source.blocks():
                digester.update(block)
        yield digester

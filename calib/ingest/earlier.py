"""A corpus as calib.json has it when a run begins: read in pieces, for with a million sources it is large.

The sources, and the members of packs, stay in the file; where each begins is kept. A calib.json that is laid out
otherwise than calib does is read as a whole, and laid out anew.
"""

import os
from array import array
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import msgspec

from calib.corpus import ManifestEntry, PartEntry, SourceEntry, open_manifest, read_manifest
from calib.ingest.entries import Entries, Entry
from calib.ingest.identity import Drop
from calib.ingest.manifest import Manifest, Pieces, lines, pieces_of
from calib.ingest.sources import Names
from calib.ingest.spool import Stored, latest, read
from calib.ingest.work import Known, Part
from calib.tables import SCHEMA_VERSION

NONE = (1 << 32) - 1
"""No part holds a source."""


def sources_of(part: Part) -> Collection[str]:
    """Name the sources whose rows a part holds."""
    members: Mapping[str, str] | None = part.get("members")
    return (part["source"],) if members is None else members.keys()


def known_of(part: Part) -> Iterator[tuple[str, Known]]:
    """Give the sources of a part, each with what it is known by."""
    return ((source, known_by(part, source)) for source in sources_of(part))


def known_by(part: Part, source: str) -> Known:
    """Give what a source of a part is known by: the part that it made or would make alone."""
    key = part["members"][source] if "members" in part else part["part"]
    drops = sorted(Drop(*drop) for drop in part["dropped"].get(source, ()))
    return Known(key, part["first_byte"], tuple(drops), "members" in part)


class Earlier(Mapping[str, Entry]):
    """The entry of each source of the corpus, and its parts."""

    def __init__(self, file: IO[bytes] | None, pieces: Pieces) -> None:
        self._file, self._sources = file, pieces.sources
        self.inode = os.fstat(file.fileno()).st_ino if file else None
        members = latest(lambda at: dict(self._piece(pieces.parts, at)["members"]))
        self.parts: list[Part] = []
        for at in range(len(pieces.parts) // 2):
            part = self._piece(pieces.parts, at, PartEntry)
            self.parts.append({**part, "members": Stored(members, at)} if part.get("members") else part)
        self.names = Names(
            self._piece(self._sources, at, SourceEntry)["source"] for at in range(len(self._sources) // 2)
        )
        if any(one >= other for one, other in pairwise(self.names)):
            raise ValueError("sources: not in order")
        places = array("q", range(-1, -1 - len(self.names), -1))
        entries = Entries(places, None, self.entry)
        self.manifest: Manifest = {**pieces.head, "parts": self.parts, "sources": entries}
        self._homes = array("I", [NONE]) * len(self.names)
        self._several: dict[int, list[int]] = {}
        for number, part in enumerate(self.parts):
            for name in sources_of(part):
                self._note(name, number)

    def _note(self, name: str, part: int) -> None:
        """Note that a part holds a source."""
        at = self.names.find(name)
        if at >= 0 and self._homes[at] == NONE:
            self._homes[at] = part
        elif at >= 0:
            self._several.setdefault(at, [self._homes[at]]).append(part)

    def _piece(self, places: "array[int]", at: int, kind: type | None = None) -> dict[str, Any]:
        """Read a piece of calib.json; of a `kind`, it is checked to be one."""
        start, end = places[2 * at : 2 * at + 2]
        data = read(self._file.fileno(), start, end - start) if self._file else b""
        if kind:
            msgspec.json.decode(data, type=kind)
        found: dict[str, Any] = msgspec.json.decode(data)
        return found

    def entry(self, at: int) -> Entry:
        """Give the entry of a source by its place."""
        return self._piece(self._sources, at)

    def may_share(self, at: int) -> bool:
        """Tell whether a source is a small one that stands in a part."""
        return bool(self.entry(at)["small"]) and self._homes[at] != NONE

    def known(self, name: str, offered: Collection[str]) -> tuple[Known, ...]:
        """Give what a source is known by in each of its parts that is `offered`."""
        return tuple(known_by(part, name) for part in self.parts_of(name) if part["part"] in offered)

    def parts_of(self, name: str) -> list[Part]:
        """Give the parts that hold a source."""
        at = self.names.find(name)
        if at < 0 or self._homes[at] == NONE:
            return []
        return [self.parts[number] for number in self._several.get(at, (self._homes[at],))]

    def __getitem__(self, name: str) -> Entry:
        at = self.names.find(name)
        if at < 0:
            raise KeyError(name)
        return self.entry(at)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def close(self) -> None:
        """Let go of the file."""
        if self._file:
            self._file.close()


def earlier(folder: Path) -> Earlier:
    """Read calib.json of a corpus folder.

    Raises CorpusError when it is missing, unreadable, or of another schema version.
    """
    file = open_manifest(folder)
    try:
        with suppress(msgspec.MsgspecError, ValueError, RecursionError):
            pieces = pieces_of(file)
            if pieces and pieces.head.get("schema_version") == SCHEMA_VERSION:
                msgspec.convert(pieces.head, ManifestEntry)
                return Earlier(file, pieces)
    except BaseException:
        file.close()
        raise
    file.close()
    return _relaid(read_manifest(folder))


def _relaid(manifest: Manifest) -> Earlier:
    """Lay out a manifest as calib does, each source once and in order."""
    by_name = {entry["source"]: entry for entry in manifest["sources"]}
    ordered = [by_name[name] for name in sorted(by_name)]
    changed = {} if ordered == manifest["sources"] else {"unordered": True}  # so that it is written anew
    file = TemporaryFile()  # noqa: SIM115 - the corpus closes it
    file.writelines(lines({**manifest, **changed, "sources": ordered}))
    file.seek(0)
    pieces = pieces_of(file)
    assert pieces is not None
    return Earlier(file, pieces)


def nothing(options: Mapping[str, Any]) -> Earlier:
    """Give what there is before the first run."""
    return Earlier(None, Pieces({"options": options}, array("Q"), array("Q")))

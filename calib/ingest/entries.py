"""The entries of sources for calib.json: a dump of a million files has a million of them, so they wait on disk."""

from array import array
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import msgspec

from calib.ingest.spool import Spool

Entry = dict[str, Any]
FIGURES = ("format", "bytes", "notices", "notice_lines", "episodes", "turns", "calls", "small")
ACCOUNT = ("bytes", "kept", "blank", "rejected", "ignored")
Told = list[tuple[int | None, str]]
"""The first rejects of a source, to print: line and reason."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[str, bytes, list[Any], list[Any]]).decode
_decode_record = msgspec.msgpack.Decoder(tuple[bytes, Told]).decode


def packed(entry: Mapping[str, Any]) -> bytes:
    """Pack an entry of `sources`, in a tenth of the room."""
    figures, account = [entry[key] for key in FIGURES], [entry["account"][key] for key in ACCOUNT]
    return _encode((entry["source"], bytes.fromhex(entry["digest"]), figures, account))


def unpacked(data: bytes) -> Entry:
    """Give the entry that was packed."""
    source, digest, figures, account = _decode(data)
    found = dict(zip(FIGURES, figures, strict=True))
    return {"source": source, "digest": digest.hex(), "account": dict(zip(ACCOUNT, account, strict=True)), **found}


def record(entry: bytes, told: Told) -> bytes:
    """Give what a spool holds of a source."""
    return _encode((entry, told))


class Entries(Collection[Entry]):
    """A list of entries, each read when it is asked for: from a place in a spool, or from the `earlier` ones.

    A place below zero is that of an earlier entry: -1 is the first.
    """

    def __init__(self, places: "array[int]", spool: Spool | None, earlier: Callable[[int], Entry]) -> None:
        self.places = places
        self._spool, self._earlier = spool, earlier

    def told(self, at: int) -> Told:
        """Give what is to be told of a source; nothing of one that was not read."""
        place = self.places[at]
        return _decode_record(self._spool.get(place))[1] if self._spool and place >= 0 else []

    def __getitem__(self, at: int) -> Entry:
        place = self.places[at]
        if self._spool is None or place < 0:
            return self._earlier(-1 - place)
        return unpacked(_decode_record(self._spool.get(place))[0])

    def __len__(self) -> int:
        return len(self.places)

    def __iter__(self) -> Iterator[Entry]:
        return map(self.__getitem__, range(len(self)))

    def __contains__(self, entry: object) -> bool:
        return any(entry == one for one in self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Entries) or len(other) != len(self):
            return NotImplemented
        unread = all(place < 0 for place in self.places)
        return (unread and self.places == other.places) or all(map(dict.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]

"""What there is of every source, on disk until calib.json is written: with a million files it is much."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate
from pathlib import Path

import msgspec

from calib.files import sibling

GLANCE = 512
"""Bytes that are read at first: most records are shorter."""


class Spool:
    """Records in a file without a name; nothing is left of it when the process ends, however it ends.

    >>> from tempfile import gettempdir
    >>> spool = Spool(Path(gettempdir()))
    >>> [spool.get(at) for at in spool.put([b"a", b"bc"])]
    [b'a', b'bc']
    >>> spool.close()
    """

    def __init__(self, folder: Path) -> None:
        path = sibling(folder / "sources")
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        self._end = 0
        try:
            path.unlink()
        except BaseException:
            self.close()
            raise
        self._load = latest(lambda at: msgspec.msgpack.decode(self.get(at), type=dict[str, str]))

    def put(self, records: Iterable[bytes]) -> list[int]:
        """Keep records, and give the place of each. Raises OSError."""
        framed = [len(record).to_bytes(8, "little") + record for record in records]
        view = memoryview(b"".join(framed))
        places = list(accumulate(map(len, framed), initial=self._end))
        while len(view):
            written = os.pwrite(self._handle, view, self._end)
            self._end, view = self._end + written, view[written:]
        return places[:-1]

    def get(self, at: int) -> bytes:
        """Give the record at a place."""
        data = os.pread(self._handle, GLANCE, at)
        size = int.from_bytes(data[:8], "little")
        return data[8 : 8 + size] if size + 8 <= len(data) else read(self._handle, at + 8, size)

    def stored(self, mapping: Mapping[str, str]) -> "Stored":
        """Keep a mapping."""
        return Stored(self._load, self.put([msgspec.msgpack.encode(dict(mapping))])[0])

    def close(self) -> None:
        """Let go of everything."""
        os.close(self._handle)


def read(handle: int, at: int, size: int) -> bytes:
    """Read so many bytes of a file. Raises OSError."""
    pieces = []
    while size and (piece := os.pread(handle, size, at)):
        pieces.append(piece)
        at, size = at + len(piece), size - len(piece)
    return b"".join(pieces)


class Stored(Mapping[str, str]):
    """A mapping that lies on disk: each time, all of it is read. `load` gives that at a place."""

    def __init__(self, load: Callable[[int], dict[str, str]], at: int) -> None:
        self._load, self._at = load, at

    def __getitem__(self, key: str) -> str:
        return self._load(self._at)[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._load(self._at))

    def __len__(self) -> int:
        return len(self._load(self._at))


def latest(load: Callable[[int], dict[str, str]]) -> Callable[[int], dict[str, str]]:
    """Keep what was loaded last: it is often asked for again."""
    return lru_cache(2)(load)

"""A file's decompressed bytes. What a file is, its first bytes say, never its name."""

import os
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from calib.ingest.lines import BLOCK

Packing = Literal["plain", "gzip", "zstd"]
MAGIC: tuple[tuple[bytes, Packing], ...] = ((b"\x1f\x8b", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd"))
SKIPPABLE = tuple(bytes([0x50 + low]) + b"\x2a\x4d\x18" for low in range(16))
FEED: dict[Packing, int] = {"plain": BLOCK, "gzip": 1 << 14, "zstd": 1 << 10}
"""Compressed bytes taken at a time. They expand at most 1,032 and 32,768 times: never over some 32 MiB at once."""


class Broken(Exception):  # noqa: N818 - a finding about the input
    """The input ends before its time: cut, damaged, gone or unreadable. Every good byte before was given."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(code)
        self.code = code
        self.reason = reason


def packing_of(head: bytes) -> Packing:
    """Tell how a file that begins with `head` is packed."""
    if head.startswith(SKIPPABLE):
        return "zstd"
    return next((packing for magic, packing in MAGIC if head.startswith(magic)), "plain")


class _Damaged(Exception):  # noqa: N818 - a finding about the input
    """The compressed data that begin at a byte on disk could not be decompressed."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class Input:
    """The decompressed bytes of a file from `first` to before `last` on disk; what is appended later is not read.

    Reading never raises: `broken` says why the bytes ended before their time, None when they did not. `given` is
    how many bytes were given.
    """

    def __init__(self, path: Path, packing: Packing, first: int, last: int) -> None:
        self.broken: Broken | None = None
        self.given = 0
        self._path, self._at, self._last = path, first, last
        self._handle = -1
        self._packing = packing
        self._pieces = _unpacked(self._raw(), packing)
        self._rest = memoryview(b"")
        self._given = 0
        self._careful = False

    def __enter__(self) -> "Input":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def fill(self, view: memoryview) -> int:
        """Put the next bytes into `view` and say how many; 0 at the end."""
        if self.broken:
            return 0
        try:
            count = self._read(view) if self._packing == "plain" else self._unpack(view)
            self.given += count
            return count
        except Broken as reason:
            self.broken = reason
            return 0

    @property
    def position(self) -> int:
        """Bytes on disk that were read so far."""
        return self._at

    def blocks(self) -> Iterator[memoryview]:
        """Yield the bytes in blocks; each must be done with before the next is asked for."""
        room = BLOCK if self._packing != "plain" else min(max(self._last - self._at, 1), BLOCK)
        view = memoryview(bytearray(room))
        while count := self.fill(view):
            yield view[:count]

    def _read(self, view: memoryview) -> int:
        if self._at >= self._last:
            return 0
        try:
            if self._handle < 0:  # without waiting, should a pipe stand there by now
                self._handle = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
            count = os.preadv(self._handle, [view[: self._last - self._at]], self._at)
        except FileNotFoundError:
            raise Broken("vanished", "the file was gone when it was opened") from None
        except OSError as error:
            raise Broken("unreadable", f"the file could not be read: {os.strerror(error.errno or 0)}") from None
        self._at += count
        return count

    def _raw(self) -> Iterator[bytes]:
        view = memoryview(bytearray(BLOCK))
        while count := self._read(view):
            yield bytes(view[:count])

    def _unpack(self, view: memoryview) -> int:
        while not self._rest:
            try:
                piece = next(self._pieces, None)
            except _Damaged as damage:
                self._start_again(damage.at)
                continue
            if piece is None:
                return 0
            self._rest = memoryview(piece)
        count = min(len(view), len(self._rest))
        view[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        self._given += count
        return count

    def _start_again(self, at: int) -> None:
        """Read once more, byte by byte where the damage is: a library gives nothing of a call that fails."""
        if self._careful:
            raise Broken("truncated-archive", "the compressed data are damaged")
        self._careful, self._at = True, 0
        self._pieces = _without_first(self._given, _unpacked(self._raw(), self._packing, at))


def _fresh(packing: Packing) -> Callable[[], Any]:
    if packing == "zstd":
        import zstandard

        return zstandard.ZstdDecompressor().decompressobj
    try:  # isal is optional, and more than twice as fast
        from isal import isal_zlib
    except ImportError:
        return lambda: zlib.decompressobj(wbits=31)
    return lambda: isal_zlib.decompressobj(wbits=31)


def _unpacked(raw: Iterator[bytes], packing: Packing, careful_from: int = sys.maxsize) -> Iterator[bytes]:
    """Decompress member after member; every member must be whole.

    From byte `careful_from` on, one byte is taken at a time. Raises _Damaged, Broken after the last good byte.
    """
    fresh = _fresh(packing)
    member: Any = None
    for at, chunk in _chunks(raw, FEED[packing], careful_from):
        data = chunk
        while data:
            if member is None:
                data = data.lstrip(b"\x00") if packing == "gzip" else data  # padding between members is allowed
                member = fresh() if data else None
                continue
            try:
                piece = member.decompress(data)
            except MemoryError:
                raise
            except Exception:  # each library has an error class of its own
                raise _Damaged(at) from None
            yield piece
            data = member.unused_data if member.eof else b""
            member = None if member.eof else member
    if member is not None:
        raise Broken("truncated-archive", "the compressed file ends early")


def _without_first(count: int, pieces: Iterator[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        yield piece[count:]
        count = max(count - len(piece), 0)


def _chunks(raw: Iterator[bytes], size: int, careful_from: int) -> Iterator[tuple[int, bytes]]:
    """Cut blocks into chunks of at most `size` bytes; give each with its place."""
    start = 0
    for block in raw:
        at = 0
        while at < len(block):
            take = 1 if start + at >= careful_from else size
            yield start + at, block[at : at + take]
            at += take
        start += len(block)

"""Files to blocks of decompressed bytes. What a file is, its first bytes say, never its name."""

import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from calib.ingest.lines import BLOCK

Packing = Literal["plain", "gzip", "zstd"]
MAGIC: tuple[tuple[bytes, Packing], ...] = ((b"\x1f\x8b", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd"))
SKIPPABLE = tuple(bytes([0x50 + low]) + b"\x2a\x4d\x18" for low in range(16))
FEED: dict[Packing, int] = {"gzip": 1 << 14, "zstd": 1 << 10}
"""Compressed bytes taken at a time. They expand at most 1,032 and 32,768 times: never over some 32 MiB at once."""


class Broken(Exception):  # noqa: N818 - a finding about the input
    """The file ends before its time: cut, damaged, gone or unreadable. Every good byte before was yielded."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(code)
        self.code = code
        self.reason = reason


def packing_of(head: bytes) -> Packing:
    """Tell how a file that begins with `head` is packed."""
    if head.startswith(SKIPPABLE):
        return "zstd"
    return next((packing for magic, packing in MAGIC if head.startswith(magic)), "plain")


def blocks(path: Path, packing: Packing, first: int = 0, last: int | None = None) -> Iterator[bytes]:
    """Yield the bytes of a file from `first` to before `last`, decompressed; what is appended later is not read.

    `first` and `last` count bytes on disk. Raises Broken after the last good byte.
    """
    raw = _raw(path, first, last)
    if packing == "plain":
        yield from raw
    else:
        yield from _gathered(_unpacked(raw, packing))


def _raw(path: Path, first: int, last: int | None) -> Iterator[bytes]:
    try:
        with path.open("rb", buffering=0) as file:
            at, end = first, os.fstat(file.fileno()).st_size if last is None else last
            while at < end and (block := os.pread(file.fileno(), min(BLOCK, end - at), at)):
                at += len(block)
                yield block
    except FileNotFoundError:
        raise Broken("vanished", "the file was gone when it was opened") from None
    except OSError as error:
        raise Broken("unreadable", f"the file could not be read: {os.strerror(error.errno or 0)}") from None


def _gathered(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Join small pieces to blocks, so that few lines straddle two."""
    held: list[bytes] = []
    size = 0
    try:
        for piece in pieces:
            held.append(piece)
            size += len(piece)
            if size >= BLOCK:
                yield b"".join(held)
                held, size = [], 0
    except Broken:
        if held:
            yield b"".join(held)
        raise
    if held:
        yield b"".join(held)


def _fresh(packing: Packing) -> Callable[[], Any]:
    if packing == "zstd":
        import zstandard

        return zstandard.ZstdDecompressor().decompressobj
    library: Any = zlib
    with suppress(ImportError):  # isal is optional, and more than twice as fast
        from isal import isal_zlib as library
    return lambda: library.decompressobj(wbits=31)


def _unpacked(raw: Iterator[bytes], packing: Packing) -> Iterator[bytes]:
    """Decompress member after member; every member must be whole."""
    fresh = _fresh(packing)
    member: Any = None
    for block in raw:
        for at in range(0, len(block), FEED[packing]):
            data = block[at : at + FEED[packing]]
            while data:
                if member is None:
                    data = data.lstrip(b"\x00") if packing == "gzip" else data  # padding between members is allowed
                    member = fresh() if data else None
                    continue
                yield from _fed(member, data)
                data = member.unused_data if member.eof else b""
                member = None if member.eof else member
    if member is not None:
        raise Broken("truncated-archive", "the compressed file ends early")


def _fed(member: Any, data: bytes) -> Iterator[bytes]:
    """Give what `data` expands to; when it is damaged, everything before the damage."""
    spare = member.copy() if hasattr(member, "copy") else None
    try:
        yield member.decompress(data)
        return
    except Exception as error:  # each library has an error class of its own; none is an OSError
        if isinstance(error, MemoryError):
            raise
    if spare is not None:
        yield from _bytewise(spare, data)
    raise Broken("truncated-archive", "the compressed data are damaged")


def _bytewise(member: Any, data: bytes) -> Iterator[bytes]:
    for at in range(len(data)):
        try:
            yield member.decompress(data[at : at + 1])
        except Exception:  # the damage itself
            return

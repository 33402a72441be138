"""Zip archives made byte by byte, so that they can be wrong."""

import struct
import zlib
from dataclasses import dataclass
from typing import Any

import zstandard


@dataclass
class Piece:
    """A member to write. What is None is as it must be."""

    name: str
    data: bytes
    method: int = 8
    flags: int = 0
    crc: int | None = None
    packed: bytes | None = None
    claimed: int | None = None
    """Bytes that the archive says the member takes."""

    @property
    def body(self) -> bytes:
        if self.packed is not None:
            return self.packed
        if self.method == 8:
            packer = zlib.compressobj(9, zlib.DEFLATED, -15)
            return packer.compress(self.data) + packer.flush()
        return zstandard.ZstdCompressor().compress(self.data) if self.method == 93 else self.data


def archive(*pieces: Piece, directory: bool = True, wide: bool = False) -> bytes:
    """Write an archive; `wide` writes offsets of 64 bits."""
    made, entries = b"", b""
    for piece in pieces:
        name, body = piece.name.encode(), piece.body
        crc = zlib.crc32(piece.data) if piece.crc is None else piece.crc
        size = len(body) if piece.claimed is None else piece.claimed
        common = struct.pack("<HHHHHIII", 20, piece.flags, piece.method, 0, 0, crc, size, len(piece.data))
        extra = struct.pack("<HHQ", 1, 8, len(made)) if wide else b""
        place = 0xFFFFFFFF if wide else len(made)
        lengths = struct.pack("<HHHHHII", len(name), len(extra), 0, 0, 0, 0, place)
        entries += b"PK\x01\x02" + struct.pack("<H", 20) + common + lengths + name + extra
        made += b"PK\x03\x04" + common + struct.pack("<HH", len(name), 0) + name + body
    if not directory:
        return made
    count = len(pieces)
    if not wide:
        return made + entries + b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, count, count, len(entries), len(made), 0)
    end = b"PK\x06\x06" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, count, count, len(entries), len(made))
    locator = b"PK\x06\x07" + struct.pack("<IQI", 0, len(made) + len(entries), 1)
    tail = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return made + entries + end + locator + tail


def piece(name: str, value: Any, **more: Any) -> Piece:
    """A member that holds a JSON value."""
    import json

    return Piece(name, value if isinstance(value, bytes) else json.dumps(value).encode(), **more)

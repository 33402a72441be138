"""Members of a zip archive, read one at a time into memory: stored, deflated or packed with zstd.

A name in an archive is only ever compared, never a path. Each byte of the file belongs to one member, to the
directory behind them, or to a stretch that no member claims.
"""

import struct
import zlib
from collections.abc import Iterator
from io import BufferedReader
from typing import NamedTuple

from calib.formats._codes import Rejected

LARGEST = 256 << 20
"""Bytes that a member may expand to."""
STEP = 1 << 20
END, END64, LOCATOR = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
ENTRY, LOCAL = b"PK\x01\x02", b"PK\x03\x04"
STORED, DEFLATED, ZSTD = 0, 8, 93
FULL16, FULL32 = 0xFFFF, 0xFFFFFFFF


class Member(NamedTuple):
    """One member. `number` counts from 1 in the order of the file; `first` to before `end` are its bytes.

    `overlaps`: it runs into the one that follows, as in a forged archive.
    """

    number: int
    name: str
    method: int
    flags: int
    crc: int
    packed: int
    size: int
    first: int
    end: int
    overlaps: bool = False


class Archive:
    """The members of an archive in the order of the file.

    `cut`: it has no directory, so the members were found one after the other from the start.
    """

    def __init__(self, file: BufferedReader, size: int) -> None:
        self._file = file
        found = _directory(file, size)
        self.cut = found is None
        self.members = _extents(list(_walk(file, size)) if found is None else found, size)

    def read(self, member: Member) -> bytes:
        """Unpack a member.

        Raises Rejected.
        """
        if member.overlaps:
            raise _bad(member, "runs into another one")
        if member.flags & 1:
            raise _bad(member, "is encrypted")
        packed = self._packed(member)
        if member.method == STORED:
            data = packed
        elif member.method == DEFLATED:
            data = _inflated(packed, member)
        elif member.method == ZSTD:
            data = _unzstd(packed, member)
        else:
            raise _bad(member, f"is packed by method {member.method}, which is not read")
        if zlib.crc32(data) != member.crc:
            raise _bad(member, "is damaged: its checksum differs")
        return data

    def _packed(self, member: Member) -> bytes:
        self._file.seek(member.first)
        head = self._file.read(30)
        if len(head) < 30 or head[:4] != LOCAL:
            raise _bad(member, "is not where the directory says")
        names, extra = struct.unpack("<HH", head[26:30])
        if member.packed > LARGEST:
            raise _too_large(member)
        self._file.seek(names + extra, 1)
        data = self._file.read(member.packed)
        if len(data) < member.packed:
            raise _bad(member, "is cut")
        return data


def _bad(member: Member, what: str) -> Rejected:
    return Rejected("bad-member", f"member {member.number} of the archive {what}")


def _too_large(member: Member) -> Rejected:
    return Rejected("too-large", f"member {member.number} of the archive expands to over {LARGEST >> 20} MiB")


def _inflated(packed: bytes, member: Member) -> bytes:
    unpacker = zlib.decompressobj(-15)
    try:
        data = unpacker.decompress(packed, LARGEST)
        if unpacker.unconsumed_tail:
            raise _too_large(member)
    except zlib.error:
        raise _bad(member, "is damaged") from None
    return data


def _unzstd(packed: bytes, member: Member) -> bytes:
    import zstandard

    try:
        with zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True) as unpacked:
            blocks, total = [], 0
            while block := unpacked.read(STEP):
                total += len(block)
                if total > LARGEST:
                    raise _too_large(member)
                blocks.append(block)
    except zstandard.ZstdError:
        raise _bad(member, "is damaged") from None
    return b"".join(blocks)


def _directory(file: BufferedReader, size: int) -> list[Member] | None:
    """Read the directory at the end of the file; None when there is none."""
    tail = min(size, 22 + FULL16)
    file.seek(size - tail)
    data = file.read(tail)
    at = data.rfind(END)
    if at < 0 or len(data) - at < 22:
        return None
    length, first = struct.unpack("<II", data[at + 12 : at + 20])
    if FULL32 in (length, first):
        length, first = _wide(file, data, at)
    if first + length > size:
        return None
    file.seek(first)
    return list(_entries(file.read(length)))


def _wide(file: BufferedReader, tail: bytes, at: int) -> tuple[int, int]:
    locator = tail[at - 20 : at]
    if locator[:4] != LOCATOR:
        return FULL32, FULL32
    file.seek(min(struct.unpack("<Q", locator[8:16])[0], 2**62))
    record = file.read(56)
    if len(record) < 56 or record[:4] != END64:
        return 2**62, 2**62
    length, first = struct.unpack("<QQ", record[40:56])
    return length, first


def _entries(data: bytes) -> Iterator[Member]:
    at = 0
    while data[at : at + 4] == ENTRY and len(data) - at >= 46:
        flags, method = struct.unpack("<HH", data[at + 8 : at + 12])
        crc, packed, size, names, extra, remark = struct.unpack("<IIIHHH", data[at + 16 : at + 34])
        first = struct.unpack("<I", data[at + 42 : at + 46])[0]
        at += 46
        name, more = data[at : at + names], data[at + names : at + names + extra]
        size, packed, first = _widened(more, size, packed, first)
        at += names + extra + remark
        yield Member(0, name.decode("utf-8", "replace"), method, flags, crc, packed, size, first, 0)


def _widened(extra: bytes, *narrow: int) -> Iterator[int]:
    """Give sizes and offset, those that are too large for 32 bits from the extra field."""
    wide = b""
    while len(extra) >= 4:
        kind, length = struct.unpack("<HH", extra[:4])
        if kind == 1:
            wide = extra[4 : 4 + length]
        extra = extra[4 + length :]
    for value in narrow:
        if value == FULL32 and len(wide) >= 8:
            value, wide = struct.unpack("<Q", wide[:8])[0], wide[8:]
        yield value


def _walk(file: BufferedReader, size: int) -> Iterator[Member]:
    """Follow the members from the start of a file that lost its directory; stop at the first that is not whole."""
    at = 0
    while at + 30 <= size:
        file.seek(at)
        head = file.read(30)
        if head[:4] != LOCAL:
            return
        flags, method = struct.unpack("<HH", head[6:10])
        crc, packed, whole, names, extra = struct.unpack("<IIIHH", head[14:30])
        name, more = file.read(names), file.read(extra)
        whole, packed = _widened(more, whole, packed)
        end = at + 30 + names + extra + packed
        if flags & 8 or end > size:  # sizes follow the data: no way to know where it ends
            return
        yield Member(0, name.decode("utf-8", "replace"), method, flags, crc, packed, whole, at, end)
        at = end


def _extents(found: list[Member], size: int) -> list[Member]:
    """Number the members in the order of the file and give each its bytes, up to the next one."""
    ordered = sorted(found, key=lambda one: one.first)
    placed = []
    for at, member in enumerate(ordered):
        own = member.end or member.first + 30 + len(member.name.encode()) + member.packed
        following = ordered[at + 1].first if at + 1 < len(ordered) else own
        first, end = min(member.first, size), min(following, size)
        placed.append(member._replace(number=at + 1, first=first, end=end, overlaps=own > following))
    return placed

"""Which format a file is in: decided from its content, from several records, never from its name."""

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

from calib.formats._codes import Rejected
from calib.formats._decode import Decoder
from calib.ingest.lines import Line, cut, is_blank
from calib.ingest.sources import Source
from calib.ingest.streams import Packing, blocks, packing_of
from calib.ingest.units import gently
from calib.registry import entry, names

RECORDS = 20
"""Objects that are looked at, more only while none of them is a transcript's."""
LINES = 1000
BYTES = 64 << 20

UTF16 = (b"\xff\xfe", b"\xfe\xff")


def sniff(source: Source, format: str) -> tuple[Packing, str, str]:
    """Give packing, format and fault of a file. `format` is one to take for granted, or `auto`.

    An empty file has neither format nor fault.
    """
    if source.fault:
        return "plain", "", source.fault
    broken: list[Any] = []
    head = next(gently(blocks(source.path, "plain", 0, min(source.size, 4096)), broken), b"")
    if broken:
        return "plain", "", broken[0].code
    packing = packing_of(head)
    stream = gently(blocks(source.path, packing, 0, source.size), broken)
    first = next(stream, b"")
    if _is_utf16(first):
        return packing, "", "encoding-utf16"
    if not first and not broken:
        return packing, "", ""
    if format != "auto":
        return packing, format, ""
    found = _majority(cut(itertools.chain([first], stream)))
    if not found and broken:
        return packing, "", broken[0].code
    return packing, found, "" if found else "unknown-format"


def _is_utf16(head: bytes) -> bool:
    return head.startswith(UTF16) or head[:4] in (b"{\x00\n\x00", b'{\x00"\x00', b'\x00{\x00"', b"\x00{\x00\n")


def _majority(lines: Iterator[Line]) -> str:
    """Name the format of most of the first records; nothing when none is of a known format."""
    votes: Counter[str] = Counter()
    decoder, objects, size = Decoder(), 0, 0
    for number, line in enumerate(lines):
        size += len(line)
        if is_blank(line):
            continue
        try:
            keys = decoder.read(line, Counter(), frozenset)
        except Rejected:
            keys = frozenset()
        objects += bool(keys)
        votes.update(name for name in names("calib.formats") if entry("calib.formats", name).recognises(keys))
        if (objects >= RECORDS and votes) or number >= LINES or size >= BYTES:
            break
    return min(votes, key=lambda name: (-votes[name], name)) if votes else ""

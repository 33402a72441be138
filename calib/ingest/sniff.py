"""Which format a file is in: decided from its content, from several records, never from its name."""

from collections import Counter
from collections.abc import Iterator

from calib.formats._codes import Rejected
from calib.formats._decode import Decoder
from calib.ingest.lines import cut, is_blank
from calib.ingest.sources import Source
from calib.ingest.streams import Input, Packing, packing_of
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
    head = memoryview(bytearray(4096))
    with Input(source.path, "plain", 0, source.size) as raw:
        packing = packing_of(bytes(head[: raw.fill(head)]))
    if raw.broken:
        return "plain", "", raw.broken.code
    with Input(source.path, packing, 0, source.size) as unpacked:
        first = bytes(head[: unpacked.fill(head)])
    if _is_utf16(first):
        return packing, "", "encoding-utf16"
    if not first:
        return packing, "", unpacked.broken.code if unpacked.broken else ""
    if format != "auto":
        return packing, format, ""
    with Input(source.path, packing, 0, source.size) as unpacked:
        found = _majority(cut(unpacked.fill))
    return packing, found, "" if found else unpacked.broken.code if unpacked.broken else "unknown-format"


def _is_utf16(head: bytes) -> bool:
    return head.startswith(UTF16) or head[:4] in (b"{\x00\n\x00", b'{\x00"\x00', b'\x00{\x00"', b"\x00{\x00\n")


def _majority(lines: Iterator[memoryview]) -> str:
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

"""Which format a file is in, and in which shape: decided from its content, from several records, never from its name.

A file is *lines* when its first line that is not blank is a whole JSON value, else a *document* or an *array* when all
of it is one, or *values* when it is one object after the other, the first over several lines. A JSON list that no
format knows as a whole is an array of records. A format whose records are files
makes a file part of a *bundle*; a known magic number makes it *binary*.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from calib.formats._codes import Rejected
from calib.formats._decode import BOM, Decoder, values_in
from calib.ingest.lines import ROOM, is_blank, numbered
from calib.ingest.skim import SMALL, skim
from calib.ingest.sources import Source
from calib.ingest.streams import Input, Packing, packing_of
from calib.registry import entry, names

RECORDS = 20
"""Records that are looked at, more only while none of them is a transcript's."""
LINES = 1000
BYTES = 64 << 20
UTF16 = (b"\xff\xfe", b"\xfe\xff")
PACKAGE = "calib.formats"


@dataclass(frozen=True, slots=True)
class Sniffed:
    """What a file is. `fault` is a code of a file that is rejected as a whole; an empty file has no format.

    `stream`: its lines are what the files of a bundle are, so that none stands alone. `group` tells the bundles of one
    folder apart.
    """

    packing: Packing = "plain"
    format: str = ""
    fault: str = ""
    shape: str = "lines"
    stream: bool = False
    group: str = ""


def sniff(source: Source, format: str) -> Sniffed:
    """Look into a file. `format` is one to take for granted, or `auto`."""
    if source.fault:
        return Sniffed(fault=source.fault)
    head = memoryview(bytearray(4096))
    with Input(source.path, "plain", 0, source.size) as raw:
        start = bytes(head[: raw.fill(head)])
    if raw.broken:
        return Sniffed(fault=raw.broken.code)
    if binary := _by_magic(start):
        return Sniffed(format=binary, shape="binary")
    packing = packing_of(start)
    first, broken = start, None
    if packing != "plain":
        with Input(source.path, packing, 0, source.size) as unpacked:
            first, broken = bytes(head[: unpacked.fill(head)]), unpacked.broken
    if _is_utf16(first):
        return Sniffed(packing, fault="encoding-utf16")
    if not first:
        return Sniffed(packing, fault=broken.code if broken else "")
    found = replace(_looked_at(source, packing, format), packing=packing)
    if not found.format:
        with Input(source.path, packing, 0, source.size) as unpacked:
            for _ in unpacked.blocks():
                pass
        return replace(found, fault=unpacked.broken.code if unpacked.broken else "unknown-format")
    return found


def _by_magic(start: bytes) -> str:
    return next((name for name, magic in _magics() if magic and start.startswith(magic)), "")


@cache
def _magics() -> tuple[tuple[str, bytes], ...]:
    return tuple((name, getattr(entry(PACKAGE, name), "MAGIC", b"")) for name in names(PACKAGE))


def _is_utf16(head: bytes) -> bool:
    return head.startswith(UTF16) or head[:4] in (b"{\x00\n\x00", b'{\x00"\x00', b'\x00{\x00"', b"\x00{\x00\n")


def _looked_at(source: Source, packing: Packing, format: str) -> Sniffed:
    with Input(source.path, packing, 0, source.size) as unpacked:
        room = ROOM if packing != "plain" else min(source.size + 1, ROOM)
        found = _lines(numbered(unpacked.fill, room), format, Decoder())
    if found is None:
        found = _whole(source, packing, format)
    return found


def _lines(lines: Iterator[tuple[int, memoryview]], format: str, decoder: Decoder) -> Sniffed | None:
    """Take the votes of the first lines; None when the first line is no whole value, so all of the file may be one."""
    votes: Counter[str] = Counter()
    samples: dict[str, Any] = {}
    records = size = 0
    only: Any = None
    for number, line in lines:
        size += len(line)
        if votes and (number > LINES or size >= BYTES):
            only = None  # there is more than can be one document
            break
        if is_blank(line) or (number == 1 and line[:3] == BOM and is_blank(line[3:])):
            continue
        value = _value(decoder, line)
        if value is None and not records and not votes:
            if number == 1 or _opens(line):
                return None
            continue
        only = value if records == 0 else None
        records += value is not None
        name = recognised(value, format)
        votes[name] += 1
        samples.setdefault(name, value)
        if (records >= RECORDS and any(votes)) or number > LINES or size >= BYTES:
            break
    del votes[""]
    if isinstance(only, list) and not votes and (member := _elements(only, format)):
        return Sniffed(format=member, shape="array")
    best = min(votes, key=lambda name: (-votes[name], name)) if votes else ""
    if not best:
        return Sniffed()
    if only is None:
        return Sniffed(format=best, stream=_is_bundled(best, samples[best]))
    return _one(best, only)


def _is_bundled(name: str, value: Any) -> bool:
    """Tell a record that is one of many in a bundle from one that stands alone."""
    form = entry(PACKAGE, name)
    return getattr(form, "BUNDLE", False) and (not hasattr(form, "bundled") or bool(form.bundled(value)))


def _one(name: str, value: Any) -> Sniffed:
    """Tell what a file is that holds one record."""
    form = entry(PACKAGE, name)
    if not _is_bundled(name, value):
        return Sniffed(format=name, shape="document")
    return Sniffed(format=name, shape="bundle", group=str(form.group(value)) if hasattr(form, "group") else "")


def _opens(line: memoryview) -> bool:
    return bytes(line[:64]).lstrip()[:1] in (b"{", b"[")


def _whole(source: Source, packing: Packing, format: str) -> Sniffed:
    """Look at all of a file as one value; else its lines vote after all, for the first may be torn."""
    data = whole_bytes(source, packing)
    value = _value(Decoder(), data)
    if value is not None:
        if known := recognised(value, format):
            return _one(known, value)
        if isinstance(value, list) and (member := _elements(value, format)):
            return Sniffed(format=member, shape="array")
    elif several := _several(data, format):
        return several
    votes: Counter[str] = Counter()
    samples: dict[str, Any] = {}
    decoder = Decoder()
    for number, line in enumerate(memoryview(data).tobytes().split(b"\n")):
        found = _value(decoder, line)
        name = recognised(found, format)
        votes[name] += bool(line.strip())
        samples.setdefault(name, found)
        if number >= LINES:
            break
    del votes[""]
    if not +votes:
        return Sniffed(shape="lines" if value is not None else "torn")
    best = min(votes, key=lambda name: (-votes[name], name))
    return Sniffed(format=best, stream=_is_bundled(best, samples[best]))


def _several(data: bytes, format: str) -> Sniffed | None:
    """Tell a file of records that stand over several lines each."""
    places = values_in(data)
    if not places or b"\n" not in data[: places[0][1]].rstrip():
        return None
    known = _elements([_value(Decoder(), data[first:last]) for first, last in places[:RECORDS]], format)
    return Sniffed(format=known, shape="values") if known else None


def whole_bytes(source: Source, packing: Packing) -> bytes:
    """Read all of a file."""
    with Input(source.path, packing, 0, source.size) as unpacked:
        return b"".join(bytes(block) for block in unpacked.blocks())


def _value(decoder: Decoder, data: bytes | memoryview) -> Any:
    if len(data) > SMALL:
        with suppress(ValueError, RecursionError):
            if isinstance(value := skim(data), (dict, list)):
                return value
    try:
        return decoder.value(data, Counter())
    except Rejected:
        return None


def _elements(values: list[Any], format: str) -> str:
    votes = Counter(recognised(value, format) for value in values[:RECORDS])
    del votes[""]
    return min(votes, key=lambda name: (-votes[name], name)) if votes else ""


def recognised(value: Any, format: str = "auto") -> str:
    """Name the format that knows a value; of several the one of lowest rank."""
    if value is None:
        return ""
    if format != "auto":
        return format if entry(PACKAGE, format).recognises(value) else ""
    return next((name for name, recognises in _by_rank() if recognises(value)), "")


@cache
def _by_rank() -> tuple[tuple[str, Callable[[Any], bool]], ...]:
    """List the formats with how each knows a value, those first that win when several do."""
    forms = [(entry(PACKAGE, name).RANK, name) for name in names(PACKAGE)]
    return tuple((name, entry(PACKAGE, name).recognises) for _, name in sorted(forms))

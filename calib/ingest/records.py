"""A stream to records: its lines, the elements of a list, the files of a bundle, or all of it as one."""

import re
from collections.abc import Iterator, Sequence

from calib.formats._decode import json_text, tolerant
from calib.ingest import bundles
from calib.ingest.lines import cut
from calib.ingest.sources import Member
from calib.ingest.streams import Broken, Input

BETWEEN = re.compile(rb"\s*[\[,]?\s*")
Record = tuple[int, int, memoryview, Broken | None]
"""Offset, line, bytes, and why they end early."""


def records(shape: str, members: Sequence[Member], source: Input) -> Iterator[Record]:
    """Yield every record of a stream, whatever its shape."""
    at = 0
    if shape == "lines":
        for number, line in enumerate(cut(source.fill), 1):
            yield at, number, line, source.broken
            at += len(line)
    elif shape == "bundle":
        yield from bundles.records(members)
    else:
        data = memoryview(b"".join(bytes(block) for block in source.blocks()))
        found = elements(data) if shape == "array" else [(0, 1, data)]
        yield from ((offset, line, record, source.broken) for offset, line, record in found if len(record))


def elements(data: memoryview) -> Iterator[tuple[int, int, memoryview]]:
    """Cut a JSON list into its elements: (offset, line, bytes) of each.

    >>> [(at, line, bytes(item)) for at, line, item in elements(memoryview(b'[{"a": 1},\\n {}]'))]
    [(1, 1, b'{"a": 1}'), (12, 2, b'{}')]
    """
    import msgspec

    try:
        raws = msgspec.json.decode(data, type=list[msgspec.Raw])
    except (ValueError, RecursionError):  # NaN, half a surrogate: mended as a whole, so places are not known
        values, _ = tolerant(bytes(data), lists=True)
        yield from ((0, 1, memoryview(json_text(value).encode())) for value in values)
        return
    at, line = 0, 1
    for raw in raws:
        found = BETWEEN.match(data, at)
        gap = found.end() - at if found else 0
        line += bytes(data[at : at + gap]).count(b"\n")
        yield at + gap, line, data[at + gap : at + gap + len(raw)]
        line += bytes(raw).count(b"\n")
        at += gap + len(raw)

"""A stream to records: its lines, the elements of a list, the files of a bundle, or all of it as one."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from calib.formats._codes import Rejected
from calib.formats._decode import BOM, Decoder
from calib.ingest import bundles
from calib.ingest.lines import numbered
from calib.ingest.sources import Member
from calib.ingest.streams import Broken, Input
from calib.registry import entry

BETWEEN = re.compile(rb"\s*[\[,]?\s*")
Record = tuple[int, int, memoryview, Broken | None]
"""Offset, line, bytes, and why they end early."""


def records(shape: str, members: Sequence[Member], source: Input) -> Iterator[Record]:
    """Yield every record of a stream, whatever its shape."""
    at = 0
    if shape == "lines":
        for number, line in numbered(source.fill):
            yield at, number, line, source.broken
            at += len(line)
    elif shape == "bundle":
        yield from bundles.records(members)
    else:
        data = memoryview(b"".join(bytes(block) for block in source.blocks()))
        found = elements(data) if shape in ("array", "values") else [(0, 1, data)]
        yield from ((offset, line, record, source.broken) for offset, line, record in found if len(record))


def elements(data: memoryview) -> Iterator[tuple[int, int, memoryview]]:
    """Cut a JSON list into its elements: (offset, line, bytes) of each.

    >>> [(at, line, bytes(item)) for at, line, item in elements(memoryview(b'[{"a": 1},\\n {}]'))]
    [(1, 1, b'{"a": 1}'), (12, 2, b'{}')]
    """
    line = at = 0
    for first, last in _places(data):
        line += bytes(data[at:first]).count(b"\n")
        yield first, line + 1, data[first:last]
        at, line = last, line + bytes(data[first:last]).count(b"\n")


def _places(data: memoryview) -> Iterator[tuple[int, int]]:
    """Yield where each element of a list begins and ends."""
    try:
        sizes = [len(raw) for raw in msgspec.json.decode(data, type=list[msgspec.Raw])]
    except (ValueError, RecursionError):
        yield from _odd_places(bytes(data))
        return
    at = 0
    for size in sizes:
        found = BETWEEN.match(data, at)
        at = found.end() if found else at
        yield at, at + size
        at += size


def _odd_places(data: bytes) -> Iterator[tuple[int, int]]:
    """Find the elements of a list with values that the fast parser refuses; what cannot be cut is one last element.

    >>> list(_odd_places(b'[NaN, "\\xff", {"a": tru}]'))
    [(1, 4), (6, 9), (11, 22)]
    """
    text = data.decode("latin-1")  # a character for a byte: only places are of interest
    decoder = json.JSONDecoder(strict=False, parse_int=len)
    at = len(BOM) if data.startswith(BOM) else 0
    while (found := BETWEEN.match(data, at)) and (at := found.end()) < len(text) and text[at] != "]":
        try:
            _, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = len(text)
        yield at, end
        at = end


def last_records(format: str, source: Input) -> dict[Any, int]:
    """Find the last record of each session of a file of lines, so that episodes need not stay open to its end."""
    find = getattr(entry("calib.formats", format), "session_of", None)
    if find is None:
        return {}
    decoder, last = Decoder(), dict[Any, int]()
    with source:
        for number, line in numbered(source.fill):
            with suppress(Rejected):
                last[find(decoder.value(line, Counter()))] = number
    return last

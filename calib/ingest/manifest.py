"""calib.json in pieces, written and read: with a million sources it is large."""

import json
from array import array
from collections.abc import Iterator
from typing import IO, Any, NamedTuple

import msgspec

Manifest = dict[str, Any]
LISTS = ("parts", "sources")
_sorted = json.JSONEncoder(sort_keys=True, default=dict).encode
OPEN, CLOSE = b"  {\n", (b"  }\n", b"  },\n")
"""The lines between which a part or a source stands."""


def lines(manifest: Manifest) -> Iterator[bytes]:
    """Give calib.json piece by piece, as `json.dumps(manifest, sort_keys=True, indent=1)` would."""
    first = b"{"
    for key, value in sorted(manifest.items()):
        yield first + b"\n " + json.dumps(key).encode() + b": "
        first = b","
        if key not in LISTS:
            yield _text(value, 1)
            continue
        opened = b"["
        for one in value:
            yield opened + b"\n  " + _text(one, 2)
            opened = b","
        yield b"\n ]" if value else b"[]"
    yield b"\n}\n"


def _text(value: Any, depth: int) -> bytes:
    data = msgspec.json.format(_sorted(value).encode(), indent=1)
    return data.replace(b"\n", b"\n" + b" " * depth)


class Pieces(NamedTuple):
    """What calib.json says but for parts and sources, and where each of these begins and ends."""

    head: Manifest
    parts: "array[int]"
    sources: "array[int]"


def pieces_of(file: IO[bytes]) -> Pieces | None:
    """Find the parts and sources in a calib.json; None when it is laid out in another way than `lines` does."""
    left, places, start, at = bytearray(), array("Q"), -1, 0
    for line in file:
        if line == OPEN and start < 0:
            start = at
        elif start >= 0 and line in CLOSE:
            places.extend((start, at + len(OPEN) - 1))
            left += b"0" + line[3:]  # it stands for the piece
            start = -1
        elif start < 0:
            left += line
        at += len(line)
    try:
        head = json.loads(left)
        counts = [head[key].count(0) for key in LISTS]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    if list(head) != sorted(head) or counts != [len(head[key]) for key in LISTS] or 2 * sum(counts) != len(places):
        return None
    return Pieces({**head, **dict.fromkeys(LISTS, ())}, places[: 2 * counts[0]], places[2 * counts[0] :])

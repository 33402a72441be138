"""A large JSON value without most of its bulk: enough to tell what it is, at a fraction of the cost of decoding it."""

from typing import Any

import msgspec

SMALL = 64 << 10
"""Bytes below which a value is decoded as a whole."""
ELEMENTS = 20
"""Elements of a list that are looked at; the others are left out."""
DEEPEST = 6
"""Levels that are taken apart."""

_object = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_list = msgspec.json.Decoder(list[msgspec.Raw]).decode
_value = msgspec.json.Decoder().decode


def skim(data: bytes | memoryview, small: int = SMALL, depth: int = 0) -> Any:
    """Give a value with at most 20 elements of each of its large lists.

    >>> skim(b'{"a": [1, 2], "b": {"c": "x"}}', small=1) == {"a": [1, 2], "b": {"c": "x"}}
    True
    >>> skim(b"[" + b"1, " * 50 + b"2]", small=1) == [1] * 20
    True

    Raises ValueError or RecursionError for anything that is no JSON.
    """
    if len(data) > small and depth < DEEPEST:
        kind = bytes(data[:64]).lstrip(b" \t\r\n")[:1]
        if kind == b"{":
            return {key: skim(memoryview(raw), small, depth + 1) for key, raw in _object(data).items()}
        if kind == b"[":
            return [skim(memoryview(raw), small, depth + 1) for raw in _list(data)[:ELEMENTS]]
    return _value(data)

"""One spelling for equal arguments of a call."""

import json
import re

import msgspec

from calib.formats._decode import HUGE

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder(order="sorted").encode
_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
QUOTE = 0x22
_OTHERWISE = re.compile(rb"\\[u/]")
"""An escape that the encoder would write in another way, or not at all."""


def canonical(arguments: str) -> bytes | str:
    """Give the same value for arguments that differ only in key order, spacing or escapes.

    >>> canonical('{"b": 1, "a": "\\u00e9"}') == canonical('{"a":"é","b":1}')
    True

    Text that is no JSON stays as it is (a str, so that it equals no JSON): two broken calls are equal only
    when their texts are.
    """
    try:
        return _encode(_decode(arguments)) if len(arguments) < HUGE else _canonical_fields(arguments.encode())
    except (ValueError, RecursionError):  # what the fast decoder refuses may still be JSON: NaN, half a surrogate
        pass
    try:
        return b"~" + json.dumps(json.loads(arguments), sort_keys=True).encode()
    except (ValueError, RecursionError):
        return arguments


def _canonical_fields(arguments: bytes) -> bytes:
    """Do the same for an object field by field, and hold none of a huge text twice that is written as it must be."""
    if arguments.lstrip()[:1] != b"{":
        return _encode(_decode(arguments))
    pieces: list[bytes | memoryview] = []
    for key, raw in sorted(_fields(arguments).items()):
        pieces += (b"," if pieces else b"{", _encode(key), b":", _value(memoryview(raw)))
    return b"".join([*pieces, b"}"] if pieces else [b"{}"])


def _value(raw: memoryview) -> bytes | memoryview:
    return raw if raw[0] == QUOTE and not _OTHERWISE.search(raw) else _encode(_decode(raw))

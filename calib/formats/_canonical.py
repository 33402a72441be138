"""One spelling for equal arguments of a call."""

import json

import msgspec

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder(order="sorted").encode


def canonical(arguments: str) -> bytes | str:
    """Give the same value for arguments that differ only in key order, spacing or escapes.

    >>> canonical('{"b": 1, "a": "\\u00e9"}') == canonical('{"a":"é","b":1}')
    True

    Text that is no JSON stays as it is (a str, so that it equals no JSON): two broken calls are equal only
    when their texts are.
    """
    try:
        return _encode(_decode(arguments))
    except (ValueError, RecursionError):  # what the fast decoder refuses may still be JSON: NaN, half a surrogate
        pass
    try:
        return b"~" + json.dumps(json.loads(arguments), sort_keys=True).encode()
    except (ValueError, RecursionError):
        return arguments

"""Values over a pipe between a run and its workers: typed MessagePack, each with its length in front.

What is read becomes the declared type or an error; nothing in it is code.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def put(handle: int, value: Any) -> None:
    """Write one value whole. Raises OSError when nobody reads."""
    data = msgspec.msgpack.encode(value, enc_hook=_plain)
    view = memoryview(len(data).to_bytes(8, "little") + data)
    while len(view):
        view = view[os.write(handle, view) :]


def get(handle: int, kind: type[T]) -> T:
    """Read one value. Raises EOFError at the end of the pipe."""
    data = _exactly(handle, int.from_bytes(_exactly(handle, 8), "little"))
    return msgspec.msgpack.decode(data, type=kind, dec_hook=_path)


def _exactly(handle: int, size: int) -> bytes:
    pieces = []
    while size:
        piece = os.read(handle, min(size, 1 << 20))
        if not piece:
            raise EOFError
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _plain(value: Any) -> Any:
    """Give a path as text, and a sequence that is made on demand as a list."""
    return list(value) if isinstance(value, Sequence) else str(value)


def _path(kind: type, value: Any) -> Path:
    if kind is not Path:
        raise NotImplementedError(kind)
    return Path(value)

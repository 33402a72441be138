"""Where the parts of one large JSON value stand in the file, so that each episode is charged with its own bytes."""

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from typing import Any, TypedDict

import msgspec

from calib.formats._codes import Rejected
from calib.formats._decode import Line, Notices, tolerant
from calib.formats._reader import Fault, Given
from calib.formats._talk import Stretch

BETWEEN = re.compile(rb"\s*,\s*")

_top = msgspec.json.Decoder(dict[str, msgspec.Raw])
_list = msgspec.json.Decoder(list[msgspec.Raw])
_value = msgspec.json.Decoder()


@lru_cache
def _some(key: str, only: tuple[str, ...]) -> Callable[[bytes], dict[str, Any]]:
    """Decode the list of a record, its elements unread, and the values of other keys."""
    kinds = {key: list[msgspec.Raw], **dict.fromkeys(only, Any)}
    keys: Any = TypedDict("keys", kinds, total=False)  # type: ignore[misc]
    decode: Any = msgspec.json.Decoder(keys).decode
    return decode  # type: ignore[no-any-return]


@lru_cache
def _decoder(kind: Any) -> Callable[[msgspec.Raw], Any]:
    decode = msgspec.json.Decoder(kind).decode

    def one(raw: msgspec.Raw) -> Any:
        try:
            return decode(raw)
        except msgspec.ValidationError:  # it is something else
            return _value.decode(raw)

    return one


Placed = list[tuple[Any, Stretch]]


def split(
    line: Line, key: str, where: Stretch, notices: Notices, only: tuple[str, ...] = (), element: Any = Any
) -> tuple[dict[str, Any], Placed]:
    """Cut a record at the elements of its list `key`; give the rest of it, and the elements with their stretches.

    Of a record that has elements the rest may lack keys that are not named in `only`; `element` is what msgspec makes
    of one.

    An element's stretch runs from the end of the one before to its own end, the last one's to the end of the record, so
    the stretches add up to the record. Of a record that has to be mended the first element is charged with all of it.

    >>> split(b'{"a": 1, "b": [2, 3]}', "b", (1, 0, 21), Notices())
    ({'a': 1}, [(2, (1, 0, 16)), (3, (1, 16, 5))])

    Raises Rejected.
    """
    data = bytes(line)
    try:
        rest, raws = _cut(data, key, only)
        decode = _decoder(element)
        values = [decode(raw) for raw in raws]
    except (ValueError, RecursionError):  # NaN, half a surrogate, or a list that is null
        return _mended(data, key, where, notices)
    return rest, list(zip(values, _stretches(data, raws, where), strict=True))


def _cut(data: bytes, key: str, only: tuple[str, ...]) -> tuple[dict[str, Any], list[msgspec.Raw]]:
    if only:
        with suppress(msgspec.ValidationError):  # the list is none
            some = _some(key, only)(data)
            if raws := some.pop(key, None):
                return some, raws
    top = _top.decode(data)
    raws = _list.decode(top.pop(key)) if key in top else []
    return {name: _value.decode(raw) for name, raw in top.items()}, raws


def each(placed: Placed, read: Callable[[Any, Stretch], Iterable[Given]]) -> list[Given]:
    """Read element by element; one that cannot be read costs itself only."""
    found: list[Given] = []
    for value, where in placed:
        try:
            found += read(value, where)
        except Rejected as fault:
            found.append(Fault(fault.code, fault.reason, where[1], where[2], where[0]))
    return found


def _stretches(data: bytes, raws: list[msgspec.Raw], where: Stretch) -> list[Stretch]:
    line, first, size = where
    found: list[Stretch] = []
    begun = 0
    for raw in raws:
        between = BETWEEN.match(data, begun) if found else None
        at = between.end() if between else _place(data, bytes(raw), begun)
        line += data.count(b"\n", begun, at)
        end = at + len(raw)
        found.append((line, first + begun, end - begun))
        line += data.count(b"\n", at, end)
        begun = end
    if found:
        last = found[-1]
        found[-1] = (last[0], last[1], last[2] + size - begun)
    return found


def _place(data: bytes, own: bytes, at: int) -> int:
    """Find the first element of a list, somewhere behind a place."""
    head = own[:64]
    while not data.startswith(own, at):
        at = data.index(head, at + 1)
    return at


def _mended(data: bytes, key: str, where: Stretch, notices: Notices) -> tuple[dict[str, Any], Placed]:
    value, found = tolerant(data)
    notices.update(found.keys())
    listed = value.pop(key, None) or []
    if not isinstance(listed, list):
        raise Rejected("bad-message", "a list of episodes is no list")
    nothing = (where[0], where[1], 0)
    return value, [(item, nothing if at else where) for at, item in enumerate(listed)]

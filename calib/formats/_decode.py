"""One line of bytes to one JSON object: a fast parser first, a tolerant one for what it refuses.

The fast parser (simdjson) gives views that build Python objects only for what is asked. It refuses NaN,
lone surrogates, bytes that are not UTF-8, integers over 64 bits and deep nesting; the tolerant one
(standard library) mends these, counts each as a notice, and says in our words what it cannot read.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
import simdjson

from calib.formats._codes import DEEPEST, Rejected, Reread

ARRAY = (simdjson.Array, list)
BOM = b"\xef\xbb\xbf"
SURROGATE = re.compile("[\ud800-\udfff]")
SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
SPACE = re.compile("[ \t\r\n]*")
HUGE = 32 << 20
"""Bytes beyond which a line, or a text in it, is worth some care with memory."""
MOST_DIGITS = 4000  # Python refuses to read integers over 4,300 digits

Line = bytes | memoryview
Notices = Counter[str]
T = TypeVar("T")


class Several(Rejected):
    """A line that holds more than one JSON value."""


class Decoder:
    """Decodes lines. The object given for one line must be dropped before the next is asked for."""

    def __init__(self) -> None:
        self._parser = simdjson.Parser()
        self._tolerant = Tolerant()
        self._commas = False

    def fast(self, line: Line) -> Any:
        """Give the value of a line, or None when the fast parser refuses it."""
        try:
            return self._parser.parse(line)
        except ValueError:
            return None
        except RuntimeError:  # a view that an error kept alive blocks it
            self._parser = simdjson.Parser()
            return None

    def read(self, line: Line, notices: Notices, use: Callable[[Any], T]) -> T:
        """Apply `use` to the object of a line: a view, or a dict when the fast parser or `use` refuses the view.

        Notices are counted only when the record is kept. Raises Rejected.
        """
        if len(line) > HUGE:
            return self._read_huge(line, notices, use)
        value = self.fast(line)
        if isinstance(value, simdjson.Object):
            try:
                done = use(value)
            except Reread:
                pass
            else:
                if line[:3] == BOM:
                    notices["bom"] += 1
                return done
        elif value is not None:
            raise Rejected("not-an-object")
        del value
        mended, found = tolerant(bytes(line), parser=self._tolerant)
        done = use(mended)
        self._count(found, notices)
        return done

    def _read_huge(self, line: Line, notices: Notices, use: Callable[[Any], T]) -> T:
        """Read a line without the fast parser, which holds a huge one two times more; keys given twice go unnoticed."""
        found: Notices = Counter()
        value = self.value(line, found)
        if not isinstance(value, dict):
            raise Rejected("not-an-object")
        done = use(value)
        notices.update(found)
        return done

    def value(self, line: Line, notices: Notices) -> Any:
        """Build the whole value of a record: an object or a list. Notices are counted when it is one.

        Raises Rejected.
        """
        try:
            value = _decode(line)
        except (ValueError, RecursionError):
            value, found = tolerant(bytes(line), True, self._tolerant)
            self._count(found, notices)
        if not isinstance(value, (dict, list)):
            raise Rejected("not-an-object")
        return value

    def _count(self, found: Notices, notices: Notices) -> None:
        if found["trailing-comma"] and self._commas:
            del found["trailing-comma"]  # one is enough for a file
        self._commas = self._commas or found["trailing-comma"] > 0
        notices.update(key for key, count in found.items() if count)


_decode = msgspec.json.Decoder().decode


class Tolerant:
    """The tolerant parser: it mends what can be mended, and names what it mended of its last text in `found`."""

    def __init__(self) -> None:
        self.found: Notices = Counter()
        self._decode = json.JSONDecoder(
            object_pairs_hook=self._pairs, parse_constant=self._nonfinite, parse_float=self._number,
            parse_int=self._integer,
        ).decode  # fmt: skip

    def parse(self, text: str) -> Any:
        """Decode a text.

        Raises Rejected.
        """
        self.found.clear()
        try:
            if text.rstrip(" \t\r\n").endswith("},"):  # copied out of a list
                text = text.rstrip(" \t\r\n")[:-1]
                self.found["trailing-comma"] += 1
            return self._decode(text)
        except RecursionError:
            raise Rejected("too-deep") from None
        except json.JSONDecodeError as error:
            raise (Several if error.msg == "Extra data" else Rejected)(*_what_is_wrong(error)) from None

    def _pairs(self, items: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(items)
        if len(made) < len(items):
            self.found["duplicate-key"] += 1
        return made

    def _nonfinite(self, _: str) -> None:
        self.found["nonfinite-number"] += 1

    def _number(self, digits: str) -> float | None:
        value = float(digits)
        return value if math.isfinite(value) else self._too_large()

    def _integer(self, digits: str) -> int | None:
        return int(digits) if len(digits) <= MOST_DIGITS else self._too_large()

    def _too_large(self) -> Any:
        self.found["bad-number"] += 1
        return None


def tolerant(line: bytes, lists: bool = False, parser: Tolerant | None = None) -> tuple[Any, Notices]:
    """Decode one line with the standard library, mending what can be mended and naming what was mended.

    >>> tolerant(b'{"a": NaN, "b": 1}')
    ({'a': None, 'b': 1}, Counter({'nonfinite-number': 1}))

    Raises Rejected.
    """
    if b"\x00" in line:
        raise Rejected("nul-bytes", f"NUL bytes in the line: {line.count(0)}")
    parser = parser or Tolerant()
    marked = line.startswith(BOM)
    if marked:
        line = line[len(BOM) :]
    try:
        text, invalid = line.decode(), False
    except UnicodeDecodeError:
        text, invalid = line.decode(errors="replace"), True
    del line  # it may be huge
    value = parser.parse(text)
    if not isinstance(value, dict) and not (lists and isinstance(value, list)):
        raise Rejected("not-an-object")
    found = Counter(parser.found)
    found["bom"] += marked
    found["invalid-utf8"] += invalid
    if SURROGATE_ESCAPE.search(text):
        value = without_surrogates(value, found)
    return value, +found


def values_in(data: bytes | memoryview) -> list[tuple[int, int]]:
    """Tell where each object begins and the next one, or the end, stands, when these are all objects one by one.

    >>> values_in(b'{"a": 1} {"b": 2}\\n'), values_in(b'{"a": 1} {"b":'), values_in(b'{"a": 1}')
    ([(0, 9), (9, 18)], [], [])
    """
    text = bytes(data).decode("latin-1")  # a character for a byte: only places are of interest
    decoder = json.JSONDecoder(parse_int=len)
    starts: list[int] = []
    at, end = 0, len(text.rstrip(" \t\r\n"))
    while at < end:
        try:
            value, after = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return []
        if not isinstance(value, dict):
            return []
        starts.append(at)
        at = SPACE.match(text, after).end()  # type: ignore[union-attr]
    return list(zip(starts, [*starts[1:], len(text)], strict=True)) if len(starts) > 1 else []


def _what_is_wrong(error: json.JSONDecodeError) -> tuple[str, str]:
    """Give code and reason. A value that had only begun when the line ended was cut while it was written."""
    at = len(error.doc[: error.pos].encode("utf-8", "replace"))
    if error.msg == "Extra data":
        return "json-invalid", f"more than one JSON value on the line: the second begins at byte {at}"
    if error.pos and (error.msg.startswith("Unterminated string") or error.pos >= len(error.doc.rstrip())):
        return "json-truncated", f"the value ends too early: what begins at byte {at} of the line has no end"
    return "json-invalid", f"not JSON: stopped at byte {at} of the line"


def without_surrogates(value: Any, notices: Notices) -> Any:
    """Replace every lone surrogate in the texts of a value by U+FFFD; count once if there was one."""
    if isinstance(value, str):
        mended = SURROGATE.sub("\ufffd", value)
        if mended != value:
            notices["lone-surrogate"] = 1
        return mended
    if isinstance(value, list):
        return [without_surrogates(item, notices) for item in value]
    if isinstance(value, dict):
        return {without_surrogates(k, notices): without_surrogates(v, notices) for k, v in value.items()}
    return value


def plain(value: Any) -> Any:
    """Build the Python object behind a view.

    Raises Rejected when it nests deeper than the limit.
    """
    if isinstance(value, simdjson.Object):
        return shallow(value.as_dict())
    return shallow(value.as_list() if isinstance(value, simdjson.Array) else value)


def shallow(value: Any) -> Any:
    """Give the value back when it nests no deeper than the limit.

    Raises Rejected.
    """
    level, depth = [value], 0
    while level := [item for item in level if isinstance(item, (dict, list))]:
        depth += 1
        if depth > DEEPEST:
            raise Rejected("too-deep")
        level = [item for box in level for item in (box.values() if isinstance(box, dict) else box)]
    return value


def json_text(value: Any) -> str:
    """Write a value as compact JSON with sorted keys.

    >>> json_text({"b": 1, "a": "é"})
    '{"a":"é","b":1}'
    """
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

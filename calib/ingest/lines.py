"""Bytes to lines. A line ends at byte 0x0A and nowhere else."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, mmap

Fill = Callable[[memoryview], int]
"""Puts the next bytes of an input into a buffer and says how many; 0 at its end."""

BLOCK = 1 << 20
"""Bytes asked for at a time, and of the longest run of blank or junk lines that is given at once."""
ROOM = 4 << 20
"""Bytes of the buffer; a longer line makes it grow while that line lasts."""
JSON_SPACE = b" \t\r\n"
SPACE = re.compile(rb"[ \t\r\n]*+")
OPEN, QUOTE = b'{"'
"""How nearly every line begins."""
_NO_WORD = rb"f(?!alse)|n(?!ull)|t(?!rue)|N(?!aN)|I(?!nfinity)"
_NO_VALUE = rb"[!#-+./:-HJ-MO-Z\\\^-eg-mo-su-z|}~]|" + _NO_WORD
JUNK = re.compile(
    rb"(?:(?:[,\]]|%b|-(?![0-9I])|[0-9]++[!-\-/:-DF-df-~]|\{[!#-|~]|\[(?:%b|[0-9]++[!-+\-/:-DF-Z\\^-df-~]))[^\n\0]*+\n)++"
    % (_NO_VALUE, _NO_VALUE)
)
"""Lines that go wrong as JSON in their first characters, so that nobody need try: plain text, `{]`, `2026-01-31 …`."""


def cut(fill: Fill, room: int = ROOM) -> Iterator[memoryview]:
    r"""Yield every line with its line feed; the last may lack one. However the input arrives, the lines are equal.

    Blank lines that follow each other may come as one piece, and so may junk lines: `lines_in` counts them. A piece is
    a view of one buffer that is used again: it must be done with before the next is asked for.

    >>> data = iter([b"a\r\nb", b"c\n", b"\n\n", b"d"])
    >>> def fill(view):
    ...     some = next(data, b"")
    ...     view[: len(some)] = some
    ...     return len(some)
    >>> [bytes(line) for line in cut(fill)]
    [b'a\r\n', b'bc\n', b'\n\n', b'd']
    """
    buffer = _buffer(room)
    view = memoryview(buffer)
    start = searched = end = 0
    while True:
        found = buffer.find(b"\n", searched, end) + 1
        if found:
            if buffer[start] != OPEN or buffer[start + 1] != QUOTE:
                found = _run_until(buffer, start, found, end)
            yield view[start:found]
            start = searched = found
            if len(buffer) > room and end - start <= room:  # a huge line is over: its buffer is let go
                buffer, view = _moved(view, start, end, room)
                start, searched, end = 0, 0, end - start
            continue
        searched = end
        if end == len(buffer):
            buffer, view = _make_room(buffer, view, start, room)
            start, end = 0, end - start
            searched = end
        count = fill(view[end : end + BLOCK])
        if not count:
            break
        end += count
    if start < end:
        yield view[start:end]


def _buffer(size: int) -> mmap:
    """Give room that takes no memory before it is written to."""
    return mmap(-1, size, flags=MAP_PRIVATE | MAP_ANONYMOUS)


def _run_until(buffer: mmap, start: int, found: int, end: int) -> int:
    """Find the end of the blank or the junk lines that begin at `start`, the first of which may end at `found`."""
    if found - start > BLOCK:
        return found
    if not SPACE.fullmatch(buffer, start, found):
        run = JUNK.match(buffer, start, min(end, start + BLOCK))
        return run.end() if run else found
    stop = SPACE.match(buffer, found, min(end, start + BLOCK)).end()  # type: ignore[union-attr]
    return max(buffer.rfind(b"\n", found, stop) + 1, found)


def _make_room(buffer: mmap, view: memoryview, start: int, room: int) -> tuple[mmap, memoryview]:
    """Move what is not yet yielded to the front of the buffer; of a larger one when that is better."""
    size = len(buffer) - start
    if start and 2 * size <= len(buffer):
        view[:size] = view[start:]
        return buffer, view
    if not start:
        view.release()
        with suppress(BufferError, SystemError):  # a line is still held, or the system cannot
            buffer.resize(2 * size)
            return buffer, memoryview(buffer)
        view = memoryview(buffer)
    return _moved(view, start, len(buffer), max(room, 2 * size))


def _moved(view: memoryview, start: int, end: int, size: int) -> tuple[mmap, memoryview]:
    other = _buffer(size)
    held = memoryview(other)
    held[: end - start] = view[start:end]
    return other, held


def is_blank(line: bytes | memoryview) -> bool:
    r"""Tell whether a piece holds nothing but JSON's four kinds of white space.

    >>> is_blank(b" \r\n"), is_blank(b"\x0c\n")
    (True, False)
    """
    return SPACE.fullmatch(line) is not None


def lines_in(piece: memoryview) -> int:
    r"""Count the lines of a piece.

    >>> lines_in(memoryview(b"{}\n")), lines_in(memoryview(b"\n \n")), lines_in(memoryview(b"{]\n?\n"))
    (1, 2, 2)
    """
    return 1 if len(piece) > BLOCK or bytes(piece[:2]) == b'{"' else bytes(piece).count(b"\n") or 1


def numbered(fill: Fill, room: int = ROOM) -> Iterator[tuple[int, memoryview]]:
    """Yield the pieces of an input, each with the number of its first line, from 1."""
    number = 1
    for piece in cut(fill, room):
        count = lines_in(piece)
        yield number, piece
        number += count

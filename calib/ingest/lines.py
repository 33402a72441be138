"""Bytes to lines. A line ends at byte 0x0A and nowhere else."""

from collections.abc import Callable, Iterator

Fill = Callable[[memoryview], int]
"""Puts the next bytes of an input into a buffer and says how many; 0 at its end."""

BLOCK = 1 << 20
"""Bytes asked for at a time."""
ROOM = 4 << 20
"""Bytes of the buffer; a longer line makes it grow while that line lasts."""
JSON_SPACE = b" \t\r\n"


def cut(fill: Fill, room: int = ROOM) -> Iterator[memoryview]:
    r"""Yield every line with its line feed; the last may lack one. However the input arrives, the lines are equal.

    A line is a view of one buffer that is used again: it must be done with before the next is asked for.

    >>> data = iter([b"a\r\nb", b"c\n\n", b"d"])
    >>> def fill(view):
    ...     some = next(data, b"")
    ...     view[: len(some)] = some
    ...     return len(some)
    >>> [bytes(line) for line in cut(fill)]
    [b'a\r\n', b'bc\n', b'\n', b'd']
    """
    buffer = bytearray(room)
    view = memoryview(buffer)
    start = searched = end = 0
    while True:
        found = buffer.find(b"\n", searched, end) + 1
        if found:
            yield view[start:found]
            start = searched = found
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


def _make_room(buffer: bytearray, view: memoryview, start: int, room: int) -> tuple[bytearray, memoryview]:
    """Move what is not yet yielded to the front of the buffer; of a larger or smaller one when that is better."""
    size = len(buffer) - start
    wanted = max(room, 2 * size) if start == 0 or 2 * size <= len(buffer) else len(buffer)
    if wanted == len(buffer):
        view[:size] = view[start:]
        return buffer, view
    other = bytearray(wanted)
    other[:size] = view[start:]
    return other, memoryview(other)


def is_blank(line: bytes | memoryview) -> bool:
    r"""Tell whether a line holds nothing but JSON's four kinds of white space.

    >>> is_blank(b" \r\n"), is_blank(b"\x0c\n")
    (True, False)
    """
    return line[0] in JSON_SPACE and not bytes(line).strip(JSON_SPACE)

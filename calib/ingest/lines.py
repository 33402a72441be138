"""Bytes to lines. A line ends at byte 0x0A and nowhere else."""

from collections.abc import Iterable, Iterator

Line = bytes | memoryview
BLOCK = 1 << 20
JSON_SPACE = b" \t\r\n"


def cut(blocks: Iterable[bytes]) -> Iterator[Line]:
    r"""Yield every line with its line feed; the last may lack one. However the input is split, the lines are equal.

    >>> [bytes(line) for line in cut([b"a\r\nb", b"c\n\n", b"d"])]
    [b'a\r\n', b'bc\n', b'\n', b'd']

    A line within one block is a view of it, so that most lines are never copied.
    """
    held: list[bytes] = []
    for block in blocks:
        view = memoryview(block)
        start = 0
        while (end := block.find(b"\n", start) + 1) > 0:
            if held:
                held.append(block[:end])
                yield b"".join(held)
                held = []
            else:
                yield view[start:end]
            start = end
        if start < len(block):
            held.append(block[start:])
    if held:
        yield b"".join(held)


def is_blank(line: Line) -> bool:
    r"""Tell whether a line holds nothing but JSON's four kinds of white space.

    >>> is_blank(b" \r\n"), is_blank(b"\x0c\n")
    (True, False)
    """
    return line[0] in JSON_SPACE and not bytes(line).strip(JSON_SPACE)

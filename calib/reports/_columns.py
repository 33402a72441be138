"""Text in cells of a terminal: measuring, padding, cutting, wrapping, tables.

A CJK letter takes two cells, a combining mark none. Nothing here colours or escapes; a line that a GitHub log
would take for an order is broken up at the very end, by `guarded`.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from fractions import Fraction

from calib import escape

STUCK = "\x00"
"""Stands for a blank at which a line must not break; text of a dump can not hold it after escaping."""

LONGEST = 300
"""Cells of a name that is shown whole."""


def cells(text: str) -> int:
    """Count the cells that text takes on a terminal.

    >>> cells("ab"), cells("中a"), cells("e\\u0301")
    (2, 3, 1)
    """
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.combining(character) > 0 for character in text)


def pad(text: str, width: int, right: bool = False) -> str:
    """Fill text up to a number of cells, on its left side if `right`."""
    blank = " " * max(0, width - cells(text))
    return blank + text if right else text + blank


def safe(text: str) -> str:
    r"""Show a line that may hold text of a dump; `##[` too, which begins an order in a GitHub log.

    >>> safe("a\x1b ##[error]")
    'a\\x1b ##\\x5berror]'
    """
    return escape.terminal(text).replace("##[", "##\\x5b")


def name(text: str, width: int = 32, begins: Fraction = Fraction(1, 2)) -> str:
    """Show a name of a dump: one line, at most `width` cells, never broken over two lines.

    A longer one is cut inside; `begins` is the share of the cells that its beginning gets.

    >>> name("task 中文中文 0123456789", 12)
    'task…456789'
    >>> name("openhands_v0_alternation@4", 20, Fraction(4, 5))
    'openhands_v0_al…on@4'
    >>> name("")
    "''"
    """
    shown = safe(text)
    if cells(shown) > width:
        head = int((width - 1) * begins)
        tail = width - 1 - head
        shown = f"{_cut(shown[: head + 1], head)}…{_cut(shown[: -tail - 2 : -1], tail)[::-1]}"
    return (shown or "''").replace(" ", STUCK)


def distinct_names(texts: Sequence[str], width: int) -> list[str]:
    """Show names, of at most `width` cells while that keeps them apart: then more of their ends, then more of them.

    >>> distinct_names(["runs/chat_done.jsonl:1", "runs/chat_lost.jsonl:1", "x"], 16)
    ['run…done.jsonl:1', 'run…lost.jsonl:1', 'x']
    """
    many = len(set(texts))
    for wide in range(width, 4 * width, width // 4):
        for begins in (Fraction(1, 2), Fraction(1, 4), Fraction(0)):
            shown = [name(text, wide, begins) for text in texts]
            if len(set(shown)) == many:
                return shown
    return [name(text, LONGEST) for text in texts]


def _cut(text: str, width: int) -> str:
    while cells(text) > width:
        text = text[:-1]
    return text.strip()


def wrap(text: str, width: int, first: str = "", then: str = "") -> list[str]:
    """Break text at its blanks into lines of at most `width` cells that begin with `first`, then `then`.

    A number is not parted from its percent sign; the blank between them is `STUCK`.

    >>> wrap("one two three", 9, "- ", "  ")
    ['- one two', '  three']
    """
    lines, line = [], first
    text = text.replace(" %", f"{STUCK}%")
    empty = True
    for word in text.split(" "):
        if not empty and cells(line) + 1 + cells(word) > width:
            lines.append(line)
            line, empty = then, True
        line += word if empty else f" {word}"
        empty = False
    return [*lines, line]


def table(rows: Iterable[Sequence[str]], right: Sequence[bool], indent: str = "  ") -> list[str]:
    """Set rows in columns two blanks apart; `right` says which columns end flush right.

    >>> table([("a", "n"), ("bc", "10")], (False, True))
    ['  a    n', '  bc  10']
    """
    rows = list(rows)
    widths = [max(cells(row[place]) for row in rows) for place in range(len(right))]
    return [
        (indent + "  ".join(pad(row[at], widths[at], right[at]) for at in range(len(right)))).rstrip() for row in rows
    ]


def guarded(lines: Iterable[str]) -> str:
    r"""Join lines into the finished text, with no line that a GitHub log takes for an order.

    >>> guarded(["  ::error::x", "a::b"])
    '  \\x3a:error::x\na::b\n'
    """
    finished = []
    for line in lines:
        line = line.replace(STUCK, " ").rstrip()
        finished.append(line.replace("::", "\\x3a:", 1) if line.lstrip().startswith("::") else line)
    return "\n".join(finished) + "\n"

"""Reasoning between tags in a visible text: where it stands, and the text without it.

The rule is that of `calib.formats._inline`, which the reader of the transcript follows; here the places are kept, so
that what is left is the same bytes.
"""

from collections.abc import Callable
from typing import NamedTuple

from calib.formats._inline import CLOSE_ALONE, OPEN, TAGGED

EMPTY = "<think></think>"
"""Stands in front of a text that would otherwise, its reasoning gone, be taken for reasoning itself."""


class Places(NamedTuple):
    """Where the blocks of reasoning begin and end in a text, and where the rest of the text begins."""

    blocks: tuple[tuple[int, int], ...]
    rest: int


def places(text: str) -> Places:
    """Find the reasoning in a text.

    >>> places("<think>a</think>b"), places("a<think>b</think>")
    (Places(blocks=((7, 8),), rest=16), Places(blocks=(), rest=0))
    >>> places("a\\n</think>b"), places("a\\n</think>\\nb")
    (Places(blocks=(), rest=0), Places(blocks=((0, 1),), rest=10))
    """
    if ">" not in text or not TAGGED.search(text):
        return Places((), 0)
    blocks: list[tuple[int, int]] = []
    at = 0
    while opened := OPEN.match(text, at):
        closing = f"</{opened[1]}>"
        end = text.find(closing, opened.end())
        if end < 0:
            return Places((*blocks, (opened.end(), len(text))), len(text))
        blocks.append((opened.end(), end))
        at = end + len(closing)
    if not blocks and (closed := CLOSE_ALONE.search(text)):
        return Places(((0, closed.start()),), closed.end())
    return Places(tuple(blocks), at)


def reasoning_in(text: str) -> str:
    """Give the blocks of reasoning in a text, joined.

    >>> reasoning_in("<think>a</think><think>b</think>c")
    'a\\n\\nb'
    """
    return "\n\n".join(text[first:last] for first, last in places(text).blocks)


def without(text: str, alone: bool = True) -> str:
    r"""Give a text without its reasoning and the tags around it.

    A closing tag without an opening one ends reasoning only where the reasoning stands `alone`, in no field beside it.

    >>> without("<think>a</think>b"), without("<think>a</think>b\n</think>\nc")
    ('b', '<think></think>b\n</think>\nc')
    >>> without("b\n</think>\nc", alone=False)
    '<think></think>b\n</think>\nc'
    """
    found = places(text)
    if not any(text[first:last].strip() for first, last in found.blocks):
        return text
    rest = text[found.rest :] if alone or OPEN.match(text) else text
    return EMPTY + rest if places(rest).blocks else rest


def cut(text: str, shorten: Callable[[str], str]) -> str:
    """Give a text with each block of its reasoning shortened.

    >>> cut("<think>aaaa</think>b", lambda block: block[:2])
    '<think>aa</think>b'
    """
    made, at = [], 0
    for first, last in places(text).blocks:
        made += [text[at:first], shorten(text[first:last])]
        at = last
    return "".join((*made, text[at:]))

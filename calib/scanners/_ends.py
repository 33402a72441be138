"""Which of many texts can end in copies of a few words: cheap, and never wrong about a text it leaves out."""

import numpy as np

from calib.scanners._suspects import LETTERS
from calib.scanners._texts import Block, Flags, Texts
from calib.scanners._white import spaced, token_starts

SAME = 5
"""Words before the last that are equal to those a period before, where 12 words are copies of up to 16."""
TAIL = 512
"""Bytes at the end of a text that are looked at; where too few words are in them, the text is kept."""


def repeating(texts: Texts, longest: int) -> Flags:
    """Mark texts whose words before the last repeat words at most `longest` before; equal words have equal letters.

    Whether the last word counts or not, words -2 to -6 equal those a period before: copies of 12 words or more have 6
    equal words at least, and 7 are asked for only by the shortest periods.

    >>> import pyarrow as pa
    >>> repeating(Texts(pa.array(["so it goes " * 4, "this is a line of text that says nothing twice to anyone"])), 16)
    array([ True, False])
    """
    found = np.zeros(len(texts), np.bool_)
    for low, block in texts.blocks():
        sizes = np.diff(block.starts)
        kept = np.minimum(sizes, TAIL)
        starts = np.append(0, np.cumsum(kept))
        inside = np.repeat(np.tile([False, True], len(sizes)), np.column_stack([sizes - kept, kept]).ravel())
        data = block.data if len(block.data) == starts[-1] else block.data[inside]
        found[low : low + len(sizes)] = _repeating(spaced(Block(data, starts)), sizes > TAIL, longest)
    return found


def _repeating(block: Block, cut: Flags, longest: int) -> Flags:
    tokens = token_starts(block)
    ends = np.append(tokens[1:], len(block.data)) - 1
    total = np.cumsum(LETTERS.take(block.data), dtype=np.uint32)
    letters = np.diff(total[ends], prepend=np.uint32(0))
    edges = np.searchsorted(tokens, block.starts)
    number = np.diff(edges)
    few = number <= SAME + 1 + longest  # the first token of a cut text may be a part of one
    back = np.arange(SAME + 1 + longest)[:, None]
    last = letters[np.maximum(edges[1:] - 1 - back, 0)].astype(np.int64) if len(letters) else back * edges[1:]
    last = np.where(back < number, last, -1 - back)  # what is not there equals nothing
    found: Flags = cut & few
    for period in range(1, longest + 1):
        same = last[1] == last[1 + period]
        for place in range(2, SAME + 1):
            same &= last[place] == last[place + period]
        found |= same
    return found

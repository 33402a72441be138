"""Which of many texts have equal lines: cheap, and never wrong about a text it leaves out.

Equal lines have equal sums of one random number for each byte that is no white space, however much white space is in
them. Lines end at line feeds; a text with any other line break is taken for one with equal lines.
"""

import numpy as np
from numpy.typing import NDArray

from calib.scanners._texts import Block, Flags, Places, Texts
from calib.scanners._white import IS_SPACE, spaced

OTHER_BREAKS = ("\x85".encode(), "\u2028".encode(), "\u2029".encode())


def _weights() -> NDArray[np.uint32]:
    found = np.random.default_rng(5).integers(1, 1 << 32, 256, dtype=np.uint32)
    found[IS_SPACE] = 0
    return found


WEIGHTS = _weights()


def same_lines(texts: Texts, copies: int, shortest: int = 1, share: NDArray[np.int64] | None = None) -> Flags:
    """Mark texts with so many equal lines of `shortest` bytes or more that are not blank.

    `share`: together they have that many bytes at least, of each text.

    >>> import pyarrow as pa
    >>> same_lines(Texts(pa.array(["go on\\n and on\\n  go on", "a\\nb", "a\\rb"])), 2).tolist()
    [True, False, True]
    """
    found = np.zeros(len(texts), np.bool_)
    for low, block in texts.blocks():
        found[low + _otherwise_broken(block)] = True
        rows, size = _same(spaced(block), copies, shortest)
        found[low + (rows if share is None else rows[size >= share[low + rows]])] = True
    return found


def _same(block: Block, copies: int, shortest: int) -> tuple[Places, Places]:
    """Give the text of lines that are there so often, and how many bytes they have together, at most."""
    data, starts = block
    total = np.concatenate([np.zeros(1, np.uint32), np.cumsum(WEIGHTS.take(data), dtype=np.uint32)])
    ends = np.union1d(np.flatnonzero(data == 0x0A) + 1, starts[1:])
    begins = np.concatenate([[0], ends[:-1]])
    size, number = ends - begins, total[ends] - total[begins]
    text = np.searchsorted(starts, begins, side="right") - 1
    kept = np.flatnonzero((number > 0) & (size >= shortest))
    key = text[kept] << 32 | number[kept]
    order = np.argsort(key, kind="stable")
    key, size = key[order], size[kept][order]
    if not len(key):
        return key, size
    first = np.flatnonzero(np.diff(key, prepend=-1))
    times = np.diff(first, append=len(key))
    often = times >= copies
    return key[first[often]] >> 32, (np.maximum.reduceat(size, first) * times)[often]


def _otherwise_broken(block: Block) -> Places:
    """Find texts with a line break that is neither a line feed nor stands before one."""
    data = block.data
    returns = np.flatnonzero(data == 0x0D)
    after = data[np.minimum(returns + 1, len(data) - 1)] == 0x0A
    odd = [returns[~after], np.flatnonzero((data == 0x0B) | (data == 0x0C) | (data - 0x1C < 3))]
    for mark in OTHER_BREAKS:
        at = np.flatnonzero(data[: max(len(data) - len(mark) + 1, 0)] == mark[0])
        for step in range(1, len(mark)):
            at = at[data[at + step] == mark[step]]
        odd.append(at)
    return block.of(np.sort(np.concatenate(odd)))

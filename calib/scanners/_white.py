"""White space in the bytes of texts, as Python has it."""

import numpy as np
from numpy.typing import NDArray

from calib.scanners._texts import Block, Bytes, Flags

SPACE = bytes(range(9, 14)) + bytes(range(28, 33))
WIDE_SPACES = tuple(
    character.encode() for character in "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000"
)  # fmt: skip
IS_SPACE = np.isin(np.arange(256), list(SPACE))


def is_space(data: Bytes) -> Flags:
    """Tell which bytes are white space; faster than a look into a table."""
    found: Flags = (data - np.uint8(9) < 5) | (data - np.uint8(28) < 5)
    return found


def spaced(block: Block) -> Block:
    """Write every white space outside ASCII as blanks."""
    data = block.data
    lead = np.flatnonzero((data == 0xC2) | (data - np.uint8(0xE1) < 3))
    if not len(lead):
        return block
    data = data.copy()
    code = data[lead].astype(np.uint32) << 16 | data[np.minimum(lead + 1, len(data) - 1)].astype(np.uint32) << 8
    code |= np.where(data[lead] == 0xC2, 0, data[np.minimum(lead + 2, len(data) - 1)])
    wide = np.isin(code, [int.from_bytes(space.ljust(3, b"\0"), "big") for space in WIDE_SPACES])
    for at, size in ((lead[wide & (data[lead] == 0xC2)], 2), (lead[wide & (data[lead] != 0xC2)], 3)):
        for step in range(size):
            data[at + step] = 0x20
    return Block(data, block.starts)


def token_starts(block: Block) -> NDArray[np.int64]:
    """Find where each token begins; so does each text, be it of blanks. White space outside ASCII is in tokens."""
    space = is_space(block.data)
    begins = ~space
    begins[1:] &= space[:-1]
    begins[block.starts[:-1][np.diff(block.starts) > 0]] = True
    return np.flatnonzero(begins)
